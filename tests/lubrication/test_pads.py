"""Films on flat pads: closed forms, and sliders whose faces carry films in a running system.

The pad: 100 mm x 40 mm, 40 um, 0.04 Pa s; the guide goes by at 10 m/s.
"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import solve_banded
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.contact import translational
from fem_clearance.lubrication import (
    Asperities,
    Bearing,
    Film,
    Full,
    Lubricant,
    Place,
    Reynolds,
    cylinder,
    pad_film,
)

from .balances import check_action_and_reaction, check_power, check_tangent, run

L, B, C, MU, U = 0.1, 0.04, 4e-5, 0.04, 10.0


def tilted(least, ratio):
    """Place and slope of a slider moving along x, thickness from ``least`` behind to ratio times
    that in front."""
    slope = least * (ratio - 1) / L
    middle = least * (ratio + 1) / 2
    along = np.array([-np.sqrt(1 - slope**2), 0.0, slope])  # in the guide's plane
    return Place(e=(0, 0, C - middle), t=(slope, 0), V=tuple(U * along)), slope


def test_wide_tilted_pad():
    """Load, friction of the guide and centre of pressure of Reynolds' slider of infinite width."""
    h0, ratio = 2e-5, 2.2
    h1 = ratio * h0
    place, slope = tilted(h0, ratio)
    film = pad_film(
        L, B, C, MU, sliding_speed=U, cells=(96, 1), edges=("x0", "x1"), cavitation=Full()
    )
    found = Bearing(film).solve(place)

    def pressure(x):
        h = h0 + slope * (x + L / 2)
        return 6 * MU * U * L / (h1**2 - h0**2) * (h1 - h) * (h - h0) / h**2

    load = 6 * MU * U * L**2 / (h0 * (ratio - 1)) ** 2
    load *= np.log(ratio) - 2 * (ratio - 1) / (ratio + 1)
    drag = MU * U * L / (h0 * (ratio - 1)) * (4 * np.log(ratio) - 6 * (ratio - 1) / (ratio + 1))
    centre = quad(lambda x: x * pressure(x), -L / 2, L / 2)[0] / load
    normal = np.array([slope, 0, np.sqrt(1 - slope**2)])
    assert -found.force @ normal == pytest.approx(load * B, rel=3e-4)
    ahead = np.array([normal[2], 0, -slope])
    assert found.force @ ahead == pytest.approx(drag * B, rel=1e-4)
    assert found.moment[1] / -found.force[2] == pytest.approx(centre, rel=1e-3)
    assert found.force[1] == pytest.approx(0, abs=1e-9 * load * B)


def by_modes(h, slope, count=12, points=4001):
    """Load and centre of pressure of a tilted pad: cosines across, for each of them differences
    along, (h^3 p')' - k^2 h^3 p = -6 mu U slope w."""
    x, step = np.linspace(-L / 2, L / 2, points, retstep=True)
    between, at = h(x[:-1] + step / 2) ** 3, h(x[1:-1]) ** 3
    load = moment = 0.0
    for n in range(1, 2 * count, 2):
        k, sign = n * np.pi / B, np.sin(n * np.pi / 2)
        bands = np.zeros((3, points - 2))
        bands[0, 1:], bands[2, :-1] = between[1:-1], between[1:-1]
        bands[1] = -between[:-1] - between[1:] - (k * step) ** 2 * at
        source = np.full(points - 2, -6 * MU * U * slope * 4 / (n * np.pi) * sign * step**2)
        p = np.pad(solve_banded((1, 1), bands, source), 1)
        load += np.trapezoid(p, x) * 2 / k * sign
        moment += np.trapezoid(x * p, x) * 2 / k * sign
    return load, moment / load


def test_finite_tilted_pad():
    """Side leakage: a pad of B/L = 0.4 against a series across."""
    place, slope = tilted(2e-5, 2.2)
    load, centre = by_modes(lambda x: 2e-5 + slope * (x + L / 2), slope)
    film = pad_film(L, B, C, MU, sliding_speed=U, cells=(64, 48), cavitation=Full())
    found = Bearing(film).solve(place)
    assert -found.force[2] == pytest.approx(load, rel=1e-3)
    assert found.moment[1] / -found.force[2] == pytest.approx(centre, rel=2e-3)


def plates(length, width):
    """Force by viscosity, speed and 1/h^3 of parallel rectangular plates that approach each other:
    the series of the rectangular duct."""
    n = np.arange(1, 200, 2)
    series = np.sum(np.tanh(n * np.pi * length / (2 * width)) / n**5.0)
    return length * width**3 * (1 - 192 * width / (np.pi**5 * length) * series)


def test_parallel_plates():
    film = pad_film(L, B, C, MU, cells=(40, 48))
    speed = 1e-3
    found = Bearing(film).solve(Place(V=(0, 0, speed)))
    assert -found.force[2] == pytest.approx(plates(L, B) * MU * speed / C**3, rel=1e-3)


# --- in a system --------------------------------------------------------------------------------
#: of bodies that fly: with more play the film is less stiff, and round-off of speeds counts less
HEIGHT, PLAY = 0.05, 2e-4
NORMAL, SMOOTH = fc.ExactRestitution(restitution=0.4), fc.SmoothCoulomb(0.4, v0=1e-3)


def flying(turn, film, lift=0.3, tilt=2e-4, **options):
    """A free guide and a free slider in it, sliding, all of it turned in space by ``turn``."""
    system = fc.System(gravity=(0, 0, 0))
    move = {"velocity": turn @ (0.3, -0.2, 0.1), "angular_velocity": turn @ (0.5, 3.0, -2.0)}
    guide = system.add(
        fc.RigidBody(2.0, (3e-3, 4e-3, 5e-3), name="guide", free=True, orientation=turn,
                     position=turn @ (0.01, 0.02, 0.03), **move)
    )  # fmt: skip
    lean = Rotation.from_rotvec([0.5 * tilt, 0.0, tilt]).as_matrix()
    start = np.array([0.08, 0.02 + lift * PLAY, 0.03])
    slides = np.array([0.3, -0.2, 0.1]) + np.cross((0.5, 3.0, -2.0), start - (0.01, 0.02, 0.03))
    slider = system.add(
        fc.RigidBody(0.5, (2e-3, 2e-3, 2e-3), name="slider", free=True, orientation=turn @ lean,
                     position=turn @ start, velocity=turn @ (slides + (U, 0.01, 0.5)),
                     angular_velocity=turn @ (0.5, 3.2, -2.0))
    )  # fmt: skip
    system.add(
        fc.TranslationalClearance(
            guide.at(turn @ (0.01, 0.02, 0.03)), slider.center, turn @ (1, 0, 0),
            turn @ (0, 1, 0), slider_axis=turn @ lean @ (1, 0, 0), length=L, height=HEIGHT,
            gap=HEIGHT + 2 * PLAY, width=B, stiffness=1e9, film=film,
            normal=NORMAL, friction=SMOOTH, name="joint", **options,
        )
    )  # fmt: skip
    return system, (guide, slider)


def two_films(cells=(8, 4)):
    """One that bears tension, one that breaks."""
    return [
        pad_film(L, B, PLAY, MU, sliding_speed=U, cells=cells, cavitation=law)
        for law in (Full(), Reynolds())
    ]


def test_action_is_reaction():
    """A guide and a slider that both fly: what the bodies lose is what the films dissipate, 1e-10
    of it; force and moment of both about the origin cancel to round-off."""
    turn = Rotation.from_rotvec([0.4, -0.3, 0.8]).as_matrix()
    system, bodies = flying(turn, two_films())
    stepper = fc.Stepper(system, dt=1e-6, t_end=1e-5, newton_tolerance=1e-13)
    stepper.start()
    check_power(stepper, 10, rel=1e-10, least=10)
    check_action_and_reaction(stepper.state, bodies)


def test_turned_in_space_the_answer_is_turned():
    numbers = []
    for rotation in ([0, 0, 0], [0.7, -1.1, 0.4]):
        system, _ = flying(Rotation.from_rotvec(rotation).as_matrix(), two_films())
        state = run(system, 1e-4, 3e-3, newton_tolerance=1e-11).state
        blocks = {b.name: b for b in state.problem.blocks}
        numbers.append(
            [
                state.q[state.locate(blocks[f"joint.{side}.{n}"].numbers)]
                for side in ("upper", "lower")
                for n in ("pressure", "t", "force", "moment")
            ]
        )
    # turned directors are orthonormal to 1e-16: a start knows accelerations to 1e-16 / (h / 100)^2,
    # 1e-4 m/s^2
    for here, there in zip(*numbers, strict=True):
        np.testing.assert_allclose(there, here, atol=1e-6 * np.abs(here).max(), rtol=0)


def test_tangent_where_surfaces_overlap(monkeypatch):
    """A slider that dips into the guide with one end: full, fading and overlapped film. (No run
    begins there.)"""
    monkeypatch.setattr(translational, "PRESSED", 1.0)
    film = pad_film(L, B, PLAY, MU, sliding_speed=U, cells=(5, 2), cavitation=Full())
    system, _ = flying(np.eye(3), film, lift=0.9, tilt=4e-3, least=0.4)
    state = system.state
    rng = np.random.default_rng(3)
    for b in state.problem.blocks:
        if b.name.startswith(("joint.upper", "joint.lower")) and b.name[-2:] not in (".e", ".t"):
            at = state.locate(b.numbers)
            values = b.role.unit * rng.uniform(0.3, 1, len(at)) * rng.choice([-1.0, 1.0], len(at))
            state.q[at] = np.where(b.fixed, 0.0, values)
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    check_tangent(state, 5e-6)


# --- a slider on a guide at rest ----------------------------------------------------------------
def pressed(load, film, lift=0.0, comm=None, **options):
    """A slider with a load along -y in a guide on the ground, the films on its lower face."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    slider = system.add(
        fc.RigidBody(0.5, (2e-3, 2e-3, 2e-3), position=(0, lift, 0), name="slider")
    )  # fmt: skip
    system.add(
        fc.TranslationalClearance(
            system.ground.point((0, 0, 0)), slider.center, (1, 0, 0), (0, 1, 0), length=L,
            height=HEIGHT, gap=HEIGHT + 2 * C, width=B, stiffness=1e9, film=(None, film),
            normal=NORMAL, friction=SMOOTH, name="joint", **options,
        )
    )  # fmt: skip
    system.add(fc.Force(slider.center, (0, -load, 0), name="load"))
    return system


def test_sinking_slider():
    """From h_0 to h_1 under W in time k mu (1/h_1^2 - 1/h_0^2)/(2 W), k of the plates above."""
    load, h0, h1 = 1000.0, C, 0.5 * C
    film = pad_film(L, B, C, MU, cells=(20, 16))
    k = -Bearing(film).solve(Place(V=(0, 0, 1.0))).force[2] * C**3 / MU
    assert k == pytest.approx(plates(L, B), rel=1e-2)
    time = k * MU * (1 / h1**2 - 1 / h0**2) / (2 * load)
    stepper = run(pressed(load, film), None, time, tolerance=1e-9)
    assert stepper.channels["joint.lower.min_film"] == pytest.approx(h1, rel=5e-4)
    assert stepper.channels["joint.lower.normal_force"] == pytest.approx(load, rel=1e-6)


@pytest.mark.mpi
def test_same_on_two_ranks(comm):
    found = []
    for c in (comm, comm.Split(comm.rank)):
        system = pressed(1000.0, pad_film(L, B, C, MU, cells=(8, 4)), comm=c)
        channels = run(system, 1e-3, 0.02).channels
        found.append([channels[f"joint.lower.{n}"] for n in ("min_film", "power_loss")])
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_overload(caplog):
    """A load that presses the corners in by three times the clearance: they bear it, 4 K depth^1.5,
    and the film, which squeezes no more, nothing. It is said once that the film is thin."""
    load, depth = 5000.0, (5000.0 / 4e9) ** (2 / 3)
    film = pad_film(L, B, C, 1e-3, cells=(8, 4))
    system = pressed(load, film, -0.8 * C, least=0.2, roughness=1e-6)
    channels = run(system, None, 0.05, tolerance=1e-7).channels
    assert channels["joint.lower.min_film"] == pytest.approx(-depth, rel=1e-4)
    assert channels["joint.lower_rear_left.normal_force"] == pytest.approx(load / 4, rel=1e-3)
    assert abs(channels["joint.lower.normal_force"]) < 1e-3 * load
    assert caplog.text.count("thinner than the surfaces are rough") == 1


def test_rough_faces():
    """At rest a load is borne by the asperities: their pressure on the whole face."""
    rough = Asperities(1e-6, 1e11)
    film = pad_film(L, B, C, 1e-3, cells=(8, 4), asperities=rough)
    load = float(rough.pressure(1.5e-6)) * L * B
    channels = run(pressed(load, film, -0.9 * C), None, 0.5, tolerance=1e-7).channels
    assert channels["joint.lower.asperity_force"] == pytest.approx(load, rel=1e-2)
    assert channels["joint.lower.min_film"] == pytest.approx(1.5e-6, rel=1e-2)


def test_bad_input():
    system = fc.System()
    slider = system.add(fc.RigidBody(1.0, (1, 1, 1), name="slider"))
    good = {
        "axis": (1, 0, 0), "across": (0, 1, 0), "length": L, "height": HEIGHT,
        "gap": HEIGHT + 2 * C, "width": B, "stiffness": 1e9, "name": "guide",
    }  # fmt: skip
    bore = Film(cylinder(0.1, 0.1), C, Lubricant(MU))
    for changes, message in (
        ({"film": pad_film(L, B, 2 * C, MU)}, "the film has a clearance of 8e-05 m, the joint of"),
        ({"film": pad_film(2 * L, B, C, MU)}, "the film's surface is not on the slider's face"),
        ({"film": pad_film(L, 2 * B, C, MU)}, r"slider's face \(0.1 m long, 0.04 m wide\)"),
        ({"film": bore}, "film must be a Film with gap=FlatGap"),
        ({"film": 0.04}, "film must be a Film with gap=FlatGap"),
        ({"film": (None, None)}, "or a pair, for the upper and the lower face"),
        (
            {"film": pad_film(L, B, C, MU), "surfaces": fc.guides.Parabolic(1.0)},
            "films need flat surfaces",
        ),
        ({"film": pad_film(L, B, C, MU), "least": 0}, "least must be positive"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.TranslationalClearance(
                system.ground.point((0, 0, 0)), slider.center, **{**good, **changes}
            )
    with pytest.raises(fc.InputError, match="does not accept a film"):
        fc.RevoluteClearance(
            system.ground, slider.center, (0, 0, 1), bearing_radius=0.01, journal_radius=0.009,
            length=0.01, stiffness=1e8, film=bore,
        )  # fmt: skip

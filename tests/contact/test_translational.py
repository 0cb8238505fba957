"""Rigid sliders in a guide: the paper's slider-crank against equations of our own in SciPy, what
contacts keep, friction at rest, and shapes of the guide.

Data of Flores, Leine and Glocker (2010), contact as in the case ``slider_crank_translational``.
"""

from functools import cache, partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.cases import slider_crank_translational as case
from fem_clearance.contact.translational import contact_mode
from fem_clearance.diagnostics import tangent_error

from .conftest import momenta, run

L1, L2, A, B, PLAY = 0.153, 0.306, 0.05, 0.025, 1e-3
M1, M2, M3, J1, J2, J3, G = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6, 9.81
K, CHI, MU, V0, FLOOR = 1e9, 2.082498164147, 0.01, 1e-3, 1e-3
NORMAL = fc.ExactRestitution(restitution=0.4)
SMOOTH = fc.SmoothCoulomb(0.4, v0=1e-3)
STICK = fc.TrueStick(0.4, stiffness=1e6, damping=400.0)


# --- the paper's mechanism, in absolute angles of crank, rod and slider ---------------------------
def corners(z):
    """Depth, its rate, gradients of depth and of place along the guide, sliding speed."""
    (t1, t2, t3), w = z[:3], z[3:]
    found = []
    for up in (1, -1):
        for forward in (-1, 1):
            dx, dy = forward * A, up * B
            y = L1 * np.sin(t1) + L2 * np.sin(t2) + np.sin(t3) * dx + np.cos(t3) * dy
            along_y = np.array(
                [L1 * np.cos(t1), L2 * np.cos(t2), np.cos(t3) * dx - np.sin(t3) * dy]
            )
            along_x = -np.array(
                [L1 * np.sin(t1), L2 * np.sin(t2), np.sin(t3) * dx + np.cos(t3) * dy]
            )
            found.append((up * y - B - PLAY, up * along_y @ w, up * along_y, along_x, along_x @ w))
    return found


def rates(_, z, approach):
    t1, t2 = z[:2]
    w = z[3:]
    coupling = (M2 / 2 + M3) * L1 * L2
    mass = np.diag([J1 + M1 * L1**2 / 4 + (M2 + M3) * L1**2, J2 + M2 * L2**2 / 4 + M3 * L2**2, J3])
    mass[0, 1] = mass[1, 0] = coupling * np.cos(t1 - t2)
    swing = coupling * np.sin(t1 - t2)
    force = np.array(
        [
            -swing * w[1] ** 2 - G * np.cos(t1) * L1 * (M1 / 2 + M2 + M3),
            swing * w[0] ** 2 - G * np.cos(t2) * L2 * (M2 / 2 + M3),
            0.0,
        ]
    )
    for (depth, rate, across, along, sliding), speed in zip(corners(z), approach, strict=True):
        if depth > 0:
            load = max(K * depth**1.5 * (1 + CHI * rate / speed), 0.0)
            force -= load * (across + MU * np.tanh(sliding / V0) * along)
    return np.concatenate([w, np.linalg.solve(mass, force)])


@cache
def by_scipy(t_end):
    """First contact, and the angles as functions of time."""
    z, t, approach, touching = np.array([0, 0, 0, 150.0, -75.0, 0]), 0.0, np.full(4, FLOOR), [0] * 4
    first, pieces = None, []

    def crossing(k):
        def depth(_, z):
            return corners(z)[k][0]

        depth.terminal, depth.direction = True, -1 if touching[k] else 1
        return depth

    while t < t_end:
        result = solve_ivp(
            partial(rates, approach=approach), (t, t_end), z, method="DOP853", rtol=1e-10,
            atol=1e-13, max_step=2e-5, dense_output=True, events=[crossing(k) for k in range(4)],
        )  # fmt: skip
        pieces.append((t, result.t[-1], result.sol))
        t, z = result.t[-1], result.y[:, -1]
        for k in range(4):
            if result.status == 1 and len(result.t_events[k]):
                touching[k] = 1 - touching[k]
                if touching[k]:
                    approach[k] = max(corners(z)[k][1], FLOOR)
                    first = first or t
    return first, pieces


def angles(pieces, times):
    found = np.zeros((3, len(times)))
    for begin, end, solution in pieces:
        here = (times >= begin) & (times <= end)
        if here.any():
            found[:, here] = solution(times[here])[:3]
    return found


def compare(t_end):
    first, pieces = by_scipy(t_end)
    given = {"t_end": t_end, "approach_speed": "first_touch"}  # as the equations above have it
    results = case.case.simulation(given, progress=False).run()
    expected = angles(pieces, results.time)
    found = np.array([results[f"{n}.angle"] for n in ("crank", "rod", "slider")])
    energy = results["energy.total"]
    assert np.diff(energy).max() < 1e-7 * energy[0]  # nothing is gained anywhere
    assert energy[-1] < energy[0]
    return first, abs(found - expected).max(axis=1)


def test_first_impact():
    """Time of first contact 2.69250e-3 s (SciPy; the .0028 s in print is a step's rounding); then
    two corners at once, up to 4 ms."""
    first, errors = compare(4e-3)
    assert first == pytest.approx(2.69250e-3, rel=3e-6)
    assert np.all(errors < 1e-7), errors


@pytest.mark.slow
def test_trajectory_to_20_ms():
    """Through a dozen impacts the corners part; the tilt reaches 3e-4 rad."""
    _, errors = compare(2e-2)
    assert np.all(errors < (1e-6, 1e-6, 2e-6)), errors


@pytest.mark.mpi
def test_first_contact_of_the_case():
    """Both corners of the upper side, at the time above; its channels add up."""
    model = case.case.model(case.case.resolve({"t_end": 3.1e-3}))
    stepper = fc.Stepper(model.system, t_end=3.1e-3, tolerance=1e-10)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    rear, front = (e for e in stepper.events if e.kind == "onset")
    assert {rear.owner, front.owner} == {"guide.upper_rear", "guide.upper_front"}
    assert rear.time == pytest.approx(2.69250e-3, rel=3e-6)
    assert front.time == pytest.approx(rear.time, abs=2e-9)


# --- what contacts keep ---------------------------------------------------------------------------
def flying(turn, normal=NORMAL, friction=SMOOTH, **options):
    """A free guide and a tumbling slider in it."""
    system = fc.System(gravity=(0, 0, 0))
    guide = system.add(
        fc.RigidBody(3.0, (0.02, 0.03, 0.04), name="rail", free=True, orientation=turn,
                     angular_velocity=turn @ (1.0, 2.0, -3.0))
    )  # fmt: skip
    slider = system.add(
        fc.RigidBody(0.5, (6e-4, 4e-4, 5e-4), name="block", free=True, orientation=turn,
                     position=turn @ (0.01, 0.0005, 0.0), angular_velocity=turn @ (1.5, 1.0, 0.0),
                     velocity=turn @ (0.3, 0.4, 0.2))
    )  # fmt: skip
    system.add(
        fc.TranslationalClearance(
            guide.center, slider.center, axis=turn @ (1, 0, 0), across=turn @ (0, 1, 0), length=0.1,
            height=0.05, width=0.04, gap=0.052, stiffness=1e8, normal=normal, friction=friction,
            approach_floor=0.05, name="guide", **options,
        )
    )  # fmt: skip
    return system, (guide, slider)


class Energies(list):
    """Of all steps of a run, J."""

    def see(self, channels, t):
        self.append(channels["energy.total"])


@pytest.mark.parametrize("friction", [SMOOTH, STICK], ids=["smooth", "true stick"])
def test_free_bodies(friction):
    """A free guide and its slider, in any orientation: momenta are kept, energy only falls; turned
    in space the motion is the same."""
    ends = []
    for turn in (np.eye(3), Rotation.from_rotvec((0.4, -0.7, 1.1)).as_matrix()):
        system, bodies = flying(turn, friction=friction)
        energies = Energies()
        system.assemble()
        before = momenta(system, bodies)
        stepper = run(system, None, 0.03, energies.see, tolerance=1e-9)
        after = momenta(system, bodies)
        assert len({e.owner for e in stepper.events}) >= 3
        for x, y in zip(before, after, strict=True):
            assert x == pytest.approx(y, abs=2e-6)
        assert np.diff(energies).max() < 1e-5 * energies[0]
        assert energies[-1] < 0.99 * energies[0]
        numbers = bodies[1].refs[0].numbers
        ends.append(turn.T @ system.state.q[numbers])
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


@pytest.mark.parametrize("friction", [SMOOTH, STICK], ids=["smooth", "true stick"])
def test_tangent(friction):
    """Against central differences, with corners in contact and free."""
    system, bodies = flying(np.eye(3), friction=friction)
    state = system.state
    state.q[bodies[1].refs[0].numbers[1]] = 0.0011
    rng = np.random.default_rng(3)
    state.v[:] += 1e-2 * rng.standard_normal(state.total) * state.problem.dynamic
    assert np.isfinite(system.channels.read()).all()
    assert tangent_error(state, step=1e-8) < 1e-5


def test_overlap_at_the_start():
    """As all joints: refused, but for what a load presses in, a hundredth of the clearance (1 mm);
    2 mm would be a force of 4e8 N/m^1.5 x (2 mm)^1.5 = 36 kN."""
    for offset, overlaps in ((0.0, False), (0.001, False), (0.001009, False), (0.00102, True),
                             (-0.003, True)):  # fmt: skip
        system = fc.System(gravity=(0, 0, 0))
        slider = system.add(
            fc.RigidBody(0.5, (6e-4, 4e-4, 5e-4), position=(0, offset, 0), name="s", free=True)
        )
        joint = fc.TranslationalClearance(
            system.ground.point((0, 0, 0)), slider.center, axis=(1, 0, 0), across=(0, 1, 0),
            length=0.1, height=0.05, gap=0.052, stiffness=1e8, name="guide",
        )  # fmt: skip
        if overlaps:
            side = "upper" if offset > 0 else "lower"
            message = f"guide: slider and guide overlap at the start: the corner {side}_rear"
            with pytest.raises(fc.InputError, match=message):
                system.add(joint)
        else:
            system.add(joint)


def test_overlap_with_a_shaped_surface():
    """A crest of 2 mm between surfaces that leave 1 mm on each side."""
    system = fc.System(gravity=(0, 0, 0))
    slider = system.add(fc.RigidBody(0.5, (1, 1, 1), name="slider", free=True))
    crest = fc.guides.Sinusoidal(amplitude=-0.002, wavelength=0.1, start=0.05)
    with pytest.raises(fc.InputError, match="overlap at the start: .* lies 0.001 m beyond"):
        system.add(
            fc.TranslationalClearance(
                system.ground.point((0, 0, 0)), slider.center, axis=(1, 0, 0), across=(0, 1, 0),
                length=0.1, height=0.05, gap=0.052, stiffness=1e8,
                surfaces=(crest, fc.guides.Plane()),
            )
        )  # fmt: skip


# --- a block on an incline ------------------------------------------------------------------------
def incline(degrees, friction, t_end):
    """Time and place of a block of 2 kg that rests on its weight between two surfaces."""
    angle = np.radians(degrees)
    system = fc.System(gravity=(G * np.sin(angle), -G * np.cos(angle), 0))
    sunk = (2 * G * np.cos(angle) / 4 / 1e9) ** (2 / 3)
    block = system.add(
        fc.RigidBody(2.0, (1e-3, 3e-3, 3e-3), position=(0, -0.001 - sunk, 0), name="block",
                     free=True)
    )  # fmt: skip
    system.add(
        fc.TranslationalClearance(
            system.ground.point((0, 0, 0)), block.center, axis=(1, 0, 0), across=(0, 1, 0),
            length=0.1, height=0.05, width=0.04, gap=0.052, stiffness=1e9, normal=NORMAL,
            friction=friction, name="guide",
        )
    )  # fmt: skip
    rows = []
    run(system, None, t_end, lambda c, t: rows.append((t, c["block.x"])))
    return np.array(rows).T


def test_no_creep_in_a_hundred_seconds():
    """15 degrees, mu = 0.4 (21.8 degrees): what moves after the first second is round-off."""
    t, x = incline(15.0, STICK, 100.0)
    assert np.ptp(x[t > 1]) < 1e-12
    assert x[-1] < 1e-5  # what the sticking springs give


def test_smooth_friction_creeps_at_the_predicted_rate():
    """mu tanh(v / v0) = tan(15 degrees)."""
    t, x = incline(15.0, SMOOTH, 100.0)
    k = np.argmax(t > 1)
    speed = (x[-1] - x[k]) / (t[-1] - t[k])
    assert speed == pytest.approx(1e-3 * np.arctanh(np.tan(np.radians(15)) / 0.4), rel=1e-7)


def test_slides_beyond_the_angle_of_friction():
    """30 degrees: g (sin - mu cos) t^2 / 2."""
    _, x = incline(30.0, STICK, 1.0)
    angle = np.pi / 6
    assert x[-1] == pytest.approx(G * (np.sin(angle) - 0.4 * np.cos(angle)) / 2, rel=3e-3)


@pytest.mark.parametrize("damping", [0.0, 40.0])
def test_energy_while_it_sticks_and_slips(damping):
    """A stretched spring pulls the block, which slips, turns and sticks: what friction takes is
    missing elsewhere, and without a damper sticking springs hold F^2 / 2 k, stuck or slipping."""
    system, soft, dt = fc.System(gravity=(0, -G, 0)), 1e4, 1e-4
    sunk = (2 * G / 4 / K) ** (2 / 3)
    block = system.add(
        fc.RigidBody(2.0, (1e-3, 3e-3, 3e-3), position=(0, -0.001 - sunk, 0), name="block",
                     free=True)
    )  # fmt: skip
    friction = fc.TrueStick(0.4, 0.3, stiffness=soft, damping=damping)
    joint = system.add(
        fc.TranslationalClearance(
            system.ground.point((0, 0, 0)), block.center, axis=(1, 0, 0), across=(0, 1, 0),
            length=0.1, height=0.05, width=0.04, gap=0.052, stiffness=K, normal=fc.Hertz(),
            friction=friction, name="guide",
        )
    )  # fmt: skip
    anchor = system.ground.point((-1, 0, 0))
    system.add(fc.SpringDamper(anchor, block.center, stiffness=400.0, free_length=0.95))
    names = [
        f"guide.{c}.{n}"
        for n in ("friction_force", "penetration", "friction_loss", "slipping")
        for c in joint.corners
    ]
    rows = []
    others = ("energy.total", "energy.contact", "block.x")
    run(system, dt, 0.6, lambda c, t: rows.append([t, *(c[n] for n in (*others, *names))]))
    time, total, contact, x = np.array(rows)[:, :4].T
    force, depth, loss, slipping = np.array(rows)[:, 4:].reshape(len(rows), 4, -1).swapaxes(0, 1)
    pressed = 0.4 * K * (depth**2.5).sum(axis=1)
    # a swing of 50 mm about the relaxed spring, friction's middle shifted by mu_d m g / k
    assert x.min() == pytest.approx(-0.1 + 2 * 0.3 * 2 * G / 400, abs=1e-3)
    assert slipping.max() == 1 and slipping[-1].max() == 0
    power = loss.sum(axis=1)
    work = np.append(0, np.cumsum(np.diff(time) * (power[1:] + power[:-1]) / 2))
    outside = total - contact + pressed  # of all but the sticking springs
    assert np.ptp(outside + work) < 1e-4 * total[0]
    springs = contact - pressed
    if damping:
        assert springs.max() < 1.01 * (0.3 * 2 * G) ** 2 / 8 / soft * (0.4 / 0.3) ** 2
    else:
        expected = (force**2).sum(axis=1) / 2 / soft
        assert springs == pytest.approx(expected, rel=1e-6, abs=1e-12)


# --- shapes ---------------------------------------------------------------------------------------
def test_modes():
    touching = {
        "upper_rear": np.array([0, 1, 1, 1, 1], bool),
        "upper_front": np.array([0, 0, 1, 0, 1], bool),
        "lower_rear": np.array([0, 0, 0, 0, 1], bool),
        "lower_front": np.array([0, 0, 0, 1, 0], bool),
    }
    assert contact_mode(touching).tolist() == [0, 1, 2, 3, 4]


def test_stiffness_of_a_rounded_corner():
    """Hertz: 4/3 E* sqrt(R) for a sphere on a plane."""
    steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
    system = fc.System()
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), name="block"))
    joint = fc.TranslationalClearance(
        system.ground.point((0, 0, 0)), block.center, (1, 0, 0), (0, 1, 0), length=0.1,
        height=0.05, gap=0.052, corner_radius=1e-3, materials=(steel, steel),
    )  # fmt: skip
    modulus = 2e11 / (2 * (1 - 0.3**2))
    assert joint.numbers["normal.K"] == pytest.approx(4 / 3 * modulus * np.sqrt(1e-3))


@pytest.mark.slow
@pytest.mark.parametrize(
    "surface",
    [fc.guides.Sinusoidal(2e-4, 0.03), fc.guides.Parabolic(0.5), fc.guides.Dent(3e-4, 0.1, 0.05)],
)
def test_shaped_guides(surface):
    """Without friction a slider that goes over waves and hollows keeps its energy, elastic energy
    of the contact counted; tangents are exact on slopes too."""
    system, bodies = flying(np.eye(3), fc.Hertz(), None, surfaces=surface)
    energies = Energies()
    run(system, None, 0.02, energies.see, tolerance=1e-9)
    assert np.ptp(energies) < 2e-4 * energies[0]
    system, bodies = flying(np.eye(3), NORMAL, SMOOTH, surfaces=surface)
    state = system.state
    state.q[bodies[1].refs[0].numbers[1]] = 0.0014
    assert tangent_error(state, step=1e-8) < 1e-5


@pytest.mark.slow
def test_tangent_with_bristles():
    law = fc.LuGre(0.3, 0.2, v_s=1e-2, stiffness=1e5, damping=50.0, damping_speed=1e-2)
    system, bodies = flying(np.eye(3), friction=law)
    state = system.state
    state.q[bodies[1].refs[0].numbers[1]] = 0.0011
    rng = np.random.default_rng(3)
    for z, size in ((state.v, 1e-2), (state.a, 1.0)):
        z[:] += size * rng.standard_normal(state.total) * state.problem.dynamic
    assert tangent_error(state, step=1e-8) < 1e-5


def test_bad_input():
    system = fc.System()
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), name="block"))
    good = {
        "axis": (1, 0, 0), "across": (0, 1, 0), "length": 0.1, "height": 0.05, "gap": 0.052,
        "stiffness": 1e9, "name": "guide",
    }  # fmt: skip
    for changes, message in (
        ({"gap": 0.05}, r"the slider \(0.05 m high\) does not fit between the guide's surfaces"),
        ({"axis": None}, "guide needs an axis"),
        ({"across": None}, "needs the direction across the guide"),
        ({"across": (1, 1, 0)}, "across must be perpendicular to the axis"),
        ({"stiffness": None}, "give stiffness= in N/m"),
        ({"length": -1}, "guide: length must be positive"),
        ({"surfaces": fc.guides.Sinusoidal(0.03, 0.1)}, "the surfaces of the guide intersect"),
        ({"surfaces": (fc.guides.Plane(),)}, "surfaces must be a pair of shapes"),
        ({"friction": 0.1}, "friction must be a friction law"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.TranslationalClearance(
                system.ground.point((0, 0, 0)), block.center, **{**good, **changes}
            )
    with pytest.raises(fc.InputError, match="SmoothCoulomb.mu must not be negative"):
        fc.SmoothCoulomb(-0.1)
    with pytest.raises(fc.InputError, match="Parabolic.radius must not be zero"):
        fc.guides.Parabolic(0.0)
    values = case.case.resolve({"friction": 0.0, "clearance": 2e-3})
    assert values["joint.restitution"] == 0.4
    with pytest.raises(fc.InputError, match="clearance must be positive"):
        case.case.resolve({"clearance": -1e-3})
    with pytest.raises(fc.InputError, match="friction must not be negative"):
        case.case.resolve({"friction": -0.1})

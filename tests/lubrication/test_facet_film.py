"""Films between an elastic slider and its guide: closed forms in the stiff limit, balances, limits.

Block of 100 mm x 50 mm (x 40 mm), 40 um, 0.04 Pa s.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.lubrication import JFO, Full, Guembel, GuideFilm, Reynolds

from .balances import check_power, check_tangent, on_body, rows_of_forces, run
from .test_pads import plates

L, B, H, C, MU = 0.1, 0.04, 0.05, 4e-5, 0.04
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
AXES = {"axis": (1, 0, 0), "across": (0, 1, 0)}
SLOW_FULL = pytest.param(Full(), marks=pytest.mark.slow)


def pressed(
    mesh, load, material=STEEL, contact=None, cavitation=None, viscosity=MU, comm=None, **film
):
    """A block that a pressure on its top presses on a guide on the ground."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    options = {} if mesh.dimension == 3 else {"state": "plane_strain", "thickness": B}
    block = system.add(
        fc.Solid(
            mesh,
            material,
            degree=mesh.degree,
            free=True,
            damping=fc.Damping(1e-6),
            name="block",
            **options,
        )
    )
    system.add(fc.Pressure(block.facets("y1"), load / (L * B), follower=False))
    ground = system.ground.point((0, 0, 0))
    sides = {**AXES, "side": "lower", "gap": H + 2 * C}
    system.add(
        GuideFilm(ground, block.facets("y0"), **sides, lubricant=viscosity, name="film",
                  cavitation=cavitation, **film)
    )  # fmt: skip
    if contact:
        system.add(
            fc.GuideContact(ground, block.facets("y0"), **sides, law=contact, name="contact")
        )
    return system


def test_sinking_block():
    """Plane, so without end across: from C to C/2 under W in time mu b L^3 (1/h1^2 - 1/h0^2)/(2 W).
    Under 10 kN/m^2 a steel block stays flat to 1e-3 of the film."""
    load, h = 40.0, 0.5 * C
    time = MU * B * L**3 * (1 / h**2 - 1 / C**2) / (2 * load)
    mesh = meshes.block((L, H), (16, 2))
    channels = run(pressed(mesh, load, cavitation=Full()), None, time, tolerance=1e-9).channels
    assert channels["film.min_film"] == pytest.approx(h, rel=6e-3)  # 16 cells
    assert channels["film.normal_force"] == pytest.approx(load, rel=1e-5)


@pytest.mark.mpi
def test_same_on_two_ranks(comm):
    """Film and contact of one block: the same place and forces."""
    found = []
    for c in (comm, comm.Split(comm.rank)):
        system = pressed(meshes.block((L, H), (16, 2)), 40.0, cavitation=Reynolds(), comm=c)
        channels = run(system, 1e-4, 2e-3).channels
        found.append([channels[f"film.{n}"] for n in ("min_film", "normal_force", "power_loss")])
    assert found[0] == pytest.approx(found[1], rel=1e-9)


@pytest.mark.slow
def test_sinking_block_in_space():
    """The same with side leakage: the series of parallel rectangular plates."""
    load, h = 40.0, 0.5 * C
    time = plates(L, B) * MU * (1 / h**2 - 1 / C**2) / (2 * load)
    mesh = meshes.block((L, H, B), (12, 1, 10))
    channels = run(pressed(mesh, load), None, time, tolerance=1e-8).channels
    assert channels["film.min_film"] == pytest.approx(h, rel=1.5e-2)  # 12 x 10 cells
    assert channels["film.normal_force"] == pytest.approx(load, rel=1e-4)


def test_overload():
    """Where the film fades the contact of the same facets bears: 10 MPa on 1e11 Pa/m, a depth of
    2.5 clearances; the film then squeezes nothing."""
    load, k = 4e4, 1e11
    system = pressed(meshes.block((L, H), (8, 1)), load, contact=fc.Winkler(k, 5.0),
                     cavitation=Full(), viscosity=1e-3, least=0.3)  # fmt: skip
    channels = run(system, None, 0.05, tolerance=1e-7).channels
    assert channels["contact.normal_force"] == pytest.approx(load, rel=1e-4)
    assert channels["film.min_film"] == pytest.approx(-load / (L * B * k), rel=1e-2)
    assert abs(channels["film.normal_force"]) < 1e-4 * load


# --- a guide and a slider that both fly ---------------------------------------------------------
def flying(angle=0.0, cavitation=None, cells=(6, 2), lift=0.3):
    """Both slide on each other, tilted; all of it turned by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    system = fc.System(gravity=(0, 0, 0))
    guide = system.add(
        fc.RigidBody(3.0, (0.02, 0.03, 0.04), name="rail", free=True, orientation=turn,
                     velocity=turn @ (0.2, -0.1, 0), angular_velocity=(0, 0, 2.0))
    )  # fmt: skip
    mesh = meshes.block((L, H), cells)
    lean = np.array([[1, -2e-4, 0], [2e-4, 1, 0], [0, 0, 1]])
    mesh.points[:] = (mesh.points @ lean.T + (0.01, lift * C, 0)) @ turn.T
    slider = system.add(
        fc.Solid(mesh, STEEL,
                 degree=mesh.degree, state="plane_strain", thickness=B, name="slider", free=True,
                 velocity=turn @ (5.2, -0.1, 0), angular_velocity=(0, 0, 2.1))
    )  # fmt: skip
    for side, facets in (("upper", "y1"), ("lower", "y0")):
        system.add(
            GuideFilm(
                guide.center, slider.facets(facets), turn @ (1, 0, 0), turn @ (0, 1, 0), side=side,
                gap=H + 2 * C, lubricant=MU, sliding_speed=5.0, cavitation=cavitation, clearance=C,
                name=side,
            )
        )  # fmt: skip
    return system, guide, slider


def dissipated(state, guide, slider, film, cancelled):
    """What a film turns into heat by Reynolds' theory, W: h^3 / (12 mu) p'^2, where the pressure
    acts, and mu U^2 / h, by Gauss's rule over the facets, straight in the plane."""
    at = state.locate(np.concatenate([r.numbers for r in guide.center.refs]))
    (r, *d), (rate, *turning) = (z[at].reshape(4, 3) for z in (state.q, state.v))
    nodes = slider.nodes[film.used]
    numbers = slider.displacement(film.used).numbers.reshape(-1, 2)
    moved, speed = (
        np.pad(z[state.locate(numbers.ravel())].reshape(-1, 2), ((0, 0), (0, 1)))
        for z in (state.q, state.v)
    )
    arm = nodes + moved - r
    height, up = arm @ d[1], 1 if film.side == "upper" else -1
    along = (speed - rate) @ d[0] + arm @ turning[0]
    block = next(b for b in state.problem.blocks if b.name == f"{film.name}.pressure")
    p = state.q[state.locate(block.numbers)]
    points, weights = np.polynomial.legendre.leggauss(6)
    total = 0.0
    for i, k in film.corners:
        size = np.linalg.norm(nodes[k] - nodes[i])
        x = (1 + points) / 2
        h, u, pressure = ((1 - x) * z[i] + x * z[k] for z in (H / 2 + C - up * height, along, p))
        slope = (p[k] - p[i]) / size * ~(cancelled & (pressure < 0))
        total += B * size / 2 * weights @ (h**3 / (12 * MU) * slope**2 + MU * u**2 / h)
    return total


CANCELLED = pytest.param(Guembel(), marks=pytest.mark.slow)


@pytest.mark.parametrize("cavitation", [SLOW_FULL, CANCELLED, Reynolds()])
def test_action_is_reaction(cavitation):
    """What the bodies lose is what the films dissipate, by an integral of its own (Guembel's film
    ends inside cells: of first order); forces and moments of both about the origin cancel to
    round-off of the elastic forces."""
    cancelled = isinstance(cavitation, Guembel)
    system, guide, slider = flying(0.4, cavitation, cells=(48, 1) if cancelled else (6, 2))
    stepper = fc.Stepper(system, dt=1e-5, t_end=1e-4, newton_tolerance=1e-12)
    stepper.start()
    check_power(stepper, 8, rel=1e-9, least=1)
    state = stepper.state
    films = [i for i in system.items if isinstance(i, GuideFilm)]
    own = sum(dissipated(state, guide, slider, film, cancelled) for film in films)
    most = 1e-3 if cancelled else 1e-4
    assert stepper.channels["power.film"] == pytest.approx(own, rel=most)
    rows = rows_of_forces(state)
    force, moment = on_body(state, rows, guide)
    numbers = slider.displacement(np.arange(len(slider.nodes))).numbers.reshape(-1, 2)
    mine = np.pad(rows[state.locate(numbers.ravel())].reshape(-1, 2), ((0, 0), (0, 1)))
    places = slider.nodes + slider.at_nodes(state.q)
    scale = np.abs(mine).sum()
    assert np.abs(force).max() > 10
    np.testing.assert_allclose(force + mine.sum(axis=0), 0, atol=1e-13 * scale)
    np.testing.assert_allclose(moment + np.cross(places, mine).sum(axis=0), 0, atol=1e-13 * scale)


def test_turned_in_the_plane_the_answer_is_turned():
    """After 30 steps of 10 us: forces turned back."""
    found = []
    for angle in (0.0, 0.7):
        system, _, _ = flying(angle, Reynolds())
        stepper = fc.Stepper(system, dt=1e-5, t_end=3e-4, newton_tolerance=1e-11)
        stepper.start()
        while stepper.t < stepper.t_end - 1e-9:
            stepper.advance()
        stepper.channels.read()
        see, c, s = stepper.channels, np.cos(angle), np.sin(angle)
        found.append([])
        for film in ("upper", "lower"):
            found[-1] += [see[f"{film}.{n}"] for n in ("normal_force", "power_loss", "min_film")]
            x, y = see[f"{film}.force.x"], see[f"{film}.force.y"]
            found[-1] += [c * x + s * y, c * y - s * x]
    assert found[1] == pytest.approx(found[0], rel=1e-5)


@pytest.mark.parametrize(
    "cavitation", [pytest.param(Guembel(), marks=pytest.mark.slow), Reynolds()]
)
def test_tangent(cavitation):
    """Full, fading and overlapped film, both signs of the pressure."""
    system, _, slider = flying(0.3, cavitation, (3, 1), lift=0.95)
    state = system.state
    rng = np.random.default_rng(3)
    for b in state.problem.blocks:
        if b.name.startswith(("upper.", "lower.")):
            at = state.locate(b.numbers)
            sign = rng.choice([-1.0, 1.0], len(at)) if not cavitation.complementary else 1.0
            state.q[at] = (
                sign * b.role.unit * rng.uniform(0.3, 1, len(at))
            )  # rims too: off the kink
    numbers = slider.displacement(np.arange(len(slider.nodes))).numbers
    state.q[state.locate(numbers)] += 3e-6 * rng.standard_normal(len(numbers))
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    check_tangent(state, 5e-5, step=1e-8)


def test_bad_input():
    system = fc.System()
    mesh = meshes.block((L, H), (4, 1))
    block = system.add(fc.Solid(mesh, STEEL, degree=mesh.degree, state="plane_strain", free=True))
    good = {**AXES, "side": "lower", "gap": H + 2 * C, "lubricant": MU, "name": "film"}
    for changes, message in (
        ({"cavitation": JFO()}, "film: cavitation must be Full"),
        ({"gap": H}, "film: the surfaces touch at the start; give clearance="),
        ({"lubricant": -1.0}, "Lubricant.viscosity must be positive"),
        ({"least": 0.0}, "film: least must be positive"),
        ({"open": lambda x: x[:, 0] > 1}, "film: no node of the rim is at ambient pressure"),
    ):
        with pytest.raises(fc.InputError, match=message):
            GuideFilm(system.ground.point((0, 0, 0)), block.facets("y0"), **{**good, **changes})
    for single in (meshes.block((L, H), (1, 1)), meshes.block((L, H, H), (1, 1, 4))):
        more = {"state": "plane_strain"} if single.dimension == 2 else {}
        slider = fc.Solid(single, STEEL, degree=single.degree, free=True, **more)
        with pytest.raises(fc.InputError, match="film: the pressure is given at all of its nodes"):
            GuideFilm(system.ground.point((0, 0, 0)), slider.facets("y0"), **good)

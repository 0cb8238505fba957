"""Films between two elastic solids: closed forms in the stiff limit, either side, balances.

Blocks of 100 mm x 50 mm (x 40 mm), 40 um, 0.04 Pa s.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.lubrication import JFO, FacetPairFilm, Full, Guembel, Reynolds

from .balances import check_power, check_tangent, rows_of_forces, run

L, B, H, C, MU = 0.1, 0.04, 0.05, 4e-5, 0.04
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
PLANE = {"state": "plane_strain", "thickness": B}


def block(cells, middle, lean=0.0, length=L, **options):
    """A block whose middle lies at a height, its lower or upper face turned by a small angle."""
    mesh = meshes.block((length, H), cells, center=(0.0, middle, 0.0))
    mesh.points[:, 1] += lean * mesh.points[:, 0]
    options = PLANE | {"damping": fc.Damping(1e-6), "degree": mesh.degree, "free": True} | options
    return fc.Solid(mesh, STEEL, **options)


def pressed(load, cells=((16, 2), (10, 2)), swap=False, cavitation=None, viscosity=MU, comm=None,
            contact=None, **film):  # fmt: skip
    """A block that a pressure presses on another, which stands on the ground."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    up = system.add(block(cells[0], H + C, name="up"))
    low = system.add(block(cells[1], 0.0, name="low", clamped="y0"))
    system.add(fc.Pressure(up.facets("y1"), load / (L * B), follower=False))
    sides = up.facets("y0"), low.facets("y1")
    system.add(
        FacetPairFilm(*(sides[::-1] if swap else sides), lubricant=viscosity, clearance=C,
                      cavitation=cavitation, name="film", **film)
    )  # fmt: skip
    if contact:
        system.add(fc.SurfaceContact(*sides, law=contact, name="contact"))
    return system


@pytest.mark.parametrize("swap", [False, True])
def test_squeeze(swap):
    """Plane, so without end across: from C to C/2 under W in time mu b L^3 (1/h1^2 - 1/h0^2)/(2 W),
    whichever side has the pressure; the mesh of the other does not matter."""
    load, h = 40.0, 0.5 * C
    time = MU * B * L**3 * (1 / h**2 - 1 / C**2) / (2 * load)
    cells = ((10, 2), (16, 2)) if swap else ((16, 2), (10, 2))
    system = pressed(load, cells, swap, Full())
    channels = run(system, None, time, tolerance=1e-9).channels
    assert channels["film.min_film"] == pytest.approx(h, rel=6e-3)  # 16 cells
    assert channels["film.normal_force"] == pytest.approx(load, rel=1e-5)
    assert channels["film.area"] == pytest.approx(L * B, rel=1e-4)
    assert channels["film.force.y"] == pytest.approx((-1 if swap else 1) * load, rel=1e-5)


H1, H2, SPEED = 6e-5, 3e-5, 2.0


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("tilted", ["up", "low"])
@pytest.mark.parametrize("moving", ["up", "low"])
def test_wedge(moving, tilted, swap):
    """A plane slider: 6 mu U (L/(h1 - h2))^2 (ln(h1/h2) - 2 (h1 - h2)/(h1 + h2)) by width,
    whichever side is inclined, moves or has the pressure; the thick end is the inlet."""
    lean = (H1 - H2) / L
    # the tilted block moves towards its thick end, seen from the other
    speed = SPEED if moving == tilted else -SPEED
    slope = {"up": (lean, 0.0), "low": (0.0, -lean)}[tilted]
    system, solids = fc.System(gravity=(0, 0, 0)), {}
    for name, middle, own in zip(("up", "low"), (H + (H1 + H2) / 2, 0.0), slope, strict=True):
        velocity = (speed * (moving == name), 0, 0)
        solids[name] = system.add(block((24, 1), middle, own, name=name, velocity=velocity))
    sides = solids["up"].facets("y0"), solids["low"].facets("y1")
    system.add(FacetPairFilm(*(sides[::-1] if swap else sides), lubricant=MU, clearance=H2,
                             sliding_speed=SPEED, cavitation=Full(), name="film"))  # fmt: skip
    stepper = fc.Stepper(system, dt=1e-10, t_end=1.0)
    stepper.start()  # what follows moves the bodies
    stepper.channels.read()
    ratio, part = np.log(H1 / H2), (H1 - H2) / (H1 + H2)
    exact = 6 * MU * SPEED * (L / (H1 - H2)) ** 2 * (ratio - 2 * part) * B
    assert stepper.channels["film.normal_force"] == pytest.approx(exact, rel=5e-3)
    # on the flat side (the film's force is stated along its normals)
    drag = MU * SPEED * L / (H1 - H2) * (4 * ratio - 6 * part) * B
    first = "low" if swap else "up"
    against = -np.sign(speed) if first == moving else np.sign(speed)
    assert stepper.channels["film.force.x"] == pytest.approx(against * drag, rel=5e-3)


def flying(angle=0.0, cavitation=None, cells=((6, 2), (5, 2))):
    """Two free blocks that slide on each other, tilted; all of it turned by an angle."""
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0],
                     [0, 0, 1.0]])  # fmt: skip
    system, solids = fc.System(gravity=(0, 0, 0)), []
    for name, middle, lean, n, v in (
        ("up", H + C, 2e-4, cells[0], (5.2, -0.1, 0)), ("low", 0.0, -1e-4, cells[1], (0.2, 0.1, 0)),
    ):  # fmt: skip
        mesh = meshes.block((L, H), n, center=(0.02 * (name == "up"), middle, 0.0))
        mesh.points[:, 1] += lean * mesh.points[:, 0]
        mesh.points[:] = mesh.points @ turn.T
        solid = fc.Solid(mesh, STEEL, degree=mesh.degree, free=True, name=name, velocity=turn @ v,
                         angular_velocity=(0, 0, 1.0 * (name == "up")), **PLANE)  # fmt: skip
        solids.append(system.add(solid))
    system.add(FacetPairFilm(solids[0].facets("y0"), solids[1].facets("y1"), lubricant=MU,
                             clearance=C, sliding_speed=5.0, cavitation=cavitation,
                             name="film"))  # fmt: skip
    return system, solids


CANCELLED = pytest.param(Guembel(), marks=pytest.mark.slow)


@pytest.mark.parametrize("cavitation", [Full(), CANCELLED, Reynolds()])
def test_action_is_reaction(cavitation):
    """Overhanging, tilted, sliding: what the blocks lose is the heat; forces and moments on both
    cancel to round-off of the elastic forces."""
    system, solids = flying(0.4, cavitation)
    stepper = fc.Stepper(system, dt=1e-6, t_end=1e-4, newton_tolerance=1e-12)
    stepper.start()
    check_power(stepper, 8, rel=1e-7, least=1)
    assert stepper.rejected_steps == 0
    state = stepper.state
    rows, forces, moments, most = rows_of_forces(state), [], [], 0.0
    for solid in solids:
        numbers = solid.displacement(np.arange(len(solid.nodes))).numbers.reshape(-1, 2)
        mine = np.pad(rows[state.locate(numbers.ravel())].reshape(-1, 2), ((0, 0), (0, 1)))
        places = solid.nodes + solid.at_nodes(state.q)
        forces.append(mine.sum(axis=0))
        moments.append(np.cross(places, mine).sum(axis=0))
        most += np.abs(mine).sum()
    assert np.abs(forces[0]).max() > 10
    np.testing.assert_allclose(forces[0] + forces[1], 0, atol=1e-13 * most)
    np.testing.assert_allclose(moments[0] + moments[1], 0, atol=1e-13 * most)


def test_turned_in_the_plane_the_answer_is_turned():
    found = []
    for angle in (0.0, 0.7):
        system, _ = flying(angle, Reynolds())
        stepper = fc.Stepper(system, dt=1e-6, t_end=2e-5, newton_tolerance=1e-11)
        stepper.start()
        while stepper.t < stepper.t_end - 1e-9:
            stepper.advance()
        stepper.channels.read()
        see, c, s = stepper.channels, np.cos(angle), np.sin(angle)
        found.append([see[f"film.{n}"] for n in ("normal_force", "power_loss", "min_film", "area")])
        x, y = see["film.force.x"], see["film.force.y"]
        found[-1] += [c * x + s * y, c * y - s * x]
    assert found[1] == pytest.approx(found[0], rel=1e-5)


def test_film_ends_with_the_other_side():
    """The lower block is twice as long and has the pressure: the film is as long as the upper one,
    to 3 % where nodes lie at its ends (the force goes with the cube of its length)."""
    system = fc.System(gravity=(0, 0, 0))
    up = system.add(block((12, 1), H + C, name="up", velocity=(0, -0.01, 0)))
    low = system.add(block((24, 1), 0.0, length=2 * L, name="low", clamped="y0"))
    system.add(FacetPairFilm(low.facets("y1"), up.facets("y0"), lubricant=MU, clearance=C,
                             name="film"))  # fmt: skip
    stepper = fc.Stepper(system, dt=1e-10, t_end=1.0)
    stepper.start()
    stepper.channels.read()
    exact = MU * 0.01 * L**3 * B / C**3
    assert stepper.channels["film.normal_force"] == pytest.approx(exact, rel=0.03)
    assert stepper.channels["film.area"] == pytest.approx(L * B, rel=1e-6)
    film = next(i for i in system.items if isinstance(i, FacetPairFilm))
    places, p = film.pressures(system)
    assert p.max() == pytest.approx(1.5 * exact / (L * B), rel=0.03)  # a parabola
    assert stepper.channels["film.max_pressure"] == pytest.approx(p.max(), rel=1e-12)
    assert p[np.abs(places[:, 0]) > 0.501 * L] == pytest.approx(0.0, abs=1e-6 * p.max())


def test_overload():
    """Where the film fades the contact of the same facets bears: 10 MPa on 1e11 Pa/m."""
    load, k = 4e4, 1e11
    system = pressed(load, ((8, 1), (6, 1)), cavitation=Full(), viscosity=1e-3, least=0.3,
                     contact=fc.Winkler(k, 5.0))  # fmt: skip
    channels = run(system, None, 0.05, tolerance=1e-7).channels
    assert channels["contact.normal_force"] == pytest.approx(load, rel=1e-3)
    assert channels["film.min_film"] == pytest.approx(-load / (L * B * k), rel=2e-2)
    assert abs(channels["film.normal_force"]) < 1e-3 * load


@pytest.mark.slow
def test_squeeze_in_space():
    """Rectangular plates that approach each other: the series of parallel plates."""
    from .test_pads import plates

    system, speed = fc.System(gravity=(0, 0, 0)), 0.01
    up, low = meshes.block((L, H, B), (10, 1, 8)), meshes.block((L, H, B), (7, 1, 5))
    up.points[:, 1] += H + C
    solids = [
        system.add(fc.Solid(mesh, STEEL, degree=1, name=name, free=True, velocity=v))
        for mesh, name, v in ((up, "up", (0, -speed, 0)), (low, "low", (0, 0, 0)))
    ]
    system.add(FacetPairFilm(solids[0].facets("y0"), solids[1].facets("y1"), lubricant=MU,
                             clearance=C, name="film", reach=1e-3))  # fmt: skip
    stepper = fc.Stepper(system, dt=1e-10, t_end=1.0)
    stepper.start()
    stepper.channels.read()
    exact = plates(L, B) * MU * speed / C**3
    assert stepper.channels["film.normal_force"] == pytest.approx(exact, rel=0.04)
    assert stepper.channels["film.area"] == pytest.approx(L * B, rel=1e-9)
    film = next(i for i in system.items if isinstance(i, FacetPairFilm))
    places, p = film.pressures(system)
    assert p.max() == p[np.linalg.norm(places - (0, H / 2 + C, 0), axis=1).argmin()]


@pytest.mark.parametrize("cavitation", [CANCELLED, Reynolds()])
def test_tangent(cavitation):
    """Full, fading and overlapped film, both signs of the pressure."""
    system, solids = flying(0.3, cavitation, ((3, 1), (2, 1)))
    state, rng = system.state, np.random.default_rng(3)
    for b in state.problem.blocks:
        if b.name.startswith("film."):
            at = state.locate(b.numbers)
            sign = rng.choice([-1.0, 1.0], len(at)) if not cavitation.complementary else 1.0
            state.q[at] = sign * b.role.unit * rng.uniform(0.3, 1, len(at))
    for solid in solids:
        numbers = solid.displacement(np.arange(len(solid.nodes))).numbers
        state.q[state.locate(numbers)] += 3e-6 * rng.standard_normal(len(numbers))
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    check_tangent(state, 5e-5, step=1e-8)


@pytest.mark.mpi
def test_same_on_two_ranks(comm):
    found = []
    for c in (comm, comm.Split(comm.rank)):
        system = pressed(40.0, ((8, 2), (6, 2)), cavitation=Reynolds(), comm=c)
        channels = run(system, 1e-4, 1e-3).channels
        found.append([channels[f"film.{n}"] for n in ("min_film", "normal_force", "power_loss")])
    assert found[0] == pytest.approx(found[1], rel=1e-8)


def test_bad_input():
    system = fc.System()
    up, low = (block((2, 1), y, name=n) for y, n in ((H + C, "up"), (0.0, "low")))
    good = {"lubricant": MU, "clearance": C, "name": "film"}
    for changes, message in (
        ({"cavitation": JFO()}, "film: cavitation must be Full"),
        ({"clearance": 0.0}, "film: clearance must be positive"),
        ({"lubricant": -1.0}, "Lubricant.viscosity must be positive"),
        ({"least": 0.0}, "film: least must be positive"),
        ({"open": lambda x: x[:, 0] > 1}, "film: no node of the rim is at ambient pressure"),
    ):
        with pytest.raises(fc.InputError, match=message):
            FacetPairFilm(up.facets("y0"), low.facets("y1"), **{**good, **changes})
    single = block((1, 1), H + C, name="single")
    with pytest.raises(fc.InputError, match="film: the pressure is given at all of its nodes"):
        FacetPairFilm(single.facets("y0"), low.facets("y1"), **good)
    for solid in (up, low):
        system.add(solid)
    with pytest.raises(fc.InputError, match="lies opposite to"):
        system.add(FacetPairFilm(up.facets("y1"), low.facets("y0"), **good))

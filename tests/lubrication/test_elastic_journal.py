"""Films between an elastic journal and its bore: Lame's shaft, compliances that add, balances.

The bearing is that of test_ehd.py: 15 mm, clearance .02 mm, .04 Pa s, 1000 rad/s.
"""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.core.roles import Condensed
from fem_clearance.lubrication import (
    Asperities,
    Bearing,
    CylindricalFilm,
    Film,
    Full,
    Liner,
    Lubricant,
    Place,
    bearing_on,
    cylinder,
)
from fem_clearance.meshes import block_with_hole, hollow_cylinder

from .balances import check_tangent
from .test_ehd import LENGTH, MU, SPEED, C, E, R, at, size, solid
from .test_ehd_joint import CELLS, LOAD, SURFACE, film_on, rotor, run
from .test_port import values

NU = 0.3
STEEL = fc.StVenantKirchhoff(E=2e11, nu=NU, rho=7800)


def shaft(
    core=R / 3, cells=CELLS, kind=fc.CondensedSolid, stiffness=2e11, clamped="bore", **options
):
    """A shaft round a rigid core."""
    mesh = hollow_cylinder(core, R, LENGTH, cells)
    if kind is fc.CondensedSolid:
        options = {"facets": "rim", "direction": "normal"} | options
    law = fc.StVenantKirchhoff(E=stiffness, nu=NU, rho=7800)
    return Liner(kind(mesh, law, clamped=clamped, **options), "rim")


@pytest.mark.parametrize("kind", [fc.Solid, fc.CondensedSolid])
@pytest.mark.parametrize("core", [R / 3, R / 30])
def test_lame(kind, core):
    """A shaft between rigid walls (plane strain) under an even pressure of the film: Lame's
    solution with a core that does not move, and without a core u = -p R (1 + nu) (1 - 2 nu) / E."""
    held = {"bore": "xyz", "z0": "z", "z1": "z"}
    options = {"responses": 6} if kind is fc.CondensedSolid else {}
    liner = shaft(core, (16, 2, 6), kind, clamped=held, **options)
    pressure, modulus = 5e6, 2e11
    film = Film(liner.surface(), C, Lubricant(MU), Full(), {"z0": pressure, "z1": pressure})
    found = Bearing(film, journal=liner).solve(Place())
    mu, lam = modulus / 2 / (1 + NU), modulus * NU / (1 + NU) / (1 - 2 * NU)
    slope = pressure / (2 * (lam + mu) + 2 * mu * (core / R) ** 2)
    exact = slope * R * (1 - (core / R) ** 2)
    np.testing.assert_allclose(found.pressure, pressure, rtol=1e-9)
    np.testing.assert_allclose(found.deformation, exact, rtol=1e-3)  # it opens the gap
    whole = pressure * R * (1 + NU) * (1 - 2 * NU) / modulus
    assert exact == pytest.approx(whole, rel=2 * (core / R) ** 2)
    np.testing.assert_allclose(found.thickness - C, found.deformation, atol=1e-9 * C)


@pytest.mark.parametrize("kind", [fc.Solid, fc.CondensedSolid])
def test_the_same_compliance_on_either_side(kind):
    """What yields as much under the same pressure makes the same film, bore or journal: exactly by
    linear elasticity, to the size of strains by large ones."""
    liner = solid(CELLS, kind)
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED)
    bore, journal = Bearing(film, liner).solve(at(0.9)), Bearing(film, journal=liner).solve(at(0.9))
    close = 1e-3 if kind is fc.Solid else 1e-9
    assert bore.deformation.max() > 0.1 * C
    for name in ("pressure", "deformation", "force", "damping", "stiffness"):
        here, there = getattr(bore, name), getattr(journal, name)
        np.testing.assert_allclose(there, here, atol=10 * close * np.abs(here).max())


def test_compliances_add():
    """An elastic bore and an elastic journal are like one that is twice as soft."""
    liner, soft = (solid(CELLS, fc.CondensedSolid, stiffness=z) for z in (E, E / 2))
    both = Bearing(film_on(SURFACE), liner, journal=liner).solve(at(0.9))
    one = Bearing(film_on(SURFACE), soft).solve(at(0.9))
    np.testing.assert_allclose(both.pressure, one.pressure, atol=1e-8 * one.pressure.max())
    np.testing.assert_allclose(both.deformation, one.deformation, atol=1e-9 * C)
    assert (
        both.deformation.max()
        > 1.2 * Bearing(film_on(SURFACE), liner).solve(at(0.9)).deformation.max()
    )


def test_steady_balance():
    """What the journal loses is heat, tilted too; the reaction of the shaft's core is the force."""
    journal = shaft(kind=fc.Solid)
    bearing = Bearing(
        bearing_on(journal.surface(), C, MU, sliding_speed=R * SPEED), journal=journal
    )
    place = Place((0.8 * C, 0.1 * C, 0), (1e-4, -5e-5), (0, 0, 0), (0, 0, SPEED))
    film = bearing.solve(place)
    lost = -(film.force @ place.V + film.moment @ place.Omega)
    assert film.power_loss == pytest.approx(lost, rel=1e-10)
    state, body = bearing.state, bearing.elastic[0].solid
    rows = state.residual()
    numbers = body.displacement(np.arange(len(body.nodes))[:, None]).numbers
    core = rows[state.locate(numbers)].reshape(-1, 3)[body.held].sum(axis=0)
    # the pressure presses the journal where the force on it points
    np.testing.assert_allclose(core[:2], -film.force[:2], atol=1e-9 * size(film))


@pytest.mark.parametrize("both", [False, True])
def test_balance_in_motion(both):
    """Tilted, both bodies free: what they lose is the film's heat and the pressure's work on what
    yields, 1e-10 of the loss; all of the force on the one is that on the other."""
    liner = solid(CELLS, fc.CondensedSolid, responses=16) if both else None
    system = rotor(liner, film_on(SURFACE), at=(0.6, 0.2, 10.0), tilt=5e-4, free=True,
                   journal=shaft(responses=16))  # fmt: skip
    h = 2e-6
    stepper = fc.Stepper(system, dt=h, t_end=1e-3, newton_tolerance=1e-13)
    stepper.start()
    names = ["film.journal"] + ["film.liner"] * both
    solids = {n: next(i for i in system.items if i.name == n) for n in names}

    def now():
        state = system.state
        blocks = {b.name: b for b in state.problem.blocks}
        return [state.q[state.locate(blocks[f"{n}.amplitude"].numbers)].copy() for n in names]

    def momentum():
        return np.array([system.channels[f"journal.v{x}"] + 2 * system.channels[f"housing.v{x}"]
                         for x in "xyz"])  # fmt: skip

    stepper.channels.read()
    last, start, before = now(), momentum(), system.channels["journal.vx"]
    for _ in range(8):
        stepper.advance()
        stepper.channels.read()
        here = now()
        stored = sum(
            solids[n].stiffness * a @ (a - b) / h for n, a, b in zip(names, here, last, strict=True)
        )
        last = here
        lost = stepper.channels["power.film"]
        assert stepper.channels["power.to_films"] == pytest.approx(lost + stored, rel=1e-10)
    assert stepper.rejected_steps == 0 and abs(stored) > 1e-6 * lost
    # the pressure presses the journal inwards, the bore outwards
    assert values(system, "journal_yield").mean() < 0
    assert not both or values(system, "yield").mean() > 0
    pushed = abs(system.channels["journal.vx"] - before)
    np.testing.assert_allclose(momentum(), start, atol=1e-10 * pushed + 1e-14)


def test_turned_in_space():
    """Housing free and turning, all of it turned in space: what yields stays."""
    turn = Rotation.from_rotvec([0.7, -1.1, 0.4]).as_matrix()
    numbers = []
    for rotation in (None, turn):
        system = rotor(None, film_on(SURFACE), at=(0.5, 0.2, 5.0), tilt=5e-4, turn=rotation,
                       free=True, journal=shaft(responses=16))  # fmt: skip
        run(system, 1e-5, 6, newton_tolerance=1e-11)
        numbers.append([values(system, n) for n in ("pressure", "e", "force", "journal.amplitude")])
    for here, there in zip(*numbers, strict=True):
        np.testing.assert_allclose(there, here, atol=1e-6 * np.abs(here).max())


@pytest.mark.slow
def test_at_rest_it_is_the_bearing_alone():
    """A turning journal that has come to rest under a load, bore and journal elastic: force,
    pressure and thickness of the bearing alone at that place."""
    film, journal = film_on(SURFACE), shaft(responses=16)
    liner = solid(CELLS, fc.CondensedSolid, responses=16)
    system = rotor(liner, film, load=LOAD, journal=journal, grows=False)
    stepper = run(system, 1e-4, 100, newton_tolerance=1e-10)
    e, t, V, W = (values(system, n) for n in ("e", "t", "V", "Omega"))
    alone = Bearing(film, liner, journal=journal, tolerance=1e-12).solve(
        Place(tuple(e), tuple(t), tuple(V), tuple(W))
    )
    force, p = values(system, "force"), values(system, "pressure")
    np.testing.assert_allclose(force, alone.force, atol=2e-4 * np.abs(force).max())
    np.testing.assert_allclose(p, alone.pressure, atol=2e-4 * alone.pressure.max())
    least = stepper.channels["film.min_film"]
    assert least == pytest.approx(alone.thickness.min(), abs=1e-4 * C)
    assert np.ptp(alone.deformation) > 0.02 * C


@pytest.mark.parametrize("kind, asperities", [
    (fc.CondensedSolid, None), (fc.Solid, Asperities(4e-6, 1e11, friction=0.1, slip=1.0)),
])  # fmt: skip
def test_tangent_against_differences(kind, asperities):
    """Of film, bore and journal, smooth and rough."""
    own = kind is fc.CondensedSolid
    more = {"responses": 8} if own else {}
    journal = shaft(cells=(6, 2, 1), kind=kind, **more)
    surface = cylinder(R, LENGTH, (8, 2)) if own else journal.surface()
    liner = solid((6, 2, 1), fc.CondensedSolid, responses=8)
    system = rotor(liner, film_on(surface, asperities=asperities), journal=journal)
    state, rng = system.state, np.random.default_rng(1)
    for b in state.problem.blocks:
        place = state.locate(b.numbers)
        place, fixed = place[place >= 0], b.fixed[place >= 0]
        name = b.name.removeprefix("film.")
        if name in ("pressure", "inflow", "V", "Omega", "force", "moment"):
            state.q[place] = b.role.unit * rng.uniform(0.3, 1, len(place))
        whats = ("film.liner", "film.journal.")
        if b.name.startswith(whats) and not isinstance(b.role, Condensed):
            state.problem.unit[place] = 0.1 * C
            state.q[place] = np.where(fixed, 0.0, 0.1 * C * rng.standard_normal(len(place)))
    state.q_n[:] = 0.9 * state.q
    fields = (state.q, state.v, state.a)
    state.follow = lambda: [state.problem.condensed.follow(z) for z in fields]
    state.follow()
    state.globals[-1] = 1e4
    check_tangent(state, 5e-6)


@pytest.mark.mpi
def test_ranks_agree(comm):
    """Film, bore, journal and bodies partitioned over the ranks."""
    numbers = []
    for group in (MPI.COMM_SELF, comm):
        system = rotor(solid(CELLS, fc.CondensedSolid, responses=12), film_on(SURFACE), load=LOAD,
                       comm=group, journal=shaft(responses=12), grows=False)  # fmt: skip
        stepper = run(system, 2e-5, 6, newton_tolerance=1e-11)
        numbers.append(stepper.channels.values.copy())
    np.testing.assert_allclose(numbers[1], numbers[0], rtol=1e-6, atol=1e-9)


def test_bad_input():
    """What does not yield alike all round, and what is no Liner."""
    mesh = hollow_cylinder(R / 3, R, LENGTH, CELLS)
    part = mesh.marked(half=lambda x: (x[:, 0] > 0) & (np.hypot(x[:, 0], x[:, 1]) < 0.4 * R))
    oval = mesh.moved()
    oval.points[:, 0] *= 1.002
    flats = block_with_hole((3 * R, 3 * R, LENGTH), R, (8, 2, 2))
    film, system = film_on(SURFACE), fc.System()
    body = system.add(fc.RigidBody(1.0, (1, 1, 1)))
    for solid_, facets in (
        (fc.Solid(part, STEEL, clamped="half"), "rim"),
        (fc.Solid(mesh, STEEL, clamped={"bore": "x", "z0": "z"}), "rim"),
        (fc.Solid(oval, STEEL, clamped="bore"), "rim"),
        (fc.Solid(flats, STEEL, clamped="hole"), "hole"),
    ):
        with pytest.raises(fc.InputError, match="must be a body of revolution"):
            Bearing(film, journal=Liner(solid_, facets))
        with pytest.raises(fc.InputError, match="must be a body of revolution"):
            CylindricalFilm(system.ground, body.center, (0, 0, 1), film=film,
                            journal=Liner(solid_, facets))  # fmt: skip
    with pytest.raises(fc.InputError, match="an elastic journal is a Liner"):
        CylindricalFilm(system.ground, body.center, (0, 0, 1), film=film, journal="steel")
    with pytest.raises(fc.InputError, match="journal must be a Liner"):
        Bearing(film, journal="steel")
    with pytest.raises(fc.InputError, match="side"):
        Bearing(film).stresses("bush")

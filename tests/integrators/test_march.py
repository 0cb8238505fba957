"""Steps taken many in one compiled call are those taken one by one, and those that Python takes.

The latter (``march.possible = False``) is the road of adaptive steps on several ranks and of what
compiled steps leave alone, whose results other tests compare with closed forms and published
numbers. Here both must agree to the last bit, with their events, counts and rows.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.cases import spur_gear_pair
from fem_clearance.gears import GearPair, RectangularStiffness, equivalent_mass
from fem_clearance.lubrication import CylindricalFilm, Film, Liner, Lubricant, cylinder
from fem_clearance.meshes import hollow_cylinder
from fem_clearance.timestepping.march import March
from fem_clearance.timestepping.stepper import Stepper

from ..core.test_loop import Root
from ..joints.test_sliding import _incline
from ..lubrication.test_film_probe import bearing as supplied
from .conftest import BDF2
from .test_every_integrator import INTEGRATORS, cable, double_pendulum


def run(system, most, **options):
    """A run by Python (``most`` = 0), or in compiled calls of at most so many steps."""
    stepper = fc.Stepper(system, **options)
    stepper.start()
    if not most:
        stepper.march.possible = False
    calls = 0
    while stepper.t < stepper.t_end:
        stepper.advance(max(most, 1))
        calls += 1
    return stepper, calls


def facts(stepper):
    """Everything that a run is known by."""
    newton = stepper.newton
    counts = stepper.steps, stepper.rejected_steps, newton.iterations, newton.tangents
    limits = dict(stepper.limits.counts), stepper.limits.contact_steps, stepper.limits.resolved
    snapshot = {k: np.array(z).tolist() for k, z in stepper.snapshot().items()}
    return stepper.t, counts, limits, list(stepper.events), snapshot


def oscillating():
    """A slider on a spring."""
    system = fc.System(gravity=(0, 0, 0))
    slider = system.add(fc.RigidBody(1.0, (1.0, 1.0, 1.0), velocity=(1.0, 0, 0), free=True))
    system.add(fc.PrismaticJoint(system.ground, slider.center, axis=(1, 0, 0)))
    system.add(
        fc.SpringDamper(
            system.ground.at((2.0, 0, 0)), slider.center, stiffness=40.0, free_length=2.0
        )
    )
    return system


def spinning():
    """A body that turns far in a step, held at a point."""
    system = fc.System(gravity=(0, 0, -9.81))
    top = system.add(
        fc.RigidBody(15.0, (0.3, 0.3, 0.469), position=(0, 0.5, 0.8),
                     angular_velocity=(0, 30.0, 40.0), name="top")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, top.at((0, 0, 0))))
    return system


def reversing_gears():
    """A pinion that a swinging torque turns back and forth over several pairs of teeth."""
    system, mesh = fc.System(gravity=(0, 0, 0)), spur_gear_pair.mesh()
    bodies = [
        system.add(fc.RigidBody(1.0, (1.0, 1.0, inertia), position=(x, 0, 0)))
        for x, inertia in zip((0, mesh.centre_distance), spur_gear_pair.INERTIAS, strict=True)
    ]
    for body in bodies:
        system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    soft = (1e-3 * spur_gear_pair.LARGEST, 1e-3 * spur_gear_pair.MEAN)
    system.add(
        GearPair(*(b.center for b in bodies), (0, 0, 1), mesh=mesh, damping=0.05,
                 stiffness=RectangularStiffness(*soft),
                 mass=equivalent_mass(mesh, spur_gear_pair.INERTIAS))
    )  # fmt: skip
    swing = fc.functions.Harmonic(1.0, 20 / (2 * np.pi), np.pi / 2)
    system.add(fc.Torque(bodies[0].center, (0, 0, -0.4), function=swing))
    return system


def supplied_film():
    """A film that oil under pressure enters through a groove: power passes through it."""
    return supplied(place=(5e-5, 0.0), speed=100.0, cells=(16, 6))[0]


def lined_film():
    """A film between a journal and an elastic liner, whose least thickness is a channel."""
    radius, length, clearance, speed = 0.015, 0.014, 2e-5, 1000.0
    bronze = fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=8000)
    mesh = hollow_cylinder(radius, 0.025, length, (12, 4, 1))
    solid = fc.CondensedSolid(
        mesh, bronze, clamped="rim", facets="bore", direction="normal", responses=6
    )
    film = Film(cylinder(radius, length, (12, 4)), clearance, Lubricant(0.04),
                sliding_speed=radius * speed)  # fmt: skip
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(1.0, (1e3, 1e3, 1e3), name="journal", angular_velocity=(0, 0, speed),
                     position=(0.5 * clearance, 0.2 * clearance, 0))
    )  # fmt: skip
    system.add(
        CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                        liner=Liner(solid), name="film")
    )  # fmt: skip
    system.add(fc.Force(journal.center, (400.0, -150.0, 0)))
    return system


def sliding():
    """A bead on a line of unequal elements."""
    return _incline(np.radians(30), [0, 0.1, 0.25, 0.3, 0.6, 1.0], 0.02)[0]


LONG = 10**6
FRICTION = fc.ModifiedCoulomb(0.1)
#: system, settings, least steps of a call on average
RUNS = {
    "fixed": (cable, dict(dt=1e-3, t_end=0.2), 50),
    "fixed through contacts": (double_pendulum, dict(dt=2e-5, t_end=0.04), 5),
    "adaptive": (cable, dict(t_end=0.5), 3),
    "adaptive through contacts": (lambda: double_pendulum(FRICTION), dict(t_end=0.05), 1.5),
    "without gravity": (oscillating, dict(t_end=1.0), 2),
    "turning": (
        spinning, dict(dt=1e-3, t_end=0.1, integrator=fc.GeneralizedAlpha(0.8, "stabilised")), 2
    ),
    "laws that change": (sliding, dict(dt=1e-3, t_end=0.5), 10),
    "laws that change late": (reversing_gears, dict(dt=1e-3, t_end=0.4), 2),
    "laws that change late, adaptive": (reversing_gears, dict(t_end=0.4), 1),
    "power that passes": (supplied_film, dict(dt=1e-4, t_end=5e-3), 2),
    "mumps": (cable, dict(dt=1e-3, t_end=0.02, solver="mumps"), 5),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_any_number_of_steps_a_call(name):
    make, options, least = RUNS[name]
    by_python, _ = run(make(), 0, **options)
    single, _ = run(make(), 1, **options)
    several, calls = run(make(), LONG, **options)
    assert several.steps > least * calls
    expected = facts(by_python)
    for stepper in (single, several):
        assert facts(stepper) == expected
        assert np.array_equal(stepper.state.array, by_python.state.array)
        assert np.array_equal(stepper.channels.values, by_python.channels.values)


@pytest.mark.parametrize("name", ["laws that change", "laws that change late"])
def test_laws_that_stay_take_no_python(name, monkeypatch):
    """Compiled steps call Python for a law only where it changes."""
    make, options, _ = RUNS[name]
    asked = []
    for what in ("update", "foresee"):
        ask = getattr(March, what)
        monkeypatch.setattr(March, what, lambda self, ask=ask: asked.append(ask(self)))
    stepper, calls = run(make(), LONG, **options)
    assert stepper.steps > 100 and len(asked) < 1.2 * calls + 0.1 * stepper.steps


def test_the_end_of_an_interval_is_noticed():
    """Python looks at a point near a node, and beyond it."""
    stepper, _ = run(sliding(), LONG, dt=1e-3, t_end=0.02)
    (kind, parameters, observed), steady = stepper.event_set.accepting[0], stepper.march.steady
    steady.renew()
    k = int(np.argmax(kind.column(parameters, "active")))
    first, length = (kind.column(parameters, name)[k] for name in ("first", "length"))
    for share, ended in ((0.5, False), (1e-6, True), (1 - 1e-6, True), (1.1, True)):
        observed["place"][:] = first + share * length
        lib = stepper.state.problem.module.lib
        assert bool(lib.fc_steady_leave(steady.table, steady.count)) is ended


@pytest.mark.mpi
@pytest.mark.parametrize(
    "name",
    ["fixed", "fixed through contacts", "turning", "laws that change late", "power that passes"],
)
def test_ranks_take_steps_together(name, comm):
    """Fixed steps: each rank knows a part of the contacts, laws, turning bodies and channels."""
    if comm.size == 1:
        pytest.skip("is about several ranks")
    make, options, _ = RUNS[name]
    by_python, _ = run(make(), 0, **options)
    several, calls = run(make(), LONG, **options)
    assert calls < several.steps
    assert facts(several) == facts(by_python)
    assert np.array_equal(several.channels.values, by_python.channels.values)


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
@pytest.mark.parametrize("options", [dict(dt=2e-5, t_end=0.03), dict(t_end=0.04)], ids=str)
def test_every_integrator(integrator, options):
    by_python, _ = run(double_pendulum(), 0, integrator=integrator, **options)
    several, calls = run(double_pendulum(), LONG, integrator=integrator, **options)
    assert calls < several.steps / 1.5 and by_python.events
    assert facts(several) == facts(by_python)


def test_kinds_that_update_their_parameters():
    """Wear: each step is shown to its kind before it is accepted, and after."""
    values = {"t_end": 0.02, "output.fields_every": 0}
    both = []
    for possible in (False, True):
        simulation = cases.get("four_bar_wear").simulation(values, progress=False)
        with pytest.MonkeyPatch.context() as patch:
            if not possible:
                patch.setattr("fem_clearance.timestepping.march.March.ready", lambda self: False)
            both.append(simulation.run())
    assert both[0].summary["steps"] > 50
    assert np.array_equal(both[0].time, both[1].time)
    for channel in both[0].names:
        assert np.array_equal(both[0][channel], both[1][channel]), channel


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("fields", [0, 13, 0.0041])
def test_recorded_rows(every, fields, monkeypatch, tmp_path):
    """Rows, poses and the watch over the energy are those of single steps."""
    found = []
    for possible in (False, True):
        calls = [0]
        advance = Stepper.advance

        def counting(self, *limits, calls=calls, advance=advance):
            calls[0] += 1
            return advance(self, *limits)

        with monkeypatch.context() as patch:
            patch.setattr(Stepper, "advance", counting)
            if not possible:
                patch.setattr("fem_clearance.timestepping.march.March.ready", lambda self: False)
            run = fc.Simulation(
                double_pendulum(), dt=1e-4, t_end=0.035, every=every, fields_every=fields,
                output=tmp_path / f"{possible}", progress=False,
            )  # fmt: skip
            found.append((run.run(), calls[0]))
    (one, _), (other, calls) = found
    assert calls < other.summary["steps"] / 2
    assert one.names == other.names and np.array_equal(one.time, other.time)
    for channel in one.names:
        assert np.array_equal(one[channel], other[channel]), channel
    for key in ("energy_change", "energy_growth", "energy_balance", "steps", "steps_limited_by"):
        assert one.summary[key] == other.summary[key], key
    if fields:
        assert np.array_equal(one.motion.time, other.motion.time)


def test_least_values_are_recorded():
    """Steps whose channels are least values go into one call too; the rows hold the least."""
    stepper = fc.Stepper(lined_film(), dt=2e-5, t_end=1e-3)
    stepper.start()
    stepper.march.watch(None)
    column, rows = 1 + stepper.channels.names.index("film.min_film"), []
    observers = [stepper.state.components[k] for k in stepper.state.problem.observers]
    seen = next(
        cells[:, list(c.observables).index("min_film")]
        for c, cells in zip(observers, stepper.channels.observed, strict=True)
        if any(o.least for o in c.observables.values())
    )
    assert len(seen) > 10
    while stepper.t < stepper.t_end:
        stepper.advance(LONG)
        if len(stepper.march.rows):
            assert stepper.march.rows[-1, column] == seen.min() < seen.max()
        assert stepper.channels["film.min_film"] == seen.min()
        rows.append(len(stepper.march.rows))
    assert max(rows) > 3 and sum(rows) > stepper.steps / 2


def test_limits_of_a_run_are_met():
    """As many steps as are asked for, and none after a time to stop."""
    stepper = fc.Stepper(cable(), dt=1e-3, t_end=1.0)
    stepper.start()
    while stepper.steps < 40:
        before = stepper.steps
        stepper.advance(13)
        assert 1 <= stepper.steps - before <= 13
    stepper.advance(LONG, 0.0955)
    assert stepper.t == pytest.approx(0.096, abs=1e-12)
    results_of = fc.Simulation(cable(), dt=1e-3, t_end=1.0, max_steps=37, progress=False)
    with pytest.raises(fc.LimitReached):
        results_of.run()
    assert results_of.results.summary["steps"] == 37 and len(results_of.results) == 38


@pytest.mark.parametrize("options", [dict(dt=1e-3), {}], ids=["fixed", "adaptive"])
def test_another_end_of_a_run_that_is_under_way(options):
    stepper = fc.Stepper(cable(), t_end=1.0, **options)
    stepper.start()
    for end in (0.1, 0.15):  # before the end given first, and past the last one
        stepper.t_end = end
        while stepper.t < end:
            stepper.advance(LONG)
        assert stepper.t == end


def test_a_scheme_of_a_user_takes_the_same_road():
    several, calls = run(cable(), LONG, integrator=BDF2(), dt=1e-3, t_end=0.1)
    assert calls < 10 and several.march.possible


def test_a_call_that_fails_keeps_the_steps_before(monkeypatch):
    """Rows of all accepted steps, those of the call that fails among them: a wall of the equations
    (a root of what is negative) that no shorter step is tried at."""

    def fail(self):
        raise fc.StepFailed("no solution")

    monkeypatch.setattr("fem_clearance.timestepping.march.March.finish", fail)
    system = fc.System()
    system.add(Root(1.0, -1.0))
    simulation = fc.Simulation(system, dt=0.01, t_end=9.0, progress=False)
    with pytest.raises(fc.StepFailed):
        simulation.run()
    found = simulation.results
    assert found.summary["steps"] > 50 and len(found) == found.summary["steps"] + 1
    assert found.time == pytest.approx(0.01 * np.arange(len(found)), abs=1e-12)

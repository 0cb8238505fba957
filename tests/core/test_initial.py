"""One run, one state: each begins with the model's initial values, or with a state it is given."""

import gc

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.initial import SystemState
from fem_clearance.core.mixins import has_gap


def ball(**options):
    """A ball that bounces in a socket."""
    system = fc.System(gravity=(0, -9.81, 0))
    body = system.add(fc.RigidBody(0.1, (1e-5,) * 3, name="ball"))
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)), body.center, socket_radius=0.01, ball_radius=0.0095,
            normal=fc.LankaraniNikravesh(restitution=0.9), stiffness=options.pop("K", 1e9),
            name="joint",
        )
    )  # fmt: skip
    return system


def arm(rate=None, spring=None):
    """A pendulum, free or driven."""
    system = fc.System(gravity=(0, -9.81, 0))
    rod = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
    pin = system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=(0, 0, 1), name="pin"))
    if rate is not None:
        system.add(
            fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(rate), name="drive")
        )
    if spring is not None:
        system.add(fc.TorsionSpring(pin.i, pin.j, (0, 0, 1), stiffness=spring, name="spring"))
    system.add(fc.Probe(rod.at((1, 0, 0)), name="tip"))
    return system


def run(system, integrator=None, **options):
    return fc.Simulation(system, integrator, **({"t_end": 0.02, "progress": False} | options)).run()


def same(a, b):
    assert a.names == b.names
    for name in ("time", *a.names):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.mpi
def test_every_run_begins_with_the_model():
    """With the same integrator and with another: as on a system of its own, bit for bit."""
    system = ball()
    first = run(system)
    assert len(first.events) >= 2
    same(run(system), first)
    same(run(system, fc.Bathe()), run(ball(), fc.Bathe()))


def test_other_runs_leave_nothing_behind():
    """An equilibrium, modes, an explicit run and a run that ended early."""
    system = arm(spring=50.0)
    first = run(system, dt=1e-3)
    fc.Statics(system, steps=2).solve()
    same(run(system, dt=1e-3), first)
    fc.eigenmodes(system, 1)
    run(system, fc.CentralDifference(), dt=1e-3)
    same(run(system, dt=1e-3), first)
    down = fc.Statics(system, steps=2).solve()
    np.testing.assert_array_equal(fc.Statics(system, steps=2).solve()["tip.y"], down["tip.y"])


def test_memory_of_laws_is_that_of_the_model_again():
    """Gears: segments, cycles and turns of the last run do not stay."""
    from fem_clearance.cases import get

    simulation = get("spur_gear_pair").simulation({"t_end": 2e-3}, progress=False)
    first = simulation.run()
    same(simulation.run(), first)


@pytest.mark.mpi
def test_going_on_from_the_end():
    """The clock goes on, and a driver with it: angle 3 t."""
    system = arm(rate=3.0)
    half = run(system, t_end=0.4)
    other = run(arm(rate=3.0), t_end=1.0, initial=half.last)
    assert (other.time[0], other.time[-1]) == (0.4, 1.0)
    assert other["tip.x"][0] == pytest.approx(half["tip.x"][-1], abs=1e-12)
    np.testing.assert_allclose(other["tip.x"], np.cos(3 * other.time), atol=1e-6)
    np.testing.assert_allclose(other["tip.vy"], 3 * np.cos(3 * other.time), atol=5e-5)
    fixed = run(system, dt=0.07, t_end=1.0, initial=half.last)
    np.testing.assert_allclose(fixed.time, [*(0.4 + 0.07 * np.arange(9)), 1.0], atol=1e-12)


def test_a_contact_goes_on():
    """A state in the middle of an impact: the rebound is as fast as without the interruption."""
    whole = run(ball(), t_end=0.014, tolerance=1e-9, contact_tolerance=1e-6)
    onset, loss = whole.events[:2]
    middle = (onset.time + loss.time) / 2
    half = run(ball(), t_end=middle, tolerance=1e-9, contact_tolerance=1e-6)
    other = run(ball(), t_end=0.014, tolerance=1e-9, contact_tolerance=1e-6, initial=half.last)
    assert [e.kind for e in other.events] == ["loss"]
    assert other.events[0].time == pytest.approx(loss.time, abs=1e-8)
    assert other.events[0].speed == pytest.approx(loss.speed, rel=1e-4)


def test_another_model_of_the_same_make_keeps_its_numbers():
    """Configuration and history are taken over, stiffnesses are not."""
    state = run(ball(K=1e9)).last
    soft = ball(K=1e8)
    state.put(soft.state)
    numbers, kind = soft.state.parameters, soft.state.components
    k = next(n for n, c in enumerate(kind) if has_gap(c.kind))
    assert 1e8 in numbers[k] and 1e9 not in numbers[k]
    assert kind[k].kind.column(numbers[k], "approach") != kind[k].kind.column(
        kind[k].parameters, "approach"
    )


def test_an_equilibrium_to_start_from():
    """A simulation stays there, with the clock at zero; modes are about it."""
    system = arm(spring=50.0)
    found = fc.Statics(system, steps=2).solve()
    results = run(system, dt=1e-3, initial=found.last)
    assert results.time[0] == 0.0
    assert results["tip.y"] == pytest.approx(found["tip.y"][-1], abs=1e-9)
    modes = fc.eigenmodes(system, 1, at=found.last).frequencies
    fc.Statics(system, steps=1).solve()
    assert fc.eigenmodes(system, 1).frequencies == pytest.approx(modes, rel=1e-9)
    # another run came after it: the model's own values, 0.1 + 0.25 about the pin
    run(system, dt=1e-3)
    assert 2 * np.pi * fc.eigenmodes(system, 1).frequencies == pytest.approx(
        [np.sqrt(50.0 / 0.35)], rel=1e-6
    )


def test_from_a_folder(shared_tmp_path):
    results = run(ball(), output=shared_tmp_path / "run")
    opened = fc.Results.open(shared_tmp_path / "run").last
    assert opened.time == 0.02
    np.testing.assert_array_equal(opened.q, results.last.q)
    memory = run(ball())
    for (at, values), (places, others) in zip(opened.changed, memory.last.changed, strict=True):
        np.testing.assert_array_equal(at, places)
        np.testing.assert_array_equal(values, others)
    same(run(ball(), t_end=0.03, initial=opened), run(ball(), t_end=0.03, initial=memory.last))


def test_states_that_cannot_be():
    half = run(arm(rate=3.0), t_end=0.4)
    cases = [
        ({"initial": half, "t_end": 1}, "initial must be the state of a run.*give its .last"),
        ({"initial": half.last, "t_end": 0.4}, "t_end = 0.4 s is not after the initial state"),
        ({"initial": half.last, "t_end": 0.5, "dt": 0.2}, "longer than the run, 0.4 to 0.5 s"),
    ]
    for options, words in cases:
        with pytest.raises(fc.InputError, match=words):
            fc.Simulation(arm(rate=3.0), **options)
    with pytest.raises(fc.InputError, match="of another model"):
        run(ball(), initial=half.last, t_end=1)
    with pytest.raises(fc.InputError, match="drive is violated at the start by 0.932"):
        run(arm(rate=3.0), initial=half.last.with_time(0.0))
    with pytest.raises(ValueError, match="read-only"):
        half.last.q[0] = 1.0
    assert repr(half.last).startswith("SystemState(t = 0.4 s")


def test_a_state_does_not_hold_the_run():
    state = run(ball()).last
    assert isinstance(state, SystemState)
    kept = [o for o in gc.get_referents(state.__dict__) if not isinstance(o, (np.ndarray, tuple))]
    assert all(isinstance(o, (float, str)) for o in kept)

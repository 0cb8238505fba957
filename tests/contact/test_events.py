"""Located beginnings and ends of contacts, and changes between sticking and slipping."""

import io

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.timestepping.contact_events import parting
from fem_clearance.timestepping.events import Event, Events

K, MASS, CLEARANCE, SPEED = 1e9, 0.1, 5e-4, 0.5


def flight(count=1):
    """Balls in sockets, without gravity: elastic impacts from side to side."""
    system = fc.System(gravity=(0, 0, 0))
    for k in range(count):
        ball = system.add(
            fc.RigidBody(MASS, (1e-5,) * 3, position=(0, k, 0), velocity=(SPEED * (k + 1), 0, 0),
                         name=f"ball{k}")
        )  # fmt: skip
        system.add(
            fc.SphericalClearance(
                system.ground.point((0, k, 0)), ball.center, socket_radius=0.01,
                ball_radius=0.01 - CLEARANCE, normal=fc.Hertz(), stiffness=K, name=f"joint{k}",
            )
        )  # fmt: skip
    return system


def duration(speed):
    """Of an elastic impact with F = K d^1.5 on a wall: 2.9433 d_max / v (Hertz)."""
    deepest = (5 * MASS * speed**2 / (4 * K)) ** 0.4
    return 2.94326 * deepest / speed


@pytest.mark.parametrize("how", [{}, {"dt": 2e-6}, {"integrator": fc.Bathe(), "dt": 2e-6}])
def test_elastic_impacts(how):
    """Onset after the clearance is run through, loss after Hertz's duration with the same speed."""
    results = fc.Simulation(flight(), t_end=4e-3, progress=False, **how).run()
    assert [e.kind for e in results.events] == ["onset", "loss", "onset", "loss"]
    assert {e.owner for e in results.events} == {"joint0"}
    first, contact = CLEARANCE / SPEED, duration(SPEED)
    times = [first, first + contact, 3 * first + contact, 3 * first + 2 * contact]
    assert [e.time for e in results.events] == pytest.approx(times, rel=3e-4)
    assert [e.speed for e in results.events] == pytest.approx([SPEED] * 4, rel=1e-3)
    assert all(type(x) in (float, str) for e in results.events for x in e)


@pytest.mark.mpi
def test_every_rank_has_all_events():
    stepper = fc.Stepper(flight(3), dt=1e-5, t_end=2e-3)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    assert [e.time for e in stepper.events] == sorted(e.time for e in stepper.events)
    assert all(each == stepper.events for each in stepper.system.comm.allgather(stepper.events))
    for k in range(3):
        mine = [e for e in stepper.events if e.owner == f"joint{k}"]
        assert [e.kind for e in mine[:2]] == ["onset", "loss"]
        assert mine[0].time == pytest.approx(CLEARANCE / SPEED / (k + 1), rel=1e-6)


def test_stick_and_slip():
    """The block leaves the belt where the spring has its static friction, 4 m away."""
    results = cases.get("stick_slip_oscillator").simulation({"t_end": 30.0}, progress=False).run()
    found = [e for e in results.events if e.kind in ("stick", "slip")]
    assert len(found) >= 2 and len(found) == len(results.events)
    assert all(e.speed == 0 for e in found)
    slips = [e for e in found if e.kind == "slip"]
    for e in slips:
        assert np.interp(e.time, results.time, results["block.x"]) == pytest.approx(4.0, rel=1e-5)
    kinds = [e.kind for e in found]
    assert all(a != b for a, b in zip(kinds[:-1], kinds[1:], strict=True))


def test_parting_of_a_known_motion():
    """A cubic is met exactly: d = (1 - t)(2 + t)(1 + t/3), zero at t = 1 with rate -4."""

    def depth(t):
        return (1 - t) * (2 + t) * (1 + t / 3)

    def rate(t):
        return -(2 + t) * (1 + t / 3) + (1 - t) * (1 + t / 3) + (1 - t) * (2 + t) / 3

    h = 1.6
    found, speed = parting(depth(0), rate(0), depth(h), rate(h), h)
    assert found * h == pytest.approx(1.0, rel=1e-12)
    assert speed == pytest.approx(-4.0, rel=1e-12)
    assert parting(1.0, np.nan, -1.0, 0.0, h) == (1.0, 0.0)


def test_a_list_that_reads_well():
    events = Events([Event(0.1 * k, "joint", "onset", 0.5) for k in range(25)])
    lines = repr(events).splitlines()
    assert lines[0].split() == ["time,", "s", "owner", "kind", "speed,", "m/s"]
    assert lines[1].split() == ["0", "joint", "onset", "0.5"] and lines[-1] == "... and 5 more"
    assert Events.of(**events.arrays()) == events and Events.of(**Events().arrays()) == []
    text = io.StringIO()
    events.write(text)
    assert text.getvalue().splitlines()[:2] == ["time,owner,kind,speed", "0.0,joint,onset,0.5"]

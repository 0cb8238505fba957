"""Multibody systems as flows: monodromy, periodic orbits and continuation against closed forms and
against the same equations written out."""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.linalg import expm

import fem_clearance as fc
from fem_clearance.analysis import Steps, SystemFlow, follow_orbits, multiple_scales, periodic_orbit

MASS, SPRING, DAMPER, DRIVE = 2.0, 50.0, 1.0, 3.0


def oscillator(frequency, force=DRIVE):
    """A body on a spring and a damper along x, driven."""
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    body = system.add(fc.RigidBody(MASS, (0.1,) * 3, position=(1.0, 0, 0), name="body"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    system.add(fc.SpringDamper(system.ground.point((0, 0, 0)), body.center, SPRING, DAMPER))
    system.add(fc.Force(body, (force, 0, 0), fc.Harmonic(1.0, frequency, np.pi / 2)))
    return system


def test_linear_oscillator():
    """Monodromy expm(A T), amplitude F / |k - m w^2 + i d w|: to the second order of the steps."""
    f, w = 0.6, 2 * np.pi * 0.6
    A = np.array([[0, 1], [-SPRING / MASS, -DAMPER / MASS]])
    errors = []
    for steps in (100, 200):
        flow = SystemFlow(oscillator, lambda f: 1 / f, steps=steps)
        x = flow.initial(f)
        assert flow.names == ["body.r[0]", "d(body.r[0])/dt"] and x.tolist() == [1.0, 0.0]
        orbit = periodic_orbit(flow, f, x)
        exact = expm(A / f)
        response = DRIVE / abs(SPRING - MASS * w**2 + 1j * DAMPER * w)
        errors.append(
            [np.max(np.abs(orbit.monodromy - exact) / np.abs(exact)),
             abs(orbit.amplitude() / response - 1)]
        )  # fmt: skip
    assert orbit.stable and np.all(np.array(errors[1]) < 3e-3)
    assert np.array(errors[0]) / errors[1] == pytest.approx([4, 4], rel=0.1)


def test_channels_of_an_orbit():
    flow = SystemFlow(oscillator, lambda f: 1 / f, steps=200)
    orbit = periodic_orbit(flow, 0.6, flow.initial(0.6))
    found = flow.channels(orbit.state, 0.6)
    assert found["time"][-1] == pytest.approx(1 / 0.6)
    assert found["body.x"][[0, -1]] == pytest.approx([orbit.state[0]] * 2, abs=1e-6)
    assert np.ptp(found["body.x"]) / 2 == pytest.approx(orbit.amplitude(), rel=1e-3)


def pendulum(angle):
    """A bar on a pivot, hanging at an angle, on one of its ends."""
    system = fc.System(gravity=(0, -9.81, 0), comm=MPI.COMM_SELF)
    turn = np.array([0, 0, angle])
    down = np.array([np.sin(angle), -np.cos(angle), 0])
    bar = system.add(
        fc.RigidBody(3.0, (0.25, 1e-3, 0.25), position=down / 2, orientation=turn, name="bar")
    )
    system.add(fc.RevoluteJoint(system.ground, bar.at((0, 0, 0)), axis=(0, 0, 1)))
    return system


def test_coordinates_close_the_joints():
    """From another x the bodies are where geometry puts them, velocities included."""
    flow = SystemFlow(pendulum, 1.0)
    x = flow.initial(0.1)
    chart = flow.chart(0.1)
    assert flow.size == 2
    chart.write(x + [0.2, 0.7])
    assert chart.read() == pytest.approx(x + [0.2, 0.7], abs=1e-14)
    r = chart.state.q[chart.state.locate(chart.system.blocks[1].numbers)]
    v = chart.state.v[chart.state.locate(chart.system.blocks[1].numbers)]
    assert np.hypot(*r[:2]) == pytest.approx(0.5, abs=1e-14)
    assert v @ r == pytest.approx(0, abs=1e-14)


def test_slider_with_hertzian_contact_against_the_written_equations():
    """Ebrahimi et al. (2017), primary resonance at 10 N: the model of bodies and joints, and the
    equation u'' integrated by SciPy, on a branch across the resonance."""
    approach, stiffness = np.sqrt(2e-6 * 9.81), 3.43620202e10
    c = multiple_scales.dry(stiffness, 0.75 * 0.19, approach)

    def build(frequency):
        system = fc.System(gravity=(0, -9.81, 0), comm=MPI.COMM_SELF)
        slider = system.add(fc.RigidBody(50.2, (1e-5,) * 3, position=(0, c.rest, 0)))
        system.add(fc.PrismaticJoint(system.ground, slider.center, axis=(0, 1, 0)))
        system.add(fc.RodGuide(
            system.ground.point((0, 0, 0)), slider.center, (0, 1, 0), hole_radius=0.0055,
            rod_radius=0.005, stiffness=stiffness, approach=approach,
        ))  # fmt: skip
        cosine = fc.Harmonic(1.0, frequency, np.pi / 2)
        system.add(fc.Force(slider, (0, 10.0, 0), cosine))
        return system

    flow = SystemFlow(build, lambda f: 1 / f, steps=400)
    written = multiple_scales.dry_flow(c, stiffness, 0.75 * 0.19, approach, 10.0)
    branch = follow_orbits(
        flow, 235.0, (235.0, 265.0), periods=3,
        steps=Steps(first=0.6, most=0.6, angle=0.6, tolerance=1e-5),
    )  # fmt: skip
    exact = [periodic_orbit(written, p) for p in branch.parameter]
    assert branch.amplitude() == pytest.approx([o.amplitude() for o in exact], rel=2e-4)
    assert len(branch.orbits) > 4
    for o, e in zip(branch.orbits, exact, strict=True):
        assert np.abs(o.multipliers[0]) == pytest.approx(np.abs(e.multipliers[0]), rel=3e-3)
    assert branch.stable.all()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: SystemFlow(lambda p: 3, 1.0).initial(0.0), "build must return a System"),
        (lambda: SystemFlow(oscillator, -1.0).end(np.array([1.0, 0]), 1.0), "period must be"),
        (lambda: SystemFlow(oscillator, 1.0, steps=0), "steps must be a whole number"),
        (lambda: SystemFlow(oscillator, 1.0, scale=[1.0]).carry([1.0, 0], 1.0), "scale needs 2"),
        (lambda: SystemFlow(oscillator, 1.0).size, "known after chart"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()

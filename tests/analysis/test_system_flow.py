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
    system.add(fc.Force(body, (force, 0, 0), fc.functions.Harmonic(1.0, frequency, np.pi / 2)))
    return system


def test_linear_oscillator():
    """Monodromy expm(A T), amplitude F / |k - m w^2 + i d w|: to the second order of the steps."""
    f, w = 0.6, 2 * np.pi * 0.6
    A = np.array([[0, 1], [-SPRING / MASS, -DAMPER / MASS]])
    errors = []
    for steps in (100, 200):
        flow = SystemFlow(oscillator, lambda f: 1 / f, steps=steps)
        x = flow.initial(f)
        assert flow.names == ["body.r[0]", "d(body.r[0])/dt"]
        assert x == pytest.approx([1.0, 0.0], abs=1e-12)
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


def test_bodies_without_the_ground():
    """Two free bodies and a spring: twelve degrees of freedom, nothing reads the ground."""

    def build(_):
        system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        first, second = (
            system.add(fc.RigidBody(1.0, (0.1, 0.2, 0.25), position=(x, 0, 0), free=True))
            for x in (0.0, 1.0)
        )
        system.add(fc.SpringDamper(first.center, second.center, 10.0))
        return system

    flow = SystemFlow(build, 1.0, steps=50)
    x = flow.initial(0.0)
    assert flow.size == 24
    x[12] += 0.1  # a velocity
    assert flow.end(x, 0.0)[12:].sum() == pytest.approx(0.1, abs=1e-8)  # momentum stays


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
    coordinates = flow.coordinates(0.1)
    assert flow.size == 2
    coordinates.write(x + [0.2, 0.7])
    assert coordinates.read() == pytest.approx(x + [0.2, 0.7], abs=1e-14)
    r = coordinates.state.q[coordinates.state.locate(coordinates.system.blocks[1].numbers)]
    v = coordinates.state.v[coordinates.state.locate(coordinates.system.blocks[1].numbers)]
    assert np.hypot(*r[:2]) == pytest.approx(0.5, abs=1e-12)
    assert v @ r == pytest.approx(0, abs=1e-14)


APPROACH, STIFFNESS = np.sqrt(2e-6 * 9.81), 3.43620202e10


def contact(restitution, force):
    """A slider resting on its rod and shaken, as a function of the frequency in Hz; the same as an
    equation (Ebrahimi et al. 2017, the full law)."""
    law = fc.LankaraniNikravesh(restitution=restitution, approach_speed="first_touch")
    c = multiple_scales.dry(STIFFNESS, law.hysteresis(), APPROACH)

    def build(frequency):
        system = fc.System(gravity=(0, -9.81, 0), comm=MPI.COMM_SELF)
        slider = system.add(fc.RigidBody(50.2, (1e-5,) * 3, position=(0, c.rest, 0)))
        system.add(fc.PrismaticJoint(system.ground, slider.center, axis=(0, 1, 0)))
        system.add(
            fc.RodGuide(
                system.ground.point((0, 0, 0)), slider.center, (0, 1, 0), hole_radius=0.0055,
                rod_radius=0.005, stiffness=STIFFNESS, approach=APPROACH, force=law,
            )
        )  # fmt: skip
        cosine = fc.functions.Harmonic(1.0, frequency, np.pi / 2)
        system.add(fc.Force(slider, (0, force, 0), cosine))
        return system

    written = multiple_scales.dry_flow(c, STIFFNESS, law.hysteresis(), APPROACH, force)
    return build, written


def test_slider_with_hertzian_contact_against_the_written_equation():
    """Primary resonance at 10 N: the model of bodies and joints, and the equation integrated by
    SciPy, on a branch across the resonance."""
    build, written = contact(0.9, 10.0)
    flow = SystemFlow(build, lambda f: 1 / f, steps=400)
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


@pytest.mark.slow
def test_contact_resonance_round_its_folds():
    """Restitution 0.99, 12 N: the response bends over. Both folds of the system's branch are those
    of the equation's, and the orbits between them are unstable."""
    build, written = contact(0.99, 12.0)
    steps = Steps(first=0.2, most=0.4, angle=0.4, tolerance=1e-5)
    limits = (238.0, 258.0)
    flow = SystemFlow(build, lambda f: 1 / f, steps=400)
    found = follow_orbits(flow, 238.0, limits, periods=5, steps=steps)
    exact = follow_orbits(written, 238.0, limits, periods=60)
    assert [t.kind for t in found.turns] == [t.kind for t in exact.turns] == ["fold", "fold"]
    for a, b in zip(found.folds, exact.folds, strict=True):
        assert a.parameter == pytest.approx(b.parameter, rel=1e-4)
        assert a.amplitude() == pytest.approx(b.amplitude(), rel=2e-2)
        assert a.multipliers[0] == pytest.approx(1, abs=2e-3)
    assert [p[2] for p in found.pieces()] == [True, False, True]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: SystemFlow(lambda p: 3, 1.0).initial(0.0), "build must return a System"),
        (lambda: SystemFlow(oscillator, -1.0).end(np.array([1.0, 0]), 1.0), "period must be"),
        (lambda: SystemFlow(oscillator, 1.0, steps=0), "steps must be a whole number"),
        (
            lambda: SystemFlow(oscillator, 1.0, scale=[1.0]).transition([1.0, 0], 1.0),
            "scale needs 2",
        ),
        (lambda: SystemFlow(oscillator, 1.0).size, "known after coordinates"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()

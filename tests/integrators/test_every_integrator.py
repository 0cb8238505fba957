"""What each integrator must do: contacts, adaptive steps, resumed runs, ranks."""

from mpi4py import MPI

import numpy as np
import pytest

import fem_clearance as fc

from .conftest import BDF2

INTEGRATORS = [
    fc.GeneralizedAlpha(0.8),
    fc.GeneralizedAlpha(0.8, "stabilised"),
    fc.Bathe(),
    fc.Bathe(2 - 2**0.5, "position"),
    BDF2(),
    BDF2("stabilised"),
]
NEW = INTEGRATORS[1:]


def double_pendulum(friction=None, **options):
    """Two rigid arms with a spherical clearance joint, released from the horizontal."""
    system = fc.System(gravity=(0, -9.81, 0), **options)
    steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
    arms = [
        system.add(fc.RigidBody(shape=fc.shapes.Box(0.3, 0.01, 0.01), density=7800,
                                position=(x, 0, 0),
                                name=f"arm{k}"))
        for k, x in enumerate((0.15, 0.45))
    ]  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, arms[0].at((0, 0, 0)), name="pivot"))
    system.add(
        fc.SphericalClearance(
            arms[0].at((0.3, 0, 0)), arms[1].at((0.3, 0, 0)), socket_radius=0.02,
            ball_radius=0.018, materials=(steel, steel), friction=friction, name="joint",
        )
    )  # fmt: skip
    system.add(fc.Probe(arms[1].at((0.6, 0, 0)), name="tip"))
    return system


def cable(**options):
    system = fc.System(**options)
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02),
                fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000), 5, model="cable")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


def finish(stepper, begin=True):
    if begin:
        stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    return stepper


def tip(stepper):
    return np.array([stepper.channels[f"tip.{x}"] for x in ("x", "y", "vx", "vy")])


@pytest.mark.parametrize("integrator", NEW, ids=str)
def test_first_impact(integrator):
    """Adaptive steps with friction: time and speed of the first contact of the default integrator,
    and its motion through the first contacts."""
    friction = fc.ModifiedCoulomb(0.1)
    usual, other = (
        finish(fc.Stepper(double_pendulum(friction), each, t_end=0.03))
        for each in (INTEGRATORS[0], integrator)
    )
    assert other.events[0].time == pytest.approx(usual.events[0].time, rel=1e-5)
    assert other.events[0].speed == pytest.approx(usual.events[0].speed, rel=1e-4)
    assert tip(other) == pytest.approx(tip(usual), abs=2e-3 * np.abs(tip(usual)).max())
    assert other.t == 0.03


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
def test_fixed_steps_through_contacts(integrator):
    """Steps of 20 us through the first contacts: energy is lost, never gained."""
    stepper = fc.Stepper(double_pendulum(), integrator, dt=2e-5, t_end=0.03)
    stepper.start()
    first = stepper.channels["energy.total"]
    finish(stepper, begin=False)
    assert stepper.events
    assert stepper.rejected_steps < 10  # contacts ask for less once in a while
    loss = first - stepper.channels["energy.total"]
    assert 0 < loss < 0.05 * stepper.channels["energy.kinetic"]


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
@pytest.mark.parametrize("options", [{"dt": 2e-5}, {}], ids=["fixed", "adaptive"])
def test_a_resumed_run_is_the_same_bit_for_bit(integrator, options):
    """Interrupted before the first step, in flight and in touch."""
    ends = []
    for interruptions in ((), (0, 40, 90)):
        stepper = fc.Stepper(double_pendulum(), integrator, t_end=0.0275, **options)
        stepper.start()
        while stepper.t < stepper.t_end:
            if stepper.steps in interruptions or (interruptions and stepper.after_event):
                stored = stepper.snapshot()
                stepper = fc.Stepper(double_pendulum(), integrator, t_end=0.0275, **options)
                stepper.restore(stored)
            stepper.advance()
        ends.append(stepper)
    assert ends[0].steps == ends[1].steps
    assert ends[0].newton.iterations == ends[1].newton.iterations
    assert np.array_equal(ends[0].state.array, ends[1].state.array)


def test_a_resumed_run_keeps_the_grid_of_its_start():
    """Steps from t = 0.015 s, resumed without the state that the run began with."""
    initial = finish(fc.Stepper(cable(), dt=1e-3, t_end=0.015)).last()
    stepper = fc.Stepper(cable(), dt=2e-3, t_end=0.03, initial=initial)
    stepper.start()
    for _ in range(3):
        stepper.advance()
    again = fc.Stepper(cable(), dt=2e-3, t_end=0.03)
    again.restore(stepper.snapshot())
    again.advance()
    assert again.t == pytest.approx(0.015 + 4 * 2e-3, rel=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS[:4], ids=str)
def test_a_checkpoint_of_the_version_before(integrator):
    """It had no factors of the solver, other names, and nothing of Bathe's that a step makes anew:
    the run goes on as it would have, but for a new tangent."""
    ends = []
    for old in (False, True):
        stepper = fc.Stepper(double_pendulum(), integrator, dt=2e-5, t_end=0.02)
        stepper.start()
        for _ in range(40):
            stepper.advance()
        if old:
            stored = {k.replace("turning.", ""): z for k, z in stepper.snapshot().items()}
            stored["scheme.numbers"] = stored["scheme.numbers"][:5]
            stored = {k: z for k, z in stored.items() if k not in ("scheme.q_0", "scheme.v_0")}
            stepper = fc.Stepper(double_pendulum(), integrator, dt=2e-5, t_end=0.02)
            stepper.restore(stored)
        ends.append(finish(stepper, begin=False))
    assert tip(ends[1]) == pytest.approx(tip(ends[0]), rel=1e-9)


@pytest.mark.mpi
@pytest.mark.parametrize("integrator", NEW, ids=str)
@pytest.mark.parametrize(
    ("make", "options", "close"),
    [(cable, {"dt": 2e-3, "t_end": 0.08}, 1e-8), (double_pendulum, {"t_end": 0.0275}, 1e-6)],
    ids=["cable", "joint"],
)
def test_any_number_of_ranks(integrator, make, options, close, comm):
    """Against the same run on each rank alone."""
    together, alone = (
        finish(fc.Stepper(make(comm=c), integrator, **options)) for c in (comm, MPI.COMM_SELF)
    )
    assert together.t == alone.t
    assert tip(together) == pytest.approx(tip(alone), abs=close * np.abs(tip(alone)).max())


@pytest.mark.mpi
def test_turning_bodies_on_any_number_of_ranks(comm):
    """Directors that belong to another rank than the body's cell."""
    from .test_stabilised import crank_and_rocker, top

    for make, options in (
        (top, {"dt": 2e-3, "t_end": 0.02}),
        (crank_and_rocker, {"dt": 2e-3, "t_end": 0.02}),
    ):
        ends = [
            finish(fc.Stepper(make(comm=c), fc.GeneralizedAlpha(0.8, "stabilised"), **options))
            for c in (comm, MPI.COMM_SELF)
        ]
        fields = [np.array([e.state.everything(z) for z in (e.state.q, e.state.v)]) for e in ends]
        assert fields[0] == pytest.approx(fields[1], abs=1e-7 * np.abs(fields[1]).max())


@pytest.mark.parametrize("integrator", (*INTEGRATORS[:3], BDF2()), ids=str)
def test_error_estimate_is_the_local_error(integrator, oscillate):
    """A step from exact values of a body on a spring: C h^3 of the third derivative."""
    omega, h = 3.0, 1e-3
    stepper, _ = oscillate(integrator, omega**2, h, 1, v=2.0)
    q, v = np.cos(omega * h) + 2 / omega * np.sin(omega * h), None
    del v
    unknown = stepper.system.items[0].q.numbers[0]
    true = abs(stepper.state.q[unknown] - q)
    assert stepper.scheme.error(h)[unknown] == pytest.approx(true, rel=0.02)


@pytest.mark.parametrize("integrator", (*INTEGRATORS[:3], BDF2()), ids=str)
def test_adaptive_error_follows_the_tolerance(integrator, oscillate):
    """A thousandth of the tolerance asks for a tenth of the steps' size."""
    from .conftest import Oscillator

    steps = []
    for tolerance in (1e-4, 1e-7):
        system = fc.System()
        system.add(Oscillator(100.0))
        steps.append(finish(fc.Stepper(system, integrator, t_end=5.0, tolerance=tolerance)).steps)
    assert steps[1] / steps[0] == pytest.approx(10, rel=0.3)


@pytest.mark.parametrize(
    ("changes", "integrator"),
    [
        ({}, fc.GeneralizedAlpha(0.8)),
        ({"constraints": "stabilised", "rho_inf": 0.5}, fc.GeneralizedAlpha(0.5, "stabilised")),
        ({"integrator": "bathe"}, fc.Bathe()),
        ({"integrator": "bathe", "constraints": "position"}, fc.Bathe(constraints="position")),
    ],
)
def test_parameters_choose_the_integrator(changes, integrator):
    from fem_clearance import cases

    assert cases.get("heavy_top").simulation(changes).integrator == integrator

"""Reactions at the default tolerance of Newton's method: second order, for every integrator and
every way of holding constraints that is accepted."""

import logging

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.analysis import SystemFlow
from fem_clearance.timestepping.row_engine import RowEngine
from fem_clearance.timestepping.rows import answers

GRAVITY = 9.81


def pendulum(**options):
    """A slender bar of 1 kg and 1 m, pinned at one end, falls from the horizontal."""
    system = fc.System(gravity=(0, -GRAVITY, 0), **options)
    bar = system.add(fc.RigidBody(1.0, (1 / 12, 1e-3, 1 / 12), position=(0.5, 0, 0), name="bar"))
    system.add(fc.RevoluteJoint(system.ground, bar.at((0, 0, 0)), axis=(0, 0, 1), name="pin"))
    return system


@pytest.fixture(scope="module")
def reaction():
    """Vertical force of the pin on the bar, N, at given times: (1/3) theta'' = -(g/2) cos theta by
    SciPy, and the centre's acceleration."""
    motion = solve_ivp(
        lambda t, y: [y[1], -1.5 * GRAVITY * np.cos(y[0])], (0, 0.7), [0, 0], method="DOP853",
        rtol=1e-12, atol=1e-13, dense_output=True,
    ).sol  # fmt: skip

    def force(t):
        theta, rate = motion(t)
        turning = -1.5 * GRAVITY * np.cos(theta)
        return 0.5 * (np.cos(theta) * turning - np.sin(theta) * rate**2) + GRAVITY

    return force


def error(integrator, h, reaction):
    """Largest error of the reaction in 0.7 s, N."""
    stepper = fc.Stepper(pendulum(), integrator, dt=h, t_end=0.7)
    stepper.start()
    errors = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        errors.append(stepper.channels["pin.reaction.y"] - reaction(stepper.t))
    return np.abs(errors).max()


@pytest.mark.parametrize(
    "integrator",
    [
        fc.GeneralizedAlpha(0.0),
        fc.GeneralizedAlpha(0.5),
        fc.GeneralizedAlpha(),
        fc.GeneralizedAlpha(0.95),
        fc.GeneralizedAlpha(1.0),
        fc.GeneralizedAlpha(0.0, "stabilised"),
        fc.GeneralizedAlpha(0.8, "stabilised"),
        fc.Bathe(),
    ],
    ids=str,
)
def test_second_order_at_the_default_tolerance(integrator, reaction):
    """What Newton's method leaves of a constraint must not be seen in its force: 1 kg falls at
    9.81 m/s^2, so errors are parts of about 15 N."""
    coarse, fine = (error(integrator, h, reaction) for h in (1e-3, 5e-4))
    assert fine < 5e-4
    assert np.log2(coarse / fine) == pytest.approx(2, abs=0.1)


def test_as_small_as_with_a_tight_tolerance(reaction):
    """The error of steps of 0.25 ms is the scheme's own, 1.9e-5 N; it was six times that."""
    assert error(fc.GeneralizedAlpha(), 2.5e-4, reaction) < 2.2e-5


@pytest.mark.parametrize(
    ("rho_inf", "gains"),
    [(0, (6, 2.333)), (0.5, (32, 5)), (0.8, (250, 13.75)), (0.9, (1090.9, 28.64))],
)
@pytest.mark.parametrize("level", [0, 1], ids=["position", "velocity"])
def test_gain_of_a_constraint_left_open(rho_inf, gains, level):
    """Against the formulas of a step, run with q (or v) = 1 once and 0 ever after (Arnold and
    Bruels 2007): the sizes of all accelerations, in units of da/dq (da/dv), added up."""
    alpha_m, alpha_f = (2 * rho_inf - 1) / (rho_inf + 1), rho_inf / (rho_inf + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = (0.5 + gamma) ** 2 / 4
    q = v = a = alg = total = 0.0
    for n in range(2000):
        held = float(n == 0)  # alg_1 from the formula of q or v, a_1 from that of alg
        if level == 0:
            new, unit = (held - q - v - (0.5 - beta) * alg) / beta, beta
        else:
            new, unit = (held - v - (1 - gamma) * alg) / gamma, gamma
        q += v + (0.5 - beta) * alg + beta * new
        v += (1 - gamma) * alg + gamma * new
        a = ((1 - alpha_m) * new + alpha_m * alg - alpha_f * a) / (1 - alpha_f)
        alg = new
        total += abs(a) * unit * (1 - alpha_f) / (1 - alpha_m)
    assert total == pytest.approx(gains[level], rel=1e-3)
    assert answers(fc.GeneralizedAlpha(rho_inf), bool(level))[0] == pytest.approx(total, rel=1e-6)


def test_only_constraints_are_held_to_less():
    """By 250 for a spectral radius of 0.8; not where velocities are held too."""
    allowed = {}
    for form in ("position", "stabilised"):
        stepper = fc.Stepper(pendulum(), fc.GeneralizedAlpha(0.8, form), dt=1e-3, t_end=1)
        stepper.start()
        tolerances = stepper.newton.tolerances
        tolerances.force_scale[:], tolerances.noise[:] = 1.0, 0.0
        tolerances.weigh()
        allowed[form] = 1 / tolerances.weights
    ratio = allowed["stabilised"] / allowed["position"]
    held = stepper.state.problem.constrained[: stepper.state.owned]
    assert held.any() and not held.all()
    assert ratio[held] == pytest.approx(250)
    assert ratio[~held] == pytest.approx(1)


def test_round_off_that_was_not_foreseen(monkeypatch):
    """Where new tangents cannot lower what is left of a constraint, the tolerance of other rows is
    enough: as with a model whose round-off is larger than estimated."""
    options = {"snes_type": "newtonls"}  # whose function can be another one
    stepper = fc.Stepper(pendulum(), dt=1e-3, t_end=1.0, options=options)
    stepper.start()
    newton, state = stepper.newton, stepper.state
    held = state.problem.constrained[: state.owned]
    noisy = np.random.default_rng(0)

    def with_noise(snes, x, f):
        newton.set(state.spread(x.array_r))
        scale = newton.tolerances.tolerance * newton.tolerances.force_scale.max()
        f.array_w[:] = newton.rows() + 0.1 * scale * noisy.uniform(-1, 1, state.owned) * held

    newton.snes.setFunction(with_noise, newton.f)
    for _ in range(5):
        stepper.advance()
    assert stepper.rejected_steps == 0
    monkeypatch.setattr(newton.tolerances, "held", False)
    stepper.newton.tolerances.noise[:] = 0.0
    stepper.newton.tolerances.weigh()
    assert stepper.scheme.step(1e-3) is not None


# --- spectral radius 1 ----------------------------------------------------------------------------
def test_radius_one_holds_velocities_too(caplog):
    with caplog.at_level(logging.INFO):
        stepper = fc.Stepper(pendulum(), fc.GeneralizedAlpha(1.0), dt=1e-3, t_end=1)
        stepper.prepare()
    assert stepper.scheme.stabilised
    assert (
        "rho_inf=1.0, constraints=None): constraints are enforced on velocities too" in caplog.text
    )
    assert not RowEngine(fc.GeneralizedAlpha(0.99), stepper.newton).stabilised


def test_radius_one_with_positions_alone_is_refused():
    """Index-3 reactions grew as the step fell: 0.13, 0.09, 1.4 N at 4, 1, 0.25 ms."""
    stepper = fc.Stepper(pendulum(), fc.GeneralizedAlpha(1.0, "position"), dt=1e-3, t_end=1)
    with pytest.raises(fc.InputError, match=r"rho_inf=1.0.*=stabilised, or rho_inf = 0.95"):
        stepper.start()


def test_radius_one_without_constraints(oscillate):
    """As it is: the trapezoidal rule."""
    stepper, _ = oscillate(fc.GeneralizedAlpha(1.0, "position"), 49.0, 1e-2, 3)
    assert not stepper.scheme.stabilised
    stepper, _ = oscillate(fc.GeneralizedAlpha(1.0), 49.0, 1e-2, 3)
    assert not stepper.scheme.stabilised


def test_flows_hold_velocities_too():
    """Their default is radius 1."""
    flow = SystemFlow(lambda _: pendulum(), 0.5, steps=50)
    assert flow._stepper(flow.initial(0.0), 0.0, None).scheme.stabilised
    refused = SystemFlow(
        lambda _: pendulum(), 0.5, steps=50, integrator=fc.GeneralizedAlpha(1.0, "position")
    )
    with pytest.raises(fc.InputError, match=r"rho_inf=1\.0"):
        refused.end(refused.initial(0.0), 0.0)


@pytest.mark.parametrize("rho_inf", [0.8, 0.9])
def test_reactions_of_adaptive_steps(rho_inf):
    """A mass point swings down from the horizontal: m v^2 / L and its weight along the rod make the
    tension 3 m g sin(theta), here by the recorded place; at most 59 N. Without the velocities'
    fit to each new step the errors are 2 N (rho_inf = 0.8) and 7 to 60 N (0.9) at all tolerances,
    as jumps of the velocities by C h^2 times the jerk act like blows."""
    mass, length, worst = 2.0, 0.5, []
    for tolerance in (1e-5, 1e-6, 1e-7, 1e-8):
        system = fc.System(gravity=(0, -GRAVITY, 0))
        bob = system.add(fc.RigidBody(mass, (1, 1, 1), position=(length, 0, 0), name="bob"))
        system.add(fc.DistanceJoint(system.ground.at((0, 0, 0)), bob.center, name="rod"))
        run = fc.Simulation(system, fc.GeneralizedAlpha(rho_inf), tolerance=tolerance, t_end=1.0)
        result = run.run()
        tension = -3 * mass * GRAVITY * result["bob.y"] / length
        worst.append(np.abs(result["rod.tension"] - tension).max())
    assert worst[0] < 0.1 and worst[-1] < 5e-3, worst
    assert np.all(np.diff(np.log10(worst)) < -0.1), worst


@pytest.mark.mpi
def test_adaptive_steps_on_several_ranks():
    """Two mass points on rods, one on each of two ranks: both tensions by their recorded places."""
    system, mass, length = fc.System(gravity=(0, -GRAVITY, 0)), 2.0, 0.5
    for k in range(2):
        place = (length, 0, k)
        bob = system.add(fc.RigidBody(mass, (1, 1, 1), position=place, name=f"bob{k}"))
        system.add(fc.DistanceJoint(system.ground.at((0, 0, k)), bob.center, name=f"rod{k}"))
    result = fc.Simulation(system, tolerance=1e-6, t_end=0.3).run()
    for k in range(2):
        tension = -3 * mass * GRAVITY * result[f"bob{k}.y"] / length
        assert result[f"rod{k}.tension"] == pytest.approx(tension, abs=0.1)

"""An integrator of a user's own, given by rows of numbers: BDF2 and others against closed forms.

Contacts, adaptive steps, resumed runs and ranks: test_every_integrator.py.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.extend import Coefficients, Integrator, Past
from fem_clearance.timestepping import rows

from .conftest import BDF2
from .test_stabilised import top


@dataclass(frozen=True)
class BackwardEuler(Integrator):
    order = 1

    def coefficients(self, h, h_old, stage=0):
        return Coefficients(1 / h**2, 1 / h, {"q": 1, "v": h}, {"v": 1})


@dataclass(frozen=True)
class Trapezoidal(Integrator):
    constraints: str | None = None

    def coefficients(self, h, h_old, stage=0):
        return Coefficients(4 / h**2, 2 / h, {"q": 1, "v": h, "a": h * h / 4}, {"v": 1, "a": h / 2})


def orders(errors):
    return np.log2(errors[:-1] / errors[1:])


# --- second order ---------------------------------------------------------------------------------
@pytest.mark.parametrize("form", ["position", "stabilised"])
def test_fixed_steps_are_of_second_order(mass_on_a_rod, form):
    """Position, velocity and force against SciPy's."""
    run, exact = mass_on_a_rod
    ends = [run(BDF2(form), h, 0.8) for h in (2e-3, 1e-3, 5e-4, 2.5e-4)]
    errors = np.array(
        [[np.linalg.norm(a - b) for a, b in zip(e, exact(0.8), strict=True)] for e in ends]
    )
    assert orders(errors)[-1] == pytest.approx(2, abs=0.02), orders(errors)


@pytest.mark.parametrize("form", ["position", "stabilised"])
def test_adaptive_steps_are_of_second_order(form):
    """The error falls as the square of the number of steps; the pendulum's by the energy that it
    has kept, since gravity has given none at a turning point: v^2 = 2 g (drop)."""
    errors, steps = [], []
    for tolerance in (1e-6, 1e-8):
        system = fc.System(gravity=(0, -9.81, 0))
        bob = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(0.5, 0, 0), name="bob"))
        system.add(fc.DistanceJoint(system.ground.at((0, 0, 0)), bob.center))
        run = fc.Simulation(system, BDF2(form), t_end=1.0, tolerance=tolerance).run()
        speed = np.hypot(run["bob.vx"], run["bob.vy"])
        errors.append(np.abs(speed**2 / 2 + 9.81 * run["bob.y"]).max())
        steps.append(run.summary["steps"])
    found = np.log(errors[0] / errors[1]) / np.log(steps[1] / steps[0])
    assert found == pytest.approx(2, abs=0.15)


def test_uneven_steps(oscillate):
    """Formulas for each pair of lengths: BDF2 of an oscillator by NumPy, as vectors (q, v)."""
    omega = 3.0
    stepper, _ = oscillate(BDF2(), omega**2, 1e-2, 1)
    scheme, number = stepper.scheme, stepper.system.items[0].q.numbers[0]
    n = stepper.state.local
    past = [np.array([scheme.own[k][number] for k in range(2)])]
    past.append(np.array([stepper.state.q[number], stepper.state.v[number]]))
    last, A = scheme.h_old, np.array([[0, 1], [-(omega**2), 0]])
    for h in (7e-3, 1.1e-2, 5e-3, 5e-3, 2e-2):
        assert scheme.step(h) is None
        w = h / last
        known = ((1 + w) ** 2 * past[-1] - w * w * past[-2]) / (1 + 2 * w)
        past.append(np.linalg.solve(np.eye(2) - h * (1 + w) / (1 + 2 * w) * A, known))
        last = h
        found = stepper.state.q[:n][number], stepper.state.v[:n][number]
        assert found == pytest.approx(past[-1], rel=1e-11)


def test_start_has_no_transient(mass_on_a_rod):
    """The rod's force is right from the first step on, by the past that the engine makes up."""
    run, exact = mass_on_a_rod
    errors = [abs(run(BDF2(), h, h)[2] - exact(h)[2])[0] for h in (4e-3, 2e-3, 1e-3)]
    assert orders(np.array(errors)).min() > 1.9, errors


def test_turning_directors():
    """Of a top that turns 0.15 rad a step the reference motion leaves a small part of the error;
    the same spin with its directors on straight ways (positions alone) is off by far more."""
    assert not rows.weights(BDF2(), 1.0, 0.7)[0][:2].any()
    ends = {}
    for form, h in (("stabilised", 1e-3), ("position", 1e-3), ("reference", 1e-4)):
        integrator = fc.Bathe() if form == "reference" else BDF2(form)
        stepper = fc.Stepper(top(), integrator, dt=h, t_end=0.1)
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
        ends[form] = np.array([stepper.channels[f"top.{x}"] for x in "xyz"])
    off = {form: np.abs(end - ends["reference"]).max() for form, end in ends.items()}
    assert off["stabilised"] < 0.05 * off["position"], off


# --- others ---------------------------------------------------------------------------------------
def test_backward_euler(oscillate):
    """(1 + i omega h)^-n; local errors of first order, h^2/2 of the acceleration."""
    omega, h = 3.0, 1e-2
    stepper, found = oscillate(BackwardEuler(), omega**2, h, 40)
    factor = (1 - 1j * omega * h) ** -np.arange(41.0)
    assert found[:, 0] == pytest.approx(factor.real, abs=1e-11)
    stepper, found = oscillate(BackwardEuler(), omega**2, 1e-4, 1)
    number = stepper.system.items[0].q.numbers[0]
    off = abs(found[-1, 0] - np.cos(omega * 1e-4))
    assert stepper.scheme.error(1e-4)[number] == pytest.approx(off, rel=0.01)


def test_error_follows_the_tolerance_of_first_order():
    """Steps as its root."""
    from .conftest import Oscillator

    steps = []
    for tolerance in (1e-5, 1e-7):
        system = fc.System()
        system.add(Oscillator(100.0))
        run = fc.Simulation(system, BackwardEuler(), t_end=2.0, tolerance=tolerance).run()
        steps.append(run.summary["steps"])
    assert steps[1] / steps[0] == pytest.approx(10, rel=0.3)


def test_an_undamped_one_holds_velocities_too(mass_on_a_rod, caplog):
    """The trapezoidal rule is generalized-alpha of radius 1; on positions alone it is refused."""
    run, _ = mass_on_a_rod
    own, package = run(Trapezoidal(), 1e-3, 0.1), run(fc.GeneralizedAlpha(1.0), 1e-3, 0.1)
    for one, other in zip(own, package, strict=True):
        assert one == pytest.approx(other, rel=1e-4)
    with pytest.raises(fc.InputError, match="reactions would grow from step to step, or stay"):
        run(Trapezoidal("position"), 1e-3, 0.1)


def alpha_constant(rho):
    """Of generalized-alpha, from its local error (docs/integrators.md)."""
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    return (am - af) / 2 + (1 + af - am) ** 2 / 4 - 1 / 6


def bathe_constant(s):
    """The trapezoidal sub-step leaves s^3/12; of a value at its end the differences keep
    -c_2/c_3 = 1/(s (2 - s)) and add their own error, (1 - s)^2/(6 (2 - s))."""
    return s**2 / (12 * (2 - s)) + (1 - s) ** 2 / (6 * (2 - s))


@pytest.mark.parametrize(
    ("integrator", "constant"),
    [
        (fc.GeneralizedAlpha(0.3), alpha_constant(0.3)),
        (fc.GeneralizedAlpha(0.9), alpha_constant(0.9)),
        (fc.Bathe(), 1 / 24),
        (fc.Bathe(0.3), bathe_constant(0.3)),
        (Trapezoidal(), 1 / 12),
        (BackwardEuler(), 1 / 2),
        (BDF2(), 2 / 9),
    ],
    ids=str,
)
def test_error_constants(integrator, constant):
    """The textbooks' constants of the local error, found from the rows."""
    assert rows.error_constant(integrator) == pytest.approx(constant, rel=1e-12)


@dataclass(frozen=True)
class Newmark(Integrator):
    """v = v_0 + h ((1 - g) a_0 + g a), q likewise with b; of second order for g = 1/2 alone. Parts
    of the formulas may be wrong."""

    b: float = 0.25
    g: float = 0.5
    order: int = 2
    power_q: int = 2
    power_v: int = 1

    def coefficients(self, h, h_old, stage=0):
        q0 = {"q": 1.0, "v": h, "a": h**self.power_q * (0.5 - self.b)}
        v0 = {"v": 1.0, "a": h**self.power_v * (1 - self.g)}
        return Coefficients(1 / (self.b * h * h), self.g / (self.b * h), q0, v0)


@dataclass(frozen=True)
class Alexander(Integrator):
    """Alexander's L-stable Runge-Kutta formula (1977), whose first stage is an Euler step."""

    order: int = 1
    constraints: str | None = None
    history = {"q_0": Past(0), "v_0": Past(1)}
    stages = 2

    def coefficients(self, h, h_old, stage=0):
        g = 1 - np.sqrt(0.5)
        beta, gamma = 1 / (g * h) ** 2, 1 / (g * h)
        if stage == 0:
            start = {"q_0": {"q": 1.0}, "v_0": {"v": 1.0}}
            return Coefficients(beta, gamma, {"q": 1.0, "v": g * h}, {"v": 1.0}, start, g)
        w = h * (1 - g)
        q0 = {"q_0": 1.0, "v": w, "v_0": g * h, "a": g * h * w}
        return Coefficients(beta, gamma, q0, {"v_0": 1.0, "a": w})


@pytest.mark.parametrize("order", [1, 2])
def test_the_stated_order_is_the_measured_one(oscillate, order):
    """Newmark's formula is of second order for g = 1/2 only (Newmark 1959): stated as 2, another g
    is refused (below), and stated as 1 its errors fall by 2."""
    scheme, omega, errors = Newmark(0.3025, 0.6, 1) if order == 1 else Newmark(), 3.0, []
    for h in (1e-2, 5e-3):
        found = oscillate(scheme, omega**2, h, round(0.5 / h))[1]
        errors.append(abs(found[-1, 0] - np.cos(omega * 0.5)))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.07)


def test_stages_of_lower_order_hold_velocities_too(mass_on_a_rod):
    """On positions alone Alexander's formula leaves an error of the rod's force that stays however
    short the steps: 4.12 times the acceleration, by its coefficients."""
    run, exact = mass_on_a_rod
    errors = [abs(run(Alexander(), h, 0.4)[2] - exact(0.4)[2])[0] for h in (2e-3, 1e-3, 5e-4)]
    assert orders(np.array(errors)) == pytest.approx(1, abs=0.1)
    with pytest.raises(fc.InputError, match="stay however short the steps; use constraints="):
        run(Alexander(constraints="position"), 1e-3, 0.1)


@dataclass(frozen=True)
class TrBdf2(Integrator):
    """The trapezoidal rule over a part g of the step, then BDF2 (Bank and others 1985)."""

    constraints: str | None = None
    history = {"q_0": Past(0), "v_0": Past(1)}
    stages = 2

    def coefficients(self, h, h_old, stage=0):
        g = 2 - np.sqrt(2)
        c = 2 / (g * h)
        if stage == 0:
            start = {"q_0": {"q": 1.0}, "v_0": {"v": 1.0}}
            q0, v0 = {"q": 1.0, "v": g * h, "a": 1 / c**2}, {"v": 1.0, "a": 1 / c}
            return Coefficients(c * c, c, q0, v0, start, g)
        now, before = 1 / (g * (2 - g)), -((1 - g) ** 2) / (g * (2 - g))
        v0 = {"v": now, "v_0": before}
        q0 = {"q": now, "q_0": before, "v": now / c, "v_0": before / c}
        return Coefficients(c * c, c, q0, v0)


def test_two_stages_hold_velocities_too(mass_on_a_rod, oscillate):
    """On positions alone the rod's force would be of first order, as with Bathe's scheme, whose
    motion this is for the same part of the step; so that is not chosen."""
    run, exact = mass_on_a_rod
    found = {}
    for form in ("position", "stabilised", None):
        ends = [run(TrBdf2(form), h, 0.4)[2] for h in (4e-3, 2e-3, 1e-3)]
        found[form] = np.abs(np.array(ends) - exact(0.4)[2]).ravel()
    assert orders(found["position"]) == pytest.approx(1, abs=0.15)
    assert orders(found["stabilised"]) == pytest.approx(2, abs=0.15)
    assert np.array_equal(found[None], found["stabilised"])
    assert not rows.accurate(TrBdf2()) and rows.accurate(BDF2()) and rows.damped(TrBdf2())
    own, package = (oscillate(z, 9.0, 1e-2, 50)[1] for z in (TrBdf2(), fc.Bathe(2 - np.sqrt(2))))
    assert own == pytest.approx(package, abs=1e-12)


# --- mistakes -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Wrong(Integrator):
    """BDF2 with something changed."""

    changes: tuple = ()
    past: tuple = (("q_1", Past(0)), ("v_1", Past(1)))
    order: int = 2

    @property
    def history(self):
        return dict(self.past)

    def coefficients(self, h, h_old, stage=0):
        return replace(BDF2().coefficients(h, h_old), **dict(self.changes))


@dataclass
class Loose(Integrator):
    coefficients = BDF2.coefficients


@dataclass(frozen=True)
class Stageless(Integrator):
    """Its method has no argument ``stage``, or returns a tuple."""

    both: bool = False

    @property
    def coefficients(self):
        return (lambda h, h_old, stage: (1, 2)) if self.both else (lambda h, h_old: None)


@dataclass(frozen=True)
class Houbolt(Integrator):
    """Houbolt (1950): cubic through the coordinates of the present and of three earlier times."""

    history: ClassVar = {"q_1": Past(0), "q_2": Past(0)}

    def coefficients(self, h, h_old, stage=0):
        q0 = {"q": 5 / 2, "q_1": -2.0, "q_2": 1 / 2}
        v0 = {n: (11 * q0[n] + c) / (6 * h) for n, c in (("q", -18), ("q_1", 9), ("q_2", -2))}
        update = {"q_1": {"q": 1.0}, "q_2": {"q_1": 1.0}}
        return Coefficients(2 / h**2, 11 / (6 * h), q0, v0, update)


@dataclass(frozen=True)
class Forgetful(BDF2):
    """It never renews its history."""

    def coefficients(self, h, h_old, stage=0):
        return replace(super().coefficients(h, h_old), update={})


@dataclass(frozen=True)
class Half(fc.Bathe):
    """With an acceleration a step ahead that its second stage does not move on."""

    @property
    def history(self):
        return {**super().history, "a_1": Past(2, 1.0)}

    def coefficients(self, h, h_old, stage=0):
        found = super().coefficients(h, h_old, stage)
        return replace(found, update={**found.update, "a_1": {"a": 1.0}}) if stage == 0 else found


@pytest.mark.parametrize(
    ("integrator", "sentence"),
    [
        (
            Forgetful(),
            "^integrator: q_1 is updated in no stage, so that the next step would begin "
            r"with an old value; give its row in Coefficients\(update=...\)\.$",
        ),
        (Half(), "^integrator: a_1 is not updated in the last stage, so that"),
        (Houbolt(), "formula of q_2 .*the start of the last step or stage, none further back"),
        (Wrong((("gamma", 2.0),)), r"formula of v in stage 0 is not of order 2"),
        (Wrong((("beta", -1.0),)), "beta and gamma must be positive"),
        (Wrong(order=3), "order must be 1 or 2, got 3"),
        (Wrong(past=(("q_1", Past(0)), ("old", Past(1)))), "no own vector may be called 'old'"),
        (Wrong(past=(("q_1", Past(0, 0.5)), ("v_1", Past(1)))), "q_1 must stand for a derivative"),
        (
            Wrong(past=(("q_1", Past(0)),)),
            "no vector 'v_1'; its vectors are q, v, a, q_1,",
        ),
        (Wrong((("part", 0.5),)), "the last stage must end the step"),
        (Newmark(power_q=1), r"of q in stage 0 is not of order 2: .*t\^2/2!, a step of 0.37 s"),
        (Newmark(power_v=0), r"of v in stage 0 is not of order 2: .*t\^2/2!, a step of 0.37 s"),
        (Newmark(0.3025, 0.6), r"of v in stage 0 is not of order 2: for q = t\^3/3!.*off by -0.1;"),
        (Alexander(order=2), r"of q in stage 0 is not of order 2.*each stage must be of the order"),
        (Newmark(b=0.0), "Newmark.coefficients failed with ZeroDivisionError: .*division by zero"),
        (Stageless(), r"Stageless.coefficients failed with TypeError: .* 3 were given"),
        (Stageless(both=True), r"Stageless.coefficients must return Coefficients, got \(1, 2\)"),
        (Loose(), "Loose must be a frozen dataclass"),
    ],
)
def test_mistakes_end_in_a_sentence(integrator, sentence, mass_on_a_rod):
    run, _ = mass_on_a_rod
    with pytest.raises(fc.InputError, match=sentence):
        run(integrator, 1e-3, 0.1)

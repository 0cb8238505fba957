"""Periodic orbits, Floquet multipliers and continuation against closed forms and, for Duffing's
oscillator, a harmonic balance written here."""

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve, minimize_scalar
from scipy.special import mathieu_a, mathieu_b

import fem_clearance as fc
from fem_clearance.analysis import (
    Curve,
    OdeFlow,
    Orbit,
    Steps,
    floquet_multipliers,
    follow_orbits,
    periodic_orbit,
)
from fem_clearance.analysis.flows import Motion

DAMPING, CUBIC, DRIVE = 0.1, 0.05, 0.5


def duffing(cubic=CUBIC, damping=DAMPING, drive=DRIVE, **options):
    def rhs(t, x, w):
        return [x[1], drive * np.cos(w * t) - damping * x[1] - x[0] - cubic * x[0] ** 3]

    return OdeFlow(rhs, 2, lambda w: 2 * np.pi / w, **options)


# --- multipliers --------------------------------------------------------------------------------
def test_linear_oscillator():
    """Closed form: amplitude, phase and multipliers exp((-d/2 +- i wd) T)."""
    w = 1.3
    orbit = periodic_orbit(duffing(cubic=0.0), w)
    response = DRIVE / (1 - w**2 + 1j * DAMPING * w)
    assert orbit.amplitude() == pytest.approx(abs(response), rel=1e-6)
    assert orbit.harmonics()[1] == pytest.approx(response, rel=1e-6)
    assert orbit.state[0] == pytest.approx(response.real, rel=1e-6)
    exact = np.exp((-DAMPING / 2 + 1j * np.sqrt(1 - DAMPING**2 / 4)) * 2 * np.pi / w)
    assert np.sort_complex(orbit.multipliers) == pytest.approx(
        np.sort_complex([exact, exact.conjugate()]), rel=1e-6
    )
    assert orbit.stable


def test_harmonics_of_a_motion_at_uneven_times():
    """As adaptive steps of a System leave it: 0.2 + 1.5 cos(2 pi t + 0.4)."""

    class Uneven:
        autonomous = False

        def motion(self, x, parameter, points, period=None):
            even = np.linspace(0, 1, 201)
            time = even + 0.1 * np.sin(2 * np.pi * even)
            angle = 2 * np.pi * time + 0.4
            states, rates = 0.2 + 1.5 * np.cos(angle), -3 * np.pi * np.sin(angle)
            return Motion(time, states[:, None], rates[:, None])

    found = Orbit(Uneven(), 0.0, np.zeros(1), 1.0, np.eye(1)).harmonics(count=3)
    assert found == pytest.approx([0.2, 1.5 * np.exp(0.4j), 0, 0], abs=1e-7)


@pytest.mark.parametrize("q", [0.3, 2.0])
@pytest.mark.parametrize("curve", [mathieu_a, mathieu_b])
def test_mathieu_boundaries(q, curve):
    """x'' + (a - 2 q cos 2t) x = 0 has a solution of period pi (2 pi) for the characteristic values
    of even (odd) order: multipliers over pi are both 1 (-1)."""
    for order in (1, 2, 3):
        a = curve(order, q)
        found = floquet_multipliers(
            lambda t, a=a: np.array([[0, 1], [2 * q * np.cos(2 * t) - a, 0]]), np.pi
        )
        assert np.prod(found) == pytest.approx(1, abs=1e-8)
        assert np.sum(found) == pytest.approx(2 * (-1) ** order, abs=1e-6)


def test_meissner():
    """Hill's equation with piecewise constant stiffness: the trace in closed form."""
    w1, w2, half = 1.7, 0.6, 0.9
    found = floquet_multipliers(
        lambda t: np.array([[0, 1], [-(w1**2 if t < half else w2**2), 0]]), 2 * half
    )
    c1, s1, c2, s2 = *_cs(w1 * half), *_cs(w2 * half)
    trace = 2 * c1 * c2 - (w1 / w2 + w2 / w1) * s1 * s2
    assert np.sum(found) == pytest.approx(trace, rel=1e-6)


def _cs(x):
    return np.cos(x), np.sin(x)


@pytest.mark.parametrize("mu", [0.05, 0.1])
def test_van_der_pol_period_and_multiplier(mu):
    """T = 2 pi (1 + mu^2/16 - 5 mu^4/3072); the multipliers' product is exp of the integral of the
    trace (Liouville)."""
    flow = OdeFlow(lambda t, x, m: [x[1], m * (1 - x[0] ** 2) * x[1] - x[0]], 2, None)
    orbit = periodic_orbit(flow, mu, [2.0, 0.0], period=6.3)
    assert orbit.period == pytest.approx(2 * np.pi * (1 + mu**2 / 16 - 5 * mu**4 / 3072), rel=1e-8)
    m = orbit.motion
    trace = np.trapezoid(mu * (1 - m.states[:, 0] ** 2), m.time)
    assert np.prod(orbit.multipliers) == pytest.approx(np.exp(trace), rel=1e-6)
    assert np.min(np.abs(orbit.multipliers - 1)) < 1e-6 and orbit.stable


# --- continuation -------------------------------------------------------------------------------
def test_curve_round_a_circle_closes():
    def circle(z, p):
        return np.array([z[0] ** 2 + p**2 - 1]), np.array([[2 * z[0]]]), np.array([2 * p])

    curve = Curve(circle, [1.0], 1.0, Steps(first=0.05, most=0.1))
    points = [p for p, _ in curve.follow(curve.start([1.0], 0.0, True), -2, 2)]
    z, p = (np.array([getattr(s, n) for s in points]).ravel() for n in ("z", "parameter"))
    assert z**2 + p**2 == pytest.approx(np.ones(len(z)), abs=1e-8)
    assert p.min() < -0.99 and z.min() < -0.99 and len(points) < 80


def harmonic_balance(harmonics=7):
    """Frequency and complex amplitudes of odd harmonics for a given first amplitude; independent of
    the shooting under test."""
    odd = np.arange(1, 2 * harmonics, 2)
    angles = np.linspace(0, 2 * np.pi, 16 * harmonics, endpoint=False)
    basis = np.exp(1j * np.outer(angles, odd))

    def solve(first, start):
        def residual(u):
            w, c = u[0], u[1 : harmonics + 1] + 1j * u[harmonics + 1 :]
            x = (basis @ c).real
            cube = 2 * basis.conj().T @ x**3 / len(angles)
            r = (1 - (odd * w) ** 2 + 1j * odd * w * DAMPING) * c + CUBIC * cube
            r[0] -= DRIVE
            return np.concatenate([[abs(c[0]) - first], r.real, r.imag])

        return fsolve(residual, start, xtol=1e-13)

    return solve


@pytest.fixture(scope="module")
def branch():
    return follow_orbits(
        duffing(jacobian=lambda t, x, w: [[0, 1], [-1 - 3 * CUBIC * x[0] ** 2, -DAMPING]]),
        0.6, (0.6, 1.8), periods=10, steps=Steps(first=0.1, most=0.3, angle=0.4),
    )  # fmt: skip


def test_duffing_folds(branch):
    """Both folds, to 1e-6 of the harmonic balance, where a multiplier is 1 (the other is
    exp(-d T)); between them the branch is unstable, elsewhere stable."""
    assert [t.kind for t in branch.turns] == ["fold", "fold"]
    solve = harmonic_balance()
    up, down = branch.folds
    for fold, sign in ((up, -1), (down, 1)):
        c = fold.harmonics(count=14)[1::2]
        start = np.concatenate([[fold.parameter], c.real, c.imag])
        first = abs(c[0])
        best = minimize_scalar(
            lambda a, start=start, sign=sign: sign * solve(a, start)[0],
            bounds=(0.97 * first, 1.03 * first), method="bounded", options={"xatol": 1e-7},
        )  # fmt: skip
        assert fold.parameter == pytest.approx(sign * best.fun, rel=1e-6)
        assert fold.multipliers[0] == pytest.approx(1, abs=1e-5)
        assert fold.multipliers[1] == pytest.approx(np.exp(-DAMPING * fold.period), rel=1e-4)
    w, stable = branch.parameter, branch.stable
    turned = np.flatnonzero(~stable)
    assert np.all(np.diff(turned) == 1)
    near = 1e-6  # the folds themselves are neither
    assert np.all(w[turned] < up.parameter + near) and np.all(w[turned] > down.parameter - near)
    assert [stable for _, _, stable in branch.pieces()] == [True, False, True]
    assert w[-1] == 1.8


def test_drawn_curves_pass_their_folds_smoothly(branch):
    """Between the orbits as shooting finds it there, ten times nearer than a polyline; nothing
    lies beyond the folds."""
    drawn = {points: branch.pieces(points=points) for points in (1, 20)}
    off = dict.fromkeys(drawn, 0.0)
    for w in (1.05, 1.12, 1.25, 1.3):
        for orbit in branch.at(w):
            for points, pieces in drawn.items():
                distances = [_distance(x, y, w, orbit.amplitude()) for x, y, _ in pieces]
                off[points] = max(off[points], min(distances))
    assert off[20] < 0.3 * off[1] and off[20] < 2e-3
    up, down = (fold.parameter for fold in branch.folds)
    (x1, y1, _), (x2, y2, _), (x3, _, _) = drawn[20]
    assert (x1.max(), x2.min()) == (up, down) and (x2.max(), x3.min()) == (up, down)
    assert (x1[-1], y1[-1]) == (x2[0], y2[0])
    assert x1[-1] - x1[-2] < 0.1 * abs(y1[-1] - y1[-2])  # upright where it turns back


def _distance(x, y, at, value):
    """Of a point from a polyline."""
    a, b = np.column_stack([x, y])[:-1], np.column_stack([x, y])[1:]
    part = np.einsum("ij,ij->i", (at, value) - a, b - a) / np.maximum(
        np.sum((b - a) ** 2, 1), 1e-300
    )
    near = a + np.clip(part, 0, 1)[:, None] * (b - a)
    return np.hypot(*(near - (at, value)).T).min()


def test_duffing_folds_follow_the_first_order_formula(branch):
    """Nayfeh and Mook (1979), section 4.1.1: [sigma - 3 k a^2 / 8]^2 + d^2/4 = (F / 2 a)^2. It
    holds for weak nonlinearity: here the folds agree to 2 % and the peak is F / d."""
    a = np.linspace(0.3, DRIVE / DAMPING, 20001)
    half = np.sqrt(np.maximum((DRIVE / (2 * a)) ** 2 - DAMPING**2 / 4, 0))
    lower = 1 + 3 * CUBIC * a**2 / 8 + half  # the branch right of the backbone, down from infinity
    assert branch.folds[1].parameter == pytest.approx(lower.min(), rel=2e-2)
    assert branch.amplitude().max() == pytest.approx(
        DRIVE / DAMPING / branch.folds[0].parameter, rel=3e-2
    )


def test_three_orbits_between_the_folds(branch):
    found = sorted(branch.at(1.22), key=lambda o: o.amplitude())
    assert [o.stable for o in found] == [True, False, True]
    # the unstable one is left for one of the others
    flow, x = found[1].flow, found[1].state + [1e-3, 0]
    for _ in range(60):
        x = flow.end(x, 1.22)
    assert min(np.linalg.norm(x - o.state) for o in (found[0], found[2])) < 1e-2


def test_weak_duffing_converges_to_the_first_order_formula():
    """Amplitude at resonance of the linear oscillator: the error falls with the square of the small
    parameter."""
    errors = []
    for small in (0.04, 0.02):
        d, k, f = small * 1.0, small * 0.5, small * 1.0
        flow = duffing(k, d, f)
        a = brentq(lambda a, d=d, k=k, f=f: (3 * k * a**2 / 8) ** 2 + d**2 / 4 - (f / 2 / a) ** 2,
                   1e-3, 10)  # fmt: skip
        psi = np.arctan2(d / 2, 3 * k * a**2 / 8)  # x = a cos(t - psi)
        orbit = periodic_orbit(flow, 1.0, [a * np.cos(psi), a * np.sin(psi)])
        errors.append(abs(abs(orbit.harmonics()[1]) - a))
    assert errors[0] / errors[1] == pytest.approx(2, rel=0.2) and errors[1] < 5e-3


def test_period_doubling_is_located():
    """x'' + 2 z x' + (1 + p cos 2t) x + x^3 = 0: x = 0 loses its stability through -1 near
    p = 4 z; exactly where the linear part has the multiplier -1."""
    z = 0.05

    def linear(p):
        return lambda t: np.array([[0, 1], [-1 - p * np.cos(2 * t), -2 * z]])

    def rhs(t, x, p):
        return linear(p)(t) @ x - [0, x[0] ** 3]

    flow = OdeFlow(rhs, 2, np.pi)
    found = follow_orbits(flow, 0.05, (0.0, 0.4), steps=Steps(first=0.1, most=0.2))
    exact = brentq(lambda p: floquet_multipliers(linear(p), np.pi).real.min() + 1, 0.1, 0.3)
    assert [t.kind for t in found.turns] == ["period_doubling"]
    assert found.turns[0].orbit.parameter == pytest.approx(exact, abs=1e-5)
    assert exact == pytest.approx(4 * z, rel=1e-2)


# --- input --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: OdeFlow(3, 2, 1.0), "rhs must be a function"),
        (lambda: OdeFlow(lambda t, x, p: x, 2, -1.0), "period must be positive"),
        (lambda: periodic_orbit(duffing(), 1.0, [0.0]), "guess must be 2 numbers"),
        (lambda: periodic_orbit(OdeFlow(lambda t, x, p: [1.0], 2, 1.0), 0.0), "return 2 numbers"),
        (lambda: periodic_orbit(OdeFlow(lambda t, x, p: -x, 2, None), 0.0), "guess of the period"),
        (lambda: follow_orbits(duffing(), 3.0, (1.0, 2.0)), "low <= start <= high"),
        (lambda: Steps(first=1.0), "least <= first <= most"),
        (lambda: periodic_orbit(OdeFlow(lambda t, x, p: [1.0], 1, 1.0), 0.0), "no periodic orbit"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()

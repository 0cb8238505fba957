"""Multiple scales of Ebrahimi et al. (2017) with the corrections of docs/multiple_scales.md,
against their own equations and against shooting."""

from functools import partial

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import fem_clearance as fc
from fem_clearance.analysis import OdeFlow, periodic_orbit
from fem_clearance.analysis import multiple_scales as ms
from fem_clearance.contact.laws.pair_data import sphere_stiffness

SOURCE = "data of Ebrahimi et al. 2017, SciPy"
SHOOTING = "periodic orbit of the equations by shooting"
STEEL = fc.LinearElastic(E=200e9, nu=0.3, rho=7800)
APPROACH = np.sqrt(2e-6 * 9.81)


def stiffness(clearance=5e-4):
    return sphere_stiffness(0.005 + clearance, 0.005, STEEL, STEEL)


def dry(restitution=0.9, clearance=5e-4, law=fc.LankaraniNikravesh):
    chi = law(restitution=restitution).hysteresis()
    return ms.dry(stiffness(clearance), chi, APPROACH, clearance=clearance)


@pytest.fixture(scope="module")
def known(reference):
    return reference("sliding_pendulum.json")


def test_coefficients(known, published):
    c, film = dry(), ms.lubricated(0.4)
    omega1 = c.omega1 / (2 * np.pi)
    published("rest, dry", c.rest, known["rest_y_dry"], rel=1e-6, unit="m")
    published("omega1, dry", omega1, known["omega1_Hz"], abs=1e-3, unit="Hz")
    published("rest, lubricated", film.rest, known["rest_y_lubricated"], rel=1e-6, unit="m")
    published("omega1, lubricated", film.omega1, known["omega1_hat"], abs=1e-3, unit="rad/s")
    # the sheet leaves (1 + 1.5 (rest / c)^2) of eq. (19) out
    shift = 1 + 1.5 * (film.rest / 8e-5) ** 2
    alpha2, D = known["alpha1_hat"] * shift, film.alpha2 * 50.2 * 8e-5 / shift
    published("alpha2, lubricated", film.alpha2, alpha2, rel=1e-6, unit="1/s")
    published("D, lubricated", D, known["D"], rel=1e-6, unit="N s")


def test_frequencies(published):
    """Eqs. (36)-(38) in Hz, and the period of the pendulum by its elliptic integral."""
    m = ms.Contact(dry(), 0.0, 0.0, np.radians(10), 0.0)
    found, value = m.frequency * np.array([1, 2, 4]), [0.60936, 1.21872, 2.43743]
    published("slow frequencies, eqs. (36)-(38)", found, value, abs=5e-6, unit="Hz")
    k = np.sin(np.radians(5))
    quarter, _ = quad(lambda x: 1 / np.sqrt(1 - (k * np.sin(x)) ** 2), 0, np.pi / 2)
    exact, source = dry().omega2 / (4 * quarter), "elliptic integral by SciPy"
    published("frequency of the pendulum", m.frequency, exact, rel=2e-6, unit="Hz", source=source)


@pytest.mark.parametrize("sign, order", [(-1, 2), (1, 1)])
def test_sign_of_the_second_harmonic(sign, order):
    """With -2 alpha1 alpha2 cos 2 psi / 3 ... (docs/errata.md) (35) solves the equation to the
    order of its expansion: the residual of the fast motion falls with the square of the amplitude;
    with the printed plus only linearly (relative to the motion)."""
    c = dry()

    def residual(a):
        psi = np.linspace(0, 2 * np.pi, 400, endpoint=False)
        second = c.alpha1 * a**2 / (2 * c.omega1**2)
        u = a * np.cos(psi) - second * (1 + sign * np.cos(2 * psi) / 3)
        curved = -a * np.cos(psi) + second * sign * 4 * np.cos(2 * psi) / 3
        rest = c.omega1**2 * (curved + u) + c.alpha1 * u**2
        return np.max(np.abs(rest)) / (c.omega1**2 * a)

    assert np.log2(residual(1e-7) / residual(5e-8)) == pytest.approx(order, abs=0.05)


@pytest.mark.parametrize("coefficients", [dry(), ms.lubricated(0.4)], ids=["dry", "film"])
def test_through_given_values(coefficients):
    """The solution passes through the values it was asked for."""
    y, angle = coefficients.rest - 1e-6, 0.15
    m = ms.Contact.through(coefficients, 0.1, y, -2e-3, angle, 0.2)
    step = 1e-7
    assert [m.y(0.1), m.angle(0.1)] == pytest.approx([y, angle], rel=1e-9)
    assert (m.y(0.1 + step) - m.y(0.1 - step)) / (2 * step) == pytest.approx(-2e-3, rel=1e-5)
    assert (m.angle(0.1 + step) - m.angle(0.1 - step)) / (2 * step) == pytest.approx(0.2, rel=1e-6)


def test_transient_and_steady_state(reference, published):
    """Fig. 3: within 4 % of the first dive in the transient, 1e-8 m after 26 ms."""
    table = reference("sliding_pendulum_LN_e0.90.csv")
    start = np.sqrt(2e-6 / 9.81)
    m = ms.Contact.through(dry(), start, -5e-4, -APPROACH, np.radians(10), 0.0)
    late = table["t"] > start
    y, exact, first = m.y(table["t"][late]), table["y"][late], np.ptp(table["y"])
    published("y, transient", y, exact, abs=0.04 * first, unit="m")
    # the steady state is still to come at 30 ms: 1 % of the fast motion is left
    published("y, last 4 of 30 ms", y[-20:], exact[-20:], abs=1e-8, unit="m")
    end = reference("sliding_pendulum.json")["y_at_3s"]
    published("y at 3 s", m.steady(3.0), end, abs=8e-10, unit="m")


def test_flight_is_exact(published):
    """y and theta of free flight (docs/errata.md) against eqs. (12), (13) by SciPy; a pendulum at
    rest does not move."""
    m, total, L, g = 50.0, 50.2, 1.0, 9.81

    def rhs(t, x):
        y, v, q, w = x
        A = [[total, m * L / 2 * np.sin(q)], [m * L / 2 * np.sin(q), m * L**2 / 3]]
        b = [-total * g - m * L / 2 * w**2 * np.cos(q), -m * g * L / 2 * np.sin(q)]
        a = np.linalg.solve(A, b)
        return [v, a[0], w, a[1]]

    t = np.linspace(0, 0.5, 11)
    for rate in (0.0, 3.0):
        start = [0.1, -0.2, 0.5, rate]
        exact = solve_ivp(rhs, (0, 0.5), start, t_eval=t, rtol=1e-11, atol=1e-13).y
        y, angle = ms.Flight(*start).motion(t)
        flight, source = f"in flight, {rate} rad/s", "eqs. (12), (13) by SciPy"
        published(f"y {flight}", y, exact[0], abs=1e-9, unit="m", source=source)
        published(f"angle {flight}", angle, exact[2], abs=1e-8, unit="rad", source=source)
    assert np.all(ms.Flight(0, 0, 0.5).motion(t)[1] == 0.5)


# --- primary resonance --------------------------------------------------------------------------
def test_peaks_of_the_response(known, published):
    """Fig. 4: amplitudes at resonance; the force by the mass."""
    for name, place, close in (("restitution", dry, 5e-3), ("clearance", partial(dry, 0.9), 1e-3)):
        values = known["peak_amplitude"][name]
        peaks = [ms.Resonance(place(float(x)), 10.0).peak for x in values]
        what = f"amplitude at resonance by {name}"
        published(what, peaks, list(values.values()), rel=close, unit="m")
    hc = ms.Resonance(dry(0.9, law=fc.HuntCrossley), 10.0)
    assert hc.peak < ms.Resonance(dry(), 10.0).peak  # section 4.5


def test_response_is_one_curve():
    """Amplitudes at a frequency and frequencies of an amplitude are the same curve."""
    for backbone in (False, True):
        found = ms.Resonance(dry(), 60.0, backbone)
        for f in (200.0, 251.0, 300.0):
            (a,) = found.amplitudes(f)
            assert min(abs(np.array(found.frequencies(a)) - f)) < 1e-6
    # where it folds there are three amplitudes, the largest stable
    weak = ms.Resonance(ms.dry(stiffness(), 5e-4, APPROACH), 0.15, True)
    f = float(np.mean(weak.frequencies(0.9 * weak.peak)))
    three = weak.amplitudes(f)
    assert len(three) == 3
    for a in three:
        assert min(abs(np.array(weak.frequencies(a)) - f)) < 1e-6


def test_without_damping(published):
    """Restitution 1: the amplitude stays; the linear response away from resonance."""
    c = dry(1.0)
    m = ms.Contact(c, 1e-6, 0.0, 0.0, 0.0)
    assert m.fast_amplitude(np.array([0.0, 1.0])) == pytest.approx([1e-6, 1e-6])
    found = ms.Resonance(c, 10.0)
    assert found.peak == np.inf
    sigma = 2 * np.pi * 240 - c.omega1
    exact = [10 / 50.2 / (2 * c.omega1 * abs(sigma))]
    published("amplitude at 240 Hz, no damping", found.amplitudes(240.0), exact, rel=1e-6, unit="m",
              source="linear oscillator by hand")  # fmt: skip


def test_backbone(published):
    """Second order: omega = omega1 [1 - (a / Delta)^2 / 24]; the free vibration on Hertz's contact
    by quadrature of its energy integral."""
    c = dry()
    delta = -c.rest - 5e-4
    shift = ms.Resonance(c, 10.0).shift
    exact, source = -c.omega1 / (24 * delta**2), "second order by hand"
    published("backbone", shift, exact, rel=1e-9, unit="rad/s m^2", source=source)

    def frequency(ratio):
        """Of motion between the turning points, the upper one at u = -ratio Delta; in omega1."""
        potential = lambda x: 0.4 * x**2.5 - x  # noqa: E731  x = depth / Delta, mass 1, g = 1
        energy = potential(1 - ratio)
        from scipy.optimize import brentq

        top = brentq(lambda x: potential(x) - energy, 1 + 1e-6, 3)
        middle, half = (top + 1 - ratio) / 2, (top - 1 + ratio) / 2
        period, _ = quad(
            lambda s: 2 * half * np.cos(s)
            / np.sqrt(2 * (energy - potential(middle + half * np.sin(s)))),
            -np.pi / 2, np.pi / 2,
        )  # fmt: skip
        return 2 * np.pi / period / np.sqrt(1.5), half

    for ratio in (0.05, 0.1):
        omega, half = frequency(ratio)
        what, source = f"backbone at {ratio} of the depth", "energy integral by SciPy"
        published(what, -(half**2) / 24, omega - 1, rel=2e-2, unit="omega1", source=source)


@pytest.mark.parametrize("frequency, error", [(240.0, 0.05), (251.344, 0.01), (265.0, 0.05)])
def test_dry_response_against_shooting(published, frequency, error):
    """10 N: first-order multiple scales are within 1 % at resonance and 5 % beside it, where
    damping (zeta = 0.1) of second order counts."""
    c = dry()
    flow = ms.dry_flow(c, stiffness(), 0.75 * 0.19, APPROACH, 10.0)
    orbit = periodic_orbit(flow, frequency)
    (ours,) = ms.Resonance(c, 10.0).amplitudes(frequency)
    published(f"amplitude at {frequency} Hz, dry", ours, orbit.amplitude(), rel=error, unit="m",
              source=SHOOTING)  # fmt: skip
    assert orbit.stable


def test_lubricated_response_against_shooting(published):
    """Fig. 8: at resonance within 1 % for 0.1 and 0.4 Pa s."""
    for viscosity in (0.1, 0.4):
        c = ms.lubricated(viscosity)
        orbit = periodic_orbit(ms.lubricated_flow(c, viscosity, 10.0), c.omega1 / (2 * np.pi))
        ours, what = ms.Resonance(c, 10.0).peak, f"amplitude at resonance, {viscosity} Pa s"
        published(what, ours, orbit.amplitude(), rel=0.01, unit="m", source=SHOOTING)


def test_backbone_bends_the_response_as_shooting_says(published):
    """Little damping (chi = 2e-3), 0.6 N: the second-order curve follows the resonance to lower
    frequencies, the first-order one does not."""
    chi, force = 2e-3, 0.6
    c = ms.dry(stiffness(), chi, APPROACH)
    flow = ms.dry_flow(c, stiffness(), chi, APPROACH, force)
    first, second = (ms.Resonance(c, force, b) for b in (False, True))
    f = np.mean(second.frequencies(0.999 * second.peak))
    orbit = periodic_orbit(flow, float(f), [0.0, -second.peak * c.omega1])
    published("amplitude, second order, 0.6 N", max(second.amplitudes(f)), orbit.amplitude(),
              rel=0.02, unit="m", source=SHOOTING)  # fmt: skip
    assert abs(orbit.amplitude() / max(first.amplitudes(f)) - 1) > 0.1


def test_written_flow_is_linear_for_small_forces(published):
    """The flow that shooting uses, at 10 mN: the linear oscillator's response to 2e-5."""
    c = dry()
    flow = ms.dry_flow(c, stiffness(), 0.75 * 0.19, APPROACH, 1e-2)
    assert isinstance(flow, OdeFlow)
    w = 2 * np.pi * 245
    linear = 1e-2 / 50.2 / abs(c.omega1**2 - w**2 + 1j * c.alpha2 * w)
    found = periodic_orbit(flow, 245.0).amplitude()
    published("amplitude, 10 mN at 245 Hz", found, linear, rel=2e-5, unit="m",
              source="closed form, linear oscillator")  # fmt: skip


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ms.dry(-1.0, 0.1, 1e-3), "stiffness must be positive"),
        (lambda: ms.dry(1e10, 0.1, 0.0), "approach must be positive"),
        (lambda: ms.lubricated(-0.4), "viscosity must be positive"),
        (lambda: ms.Resonance(dry(), 0.0), "force must be positive"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()

"""Bathe's composite scheme against closed forms."""

import numpy as np
import pytest

import fem_clearance as fc


def amplification(z, s=0.5):
    """Factor of a step for y' = z/h y: trapezoidal rule over s h, then three-point backward
    differences. With s = 1/2 this is (12 + 5 z) / (12 - 7 z + z^2)."""
    middle = (1 + s * z / 2) / (1 - s * z / 2)
    c1, c2, c3 = (1 - s) / s, -1 / ((1 - s) * s), (2 - s) / (1 - s)
    return (c1 + c2 * middle) / (z - c3)


def test_closed_form_of_the_published_scheme():
    z = np.array([0.3j, -0.7, 2 + 1j])
    assert amplification(z) == pytest.approx((12 + 5 * z) / (12 - 7 * z + z**2))


@pytest.mark.parametrize("split", [0.5, 2 - 2**0.5, 0.3])
@pytest.mark.parametrize("size", [0.1, 1.0, 20.0])
def test_oscillator_decay_and_algebraic_force(oscillate, split, size):
    """Each step multiplies q - i v / omega by the closed form, for steps of 0.1 to 20 / omega; the
    internal variable decays by the same form of -k h."""
    omega, h = 7.0, size / 7.0
    _, rows = oscillate(fc.Bathe(split), omega**2, h, 12, v=2.0)
    factor = amplification(1j * size, split) ** np.arange(13)
    expected = (1 - 2j / omega) * factor
    assert rows[:, 0] == pytest.approx(expected.real, rel=0, abs=1e-10)
    assert rows[:, 1] / -omega == pytest.approx(expected.imag, rel=0, abs=1e-10)
    decay = amplification(-(omega**2) * h, split) ** np.arange(13)
    assert rows[:, 2] == pytest.approx(decay, rel=0, abs=1e-10)


def test_period_elongation_and_amplitude_decay():
    """For small steps of x radians the period grows by x^2/24 of itself and the loss of amplitude
    in a step falls as x^4; for large ones nothing is left."""
    for x in (0.02, 0.01):
        factor = amplification(1j * x)
        assert x / np.angle(factor) - 1 == pytest.approx(x**2 / 24, rel=1e-2)
    losses = [-np.log(abs(amplification(1j * x))) for x in (0.2, 0.1)]
    assert np.log2(losses[0] / losses[1]) == pytest.approx(4, abs=0.05)
    assert abs(amplification(1e9j)) < 1e-8


@pytest.mark.parametrize("constraints", ["stabilised", "position"])
def test_second_order(mass_on_a_rod, constraints):
    """Position and velocity of the second order; the force too if velocities are constrained. With
    constraints on positions alone it is off by -(h/2) times the rate of the constrained
    acceleration: see docs/integrators.md."""
    run, exact = mass_on_a_rod
    steps = [4e-3, 2e-3, 1e-3]
    ends = [run(fc.Bathe(constraints=constraints), h, 0.8) for h in steps]
    errors = np.array(
        [[np.linalg.norm(a - b) for a, b in zip(e, exact(0.8), strict=True)] for e in ends]
    )
    order = np.log2(errors[:-1] / errors[1:])
    assert order[:, :2] == pytest.approx(2, abs=0.1), order
    assert order[:, 2] == pytest.approx(2 if constraints == "stabilised" else 1, abs=0.1), order


def test_second_order_for_the_heavy_top(heavy_top):
    """At least: turning directors leave little of the second order's error."""
    errors = np.array([heavy_top(fc.Bathe(), h, 0.1) for h in (1e-3, 5e-4, 2.5e-4)])
    assert np.all(np.log2(errors[:-1] / errors[1:]) > 1.9), errors
    assert errors[-1] == pytest.approx([0, 0], abs=2e-4)


@pytest.mark.parametrize("split", [0.0, 1.0, float("nan"), "half"])
def test_bad_split(split):
    with pytest.raises(fc.InputError, match="split"):
        fc.Bathe(split)


def test_bad_constraints():
    with pytest.raises(fc.InputError, match="constraints must be one of"):
        fc.Bathe(constraints="velocity")

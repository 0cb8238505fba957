"""Derivatives of periodic orbits, against closed forms."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.analysis import OdeFlow, PeriodicOrbit, SystemFlow

from .test_steady import derived


def oscillator(p):
    """m x'' + c x' + k x = f cos(w t)."""

    def rhs(t, x, _):
        force = p["f"] * np.cos(p["w"] * t)
        return [x[1], (force - p["c"] * x[1] - p["k"] * x[0]) / p["m"]]

    return PeriodicOrbit(OdeFlow(rhs, 2, 2 * np.pi / p["w"], rtol=1e-11, atol=1e-13))


OSCILLATOR = {"m": 1.0, "c": 0.1, "k": 2.0, "f": 0.3, "w": 1.1}


def exact(p):
    """Period, state at the start, size and angle of the multipliers exp((-c/2m +- i w_d) T)."""
    m, c, k, f, w = p.values()
    X = f / (k - m * w**2 + 1j * c * w)
    T, damped = 2 * np.pi / w, np.sqrt(k / m - (c / (2 * m)) ** 2)
    size, angle = np.exp(-c / (2 * m) * T), damped * T
    return np.array([T, X.real, -w * X.imag, size, abs(np.angle(np.exp(1j * angle)))])


def slopes(function, at):
    """Central differences of a closed form."""
    columns = []
    for name, value in at.items():
        h = 1e-5 * value
        up, down = (function(at | {name: value + z}) for z in (h, -h))
        columns.append((up - down) / (2 * h))
    return np.array(columns).T


def deviation(d, right):
    """Largest, by the largest derivative of each output."""
    return np.max(np.abs(d.jacobian - right) / np.abs(right).max(axis=1, keepdims=True))


OF = ["period", "x0", "x1", "multiplier1.size", "multiplier1.angle"]


def test_excited_oscillator():
    _, d = derived(oscillator, OSCILLATOR, OF)
    assert d.values == pytest.approx(exact(OSCILLATOR), rel=1e-7)
    right = slopes(exact, OSCILLATOR)
    assert deviation(d, right) < 1e-6


def test_limit_cycle_of_the_hopf_normal_form():
    """r' = r (a - r^2), phi' = w + b r^2: T = 2 pi / (w + a b), multiplier exp(-2 a T)."""

    def model(p):
        def rhs(t, z, _):
            x, y = z
            r2 = x * x + y * y
            grow, turn = p["a"] - r2, p["w"] + p["b"] * r2
            return [grow * x - turn * y, grow * y + turn * x]

        flow = OdeFlow(rhs, 2, None, rtol=1e-11, atol=1e-13)
        return PeriodicOrbit(flow, guess=(0.5, 0.1), period=5.0)

    def closed(p):
        T = 2 * np.pi / (p["w"] + p["a"] * p["b"])
        return np.array([T, np.exp(-2 * p["a"] * T)])

    at = {"a": 0.25, "w": 1.0, "b": 0.5}
    _, d = derived(model, at, ["period", "multiplier1.size"])
    assert d.values == pytest.approx(closed(at), rel=1e-7)
    assert deviation(d, slopes(closed, at)) < 1e-6
    with pytest.raises(fc.InputError, match="may start at any of its points"):
        fc.SteadySensitivity(model, at=at, of="x0").forward()
    with pytest.raises(fc.InputError, match="the orbit has only 1 multipliers"):
        fc.SteadySensitivity(model, at=at, of="multiplier2.size").forward()


def test_excited_system():
    """The oscillator as a multibody system: the error is that of 200 steps a period, 1e-3 (2 pi /
    200 squared)."""

    def model(p):
        def build(_):
            system = fc.System((0, 0, 0))
            block = system.add(
                fc.RigidBody(p["m"], (1, 1, 1), position=(5, 0, 0), name="block")
            )  # fmt: skip
            system.add(fc.PrismaticJoint(system.ground, block.center, axis=(1, 0, 0)))
            place = system.ground.at((0, 0, 0))
            system.add(fc.SpringDamper(place, block.center, p["k"], p["c"], free_length=5.0))
            push = fc.functions.Harmonic(p["f"], p["w"] / (2 * np.pi), np.pi / 2)
            system.add(fc.Force(block.center, (1, 0, 0), push))
            return system

        return PeriodicOrbit(SystemFlow(build, 2 * np.pi / p["w"]))

    at = {n: OSCILLATOR[n] for n in ("m", "c", "k", "f", "w")}
    s = fc.SteadySensitivity(model, at=at, of=["x0", *OF[3:]])
    d = s.forward()
    right = slopes(exact, at)[[1, 3, 4]]
    assert deviation(d, right) < 1e-3
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)

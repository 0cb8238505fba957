"""The double four-bar of the IFToMM benchmark library (N = 2), through its singular poses.

A chain of parallelograms with one freedom: all bars are in line twice a turn, where the
constraints lose rank. The reference is the exact solution of the one equation of motion,
3 theta'' = 3.5 (g / L) sin(theta), which agrees with extrapolated results of another code
(data/double_four_bar.json).
"""

import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.core.settings import SolverSettings
from fem_clearance.timestepping.row_engine import RowEngine

Z = (0, 0, 1)
SOURCE = "IFToMM benchmark A02, equation of motion by SciPy and Exudyn extrapolated"


def mechanism(small=1e-3):
    """Bars of 1 kg and 1 m; ``small``, the moment about their own line, does not matter."""
    system = fc.System(gravity=(0, -9.81, 0))
    upright, level = (1 / 12, small, 1 / 12), (small, 1 / 12, 1 / 12)
    turning = {"velocity": (0.5, 0, 0), "angular_velocity": (0, 0, -1)}
    bars = []
    for k in range(3):
        bar = fc.RigidBody(1.0, upright, position=(k, 0.5, 0), name=f"bar{k}", **turning)
        bars.append(system.add(bar))
        system.add(fc.RevoluteJoint(system.ground, bar.at((k, 0, 0)), axis=Z, name=f"A{k}"))
        if k:
            coupler = system.add(
                fc.RigidBody(
                    1.0, level, position=(k - 0.5, 1, 0), velocity=(1, 0, 0), name=f"rod{k}"
                )
            )
            for n in (k - 1, k):
                at = (n, 1, 0)
                system.add(
                    fc.RevoluteJoint(bars[n].at(at), coupler.at(at), axis=Z, name=f"B{n}{k}")
                )
    system.add(fc.Probe(bars[0].at((0, 1, 0)), name="B0"))
    return system


def tip(h, t_end=10.0, tolerance=1e-11):
    """Position and velocity of B0 at the end, with the largest change of energy on the way."""
    system = mechanism()
    newton = NewtonSolver(system.state, SolverSettings(tolerance))
    scheme = RowEngine(fc.GeneralizedAlpha(0.8), newton)
    scheme.start(h)
    system.channels.read()
    start, drift = system.channels["energy.total"], 0.0
    for k in range(round(t_end / h)):
        assert not (why := scheme.step(h)), f"t = {scheme.t}: {why}"
        newton.accepted()
        if k % 50 == 0:
            system.channels.read()
            drift = max(drift, abs(system.channels["energy.total"] - start))
    system.channels.read()
    return np.array([system.channels[f"B0.{x}"] for x in ("x", "y", "vx", "vy")]), drift


def test_position_at_10_s(reference, published, caplog):
    exact = np.array(
        reference("double_four_bar.json")["A02_double_four_bar"]["B0_t10"]["richardson"]
    )
    with caplog.at_level(logging.INFO, logger="fem_clearance"):
        (coarse, _), (fine, drift) = tip(1e-3), tip(5e-4)
    # two loops too many, three constraints each
    assert caplog.text.count(": 3 of its 5 constraints follow from others") == 2 * 2
    extrapolated = (4 * fine - coarse) / 3
    place = (0.32845811, 0.94451854)
    published("B0 at 10 s, extrapolated in the step", extrapolated[:2], place, abs=1e-6, unit="m")
    published("its velocity", extrapolated[2:], exact[2:], abs=1e-5, unit="m/s")
    ratio = np.linalg.norm(coarse[:2] - extrapolated[:2]) / np.linalg.norm(
        fine[:2] - extrapolated[:2]
    )
    assert ratio == pytest.approx(4.0, rel=0.1)
    assert drift < 1e-4 * 3.5 * 9.81 * 2

"""The slider-crank of Flores, Leine and Glocker with a finite-element slider.

The rigid limit is the same mechanism with a rigid slider of the same inertia whose corners carry
the same contact (half of a face's stiffness each), computed here.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
import pytest
from scipy.linalg import eigh, null_space

import fem_clearance as fc
from fem_clearance.cases import slider_crank_translational as case
from fem_clearance.statics.linearised import Linearised

K, DAMPING = 1e13, 2.5  # Pa/m, s/m
AREA = 0.1 * 0.05 - np.pi * case.HOLE**2
WIDTH = case.SLIDER[0] / (case.DENSITY * AREA)


@dataclass(frozen=True)
class Face(fc.NormalLaw):
    """F = K depth (1 + a rate): a half of ``Winkler`` on a face."""

    parameters: ClassVar[tuple[str, ...]] = ("K", "a")

    def values(self, contact):
        return {"K": contact.stiffness, "a": DAMPING}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth * (1 + p.a * rate)


def advance(system, t_end, tolerance, see):
    """A stepper at its end."""
    stepper = fc.Stepper(system, t_end=t_end, tolerance=tolerance)
    stepper.start()
    while stepper.t < t_end:
        stepper.advance()
        see(stepper.channels)
    return stepper


@cache
def rigid_peak(t_end):
    """Largest force on the upper surface with a rigid slider, N."""
    inner = np.pi * case.HOLE**4 / 2
    outer = 0.1 * 0.05 * (0.1**2 + 0.05**2) / 12
    inertia = case.DENSITY * WIDTH * (outer - inner)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case.fc, "ExactRestitution", lambda **_: Face())
        patch.setattr(case, "STIFFNESS", K * WIDTH * 0.1 / 2)
        model = case.case.model(case.case.resolve({"slider.inertia": inertia}))
    forces = []
    names = [f"guide.upper_{e}.normal_force" for e in ("rear", "front")]
    advance(model.system, t_end, 1e-10, lambda c: forces.append(sum(c[n] for n in names)))
    return max(forces)


def flexible(E, t_end, **changes):
    values = {
        "slider.model": "flexible", "slider.E": E, "slider.contact_stiffness": K,
        "slider.damping": 1e-8, **changes,
    }  # fmt: skip
    model = case.case.model(case.case.resolve(values))
    rows = []
    names = ("surface_upper.normal_force", "slider_angle.angle", "energy.total")
    stepper = advance(model.system, t_end, 1e-7, lambda c: rows.append([c[n] for n in names]))
    return stepper, np.array(rows).T


@pytest.mark.slow
def test_stiff_sliders_approach_the_rigid_one():
    """First impact, both corners: peak force rises to that of the rigid slider with E, tilt falls;
    the time of first contact is that of the rigid mechanism, 2.69250e-3 s."""
    t_end, peaks, tilts = 3.1e-3, [], []
    for E in (2e10, 2e11, 2e12):
        stepper, (force, tilt, energy) = flexible(E, t_end)
        peaks.append(force.max())
        tilts.append(abs(tilt).max())
        assert stepper.events[0].time == pytest.approx(2.69250e-3, rel=1e-4)
        assert np.diff(energy).max() < 1e-5 * energy[0]
    rigid = rigid_peak(t_end)
    assert peaks[0] < peaks[1] < peaks[2] < rigid
    assert peaks[2] == pytest.approx(rigid, rel=0.06)
    assert tilts[2] < 0.1 * tilts[1] < 0.1 * tilts[0]


def test_bad_input():
    for changes, message in (
        ({"slider.cells": "16"}, "must be numbers of cells around and through"),
        ({"slider.E": -1.0}, "slider.E must be positive"),
        ({"slider.model": "soft"}, "slider.model must be one of rigid, flexible"),
    ):
        with pytest.raises(fc.InputError, match=message):
            case.case.resolve(changes)
    values = {
        "slider.model": "flexible", "friction.law": "lugre", "integrator": "central_difference"
    }  # fmt: skip
    with pytest.raises(fc.InputError, match="an elastic slider needs friction.law=smooth"):
        case.case.model(case.case.resolve(values))


def impact(integrator, **steps):
    """Force on the upper surface and tilt over the first impact from the motion just before it,
    with the explicit run's slider (plane strain, lumped masses)."""
    values = {
        "slider.model": "flexible", "slider.contact_stiffness": K, "slider.damping": 1e-8,
        "integrator": "central_difference",
    }  # fmt: skip
    before, t_end = 2.68e-3, 0.1e-3
    systems = [case.case.model(case.case.resolve(values)).system for _ in range(2)]
    first = fc.Stepper(systems[0], t_end=before, tolerance=1e-8)
    first.start()
    while first.t < before:
        first.advance()
    initial = first.last().with_time(0.0)
    stepper = fc.Stepper(systems[1], integrator, t_end=t_end, initial=initial, **steps)
    stepper.start()
    rows = []
    while stepper.t < t_end:
        stepper.advance()
        c = stepper.channels
        rows.append(
            [c[n] for n in ("surface_upper.normal_force", "slider_angle.angle", "pin.frame.x")]
        )
    rows = np.array(rows)
    return np.array([rows[:, 0].max(), rows[-1, 1], rows[-1, 2]])


@pytest.mark.slow
def test_explicit_and_implicit_steps():
    """The first impact of both corners: peak force, tilt after it and place of the pin differ by
    what halving the step changes (or 1e-9 of a place in m)."""
    dt = 1.6e-7
    explicit, finer = (impact(fc.CentralDifference(), dt=h) for h in (dt, dt / 2))
    implicit, fine = (impact(fc.GeneralizedAlpha(1.0), dt=h) for h in (dt, dt / 2))
    print(explicit, finer, implicit, fine)
    halving = np.abs(explicit - finer) + np.abs(implicit - fine)
    assert np.all(np.abs(finer - fine) < halving + [0, 0, 1e-9])
    assert finer[0] == pytest.approx(fine[0], rel=0.005)


@pytest.mark.slow
def test_stable_step_of_the_mechanism():
    """2/omega_max of all vibrations that the constraints allow (scipy), not above and within
    1 %."""
    values = {
        "slider.model": "flexible", "slider.damping": 0.0, "integrator": "central_difference"
    }  # fmt: skip
    system = case.case.model(case.case.resolve(values)).system
    limit = fc.CentralDifference().stable_step(system)
    linear, held = Linearised(system.state), system.state.problem.constrained[: system.state.owned]
    K, M = linear.dense(linear.K), linear.dense(linear.M)
    rows = K[np.ix_(held, ~held)]
    N = null_space(rows / np.linalg.norm(rows, axis=1)[:, None], rcond=1e-10)
    K, M = (N.T @ A[np.ix_(~held, ~held)] @ N for A in (K, M))
    exact = 2 / np.sqrt(eigh(K, M, eigvals_only=True)[-1])
    assert 0.99 * exact < limit <= exact * (1 + 1e-6)

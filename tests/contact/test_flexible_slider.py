"""The slider-crank of Flores, Leine and Glocker with a finite-element slider.

The rigid limit is the same mechanism with a rigid slider of the same inertia whose corners carry
the same contact (half of a face's stiffness each), computed here.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.cases import slider_crank_translational as case

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
        patch.setattr(case.fc, "ExactRestitution", lambda restitution: Face())
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


@pytest.mark.slow
@pytest.mark.mpi
def test_same_motion_on_two_ranks(comm):
    """Up to the first impact the motion does not depend on the number of ranks."""
    values = {"slider.model": "flexible", "slider.cells": "16x2"}
    t_end = 2.6e-3
    motion = []
    for c in (comm, case.case.resolve(values, comm.Split(comm.rank)).comm):
        model = case.case.model(case.case.resolve(values, c))
        stepper = fc.Stepper(model.system, dt=2e-5, t_end=t_end)
        stepper.start()
        while stepper.t < t_end:
            stepper.advance()
        motion.append([stepper.channels[n] for n in ("pin.frame.x", "pin.frame.y")])
    assert motion[0] == pytest.approx(motion[1], abs=1e-9)


def test_bad_input():
    for changes, message in (
        ({"slider.cells": "16"}, "must be cells round and through"),
        ({"slider.E": -1.0}, "slider.E must be positive"),
        ({"slider.model": "soft"}, "slider.model must be one of rigid, flexible"),
    ):
        with pytest.raises(fc.InputError, match=message):
            case.case.resolve(changes)
    values = {"slider.model": "flexible", "friction.law": "lugre"}
    with pytest.raises(fc.InputError, match="smooth friction only"):
        case.case.model(case.case.resolve(values))

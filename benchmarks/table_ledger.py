"""The ledger of energy of every case that runs through time: how far it is open, how that falls.

    python benchmarks/table_ledger.py [case ...]
    python benchmarks/table_ledger.py --cost

For each case the first part of a run, twice: with steps of ``dt`` and of half of it, or with a
tolerance and a tenth of it. What is open is the largest ``energy.balance`` as a part of the largest
energy that moves (``energy_error`` of the summary). Fixed steps are of second order: half the step
leaves a quarter. Adaptive steps follow the cube root of ``tolerance`` and the root of
``contact_tolerance``: a tenth leaves a fifth to a tenth. What is not resolved (impacts that
are located, waves in elastic bodies that the integrator damps) falls by less.

With --cost: what the ledger's count of a step takes beside a whole step, us, least of many.
"""

import logging
import sys
import time
import timeit
from typing import NamedTuple

import numpy as np

import fem_clearance as fc
from fem_clearance import cases


class Run(NamedTuple):
    """The first part of a run of a case."""

    case: str
    settings: dict
    t_end: float
    #: of fixed steps, s; ``None``: adaptive
    dt: float | None = None
    #: largest part that may be open with the finer steps
    open: float = 1e-3
    #: least factor by which it falls, 0: not resolved
    falls: float = 3.0
    #: minutes
    slow: bool = False

    @property
    def label(self) -> str:
        """Case and settings."""
        return " ".join([self.case, *(f"{k}={v}" for k, v in self.settings.items())])

    def errors(self) -> tuple[list[float], dict]:
        """What is open with coarse and with fine steps, and the summary of the latter."""
        found, summary = [], {}
        for k in (0, 1):
            changes = {**self.settings, "t_end": self.t_end}
            if self.dt is None:
                changes |= {"tolerance": 1e-7 / 10**k, "contact_tolerance": 1e-4 / 10**k}
            else:
                changes |= {"adaptive": False, "dt": self.dt / 2**k}
            case = cases.get(self.case)
            simulation = case.simulation(changes, progress=False)
            summary = simulation.run().summary
            found.append(summary["energy_error"])
        return found, summary


RIGID = {"arm.model": "rigid"}
RUNS = (
    Run("heavy_top", {}, 0.1, 3e-4),
    Run("double_four_bar", {}, 1.0, 5e-3),
    Run("flexible_pendulum", {}, 0.2, 1e-3),
    Run("flexible_pendulum", {"beam.model": "ancf"}, 0.1, 1e-3),
    Run("twisting_column", {}, 0.02, 1e-3, 2e-3),
    Run("double_pendulum", RIGID | {"joint.kind": "ideal"}, 0.3, 1e-3),
    Run("double_pendulum", RIGID, 0.2, falls=1.5),
    Run("double_pendulum", RIGID | {"joint.friction": 0.1}, 0.2, falls=1.5),
    Run("double_pendulum", RIGID | {"joint.kind": "lubricated"}, 0.2, 1e-4),
    Run("double_pendulum", {}, 0.02, 2e-4),
    Run("spatial_four_bar", {"joint.kind": "ideal"}, 0.3, 1e-3),
    Run("spatial_four_bar", {}, 0.005, 1e-5, 2e-2, falls=0.0),
    Run("sliding_pendulum", {}, 0.02, 1e-5),
    Run("sliding_pendulum", {"law": "hunt_crossley"}, 0.02, 1e-5),
    Run("sliding_pendulum", {"force": "taylor3"}, 0.02, 1e-5, falls=2.5),
    Run("sliding_pendulum", {"force": "lubricated"}, 0.02, 1e-5),
    Run("slider_crank_revolute", {"joint.kind": "ideal"}, 0.03, 2e-5),
    Run("slider_crank_revolute", {}, 0.02, falls=1.5, slow=True),
    Run("slider_crank_translational", {}, 0.05, falls=1.5),
    Run("slider_crank_translational", {"drive": "constant_speed"}, 0.02, 5e-5, falls=1.5),
    Run("slider_crank_translational", {"joint.kind": "lubricated"}, 0.02, 1e-4),
    Run("slider_crank_translational", {"slider.model": "flexible"}, 2e-3, 1e-5, 1e-2, 2.0),
    Run("four_bar_wear", {"joint.kind": "ideal"}, 0.03, 1e-4),
    Run("four_bar_wear", {}, 0.01, 4e-6, falls=1.5),
    Run("split_bearing", {"shell.cells": 4}, 1.2e-3, 2e-6, falls=2.5),
    Run("stick_slip_oscillator", {}, 10.0, falls=1.5),
    Run("stick_slip_oscillator", {"friction": "smooth"}, 3.0, 1e-3, falls=1.5),
    Run("stick_slip_oscillator", {"friction": "lugre"}, 3.0, 1e-3, falls=1.5),
    Run("spur_gear_pair", {}, 0.01, 1e-5),
    Run("spur_gear_pair", {"friction": "constant"}, 0.01, 1e-5, falls=2.5),
    Run("spur_gear_pair", {"friction": "ehd"}, 0.01, 1e-5, falls=2.5),
    Run("flexible_slider_crank", {}, 0.01, 1e-4),
    Run("quick_return", {"bearings": "spring"}, 1e-3, 1e-5),
    Run("quick_return", {}, 1e-3, 1e-5, slow=True),
    Run("quick_return", {"bearings": "ehd"}, 1e-4, 1e-5, slow=True),
)


def table(names: list[str]) -> None:
    """Print the rows of these cases, or of all."""
    print("| case | to, s | dissipated, J | fed, J | open | finer |")
    print("|---|---|---|---|---|---|")
    for run in RUNS:
        if names and run.case not in names:
            continue
        (coarse, fine), found = run.errors()
        print(
            f"| {run.label} | {run.t_end:g} | {found['energy_dissipated']:.3g} | "
            f"{found['energy_fed']:.3g} | {coarse:.1e} | {fine:.1e} |",
            flush=True,
        )


def cost() -> None:
    """Print what counting takes."""
    print("| case | step, us | count, us |")
    print("|---|---|---|")
    for name, changes, dt in COSTS:
        system = cases.get(name).simulation(changes, progress=False).system
        stepper = fc.Stepper(system, dt=dt, t_end=600 * dt)
        stepper.start()
        times = [time.perf_counter()]
        while stepper.t < stepper.t_end:
            stepper.advance()
            stepper.channels.values  # noqa: B018  # what a run records
            times.append(time.perf_counter())
        taken = np.array(times[40:]) - times[:-40]
        counted = min(
            timeit.repeat(lambda s=stepper, h=dt: s.ledger.count(h), number=200, repeat=50)
        )
        print(f"| {name} | {taken.min() / 40 * 1e6:.0f} | {counted / 200 * 1e6:.1f} |", flush=True)


COSTS: tuple[tuple[str, dict, float], ...] = (
    ("slider_crank_revolute", {"joint.kind": "ideal"}, 2e-5),
    ("slider_crank_revolute", {}, 2e-6),
    ("slider_crank_translational", {}, 2e-6),
    ("quick_return", {"bearings": "spring"}, 5e-6),
    ("quick_return", {}, 5e-6),
)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    cost() if "--cost" in sys.argv else table(sys.argv[1:])

"""Derivatives of runs: how exact they are, and what they cost.

python benchmarks/bench_sensitivity.py
"""

import logging
import sys
import time
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import Guembel

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.sensitivity import models  # noqa: E402

TIP = ["tip.x", "tip.y"]
#: what it is, model, parameters, outputs, settings, relative change for differences of runs
CASES = (
    ("beam, 6 elements", models.beam, models.BEAM, TIP, {"t_end": 0.1, "dt": 1e-3}, 3e-3),
    (
        "journal in oil, 24 x 4", models.journal(Guembel()), models.JOURNAL,
        ["journal.x", "journal.y"], {"t_end": 1e-3, "dt": 2e-5}, 1e-3,
    ),
    ("clearance joint, fixed steps", models.pendulum, models.PENDULUM, TIP,
     {"t_end": 0.03, "dt": 1e-3}, 1e-4),
    ("clearance joint, adaptive", models.pendulum, models.PENDULUM, TIP,
     {"t_end": 0.03, "tolerance": 1e-8, "contact_tolerance": 1e-5}, 1e-3),
)  # fmt: skip


def seconds(work):
    tic = time.perf_counter()
    result = work()
    return time.perf_counter() - tic, result


def main():
    logging.disable(logging.WARNING)
    print("seconds of a run, of the models built around each parameter, of derivatives both ways;")
    print("adjoint against forward, and forward against differences of runs (largest, relative)")
    for name, model, at, of, settings, part in CASES:
        settings = {"newton_tolerance": 1e-13, **settings}
        s = fc.Sensitivity(model, at=at, of=of, **settings)
        s.forward(histories=False), s.adjoint()  # forms are compiled
        s.forget()
        run, _ = seconds(s.run)
        forward, f = seconds(lambda: s.forward(histories=False))  # noqa: B023
        adjoint, a = seconds(s.adjoint)
        builds, linear = seconds(lambda: s._linear(s.run()).__enter__())  # noqa: B023
        linear.destroy()
        steps = len(s.run().stepper.record)
        size = len(s.run().stepper.begin) * 8 / 1e3
        found = models.differences(model, at, of, part, **settings)
        largest = np.abs(f.scaled).max(axis=1, keepdims=True)
        both = (np.abs(a.scaled - f.scaled) / largest).max()
        runs = (np.abs(found * f.parameters - f.scaled) / largest).max()
        print(
            f"{name:30} {len(at)} parameters, {steps:4d} steps: run {run:.3f} s, builds "
            f"{builds:.2f} s, forward {forward - builds:.2f} s, adjoint {adjoint - builds:.2f} s; "
            f"{both:.0e}, {runs:.0e}; {2 * size:.0f} kB a step"
        )


if __name__ == "__main__":
    main()

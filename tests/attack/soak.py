"""Films, solids, gears and contacts in one process, over and over, with faults thrown in.

    python tests/attack/soak.py [MINUTES [SEED]]

Steps fail, PETSc's errors come from its solvers, signals and a full disk end runs; each is resumed
until it has come to its end. No traceback, no NaN, no hang, no growing memory. Prints what it did.
"""

import gc
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.errors import NoSolution
from fem_clearance.io.folder import MARK
from fem_clearance.io.rows import RowFile
from fem_clearance.timestepping.stepper import Stepper

#: a film, a solid with contacts, gears, contact of rigid bodies, friction that sticks
MODELS = {
    "sliding_pendulum": {"force": "lubricated", "dt": 1e-5, "t_end": 6e-4},
    "slider_crank_translational": {"slider.model": "flexible", "slider.cells": "8x2", "dt": 1e-4,
                                   "t_end": 2e-3},
    "spur_gear_pair": {"stiffness": "rectangular", "dt": 1e-4, "t_end": 6e-3},
    "double_pendulum": {"arm.model": "rigid", "joint.ball_radius": 0.0199, "t_end": 8e-3},
    "stick_slip_oscillator": {"dt": 1e-3, "t_end": 0.06},
}  # fmt: skip
#: runs of each until caches are full; growth of memory that is allowed after them, MB: pieces that
#: malloc cannot give back
WARM_UP, GROWTH = 3, 8.0


def resident() -> float:
    """Memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def faults(rng: random.Random, counts: Counter):
    """Within, a few steps and writes go wrong."""
    step, iterate, write = Stepper._step, NewtonSolver._iterate, RowFile._write

    def failing(self, h):
        if rng.random() < 0.02:
            counts["failed steps"] += 1
            return NoSolution("a fault was thrown in")
        if rng.random() < 0.01:
            counts["signals"] += 1
            os.kill(os.getpid(), rng.choice([signal.SIGINT, signal.SIGTERM]))
        return step(self, h)

    def breaking(self, time, full):
        if rng.random() < 0.005:
            counts["errors of PETSc"] += 1
            self.error = None
            return self._broken(76)
        return iterate(self, time, full)

    def full(self, block):
        if rng.random() < 0.02:
            counts["full disks"] += 1
            raise OSError(28, "No space left on device")
        write(self, block)

    Stepper._step, NewtonSolver._iterate, RowFile._write = failing, breaking, full
    try:
        yield
    finally:
        Stepper._step, NewtonSolver._iterate, RowFile._write = step, iterate, write


def run(name: str, folder: Path, rng: random.Random, counts: Counter) -> None:
    """One run with faults, resumed until it has ended; by itself in the end."""
    changes = MODELS[name] | {"checkpoint.every_s": 0.05, "output.fields_every": 0}
    for attempt in range(40):
        simulation = cases.get(name).simulation(changes, output=folder, progress=False)
        begun = (folder / MARK).exists()  # not where a signal came before the run had a folder
        try:
            if attempt < 30:
                with faults(rng, counts):
                    results = simulation.run(resume=begun)
            else:
                results = simulation.run(resume=begun)
        except (fc.Interrupted, fc.StepFailed, OSError):
            counts["resumed"] += 1
            continue
        assert results.time[-1] == MODELS[name]["t_end"]
        for channel in results.names:
            assert np.isfinite(results[channel]).all(), f"{name}: {channel} is no number"
        counts[name] += 1
        return
    raise AssertionError(f"{name} did not come to its end")


def soak(minutes: float, seed: int = 1, say=print) -> tuple[Counter, float]:
    """What was done, and the growth of memory after the warm-up, MB."""
    rng, counts, rounds, before = random.Random(seed), Counter(), 0, 0.0
    end = time.monotonic() + 60 * minutes
    while rounds < WARM_UP + 1 or time.monotonic() < end:
        for name in MODELS:
            with tempfile.TemporaryDirectory() as place:
                run(name, Path(place) / "run", rng, counts)
        rounds += 1
        gc.collect()
        if rounds == WARM_UP:
            before = resident()
        say(f"{rounds} rounds, {resident():.1f} MB", flush=True)
    return counts, resident() - before


if __name__ == "__main__":
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    counts, growth = soak(minutes, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    print(f"growth after {WARM_UP} rounds: {growth:.1f} MB")
    sys.exit(growth > GROWTH)

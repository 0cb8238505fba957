"""Memory over many runs in one process: double pendulums of rigid arms, through their impacts.

    python tests/test_soak.py [millions of steps]

does the same for longer and prints what it finds.
"""

import gc
import os
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path

import pytest

STATM = Path("/proc/self/statm")
#: fixed steps of 20 us; the first impact is at 0.0286 s
STEP, STEPS = 2e-5, 10_000
#: runs until caches are full, and growth that is allowed after them, MB: pieces of memory that
#: malloc cannot give back
WARM_UP, GROWTH = 10, 3.0


def resident() -> float:
    """Memory of this process, MB."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def soak(runs: int, say) -> float:
    """Growth of memory after the warm-up, MB."""
    from fem_clearance import cases

    case = cases.get("double_pendulum")
    changes = {"arm.model": "rigid", "dt": STEP, "t_end": STEP * STEPS}
    tic, before = time.monotonic(), 0.0
    for k in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            simulation = case.simulation(case.resolve(changes), output=folder, progress=False)
            results = simulation.run()
            assert results.summary["steps"] >= STEPS
        if k + 1 == WARM_UP:
            before = resident()
        if (k + 1) % WARM_UP == 0:
            say(f"{(k + 1) * STEPS} steps, {resident():.1f} MB, {time.monotonic() - tic:.0f} s")
    return resident() - before


@pytest.mark.parametrize("model", ["rigid", "cable"])
def test_memory_is_free_with_the_last_reference(model, tmp_path):
    """Nothing of a run waits for Python's collector: what does leaves holes between the runs."""
    from fem_clearance import cases

    case = cases.get("double_pendulum")
    simulation = case.simulation(
        case.resolve({"arm.model": model, "dt": STEP, "t_end": 3 * STEP}),
        output=tmp_path / "run",
        progress=False,
    )
    gc.collect()
    gc.disable()
    try:
        simulation.run()
        system = simulation.system
        left = [weakref.ref(z) for z in (simulation, system, system.state, system.channels)]
        del simulation, system
        assert not any(z() for z in left)
    finally:
        gc.enable()


@pytest.mark.slow
@pytest.mark.skipif(not STATM.exists(), reason="memory is read from Linux's /proc")
def test_memory_does_not_grow_over_runs():
    """In a process of its own; 400 000 steps."""
    run = subprocess.run(
        [sys.executable, __file__, "0.4"], capture_output=True, text=True, timeout=1200
    )
    assert run.returncode == 0, run.stdout + run.stderr


if __name__ == "__main__":
    millions = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    growth = soak(round(millions * 1e6 / STEPS), lambda text: print(text, flush=True))
    print(f"growth after the first {WARM_UP} runs: {growth:.2f} MB")
    sys.exit(growth > GROWTH)

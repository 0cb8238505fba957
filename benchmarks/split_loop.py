"""Where the time of a step goes: samples of Linux's perf, by library, for the loop's problems.

    python benchmarks/split_loop.py [problem ...] [--page docs/performance.md]

Needs ``perf`` (a package of the distribution's kernel tools); no rebuilt library. Prints
microseconds of CPU time a step.
"""

import argparse
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import harness
import problems as p

import fem_clearance as fc

#: name: system, step, steps
PROBLEMS = {
    "cable 5": (lambda: p.pendulum(5), 1e-3, 60_000),
    "cable 20": (lambda: p.pendulum(20), 1e-3, 25_000),
    "cable 200": (lambda: p.pendulum(200), 1e-3, 4_000),
    "quadratic 5": (lambda: p.pendulum(5, "quadratic"), 1e-3, 20_000),
    "quadratic 20": (lambda: p.pendulum(20, "quadratic"), 1e-3, 6_000),
    "P2 cables": (p.flexible_arms, 1e-5, 40_000),
    "P2 rigid": (p.rigid_arms, 5e-6, 40_000),
}
#: column: words in a library's or function's name, the first that fits counts
COLUMNS = {
    "kernels": ("libffcx",),
    "LU factor": ("MatLUFactor", "fc_nodes_factorise", "] subtract ", "] invert "),
    "LU solve": ("MatSolve", "fc_nodes_solve", "subtract_blocks"),
    "compiled loop": ("fc_loop",),
    "other PETSc": ("libpetsc", "petsc4py", "PETSc.", "libmpi", "libopenblas"),
    "Python": ("libpython", "numpy", "_multiarray", "_cffi", "ld-linux", "python"),
    "C library": ("",),
}


def samples(pid: int, path: Path):
    """Start perf on this process."""
    return subprocess.Popen(
        ["perf", "record", "-e", "cpu-clock", "-F", "4000", "-o", path, "-p", str(pid)],
        stderr=subprocess.DEVNULL,
    )


def split(path: Path) -> dict[str, float]:
    """Parts of the samples by column."""
    lines = subprocess.run(
        ["perf", "report", "-i", path, "--stdio", "--sort", "dso,symbol"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    parts = dict.fromkeys(COLUMNS, 0.0)
    for line in lines:
        words = line.split()
        if not words or not words[0].endswith("%"):
            continue
        column = next(c for c, names in COLUMNS.items() if any(n in line for n in names))
        parts[column] += float(words[0].rstrip("%"))
    total = sum(parts.values())
    return {c: x / total for c, x in parts.items()}


def measure(name: str) -> tuple[float, float, float, dict[str, float]]:
    """CPU time of a step in us, iterations, tangents, and parts of the time."""
    system, h, steps = PROBLEMS[name]
    stepper = fc.Stepper(system(), dt=h, t_end=2 * steps * h)
    stepper.start()
    while stepper.steps < 500:
        stepper.advance(500 - stepper.steps)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "perf.data"
        perf = samples(os.getpid(), path)
        time.sleep(1.5)  # until perf has attached
        first, newton = stepper.steps, stepper.newton
        before, tic = (newton.iterations, newton.tangents), time.process_time()
        while stepper.steps < first + steps:
            stepper.advance(first + steps - stepper.steps)
        spent = 1e6 * (time.process_time() - tic) / steps
        counts = [
            (z - z0) / steps
            for z, z0 in zip((newton.iterations, newton.tangents), before, strict=True)
        ]
        perf.send_signal(signal.SIGINT)
        perf.wait()
        return spent, *counts, split(path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("problems", nargs="*", default=[*PROBLEMS], help=", ".join(PROBLEMS))
    parser.add_argument("--page", type=Path, help="write the table into this page")
    options = parser.parse_args()
    if not shutil.which("perf"):
        print("this needs perf (Debian: linux-perf)")
        return
    lines = [f"| µs in a step | all | iterations | tangents | {' | '.join(COLUMNS)} |"]
    lines.append("|---" * (4 + len(COLUMNS)) + "|")
    print("\n".join(lines))
    for name in options.problems:
        spent, iterations, tangents, parts = measure(name)
        numbers = " | ".join(f"{x * spent:.1f}" for x in parts.values())
        lines.append(f"| {name} | {spent:.1f} | {iterations:.2f} | {tangents:.3f} | {numbers} |")
        print(lines[-1], flush=True)
    if options.page:
        harness.write_into(options.page, "split_loop", "\n".join(lines))


if __name__ == "__main__":
    main()

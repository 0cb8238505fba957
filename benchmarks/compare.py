"""What a change made slower: CPU time of steps beside that of another commit, in a minute or two.

    python benchmarks/compare.py [COMMIT] [--only NAME ...] [--rounds 2]

Runs of some problems with the working tree and with a commit (default: the last one, HEAD) take
turns, each in a process of its own; the least time a step of each counts. Prints ratios, marks
those above 1.10, and ends with exit code 1 if there are any: run those again before believing them.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import harness

ROOT = Path(__file__).parent.parent
#: ratio above which a problem counts as slower
SLOWER = 1.10
REPEATS = 3


def stepped(make, h: float, steps: int):
    """CPU time of a step in us of a system of problems.py."""
    import problems

    return min(problems.ours(make(problems), h, steps)["us_per_step"] for _ in range(REPEATS))


def whole(case: str, steps: int, **changes):
    """The same of a whole run of a case, without fields."""
    from fem_clearance import cases
    from fem_clearance.errors import LimitReached

    best = float("inf")
    for _ in range(REPEATS):
        run = cases.get(case).simulation({**changes, "output.fields_every": 0}, progress=False)
        run.max_steps = steps
        with suppress(LimitReached):
            run.run()
        summary = run.results.summary
        best = min(best, 1e6 * summary["cpu_s"] / summary["steps"])
    return best


def film(cells, responses=None):
    """The same of a journal under a load jump, see bench_films.py."""
    import bench_films

    liner = (None, None) if responses is None else ((24, 4, 1), "condensed")
    bench_films.CASES = {"one": (cells, *liner, responses)}
    bench_films.time.perf_counter = time.process_time
    bench_films.STEPS = 10
    return min(1e6 * bench_films.run("one")["step"] for _ in range(REPEATS))


WORK = {
    "5 cables": lambda: stepped(lambda p: p.pendulum(5), 2e-4, 2000),
    "20 cables": lambda: stepped(lambda p: p.pendulum(20), 2e-4, 1000),
    "5 quadratic beams": lambda: stepped(lambda p: p.pendulum(5, "quadratic"), 2e-4, 600),
    "rigid arms with contacts": lambda: stepped(lambda p: p.rigid_arms(), 5e-5, 4000),
    "cable arms with contacts": lambda: stepped(lambda p: p.flexible_arms(), 2e-5, 3000),
    "double_pendulum": lambda: whole("double_pendulum", 1500),
    "slider_crank_revolute": lambda: whole("slider_crank_revolute", 1500),
    "four_bar_wear": lambda: whole("four_bar_wear", 1500),
    "rigid film, 48x8": lambda: film((48, 8)),
    "condensed film, 48x8": lambda: film((48, 8), 20),
}  # fmt: skip


@contextmanager
def checked_out(commit: str):
    """Folder with a commit's files, for a while."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # it goes then, too
    with tempfile.TemporaryDirectory() as folder:
        tree = str(Path(folder) / "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", tree, commit], check=True)
        try:
            yield Path(tree)
        finally:
            subprocess.run([*git, "remove", "--force", tree], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?", default="HEAD")
    parser.add_argument("--only", nargs="+", choices=WORK, default=[*WORK], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--one", choices=WORK, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        harness.hand_over(WORK[options.one]())
        return 0
    slower = []
    print(f"| us a step | {options.commit} | working tree | ratio |\n|---|---|---|---|")
    with checked_out(options.commit) as tree:
        for name in options.only:
            best = {tree: float("inf"), ROOT: float("inf")}
            for _ in range(options.rounds):
                for place in best:
                    os.environ["PYTHONPATH"] = str(place)
                    best[place] = min(best[place], harness.alone(__file__, "--one", name))
            ratio = best[ROOT] / best[tree]
            mark = " slower" if ratio > SLOWER else ""
            print(f"| {name} | {best[tree]:.1f} | {best[ROOT]:.1f} | {ratio:.2f}{mark} |",
                  flush=True)  # fmt: skip
            slower += [name] * bool(mark)
    return bool(slower)


if __name__ == "__main__":
    sys.exit(main())

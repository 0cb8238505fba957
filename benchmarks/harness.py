"""What benchmarks share: runs in processes of their own, files of numbers, tables in pages."""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

RESULTS = Path(__file__).with_name("results")
MPIRUN = shutil.which(
    "mpirun", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
)
MARK = "RESULT "


def options(cases, **run):
    """The command line of a benchmark whose cases run on several numbers of ranks.

    Args:
        cases: names of all cases.
        run: how ``--one``, by which it starts a run of its own, is read.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", default=list(cases))
    parser.add_argument("--page", type=Path, help="write the table into this page")
    parser.add_argument("--one", help=argparse.SUPPRESS, **run)
    return parser.parse_args()


def hand_over(result, rank=0):
    """Called by such a run: its result goes to the process that has started it."""
    if rank == 0:
        print(MARK + json.dumps(result), flush=True)


def alone(script, *arguments, ranks=1, python=sys.executable):
    """What a script hands over when it is started with these arguments.

    Raises:
        RuntimeError: it handed nothing over; with the end of what it said.
    """
    command = [python, str(script), *map(str, arguments)]
    if ranks > 1:
        command = [MPIRUN, "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode or not lines:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return json.loads(lines[-1].removeprefix(MARK))


def keep(name, numbers, dated=False):
    """Write numbers as JSON into the folder of results; ``dated``: beside those of earlier runs."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}{time.strftime('-%Y%m%d-%H%M%S') if dated else ''}.json"
    path.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    print(f"written to {path}")


def stamp():
    """What numbers were measured with: a sentence for the page that shows them."""
    here = ["git", "-C", str(Path(__file__).parent)]
    commit = _said(*here, "rev-parse", "--short", "HEAD") or "unknown"
    if _said(*here, "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.processor() or platform.machine()
    cores, load = os.cpu_count(), os.getloadavg()[0]
    return (
        f"Measured at commit {commit} on {cores} cores of {processor}; load at the end {load:.1f}."
    )


def _said(*command):
    """Output of a command, empty where there is none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def write_into(page, name, text):
    """Put a text into a page of the documentation, between ``<!-- name -->`` and
    ``<!-- end of name -->``, with a stamp."""
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    new, count = re.subn(
        f"(?s)({start}).*({end})",
        lambda m: f"{m[1]}{text.rstrip()}\n\n{stamp()}\n{m[2]}",
        page.read_text(encoding="utf-8"),
    )
    if not count:
        raise SystemExit(f"{page} has no marks {start.strip()} and {end}")
    page.write_text(new, encoding="utf-8")

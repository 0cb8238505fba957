"""What benchmarks share: runs in processes of their own, files of numbers, tables in pages."""

import argparse
import json
import os
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


def write_into(page, name, text):
    """Put a text into a page of the documentation, between ``<!-- name -->`` and
    ``<!-- end of name -->``."""
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    new, count = re.subn(
        f"(?s)({start}).*({end})",
        lambda m: f"{m[1]}{text.rstrip()}\n{m[2]}",
        page.read_text(encoding="utf-8"),
    )
    if not count:
        raise SystemExit(f"{page} has no marks {start.strip()} and {end}")
    page.write_text(new, encoding="utf-8")

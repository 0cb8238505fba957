"""Parameter sweeps: every combination of some values, each a run in its own subfolder.

Under ``mpirun`` every rank takes runs of its own, each on a single rank.
"""

from __future__ import annotations

import csv
import itertools
import json
import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ._backend import MPI
from .errors import InputError, StepFailed
from .io import folder
from .io.case import Case
from .io.parameters import assignment
from .io.ranks import on_root

logger = logging.getLogger(__name__)

TABLE = "table.csv"


def sweep(
    case: Case,
    fixed: Mapping[str, Any],
    changes: Mapping[str, Any],
    vary: Sequence[str],
    out: Path,
    progress: bool = True,
) -> int:
    """Run all combinations; returns the exit code.

    Args:
        case: the case.
        fixed: parameters of its file.
        changes: parameters of the command line, the same in all runs.
        vary: ``key=a,b,c`` for each key that varies.
        out: folder for the runs' folders and ``table.csv``.
        progress: say when a run ends.

    Raises:
        InputError: a value that cannot be, before any run.
    """
    axes = dict(assignment(text) for text in vary)
    if len(axes) < len(vary) or axes.keys() & changes.keys():
        raise InputError("a parameter is varied twice, or both set and varied.")
    choices = {key: _values(text) for key, text in axes.items()}
    combinations = [
        dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values())
    ]
    values = [case.resolve({**fixed, **changes, **c}, MPI.COMM_SELF) for c in combinations]
    names = [_name(c) for c in combinations]
    if len(set(names)) < len(names):
        raise InputError("a value is listed twice in --vary.")
    comm = MPI.COMM_WORLD
    on_root(comm, _claim, out, names)
    mine = {}
    for k in range(comm.rank, len(names), comm.size):
        mine[k] = _one(case, values[k], out / names[k])
        if progress and comm.rank == 0:
            _say(names[k], mine[k])
    rows = {k: row for part in comm.allgather(mine) for k, row in part.items()}
    if progress and comm.rank == 0:
        for k in sorted(rows.keys() - mine.keys()):
            _say(names[k], rows[k])
    on_root(comm, _table, out / TABLE, [(combinations[k], rows[k]) for k in sorted(rows)])
    return 3 if any("stopped" in row for row in rows.values()) else 0


def _say(name: str, summary: Mapping[str, Any]) -> None:
    stopped = summary.get("stopped")
    print(f"{name}: {f'stopped: {stopped}' if stopped else 'done'}", flush=True)


def _values(text: str) -> list[str]:
    """Values between commas; lists in brackets count as one."""
    values = [v.strip() for v in re.split(r",(?![^\[]*\])", text)]
    if not all(values):
        raise InputError(f"--vary needs values between commas, got {text!r}.")
    return values


def _name(combination: Mapping[str, str]) -> str:
    text = ",".join(f"{k}={v}" for k, v in combination.items())
    return re.sub(r"[^\w.,=+-]", "_", text)


def _claim(out: Path, names: Sequence[str]) -> None:
    """The sweep's folder: new, empty, or of an earlier sweep."""
    ours = out.is_dir() and (
        (out / TABLE).exists() or not any(out.iterdir()) or (out / ".sweep").exists()
    )
    if out.exists() and not ours:
        raise InputError(
            f"{out} holds files that are not a sweep of fem_clearance; choose an empty folder."
        )
    for name in names:
        folder.RunFolder(out / name).check()
    out.mkdir(parents=True, exist_ok=True)
    (out / ".sweep").touch()


def _one(case: Case, values, path: Path) -> dict[str, Any]:
    """One run's summary, or the reason why there is none."""
    try:
        return dict(case.simulation(values, output=path, progress=False).run().summary)
    except StepFailed as error:
        saved = path / folder.SUMMARY
        summary = json.loads(saved.read_text()) if saved.exists() else {}
        return {**summary, "stopped": str(error)}
    except InputError as error:
        return {"stopped": str(error)}


def _table(path: Path, rows: Sequence[tuple[Mapping[str, str], Mapping[str, Any]]]) -> None:
    """One line a run: what was varied, then the numbers of its summary."""
    keys = list(dict.fromkeys(k for c, _ in rows for k in c))
    skip = {*keys, "case", "versions", "ended"}
    more = list(
        dict.fromkeys(
            k
            for _, s in rows
            for k, v in s.items()
            if k not in skip and not isinstance(v, (list, dict))
        )
    )
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*keys, *more])
        for combination, summary in rows:
            table.writerow([*combination.values(), *(summary.get(k, "") for k in more)])

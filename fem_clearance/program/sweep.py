"""Parameter sweeps: every combination of some values, each a run in its own subfolder.

Under ``mpirun`` teams of ranks take runs as they become free (farm.py). A sweep that was killed is
started again by the same command: finished runs are skipped, others go on from their checkpoints.
"""

from __future__ import annotations

import csv
import io
import itertools
import logging
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from tqdm import tqdm

from .._backend import MPI
from ..errors import InputError, Interrupted, LimitReached, StepFailed
from ..io import checkpoint, folder, toml
from ..io.files import replacing
from ..io.ranks import on_root
from ..runs.case import Case
from ..runs.parameters import Values, assignment
from ..runs.stored import read_summary
from .farm import farm

logger = logging.getLogger(__name__)

CSV, H5, FIGURE, MARK = "table.csv", "table.h5", "sweep.png", ".sweep"
#: entries of a summary that say nothing here
LEFT_OUT = {"case", "versions", "ended"}
#: drawn where a case has no key numbers of its own
PLAIN = ("steps", "cpu_s")


class Sweep:
    """All combinations of some parameters' values.

    Args:
        case: the case.
        fixed: parameters of its file.
        changes: parameters of the command line, the same in all runs.
        vary: ``key=a,b,c`` for each key that varies.
        out: folder for the runs' folders, tables and the figure.
        limits: ``max_wall`` and ``max_steps`` of each run, see ``Simulation``.
        overwrite: finished runs of other parameters in the folder.

    Attributes:
        combinations: of each run what varies, as text.
        names: of the runs' folders.
        rows: number of a run -> its summary, as far as it has ended; ``stopped`` says why one
            failed. On rank 0.

    Raises:
        InputError: a value that cannot be, a folder that is not ours.
    """

    def __init__(
        self,
        case: Case,
        fixed: Mapping[str, Any],
        changes: Mapping[str, Any],
        vary: Sequence[str],
        out: Path,
        limits: Mapping[str, Any] | None = None,
        overwrite: bool = False,
    ):
        axes = dict(assignment(text) for text in vary)
        if len(axes) < len(vary) or axes.keys() & changes.keys():
            raise InputError("a parameter is varied twice, or both set and varied.")
        choices = {key: _values(text) for key, text in axes.items()}
        self.case, self.changes, self.out = case, {**fixed, **changes}, out
        self.combinations = [
            dict(zip(choices, values, strict=True))
            for values in itertools.product(*choices.values())
        ]
        self.names = [_name(c) for c in self.combinations]
        if len(set(self.names)) < len(self.names):
            raise InputError("a value is listed twice in --vary.")
        for k in range(len(self.names)):
            self.values(k, MPI.COMM_SELF)
        self.rows: dict[int, dict[str, Any]] = {}
        self.limits, self.overwrite = dict(limits or {}), overwrite
        self._lock: Any = None  # the open mark of the folder

    def values(self, k: int, comm) -> Values:
        """Parameters of run ``k``."""
        return self.case.resolve({**self.changes, **self.combinations[k]}, comm)

    def run(self, comm=MPI.COMM_WORLD, team_size: int = 1, progress: bool = True) -> bool:
        """All runs that have not ended yet, then tables and figure; collective.

        Args:
            comm: all ranks.
            team_size: ranks that work on a run together.
            progress: print a line as a run ends; on a terminal show a bar too.

        Returns:
            whether all runs reached their end.
        """
        try:
            return self._run(comm, team_size, progress)
        except Interrupted as error:
            raise KeyboardInterrupt(*error.args) from None  # the command goes on, not ``resume``
        finally:
            if self._lock is not None:
                self._lock.close()

    def _run(self, comm, team_size: int, progress: bool) -> bool:
        left = on_root(comm, self._left)
        bar = tqdm(
            total=len(self.names), initial=len(self.names) - len(left), unit="run",
            dynamic_ncols=True, disable=not progress or comm.rank > 0 or not sys.stderr.isatty(),
        )  # fmt: skip

        def done(job, summary):
            self.rows[left[job]] = summary
            self._tables()
            if progress:
                end = f"stopped: {summary['stopped']}" if "stopped" in summary else "done"
                tqdm.write(f"{self.names[left[job]]}: {end}", file=sys.stdout)
            bar.update()

        with bar:
            farm(comm, lambda job, team: self._one(left[job], team), len(left), team_size, done)
        return on_root(comm, self._finish)

    def _left(self) -> list[int]:
        """Make the folder ours; numbers of the runs to do."""
        out = self.out
        ours = out.is_dir() and ((out / MARK).exists() or not any(out.iterdir()))
        if out.exists() and not ours:
            raise InputError(
                f"{out} holds files that are not a sweep of fem_clearance; choose an empty folder."
            )
        out.mkdir(parents=True, exist_ok=True)
        self._lock = folder.hold(out / MARK)
        if self._lock is None:
            raise InputError(
                f"another sweep is writing in {out}; wait for it or choose another folder."
            )
        for name in self.names:
            run = folder.RunFolder(out / name)
            run.check()
            run.unlock()
        for k in range(len(self.names)):
            summary = read_summary(self.out / self.names[k])
            if summary and "stopped" not in summary:
                if self._same(k):
                    self.rows[k] = summary
                elif not self.overwrite:
                    folder.RunFolder(self.out / self.names[k]).spare()
        if self.rows:
            logger.info("%d of %d runs have ended before", len(self.rows), len(self.names))
        return [k for k in range(len(self.names)) if k not in self.rows]

    def _same(self, k: int) -> bool:
        """Whether an earlier run had the same parameters."""
        path = self.out / self.names[k] / folder.CASE
        wanted = toml.write(self.case.source, self.values(k, MPI.COMM_SELF), self.case.digest)
        return path.exists() and path.read_bytes() == wanted.encode()

    def _goes_on(self, k: int) -> bool:
        """Whether an earlier run has left a checkpoint of the same parameters."""
        path = self.out / self.names[k] / folder.CHECKPOINT
        try:
            return self._same(k) and checkpoint.read(path) is not None
        except InputError as error:
            logger.warning("%s The run starts again.", error)
            return False

    def _one(self, k: int, team) -> dict[str, Any]:
        """One run's summary, with the reason where it failed."""
        path = self.out / self.names[k]
        try:
            simulation = self.case.simulation(
                self.values(k, team),
                output=path,
                overwrite=True,
                progress=False,
                comm=team,
                **self.limits,
            )
            again = on_root(team, self._goes_on, k)
            return dict(simulation.run(resume=again).summary)
        except (StepFailed, LimitReached, OSError) as error:
            return {**read_summary(path), "stopped": str(error)}
        except InputError as error:
            return {"stopped": str(error)}
        except Exception as error:
            logger.debug("%s failed", path, exc_info=True)
            return {"stopped": f"error in the program: {type(error).__name__}: {error}"}

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Names of columns and a row for each run that has ended: what varies, then the numbers
        and texts of its summary."""
        varied = list(self.combinations[0])
        more = dict.fromkeys(
            key
            for k in sorted(self.rows)
            for key, value in self.rows[k].items()
            if not (key in LEFT_OUT or key in varied or isinstance(value, (list, dict)))
        )
        return [*varied, *more], [
            [*self.combinations[k].values(), *(self.rows[k].get(key, "") for key in more)]
            for k in sorted(self.rows)
        ]

    def _tables(self) -> None:
        names, rows = self.table()
        run = folder.RunFolder(self.out)
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([names, *rows])
        run.write(CSV, text.getvalue())
        with replacing(self.out / H5) as temporary, h5py.File(temporary, "w") as file:
            for name, column in zip(names, zip(*rows, strict=True), strict=True):
                file[name] = _column(column)

    def _finish(self) -> bool:
        from ..plotting import sweeps

        self._tables()
        temporary = self.out / f".{FIGURE}"
        sweeps.draw(temporary, self.combinations, self._numbers(), self._units())
        if temporary.exists():  # drawn only where there are numbers
            os.replace(temporary, self.out / FIGURE)
        return not any("stopped" in row for row in self.rows.values())

    def _numbers(self) -> dict[str, np.ndarray]:
        """Key numbers of the runs by name, NaN for a run without one: those of the case, or
        ``PLAIN`` where it has none."""
        names, rows = self.table()
        found = {}
        for name, column in zip(names, zip(*rows, strict=True), strict=True):
            if name not in self.combinations[0] and any(_is_number(v) for v in column):
                found[name] = np.full(len(self.names), np.nan)
                for k, value in zip(sorted(self.rows), column, strict=True):
                    if _is_number(value):
                        found[name][k] = value
        own = {name: v for name, v in found.items() if name not in folder.COUNTED}
        return own or {name: found[name] for name in PLAIN if name in found}

    def _units(self) -> dict[str, str]:
        """Units of what varies and of key numbers."""
        units: dict[str, str] = {}
        for p in self.values(0, None).parameters.values():
            same = [alias for alias, factor in p.aliases.items() if factor == 1.0]
            units |= dict.fromkeys([p.name, *same], p.unit)
        return units | {k: u for r in self.rows.values() for k, u in r.get("units", {}).items()}


def _column(values: Sequence[Any]):
    """Numbers, NaN where one is missing; texts, where one is no number."""
    try:
        return np.array([np.nan if v in ("", None) else float(v) for v in values])
    except ValueError:
        return np.array([str(v) for v in values], dtype=h5py.string_dtype())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _values(text: str) -> list[str]:
    """Values between commas; lists in brackets count as one."""
    values = [v.strip() for v in re.split(r",(?![^\[]*\])", text)]
    if not all(values):
        raise InputError(f"--vary needs values between commas, got {text!r}.")
    return values


def _name(combination: Mapping[str, str]) -> str:
    text = ",".join(f"{k}={v}" for k, v in combination.items())
    return re.sub(r"[^\w.,=+-]", "_", text)

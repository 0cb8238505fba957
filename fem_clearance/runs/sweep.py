"""Parameter sweeps: all combinations of some values, each a run in a subfolder of its own.

Under ``mpirun`` teams of ranks take runs as they become free (farm.py). The same command restarts a
sweep that was killed: finished runs are skipped, others continue from their checkpoints.
"""

from __future__ import annotations

import importlib
import itertools
import logging
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from .. import _signals, checks
from .._backend import MPI
from ..errors import InputError, Interrupted, LimitReached, StepFailed
from ..io import checkpoint, folder
from ..io.ranks import on_root, warn_of_crowd
from ..io.toml import shortest
from .case import Case
from .differences import differences
from .farm import check_teams, farm
from .parameters import Values
from .stored import read_summary
from .sweep_results import COMMAND, MARK, SweepResults, draw, write

logger = logging.getLogger(__name__)


class Sweep:
    """All combinations of some parameters' values.

    Args:
        case: the case.
        fixed: parameters of the case file.
        changes: parameters of the command line, the same in all runs.
        vary: values by key, as text or typed.
        out: folder for the runs' folders, the tables and the figure.
        limits: ``max_wall`` and ``max_steps`` of each run, see ``Simulation``.
        overwrite: replace finished runs with other parameters in the folder.

    Attributes:
        combinations: varied values of each run, as text, by key.
        names: of the runs' folders.
        rows: number of a run -> its summary, for runs that have ended; ``stopped`` says why one
            failed. On rank 0.

    Raises:
        InputError: a value that is not allowed, a folder that is not a sweep's.
    """

    def __init__(
        self,
        case: Case,
        fixed: Mapping[str, Any],
        changes: Mapping[str, Any],
        vary: Mapping[str, Sequence[Any]],
        out: Path,
        limits: Mapping[str, Any] | None = None,
        overwrite: bool = False,
    ):
        if twice := vary.keys() & changes.keys():
            raise InputError(f"{min(twice)} is both set and varied.")
        if not vary:
            raise InputError("a sweep needs a parameter that varies.")
        self.case, self.changes, self.out = case, {**fixed, **changes}, out
        self.choices = choices = {key: [*self._texts(key, values)] for key, values in vary.items()}
        self.combinations = [
            dict(zip(choices, values, strict=True))
            for values in itertools.product(*choices.values())
        ]
        self.names = [_name(c) for c in self.combinations]
        if len(set(self.names)) < len(self.names):
            raise InputError("a value is listed twice among those that vary.")
        for k in range(len(self.names)):
            self.values(k, MPI.COMM_SELF)
        self.rows: dict[int, dict[str, Any]] = {}
        self.limits, self.overwrite = dict(limits or {}), overwrite
        self._lock: Any = None  # the open mark of the folder
        self._said: dict[str, str] = {}  # messages of runs, by which of them

    def _texts(self, key: str, values: Sequence[Any]) -> Iterator[str]:
        """Values of a parameter as text, converted to the parameter's unit."""
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise InputError(f"{key} must vary over a list of values, got {values!r}.")
        for value in values:
            text = value if isinstance(value, str) else _text(value)
            read = None if checks.is_number(text) else self.case.under(key, text)
            yield shortest(read) if isinstance(read, float) else text

    def values(self, k: int, comm) -> Values:
        """Parameters of run ``k``."""
        return self.case.resolve({**self.changes, **self.combinations[k]}, comm)

    def run(self, comm=MPI.COMM_WORLD, team_size: int = 1, progress: bool = True) -> bool:
        """Do all runs that have not ended yet, then write tables and figure; collective.

        Args:
            comm: all ranks.
            team_size: ranks of one run.
            progress: print a line when a run ends, and show a bar on a terminal.

        Returns:
            Whether all runs have reached their end.
        """
        check_teams(comm, team_size)
        warn_of_crowd(comm)
        try:
            with _signals.waiting():
                return self._run(comm, team_size, progress)
        finally:
            if self._lock is not None:
                self._lock.close()

    def _run(self, comm, team_size: int, progress: bool) -> bool:
        left = on_root(comm, self._left, progress)
        bar = tqdm(
            total=len(self.names), initial=len(self.names) - len(left), unit="run",
            dynamic_ncols=True, disable=not progress or comm.rank > 0 or not sys.stderr.isatty(),
        )  # fmt: skip

        def done(job, summary):
            self.rows[left[job]] = summary
            self._tables()
            if progress:
                end = f"stopped: {summary['stopped']}" if "stopped" in summary else "done"
                count = f"{len(self.rows)} of {len(self.names)}"
                tqdm.write(f"{self.names[left[job]]}: {end} ({count})", file=sys.stdout)
            bar.update()

        told: KeyboardInterrupt | None = None
        with bar:
            try:
                farm(comm, lambda job, team: self._one(left[job], team), len(left), team_size, done)
            except KeyboardInterrupt as error:
                if team_size > 1 and not isinstance(error, Interrupted):
                    raise  # other ranks of the team are in the middle of a step
                told = error
        told = next((error for error in comm.allgather(told) if error), None)
        if told:
            on_root(comm, self._cut)
            raise KeyboardInterrupt(*told.args)  # the same command continues it
        return on_root(comm, self._finish)

    @property
    def command(self) -> str:
        """The command of the program that does these runs."""
        words = ["fem-clearance", "sweep", self.case.source]
        for key, texts in self.choices.items():
            words += ["--vary", f"{key}={','.join(texts)}"]
        for key, value in self.changes.items():
            words += ["--set", f"{key}={_text(value)}"]
        return shlex.join([*words, "--out", str(self.out)])

    def _left(self, progress: bool) -> list[int]:
        """Take possession of the folder; returns the numbers of the runs to do."""
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
                if other := self._other(k):
                    if not self.overwrite:
                        folder.RunFolder(self.out / self.names[k]).spare(other)
                else:
                    self.rows[k] = summary
        folder.RunFolder(out).write(COMMAND, self.command + "\n")
        left = [k for k in range(len(self.names)) if k not in self.rows]
        begun = [k for k in left if (self._checkpoint(k) / checkpoint.NAME).exists()]
        again = sum(not self._other(k) for k in begun)
        if progress and (self.rows or again):
            tqdm.write(
                f"{len(self.rows)} of {len(self.names)} runs were completed earlier and are "
                f"skipped, {again} continue{'s' * (again == 1)} from a checkpoint",
                file=sys.stdout,
            )
        return left

    def _checkpoint(self, k: int) -> Path:
        return self.out / self.names[k] / folder.CHECKPOINT

    def _other(self, k: int) -> str:
        """How the parameters of an earlier run differ."""
        path = self.out / self.names[k] / folder.CASE
        return differences(path, self.case, self.values(k, MPI.COMM_SELF))

    def _goes_on(self, k: int) -> bool:
        """Whether an earlier run has left a checkpoint with the same parameters."""
        try:
            return not self._other(k) and checkpoint.read(self._checkpoint(k)) is not None
        except InputError as error:
            logger.warning("%s The run starts again.", error)
            return False

    def _one(self, k: int, team) -> dict[str, Any]:
        """Do one run; returns its summary, with the reason if it failed."""
        path = self.out / self.names[k]
        if told := next(filter(None, team.allgather(_signals.pending)), ""):
            raise Interrupted(told)
        alone = _signals.heard() if team.size == 1 else nullcontext()
        try:
            with alone, folder.named(self.names[k], self._said):
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

    def _tables(self) -> None:
        """Write the tables of the runs that have ended."""
        varied = list(self.combinations[0])
        ended = {self.names[k]: {**self.rows[k], **self.combinations[k]} for k in sorted(self.rows)}
        write(self.out, varied, ended, self._units())

    def _cut(self) -> None:
        """Add the runs that a signal has ended to the tables."""
        for k, name in enumerate(self.names):
            summary = read_summary(self.out / name)
            if k not in self.rows and summary and not self._other(k):
                self.rows[k] = summary
        if self.rows:
            self._tables()

    def _finish(self) -> bool:
        self._tables()
        draw(self.out)
        return not any("stopped" in row for row in self.rows.values())

    def _units(self) -> dict[str, str]:
        """Units of parameters, counters and key numbers."""
        units = dict(folder.COUNTED_UNITS)
        for p in self.values(0, None).parameters.values():
            same = [alias for alias, factor in p.aliases.items() if factor == 1.0]
            units |= dict.fromkeys([p.name, *same], p.unit)
        return units | {k: u for r in self.rows.values() for k, u in r.get("units", {}).items()}


def _text(value: Any) -> str:
    """A Python value as it is written in the shell."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, (float, np.floating)):
        return shortest(float(value))
    return str(value)


def _name(combination: Mapping[str, str]) -> str:
    text = ",".join(f"{k}={v}" for k, v in combination.items())
    return re.sub(r"[^\w.,=+-]", "_", text)


def sweep(
    case: Case | str,
    vary: Mapping[str, Sequence[Any]],
    changes: Mapping[str, Any] | None = None,
    *,
    output: str | Path | None = None,
    ranks: int = 1,
    overwrite: bool = False,
    max_wall: float | None = None,
    max_steps: int | None = None,
    progress: bool = True,
    comm: MPI.Comm = MPI.COMM_WORLD,
) -> SweepResults:
    """Run all combinations of some parameters' values, each in a folder of its own; collective.

    Runs that have already ended are not repeated, others are continued. In a script under
    ``mpirun`` the ranks share the runs.

    Args:
        case: a case, or the name of one.
        vary: values by parameter: ``{"joint.restitution": [0.5, 0.7], "clearance": ["20 um"]}``.
        changes: values of other parameters, the same in all runs.
        output: folder of the sweep; default ``runs/CASE_sweep``.
        ranks: number of ranks of each run.
        overwrite: replace finished runs with other parameters in the folder.
        max_wall, max_steps: of each run, see ``Simulation``.
        progress: print a line when a run ends.

    Returns:
        The table: a mapping from names of columns to one value per run. The column ``stopped`` says
        why runs failed.

    Raises:
        InputError: a value that is not allowed, a folder that is not a sweep's or contains finished
            runs with other parameters, ranks that cannot be divided.
        KeyboardInterrupt: a signal, on all ranks; runs have written checkpoints, from which the
            same call continues them.

    Example:
        >>> table = fc.sweep("double_pendulum", {"joint.restitution": [0.5, 0.9]}, {"t_end": 0.05})
        >>> table["first_impact_peak_force"]
    """
    if isinstance(case, str):  # cases are a higher layer
        case = importlib.import_module("fem_clearance.cases").get(case)
    if not isinstance(case, Case):
        raise InputError(f"sweep needs a Case or the name of one, got {case!r}.")
    if not isinstance(vary, Mapping):
        raise InputError(
            f"sweep: vary must be values by parameter, such as {{'t_end': [1, 2]}}, got {vary!r}."
        )
    limits = {"max_wall": max_wall, "max_steps": max_steps}
    out = Path("runs") / f"{case.name}_sweep" if output is None else Path(output)
    runs = Sweep(case, {}, dict(changes or {}), vary, out, limits, overwrite)
    runs.run(comm, checks.count("ranks", ranks), progress)
    return on_root(comm, SweepResults.open, out)

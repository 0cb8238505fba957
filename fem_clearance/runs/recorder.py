"""Output of a run: rows, fields, checkpoints and summary, in a folder or in memory."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from .. import checks
from .._backend import MPI
from ..core.observation import Channel
from ..errors import InputError
from ..fields.motion import MotionRecorder
from ..fields.writer import FieldWriter
from ..io import checkpoint, folder, toml
from ..io.files import damaged
from ..io.ranks import on_root
from ..io.rows import RowFile, Rows
from ..model.item import judge
from ..model.system import System
from ..timestepping.stepper import Stepper
from ..timestepping.typical_values import warn_of_values
from . import energy, results, stored
from .energy import EnergyMonitor, energy_at_rest, energy_sources
from .settings import OutputSettings

logger = logging.getLogger(__name__)


class Recorder:
    """Records the accepted steps of a stepper.

    Args:
        settings: of the output.
        system: the simulated system.
        stepper: at its start, or restored.
        about: data of the checkpoint from which the run is resumed, or ``None``.
        ranks: number of ranks, with those that have no work.
    """

    def __init__(
        self, settings: OutputSettings, system: System, stepper: Stepper,
        about: dict[str, Any] | None, ranks: int,
    ):  # fmt: skip
        self.settings, self.stepper, self.about = settings, stepper, about or {}
        self.system, self.comm = system, system.comm
        self.root, self.ranks = self.comm.rank == 0, ranks
        self.every = settings.every
        self.folder: Any = settings.folder  # None: results stay in memory
        names = stepper.channels.names
        still = energy_at_rest(self.system, stepper.span)
        self.monitor = EnergyMonitor(
            names,
            *energy_sources(self.system),
            settings.on_energy_growth,
            still,
            stepper.ledger.giver,
        )
        if not self.about:
            self.monitor.check_start(stepper.channels.values)
        self.channels = renamed(stepper.channels.list, settings.rename)
        self.rows: Any = None  # on rank 0, or in memory on every rank
        self.fields: FieldWriter | None = None
        self.motion: MotionRecorder | None = None
        self.tic, self.cpu = time.monotonic(), time.process_time()
        self.saved = self.tic
        self.writing = 0.0  # seconds that the last results.h5 took
        self.pending = self.steps % self.every != 0
        stepper.march.watch(self.monitor.c)
        #: steps that have been evaluated, including the start
        self.seen = self.steps - (not self.about)
        #: rows of steps made in one call, and whether the last step was made singly
        self.marched, self.single = np.zeros((0, 0)), True

    # --- counters -------------------------------------------------------------------------------
    @property
    def counters(self) -> dict[str, int]:
        """Totals of the run; a restored stepper continues them."""
        s = self.stepper
        return {
            "steps": s.steps,
            "rejected_steps": s.rejected_steps,
            "newton_iterations": s.newton.iterations,
            "jacobians": s.newton.tangents,
        }

    @property
    def steps(self) -> int:
        """Accepted steps of the whole run."""
        return self.stepper.steps

    def _times(self) -> dict[str, float]:
        """Wall time in s, and CPU time of all ranks; collective."""
        cpu = self.comm.allreduce(time.process_time() - self.cpu, op=MPI.SUM)
        return {
            "wall_s": self.about.get("wall_s", 0.0) + time.monotonic() - self.tic,
            "cpu_s": self.about.get("cpu_s", 0.0) + cpu,
        }

    # --- recording ------------------------------------------------------------------------------
    def open(self, to_log) -> None:
        """Open the files, and record the start unless the run is resumed; collective."""
        settings, resumed = self.settings, bool(self.about)
        if self.folder is None:
            self.rows = Rows(self.channels, settings.derived)
        else:
            on_root(self.comm, self._open_files, to_log, resumed)
        if settings.fields_every:
            after = self.stepper.t if resumed else None
            path, folder = (self.folder.path, self.folder.fields) if self.folder else (None, None)
            given = [c.name for c in self.stepper.channels.list]
            recorded = dict(zip(given, (c.name for c in self.channels), strict=True))
            self.motion = MotionRecorder(self.system, recorded, path, after)
            self.fields = FieldWriter(
                self.system, folder, settings.fields_every, after, self.motion
            )
        if self.monitor.unknown and not self.monitor.sources:
            logger.info(
                "the growth of energy is not checked, because %s may drive the system; its kind "
                "can state that it does not by feeds_energy = False",
                checks.some(self.monitor.unknown, energy.LISTED),
            )
        if resumed:
            self.monitor.restore(self.about["energy"])
            logger.info("resumed at t = %g s after %d steps", self.stepper.t, self.steps)
            return
        self.see()
        self.together(self.append)
        if self.fields:
            self.fields.record(self.stepper.t)

    def _open_files(self, to_log, resumed: bool):
        settings, run = self.settings, self.folder
        about = settings.case_file()
        run.claim(resumed, about and toml.write(**about))
        to_log(run.path / folder.LOG)
        if resumed:
            stored.restore_rows(run.path)
        keep = self.about["rows"] if resumed else None
        self.rows = RowFile(run.rows, self.channels, settings.derived, keep)
        run.h5.unlink(missing_ok=True)

    def ahead(self) -> tuple[float, float]:
        """Number of steps and time (s) up to which the stepper may continue without a call of
        ``see``."""
        return self.fields.ahead(self.steps) if self.fields else (inf, inf)

    def see(self) -> None:
        """Evaluate the steps accepted since the last call; ``append`` records them."""
        stepper, march = self.stepper, self.stepper.march
        self.marched, made = march.rows, self.steps - self.seen
        self.pending = self.steps % self.every != 0
        self.single = made > len(self.marched)
        if self.single:
            channels = stepper.channels
            self.monitor.see(channels.values, stepper.t, channels.guard)

    def append(self) -> None:
        """Record those of these steps that are due; rank 0 may raise ``OSError``."""
        rows, first, self.seen = self.marched, self.seen + 1, self.steps
        self.marched = rows[:0]
        if self.rows is None:
            return
        if not self.single and self.monitor.broken:
            rows = rows[:-1]
        if len(rows):
            self.rows.extend(rows[-first % self.every :: self.every])
        if self.single:
            self.append_last()

    def together(self, append: Callable[[], None]) -> None:
        """Call ``append`` or ``append_last`` where there are rows; what fails there is raised on
        every rank; collective."""
        if self.folder is None:
            append()
        else:
            on_root(self.comm, append)

    def append_last(self) -> None:
        """Record the present state if it is due; as ``append``."""
        if self.rows is not None and not self.pending and not self.monitor.broken:
            self.rows.append(self.stepper.t, self.stepper.channels.values)

    def shapes(self) -> None:
        """Write the bodies' shapes if they are due; collective."""
        if self.fields and self.fields.due(self.stepper.t, self.steps):
            self.fields.record(self.stepper.t)

    @property
    def due(self) -> bool:
        """Whether a checkpoint is due."""
        every = self.settings.checkpoint_every_s
        return self.folder is not None and time.monotonic() - self.saved > max(
            every, 20 * self.writing
        )

    # --- saving ---------------------------------------------------------------------------------
    def save(self, last: bool = False) -> None:
        """Write a checkpoint and ``results.h5``; collective."""
        if self.folder is None:
            return
        self.monitor.warn(self.stepper.t)
        state, times = self.stepper.snapshot(), self._times()
        on_root(self.comm, self._save, state, times, last)
        self.saved = time.monotonic()

    def _save(self, state, times, last):
        tic = time.monotonic()
        self.rows.sync()
        if self.motion is not None:
            self.motion.flush()
        about = {
            "t": self.stepper.t,
            "rows": len(self.rows),
            **times,
            "energy": self.monitor.snapshot(),
            "versions": folder.versions(),
        }
        checkpoint.write(self.folder.checkpoint, state, about)
        if not last:
            self._write_h5()
            logger.debug("t = %g s: checkpoint after %d steps", self.stepper.t, self.steps)
            self.writing = time.monotonic() - tic

    def _write_h5(self):
        stored.write_h5(self.folder.h5, self.rows.channels, self.rows.table(), self.stepper.events)

    def close(self, stopped: str | None = None) -> results.Results:
        """The end of a run, early or not: last row, checkpoint, summary; collective."""
        self.save(last=True)
        pending, self.pending = self.pending, False
        if pending:
            self.together(self.append_last)
        if self.fields:
            self.fields.record(self.stepper.t)
        if self.motion:
            self.motion.close()
        self.stepper.limits.say_coarse(self.stepper.dt)
        cells = self.comm.allgather(sum(c.count for c in self.stepper.state.components))
        cells += [0] * (self.ranks - len(cells))
        summary = {
            "case": self.settings.origin.name if self.settings.origin else None,
            "t": self.stepper.t,
            "t_end": self.stepper.t_end,
            **({"stopped": stopped} if stopped else {}),
            **self.counters,
            **self._times(),
            "ranks": self.ranks,
            "cells_per_rank": cells,
            "unknowns": self.stepper.state.size,
            **self.stepper.limits.summary(self.stepper.state),
            **self._slow_contacts(),
            **self.monitor.summary(),
            **self._of_contacts(),
        }
        self.monitor.warn(self.stepper.t)
        step = self.stepper.control.h if self.stepper.adaptive else self.stepper.dt
        braked = self.stepper.spin.drag(step)
        self.monitor.warn_open(self.stepper.t, braked or energy.REMEDY)
        if self.stepper.adaptive:
            warn_of_values(self.stepper.state)
        if self.folder is None:
            table = results.Results(
                self.rows.channels, self.rows.table(), summary,
                last=self.stepper.last(), events=self.stepper.events,
                motion=self.motion.motion if self.motion else None,
            )  # fmt: skip
            table.summary |= self._of_case(table) | {"versions": folder.versions()}
            judge(self.system, table)
            return table
        on_root(self.comm, self._close, summary)
        return results.Results.open(self.folder.path)

    def _slow_contacts(self) -> dict[str, dict[str, float]]:
        """Log which contacts use the least approach speed; collective."""
        slow = self.stepper.event_set.slow()
        if slow:
            logger.info(
                "contacts slower than the least approach speed, which was then used for their "
                "damping (approach_floor sets it): %s",
                ", ".join(f"{joint} ({speed:.2g} m/s)" for joint, speed in slow.items()),
            )
        return {"least_approach_speeds": slow} if slow else {}

    def _close(self, summary):
        run = self.folder
        self.rows.close()
        self._write_h5()
        run.rows.unlink()
        table = results.Results.open(run.path)
        summary |= {
            "rows": len(table),
            **self._of_case(table),
            "versions": folder.versions(),
            "ended": folder.now(),
        }
        run.write_summary(summary)
        judge(self.system, table)
        end = summary.get("stopped", "done")
        at = "" if "at t = " in end else f" at t = {summary['t']:g} s"
        logger.info("%s%s, %d steps in %.1f s", end, at, summary["steps"], summary["wall_s"])
        run.unlock()

    def _of_contacts(self) -> dict[str, float]:
        """Largest energy that a contact has given the bodies from onset to loss, relative to the
        work of its compression; collective."""
        gain = self.stepper.work.worst()
        if gain is None:
            return {"contact_gain": 0.0} if self.stepper.work.any else {}
        if gain.ratio > energy.LIMIT:
            logger.warning(
                "%s: the contact that ended at t = %g s gave the bodies %.3g J, %.2g of what its "
                "compression took; use smaller steps (dt, or contact_tolerance), or, if that does "
                "not help, correct its law, which returns more than it takes.",
                *(gain.owner, gain.time, gain.given, gain.ratio),
            )
        return {"contact_gain": gain.ratio}

    def _of_case(self, table) -> dict[str, Any]:
        case = self.settings.origin
        if case is None or case.summary is None:
            return {}
        try:
            found = case.summary(table, self.stepper.events)
            return found | {"units": {k: u for k, u in case.units.items() if k in found}}
        except Exception as error:  # a user's function must not cost the results
            logger.warning(
                "the summary of %s failed: %s: %s", case.name, type(error).__name__, error
            )
            return {}

    def abandon(self) -> None:
        """Close files that an unexpected error has left open; rows stay on disk. Not collective."""
        if self.motion is not None:
            self.motion.close()
        if self.root and self.rows is not None:
            try:
                self.rows.close()
            except OSError:
                pass
            if self.folder is not None:
                self.folder.unlock()


def renamed(channels, rename) -> list[Channel]:
    """Channels under the names that a case gives them; the longest prefix counts."""
    result = []
    for c in channels:
        name = c.name
        for old in sorted(rename, key=len, reverse=True):
            if name == old or name.startswith(old + "."):
                name = rename[old] + name[len(old) :]
                break
        result.append(Channel(name, c.unit, c.description))
    return result


def last_checkpoint(path) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """State and ``about`` of the last checkpoint of a run's folder, or ``None``.

    Raises:
        InputError: no run there, a damaged checkpoint.
    """
    run = folder.RunFolder(path)
    if not run.is_run:
        raise InputError(f"{run.path} holds no run to resume.")
    found = checkpoint.read(run.checkpoint)
    if found is not None and (missing := {"t", "rows", "energy"} - set(found[1])):
        why = f"it does not say {', '.join(sorted(missing))}"
        raise damaged(run.checkpoint / checkpoint.NAME, why, checkpoint.REMEDY)
    return found

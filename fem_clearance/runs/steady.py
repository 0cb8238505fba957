"""Runs of cases without time: the results of an analysis, written as a run of one row."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .. import _signals, deprecated
from .._backend import MPI
from ..core.observation import Channel
from ..errors import InputError
from ..io import folder, toml
from ..io.ranks import on_root
from ..io.vtk import Collection
from . import results, stored
from .parameters import Values
from .settings import Origin

logger = logging.getLogger(__name__)

if not TYPE_CHECKING:
    __getattr__ = deprecated.names(__name__, {"Analysis": "SteadyRun", "Findings": "SteadyResults"})


@dataclass
class SteadyResults:
    """Results of an analysis.

    Attributes:
        summary: entries of ``summary.json`` besides the channels.
        channels: values that are recorded in ``results.h5`` too, with units.
        fields: name -> text of a VTK file, for ``fields/NAME.pvd``.
        counters: work done: ``newton_iterations``, ``jacobians``, ``cells``, ``unknowns``.
    """

    summary: dict[str, Any]
    channels: Mapping[Channel, float] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)


class Analysed(Origin, Protocol):
    """What an analysis needs of its case, see ``Case``."""

    analyse: Callable[..., Any] | None

    def built(self, values: Values) -> Any: ...


class SteadyRun:
    """Takes the place of ``Simulation`` for a case without time: rank 0 works, all ranks get the
    results.

    Args:
        case: whose ``analyse`` is called.
        parameters: resolved.
        output: folder of the run, or ``None`` to keep the results in memory.
        comm: communicator of the run.
        overwrite: see ``Simulation``.
    """

    def __init__(
        self, case: Analysed, parameters: Values, output=None, comm=None, overwrite: bool = False
    ):
        self.overwrite = overwrite
        self.case, self.parameters = case, parameters
        self.folder = None if output is None else folder.RunFolder(output)
        self.comm = MPI.COMM_WORLD if comm is None else comm
        #: what is analysed; built here so that bad input is refused before any file is written
        self.built = case.built(parameters)

    def run(self, resume: bool = False) -> results.Results:
        """Analyse and write; collective.

        Raises:
            InputError: errors of the model; ``resume``.
            StepFailed: no solution; the folder holds the parameters and the log.
        """
        if resume:
            raise InputError(
                f"{self.case.name} has no time in which it could go on; run it again instead."
            )
        with folder.run_log(self.comm) as to_log:
            found = on_root(self.comm, _signals.heard()(self._work), to_log)
        if self.folder is not None:
            return results.Results.open(self.folder.path)
        return found

    def _work(self, to_log) -> results.Results:
        run = self.folder
        if run is None:
            return self._results(*self._analyse())
        try:
            run.check()
            if not self.overwrite:
                run.spare()
            text = toml.write(self.case.source, self.parameters, self.case.digest)
            run.claim(keep=False, case=text)
            to_log(run.path / folder.LOG)
            findings, table = self._analyse()
            for name, text in findings.fields.items():
                Collection(run.fields, name, None, MPI.COMM_SELF).add(0.0, text)
            found = self._results(findings, table)
            stored.write_h5(run.h5, found.channels, table)
            run.write_summary(found.summary | {"ended": folder.now()})
            logger.info("done in %.1f s", found.summary["wall_s"])
            return found
        finally:
            run.unlock()

    def _analyse(self) -> tuple[SteadyResults, np.ndarray]:
        """The results, with the time that they took, and the table of one row."""
        assert self.case.analyse is not None
        wall, cpu = time.monotonic(), time.process_time()
        findings = self.case.analyse(self.built, self.parameters)
        work = {"newton_iterations": 0, "jacobians": 0, "cells": 0} | dict(findings.counters)
        cells = work.pop("cells")
        numbers = {channel.name: value for channel, value in findings.channels.items()}
        units = {channel.name: channel.unit for channel in findings.channels if channel.unit}
        findings.summary = numbers | findings.summary | {
            "case": self.case.name, "steps": 0, "rejected_steps": 0, **work,
            "wall_s": time.monotonic() - wall, "cpu_s": time.process_time() - cpu,
            "ranks": self.comm.size, "cells_per_rank": [cells] + [0] * (self.comm.size - 1),
            "rows": 1, "units": units, "versions": folder.versions(),
        }  # fmt: skip
        return findings, np.array([[0.0, *findings.channels.values()]])

    def _results(self, findings: SteadyResults, table: np.ndarray) -> results.Results:
        return results.Results(list(findings.channels), table, findings.summary)

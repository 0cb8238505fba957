"""Work of one rank whose errors all ranks raise, and ranks that share cores."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from typing import Any

from .._backend import MPI

logger = logging.getLogger(__name__)


def on_root(comm, function: Callable[..., Any], *arguments) -> Any:
    """Call on rank 0; its result, or the same exception, on every rank."""
    result = failure = None
    if comm.rank == 0:
        try:
            result = function(*arguments)
        except (Exception, KeyboardInterrupt) as error:
            failure = error
    if comm.size > 1:
        _wait(comm)
        result, failure = comm.bcast((result, failure))
    if failure is not None:
        raise failure
    return result


def _wait(comm) -> None:
    """Wait until all ranks are here; after a millisecond without occupying the processor, because
    rank 0 may work for seconds."""
    here, tic = comm.Ibarrier(), time.monotonic()
    while not here.Test():
        if time.monotonic() - tic > 1e-3:
            time.sleep(1e-3)


def warn_of_crowd(comm) -> None:
    """Warn if ranks on one machine have fewer cores than they are; collective."""
    if comm.size == 1:
        return
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    bound = getattr(os, "sched_getaffinity", None)  # launchers may give each rank cores of its own
    own = bound(0) if bound else range(os.cpu_count() or 1)
    cores = len(set().union(*node.allgather(own)))
    crowded = comm.gather((node.size, cores) if node.size > cores else None)
    node.Free()
    if comm.rank == 0 and (found := next(filter(None, crowded), None)):
        logger.warning(
            "%d ranks share %d core%s: a rank that waits keeps its core busy, so that steps take "
            "many times as long; start at most one rank for each core.",
            *found, "s" * (found[1] > 1),
        )  # fmt: skip

"""Derivatives on several ranks: each of them runs the whole model, and derives its share.

A run and its record are the same on every rank. Forwards a rank solves for some of the parameters,
backwards for some of the outputs, and builds the changed models that these need.
"""

from __future__ import annotations

from collections.abc import Callable

from .._backend import MPI


def together[T](work: Callable[[], T], comm=MPI.COMM_WORLD) -> list[T]:
    """What ``work`` finds on each rank; what one raises all do. Collective."""
    found: T | None = None
    failure: Exception | None = None
    try:
        found = work()
    except Exception as error:
        failure = error
    outcomes = comm.allgather((found, failure))
    for _, failure in outcomes:
        if failure is not None:
            raise failure
    return [outcome for outcome, _ in outcomes]


def share(rank: int) -> slice:
    """Which parameters or outputs are a rank's."""
    return slice(rank, None, MPI.COMM_WORLD.size)


def own() -> slice:
    """Those of this rank."""
    return share(MPI.COMM_WORLD.rank)

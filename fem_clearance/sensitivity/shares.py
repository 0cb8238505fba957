"""Derivatives on several ranks: each rank runs the whole model and computes a share of them.

A run and its record are the same on every rank. In the forward method a rank solves for some of the
parameters, in the adjoint method for some of the outputs, and builds the changed models needed.
"""

from __future__ import annotations

from collections.abc import Callable

from .._backend import MPI


def together[T](work: Callable[[], T], comm=MPI.COMM_WORLD) -> list[T]:
    """Results of ``work`` on all ranks; an exception on one rank is raised on all. Collective."""
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
    """Parameters or outputs for which a rank computes derivatives."""
    return slice(rank, None, MPI.COMM_WORLD.size)


def own() -> slice:
    """Parameters or outputs of this rank."""
    return share(MPI.COMM_WORLD.rank)

"""Independent jobs on teams of ranks, distributed by ``mpi4py.futures`` as teams become free.

A thread of the first team's leader distributes the jobs, while the leader itself takes jobs from
the end of the queue; the other leaders are workers of the pool. The other ranks of a team follow
their leader.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from .._backend import MPI
from ..errors import InputError, Interrupted

#: the present work of this process: the pool passes tasks by the name of a function, not as objects
_serving: tuple[MPI.Comm, Callable[[int, MPI.Comm], Any]] | None = None
_END = -1


def farm(
    comm: MPI.Intracomm,
    work: Callable[[int, MPI.Comm], Any],
    jobs: int,
    team_size: int,
    done: Callable[[int, Any], None],
) -> None:
    """Do jobs ``0 .. jobs - 1``; collective.

    Args:
        comm: all ranks.
        work: ``work(job, team)`` does one job on all ranks of the communicator ``team``; its result
            is what it returns on the team's first rank. An exception ends all jobs.
        jobs: number of jobs.
        team_size: ranks of a team.
        done: ``done(job, result)`` is called on rank 0 after each job, by one thread at a time.

    Raises:
        InputError: the ranks cannot be divided into such teams.
    """
    global _serving
    check_teams(comm, team_size)
    team = comm.Split(comm.rank // team_size, comm.rank)
    leaders = comm.Split(0 if team.rank == 0 else MPI.UNDEFINED, comm.rank)
    _serving = team, work
    try:
        if team.rank:
            _follow(team, work)
            return
        try:
            if leaders.size == 1:
                for job in range(jobs):
                    done(job, _task(job))
            else:
                _hand_out(leaders, jobs, done)
        finally:
            team.bcast(_END)
    finally:
        _serving = None
        for used in (team, leaders):
            if used != MPI.COMM_NULL:
                used.Free()


def check_teams(comm: MPI.Intracomm, team_size: int) -> None:
    """Refuse ranks that cannot be divided into teams.

    Raises:
        InputError: their number is no multiple of ``team_size``.
    """
    if comm.size % team_size:
        raise InputError(
            f"ranks cannot work in teams of {team_size} where {comm.size} were started; "
            f"start a multiple of {team_size}."
        )


def _follow(team: MPI.Comm, work: Callable[[int, MPI.Comm], Any]) -> None:
    """Do what the leader says until the end."""
    ended: Interrupted | None = None
    while (job := team.bcast(None)) != _END:
        try:
            work(job, team)
        except Interrupted as error:  # all ranks of the team raise it
            ended = error
    if ended is not None:
        raise ended


def _task(job: int):
    """One job on this process's team; called on its leader."""
    assert _serving is not None
    team, work = _serving
    team.bcast(job)
    return work(job, team)


def _hand_out(leaders: Any, jobs: int, done) -> None:
    from mpi4py.futures import MPICommExecutor

    lock = threading.Lock()  # the pool reports from a thread of its own

    def report(job, result):
        with lock:
            done(job, result)

    def ended(future, job):
        if not future.cancelled() and not future.exception():
            report(job, future.result())

    pool: Any  # of mpi4py.futures; its stubs know only the context
    with MPICommExecutor(leaders) as pool:
        if pool is None:  # a worker, whose work is over
            return
        queue = [pool.submit(_task, job) for job in range(jobs)]
        for job, future in enumerate(queue):
            future.add_done_callback(partial(ended, job=job))
        try:
            for job, future in reversed(list(enumerate(queue))):
                if any(f.done() and not f.cancelled() and f.exception() for f in queue):
                    break
                if future.cancel():  # nobody has begun it
                    report(job, _task(job))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        for future in queue:
            if not future.cancelled():
                future.result()

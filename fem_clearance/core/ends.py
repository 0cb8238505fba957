"""The end of a program on several ranks, none of which must wait for one that has failed."""

from __future__ import annotations

import sys
import time


def agree(comm, code: int, message: str, patience: float = 10.0) -> tuple[int, str]:
    """The worst exit code of all ranks and its message; aborts all if some ranks do not answer.

    A rank with an error must not leave the others waiting in a collective call: if some ranks have
    not arrived here after ``patience`` seconds, the program is aborted.
    """
    if comm.size == 1:
        return code, message
    arrived = comm.Ibarrier()
    deadline = time.monotonic() + patience
    while not arrived.Test():
        if code and time.monotonic() > deadline:
            print(
                f"rank {comm.rank}: {message or 'failed'} (the other ranks were stopped)",
                flush=True,
            )
            comm.Abort(code)
        time.sleep(1e-3)
    answers = comm.allgather((code, message))
    return max(answers, key=lambda a: a[0])


def end_together(comm, patience: float = 10.0) -> None:
    """Make an uncaught exception on one rank of a script end all ranks, which would otherwise wait
    for ever. If all ranks raise, each ends normally; collective.

    Args:
        comm: of the ranks; the largest that was given counts.
        patience: time that a rank waits for the others to raise too, s.
    """
    before = sys.excepthook
    if comm.size <= getattr(before, "ranks", 1):
        return
    before, own = getattr(before, "before", before), comm.Dup()

    def hook(kind, error, trace) -> None:
        before(kind, error, trace)
        sys.stderr.flush()
        agree(own, 1, f"{kind.__name__}: {error}", patience)

    hook.ranks, hook.before = comm.size, before  # type: ignore[attr-defined]
    sys.excepthook = hook

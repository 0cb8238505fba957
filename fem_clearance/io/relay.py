"""Warnings that only some of the ranks know of: rank 0, which alone logs, is told of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Relay(logging.Handler):
    """Notes what a rank warns of during a run.

    A law warns where its cells are, which may be on one rank alone. What several ranks say of the
    same item, each by its own numbers, is said once.

    Args:
        comm: communicator of the run.
    """

    def __init__(self, comm: Any):
        super().__init__(logging.WARNING)
        self.comm = comm
        self._said: set[tuple[str, str]] = set()
        self._waiting: list[tuple[str, int, tuple[str, str], str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note a warning, by its text without numbers and its first argument, the item's name."""
        about = repr(record.args[:1]) if isinstance(record.args, tuple) else ""
        key = str(record.msg), about
        if key not in self._said:
            self._said.add(key)
            if self.comm.rank:
                self._waiting.append((record.name, record.levelno, key, record.getMessage()))

    @property
    def pending(self) -> bool:
        """Whether this rank has noted what rank 0 has not been told."""
        return bool(self._waiting)

    def tell(self) -> None:
        """Let rank 0 log what others have noted and it has not said itself; collective."""
        if self.comm.size == 1:
            return
        waiting, self._waiting = self._waiting, []
        for name, level, key, text in sum(self.comm.gather(waiting) or [], []):
            if key not in self._said:
                self._said.add(key)
                logging.getLogger(name).log(level, "%s", text)


@contextmanager
def relayed(comm: Any) -> Iterator[Relay]:
    """Within this context the warnings of the package are noted, and rank 0 is told of them at the
    latest at its end; other ranks log nothing. Collective, unless an error ends it."""
    package, relay = logging.getLogger("fem_clearance"), Relay(comm)
    level, handlers, passed_on = package.level, package.handlers, package.propagate
    if comm.rank:
        package.handlers, package.propagate = [relay], False
        package.setLevel(logging.WARNING)
    else:
        package.addHandler(relay)
    try:
        yield relay
        relay.tell()
    finally:
        if comm.rank:
            package.handlers, package.propagate = handlers, passed_on
            package.setLevel(level)
        else:
            package.removeHandler(relay)

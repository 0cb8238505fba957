"""Commands of the shell in forked processes: quick, because the package is loaded already, and free
to be killed, to crash or to hang."""

import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from fem_clearance.program.cli import main

#: Python's events that change files
EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "shutil.rmtree")


class Ended(NamedTuple):
    """How a command ended: its exit code (negative: the signal), what it said."""

    code: int
    said: str

    def sentence(self, *codes: int) -> str:
        """The one sentence of a command that ended with one of these exit codes, in good order."""
        assert self.code in codes, f"exit code {self.code}: {self.said[-2000:]}"
        in_order(self.said)
        lines = [z for z in self.said.splitlines() if z.startswith("fem-clearance: ")]
        assert len(lines) == (self.code != 0), self.said[-2000:]
        return lines[0] if lines else ""


def in_order(said: str) -> None:
    """Neither a traceback nor a page of PETSc's nor an error of the program's."""
    for bad in ("Traceback", "PETSC ERROR", "error in the program", "Exception ignored"):
        assert bad not in said, said[-3000:]


def shell(
    arguments: Sequence[str], before: Callable[[], None] = lambda: None, timeout: float = 120.0
) -> Ended:
    """``fem-clearance`` with these arguments; ``before`` is called first, in its process.

    Args:
        timeout: time of the processor, s, that it and what it calls (a compiler) may take; ten
            times as long by the clock, since others may use the machine.

    Raises:
        TimeoutError: it hangs (and is killed).
    """
    with tempfile.TemporaryFile() as out:
        pid = os.fork()
        if not pid:
            code = 1
            try:
                for stream in (1, 2):
                    os.dup2(out.fileno(), stream)
                sys.stdout, sys.stderr = (open(k, "w", closefd=False) for k in (1, 2))  # noqa: SIM115
                before()
                code = main([*map(str, arguments)])
            finally:
                with contextlib.suppress(Exception):
                    sys.stdout.flush(), sys.stderr.flush()
                os._exit(code)
        status = _wait(pid, timeout)
        out.seek(0)
        said = out.read().decode(errors="replace")
    if status is None:
        raise TimeoutError(f"{arguments} did not end in {timeout:g} s: {said[-1000:]}")
    return Ended(os.waitstatus_to_exitcode(status), said)


def _wait(pid: int, timeout: float) -> int | None:
    end = time.monotonic() + 10 * timeout
    while time.monotonic() < end and _used(pid) < timeout:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def _used(pid: int) -> float:
    """Time of the processor that a process and those that it has waited for took, s; 0 on systems
    that do not tell."""
    told = Path(f"/proc/{pid}/stat")
    if not told.exists():
        return 0.0
    numbers = told.read_text().rpartition(")")[2].split()
    return sum(map(int, numbers[11:15])) / os.sysconf("SC_CLK_TCK")


def events(folder: Path, number: int, what: Callable[[int], None]) -> Callable[[], None]:
    """For ``before``: at file event ``number`` below a folder ``what`` is called with it."""

    def hooked():
        count = [0]

        def hook(event, args):
            if event in EVENTS and args and str(folder) in str(args[0]):
                count[0] += 1
                if count[0] == number:
                    what(number)

        sys.addaudithook(hook)

    return hooked


def kill_at(folder: Path, number: int) -> Callable[[], None]:
    """For ``before``: the process dies at file event ``number`` below a folder."""
    return events(folder, number, lambda _: os.kill(os.getpid(), signal.SIGKILL))

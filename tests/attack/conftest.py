"""Attacks on the program, counted: ``make test-attack`` ends with a table of what was tried."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

#: kind of attack -> tried, fallen short
COUNTS = pytest.StashKey[dict[str, list[int]]]()

Attack = Callable[[str, str], AbstractContextManager[None]]


@pytest.fixture
def attack(request) -> Iterator[Attack]:
    """``with attack(kind, what):`` is one try, which falls short if what is inside raises. The
    others are tried all the same; the test then fails."""
    counts = request.config.stash.setdefault(COUNTS, {})
    short = []

    @contextmanager
    def one(kind: str, what: str) -> Iterator[None]:
        tried = counts.setdefault(kind, [0, 0])
        tried[0] += 1
        try:
            yield
        except (Exception, SystemExit, pytest.fail.Exception) as error:
            tried[1] += 1
            short.append(f"{kind}, {what}: {type(error).__name__}: {error}")

    yield one
    if short:
        pytest.fail("\n".join(short), pytrace=False)


@pytest.fixture(autouse=True, scope="session")
def signals() -> Iterator[None]:
    """As on a terminal: programs ignore what their parent ignores, as under ``nohup``."""
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGHUP)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def pytest_terminal_summary(terminalreporter, config):
    """The table."""
    counts = config.stash.get(COUNTS, {})
    if not counts:
        return
    terminalreporter.section("attacks")
    width = max(map(len, (*counts, "attack")))
    terminalreporter.line(f"{'attack':{width}}  {'tried':>6}  {'fallen short':>12}")
    for kind, (tried, short) in sorted(counts.items()):
        terminalreporter.line(f"{kind:{width}}  {tried:6d}  {short:12d}")
    tried, short = (sum(c[k] for c in counts.values()) for k in (0, 1))
    terminalreporter.line(f"{'all':{width}}  {tried:6d}  {short:12d}")

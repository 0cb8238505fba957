"""What limits the steps of a run: counted step by step, and reported at its end."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ..core.blocks import holding
from ..core.state import State
from ..errors import StepFailed
from .contact_events import BLURRED

logger = logging.getLogger(__name__)

#: accepted steps in a row at the smallest step after which a run ends
CREEPING = 200
#: what limited most steps, so many of which a log line lists
LISTED = 5
#: what a checkpoint keeps
KEPT = ("counts", "contact_steps", "resolved")


class Limits:
    """Counts what limited each accepted step, and ends runs that take the smallest step for long.

    Args:
        smallest: least step, s.
        chosen: whether it was given by the user, who then accepts any number of such steps.

    Attributes:
        counts: steps by what limited them, as this rank knows it: the number of an unknown, or
            words.
        contact_steps: of each joint for whose contact a fixed step was cut, the step in s that
            would not have been cut.
        resolved: of each joint whose contact_tolerance is finer than round-off, the one that was
            reached.
    """

    def __init__(self, smallest: float, chosen: bool):
        self.smallest, self.chosen = smallest, chosen
        self.counts: Counter[int | str] = Counter()
        self.contact_steps: dict[str, float] = {}
        self.resolved: dict[str, float] = {}
        self.creeping = 0
        self.said: set[str] = set()

    def accept(self, state: State, t: float, h: float, what: int | str, whole: bool) -> None:
        """Note an accepted step of ``h`` that ended at ``t``.

        Args:
            what: it was limited by: an unknown's number, words, or "" if another rank knows.
            whole: it was not shortened to hit a time.

        Raises:
            StepFailed: steps have been at their smallest for long.
        """
        if what != "":
            self.counts[what] += 1
        at_smallest = h <= self.smallest * (1 + 1e-9)
        self.creeping = self.creeping + 1 if at_smallest and whole else 0
        if self.creeping >= CREEPING and not self.chosen:
            found = max(state.comm.allgather(str(_named(what, state))))
            raise StepFailed(
                f"t = {t:.6g} s: {CREEPING} steps in a row were the smallest, {self.smallest:.2g} "
                f"s, limited by {found}; increase this tolerance, or use a gentler motion."
            )

    def accept_all(self, what: Mapping[int | str, int] | list[int | str]) -> None:
        """Note accepted steps above the smallest: what limited each, or how many each has."""
        self.counts.update(what)
        self.counts.pop("", None)  # another rank knows
        self.creeping = 0

    def most(self, state: State, before: Counter[int | str]) -> str:
        """What has limited most steps since ``counts`` were ``before``, as this rank knows it."""
        since = (self.counts - before).most_common(1)
        return _named(since[0][0], state) if since else ""

    def coarse(self, joint: str, step: float) -> None:
        """Note that a fixed step was cut for a joint's contact; ``step`` would not have been."""
        self.contact_steps[joint] = min(step, self.contact_steps.get(joint, step))

    def say_coarse(self, dt: float) -> None:
        """Report this once for each joint, after its first contact (or at the end of the run)."""
        for joint in self.contact_steps.keys() - self.said:
            self.said.add(joint)
            logger.warning(
                "%s: the fixed step of %.3g s is too long for its contact and was cut while that "
                "lasted; it asks for %.2g s", joint, dt, self.contact_steps[joint],
            )  # fmt: skip

    def blurred(self, joint: str, wanted: float, hidden: float) -> None:
        """Note that round-off hides a part of a contact's motion; reported once for each joint."""
        reached = BLURRED * hidden
        if joint not in self.resolved:
            logger.warning(
                "%s: round-off hides what contact_tolerance = %.2g asks for; its contact is "
                "resolved to about %.2g", joint, wanted, reached,
            )  # fmt: skip
        self.resolved[joint] = max(reached, self.resolved.get(joint, 0.0))

    def collect(self, state: State) -> tuple[Counter[str], dict[str, float], dict[str, float]]:
        """Counts by names, ``contact_steps`` and ``resolved`` of all ranks; collective."""
        counts: Counter[str] = Counter()
        steps: dict[str, float] = {}
        resolved: dict[str, float] = {}
        for theirs in state.comm.allgather((self.counts, self.contact_steps, self.resolved)):
            for what, n in theirs[0].items():
                counts[_named(what, state)] += n
            steps |= {k: min(x, steps.get(k, x)) for k, x in theirs[1].items()}
            resolved |= {k: max(x, resolved.get(k, x)) for k, x in theirs[2].items()}
        return counts, steps, resolved

    def summary(self, state: State) -> dict[str, dict[str, float]]:
        """Entries of a run's summary, and a log line; collective."""
        counts, steps, resolved = self.collect(state)
        every = counts.total()
        shares = {what: round(100 * n / every, 1) for what, n in counts.most_common()}
        if len(shares) > 1:
            said = [f"{w}: {p} %" for w, p in [*shares.items()][:LISTED]]
            said += [f"{len(shares) - LISTED} others"] * (len(shares) > LISTED)
            logger.info("the steps were limited by %s", ", ".join(said))
        found = {
            "steps_limited_by": shares,
            "contact_steps": steps,
            "contact_tolerance_reached": resolved,
        }
        return {k: x for k, x in found.items() if x}

    def snapshot(self, state: State) -> dict[str, np.ndarray]:
        """What a checkpoint keeps; collective."""
        result: dict[str, np.ndarray] = {}
        found: tuple[Mapping[str, float], ...] = self.collect(state)
        for name, kept in zip(KEPT, found, strict=True):
            result[f"{name}.names"] = np.array(list(kept))
            result[f"{name}.values"] = np.array(list(kept.values()), dtype=float)
        return result

    def restore(self, stored: dict[str, np.ndarray], first: bool) -> None:
        """Continue from a ``snapshot``; ``first``: on rank 0, which holds all earlier counts."""
        for name in KEPT if first else ():
            names, values = stored[f"{name}.names"], stored[f"{name}.values"]
            kept = dict(zip(map(str, names), map(float, values), strict=True))
            getattr(self, name).update(kept)


def _named(what: int | str, state: State) -> str:
    """What limited a step, in words."""
    if isinstance(what, str):
        return what
    block = holding(state.problem.blocks, what)
    return f"tolerance of {block.name if block else 'an unknown'}"


class Judged(Protocol):
    """A run whose last step has been judged, see ``Stepper``."""

    state: State
    limits: Limits
    errors: Any
    located: bool
    failed: bool
    whole: bool
    adaptive: bool
    dt: float


def limited_by(run: Judged, h: float) -> int | str:
    """What limited its step of ``h``: an unknown's number or words; "" on other ranks."""
    if run.located:
        what = "onsets of contact"
    elif run.failed:
        what = "Newton's method"
    elif not run.whole:
        what = "times to be hit"
    elif run.adaptive:
        return run.errors.limit
    elif h == run.dt:
        what = "the step given"
    else:
        what = "growth after a cut step"
        if run.limits.contact_steps:
            what = "contacts that bear no longer step"
    return "" if run.state.comm.rank else what

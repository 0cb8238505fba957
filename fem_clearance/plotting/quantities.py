"""Channels grouped by quantity, and names of quantities in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

#: a whole turn in units of angles
TURNS = {"rad": 2 * np.pi, "deg": 360.0}
#: descriptions of components: x of the force; x velocity of the centre of mass
_COMPONENT = re.compile(r"^([xyz]) (?:(velocity|acceleration) )?(?:of|from) the (.*)$")


class Described(Protocol):
    """Names with units and descriptions."""

    def unit(self, name: str) -> str:
        """Unit of a channel."""

    def description(self, name: str) -> str:
        """Description of a channel."""


def _split(results: Described, name: str) -> tuple[str, str]:
    """Component (or none) and quantity, in words."""
    text = results.description(name)
    found = _COMPONENT.match(text)
    if found is None:
        return "", text or name.rpartition(".")[2]
    component, rate, what = found.groups()
    return component, f"{rate} of the {what}" if rate else what


def quantities(results: Described, names: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """Channels by quantity and unit, in their order."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in names:
        found.setdefault((_split(results, name)[1], results.unit(name)), []).append(name)
    return found


def words(results: Described, names: Sequence[str]) -> str:
    """The quantity of some channels in words; of a single channel its whole description."""
    if len(names) == 1:
        return entire(results, names[0])
    found = list(dict.fromkeys(_split(results, n)[1] for n in names))
    return ", ".join(found)


def entire(results: Described, name: str) -> str:
    """A channel in words; its name where it has no description."""
    return results.description(name) or name


def short(results: Described, name: str, one_owner: bool) -> str:
    """What distinguishes a channel from others of its quantity: component, owner or last part."""
    owner, _, last = name.rpartition(".")
    component = _split(results, name)[0]
    if one_owner or not owner:
        return component or last
    return f"{owner}, {component}" if component else owner


def common(texts: set[str]) -> str:
    """The text that is common to all, or an empty one."""
    return next(iter(texts)) if len(texts) == 1 else ""


def unwrapped(values: np.ndarray, unit: str) -> np.ndarray:
    """Angles within one turn without their jumps; other values unchanged."""
    turn = TURNS.get(unit)
    if turn is None or not len(values) or np.ptp(values) > turn * (1 + 1e-9):
        return values
    return np.unwrap(values, period=turn)

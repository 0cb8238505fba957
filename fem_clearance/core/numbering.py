"""Local numbers of a rank: the unknowns that it owns, those of other ranks that its cells touch,
then condensed and fixed values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .blocks import Block
from .component import Component
from .roles import Condensed


class Numbering:
    """Which numbers of the system a rank holds.

    Args:
        components, condensed: of the system, and the blocks whose values follow those of others.
        low, high, size: of the unknowns that this rank owns the first number and the one past the
            last; unknowns of all ranks.

    Attributes:
        numbers: global number of each local one: owned, of other ranks, condensed, fixed; those
            that are not owned ascend.
        local, total: how many there are with those of other ranks, and in all.
        masters: whether condensed values that this rank holds follow others.
    """

    def __init__(
        self, components: list[Component], condensed: list[Block], low: int, high: int, size: int
    ):
        self._low, self._high = low, high
        read = [np.zeros(0, np.int64), *(np.unique(c.unknowns()) for c in components)]
        touched = np.unique(np.concatenate(read))
        masters = [
            b.role.master.numbers
            for b in condensed
            if isinstance(b.role, Condensed) and np.isin(b.numbers, touched).any()
        ]
        self.masters = bool(masters)
        known = np.unique(np.concatenate([touched, *masters]))
        ghosts = known[(known < size) & ((known < low) | (known >= high))]
        self.numbers = np.concatenate([np.arange(low, high), ghosts, known[known >= size]]).astype(
            np.int64
        )
        self.local, self.total = high - low + len(ghosts), len(self.numbers)

    def locate(self, numbers: np.ndarray) -> np.ndarray:
        """Local numbers of global ones; -1 where this rank does not hold them."""
        low, high = self._low, self._high
        own = (numbers >= low) & (numbers < high)
        result, rest = numbers - low, numbers[~own]
        others = np.append(self.numbers[high - low :], -1)
        at = np.searchsorted(others[:-1], rest)
        result[~own] = np.where(others[at] == rest, high - low + at, -1)
        return result


class LocalUnknowns(Sequence[np.ndarray]):
    """Local numbers of the unknowns of each component's cells, cells x dofs.

    Those of cells that fill bodies are made at each access: kernels have a copy in their own order.

    Args:
        components: of the system.
        locate: gives local numbers of global ones.
        anew: whether those of a component are made at each access.
    """

    def __init__(
        self, components: list[Component], locate: Callable[[np.ndarray], np.ndarray],
        anew: Callable[[Component], bool],
    ):  # fmt: skip
        self._components, self._locate = components, locate
        self._kept = [None if anew(c) else self._made(c) for c in components]

    def _made(self, c: Component) -> np.ndarray:
        return self._locate(c.unknowns()).astype(np.int32)

    def __len__(self) -> int:
        return len(self._components)

    def __getitem__(self, k):
        kept = self._kept[k]
        return self._made(self._components[k]) if kept is None else kept

"""Items, of which a system consists; some of them are bodies."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Item(Protocol):
    """A body, joint, load or probe.

    Attributes:
        name: for messages and channels; ``None``: ``System.add`` gives it one.
        prefix: of the name that an item without one of its own gets.
    """

    name: Any

    @property
    def prefix(self) -> str: ...

    def build(self, builder: Any, /) -> None:
        """Register unknowns and cells by ``builder.add_block`` and ``builder.add_cell``, and by
        ``builder.connect`` which bodies hold each other; see ``Builder``.

        Raises:
            InputError: invalid values.
        """


@runtime_checkable
class Body(Item, Protocol):
    """An item that can move.

    Attributes:
        free: it flies freely, so that nothing need connect it to the ground.
        position: where it is at the start, m, (3,).
    """

    @property
    def free(self) -> bool: ...

    @property
    def position(self) -> np.ndarray: ...


@runtime_checkable
class Extended(Protocol):
    """A body that is larger than a point.

    Attributes:
        corners: points that show its size, m, (n, 3).
    """

    @property
    def corners(self) -> np.ndarray: ...


@runtime_checkable
class ChecksSize(Protocol):
    """A body that compares its size with the rest of the model."""

    def check_size(self, others: list[np.ndarray]) -> None:
        """Warn of a size that is probably a mistake; ``others``: places of all other bodies, m."""


@runtime_checkable
class AtFrame(Protocol):
    """An item that acts on a frame ``i``."""

    @property
    def i(self) -> Any: ...


@runtime_checkable
class ToFrame(Protocol):
    """An item that acts on a frame ``j``."""

    @property
    def j(self) -> Any: ...


@runtime_checkable
class Judging(Protocol):
    """An item that checks after a run whether the results are within its range of validity."""

    def judge(self, table: Any) -> None:
        """Warn if they are not. ``table``: recorded channels by name, perhaps not all of them."""


def judge(system: Any, table: Any) -> None:
    """Let the items of a system check the recorded results; on one rank."""
    if system.comm.rank == 0:
        for item in system.items:
            if isinstance(item, Judging):
                item.judge(table)


class Shared(dict[Any, Any]):
    """Results computed once for an item, which its copies share."""

    def __deepcopy__(self, memo: dict) -> Shared:
        return self


def frames_of(item: Item) -> list[Any]:
    """The frames that an item has under the names ``i`` and ``j``."""
    first = [item.i] if isinstance(item, AtFrame) else []
    return first + [item.j] if isinstance(item, ToFrame) else first


def places(bodies) -> list[np.ndarray]:
    """Points that show where bodies are and how large they are."""
    return [p for b in bodies for p in (b.corners if isinstance(b, Extended) else [b.position])]

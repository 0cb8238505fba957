"""What a system is made of: items, some of which are bodies."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Item(Protocol):
    """A body, joint, load or probe.

    Frames it uses, if any, are its attributes ``i`` and ``j``.

    Attributes:
        name: for messages and channels; ``None``: ``System.add`` gives it one.
        prefix: of the name that an item without one of its own gets.
    """

    name: Any

    @property
    def prefix(self) -> str: ...

    def build(self, system: Any, /) -> None:
        """Register unknowns and cells by ``system.add_block`` and ``system.add_cell``, and by
        ``system.connect`` which bodies hold each other.

        Raises:
            InputError: values that cannot be.
        """


@runtime_checkable
class Body(Item, Protocol):
    """An item that can move.

    Where it is at the start is told by ``corners`` (m, shape (n, 3)), by the frames ``start`` and
    ``end``, or by ``position`` (m, shape (3,)).

    Attributes:
        free: it flies freely, so that nothing need connect it to the ground.
    """

    @property
    def free(self) -> bool: ...

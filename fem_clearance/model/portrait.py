"""Descriptions of items and bodies for pictures.

Every item has one method, ``portrait()``, which states its type, its frames, its axis and its
dimensions, so that a new joint appears in pictures without a change of the code that draws.
``docs/recording.md`` lists the types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..errors import InputError
from .frame import Frame
from .item import Item, frames_of


@dataclass(frozen=True)
class Portrait:
    """An item between frames, or at one.

    Attributes:
        type: a word such as ``"revolute"``.
        i, j: its frames, as far as it has them.
        axis: its direction at the start, in space; it turns with frame i.
        sizes: lengths by name, m.
        data: further data for pictures, in the types of JSON, by name.
    """

    type: str
    i: Frame | None = None
    j: Frame | None = None
    axis: np.ndarray | None = None
    sizes: dict[str, float] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)

    def more(self, sizes: Mapping[str, float] = {}, data: Mapping[str, Any] = {}) -> Portrait:
        """The same with further sizes and data."""
        return replace(self, sizes={**self.sizes, **sizes}, data={**self.data, **data})


@dataclass(frozen=True)
class BodyPortrait:
    """A body.

    Attributes:
        type: ``"rigid"``, ``"frame"`` (without mass), ``"beam"``, ``"solid"`` or ``"ground"``.
        frame: that moves with the whole of it; ``None`` of bodies that deform.
        shape: chosen for it, see ``shapes``; ``None``: links from joint to joint stand for it.
        data: further data for pictures, in the types of JSON, by name.
    """

    type: str
    frame: Frame | None = None
    shape: dict[str, Any] | None = None
    data: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Portrayed(Protocol):
    """An item that describes itself."""

    def portrait(self) -> Portrait | BodyPortrait: ...


def portrait_of(item: Item) -> Portrait | BodyPortrait:
    """An item's own portrait; of a user's item without one: its prefix and its frames, which
    pictures mark (``plain``)."""
    if isinstance(item, Portrayed):
        portrait = item.portrait()
        if not isinstance(portrait, Portrait | BodyPortrait):
            raise InputError(
                f"{item.name}: {type(item).__name__}.portrait must return a Portrait, got "
                f"{portrait!r:.60}."
            )
        return portrait
    frames = [f for f in frames_of(item) if isinstance(f, Frame)]
    first, second = (*frames, None, None)[:2]
    return Portrait(item.prefix, first, second, data={"plain": True})

"""A system as a tree: its bodies, then joints, loads and probes, each with frames, unknowns and
parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from .. import markup
from ..core.blocks import Block
from ..core.roles import Coordinate, Internal, Multiplier
from .builder import Parts
from .item import Item, frames_of


class Model(Protocol):
    """A system, as far as it is shown.

    Attributes:
        gravity: m/s^2, (3,).
        parts: what its items have registered.
    """

    gravity: np.ndarray
    parts: Parts


def line(system: Model) -> str:
    """What a system is, in a line."""
    return f"<System: {_about(system)}>"


def _about(system: Model) -> str:
    parts = system.parts
    others = len(parts.items) - len(parts.bodies)
    found = _counted(unknowns([*parts.blocks, *(b for b, _ in parts.after)]))
    return (
        f"{_number(len(parts.bodies), 'body', 'bodies')}, "
        f"{_number(others, 'joint, load or probe', 'joints, loads and probes')}; "
        f"{found or 'no unknowns'}"
    )


def html(system: Model) -> str:
    """The tree; each branch opens on a click."""
    parts = system.parts
    g = ", ".join(f"{x:g}" for x in system.gravity)
    head = markup.paragraph(f"System: {_about(system)}; gravity ({g}) m/s^2")
    blocks = [*parts.blocks, *(b for b, _ in parts.after)]
    groups: dict[str, list[Any]] = {
        "bodies": parts.bodies,
        "joints, loads and probes": [i for i in parts.items if not _among(i, parts.bodies)],
    }
    return head + "".join(
        markup.folded(
            f"{title} ({len(items)})", "".join(_branch(i, _own(i, blocks)) for i in items), True
        )
        for title, items in groups.items()
        if items
    )


def _branch(item: Any, blocks: list[Block]) -> str:
    """An item: class, name and unknowns; inside, its frames and parameters."""
    found = _counted(unknowns(blocks))
    title = f"{item.name}: {type(item).__name__}" + (f", {found}" if found else "")
    rows = markup.parameters(item) if isinstance(item, markup.Shown) else {}
    if not rows:
        rows = {f"frame {k}": markup.text(f) for k, f in zip("ij", frames_of(item), strict=False)}
    if not rows:
        return markup.paragraph(title)
    return markup.folded(title, markup.table(("parameter", "value"), rows.items()))


def unknowns(blocks: list[Block]) -> Counter[str]:
    """How many unknowns of each sort blocks have."""
    found: Counter[str] = Counter()
    for block in blocks:
        found[_sort(block)] += int(block.free.sum())
    return found


def _sort(block: Block) -> str:
    if isinstance(block.role, Internal):
        return "internal variables"
    if isinstance(block.role, Coordinate):
        return "coordinates"
    return "multipliers" if isinstance(block.role, Multiplier) else "algebraic unknowns"


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{n} {sort}" for sort, n in found.items() if n)


def _own(item: Item, blocks: list[Block]) -> list[Block]:
    """Blocks that an item has registered, also those of its parts (``joint.film``)."""
    return [b for b in blocks if b.owner == item.name or b.owner.startswith(f"{item.name}.")]


def _among(item: Item, bodies: Sequence[Item]) -> bool:
    return any(item is body for body in bodies)


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"

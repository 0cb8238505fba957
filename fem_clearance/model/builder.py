"""The object with which items register their unknowns and cells. The system takes these once the
item has been built, and nothing of an item that cannot be built."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np

from .. import checks
from ..core.blocks import Block, Ref
from ..core.component import Cell
from ..core.kind import Kind
from ..core.state import State
from ..errors import InputError
from .ground import Ground
from .item import Body, Item, frames_of, places

ItemT = TypeVar("ItemT", bound=Item)


@dataclass
class Parts:
    """What items have registered.

    Attributes:
        items: all of them; ``bodies``: those that can move.
        automatic: names given by the system.
        blocks: unknowns, except those of ``after``.
        after: unknowns (multipliers) to be numbered after those of some frames.
        first: blocks of a mesh to be numbered before others, their nodes, and the others.
        later: names of bodies, and of others behind which their unknowns are numbered.
        cells: cells of each kind.
        links: bodies that hold each other.
        first_guesses: functions of the state that set first guesses of algebraic unknowns at the
            start of a run.
        inputs: functions of the state that read numbers of cells from outside at the start of a
            run.
        sources: names of items that can raise the energy although their kind does not state so.
    """

    items: list[Item] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    automatic: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    after: list[tuple[Block, tuple]] = field(default_factory=list)
    first: list[tuple[list[Block], np.ndarray, list[Block]]] = field(default_factory=list)
    later: list[tuple[str, str]] = field(default_factory=list)
    cells: dict[Kind, list[Cell]] = field(default_factory=lambda: defaultdict(list))
    links: list[tuple] = field(default_factory=list)
    first_guesses: list[Callable[[State], None]] = field(default_factory=list)
    inputs: list[Callable[[State], Any]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    def take(self, other: Parts) -> None:
        """Add what ``other`` holds."""
        for f in fields(self):
            mine, more = getattr(self, f.name), getattr(other, f.name)
            if f.name == "cells":
                for kind, cells in more.items():
                    mine[kind] += cells
            else:
                mine += more

    def copy(self) -> Parts:
        """The same parts in lists of its own."""
        result = Parts()
        result.take(self)
        return result


class Registered:
    """Base of classes with ``parts``: access to the most common of them by name."""

    parts: Parts

    @property
    def items(self) -> list[Item]:
        """All items added so far."""
        return self.parts.items

    @property
    def bodies(self) -> list[Body]:
        """Those of them that can move."""
        return self.parts.bodies

    @property
    def blocks(self) -> list[Block]:
        """Unknowns registered so far, except multipliers."""
        return self.parts.blocks

    @property
    def cells(self) -> dict[Kind, list[Cell]]:
        """Cells of each kind registered so far."""
        return self.parts.cells

    def extent(self) -> float:
        """Size of the system, m: the scale of its lengths."""
        size = float(np.ptp(np.array([np.zeros(3), *places(self.bodies)]), axis=0).max())
        return size if size > 0 else 1.0


class Builder(Registered):
    """Collects what one item, and items that it adds itself, register.

    Args:
        parts: of the system so far; they stay as they are.
        ground: of the system.
        comm: communicator of the system.
        owner: of items that are in the system.
        copies: of items of other systems: id of each -> the item and this system's copy.

    Attributes:
        parts: with what has been registered.
    """

    def __init__(
        self, parts: Parts, ground: Ground, comm: Any, owner: object,
        copies: dict[int, tuple[Any, Any]],
    ):  # fmt: skip
        self.parts, self.ground, self.comm = parts.copy(), ground, comm
        self._owner, self.copies = owner, dict(copies)
        self._inside = False  # an item that is being built adds others, which are its own

    # --- what items call ------------------------------------------------------------------------
    def add_block(self, block: Block, after: tuple | None = None) -> None:
        """Register unknowns. ``after``: frames whose unknowns must be numbered before
        (multipliers)."""
        if after is None:
            self.parts.blocks.append(block)
        else:
            self.parts.after.append((block, after))

    def add_cell(self, kind: Kind, cell: Cell) -> None:
        """Register a cell of a component, or many.

        Raises:
            InputError: a number of it is NaN.
        """
        unknown = np.isnan(np.atleast_2d(cell.parameters)).any(axis=0)  # infinity may be a bound
        if unknown.any():
            column = int(np.argmax(unknown))
            names = (n for n, (z, _) in kind.cell_layout.items() if z.start <= column < z.stop)
            raise InputError(
                f"{cell.owner}: {next(names, 'a number')} is not a number (NaN); check the "
                "numbers of its laws and its geometry."
            )
        self.parts.cells[kind].append(cell)

    def connect(self, *bodies) -> None:
        """Note that these bodies hold each other (for the check of loose bodies)."""
        self.parts.links.append(bodies)

    def number_first(
        self, blocks: list[Block], nodes: np.ndarray, before: Sequence[Ref] = ()
    ) -> None:
        """Number the unknowns of a mesh before those of the bodies and joints with which it is
        coupled, in systems without solids.

        Args:
            blocks: registered blocks of the same length, with one unknown for each node; the
                unknowns of a node are in the order of the blocks.
            nodes: all that have an unknown, in the order of elimination.
            before: unknowns with which they are coupled; by default those of all bodies. Ranks take
                runs of equal weight of the numbers, so that the bodies are shared out with the
                meshes beside them.
        """
        self.parts.first.append((blocks, nodes, [ref.block for ref in before]))

    def number_behind(self, body, other) -> None:
        """Number the unknowns of ``body`` behind those of ``other``, with all nodes of which it is
        coupled: eliminated before them, it would couple each with each."""
        self.parts.later.append((body.name, other.name))

    def feeds(self, name: str) -> None:
        """Note that ``name`` can raise the energy although its kind does not state so (see
        ``Kind.feeds_energy``), as a film under pressure can."""
        self.parts.sources.append(name)

    def guess(self, first: Callable[[State], None]) -> None:
        """Let ``first`` set first guesses of algebraic unknowns at the start of a run."""
        self.parts.first_guesses.append(first)

    def reads(self, read: Callable[[State], Any]) -> None:
        """Let ``read`` set numbers of cells from outside, as of Functions, at the start of each
        run; collective."""
        self.parts.inputs.append(read)

    # --- items ----------------------------------------------------------------------------------
    def add(self, item: ItemT) -> ItemT:
        """Build an item; see ``System.add``."""
        if isinstance(item, type) or not isinstance(item, Item):
            got = f"the class {item.__name__}" if isinstance(item, type) else repr(item)
            raise InputError(f"System.add accepts bodies, joints, loads and probes, got {got}.")
        if any(item is other for other in self.items) or id(item) in self.copies:
            raise InputError(f"{item.name} has already been added; add each item only once.")
        foreign = getattr(item, "_owner", self._owner) is not self._owner
        if not self._inside and (self.copies or foreign):
            item = self._copy(item)
        for frame in frames_of(item):
            self._check_body(item, frame)
        before, inside = dict(vars(item)), self._inside
        try:
            self._name(item)
            self._inside = True
            item.build(self)
        except BaseException:
            vars(item).clear()
            vars(item).update(before)
            raise
        finally:
            self._inside = inside
        item._owner = self._owner  # type: ignore[attr-defined]
        self.items.append(item)
        if isinstance(item, Body):
            self.bodies.append(item)
        return item

    def _copy(self, item: ItemT) -> ItemT:
        """This system's own copy of an item, on its ground and its copies of bodies."""
        memo: dict[Any, Any] = {id(mine): mine for mine in self.items}
        memo |= {key: mine for key, (_, mine) in self.copies.items()} | {Ground: self.ground}
        try:
            copy = deepcopy(item, memo)
        except TypeError as error:  # DOLFINx's Functions and forms
            raise InputError(
                f"{item.name} is in another system and cannot be copied into this one ({error}): "
                "make a new one."
            ) from None
        self.copies[id(item)] = item, copy
        return copy

    def _name(self, item: Item) -> None:
        """Check the item's name, or give it one."""
        taken = {self.ground.name, *(other.name for other in self.items)}
        if item.name is None or getattr(item, "_named_here", False):  # in another system, perhaps
            item.name = self._free_name(item, taken)
            item._named_here = True  # type: ignore[attr-defined]
            self.parts.automatic.append(item.name)
            return
        checks.name(f"{type(item).__name__}: name", item.name)
        if item.name in self.parts.automatic:
            raise InputError(
                f"the name {item.name!r} has already been given automatically to an item "
                "without a name; name that item yourself, or use another name."
            )
        if item.name in taken:
            raise InputError(f"two items are called {item.name!r}; rename one of them.")

    def _free_name(self, item: Item, taken: set[str]) -> str:
        """The item's prefix and the first number that gives a new name."""
        count = sum(other.prefix == item.prefix for other in self.items)
        numbered = (f"{item.prefix}{k}" for k in itertools.count(count + 1))
        first = [] if count else [getattr(item, "first_name", f"{item.prefix}1")]
        return next(name for name in itertools.chain(first, numbered) if name not in taken)

    def _check_body(self, item: Item, frame: Any) -> None:
        """Refuse a frame of a body that is not in the system."""
        body = getattr(frame, "body", None)
        if isinstance(body, Ground):
            if body is not self.ground:
                raise InputError(
                    f"{item.name or item.prefix} uses the ground of another system; use "
                    "system.ground of the system to which it is added."
                )
        elif body is not None and not any(body is known for known in self.bodies):
            raise InputError(
                f"{item.name or getattr(item, 'label', item.prefix)} connects {frame.name}, which "
                "is not in the system: add that body first."
            )

"""The system: bodies, joints and loads, numbered and glued into one set of equations."""

from __future__ import annotations

import itertools
import logging
import warnings
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from .._backend import MPI
from ..core.blocks import Block, partition
from ..core.component import Cell, Component
from ..core.constraints import check_and_reduce
from ..core.initial import SystemState
from ..core.kind import Kind
from ..core.levels import velocity_level
from ..core.observation import Channels
from ..core.problem import Problem
from ..core.state import State
from ..errors import InputError
from ..timestepping.gaps import set_floors
from .ground import Ground
from .item import Body, Item

ItemT = TypeVar("ItemT", bound=Item)
logger = logging.getLogger(__name__)

#: kinds whose forms this process knows
_prepared: set = set()


class System:
    """A multibody system.

    Args:
        gravity: acceleration of gravity, m/s^2.
        comm: communicator of the run; bodies and joints are spread over its ranks.
        loop: without effect, for one version more: the time loop is always compiled.

    Attributes:
        items: all that was added; ``bodies``: those that can move.
        blocks: unknowns registered so far, but for multipliers.
        cells: of each kind those registered so far.
        state, channels: numbers of the latest run, or of the model's start, and what is observed of
            them; the system is assembled at need.

    Example:
        >>> system = System(gravity=(0, -9.81, 0))
        >>> arm = system.add(RigidBody(mass=1, inertia=(1, 2, 2), position=(0.5, 0, 0)))
        >>> system.add(RevoluteJoint(system.ground, arm.at((0, 0, 0)), axis=(0, 0, 1)))
    """

    def __init__(
        self, gravity: ArrayLike = (0.0, -9.81, 0.0), *, comm: Any = None, loop: str | None = None
    ):
        self.gravity = checks.vector("gravity", gravity)
        self.comm = MPI.COMM_WORLD if comm is None else comm
        if loop is not None:
            warnings.warn(
                "System(loop=...) has no effect any more, the time loop is always compiled: "
                "leave it out.", DeprecationWarning, stacklevel=2,
            )  # fmt: skip
        self.ground = Ground()
        self._token = object()  # on each item: it belongs here (no reference, no cycle)
        self.items: list[Item] = []
        self._automatic: set[str] = set()  # names that items were given here
        self.blocks: list[Block] = [self.ground.block]
        self._after: list[tuple[Block, tuple]] = []
        self._first: list[tuple[list[Block], np.ndarray]] = []
        self.cells: dict[Kind, list[Cell]] = defaultdict(list)
        self.bodies: list[Body] = []
        self._links: list[tuple] = []
        #: what sets first guesses of algebraic unknowns at the start of a run, of the state
        self.first_guesses: list[Callable[[State], None]] = []
        self.sources: list[str] = []  # names of what can raise the energy, see ``feeds``
        self._problem: Problem | None = None
        self._channels: Channels | None = None
        self.moved = False  # whether the problem is one of other ranks than ``comm`` has
        #: the last run's end if that was an equilibrium
        self.equilibrium: SystemState | None = None

    # --- building -------------------------------------------------------------------------------
    def add(self, item: ItemT) -> ItemT:
        """Add a body, joint, load or probe.

        Args:
            item: see ``Item`` and ``Body``. Without a ``name`` it gets its ``prefix`` and a number.

        Returns:
            The item.

        Raises:
            InputError: no item, a second one of the same name, an unknown body, values that cannot
                be.
        """
        if self._problem is not None:
            raise InputError(
                "the system is assembled already: add everything before the simulation."
            )
        if not checks.offers(item, "build", "name", "prefix"):
            got = f"the class {item.__name__}" if isinstance(item, type) else repr(item)
            raise InputError(f"System.add takes bodies, joints, loads and probes, got {got}.")
        if any(item is other for other in self.items):
            raise InputError(f"{item.name} has been added already.")
        for frame in (getattr(item, "i", None), getattr(item, "j", None)):
            self._known(item, frame)
        if getattr(item, "_owner", self._token) is not self._token:
            raise InputError(
                f"{item.name} is part of another system; make a new one for each system."
            )
        given, before = item.name, self._registered()
        if given is not None:
            checks.name(f"{type(item).__name__}: name", given)
        if given is None:
            item.name = self._free_name(item)
        elif given in self._taken():
            raise InputError(_taken(given, given in self._automatic))
        try:
            item.build(self)
        except BaseException:
            item.name = given
            self._forget(before)
            raise
        if given is None:
            self._automatic.add(item.name)
        item._owner = self._token  # type: ignore[attr-defined]
        self.items.append(item)
        if isinstance(item, Body):
            self.bodies.append(item)
        return item

    def _taken(self) -> set[str]:
        """Names that items have already."""
        return {self.ground.name, *(item.name for item in self.items)}

    def _free_name(self, item: Item) -> str:
        """The item's prefix and the first number that gives a new name."""
        taken = self._taken()
        count = sum(getattr(o, "prefix", "") == item.prefix for o in self.items)
        numbered = (f"{item.prefix}{k}" for k in itertools.count(count + 1))
        first = [] if count else [getattr(item, "first_name", f"{item.prefix}1")]
        return next(name for name in itertools.chain(first, numbered) if name not in taken)

    def _registered(self) -> tuple[list[int], dict[Kind, int]]:
        """How much has been registered so far."""
        return [len(x) for x in self._lists()], {k: len(z) for k, z in self.cells.items()}

    def _lists(self) -> tuple[list, ...]:
        return (
            self.items, self.bodies, self.blocks, self._after, self._first, self._links,
            self.first_guesses,
        )  # fmt: skip

    def _forget(self, before: tuple[list[int], dict[Kind, int]]) -> None:
        """Drop what an item registered that could not be built."""
        for entries, count in zip(self._lists(), before[0], strict=True):
            del entries[count:]
        for kind, cells in list(self.cells.items()):
            del cells[before[1].get(kind, 0) :]
            if not cells:
                del self.cells[kind]

    def _known(self, item, frame):
        body = getattr(frame, "body", None)
        if isinstance(body, Ground):
            if body is not self.ground:
                raise InputError(f"{item.name or item.prefix} uses the ground of another system.")
        elif body is not None and body not in self.bodies:
            raise InputError(
                f"{item.name or item.prefix} connects {frame.name}, which is not in the "
                "system; add the body first."
            )

    def add_block(self, block: Block, after: tuple | None = None) -> None:
        """Register unknowns. ``after``: frames whose unknowns must be numbered before
        (multipliers)."""
        if after is None:
            self.blocks.append(block)
        else:
            self._after.append((block, after))

    def number_first(self, blocks: list[Block], nodes: np.ndarray) -> None:
        """Number the unknowns of a mesh before those of bodies and joints.

        Args:
            blocks: registered ones of the same length, an unknown a node; of a node the unknown
                comes first whose block does.
            nodes: all that have an unknown, in the order in which they shall be eliminated.
        """
        self._first.append((blocks, nodes))

    def add_cell(self, kind: Kind, cell: Cell) -> None:
        """Register a cell of a component.

        Raises:
            InputError: a number of it is NaN.
        """
        unknown = np.isnan(np.atleast_2d(cell.parameters)).any(axis=0)  # infinity may be a bound
        if unknown.any():
            column = int(np.argmax(unknown))
            names = (n for n, (z, _) in kind.cell_layout.items() if z.start <= column < z.stop)
            raise InputError(
                f"{cell.owner}: {next(names, 'a number')} is not a number (NaN); look at those of "
                "its laws and its geometry."
            )
        self.cells[kind].append(cell)

    def connect(self, *bodies) -> None:
        """Note that these bodies hold each other (for the check of loose bodies)."""
        self._links.append(bodies)

    def feeds(self, name: str) -> None:
        """Note that ``name`` can raise the energy, where its kind cannot tell (see
        ``Kind.feeds_energy``): a film under pressure."""
        self.sources.append(name)

    def extent(self) -> float:
        """Size of the system, m: the scale of its lengths."""
        points = [np.zeros(3)] + [p for b in self.bodies for p in _points(b)]
        size = float(np.ptp(np.array(points), axis=0).max())
        return size if size > 0 else 1.0

    @property
    def channels(self) -> Channels:
        """What is observed in the latest run, or at the model's start; collective at first."""
        if self._channels is None:
            self._channels = Channels(State(self.assemble()))
        return self._channels

    @property
    def state(self) -> State:
        """The numbers of the latest run, or of the model's start; collective at first."""
        return self.channels.state

    @property
    def assembled(self) -> State:
        """Deprecated: ``state``."""
        warnings.warn("System.assembled is called state now.", DeprecationWarning, stacklevel=2)
        return self.state

    def show(self, channels: Channels, equilibrium: SystemState | None = None) -> None:
        """Let ``channels`` be those of a run, for who looks at the system; of statics with the
        equilibrium where it has ended."""
        self._channels, self.equilibrium = channels, equilibrium

    # --- assembling -----------------------------------------------------------------------------
    def assemble(self) -> Problem:
        """Number the unknowns, compile the forms, check and reduce the constraints; at the first
        call, collective.

        Raises:
            InputError: no bodies, a loose body, constraints that contradict each other.
        """
        if self.moved:
            self.move(self.comm)
        if self._problem is not None:
            return self._problem
        self._check_connected()
        for body in self.bodies:
            if hasattr(body, "check_size"):
                others = (b for b in self.bodies if b is not body)
                body.check_size([p for b in others for p in _points(b)])
        ordered = self._ordered()
        if not any(b.free.any() for b in ordered):
            raise InputError("the system has no unknowns: add a body.")
        new = [kind for kind in self.cells if kind not in _prepared]
        if new:
            logger.info(
                "preparing the forms of %d kinds of components (compiled the first time only)",
                len(new),
            )
        _prepared.update(new)
        problem = self._build(ordered)
        if check_and_reduce(State(problem)):
            problem = self._build(ordered)
        set_floors(problem)
        self._problem = problem
        return problem

    def move(self, comm) -> None:
        """Go on on other ranks, to be assembled there."""
        self.comm, self.moved = comm, False
        self._problem = self._channels = None

    def number(self) -> list[Block]:
        """Blocks in the order of their numbers, which they have then."""
        ordered = self._ordered()
        self._number(ordered)
        return ordered

    def _build(self, ordered: list[Block]) -> Problem:
        """The problem for the present numbers of the unknowns."""
        self._number(ordered)
        bounds = partition(ordered, self.comm.size)
        components = [
            Component(kind, cells, self.comm, bounds) for kind, cells in self.cells.items()
        ]
        problem = Problem(
            components, ordered, self.comm, bounds,
            gravity=self.gravity, extent=self.extent(),
            first_guesses=self.first_guesses,
        )  # fmt: skip
        problem.velocity_level = velocity_level(State(problem))
        return problem

    def _check_connected(self):
        if not self.bodies:
            raise InputError("the system has no bodies.")
        held = {id(self.ground)}
        grew = True
        while grew:
            grew = False
            for bodies in self._links:
                ids = {id(b) for b in bodies}
                if ids & held and not ids <= held:
                    held |= ids
                    grew = True
        for body in self.bodies:
            if not body.free and id(body) not in held:
                linked = any(any(b is body for b in bodies) for bodies in self._links)
                raise InputError(
                    f"{body.name} is not connected to the ground"
                    + (", nor is anything it is joined to" if linked else " or to anything else")
                    + "; add a joint, or say free=True if it shall fly freely."
                )

    def _ordered(self) -> list[Block]:
        """Blocks in the order of their numbers: multipliers right after what they hold."""
        place = {id(b): k for k, b in enumerate(self.blocks)}
        tail: dict[int, list[Block]] = defaultdict(list)
        for block, frames in self._after:
            refs = [r for frame in frames for r in frame.refs]
            last = max(_end_of_body(place, self.blocks, r.block) for r in refs)
            tail[last].append(block)
        ordered = []
        for k, block in enumerate(self.blocks):
            ordered.append(block)
            ordered += tail.get(k, [])
        return ordered

    def _number(self, ordered: list[Block]):
        at = 0
        for block in ordered:
            block.numbers = np.full(len(block.values), -1)
        for blocks, nodes in self._first:
            free = np.stack([b.free[nodes] for b in blocks], axis=1)
            numbers = at + np.cumsum(free).reshape(free.shape) - 1
            for k, block in enumerate(blocks):
                block.numbers[nodes[free[:, k]]] = numbers[free[:, k], k]
            at += free.sum()
        for group in (lambda b: b.free, lambda b: ~b.fixed & ~b.free, lambda b: b.fixed):
            for block in ordered:  # unknowns, what follows them, known values
                mine = group(block) & (block.numbers < 0)
                block.numbers[mine] = at + np.arange(mine.sum())
                at += mine.sum()


def _end_of_body(place: dict[int, int], blocks: list[Block], block: Block) -> int:
    """Position after which multipliers that hold a block are numbered: behind the multipliers that
    belong to the block's own body, if it is a rigid body."""
    k = place[id(block)]
    while k + 1 < len(blocks) and blocks[k + 1].constraint and blocks[k + 1].owner == block.owner:
        k += 1
    return k


def _taken(name: str, automatic: bool) -> str:
    """Why an item may not be called ``name``."""
    if automatic:
        return (
            f"{name!r} is the name that System.add has given to an item without one: name that "
            "one, or give another name."
        )
    return f"two items are called {name!r}; give one another name."


def _points(body: Any) -> list[np.ndarray]:
    if hasattr(body, "corners"):
        return [*body.corners]
    ends = [getattr(body, n).position for n in ("start", "end") if hasattr(body, n)]
    return ends or [body.position]

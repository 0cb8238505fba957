"""The system: bodies, joints and loads, numbered and assembled into one set of equations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, deprecated
from .._backend import MPI
from ..core.blocks import Block, interleave, partition
from ..core.component import Component
from ..core.constraints import check_and_reduce
from ..core.ends import end_together
from ..core.energy_trial import warn_of_giving
from ..core.forms import prepare
from ..core.initial import SystemState
from ..core.levels import velocity_level
from ..core.observation import Channels
from ..core.problem import Problem
from ..core.roles import Condensed
from ..core.state import State
from ..errors import InputError
from ..functions import tables
from ..timestepping.gaps import set_floors
from . import tree
from .builder import Builder, ItemT, Parts, Registered
from .ground import Ground
from .item import ChecksSize, places

#: communicator of systems for which none is given
_usual: ContextVar[Any] = ContextVar("usual", default=MPI.COMM_WORLD)


@contextmanager
def each_rank_alone() -> Iterator[None]:
    """Within this context, a system for which no communicator is given uses only this rank."""
    token = _usual.set(MPI.COMM_SELF)
    try:
        yield
    finally:
        _usual.reset(token)


@deprecated.attributes(assembled="state")
class System(Registered):
    """A multibody system.

    Args:
        gravity: acceleration of gravity, m/s^2.
        up: which way is up in pictures; default: against gravity.
        comm: communicator of the run, over whose ranks bodies and joints are distributed; default:
            all ranks.
        loop: deprecated, without effect: the time loop is always compiled.

    Attributes:
        state, channels: numbers of the latest run, or of the model's start, and what is observed of
            them; the system is assembled at need.

    Example:
        >>> system = System(gravity=(0, -9.81, 0))
        >>> arm = system.add(RigidBody(mass=1, inertia=(1, 2, 2), position=(0.5, 0, 0)))
        >>> system.add(RevoluteJoint(system.ground, arm.at((0, 0, 0)), axis=(0, 0, 1)))
    """

    def __init__(
        self, gravity: ArrayLike = (0.0, -9.81, 0.0), *, up: ArrayLike | None = None,
        comm: Any = None, loop: str | None = None,
    ):  # fmt: skip
        self.gravity = checks.vector("gravity", gravity)
        self.up = None if up is None else checks.direction("up", up)
        self.comm = _usual.get() if comm is None else comm
        if loop is not None:
            deprecated.warn(
                "System(loop=...) no longer has an effect, because the time loop is always "
                "compiled; leave it out."
            )
        self.ground = Ground()
        self._token = object()  # on each item: it belongs here (no reference, no cycle)
        #: what items have registered, see ``Builder``
        self.parts = Parts(blocks=[self.ground.block])
        self._copies: dict[int, tuple[Any, Any]] = {}
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
            The item; if it is in another system already, this system's own copy. From then on,
            joints between bodies of that system connect their copies here.

        Raises:
            InputError: no item, a second one of the same name, an unknown body, invalid values.
                The system and the item are as before.
        """
        if self._problem is not None:
            raise InputError(
                "the system has already been assembled; add all items before the first simulation."
            )
        builder = Builder(self.parts, self.ground, self.comm, self._token, self._copies)
        item = builder.add(item)
        self.parts, self._copies = builder.parts, builder.copies
        return item

    @property
    def first_guesses(self) -> list[Callable[[State], None]]:
        """Functions of the state that set first guesses of algebraic unknowns at the start of a
        run."""
        return self.parts.first_guesses

    @property
    def channels(self) -> Channels:
        """Channels of the latest run, or of the model's start; collective at first."""
        if self._channels is None:
            self._channels = Channels(State(self.assemble()))
        return self._channels

    @property
    def state(self) -> State:
        """The numbers of the latest run, or of the model's start; collective at first."""
        return self.channels.state

    def show(self, channels: Channels, equilibrium: SystemState | None = None) -> None:
        """Make ``channels`` those of the latest run; after statics also the final equilibrium."""
        self._channels, self.equilibrium = channels, equilibrium

    # --- representation -------------------------------------------------------------------------
    def __repr__(self) -> str:
        return tree.line(self)

    def _repr_html_(self) -> str:
        return tree.html(self)

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
        end_together(self.comm)
        self._check_connected()
        for body in self.bodies:
            if isinstance(body, ChecksSize):
                body.check_size(places(b for b in self.bodies if b is not body))
        ordered = self._ordered()
        if not any(b.unknowns for b in ordered):
            raise InputError("the system has no unknowns: add a body.")
        prepare({k: sum(z.total for z in cells) for k, cells in self.cells.items()}, self.comm)
        problem = self._build(ordered)
        if check_and_reduce(State(problem)):
            problem = self._build(ordered)
        set_floors(problem)
        warn_of_giving(problem)
        self._problem = problem
        return problem

    def move(self, comm) -> None:
        """Move to other ranks, where the system will be assembled."""
        self.comm, self.moved = comm, False
        self._problem = self._channels = None

    def number(self) -> list[Block]:
        """Number the unknowns; returns the blocks in the order of their numbers."""
        ordered = self._ordered()
        self._number(ordered)
        return ordered

    def _build(self, ordered: list[Block]) -> Problem:
        """The problem for the present numbers of the unknowns."""
        self._number(ordered)
        bounds = interleave(ordered, self.comm, partition(ordered, self.comm.size))
        components = [
            Component(kind, cells, self.comm, bounds) for kind, cells in self.cells.items()
        ]
        for owner, table in tables(self.items):
            for component in components:
                component.follow(owner, table.pieces)
        problem = Problem(
            components, ordered, self.comm, bounds,
            gravity=self.gravity, extent=self.extent(),
            first_guesses=self.first_guesses, inputs=self.parts.inputs,
        )  # fmt: skip
        problem.velocity_level = velocity_level(State(problem))
        return problem

    def _check_connected(self):
        if not self.bodies:
            raise InputError("the system has no bodies: add one.")
        held = {id(self.ground)}
        grew = True
        while grew:
            grew = False
            for bodies in self.parts.links:
                ids = {id(b) for b in bodies}
                if ids & held and not ids <= held:
                    held |= ids
                    grew = True
        for body in self.bodies:
            if not body.free and id(body) not in held:
                linked = any(any(b is body for b in bodies) for bodies in self.parts.links)
                raise InputError(
                    f"{body.name} is not connected to the ground"
                    + (", nor is anything it is joined to" if linked else " or to anything else")
                    + "; add a joint, or say free=True if it should move freely."
                )

    def _ordered(self) -> list[Block]:
        """Blocks in the order of their numbers: multipliers right after what they hold."""
        blocks = self._chain()
        place = {id(b): k for k, b in enumerate(blocks)}
        tail: dict[int, list[Block]] = defaultdict(list)
        for block, frames in self.parts.after:
            refs = [r for frame in frames for r in frame.refs]
            last = max(_end_of_body(place, blocks, r.block) for r in refs)
            tail[last].append(block)
        ordered = []
        for k, block in enumerate(blocks):
            ordered.append(block)
            ordered += tail.get(k, [])
        return ordered

    def _chain(self) -> list[Block]:
        """Blocks in the order in which they were added, but for bodies to be numbered later."""
        blocks = list(self.blocks)
        for name, other in self.parts.later:
            last = max((k for k, b in enumerate(blocks) if b.owner == other), default=-1)
            early = [b for b in blocks[: last + 1] if b.owner == name]
            if name != other and early:
                rest = [b for b in blocks[: last + 1] if b.owner != name]
                blocks = [*rest, *early, *blocks[last + 1 :]]
        return blocks

    def _number(self, ordered: list[Block]):
        at = 0

        def number(block: Block, which: np.ndarray) -> None:
            nonlocal at
            mine = which & (block.numbers < 0)
            block.numbers[mine] = at + np.arange(mine.sum())
            at += int(mine.sum())

        for block in ordered:
            block.numbers = np.full(len(block.values), -1)
        # beside solids, whose factors have an order of their own, a film stays with its bore
        solid = any(b.places is not None for b in ordered)
        meshes = {} if solid else self._meshes(ordered)
        # unknowns, condensed values, known values; for spread blocks see ``interleave``
        for group in (lambda b: b.free, lambda b: ~b.fixed & ~b.free, lambda b: b.fixed):
            for position, block in enumerate(ordered):
                for blocks, nodes, masters in meshes.pop(position, []):
                    free = np.stack([b.free[nodes] for b in blocks], axis=1)
                    numbers = at + np.cumsum(free).reshape(free.shape) - 1
                    for k, b in enumerate(blocks):
                        b.numbers[nodes[free[:, k]]] = numbers[free[:, k], k]
                    at += free.sum()
                    for master in masters:
                        number(master, master.free)
                if block.spread is None:
                    number(block, group(block))

    def _meshes(
        self, ordered: list[Block]
    ) -> dict[int, list[tuple[list[Block], np.ndarray, list[Block]]]]:
        """Meshes to be numbered before what they are coupled with, by the position of the first
        block of this; with the unknowns of condensed bodies beside them, which go with them."""
        begin: dict[str, int] = {}
        for k, block in enumerate(ordered):
            begin.setdefault(block.owner, k)
        known, result = {id(block): block for block in ordered}, defaultdict(list)
        for blocks, nodes, before in self.parts.first:
            masters = [known[id(b.role.master)] for b in before if isinstance(b.role, Condensed)]
            owners = [b.owner for b in (*masters, *before, *blocks)]
            first = min(begin.get(owner, len(ordered)) for owner in owners) if before else 0
            result[first].append((blocks, nodes, masters))
        return result


def _end_of_body(place: dict[int, int], blocks: list[Block], block: Block) -> int:
    """Position after which multipliers that hold a block are numbered: behind the multipliers that
    belong to the block's own body, if it is a rigid body."""
    k = place[id(block)]
    while k + 1 < len(blocks) and blocks[k + 1].constraint and blocks[k + 1].owner == block.owner:
        k += 1
    return k

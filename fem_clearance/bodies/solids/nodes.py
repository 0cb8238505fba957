"""The nodes of solids and their unknowns, of which a rank may hold only a part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np

from ... import checks
from ...core.blocks import Block, Ref
from ...core.roles import DISPLACEMENTS, ROTATION, Algebraic, Coordinate
from ...core.spread import Spread
from ...errors import InputError
from ...meshes.mesh import Mesh
from ...model.frame import Frame
from ..materials import Material
from .node import SolidNode


class Nodal(ABC):
    """The nodes of a solid; base of ``Solid``.

    Attributes:
        name: of the solid; ``mesh``: of its cells; ``material``: of these.
        nodes: places of the nodes at the start, m, (n, 3).
        cells: nodes of each cell, (m, nodes of a cell).
        fixed, prescribed: which displacements are known, and what they are, m, (n, dimension).
        velocity: initial, of the body, (3,), or of each node, (n, 3).
        angular_velocity: initial, rad/s; ``massless``: whether it has no inertia.
        block: the displacements; ``None`` before the solid is added to a system.
        slot: place of each node in the block.
        spread: which nodes this rank holds, where it does not hold all.
    """

    name: str | None
    mesh: Mesh
    material: Material
    nodes: np.ndarray
    cells: np.ndarray
    fixed: np.ndarray
    prescribed: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray
    massless: bool
    block: Block | None
    slot: np.ndarray
    spread: Spread | None

    @property
    def dimension(self) -> int:
        """2 for plane solids, 3 in space."""
        return self.mesh.dimension

    @property
    @abstractmethod
    def position(self) -> np.ndarray:
        """Initial centre of mass, m."""

    def _number_nodes(self, degree: int) -> None:
        """Set ``slot`` and ``spread``; collective."""
        order, self.spread = self.mesh.share(degree)
        self.slot = np.empty(len(order), np.int32)
        self.slot[order] = np.arange(len(order))

    @property
    def held(self) -> np.ndarray:
        """Nodes that are clamped, along one axis at least."""
        return np.flatnonzero(self.fixed.any(axis=1))

    def at(self, position) -> Frame:
        """The point (without a triad) of the node that starts at ``position`` (m)."""
        who = self.name or "solid"
        point = checks.vector(f"{who}: position", position)
        distance = np.linalg.norm(self.nodes - point, axis=1)
        k = int(distance.argmin()) if len(distance) else -1
        found = self.mesh.of_ranks((distance[k], self.nodes[k], *self._node(k)) if k >= 0 else None)
        nearest = min((z for z in found if z is not None), key=lambda z: z[0])
        if nearest[0] > 1e-6 * self.mesh.size.max():
            raise InputError(
                f"{who} has no node at {checks.listed(point)} m; the nearest one is at "
                f"{checks.listed(nearest[1])} m."
            )
        if k < 0 or distance[k] > nearest[0]:
            k = self._hold(*nearest[1:])
        return SolidNode(self, k)

    def _node(self, k: int) -> tuple[Any, ...]:
        """Data of a node for another rank that will hold it: its number, velocity, and the numbers
        of its unknowns, if it has any."""
        spread, velocity = self.spread, np.broadcast_to(self.velocity, self.nodes.shape)[k]
        if spread is None:
            return None, velocity, None
        block, at = self.block, self.slot[k]
        known = block is not None and len(block.numbers) > 0
        numbers = block.numbers.reshape(-1, self.dimension)[at] if block and known else None
        return spread.numbers[at], velocity, numbers

    def _hold(self, place: np.ndarray, number, velocity, numbers) -> int:
        """Hold a node of another rank, which is free; returns its place among the nodes."""
        n, d = self.nodes.shape[0], self.dimension
        assert self.spread is not None
        self.spread.hold(number)
        self.nodes, self.slot = np.vstack([self.nodes, place]), np.append(self.slot, n)
        if self.velocity.ndim == 2:
            self.velocity = np.vstack([self.velocity, velocity])
        self.fixed, self.prescribed = (
            np.vstack([z, np.zeros((1, d), z.dtype)]) for z in (self.fixed, self.prescribed)
        )
        if self.block is not None:
            block = self._block()
            block.role = replace(self.block.role, places=block.places)  # type: ignore[call-arg]
            block.numbers = (
                self.block.numbers if numbers is None else np.append(self.block.numbers, numbers)
            )
            vars(self.block).update(vars(block))
        return n

    def _block(self) -> Block:
        """The displacements of the nodes."""
        d, order = self.dimension, np.argsort(self.slot)
        rate = self.velocity + np.cross(self.angular_velocity, self.nodes - self.position)
        rate[:, :d][self.fixed] = 0.0
        role = Coordinate(
            vectors=DISPLACEMENTS, places=self.nodes[order], width=d, massless=self.massless,
            offset_magnitude=self.mesh.spacing, no_number=self._inverted(),
        )  # fmt: skip
        return Block(
            str(self.name), "displacement", self.prescribed[order], role, rates=rate[order, :d],
            fixed=self.fixed[order], spread=self.spread,
        )  # fmt: skip

    def _inverted(self) -> str:
        """What it means if forces are no finite numbers, and what to do."""
        if self.material.small_displacements:
            return ""
        return (
            f"a cell of {type(self.material).__name__} turns inside out, det F <= 0; apply loads "
            "more slowly, reduce what crushes the body, or use smaller cells there"
        )

    def _of_cells(self, builder, name: str, each: int) -> Ref:
        """Further unknowns of the cells, ``each`` of them, zero at rest, whose energy is
        stationary."""
        spread = self.mesh.share_cells(each)
        count = len(self.cells) if spread is None else len(spread.numbers)
        numbers = np.arange(count * each).reshape(count, each)
        role = Algebraic(ROTATION, offset_magnitude=1.0, weight=0.0)
        block = Block(str(self.name), name, np.zeros(numbers.size), role, spread=spread)
        builder.add_block(block)
        return Ref(block, numbers)

    def touched(self, cells: np.ndarray) -> np.ndarray:
        """Which nodes belong to some cells of any rank, from the cells' nodes on this rank;
        collective."""
        result = np.zeros(len(self.nodes), bool)
        result[cells] = True
        if self.spread is not None:
            order = np.argsort(self.slot)
            result[order] = self.spread.fetch(self.spread.add(result[order], np.logical_or))
        return result

    def displacement(self, nodes: np.ndarray) -> Ref:
        """Unknowns of nodes, one row of (x, y(, z)) after (x, y(, z)) for each row of nodes."""
        assert self.block is not None
        return Ref(self.block, self.slot[nodes], self.dimension)

    def at_nodes(self, values: np.ndarray, rates: bool = False) -> np.ndarray:
        """Displacements (or, from rates, velocities) of the nodes, (n, 3).

        Args:
            values: by global number, fixed ones left out or zero.
            rates: whether they are rates.
        """
        assert self.block is not None
        numbers = self.block.numbers
        known = np.zeros(len(numbers)) if rates else self.block.values.copy()
        free = ~self.block.fixed
        known[free] = values[numbers[free]]
        result = np.zeros((len(self.nodes), 3))
        result[:, : self.dimension] = known.reshape(-1, self.dimension)[self.slot]
        return result

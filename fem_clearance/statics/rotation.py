"""Steady rotation of a whole system: its coordinates, rates and accelerations.

Three coordinates each form a vector. In a frame that rotates with the angular velocity W about a
fixed axis the vector is ``R(t) x``, so that with ``w = W x`` (cross product)

    rate          R (dx/dt + w x)
    acceleration  R (d2x/dt2 + 2 w dx/dt + w w x)

Inertia is linear in accelerations with a constant mass matrix, and internal forces turn with the
body: seen in the turning frame all coefficients are constant.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

from .. import checks
from ..core.blocks import Block
from ..core.roles import DISPLACEMENTS, PLACES, SPACE, Coordinate
from ..core.state import State
from ..errors import InputError


def steady(value) -> SteadyRotation | None:
    """The given rotation, or ``None``.

    Raises:
        InputError: it is anything else.
    """
    if value is not None and not isinstance(value, SteadyRotation):
        raise InputError(
            f"rotation must be such as SteadyRotation(omega=(0, 0, 10)), got {value!r}."
        )
    return value


@dataclass(frozen=True)
class SteadyRotation:
    """A rotation of the whole system at constant speed about a fixed axis.

    Args:
        omega: angular velocity in the fixed axes, rad/s.
        point: a point of the axis, m.

    Example::

        rotation = fc.SteadyRotation(omega=(0, 0, 100.0))  # rad/s
        fc.Statics(system, rotation=rotation)
    """

    omega: tuple[float, float, float]
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    matrix: np.ndarray = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        omega = checks.vector("SteadyRotation.omega", self.omega)
        checks.vector("SteadyRotation.point", self.point)
        object.__setattr__(self, "matrix", np.cross(omega, np.eye(3)).T)


class RotatingFrame:
    """A rotation as it acts on the unknowns of a system.

    Args:
        state: the assembled system.
        rotation: the motion.

    Attributes:
        factor: part of the angular velocity that counts, for load stepping.
    """

    def __init__(self, state: State, rotation: SteadyRotation):
        self.state, self.rotation, self.factor = state, rotation, 1.0
        size = sum(b.total for b in state.problem.blocks)
        #: for each unknown by global number those of the three of its vector, and its own place
        self.partners, self.place = np.full((size, 3), -1), np.zeros(size, int)
        self.origin = np.zeros(size)
        for block in state.problem.blocks:
            if block.role.order != 2 or _vectors_of(block) == SPACE:
                continue  # the ground does not turn
            threes = _vectors(block)
            self.partners[threes] = threes[:, None, :]
            self.place[threes] = np.arange(3)
            if _vectors_of(block) == PLACES:
                self.origin[threes] = rotation.point
            if block.places is not None:
                self.origin[threes] = rotation.point - block.places
        self.turns = self.partners[:, 0] >= 0

    @property
    def matrix(self) -> np.ndarray:
        """The angular velocity as a matrix, w x = matrix @ x."""
        return self.factor * self.rotation.matrix

    def motion(self) -> tuple[np.ndarray, np.ndarray]:
        """Rates and accelerations of this rank's unknowns at the present coordinates; collective.

        They are zero for numbers that are no such vectors (internal variables, multipliers).
        """
        state, n = self.state, self.state.local
        v = self.turned(state.everything(state.q) - self.origin[: state.size])
        mine = state.numbers[:n]
        return v[mine], self.turned(v)[mine]

    def turned(self, x: np.ndarray) -> np.ndarray:
        """Each vector's cross product with the angular velocity; by global number."""
        result, turns = np.zeros(len(x)), np.flatnonzero(self.turns)
        vectors = x[self.partners[turns]]
        result[turns] = np.sum(self.matrix[self.place[turns]] * vectors, axis=1)
        return result

    def sparse(self) -> csr_matrix:
        """Derivative of rates by coordinates, local x local unknowns; a vector's three are on one
        rank."""
        state = self.state
        numbers = state.numbers[: state.local]
        mine = np.flatnonzero(self.turns[numbers])
        partners = self.partners[numbers[mine]]
        at = state.locate(partners)
        values = self.matrix[self.place[numbers[mine]]]
        row = np.repeat(mine, 3)
        return csr_matrix((values.ravel(), (row, at.ravel())), (state.local, state.local))

    def by_rate(self, k: int) -> np.ndarray:
        """Derivative of rates by coordinates within a cell of component ``k``, cells x dofs x
        dofs; that of accelerations is its square."""
        numbers = self.state.components[k].unknowns()
        same = numbers[:, None, :, None] == self.partners[numbers][:, :, None, :]
        return (
            np.einsum("eijc,eic->eij", same, self.matrix[self.place[numbers]])
            * (self.turns[numbers][:, :, None])
        )


def _vectors_of(block: Block) -> str:
    """What a block's coordinates are in threes, see ``Coordinate``; empty if nobody says so."""
    if not isinstance(block.role, Coordinate):
        return ""
    flat = block.role.vectors == DISPLACEMENTS and block.width != 3  # of a plane solid
    return "" if flat else block.role.vectors


def _vectors(block: Block) -> np.ndarray:
    """Numbers of a block in threes."""
    if not _vectors_of(block) or block.fixed.any():
        raise InputError(
            f"{block.name} cannot be seen from a turning frame: steady rotation is for rigid "
            "bodies, beams and solids in space, none of whose coordinates are fixed."
        )
    return block.numbers.reshape(-1, 3)

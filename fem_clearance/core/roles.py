"""Roles of unknowns: the meaning of a block, and its numerical treatment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

#: Classes of equations, each judged against its own scale by Newton's convergence test.
TRANSLATION = "translation"  # rows in N: positions and constraints on positions
ROTATION = "rotation"  # rows in N m: directors, slopes and constraints on directions
INTERNAL = "internal"  # rows in m/s: rates of internal variables such as a bristle's deflection

#: what three coordinates form, for the transformation to a turning frame: places in space,
#: directions and slopes, displacements of nodes, or axes of space, which do not turn
PLACES, DIRECTIONS, DISPLACEMENTS, SPACE = "places", "directions", "displacements", "space"


class Numbered(Protocol):
    """Unknowns with numbers in the assembled system: a ``Block``."""

    numbers: np.ndarray


@dataclass(frozen=True)
class Role:
    """Base of the roles.

    Attributes:
        quantity: class of the equations, ``TRANSLATION``, ``ROTATION`` or another of one's own.
        tolerance_factor: factor of Newton's tolerance for the rows of the class.
        force_floor: least force by which the rows of the class are judged.
        offset_magnitude: size of what forms add to the values before they use them (the distance
            of a displacement's place from its neighbours): round-off is that of the sum.
        weight: of an unknown where they are partitioned over ranks; 0 for those of single cells,
            numbered far from the cells' nodes, which must not decide who has the cells.
        unit: typical value of algebraic unknowns that are not multipliers.
        typical: typical value of an unknown, by which errors of steps and round-off are judged; 0
            for those that have the system's size.
        no_number: what it means if the equations give no finite numbers and, after a semicolon,
            what to do.
    """

    quantity: str = TRANSLATION
    tolerance_factor: float = field(default=1.0, kw_only=True)
    force_floor: float = field(default=0.0, kw_only=True)
    offset_magnitude: float = field(default=0.0, kw_only=True)
    weight: float = field(default=1.0, kw_only=True)
    unit: float = field(default=1.0, kw_only=True)
    typical: float = field(default=0.0, kw_only=True)
    no_number: str = field(default="", kw_only=True)

    @property
    def order(self) -> int:
        """2: q, v and a count; 1: the rate is the unknown; 0: the value alone."""
        return 0

    @property
    def holds_forces(self) -> bool:
        """Whether the terms of the rows count as forces of their class."""
        return self.order > 0


@dataclass(frozen=True)
class Coordinate(Role):
    """Coordinates: q, v and a count.

    Attributes:
        characteristic_length: displacement in m that a unit of the unknowns stands for, by which
            errors are judged; default 1 for ``TRANSLATION``, else the system's size.
        vectors: ``PLACES``, ``DIRECTIONS`` or ``DISPLACEMENTS`` if they are vectors in threes.
        places: of displacements, where their nodes are at the start, m, (nodes, 3).
        width: unknowns of a node; a rank holds whole nodes.
        massless: their rows hold forces without inertia: the value alone counts.

    Example::

        triad = extend.Coordinate(extend.ROTATION, vectors=extend.DIRECTIONS)
        extend.Block("arm", "d", np.eye(3), triad)
        nodes = extend.Coordinate(vectors=extend.DISPLACEMENTS, width=3, places=np.zeros((2, 3)))
        extend.Block("plate", "u", np.zeros(6), nodes)
    """

    characteristic_length: float | None = field(default=None, kw_only=True)
    vectors: str = field(default="", kw_only=True)
    places: np.ndarray | None = field(default=None, kw_only=True, compare=False)
    width: int = field(default=1, kw_only=True)
    massless: bool = field(default=False, kw_only=True)

    @property
    def order(self) -> int:
        return 0 if self.massless else 2

    @property
    def holds_forces(self) -> bool:
        return True


@dataclass(frozen=True)
class Multiplier(Role):
    """Lagrange multipliers; whether a row holds positions or velocities follows from its form, see
    ``levels.py``.

    Attributes:
        of: the condition that they enforce, for messages; default the owner's name.
        driven: it depends on time (a driver).
        exclusive: it is on unknowns that no other constraint holds: never redundant.
        inherent: it ties the coordinates of one body, and is kept before all others.

    Example::

        extend.Block("rail", "force", np.zeros(2), extend.Multiplier(of="rail"))  # N
    """

    of: str = field(default="", kw_only=True)
    driven: bool = field(default=False, kw_only=True)
    exclusive: bool = field(default=False, kw_only=True)
    inherent: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Internal(Role):
    """Internal variables of first order: forms read the value as ``c.v``, its rate as ``c.a``; a
    block's ``rates`` are the values at the start.

    Example::

        bristles = extend.Internal(extend.INTERNAL, typical=1e-6)  # deflections of about 1 um
        extend.Block("rub", "z", np.zeros(2), bristles)
    """

    quantity: str = INTERNAL

    @property
    def order(self) -> int:
        return 1


@dataclass(frozen=True)
class Algebraic(Role):
    """Other unknowns whose value alone counts: pressures, ports, places on a curve.

    Attributes:
        counts_forces: the terms of the rows count as forces of their class: of a film, whose rows
            are sums over cells.
        persistent: they go on from one step to the next, as what a film holds: they stay when
            accelerations are found anew.
        complements: block of as many unknowns, one for each of these: of a pair the lesser is 0, by
            ``unit``.
        slow: they change so little in a step that other unknowns hardly notice: temperatures.
        clearance: of a film's port, m, by which the tolerance of adaptive steps is judged; 0:
            none.

    Example::

        extend.Block("tank", "pressure", np.zeros(1), extend.Algebraic("pressure", unit=1e5))  # Pa
    """

    counts_forces: bool = field(default=False, kw_only=True)
    persistent: bool = field(default=False, kw_only=True)
    complements: Numbered | None = field(default=None, kw_only=True, compare=False)
    slow: bool = field(default=False, kw_only=True)
    clearance: float = field(default=0.0, kw_only=True)

    @property
    def holds_forces(self) -> bool:
        return self.counts_forces


@dataclass(frozen=True, kw_only=True)
class Condensed(Role):
    """Values that are ``matrix @ master.values``, always: no unknowns of the system but linear
    functions of the free ones of the block ``master``.

    Example::

        master = extend.Block("plate", "amplitude", np.zeros(2))
        shapes = np.ones((6, 2))  # displacements of two nodes for each amplitude
        extend.Block("plate", "u", np.zeros(6), extend.Condensed(master=master, matrix=shapes))
    """

    master: Numbered = field(compare=False)
    matrix: np.ndarray = field(compare=False)

    @property
    def order(self) -> int:
        return 2

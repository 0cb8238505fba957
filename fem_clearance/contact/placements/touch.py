"""What a placement says of a contact: depth, where friction acts, how the surfaces slide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from ...core.observables import Observable


class Touch(NamedTuple):
    """A contact in a form (UFL); vectors are in the axes of body i, or in space.

    Attributes:
        depth: penetration, m, negative while free.
        rate: of the depth, m/s.
        gradient: of the depth by the coordinates: generalised forces per normal force.
        normal: unit vector from body i to body j; ``None`` along an axis.
        sliding: velocity of the surface of j along that of i, m/s; ``None`` where nothing asks.
        work: virtual work of generalised forces.
        back: generalised forces of a force on i at the point where friction acts.
        acting: the part of a friction force that ``back`` makes act.
        share: part of the laws' force that acts here.
        longer: gradient of the share, if it changes.
        place: the point's coordinates, m, where friction may stick to one.
        frame: whose triad turns components into these vectors; ``None``: they are components.
    """

    depth: Any
    rate: Any
    gradient: Any
    normal: Any
    sliding: Any
    work: Any = None
    back: Callable[[Any], Any] = lambda force: force
    acting: Callable[[Any], Any] = lambda force: force
    share: Any = 1.0
    longer: Any = None
    place: Any = None
    frame: Any = None


class Placement:
    """Base: how body j sits in body i in a few numbers s, seen from i; where they touch.

    The forces follow: they are functions of s and of its rate, and their virtual work is
    ``dot(forces, c.along(s))``. So forces on both bodies, their moments and the rates of the laws
    come from the same expressions and cannot disagree; action equals reaction, whatever the law.
    Subclasses are frozen dataclasses.
    """

    label: ClassVar[str] = "contact"
    #: whether several places of contact make up a joint, each with a ``share`` of its force
    shares: ClassVar[bool] = False
    #: names of the cell's numbers
    parameters: ClassVar[tuple[str, ...]] = ()

    def touch(self, kind, c, as_symbol) -> Touch:
        """The contact of a cell.

        Args:
            kind: of the cell, for frames, friction and wear.
            as_symbol: ``c.shared`` in a residual, else ``identity``.
        """
        raise TypeError(f"{type(self).__name__} defines no touch()")

    def observables(self, kind, c, at: Touch, forces) -> dict[str, Observable]:
        """What is shown beside what all contacts show.

        Args:
            at: the contact.
            forces: generalised forces on body i.
        """
        return {}

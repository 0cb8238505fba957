"""What a surface is to a contact: a gap, and what follows from it.

A surface is one function of a point's coordinates s in the axes of its frame, gap(s), positive
where the point is free. Depth, normal, rate and sliding velocity are derived from it:

    depth = -gap / |grad gap|,    gradient = grad depth,    rate = gradient . ds/dt

(``distance``: the gap is a distance, |grad gap| = 1; else the depth is of first order in depth x
curvature). The force along the gradient is that of a potential, so that energy is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from ...core.observables import Observable
from ...model.frame import Frame
from ...user_code import Law
from ..forms import across, in_space, law_symbols, load_observables
from ..placements.touch import Touch


class Surface(Law):
    """Base of the surfaces.

    To add one: name the numbers it reads in ``parameters`` (each an attribute, or an item of what
    ``values`` returns) and give ``gap``, in arithmetic and powers alone if it is to work on arrays
    too (checks at the start are then made).
    """

    scalars: ClassVar[tuple[str, ...]] = ("gap",)

    parameters: ClassVar[tuple[str, ...]] = ()
    #: numbers that a cell has beside these, by their own names
    own: ClassVar[tuple[str, ...]] = ()
    #: whether the gap is a distance
    distance: ClassVar[bool] = False
    #: as labels of kinds say it
    where: ClassVar[str] = "a surface"

    @property
    def form(self) -> type[Surface]:
        """Class whose ``gap`` is compiled."""
        return type(self)

    def values(self) -> dict[str, float]:
        """Numbers of the surface."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @classmethod
    def gap(cls, s, p: SimpleNamespace) -> Any:
        """Distance from the surface, m, or a smooth function that vanishes on it.

        Args:
            s: the point's coordinates in the surface's axes, m.
            p: the surface's numbers.
        """
        raise TypeError(f"{cls.__name__} defines no gap()")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Numbers of a cell."""
        return (*cls.own, *(f"surface.{n}" for n in cls.parameters))

    @classmethod
    def touch(cls, c, s, rate) -> Touch:
        """A point at ``s`` that moves at ``rate`` in the surface's axes."""
        numbers = law_symbols(c, cls, "surface")
        for name in cls.own:
            setattr(numbers, name, c.par(name))
        x = ufl.variable(s)
        level = -cls.gap(x, numbers)
        slope = ufl.diff(level, x)
        if cls.distance:
            depth, normal, gradient = level, slope, slope
        else:
            size = ufl.sqrt(ufl.dot(slope, slope))
            depth, normal = level / size, slope / size
            # but for depth x curvature the normal: with it, energy is kept
            gradient = ufl.diff(depth, x)
        sliding = across(rate, normal)
        return Touch(depth, ufl.dot(gradient, rate), gradient, normal, sliding, place=s)

    @classmethod
    def observables(cls, c, frame, at: Touch, pressure, traction, degree) -> dict[str, Observable]:
        """What a contact of facets shows of the load on the surface.

        Args:
            frame: pose of the surface's frame.
            pressure: Pa.
            traction: of pressure and friction on the surface, in its axes, Pa.
            degree: of the quadrature, or that and the rule's name.
        """
        force = c.par("thickness") * in_space(frame, traction)
        moment = c.par("thickness") * in_space(frame, ufl.cross(at.place, traction))
        shown = load_observables(force, moment, "surface", "about its frame's point")
        return {n: o._replace(expression={degree: o.expression}) for n, o in shown.items()}


@dataclass(frozen=True)
class Placed:
    """A surface of a frame, as cells read it.

    Attributes:
        frame: it moves with.
        triad: its axes at the start by columns, in space.
        form: class of the surface.
        numbers: of the cells.
    """

    frame: Frame
    triad: np.ndarray
    form: type[Surface]
    numbers: dict[str, Any]

    def coordinates(self, places: np.ndarray) -> np.ndarray:
        """Of places in space at the start, m, (..., 3)."""
        return (places - self.frame.position) @ self.triad

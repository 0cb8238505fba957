"""A bearing in a steady state: under a load, or with its journal held."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ..closed_forms.journal import ClosedForm
from ..film.film import Film
from .bearing import Bearing
from .equilibrium import equilibrium
from .place import FilmState, Place


@dataclass(frozen=True)
class SteadyBearing:
    """A bearing whose journal turns at constant speed.

    Args:
        bearing: whose axes stay parallel; or its film.
        load: force on the journal, N, (2,): its centre goes where the film carries it.
        speed: relative angular velocity of the journal under a load, rad/s.
        place: instead of a load: the relative motion of journal and housing.
        start: first guess of the centre under a load, m, (2,).

    Raises:
        InputError: both a load and a place, or neither; settings that are not possible.

    Example:
        >>> SteadyBearing(ShortBearing(15e-3, 15e-3, 2e-4, 0.04), load=(0, -50), speed=100).solve()
    """

    bearing: Bearing | Film | ClosedForm
    load: ArrayLike | None = None
    speed: float | None = None
    place: Place | None = None
    start: ArrayLike | None = None
    solver: Bearing = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        if (self.load is None) == (self.place is None):
            raise InputError("SteadyBearing: give either load (with speed) or place.")
        if self.load is not None:
            object.__setattr__(self, "load", checks.vector("load", self.load, 2))
            if self.speed is None:
                raise InputError("SteadyBearing: give the speed of the journal, rad/s.")
            checks.number("speed", self.speed)
        object.__setattr__(self, "solver", Bearing.of(self.bearing))

    def solve(self) -> FilmState:
        """The film.

        Raises:
            InputError, StepFailed: as of ``equilibrium`` and ``Bearing.solve``.
        """
        if self.place is not None:
            return self.solver.solve(self.place)
        assert self.load is not None and self.speed is not None
        return equilibrium(self.solver, self.load, self.speed, self.start)

    def motion(self, e: np.ndarray) -> np.ndarray:
        """The eleven numbers of ``Place``, with the centre at ``e``, m, (3,), under a load."""
        if self.place is not None:
            return self.place.numbers
        assert self.speed is not None
        return Place(e=(float(e[0]), float(e[1]), float(e[2])), Omega=(0, 0, self.speed)).numbers

"""The way to a film on a soft liner, where Newton's method does not find it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from .place import Place

#: least thickness between rigid surfaces that the search starts from, by the clearance
WIDE = 0.2
#: part of the speeds that a liner is first loaded with where Newton's method fails at all of them
SLOW = 0.05
#: least step on the way to what is asked for, as a part of it
CREEP = 1e-3


class Trying(Protocol):
    """A film that is solved at places, see ``Bearing``."""

    film: Any
    lined: Any

    def clear(self) -> None: ...

    def tries(self, place: Place, most: int | None = None) -> bool: ...


def approach(bearing: Trying, place: Place) -> bool:
    """A film on a liner, followed to the place asked for from low speed or from a wider gap;
    ``False`` if there is none."""
    if bearing.lined is None:
        return False
    clearance = bearing.film.clearance
    room = (1 - WIDE) * clearance
    closing = clearance - bearing.film.thickness(place.e, place.t).min() - bearing.film.valleys
    if closing < room and _run_up(bearing, place):
        return True
    part = min(0.8, room / closing) if closing > 0 else 0.8

    def at(part):
        e, t = (tuple(part * np.asarray(z, float)) for z in (place.e, place.t))
        return place._replace(e=e, t=t)

    bearing.clear()
    if not (bearing.tries(at(part)) or _run_up(bearing, at(part))):
        return False
    return _follow(bearing, at, part, (1 - part) / 4)


def _run_up(bearing: Trying, place: Place) -> bool:
    """A film on a liner, followed from low speed.

    What flows goes with the cube of the thickness: from an unloaded liner Newton's method finds
    pressures that press a soft one far away, the film breaks there, the liner springs back,
    and so on. With the speed the load on the liner grows by degrees.
    """
    if not np.any([place.V, place.Omega]):
        return False

    def at(part):
        V, Omega = (tuple(part * np.asarray(z, float)) for z in (place.V, place.Omega))
        return place._replace(V=V, Omega=Omega)

    bearing.clear()
    return _follow(bearing, at, 0.0, SLOW)


def _follow(bearing: Trying, at: Callable[[float], Place], part: float, step: float) -> bool:
    """Solve for places on a way from the present one, ``at(part)``, to ``at(1)``."""
    while part < 1:
        if bearing.tries(at(min(part + step, 1.0))):
            part, step = min(part + step, 1.0), 2 * step
        elif (step := step / 2) < CREEP:
            return False
    return True

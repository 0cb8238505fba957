"""Squeeze-film dampers: films of journals that whirl without turning.

On a circular orbit about the centre, the film looks the same at all times in axes that whirl with
the journal. In Reynolds' equation the squeeze of such a whirl with the angular frequency w is the
wedge of a journal at rest that turns by -2 w::

    h_t + omega/2 h_phi = (omega/2 - w) h_phi

so that the force on an orbit is that of a steady film (Vance 1988). With Guembel's condition the
film then carries load over the half turn in which it closes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ... import checks
from ...errors import InputError
from ..closed_forms.journal import ClosedForm
from ..film.cavitation import Cavitation
from ..film.film import Film
from ..film.groove import Groove
from ..film.lubricant import Lubricant
from .bearing import Bearing
from .place import FilmState, Place
from .plain import plain_bearing

#: what the ends of a damper may be
ENDS = ("open", "sealed")


def squeeze_film_damper(
    radius: float, length: float, clearance: float, lubricant: Lubricant | float, *,
    whirl: float, ends: str = "open", cells: Sequence[int] = (96, 16),
    cavitation: Cavitation | None = None, grooves: Sequence[Groove] = (),
) -> Film:  # fmt: skip
    """The film of a damper about the third axis.

    Example:
        >>> film = squeeze_film_damper(0.06, 0.03, 1e-4, 0.01, whirl=600.0)
        >>> circular_orbit(film, 0.5e-4, 600.0).damping

    Args:
        radius, length, clearance: m.
        lubricant: viscosity law, or the viscosity in Pa s.
        whirl: typical frequency of the motion, rad/s, by which unknowns are scaled.
        ends: ``"open"`` to the ambient pressure, or ``"sealed"``: no oil leaves there.
        cells: round and along.
        cavitation: default ``Reynolds()``.
        grooves: that feed the damper: rings (width 2 pi), grooves and holes.

    Raises:
        InputError: other ends, no frequency; a sealed damper without grooves whose pressure nothing
            determines.
    """
    checks.choice("squeeze_film_damper: ends", ends, ENDS)
    speed = radius * checks.positive("squeeze_film_damper: whirl", whirl)
    film = plain_bearing(
        radius, length, clearance, lubricant, sliding_speed=speed, cells=cells,
        cavitation=cavitation, grooves=grooves, pressures={} if ends == "sealed" else None,
    )  # fmt: skip
    if not film.pressures and not film.restrictors and not film.cavitation.nodal:
        raise InputError(
            f"squeeze_film_damper: with {type(film.cavitation).__name__}() nothing determines the "
            "level of the pressure between sealed ends; feed the damper through a groove or a hole."
        )
    return film


class CircularOrbit(NamedTuple):
    """Forces of a film on a journal that whirls on a circle about the centre.

    Attributes:
        radial, tangential: components of the force on the journal along its place and along its
            velocity, N.
        stiffness: -radial/radius, N/m.
        damping: -tangential/(radius whirl), N s/m.
        max_pressure: Pa; of a closed form not a number.
        film: at the first of the angles, of a journal at rest that turns by -2 whirl.
    """

    radial: float
    tangential: float
    stiffness: float
    damping: float
    max_pressure: float
    film: FilmState


def circular_orbit(
    bearing: Bearing | Film | ClosedForm, radius: float, whirl: float, *, speed: float = 0.0,
    angles: int = 1,
) -> CircularOrbit:  # fmt: skip
    """Equivalent stiffness and damping of a film on a circular orbit.

    Args:
        bearing: whose axes stay parallel; its film, or a closed form.
        radius: of the orbit, m.
        whirl: angular frequency on the orbit, rad/s, positive about the third axis.
        speed: of rotation of the journal, rad/s; 0 for a damper.
        angles: places on the orbit over which forces are averaged, where grooves or holes make them
            differ.

    Raises:
        InputError: an orbit without radius or frequency or beyond the clearance; a film that
            conserves its lubricant and is not the same all round, so that it is not steady.
    """
    bearing = Bearing.of(bearing)
    checks.positive("circular_orbit: radius", radius)
    if checks.number("circular_orbit: whirl", whirl) == 0:
        raise InputError("circular_orbit: whirl must not be zero.")
    film = bearing.film
    if isinstance(film, Film) and film.cavitation.conserving and not _axisymmetric(film):
        raise InputError(
            "circular_orbit: the void of a film that conserves its lubricant is steady only if "
            "rings or ends feed it; simulate the motion of a damper with holes or grooves."
        )
    found, sums, highest = None, np.zeros(2), -np.inf
    for turn in 2 * np.pi * np.arange(checks.count("circular_orbit: angles", angles)) / angles:
        n = np.array([np.cos(turn), np.sin(turn)])
        there = float(radius * n[0]), float(radius * n[1]), 0.0
        state = bearing.solve(Place(e=there, Omega=(0.0, 0.0, speed - 2 * whirl)))
        found = found or state
        highest = float(np.maximum(highest, state.pressure.max()))
        sums += (state.force[:2] @ n, state.force[:2] @ (-n[1], n[0]))
    assert found is not None
    radial, tangential = (float(z) for z in np.array([1.0, np.sign(whirl)]) * sums / angles)
    return CircularOrbit(
        radial, tangential, -radial / radius, -tangential / (radius * abs(whirl)), highest, found
    )


def _axisymmetric(film: Film) -> bool:
    """Whether bore and given pressures are the same all round."""
    nodes = film.surface.nodes
    along = np.round(nodes[:, 2] / np.ptp(nodes[:, 2]), 9)
    recesses = [film.surface.sets[name] for name in film.restrictors]
    for given in (*film.given().values(), *recesses):
        if np.isin(along, along[given]).sum() != len(given):
            return False
    return film.recess is None

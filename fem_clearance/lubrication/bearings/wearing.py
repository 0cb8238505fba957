"""Wear of a bore under its film: starts and stops, at which asperities carry a part of the load."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from ... import checks
from ...contact.wear.archard import Archard
from ...errors import InputError
from ..film.film import Film
from ..film.sliding import sliding_speeds
from .bearing import Bearing
from .equilibrium import equilibrium
from .place import FilmState, Place

logger = logging.getLogger(__name__)

#: depth that a pass over the speeds may take off before the films are found anew, by the roughness
MOST = 0.05
#: how far from a node of a profile a point may lie, by the profile's size
CLOSE = 1e-6


@dataclass(frozen=True, eq=False)
class WornProfile:
    """Worn depth of a surface at its nodes: a ``recess`` for films on the same surface.

    Args:
        nodes: nodes of the surface of the film, m, (n, 3).
        depth: worn depth there, m, (n,).
        before: recess that the surface had before, to which the worn depth is added.

    Raises:
        InputError: arrays of another shape, values that are not finite, negative depths.

    Example::

        surface = lubrication.cylinder(15e-3, 30e-3, (64, 8))
        depth = 1e-6 * np.maximum(0, -surface.points[:, 1] / 15e-3)  # m, below the axis
        worn = lubrication.WornProfile(surface.points, depth)
        lubrication.Film(surface, 50e-6, lubrication.Lubricant(0.04), recess=worn)
    """

    nodes: np.ndarray
    depth: np.ndarray
    before: Callable[[np.ndarray], np.ndarray] | None = None

    def __post_init__(self):
        nodes, depth = (np.array(z, float) for z in (self.nodes, self.depth))
        if nodes.ndim != 2 or nodes.shape[1:] != (3,) or depth.shape != nodes.shape[:1]:
            raise InputError(
                "WornProfile: give nodes as an array (n, 3) and a depth for each, (n,), in m."
            )
        if not (np.isfinite(nodes).all() and np.isfinite(depth).all() and depth.min() >= 0):
            raise InputError("WornProfile: depths must be finite and not negative.")
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "depth", depth)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Depth at nodes of the surface, m, (n,).

        Raises:
            InputError: a point that is none of the nodes.
        """
        away, nearest = cKDTree(self.nodes).query(points)
        if away.max() > CLOSE * np.ptp(self.nodes, axis=0).max():
            raise InputError(
                f"WornProfile: a node of the film lies {away.max():.3g} m from those of the "
                "profile; use the mesh (cells, grooves) with which it was made."
            )
        old = 0.0 if self.before is None else np.asarray(self.before(points), float)
        return self.depth[nearest] + old

    def write(self, path: str | Path) -> None:
        """Write nodes and depths to a ``.npz`` file; ``before`` is not written."""
        with Path(path).open("wb") as file:
            np.savez(file, nodes=self.nodes, depth=self.depth)

    @classmethod
    def read(
        cls, path: str | Path, before: Callable[[np.ndarray], np.ndarray] | None = None
    ) -> WornProfile:
        """Read a file that ``write`` has written.

        Args:
            path: path of the file.
            before: recess that the surface had before.

        Raises:
            InputError: a file that cannot be read.
        """
        try:
            with np.load(path) as data:
                return cls(data["nodes"], data["depth"], before)
        except (OSError, KeyError, ValueError) as error:
            raise InputError(f"WornProfile: {path} cannot be read: {error}.") from None


class WornBearing(NamedTuple):
    """A bearing after a number of cycles.

    Attributes:
        film: film on the worn surface.
        profile: worn depth.
        volume: worn volume, m^3.
        cycles: numbers of cycles after which the films were computed, (passes + 1,).
        deepest: largest worn depth after these cycles, m, (passes + 1,).
        contact: largest load on the asperities within a cycle, the integral of their pressure, N,
            (passes,).
    """

    film: Film
    profile: WornProfile
    volume: float
    cycles: np.ndarray
    deepest: np.ndarray
    contact: np.ndarray


def wear_under_film(
    film: Film, law: Archard, time: ArrayLike, speed: ArrayLike, cycles: float, *,
    load: ArrayLike | None = None, place: Place | None = None,
) -> WornBearing:  # fmt: skip
    """Wear of the bore over cycles of the speed, by Archard's law at each node with the pressure of
    the asperities. The films are in equilibrium at each speed and are updated as the bore wears.

    Example:
        >>> rough = Asperities(0.4e-6, 1.1e11)
        >>> film = replace(plain_bearing(15e-3, 15e-3, 3e-5, 0.02), asperities=rough)
        >>> worn = wear_under_film(film, Archard(1e-7, 1e9), [0, 1, 2], [0, 30, 0], 1e3,
        ...                        load=(0, -400))

    Args:
        film: film with ``asperities`` on a rigid surface.
        law: Archard's law of the bore.
        time: instants of a cycle, s, increasing.
        speed: speed of the journal at these instants, rad/s, linear in between; each part of the
            cycle is computed at its mean speed, and parts at rest are left out.
        cycles: number of cycles.
        load: force on the journal, N, (2,).
        place: position at which the journal is held, instead of a load; its angular velocity is
            ignored.

    Raises:
        InputError: a film without asperities, times that do not increase, both a load and a place,
            or neither.
        StepFailed: no equilibrium found.
    """
    if not isinstance(film, Film) or film.asperities is None:
        raise InputError(
            "wear_under_film: film must be a Film with asperities=Asperities(...), because only "
            "their pressure wears the bore."
        )
    if not isinstance(law, Archard):
        raise InputError(f"wear_under_film: law must be Archard(k, H), got {law!r}.")
    if (load is None) == (place is None):
        raise InputError("wear_under_film: give either load or place.")
    checks.positive("wear_under_film: cycles", cycles)
    t, w = (np.array(z, float) for z in (time, speed))
    fits = t.ndim == 1 and len(t) > 1 and w.shape == t.shape and np.isfinite([t, w]).all()
    if not fits or np.any(np.diff(t) <= 0):
        raise InputError(
            "wear_under_film: time must increase, and speed must have a value for each time."
        )
    parts = _parts(t, w)
    nodes, areas = film.surface.nodes, film.surface.areas()
    allowed = MOST * film.asperities.roughness
    depth, done = np.zeros(len(nodes)), 0.0
    worn, starts, contact = film, dict[float, Any](), list[float]()
    after, deepest = [0.0], [0.0]
    while done < cycles * (1 - 1e-12):
        bearing, lost, most = Bearing(worn), np.zeros(len(nodes)), 0.0
        bearing.item.thin_said = bool(contact)  # the first pass speaks for all
        start = None
        for mean, length in parts:  # the fastest first, where the film carries all
            state = _film(bearing, mean, load, place, starts.get(mean, start))
            start = starts[mean] = state.place.e[:2]
            way = length * sliding_speeds(film, state.place)
            lost += law.depth(state.contact_pressure, way)
            most = max(most, float(areas @ state.contact_pressure))
        repeat = min(cycles - done, allowed / max(lost.max(), 1e-300))
        depth += repeat * lost
        done += repeat
        after.append(done)
        deepest.append(float(depth.max()))
        contact.append(most)
        worn = replace(film, recess=WornProfile(nodes, depth.copy(), film.recess))
    logger.info("%d passes over the speeds for %.4g cycles", len(contact), cycles)
    return WornBearing(
        worn, WornProfile(nodes, depth, film.recess), float(areas @ depth), np.array(after),
        np.array(deepest), np.array(contact),
    )  # fmt: skip


def _parts(t: np.ndarray, w: np.ndarray) -> list[tuple[float, float]]:
    """Mean speeds of the parts of a cycle, the fastest first, and how long they last, s."""
    mean, length = (w[1:] + w[:-1]) / 2, np.diff(t)
    order = np.argsort(-np.abs(mean), kind="stable")
    return [(float(mean[k]), float(length[k])) for k in order if mean[k] != 0]


def _film(bearing: Bearing, speed: float, load, place: Place | None, start) -> FilmState:
    """The film at a speed."""
    if place is not None:
        return bearing.solve(place._replace(Omega=(0.0, 0.0, speed)))
    return equilibrium(bearing, load, speed, start)

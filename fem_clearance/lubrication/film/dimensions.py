"""Dimensions of bearings: what cannot be is refused, what is unlikely or unverified is said."""

from __future__ import annotations

import logging

import numpy as np

from ... import checks
from ...errors import InputError
from .thickness import CylinderGap

logger = logging.getLogger(__name__)

#: clearance by the radius below which a length may have been given in another unit
NARROW = 1e-4
#: radius by the extent of the mechanism above which the same holds
LARGE = 3.0
#: least thickness of a film between rigid cylinders, by its clearance, to which loads were verified
THIN = 0.04


def check_journal(who: str, clearance: float, radius: float) -> None:
    """Refuse a journal without a radius; both of the bearing, m."""
    if clearance >= radius:
        raise InputError(
            f"{who}: a journal with a clearance of {clearance:g} m has no radius left in a bearing "
            f"of {radius:g} m."
        )


def check_roughness(who: str, roughness: float | None, clearance: float) -> None:
    """Refuse surfaces, of a roughness in m if any, that are rougher than their clearance, m."""
    if roughness is None:
        return
    checks.positive(f"{who}: roughness", roughness)
    if roughness >= clearance:
        raise InputError(
            f"{who}: the surfaces, of a roughness of {roughness:g} m, are rougher than the "
            f"clearance of {clearance:g} m is wide; give the roughness in m, as 0.5e-6."
        )


def check_unknown_pressures(who: str, given: np.ndarray) -> None:
    """Refuse a film, as of one cell between its ends, the pressure at all of whose nodes, (n,), is
    given: it would carry nothing."""
    if np.all(given):
        raise InputError(
            f"{who}: the pressure is given at all of its nodes, which lie on its edges or in "
            "grooves, so that nothing is left to compute; take at least two cells between edges of "
            "given pressure, as cells=(16, 2)."
        )


def warn_of_units(who: str, clearance: float, radius: float, extent: float) -> None:
    """Say that a clearance is unusually small for its radius, or the radius large for the extent of
    the mechanism so far, m. (The distance of a journal from its bearing is no extent.)"""
    if clearance < NARROW * radius:
        logger.warning(
            "%s: the clearance of %g m is %.2g of the radius of %g m, where journal bearings have "
            "about 0.001: are all lengths given in m?", who, clearance, clearance / radius, radius,
        )  # fmt: skip
    elif clearance < extent < radius / LARGE:
        logger.warning(
            "%s: the radius of %g m is larger than the mechanism, of %.3g m: are all lengths given "
            "in m?", who, radius, extent,
        )  # fmt: skip


def verified_thickness(film, elastic=()) -> float:
    """Thickness, m, down to which loads of a film on usual meshes were verified, see "Meshes" in
    docs/films.md; -inf if none is known: on elastic surfaces, of pads and balls; and of closed
    forms, which need none."""
    rigid = isinstance(getattr(film, "gap", None), CylinderGap) and not elastic
    return THIN * film.clearance if rigid else -np.inf


def warn_of_thin(who: str, thickness: float, verified: float) -> None:
    """Say that a film is thinner than ``verified_thickness``; both m."""
    logger.warning(
        "%s: the smallest thickness is %.2g of the clearance; loads were verified above %g, and at "
        "0.01 they are 0.6 to 4 %% too low: compare with twice the cells, crowded around the "
        "smallest gap (crowd=0.85).", who, THIN * thickness / verified, THIN,
    )  # fmt: skip

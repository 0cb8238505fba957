"""Where broken films do not draw oil in at their edges."""

from __future__ import annotations

import numpy as np

from ..film.cavitation import Guembel
from ..film.film import Film


def lacking(film: Film, flow: np.ndarray, pressure: np.ndarray) -> np.ndarray:
    """Nodes at which a broken film lacks oil that is not sucked in there, (nodes,).

    Guembel's pressures below zero do not act, but flow: what they suck in at the ends of a bearing
    does not exist. Its grooves feed also the part of it that would pull.

    Args:
        film: that is broken.
        flow: out of it at its nodes, m^3/s.
        pressure: Pa, likewise.
    """
    found = (pressure <= 0) & (flow <= 0)
    if not isinstance(film.cavitation, Guembel):
        return found & film.cavitation.nodal
    given = film.given()
    ends = [given[name] for name in ("z0", "z1") if name in given]
    return found & np.isin(np.arange(len(flow)), np.concatenate([[], *ends]))

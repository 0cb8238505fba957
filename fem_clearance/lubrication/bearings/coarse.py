"""Films on coarser meshes: where Newton's method starts from nothing.

Active sets move the edge of a film by about a node an iteration where it has to grow. Found on
half as many cells in each direction, and on half of these before, the edge is a node or two away,
however fine the mesh is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, diags
from scipy.spatial import cKDTree

from ...errors import InputError
from ..film.film import Film
from ..film.surface import Surface, neighbours


def coarser(film: Film) -> Film | None:
    """A film on half as many cells in each direction, if there is such a mesh."""
    surface = film.surface.coarser
    try:
        return replace(film, surface=surface) if surface is not None else None
    except InputError:  # a set of nodes that it has not
        return None


def missing(film: Film, p: np.ndarray) -> np.ndarray:
    """First guess of what is missing where there is no pressure, m/s: active sets ask which of the
    two is the lesser."""
    return np.where(p > 0, 0.0, film.rate_unit)


def prolongation(surface: Surface) -> csr_matrix:
    """What gives bilinear fields of ``surface.coarser`` at the nodes of a surface.

    Nodes that both have keep their values, those between are the mean of what lies beside them:
    first in the middle of an edge, then in that of a cell.
    """
    assert surface.coarser is not None
    numbers, _ = surface.corners
    fine, coarse = surface.nodes, surface.coarser.nodes
    n, m = len(fine), len(coarse)
    apart, place = cKDTree(fine).query(coarse)
    assert apart.max() < 1e-6 * np.ptp(fine, axis=0).max(), "nodes of the coarser mesh lie here"
    spread = csr_matrix((np.ones(m), (place, np.arange(m))), (n, m))
    there, here = np.unique(neighbours(numbers), axis=0).T
    beside = csr_matrix((np.ones(len(here)), (there, here)), (n, n))
    known = np.zeros(n)
    known[place] = 1.0
    while not known.all():
        count = (beside @ known) * (1 - known)
        share = diags(np.divide(1.0, count, out=np.zeros(n), where=count > 0))
        spread = spread + share @ beside @ diags(known) @ spread
        known = np.maximum(known, count > 0)
    return csr_matrix(coo_matrix(spread))

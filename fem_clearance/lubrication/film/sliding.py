"""Sliding speeds on the surface of a film, as numbers."""

from __future__ import annotations

import numpy as np

from .thickness import FlatGap


def sliding_speeds(film, place) -> np.ndarray:
    """Of the journal along the surface at the film's nodes, m/s, for a motion (e, t, V, Omega)."""
    x, (_, _, V, Omega) = film.surface.nodes, place
    U = np.cross(Omega, x) + (np.array(V) if isinstance(film.gap, FlatGap) else 0.0)
    n = np.stack(np.broadcast_arrays(*film.gap.components(x.T), x[:, 0])[:3], 1)
    return np.linalg.norm(U - np.sum(U * n, axis=1)[:, None] * n, axis=1)

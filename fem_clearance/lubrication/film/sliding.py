"""Sliding speeds on the surface of a film, as numbers."""

from __future__ import annotations

import numpy as np

from .thickness import FlatGap, Gap


def speeds(shape: type[Gap], x: np.ndarray, V, Omega) -> np.ndarray:
    """Sliding speeds of the journal along a surface of the given shape, m/s, (...,).

    Args:
        shape: class of the gap.
        x: positions on the surface, m, (..., 3).
        V, Omega: velocity of the journal, m/s, and angular velocity, rad/s, which broadcast to
            (..., 3).
    """
    U = np.cross(Omega, x) + (np.asarray(V) if issubclass(shape, FlatGap) else 0.0)
    parts = np.broadcast_arrays(*shape.components(np.moveaxis(x, -1, 0)), x[..., 0])[:3]
    n = np.stack(parts, axis=-1)
    return np.linalg.norm(U - np.sum(U * n, axis=-1, keepdims=True) * n, axis=-1)


def sliding_speeds(film, place) -> np.ndarray:
    """Of the journal along the surface at the film's nodes, m/s, for a motion (e, t, V, Omega)."""
    return speeds(type(film.gap), film.surface.nodes, *place[2:])

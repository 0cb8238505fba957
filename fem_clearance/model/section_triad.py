"""Triads of a beam's section from its two directors, as UFL expressions and of numbers."""

from __future__ import annotations

import numpy as np
import ufl
from ufl import dot


def normal(d2, d3):
    """Unit normal of a section."""
    n = ufl.cross(d2, d3)
    return n / length(n)


def length(d):
    """Length of a vector."""
    return ufl.sqrt(dot(d, d))


def section_triad(d2, d3):
    """The section's normal, d2 made unit, and their cross product."""
    e1, e2 = normal(d2, d3), d2 / length(d2)
    return e1, e2, ufl.cross(e1, e2)


def mean_triad(d2, d3, share):
    """The section's normal and two axes across it that turn with the mean of both directors' turns,
    ``share`` that of d2: I_y/(I_y + I_z), the part of a torque which twisting exerts on d2. So a
    torque on this triad does not shear the section."""
    e1 = normal(d2, d3)
    e2 = share / length(d2) * d2 + (1 - share) / length(d3) * ufl.cross(d3, e1)
    e2 = e2 / length(e2)
    return e1, e2, ufl.cross(e1, e2)


def mean_triad_of(d2: np.ndarray, d3: np.ndarray, share: float) -> np.ndarray:
    """``mean_triad`` of numbers, by columns."""
    e1 = _cross(d2, d3)
    e1 = e1 / np.sqrt(e1 @ e1)
    e2 = share / np.sqrt(d2 @ d2) * d2 + (1 - share) / np.sqrt(d3 @ d3) * _cross(d3, e1)
    e2 = e2 / np.sqrt(e2 @ e2)
    return np.array([e1, e2, _cross(e1, e2)]).T


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of two vectors; NumPy's own takes many times as long for one pair."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])

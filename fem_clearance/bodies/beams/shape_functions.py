"""Shape functions of the beam elements, evaluated at points inside an element."""

from __future__ import annotations

from typing import Any

import basix
import basix.ufl
import numpy as np
from numpy.polynomial import polynomial

#: coefficients of 1, x, x^2, ... on the unit interval
HERMITE = {
    ("r", 0): [1, 0, -3, 2], ("slope", 0): [0, 1, -2, 1],
    ("r", 1): [0, 0, 3, -2], ("slope", 1): [0, 0, -1, 1],
}  # fmt: skip
LINEAR = {0: [1, -1], 1: [0, 1]}
QUADRATIC = {0: [1, -3, 2], 1: [0, 4, -4], 2: [0, -1, 2]}


def shape_numbers(kind: Any, x: float, length: float, ratio: float = 1.0) -> np.ndarray:
    """Factors of an element's unknowns, three by three, in its fields at a point.

    Args:
        kind: a ``BeamKind`` with the layout of the unknowns; those of a slope count for the centre
            line.
        x: place in the element, 0 to 1.
        length: undeformed length of the element, m.
        ratio: length of the element over the length its slope unknowns are multiplied with.

    Returns:
        Value and first three derivatives by arc length, (4, entries of the layout).
    """
    columns = []
    for field, node in kind.layout:
        if kind.spans == 2:
            series = np.array(QUADRATIC[node], float)
        elif field in ("r", "slope"):
            series = np.array(HERMITE[field, node], float) * (ratio if field == "slope" else 1)
        else:
            series = np.array(LINEAR[node], float)
        columns.append(
            [polynomial.polyval(x, polynomial.polyder(series, k)) / length**k for k in range(4)]
        )
    return np.array(columns).T


def hermite_parts(cell):
    """The Hermite cubic as two elements, of values and of slopes at the ends, each (3,).

    Elements of unequal length share the slope by arc length: theirs is the sum of both, the second
    multiplied by the ratio of lengths.
    """
    return [basix.ufl.blocked_element(_part(cell, k), shape=(3,)) for k in (0, 1)]


def combine(c, state):
    """Centre line of Hermite cubics in parts, and the fields that follow them."""
    values, slopes, *rest = c.split(state)
    return values + c.par("ratio") * slopes, *rest


def _part(cell, derivative: int):
    """Two shape functions of the Hermite cubic: values (0) or slopes (1) at the ends."""
    points, weights = basix.make_quadrature(cell, 6)
    legendre = basix.tabulate_polynomials(basix.PolynomialType.legendre, cell, 3, points)
    names = ("r", "slope")[derivative]
    shapes = [polynomial.polyval(points[:, 0], HERMITE[names, k]) for k in (0, 1)]
    span = np.array([legendre @ (weights * s) for s in shapes])
    dual = np.zeros((1, 1, 1, derivative + 1))
    dual[..., derivative] = 1.0
    ends = basix.geometry(cell)
    x = [[ends[:1], ends[1:]], [np.zeros((0, 1))], [], []]
    M = [[dual, dual], [np.zeros((0, 1, 0, derivative + 1))], [], []]
    return basix.ufl.custom_element(
        cell, (), span, x, M, derivative, basix.MapType.identity, basix.SobolevSpace.H1,
        False, 0 if derivative == 0 else -1, 3,
    )  # fmt: skip

"""Which kernels are worth their lanes."""

from __future__ import annotations

from typing import Any

from ufl.classes import (
    Abs,
    BesselFunction,
    Condition,
    Division,
    MathFunction,
    Power,
    ScalarValue,
    Sqrt,
)
from ufl.corealg.traversal import unique_pre_traversal

from . import processor

#: fewest cells of a kind, and of one on points
FEWEST, FEWEST_POINTS = 4, 8


def lanes(cell: str, cells: int) -> int:
    """Lanes for so many cells of a kind: 1 where they are few. The number on all ranks decides, so
    that a cell's numbers do not depend on how cells are partitioned."""
    least = FEWEST_POINTS if cell == "point" else FEWEST
    return processor.lanes() if cells >= least else 1


def gains(cell: str, form: Any) -> bool:
    """Whether a form gains by lanes: not one with functions that vectors.h has not, nor the tangent
    of a polynomial on points. That is a few products in a matrix of zeros, and copying those takes
    longer (``benchmarks/table_lanes.py``)."""
    nodes = [n for i in form.integrals() for n in unique_pre_traversal(i.integrand())]
    if any(isinstance(n, BesselFunction) for n in nodes):
        return False
    if cell != "point" or len(form.arguments()) < 2:
        return True
    return not all(map(_polynomial, nodes))


def _polynomial(n: Any) -> bool:
    """Whether a node of an expression of polynomials is one, too."""
    if isinstance(n, Power):
        exponent = n.ufl_operands[1]
        return isinstance(exponent, ScalarValue) and float(exponent) in (2.0, 3.0, 4.0)
    return not isinstance(n, (Abs, Condition, Division, MathFunction, Sqrt))

"""Small pieces of which the forms of contact are written."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import ufl

from ..core.observables import Observable
from .laws.normal import indicator

#: length below which nothing is resolved; keeps unit vectors finite at the centre
TINY_LENGTH = 1e-15
#: added to squares of forces and the like, below anything in any units: keeps sizes differentiable
NOTHING = 1e-60


def identity(expression):
    """In place of ``c.shared`` where nothing is shared."""
    return expression


def touching(depth):
    """1 in contact, else 0."""
    return indicator(ufl.gt(depth, 0))


def length(vector, least=TINY_LENGTH):
    """Size of a vector, above 0 by what is not resolved."""
    return ufl.sqrt(ufl.dot(vector, vector) + least**2)


def across(vector, n):
    """The part of a vector across the unit vector n; all of it where there is no n."""
    return vector if n is None else vector - ufl.dot(vector, n) * n


def in_axes(frame, *vectors):
    """Components of vectors along a frame's axes, one vector after the other."""
    return ufl.as_vector([ufl.dot(x, frame.e(k)) for x in vectors for k in (1, 2, 3)])


def in_space(frame, vector):
    """The vector in space whose components along a frame's axes are given."""
    return vector[0] * frame.e(1) + vector[1] * frame.e(2) + vector[2] * frame.e(3)


def law_symbols(c, law, role: str) -> SimpleNamespace:
    """Parameters ``role.name`` of a cell, as the methods of its law read them."""
    return SimpleNamespace(**{n: c.par(f"{role}.{n}") for n in law.parameters})


def as_parameters(role: str, values: Mapping[str, float]) -> dict[str, float]:
    """Numbers of a law by the names that ``law_symbols`` reads, ``role.name``."""
    return {f"{role}.{n}": x for n, x in values.items()}


def centre_offsets(i, j, inner: str, outer: str) -> dict[str, Observable]:
    """``ex ey ez``: from the point of frame i to that of frame j in space, m."""
    return {
        f"e{x}": Observable((j.r - i.r)[k], "m", f"{x} of the {inner}'s centre from the {outer}'s")
        for k, x in enumerate("xyz")
    }


def load_observables(force, moment, body: str, about: str) -> dict[str, Observable]:
    """``force.x .. moment.z`` on a body, components in space, N and N m."""
    parts = (("force", "N", force, ""), ("moment", "N m", moment, f" {about}"))
    return {
        f"{name}.{x}": Observable(vector[k], unit, f"{x} of the {name} on the {body}{more}")
        for name, unit, vector, more in parts
        for k, x in enumerate("xyz")
    }

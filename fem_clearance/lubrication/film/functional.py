"""The functional of a film by area, and what a film passes (kind.py)."""

from __future__ import annotations

from typing import Any

import ufl
from ufl import diff, dot, grad


def flows(p, power) -> tuple:
    """Derivatives of L by the pressure and its gradient: what the gap takes up of the lubricant and
    what flows along it, by area (UFL); ``power``: L of both."""
    P, G = ufl.variable(p), ufl.variable(grad(p))
    L = power(P, G)
    return diff(L, P), diff(L, G)


def passing(h, mu) -> tuple:
    """What a film of one viscosity across its thickness passes, see ``FilmKind.passing``."""
    return h / 2, h**3 / (12 * mu), mu / h


def functional(p, slope, passed, rate, U, wetted: Any = 1.0):
    """L per area, W/m^2 (UFL): of the pressure and its gradient, what the film passes, the rate of
    its thickness and the sliding velocity."""
    drawn, conducts, shear = passed
    flow = p * rate - drawn * dot(slope, U) + driven(conducts / 2, slope, slope)
    return flow - wetted * shear * dot(U, U) / 2


def driven(conducts, slope, other):
    """What a slope of the pressure drives along another vector; ``conducts``: the same in all
    directions, or a tensor."""
    if not ufl.as_ufl(conducts).ufl_shape:
        return conducts * dot(slope, other)
    return dot(other, dot(conducts, slope))

"""Which forms the packed loop can run; all others are refused here, in a sentence.

The loop (``compiled/evaluate.c``) calls one kernel a cell, with numbers that it picks from the
state. So a form is integrated over whole cells and reads nothing but what ``Symbols`` offers.
"""

from __future__ import annotations

import math
from typing import Any

import ufl
from ufl.algorithms import extract_arguments, extract_coefficients
from ufl.algorithms.analysis import extract_constants, extract_type
from ufl.constantvalue import FloatValue

from ..errors import InputError

#: integrals that are not over cells, as users write them
_MEASURES = {
    "exterior_facet": "ds", "interior_facet": "dS", "vertex": "dP", "ridge": "dr",
}  # fmt: skip


def check_integrals(label: str, form: Any, mesh: Any) -> None:
    """Refuse a form that is not integrated over whole cells of ``mesh``.

    Raises:
        InputError: it is not integrated, or over facets, a part of the cells or another mesh.
    """
    if not isinstance(form, ufl.Form):
        raise InputError(
            f"{label}: a residual must be a form, got {type(form).__name__}: multiply "
            "c.along(...), c.power(...) or c.test by c.dx(), and return it."
        )
    for integral in form.integrals():
        kind = integral.integral_type()
        if kind != "cell":
            raise InputError(
                f"{label}: a form holds an integral over {_MEASURES.get(kind, kind)}, and forms of "
                "a kind are integrated over its cells: write c.dx(); what acts on facets is a kind "
                "of its own, whose cells the facets are."
            )
        if integral.ufl_domain() != mesh:
            raise InputError(
                f"{label}: a form is integrated over a mesh of its own: write c.dx(), the measure "
                "of the kind's cells."
            )
        if integral.subdomain_id() != "everywhere":
            raise InputError(
                f"{label}: a form is integrated over the part {integral.subdomain_id()!r} of the "
                "cells: write c.dx(), and switch cells by a parameter that is 0 or 1."
            )


def check_test(label: str, form: Any, test: Any) -> None:
    """Refuse a residual that is not written with the kind's own test function.

    Raises:
        InputError: it holds none, or another.
    """
    if form.integrals() and list(extract_arguments(form)) != [test]:
        raise InputError(
            f"{label}: a residual must be linear in c.test, and hold no other test or trial "
            "function: write c.along(...), c.power(...) or c.test itself."
        )


def check_reads(label: str, form: Any, known: dict[Any, str]) -> None:
    """Refuse a form or expression that reads what no cell carries, or holds literals that are no
    finite numbers, for which FFCx writes words that C does not know.

    Args:
        known: the coefficients that a cell has numbers for.

    Raises:
        InputError: it reads a constant or coefficient of its own, as a DOLFINx ``Function``, or
            holds an infinite number.
    """
    for literal in extract_type(form, FloatValue):
        if not math.isfinite(literal.value()):
            raise InputError(
                f"{label}: a form, or its derivative, holds the literal {literal.value()}, which "
                "cannot be compiled: write a large number, such as 1e200, or a parameter."
            )
    if extract_constants(form):
        raise InputError(
            f"{label}: a form reads a ufl.Constant, for which its cells have no number: name it in "
            "the kind's parameters and read it as c.par(name)."
        )
    for coefficient in extract_coefficients(form):
        if coefficient not in known:
            own = "a Function" if hasattr(coefficient, "x") else "a ufl.Coefficient"
            raise InputError(
                f"{label}: a form reads {own} of its own ({coefficient}), for which its cells have "
                "no numbers: name it in the kind's parameters and read it as c.par(name), or as "
                "c.distributed[name] if it is a field on the cell."
            )

"""Observables: what can be recorded of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import checks
from ..errors import InputError

#: the total that kinetic energies add up to
KINETIC = "energy.kinetic"


class Observable(NamedTuple):
    """A scalar that can be recorded, integrated over the cell.

    Attributes:
        expression: UFL scalar of the state; but on points also ``{quadrature degree: scalar}``, or
            ``{(degree, rule): scalar}``.
        unit: SI unit, for the results file.
        description: one line, for the results file.
        total: name of a channel that sums this over all cells of the system, or empty.
        recorded: whether it becomes a channel of its owner (else it serves only the law itself).
        each: the channel is one of the cell (see ``Cell.place``), not summed over those of its
            owner.
        least, largest: the channel is the least (largest) of the owner's cells, not their sum; it
            has no ``total``.
        points: if given, a quadrature degree: there is one number for each point of that rule, its
            value times its weight, named ``<name>.0``, ``<name>.1`` ... and never recorded. Others
            of the kind must then be integrated by the same degree.
    """

    expression: Any
    unit: str
    description: str
    total: str = ""
    recorded: bool = True
    each: bool = False
    least: bool = False
    largest: bool = False
    points: int = 0


#: totals of stored energy of the package, to which kinds may add
ENERGIES = (KINETIC, "energy.strain", "energy.potential", "energy.contact")


def check_observables(label: str, observables: Mapping[str, Any]) -> None:
    """Refuse what is no ``Observable``, and energies in another unit or nearly of a known name.

    Raises:
        InputError: one of these.
    """
    for name, o in observables.items():
        if not isinstance(o, Observable):
            raise InputError(
                f"{label}: observable {name!r} must be Observable(expression, unit, description), "
                f"got {type(o).__name__}."
            )
        if not is_energy(o.total):
            continue
        if o.unit != "J":
            raise InputError(
                f"{label}: observable {name!r} adds to {o.total} and must be in J, not {o.unit!r}."
            )
        near = checks.suggestion(o.total, ENERGIES)
        if near and o.total not in ENERGIES:
            raise InputError(f"{label}: observable {name!r} has the total {o.total!r}{near}.")


def is_energy(total: str) -> bool:
    """Whether a total is one of stored energy."""
    return total.startswith("energy.")


def body_energies(kinetic: Any, potential: Any, of: str = "") -> dict[str, Observable]:
    """Kinetic and potential energy of a body, which count in the totals of the system only.

    Args:
        kinetic, potential: their expressions, J.
        of: whose potential it is, such as ``"gravity"``.
    """
    what = f"potential energy of {of}" if of else "potential energy"
    return {
        "kinetic_energy": Observable(kinetic, "J", "kinetic energy", KINETIC, False),
        "potential_energy": Observable(potential, "J", what, "energy.potential", False),
    }


def internal(expressions: dict[str, Any]) -> dict[str, Observable]:
    """Observables of a kind that serve its own ``update`` or are watched, never recorded."""
    return {name: Observable(x, "", "", recorded=False) for name, x in expressions.items()}

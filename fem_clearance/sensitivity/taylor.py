"""Check of derivatives: changes that they predict, compared with computed ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from .derivatives import Derivatives
from .recorded import Recorded

#: changes of the parameters, relative to the largest one
PARTS = (1.0, 0.3, 0.1, 0.03, 0.01)
#: range of orders of a remainder of first order, and how large a part of the predicted and the
#: computed change it is at a kink; smaller ones are errors of the derivative, or round-off, by the
#: value of the output
FIRST_ORDER, KINK, ROUND_OFF = (0.8, 1.2), 1e-4, 1e-12
#: the derivatives of both sides agree if they differ by less than this part of what they differ by
#: from the computed one; at a kink this is 1
ALIKE = 0.5
#: lines of outputs that are printed
SHOWN = 12


@dataclass(frozen=True, repr=False)
class TaylorTest:
    """Changes of the outputs that were computed, compared with those that derivatives predict.

    Attributes:
        names: names of the outputs.
        parts: factors of the direction.
        changes: computed changes of the outputs, parts x outputs.
        remainders: these minus the predicted changes, parts x outputs.
        orders: order at which the remainders decrease from part to part, (parts - 1) x outputs; 2
            where the outputs are smooth.
        notes: sentences that name kinks: runs that differ in more than numbers, and remainders of
            first order; and derivatives that differ from those of both sides.
    """

    names: tuple[str, ...]
    parts: np.ndarray
    changes: np.ndarray
    remainders: np.ndarray
    orders: np.ndarray
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        """Notes, and a line for each of ``SHOWN`` outputs, those first of which the derivatives
        leave most."""
        with np.errstate(divide="ignore", invalid="ignore"):
            left = self.remainders[-1] / np.abs(self.changes[-1])
        left[self.changes[-1] == 0] = 0.0
        order = [*range(len(self.names))]
        if len(order) > SHOWN:
            order = np.argsort(-left, kind="stable")[:SHOWN].tolist()
        width = max(len(self.names[k]) for k in order)
        head = f"{'change of the output by':{width}} {self.parts[0]:9.1e} {self.parts[-1]:9.1e}"
        lines = [f"{head}  left of both       orders from part to part"]
        for k in order:
            changes, remainders = (z[[0, -1], k] for z in (self.changes, self.remainders))
            numbers = " ".join(f"{z:9.2e}" for z in (*changes, *remainders))
            orders = " ".join(f"{z:5.2f}" for z in self.orders[:, k])
            lines.append(f"{self.names[k]:{width}} {numbers} {orders}")
        if len(order) < len(self.names):
            lines.append(f"(and {len(self.names) - SHOWN} outputs of which less is left)")
        return "\n".join([*self.notes, *lines])


def relative_changes(
    by: Sequence[str], direction: Mapping[str, float] | ArrayLike | None
) -> np.ndarray:
    """Relative changes of the parameters ``by`` in their order, (parameters,); ``None``: 1 for all.

    Raises:
        InputError: not one change for each parameter, or no change at all.
    """
    if isinstance(direction, Mapping):
        direction = [direction.get(n, 0.0) for n in by]
    along = np.ones(len(by)) if direction is None else np.asarray(direction, float)
    if along.shape != (len(by),) or not np.any(along):
        raise InputError(
            f"check: direction must contain a change for each of {', '.join(by)}, not all zero."
        )
    return along


def taylor(
    base: Derivatives, change: np.ndarray, run: Callable[[np.ndarray], Recorded], largest: float
) -> TaylorTest:
    """The test.

    Args:
        base: the derivatives.
        change: change of the parameters along the direction, (parameters,).
        run: returns the run for values of the parameters.
        largest: largest factor of ``change``.
    """
    changes, notes, parts = [], [], largest * np.array(PARTS)
    x = base.parameters
    own, steps = run(x).counts, run(x).event_steps
    for part in parts.tolist():
        found = run(x + part * change)
        changes.append(found.outputs - base.values)
        notes += [
            f"with {part:g} of the direction the run has {found.counts[what]} {what}, not {count}, "
            "so that the outputs have a kink; use a smaller change, largest=."
            for what, count in own.items()
            if found.counts[what] != count
        ]
        if found.counts == own and found.event_steps != steps:
            notes.append(
                f"with {part:g} of the direction an event moves to another of the fixed steps, so "
                "that the outputs have a kink; use a smaller change, largest=."
            )
    direction, change = change, np.array(changes)
    slope = base.jacobian @ direction
    left = np.abs(change - parts[:, None] * slope)
    with np.errstate(divide="ignore", invalid="ignore"):
        orders = np.log(left[:-1] / left[1:]) / np.log(parts[:-1] / parts[1:])[:, None]
    low, high = FIRST_ORDER
    first = np.all((orders[1:] > low) & (orders[1:] < high), axis=0)
    first &= left[-1] > KINK * np.maximum(np.abs(change[-1]), np.abs(parts[-1] * slope))
    first &= left[-1] > ROUND_OFF * np.abs(base.values)
    if first.any():
        part, names = parts[-1], np.array(base.names)
        smooth = first & _alike(base, change[-1], part * slope, x - part * direction, run)
        if len(bent := names[first & ~smooth]):
            notes.append(
                f"the remainder of {checks.some(bent, 4)} is of first order, so that it has a kink "
                "at or close to these values: the derivative is that of the other side; reverse "
                "the direction to check it."
            )
        if len(even := names[smooth]):
            most = np.max(left[-1, smooth] / np.abs(part * slope[smooth]))
            notes.append(
                "runs with changes in this and in the opposite direction agree on a derivative of "
                f"{checks.some(even, 4)} that differs by {most:.2g} of the computed one (at most), "
                "which holds the lengths of steps constant: decrease tolerance (with contacts also "
                "contact_tolerance) until it no longer changes."
            )
    with np.errstate(divide="ignore", invalid="ignore"):
        overall = np.log(left[1] / left[-1]) / np.log(parts[1] / parts[-1])
    large = left[-1] > KINK * np.maximum(np.abs(change[-1]), np.abs(parts[-1] * slope))
    slow = large & (overall < low) & (left[-1] > ROUND_OFF * np.abs(base.values)) & ~first
    if slow.any():
        found = np.array(base.names)[slow]
        notes.append(
            f"the remainder of {checks.some(found, 4)} decreases with an order below 1 (from "
            f"{overall[slow].min():.1f}): computed changes this small are jumps or scatter, as "
            "where an edge passes points of quadrature, and do not confirm the derivative; compare "
            "with larger changes, largest=."
        )
    return TaylorTest(base.names, parts, change, left, orders, tuple(notes))


def _alike(
    base: Derivatives,
    ahead: np.ndarray,
    predicted: np.ndarray,
    other: np.ndarray,
    run: Callable[[np.ndarray], Recorded],
) -> np.ndarray:
    """Which outputs change alike in both directions, and thus have no kink, (outputs,).

    Args:
        ahead: changes of the outputs in the direction; ``predicted``: by the derivatives.
        other: values of the parameters as far in the opposite direction.
    """
    try:
        back = base.values - run(other).outputs
    except InputError:  # beyond a bound of a parameter
        return np.zeros(len(ahead), bool)
    return np.abs(ahead - back) < ALIKE * np.abs(ahead - predicted)

"""Check of derivatives: changes that they predict, compared with computed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .derivatives import Derivatives

#: parts of the direction by which the parameters are changed
PARTS = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3)


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
        notes: sentences that say where runs differ in more than numbers.
    """

    names: tuple[str, ...]
    parts: np.ndarray
    changes: np.ndarray
    remainders: np.ndarray
    orders: np.ndarray
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        lines = []
        for k, name in enumerate(self.names):
            lines.append(f"{name}: part, change, left by the derivative, order")
            orders = ["", *(f"{z:6.2f}" for z in self.orders[:, k])]
            columns = self.parts, self.changes[:, k], self.remainders[:, k], orders
            lines += [
                f"  {part:8.1e} {change:12.3e} {left:12.3e} {order}"
                for part, change, left, order in zip(*columns, strict=True)
            ]
        return "\n".join([*lines, *self.notes])


def taylor(
    base: Derivatives, slope: np.ndarray, at: Callable[[float], tuple[np.ndarray, int]], events: int
) -> TaylorTest:
    """The test.

    Args:
        base: the derivatives.
        slope: by the part of the direction, (outputs,).
        at: outputs at a part, and events (onsets and ends of contacts) of the run.
        events: of the run itself.
    """
    changes, notes = [], []
    for part in PARTS:
        values, count = at(part)
        changes.append(values - base.values)
        if count != events:
            notes.append(
                f"with {part:g} of the direction the run has {count} onsets and ends of contacts, "
                f"not {events}: the outputs have a kink between."
            )
    change, parts = np.array(changes), np.array(PARTS)
    left = np.abs(change - parts[:, None] * slope)
    with np.errstate(divide="ignore", invalid="ignore"):
        orders = np.log(left[:-1] / left[1:]) / np.log(parts[:-1] / parts[1:])[:, None]
    return TaylorTest(base.names, parts, change, left, orders, tuple(notes))

"""Check of derivatives: changes that they predict, compared with computed ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from .derivatives import Derivatives

#: by which parts of the largest change the parameters are changed
PARTS = (1.0, 0.3, 0.1, 0.03, 0.01)


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
    base: Derivatives, slope: np.ndarray,
    at: Callable[[float], tuple[np.ndarray, Mapping[str, int]]], own: Mapping[str, int],
    largest: float,
) -> TaylorTest:  # fmt: skip
    """The test.

    Args:
        base: the derivatives.
        slope: by the part of the direction, (outputs,).
        at: outputs at a part, and how many onsets (and the like, by name) the run has.
        own: these numbers of the run itself.
        largest: part of the direction.
    """
    changes, notes, parts = [], [], largest * np.array(PARTS)
    for part in parts.tolist():
        values, counts = at(part)
        changes.append(values - base.values)
        notes += [
            f"with {part:g} of the direction the run has {counts[what]} {what}, not {count}: the "
            "outputs have a kink between."
            for what, count in own.items()
            if counts[what] != count
        ]
    change = np.array(changes)
    left = np.abs(change - parts[:, None] * slope)
    with np.errstate(divide="ignore", invalid="ignore"):
        orders = np.log(left[:-1] / left[1:]) / np.log(parts[:-1] / parts[1:])[:, None]
    return TaylorTest(base.names, parts, change, left, orders, tuple(notes))

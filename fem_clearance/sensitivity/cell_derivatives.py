"""Derivatives by the numbers of all cells, as they are returned to the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .. import checks
from ..core.component import Component
from ..errors import InputError
from .cell_numbers import named

#: owner and number
Key = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class CellDerivatives:
    """Derivatives of outputs with respect to the numbers that the cells of a model carry: by the
    names of the owner and of the number, outputs x cells (x the number's shape), in the outputs'
    units over the number's.

    Numbers that depend on each other (the mass of a body and its inertia) are changed one at a
    time. Where cells of several kinds of one owner have numbers of one name, ``owner`` is followed
    by the kind.

    Attributes:
        names: names of the outputs, in the order of ``of``.
        values: the outputs, (outputs,).
        numbers: the numbers themselves, cells (x shape), by the same keys.
        derivatives: by the same keys.
        notes: sentences that say what limits these derivatives.
    """

    names: tuple[str, ...]
    values: np.ndarray
    numbers: Mapping[Key, np.ndarray]
    derivatives: Mapping[Key, np.ndarray]
    notes: Sequence[str] = ()

    def __getitem__(self, key: Key) -> np.ndarray:
        if key not in self.derivatives:
            raise InputError(
                f"no cells have the numbers {key!r}; there are "
                f"{checks.some([repr(k) for k in self.derivatives])}."
            )
        return self.derivatives[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.derivatives)

    @property
    def scaled(self) -> dict[Key, np.ndarray]:
        """By key the derivatives times the numbers, in the outputs' units: a hundredth of it is the
        change due to one percent of that number of that cell."""
        return {key: z * self.numbers[key] for key, z in self.derivatives.items()}

    def largest(self, output: int | str = 0, count: int = 10) -> list[tuple[str, str, float]]:
        """The numbers by which an output changes most: owner, number, and the sum of the sizes of
        its scaled derivatives over the cells.

        Args:
            output: its place in ``of``, or its name.
            count: how many.

        Raises:
            InputError: an output that there is not.
        """
        if isinstance(output, str):
            if output not in self.names:
                raise InputError(
                    f"there is no output {output!r}{checks.suggestion(output, self.names)}."
                )
            output = self.names.index(output)
        found = [(*key, float(np.abs(z[output]).sum())) for key, z in self.scaled.items()]
        return sorted(found, key=lambda z: -z[2])[:count]

    def __repr__(self) -> str:
        lines = []
        for k, name in enumerate(self.names):
            lines.append(f"{name} = {self.values[k]:.9g}, by one percent of")
            lines += [
                f"  {owner}, {number}: {size / 100:.3g}"
                for owner, number, size in self.largest(k, 5)
            ]
        return "\n".join([*lines, *self.notes])


def of_cells(
    components: Sequence[Component], parameters: Sequence[np.ndarray], bars: Sequence[np.ndarray]
) -> tuple[dict[Key, np.ndarray], dict[Key, np.ndarray]]:
    """Numbers and derivatives by owner and name.

    Args:
        components: of the model.
        parameters: of each their numbers at the start of the run, cells x numbers.
        bars: of each the derivatives, cells x numbers x outputs.
    """
    numbers: dict[Key, np.ndarray] = {}
    derivatives: dict[Key, np.ndarray] = {}
    for c, rows, bar in zip(components, parameters, bars, strict=True):
        for j, owner in enumerate(c.owners):
            cells = np.flatnonzero(c.owner == j)
            for name in named(c):
                columns, shape = c.kind.cell_layout[name]
                key = owner, name
                if key in numbers:
                    key = f"{owner} ({c.kind.label})", name
                numbers[key] = rows[cells][:, columns].reshape(len(cells), *shape).copy()
                mine = np.moveaxis(bar[cells][:, columns], -1, 0)
                derivatives[key] = mine.reshape(len(mine), len(cells), *shape)
    return numbers, derivatives

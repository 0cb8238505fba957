"""Derivatives with respect to the numbers of all cells, as they are returned to the user."""

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
    """Derivatives of outputs with respect to every number of the cells of a model.

    ``d[owner, number]`` is an array, (outputs, cells, ...), where the dots are the shape of the
    number, in the unit of the output divided by that of the number. Each number is varied on its
    own, even if the model computes several of them from one, such as the inertia of a body from its
    mass. If an owner has cells of several kinds with numbers of the same name, the key contains the
    kind after the owner.

    Attributes:
        names: names of the outputs, in the order of ``of``.
        values: the outputs, (outputs,).
        numbers: the numbers themselves, (cells, ...), by owner and name.
        derivatives: the derivatives, by owner and name.
        notes: sentences on the limits of validity of the derivatives.
    """

    names: tuple[str, ...]
    values: np.ndarray
    numbers: Mapping[Key, np.ndarray]
    derivatives: Mapping[Key, np.ndarray]
    notes: Sequence[str] = ()

    def __getitem__(self, key: Key) -> np.ndarray:
        if key not in self.derivatives:
            raise InputError(
                f"no cells have the numbers {key!r}; use one of "
                f"{checks.some([repr(k) for k in self.derivatives])}."
            )
        return self.derivatives[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.derivatives)

    @property
    def scaled(self) -> dict[Key, np.ndarray]:
        """Derivatives multiplied by the numbers, by key, in the units of the outputs. A hundredth
        of an entry is the change of the output due to a change of that number by one percent."""
        return {key: z * self.numbers[key] for key, z in self.derivatives.items()}

    def largest(self, output: int | str = 0, count: int = 10) -> list[tuple[str, str, float]]:
        """The numbers with the largest influence on an output, in descending order.

        Args:
            output: index in ``of``, or name.
            count: how many numbers to return.

        Returns:
            Owner, name, and sum over the cells of the absolute scaled derivatives, in the unit of
            the output, for each number.

        Raises:
            InputError: there is no such output.
        """
        if isinstance(output, str):
            if output not in self.names:
                raise InputError(
                    f"largest: there is no output {output!r}"
                    f"{checks.suggestion(output, self.names)}."
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
        parameters: numbers of each component at the start of the run, (cells, numbers).
        bars: derivatives for each component, (cells, numbers, outputs).
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

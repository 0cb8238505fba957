"""Derivatives as they are handed to a user."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

#: columns of the table
COLUMNS = ("output", "value", "parameter", "parameter_value", "derivative", "scaled")


@dataclass(frozen=True, eq=False, repr=False)
class Derivatives:
    """Derivatives of outputs by parameters.

    Attributes:
        names: of the outputs' numbers, in the order of ``of``.
        by: names of the parameters.
        values: the outputs, (outputs,).
        jacobian: derivatives, outputs x parameters, in the outputs' units over the parameters'.
        parameters: the values of these, (parameters,).
        sizes: by how much a parameter changes for ``scaled``: its own size; ``sizes`` of
            ``Sensitivity`` where it is zero.
        histories: derivatives of channels over time, by (channel, parameter), (instants,); those
            of ``t`` are empty where there is no time.
        t: the instants, s.
        notes: what limits these derivatives, a sentence each.
    """

    names: tuple[str, ...]
    by: tuple[str, ...]
    values: np.ndarray
    jacobian: np.ndarray
    parameters: np.ndarray
    sizes: np.ndarray
    histories: Mapping[tuple[str, str], np.ndarray] = field(default_factory=dict)
    t: np.ndarray = field(default_factory=lambda: np.zeros(0))
    notes: Sequence[str] = ()

    @property
    def scaled(self) -> np.ndarray:
        """The jacobian times the parameters' sizes, outputs x parameters, in the outputs' units: a
        hundredth of it is what one percent of a parameter changes."""
        return self.jacobian * self.sizes

    def __repr__(self) -> str:
        widths = [max(map(len, (*self.names, "output")))]
        lines = [" ".join(["output".ljust(widths[0]), *(f"{n:>18}" for n in ("value", *self.by))])]
        for name, value, row in zip(self.names, self.values, self.jacobian, strict=True):
            numbers = " ".join(f"{z:18.9g}" for z in (value, *row))
            lines.append(f"{name.ljust(widths[0])} {numbers}")
        return "\n".join([*lines, *self.notes])

    def rows(self) -> list[tuple]:
        """One row for each output and parameter, in the order of ``COLUMNS``."""
        return [
            (name, self.values[i], parameter, self.parameters[j], self.jacobian[i, j],
             self.scaled[i, j])
            for i, name in enumerate(self.names)
            for j, parameter in enumerate(self.by)
        ]  # fmt: skip

    def to_csv(self, path) -> Path:
        """Write the table, a row for each output and parameter; returns its path."""
        path = Path(path)
        with path.open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            for name, value, parameter, *numbers in self.rows():
                table.writerow(
                    [name, repr(float(value)), parameter, *map(repr, map(float, numbers))]
                )
        return path

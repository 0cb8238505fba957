"""Derivatives as they are returned to the user."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import checks
from ..errors import InputError
from ..io.files import writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: influence of a relative change of a parameter, relative to the outputs, that is round-off
ROUND_OFF = 1e-12
#: outputs whose bars fit into a figure
MOST = 12
#: columns of the table
COLUMNS = ("output", "value", "parameter", "parameter_value", "derivative", "scaled")


@dataclass(frozen=True, eq=False, repr=False)
class Derivatives:
    """Derivatives of outputs with respect to parameters.

    Attributes:
        names: names of the outputs, in the order of ``of``.
        by: names of the parameters.
        values: the outputs, (outputs,).
        jacobian: derivatives, outputs x parameters, in the outputs' units over the parameters'.
        parameters: values of the parameters, (parameters,).
        sizes: magnitudes of the parameters, by which ``scaled`` multiplies: those of their values,
            or ``sizes`` of ``Sensitivity``.
        histories: derivatives of channels at the times ``t``, by (channel, parameter),
            (instants,).
        t, channels: the instants, s, and the channels there.
        notes: sentences that say what limits these derivatives.
        units: of the channels, by name.
    """

    names: tuple[str, ...]
    by: tuple[str, ...]
    values: np.ndarray
    jacobian: np.ndarray
    parameters: np.ndarray
    sizes: np.ndarray
    histories: Mapping[tuple[str, str], np.ndarray] = field(default_factory=dict)
    t: np.ndarray = field(default_factory=lambda: np.zeros(0))
    channels: Mapping[str, np.ndarray] = field(default_factory=dict)
    notes: Sequence[str] = ()
    units: Mapping[str, str] = field(default_factory=dict)

    @property
    def scaled(self) -> np.ndarray:
        """The jacobian times the parameters' sizes, outputs x parameters, in the outputs' units: a
        hundredth of it is the change due to one percent of a parameter."""
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

    def plot(self) -> Figure:
        """A bar chart of the scaled derivatives, with axes for each output.

        Raises:
            InputError: more than a dozen outputs.
        """
        from ..plotting.derivatives import bars

        if len(self.names) > MOST:
            raise InputError(
                f"plot: bars of {len(self.names)} outputs do not fit into a figure (at most "
                f"{MOST}); use plot_history(channel) after forward(histories=True), which shows a "
                "channel over time, or name fewer instants in of=."
            )
        return bars(self.names, self.by, self.scaled)

    def plot_history(self, channel: str) -> Figure:
        """A channel over time, and how far one percent of each parameter moves it; by ``forward``.
        The legend says how many times as wide the bands are drawn so that they are seen.

        Raises:
            InputError: a channel that has no history.
        """
        from ..plotting.derivatives import band

        known = [*dict.fromkeys(name for name, _ in self.histories)]
        if channel not in known:
            raise InputError(
                f"there is no history of {channel!r}{checks.suggestion(channel, known)}; forward() "
                "returns histories of "
                f"{checks.some(known) if known else 'the channels of its outputs'}."
            )
        slopes = np.array([self.histories[channel, n] for n in self.by]).T
        values = self.channels[channel]
        unit = self.units.get(channel, "SI units")
        return band(self.t, values, 0.01 * slopes * self.sizes, self.by, f"{channel}, {unit}")

    def histories_to_csv(self, path) -> Path:
        """Write the channels and their derivatives as functions of time to a CSV file, one column
        for each; the derivatives are those that ``forward`` has computed. Returns the path.

        Raises:
            InputError: a file that cannot be written.
        """
        columns = {"time": self.t}
        for channel in dict.fromkeys(name for name, _ in self.histories):
            columns[channel] = self.channels[channel]
            columns |= {f"d({channel})/d({n})": self.histories[channel, n] for n in self.by}
        with writing(path) as file:
            table = csv.writer(file)
            table.writerow(columns)
            rows = np.array([*columns.values()]).T
            table.writerows([*map(repr, map(float, row))] for row in rows)
        return Path(path)

    def to_csv(self, path) -> Path:
        """Write the table, a row for each output and parameter; returns its path.

        Raises:
            InputError: a file that cannot be written.
        """
        with writing(path) as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            for name, value, parameter, *numbers in self.rows():
                table.writerow(
                    [name, repr(float(value)), parameter, *map(repr, map(float, numbers))]
                )
        return Path(path)


def unused(by: Sequence[str], outputs: np.ndarray, scaled: np.ndarray) -> list[str]:
    """A sentence on parameters without influence: a name that the model misspells goes unnoticed.

    Args:
        by: names of the parameters.
        outputs: (outputs,).
        scaled: derivatives times the sizes of the parameters, outputs x parameters.
    """
    limit = ROUND_OFF * np.max(np.abs(outputs), initial=0.0)
    none = [n for n, z in zip(by, scaled.T, strict=True) if np.abs(z).max(initial=0.0) <= limit]
    if not none or not limit:
        return []
    return [
        f"{checks.some(none)}: without influence on the outputs, beyond round-off; does the model "
        "read each of them, under this name, and does what it describes act before the end of the "
        "run?"
    ]

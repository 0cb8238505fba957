"""Outputs compared with measured data, for solvers of least squares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from .outputs import At, Integral, Output, Peak, instants


def compared(
    of: Sequence[Output], data: ArrayLike, deviation: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """Data and deviations, one of each a row where that is known.

    Args:
        of: the outputs.
        data: one for each row.
        deviation: one for all, for each row or for each of ``of``.

    Raises:
        InputError: another number of data than the outputs have rows.
    """
    data, deviation = np.ravel(np.asarray(data, float)), np.ravel(np.asarray(deviation, float))
    if not all(isinstance(o, At | Integral | Peak) for o in of):  # others have rows after a run
        return data, deviation
    rows = [max(1, len(instants(o))) for o in of]
    if len(data) != sum(rows):
        raise InputError(
            f"residuals: {len(data)} data for {sum(rows)} outputs; give one for each instant of "
            "each entry of of=, in their order."
        )
    return data, np.repeat(deviation, rows) if len(deviation) == len(rows) else deviation


@dataclass(frozen=True, eq=False)
class Residuals:
    """The outputs minus data, divided by the standard deviations of the data.

    Called with values of the parameters it returns the residuals, (outputs,); ``jacobian`` returns
    their derivatives, (outputs, parameters). See docs/sensitivity.md.

    Args:
        outputs: returns the outputs for values of the parameters, (outputs,).
        slopes: returns their derivatives, (outputs, parameters).
        data: one number for each output.
        deviation: standard deviation of the data, a number or one for each, in the units of the
            outputs.

    Raises:
        InputError: data that are not finite; deviations that are not positive, or of another number
            than the data; data that are not one number for each output, when called.

    Example::

        misfit = s.residuals(measured, deviation=1e-5)
        least_squares(misfit, start, jac=misfit.jacobian, x_scale=start)
    """

    outputs: Callable[[ArrayLike], np.ndarray]
    slopes: Callable[[ArrayLike], np.ndarray]
    data: np.ndarray
    deviation: np.ndarray

    def __post_init__(self):
        data = np.ravel(np.asarray(self.data, float))
        deviation = np.ravel(np.asarray(self.deviation, float))
        if bad := np.flatnonzero(~np.isfinite(data)).tolist():
            raise InputError(
                f"residuals: the data are not finite numbers at {checks.some(bad)} (from 0); leave "
                "these instants out of of= and data."
            )
        if len(deviation) not in (1, len(data)):
            raise InputError(
                f"residuals: {len(deviation)} deviations for {len(data)} data; give one for all, "
                "or one for each row or each entry of of=."
            )
        if not (np.all(deviation > 0) and np.all(np.isfinite(deviation))):
            raise InputError("residuals: each deviation must be a positive number.")
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "deviation", deviation)

    def __call__(self, x: ArrayLike) -> np.ndarray:
        found = self.outputs(x)
        if found.shape != self.data.shape:
            raise InputError(f"residuals: {len(self.data)} data for {len(found)} outputs.")
        return (found - self.data) / self.deviation

    def jacobian(self, x: ArrayLike) -> np.ndarray:
        """Derivatives of the residuals, (outputs, parameters)."""
        return self.slopes(x) / self.deviation[:, None]

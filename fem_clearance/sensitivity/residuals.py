"""Outputs compared with measured data, for solvers of least squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError


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
        InputError: deviations that are not positive, or of another number than the data; data that
            are not one number for each output, when called.

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
        if len(deviation) not in (1, len(data)):
            raise InputError(f"residuals: {len(deviation)} deviations for {len(data)} data.")
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

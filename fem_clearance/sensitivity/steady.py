"""Derivatives of steady results: equilibria and small motions, bearings, periodic orbits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..analysis.orbits import PeriodicOrbit
from ..errors import InputError
from ..lubrication.bearings.steady import SteadyBearing
from ..model.system import System
from ..runs.statics import Statics
from .bearings import SteadyBearings
from .cell_derivatives import CellDerivatives
from .derivatives import Derivatives
from .equilibria import Equilibria
from .implicit import Implicit
from .outputs import Row, WithOutputs, outputs
from .periodic import PeriodicOrbits
from .points import check_model
from .sensitivity import Sensitivity

logger = logging.getLogger(__name__)

#: what a model is
USE = (
    "a function that takes the values of the parameters and returns a System, Statics, "
    "SteadyBearing or PeriodicOrbit (a case has no name here: build its analysis in the function)"
)
#: what a model may return, and what derives it
ANALYSES: dict[type, Callable[[Callable[[str, float], Any], Any], Implicit]] = {
    System: lambda build, own: Equilibria(lambda n, by: Statics(build(n, by)), Statics(own)),
    Statics: Equilibria,
    SteadyBearing: SteadyBearings,
    PeriodicOrbit: PeriodicOrbits,
}


@dataclass
class Solved(WithOutputs):
    """An analysis at a point.

    Attributes:
        values: of the parameters.
        analysis: its solution.
        rows: the outputs.
    """

    values: dict[str, float]
    analysis: Implicit
    rows: list[Row]

    @property
    def counts(self) -> dict[str, int]:
        """Empty, because a steady state has no events at which outputs could have kinks."""
        return {}

    @property
    def event_steps(self) -> list[int]:
        """Empty, likewise."""
        return []


class SteadySensitivity(Sensitivity):
    """Derivatives of a steady state with respect to parameters of its model.

    The possible outputs depend on what the model returns:

    - ``System`` or ``Statics``: the equilibria along the path of loads, as channels over the load
      factor, and ``mode1.frequency`` (Hz), ``damped1.frequency`` and ``damped1.ratio`` (of damping)
      of the small motions about the last one, mode by mode from 1;
    - ``lubrication.SteadyBearing``: ``ex``, ``ey``, ``eccentricity`` (m), ``eccentricity_ratio``,
      ``force.x``, ``force.y``, ``force`` (N, of the film on the journal), ``friction_torque``
      (N m), ``side_flow`` (m^3/s, with ``Full`` the net flow, zero without supplies),
      ``max_pressure`` (Pa), ``min_film`` (m), ``stiffness.xx`` ... ``damping.yy`` (N/m, N s/m);
    - ``analysis.PeriodicOrbit``: ``period`` (s), ``multiplier1.size`` and ``multiplier1.angle``
      (rad), the largest first, and of excited motions ``x0``, ... at the start of a period.

    Args:
        model: ``model(values)`` builds the analysis for a mapping from names to numbers.
        at: the values, by name.
        by: names of the parameters of the derivatives; default: all of ``at``.
        of: the outputs: names of channels, ``At`` (at load factors), ``Integral``, ``Peak``,
            ``Function``.
        sizes: magnitude of a parameter, by name; default: that of its value.

    Raises:
        InputError: settings that are wrong or do not go together.

    Example:
        >>> s = SteadySensitivity(model, at={"E": 2e11}, of=["tip.y", "mode1.frequency"])
        >>> s.adjoint().jacobian
    """

    def __init__(
        self, model: Callable[[Mapping[str, float]], Any], *, at: Mapping[str, float],
        by: Sequence[str] | str | None = None, of: Any, sizes: Mapping[str, float] | None = None,
    ):  # fmt: skip
        check_model("SteadySensitivity", model, USE)
        if not at:
            raise InputError("SteadySensitivity: at must map names of parameters to values.")
        self.of, self._build = outputs(of), model
        self.at = {name: checks.number(name, value) for name, value in at.items()}
        self.by = self._named(by, self.at)
        self.sizes = self._checked_sizes(sizes or {})
        self._solved: Solved | None = None

    def run(  # type: ignore[override]
        self, x: Mapping[str, float] | ArrayLike | None = None
    ) -> Solved:
        """The analysis for the values ``x`` of the parameters ``by``, see ``Sensitivity.run``; the
        last analysis is kept."""
        values = self._values(x)
        if self._solved is None or self._solved.values != values:
            self.forget()
            analysis = self._analysis(values)
            rows = [row for o in self.of for row in o.rows(analysis.history)]
            for row in rows:
                if not np.isfinite(row.value):
                    raise InputError(f"{row.name} is available only at load factor 1.")
            self._solved = Solved(values, analysis, rows)
        return self._solved

    def _analysis(self, values: dict[str, float]) -> Implicit:
        def build(name: str, by: float) -> Any:
            return self._build({**values, name: values[name] + by})

        own = self._build(values)
        for kind, analysis in ANALYSES.items():
            if isinstance(own, kind):
                return analysis(build, own)
        raise InputError(
            "SteadySensitivity: model must return one of "
            f"{', '.join(kind.__name__ for kind in ANALYSES)}, got a {type(own).__name__}."
        )

    def forget(self) -> None:
        """Free the solution that is kept."""
        self._solved = None

    # --- derivatives ------------------------------------------------------------------------------
    def forward(self, x: ArrayLike | None = None, *, histories: bool = False) -> Derivatives:
        """Derivatives, with one linear solution for each parameter.

        Args:
            x: values of the parameters; default: ``at``.
            histories: whether to derive the channels of ``of`` at all load factors, too.
        """
        return self._derived(x, False, histories)

    def adjoint(self, x: ArrayLike | None = None) -> Derivatives:
        """The same, with one linear solution for each output."""
        return self._derived(x, True, False)

    def cells(self, x: ArrayLike | None = None) -> CellDerivatives:
        """Not available for steady states.

        Raises:
            InputError: always.
        """
        raise InputError(
            "SteadySensitivity: derivatives with respect to the numbers of cells are available for "
            "runs only; name parameters in by= and use adjoint()."
        )

    def _derived(self, x: ArrayLike | None, adjoint: bool, histories: bool) -> Derivatives:
        solved = self.run(x)
        analysis, sizes = solved.analysis, self.sizes_at(solved.values)
        parameters = dict(zip(self.by, map(float, sizes), strict=True))
        jacobian = analysis.jacobian(solved.rows, parameters, adjoint)
        over: dict[tuple[str, str], np.ndarray] = {}
        history = analysis.history
        if histories:
            seen = dict.fromkeys(n for row in solved.rows for n in row.channels)
            names = [n for n in seen if n in history.channels]
            found = analysis.changes(names, parameters)
            over = {
                (name, parameter): found[:, j, p]
                for j, name in enumerate(names)
                for p, parameter in enumerate(self.by)
            }
        for note in analysis.notes:
            logger.warning("%s", note)
        return Derivatives(
            tuple(row.name for row in solved.rows), self.by, solved.outputs, jacobian,
            np.array([solved.values[n] for n in self.by]), sizes, over, history.t,
            history.channels, tuple(analysis.notes),
        )  # fmt: skip

"""Multibody systems as flows, with the time stepper and finite differences."""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, deprecated
from ..core.roles import ROTATION
from ..core.state import State
from ..errors import InputError
from ..model.system import System
from ..timestepping.stepper import Stepper
from .coordinates import IndependentCoordinates
from .flows import Motion, StateTransition

logger = logging.getLogger(__name__)


@deprecated.attributes(carry="transition", chart="coordinates")
class SystemFlow:
    """The flow of a multibody system over the period of its excitation.

    A contact that exists at the start of a period has the approach speed of the model's start.
    Choose the phase so that contacts are open then, or give the joint ``approach=`` and its law
    ``approach_speed="first_touch"`` (an approach speed that changes with the phases of the contact
    is a state that x does not contain).

    Args:
        build: ``build(parameter)`` returns a new ``System`` (on one rank).
        period: of the excitation in s, a number or a function of the parameter.
        steps: number of fixed steps per period; ``None``: adaptive steps with ``tolerance``. With
            fixed steps the flow is a smooth function, as finite differences require.
        integrator: default ``GeneralizedAlpha(1.0)``, without numerical damping and with
            constraints on velocities too.
        tolerance: of adaptive steps.
        newton_tolerance: small, because differences of results are formed.
        scale: size of the motion in each component of x, for differences; default: half the
            peak-to-peak value over the first period that is run.
        difference: step of the differences, relative to ``scale``.
        parameter_step: relative step of the difference by the parameter.

    Attributes:
        size: length of x.
        names: components of x.

    Raises:
        InputError: when used: ``build`` returns no system, or one on several ranks; ``scale`` has
            not the length of x.
    """

    autonomous = False
    #: relative to ``scale``, to which an orbit can be closed: rates have errors of round-off / h
    precision = 1e-6

    def __init__(
        self,
        build: Callable[[float], System],
        period: float | Callable[[float], float],
        *,
        steps: int | None = 200,
        integrator: Any = None,
        tolerance: float = 1e-9,
        newton_tolerance: float = 1e-11,
        scale: ArrayLike | None = None,
        difference: float = 1e-2,
        parameter_step: float = 1e-5,
    ):
        from ..timestepping import GeneralizedAlpha

        self._build, self._period = build, period
        self.steps = None if steps is None else checks.count("SystemFlow.steps", steps)
        self.integrator = GeneralizedAlpha(1.0) if integrator is None else integrator
        self.tolerance = checks.positive("SystemFlow.tolerance", tolerance)
        self.newton_tolerance = newton_tolerance
        self.difference = checks.positive("SystemFlow.difference", difference)
        self.parameter_step = checks.positive("SystemFlow.parameter_step", parameter_step)
        self._scale = None if scale is None else np.asarray(scale, float)
        self._known: dict[float, IndependentCoordinates] = {}
        self._first: IndependentCoordinates | None = None

    # --- models ---------------------------------------------------------------------------------
    def coordinates(self, parameter: float) -> IndependentCoordinates:
        """The model at a parameter; the last few are kept."""
        if parameter not in self._known:
            system = self._build(parameter)
            if not isinstance(system, System):
                raise InputError(f"SystemFlow: build must return a System, got {system!r}.")
            if len(self._known) > 3:
                self._known.pop(next(iter(self._known)))
            picked = self._known[parameter] = IndependentCoordinates(system, self._first)
            if self._first is None:
                self._first, self.size, self.names = picked, picked.size, picked.names
                logger.info("the independent coordinates are %s", ", ".join(picked.names))
        return self._known[parameter]

    def initial(self, parameter: float) -> np.ndarray:
        """x of the model as it is built."""
        picked = self.coordinates(parameter)
        picked.state.reset()
        return picked.read()

    def __getattr__(self, name: str):
        if name in ("size", "names"):
            raise InputError(
                f"SystemFlow.{name} is known after coordinates(parameter) or initial()."
            )
        raise AttributeError(name)

    def period(self, parameter: float) -> float:
        """Period of the excitation, s."""
        T = self._period(parameter) if callable(self._period) else self._period
        return checks.positive("SystemFlow: period", T)

    # --- runs -----------------------------------------------------------------------------------
    def _stepper(self, x, parameter, period) -> Stepper:
        picked = self.coordinates(parameter)
        initial = picked.write(np.asarray(x, float))
        T = self.period(parameter) if period is None else period
        how = {"adaptive": True} if self.steps is None else {"dt": T / self.steps}
        stepper = Stepper(
            picked.system, self.integrator, t_end=T, tolerance=self.tolerance,
            newton_tolerance=self.newton_tolerance, initial=initial, **how,
        )  # fmt: skip
        stepper.start()
        return stepper

    def end(self, x, parameter, period=None):
        """State after a period."""
        return self.coordinates(parameter).read(self._run(x, parameter, period))

    def _run(self, x, parameter, period) -> State:
        """The system's state after a period."""
        stepper = self._stepper(x, parameter, period)
        while stepper.t < stepper.t_end:
            stepper.advance(inf)
        return stepper.state

    def motion(self, x, parameter, points=None, period=None):
        """States along a period, at the steps (``points`` has no effect)."""
        picked = self.coordinates(parameter)
        rows = self._record(
            x, parameter, period, lambda s: (picked.read(s.state), picked.read(s.state, rate=True))
        )
        times, pairs = zip(*rows, strict=True)
        states, rates = (np.array(z) for z in zip(*pairs, strict=True))
        return Motion(np.array(times), states, rates)

    def channels(self, x, parameter, period=None) -> dict[str, np.ndarray]:
        """All channels of the system along a period, and ``time``."""
        rows = self._record(x, parameter, period, lambda s: s.channels.values.copy())
        times, values = zip(*rows, strict=True)
        names = self.coordinates(parameter).system.channels.names
        return {"time": np.array(times), **dict(zip(names, np.array(values).T, strict=True))}

    def _record(self, x, parameter, period, look):
        stepper = self._stepper(x, parameter, period)
        rows = [(0.0, look(stepper))]
        while stepper.t < stepper.t_end:
            stepper.advance()
            rows.append((stepper.t, look(stepper)))
        return rows

    def scale(self, x, parameter, period=None) -> np.ndarray:
        """Size of the motion in each component."""
        picked = self.coordinates(parameter)
        if self._scale is None:
            moved = np.ptp(self.motion(x, parameter, None, period).states, axis=0) / 2
            floor = self._floor(picked, self.period(parameter))
            self._scale = np.where(moved > 1e-6 * floor, moved, floor)
        if len(self._scale) != self.size:
            raise InputError(
                f"SystemFlow: scale needs {self.size} numbers, for {', '.join(self.names)}."
            )
        return self._scale

    def _floor(self, picked: IndependentCoordinates, period: float) -> np.ndarray:
        """Scale of components that do not move: 1e-3 of the system's size, or 1e-3 rad."""
        state, length = picked.state, 1e-3 * picked.system.extent()
        turns = np.array([n == ROTATION for n in state.problem.row_names])[state.problem.row_class]
        q, v = (np.where(turns[z], 1e-3, length) for z in (picked.positions, picked.rates))
        return np.concatenate([q, v / period, np.full(len(picked.internal), 1e-3)])

    def transition(self, x, parameter, period=None):
        """State after a period with its derivatives, by central differences."""
        x = np.asarray(x, float)
        scale = self.scale(x, parameter, period)
        columns = []
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = self.difference * scale[k]
            change = self.end(x + step, parameter, period) - self.end(x - step, parameter, period)
            columns.append(change / (2 * step[k]))
        # forward: only Newton's method uses it, and each parameter needs a model of its own
        by = self.parameter_step * (abs(parameter) or 1.0)
        further = self.end(x, parameter + by, period)
        picked, last = self.coordinates(parameter), self._run(x, parameter, period)
        end, rate = picked.read(last), picked.read(last, rate=True)
        return StateTransition(end, np.column_stack(columns), (further - end) / by, rate)

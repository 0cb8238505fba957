"""Derivatives of the equilibria along a path of loads, and of the small motions about the last."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..core.levels import holding_rates
from ..core.mixins import ForeseeableChange, UpdatesParameters
from ..errors import InputError
from ..runs.static_results import StaticResults
from ..runs.statics import Statics
from .eigenvalues import Eigenvalues
from .gradients import ChannelGradients, known
from .implicit import ByUnknowns, Implicit, Seen, stencil
from .linear_equilibrium import LinearEquilibrium, Near
from .outputs import History
from .rebuilt import check_alike
from .static_view import StaticView

#: channels of small motions: mode (from 1) and number
MODE = re.compile(r"(mode|damped)([1-9]\d*)\.(frequency|ratio)")


class Equilibria(Implicit):
    """A statical analysis that has been carried out, and its derivatives.

    Args:
        build: makes the analysis (or the system) for a change of a parameter.
        own: that of the point itself.

    Attributes:
        points: load factor and state array of each equilibrium.
        eigen: small motions, those of the model without and with its dampers.
    """

    axis = "load factor"

    def __init__(self, build: Callable[[str, float], Statics], own: Statics):
        self._build, self.statics, self.notes = build, own, []
        _check(own)
        self._known: tuple[tuple, Near] = (), []
        self._eigen: dict[bool, Eigenvalues] = {}
        self.points: list[tuple[float, np.ndarray]] = []

        def keep(factor: float) -> None:
            self.points.append((factor, own.state.array.copy()))

        own.on_equilibrium = keep
        try:
            results = own.solve()
        finally:
            own.on_equilibrium = None
        assert isinstance(results, StaticResults) and results.last is not None
        if results.summary["rigid_motion"]:
            raise InputError(
                f"in this equilibrium {results.summary['rigid_motion']}: its position is arbitrary "
                "and has no derivative. Hold it by a joint or a spring."
            )
        self.view = StaticView(own)
        self.last = results.last
        table = {name: results[name] for name in results if name != results.axis.name}
        self.history: History = Seen(results.factor, table, self._special)

    def eigen(self, damped: bool) -> Eigenvalues:
        """Small motions about the last equilibrium."""
        if damped not in self._eigen:
            self._eigen[damped] = Eigenvalues(
                self.statics, self.last, self.view, self.notes, damped
            )
        return self._eigen[damped]

    def _special(self, name: str) -> np.ndarray | None:
        found = MODE.fullmatch(name)
        if found is None:
            return None
        values = np.full(len(self.points), np.nan)
        values[-1] = self.eigen(found[1] == "damped").value(int(found[2]) - 1, found[3])
        return values

    def linear(self, k: int, parameters: Mapping[str, float]) -> PathPoint:
        return PathPoint(self, k, self._near(parameters), [*parameters.values()])

    def _near(self, parameters: Mapping[str, float]) -> Near:
        """Models around, of each parameter; the steps are those that suit the last equilibrium."""
        key = tuple(parameters.items())
        if self._known[0] != key:
            mine, (factor, array) = self.view.state.problem, self.points[-1]
            linear = LinearEquilibrium(self.view, factor, array, [], [])

            def rows(view: StaticView) -> tuple[np.ndarray, np.ndarray]:
                view.see(array, factor)
                left = linear.scale * view.rows()
                return left, linear.scale * view.state.problem.sizes()[: len(left)]

            def changed(name: str) -> Callable[[float], StaticView]:
                def at(by: float) -> StaticView:
                    statics = self._build(name, by)
                    check_alike(mine, statics.system.assemble(), name)
                    return StaticView(statics, self.view.own)

                return at

            self._known = key, [stencil(n, changed(n), rows, size) for n, size in key]
        return self._known[1]


class PathPoint(LinearEquilibrium):
    """One equilibrium of a path, and how channels change there."""

    def __init__(self, path: Equilibria, k: int, near: Near, sizes: Sequence[float]):
        super().__init__(path.view, *path.points[k], near, sizes)
        self.path, self.is_last = path, k == len(path.points) - 1

    def slope(self, name: str) -> ByUnknowns:
        """Of a channel, or of a number of a mode at the last equilibrium."""
        if found := MODE.fullmatch(name):
            if not self.is_last:
                raise InputError(f"{name} is available only at load factor 1.")
            return self.path.eigen(found[1] == "damped").slope(int(found[2]) - 1, found[3], self)
        view = self.view
        view.see(self.array, self.factor)
        channels = ChannelGradients(view.channels, [name])
        view.see(self.array, self.factor)
        gradient = view.by_coordinates(channels.at(name))
        own = known(name, view.channels.names)
        direct = np.zeros(len(self.near))
        for p, around in enumerate(self.near):
            for other, weight in around:
                other.see(self.array, self.factor)
                other.channels.read()
                direct[p] += weight * other.channels[own]
        return ByUnknowns(gradient, direct)


def _check(statics: Statics) -> None:
    """Refuse what derivatives would be wrong for."""
    state = statics.system.state
    if state.comm.size > 1:
        raise InputError("SteadySensitivity runs on one rank only; start it without mpirun.")
    if names := holding_rates(state):
        raise InputError(
            f"SteadySensitivity: {', '.join(names)} constrains velocities (rolling), so that the "
            "equilibrium depends on the path to it; constrain positions instead."
        )
    for component in state.components:
        kind = component.kind
        if isinstance(kind, ForeseeableChange) or (
            isinstance(kind, UpdatesParameters) and kind.remembers
        ):
            raise InputError(
                f"{', '.join(component.owners[:3])}: the {kind.label} has a memory "
                "from step to step, so that the equilibrium depends on its history; remove it."
            )

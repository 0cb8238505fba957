"""Derivatives of bearings in a steady state: place, forces, friction, flow, coefficients.

The unknowns are those of the film (and of a liner) and, under a load, the journal's centre; the
equations are those of the film, and the balance of its force with the load. Forces, moments and
flows are sums of the rows of the same residual, whose tangent gives their gradients.

The stiffness and damping of the film are y' A x with A the whole tangent, x a unit motion of the
journal that the film follows and y the same of the transposed equations: as A is the derivative of
the residual, the gradient of y' A x is the derivative of A' y along x.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from scipy.sparse import csc_matrix, diags
from scipy.sparse.linalg import splu

from ..errors import InputError, SingularSystem
from ..lubrication.bearings.front import matrix
from ..lubrication.bearings.lacking import lacking
from ..lubrication.bearings.steady import SteadyBearing
from ..lubrication.closed_forms.journal import ClosedForm
from ..lubrication.film.cavitation import Guembel
from .implicit import LEAST, ByUnknowns, Implicit, Seen, settled, stencil
from .maps import CENTRAL
from .outputs import History
from .rebuilt import check_alike, orders
from .unresolved import EDGE

#: coefficients of the film
COEFFICIENT = re.compile(r"(stiffness|damping)\.([xy])([xy])")
#: rows of the port that hold - force and - moment
FORCE, MOMENT = slice(5, 8), slice(8, 11)
#: what a solution of the linear equations may leave, by the right-hand side
ACCURATE = 1e-8


class BearingView:
    """A bearing at the solution of another, or of its own.

    Args:
        steady: the bearing and what acts on it.
    """

    def __init__(self, steady: SteadyBearing):
        self.steady, self.bearing = steady, steady.solver
        self.film = self.bearing.film
        self.closed = isinstance(self.film, ClosedForm)
        state, port = self.bearing.state, self.bearing.port
        #: local numbers of the unknowns and of the rows that determine them
        inner = np.zeros(0, int) if self.closed else np.arange(state.owned)
        free = steady.place is None
        self.columns = np.concatenate([inner, port[:2]]) if free else inner
        self.rows_at = np.concatenate([inner, port[FORCE][:2]]) if free else inner
        self.inner = len(inner)

    def see(self, q: np.ndarray, by: np.ndarray | float = 0.0) -> None:
        """Take the unknowns of a solution, and the motion that this bearing is to have."""
        state, port = self.bearing.state, self.bearing.port
        n = state.owned
        state.q[:n], state.q[n:] = q[:n], state.problem.start[n : state.total]  # given pressures
        state.q[port] = self.steady.motion(q[port[:3]])
        state.q[:] += by

    def rows(self) -> np.ndarray:
        """Of all unknowns and of the port, (all,)."""
        return self.bearing.state.residual().copy()

    def left(self) -> np.ndarray:
        """What is left of the equations, (unknowns,)."""
        found = self.rows()[self.rows_at]
        if self.steady.load is not None:
            found[self.inner :] -= np.asarray(self.steady.load)
        return found

    def tangent(self):
        """Derivative of ``rows``, all x all."""
        return matrix(self.bearing)

    def flow_weights(self, rows: np.ndarray, p: np.ndarray) -> np.ndarray:
        """What rows count for the flow out of the ends, (all,); see ``Bearing._flow``."""
        film, bearing = self.film, self.bearing
        weights, at, part = np.zeros(len(rows)), bearing.at_pressure, -1.0
        if film.cavitation.nodal:
            at, part = bearing.at_complement, -film.rate_unit / film.pressure_unit
        nodes = np.concatenate([film.given()[name] for name in ("z0", "z1")])
        nodes = nodes[~lacking(film, part * rows[at], p)[nodes]]
        np.add.at(weights, at[nodes], part)
        return weights


class SteadyBearings(Implicit):
    """A bearing that has been solved, and its derivatives.

    Args:
        build: makes the bearing for a change of a parameter.
        own: that of the point itself.
    """

    axis = ""

    def __init__(self, build: Callable[[str, float], SteadyBearing], own: SteadyBearing):
        self._build, self.notes = build, []
        self.film = own.solve()
        self.view = BearingView(own)
        self.q = self.film.unknowns.copy()
        self.q[own.solver.port] = self.film.place.numbers
        self.history: History = Seen(np.zeros(1), self._channels(), self._coefficient)
        self._known: tuple[tuple, list] = (), []

    def _channels(self) -> dict[str, np.ndarray]:
        film, clearance = self.film, self.view.film.clearance
        e, force = np.asarray(film.place.e), film.force
        found = {
            "ex": e[0], "ey": e[1], "eccentricity": np.hypot(e[0], e[1]),
            "eccentricity_ratio": np.hypot(e[0], e[1]) / clearance,
            "force.x": force[0], "force.y": force[1], "force": np.hypot(force[0], force[1]),
            "friction_torque": -film.moment[2] * self.sense, "min_film": film.thickness.min(),
        }  # fmt: skip
        if not self.view.closed:
            found["max_pressure"] = film.pressure.max()
            if {"z0", "z1"} <= film.outflow.keys():
                found["side_flow"] = film.outflow["z0"] + film.outflow["z1"]
        return {name: np.array([float(z)]) for name, z in found.items()}

    @property
    def sense(self) -> float:
        """Of the journal's rotation."""
        return float(np.sign(self.film.place.Omega[2]) or 1.0)

    def _coefficient(self, name: str) -> np.ndarray | None:
        found = COEFFICIENT.fullmatch(name)
        if found is None:
            return None
        if not self.view.closed and self.view.bearing.complement is not None:
            raise InputError(
                f"{name}: the edge at which this film ruptures moves from node to node, and the "
                "coefficients jump with it, so that they have no derivative. Use cavitation=Full() "
                "or Guembel(), a closed form, or differences of Coefficients.of."
            )
        slopes = getattr(self.film, found[1])
        return np.array([slopes["xy".index(found[2]), "xy".index(found[3])]])

    def linear(self, k: int, parameters: Mapping[str, float]) -> LinearBearing:
        key = tuple(parameters.items())
        if self._known[0] != key:
            mine = self.view.bearing.state.problem
            linear = LinearBearing(self, [], [])

            def rows(view: BearingView) -> tuple[np.ndarray, np.ndarray]:
                view.see(self.q)
                left = linear.weight * view.left()
                sizes = view.bearing.state.problem.sizes()[view.rows_at]
                return left, linear.weight * sizes

            def changed(name: str) -> Callable[[float], BearingView]:
                def at(by: float) -> BearingView:
                    steady = self._build(name, by)
                    check_alike(mine, steady.solver.state.problem, name)
                    return BearingView(steady)

                return at

            self._known = key, [stencil(n, changed(n), rows, size) for n, size in key]
        return LinearBearing(self, self._known[1], [*parameters.values()])


class LinearBearing:
    """The equations of a bearing, linear about its solution.

    Args:
        of: the bearing.
        near: bearings around, of each parameter, and their factors in a derivative.
        sizes: of the parameters.

    Attributes:
        weight: of rows, in which all are alike.
    """

    def __init__(
        self, of: SteadyBearings, near: list[list[tuple[BearingView, float]]],
        sizes: Sequence[float],
    ):  # fmt: skip
        self.of, self.view, self.near = of, of.view, near
        self.sizes = np.array(sizes, float)
        view = self.view
        view.see(of.q)
        self.A = view.tangent()
        A = self.A[view.rows_at][:, view.columns]
        unit = np.ones(len(view.columns))
        unit[: view.inner] = view.bearing.state.scale[: view.inner]
        unit[view.inner :] = view.film.clearance
        A = (A @ diags(unit)).tocsr()
        largest = abs(A).max(axis=1).toarray().ravel() if len(unit) else np.zeros(0)
        self.unit, self.weight = unit, 1 / np.where(largest > 0, largest, 1.0)
        self._matrix = csc_matrix(diags(self.weight) @ A)

    @cached_property
    def by_parameters(self) -> np.ndarray:
        """dF/dp, unknowns x parameters."""
        found = np.zeros((len(self.unit), len(self.near)))
        for p, around in enumerate(self.near):
            for view, factor in around:
                view.see(self.of.q)
                found[:, p] += factor * view.left()
        return found

    @cached_property
    def _factors(self):
        return splu(self._matrix)

    @cached_property
    def _inner(self):
        """Factors of the film alone, the journal's motion being given."""
        n = self.view.inner
        return self._factors if n == len(self.unit) else splu(self._matrix[:n, :n])

    def solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Solutions of F_x x = rhs or of its transpose."""
        if not len(self.unit):
            return np.zeros_like(rhs)
        return self._solved(self._factors, self._matrix, rhs, transposed)

    def _solved(self, factors, whole, rhs: np.ndarray, transposed: bool) -> np.ndarray:
        n = whole.shape[0]
        before, after = self.weight[:n, None], self.unit[:n, None]
        if transposed:
            before, after = after, before
        A, how = (whole.T, "T") if transposed else (whole, "N")
        b, found = before * rhs, np.zeros_like(rhs)
        for _ in range(3):
            found = found + factors.solve(b - A @ found, how)
        left = np.abs(b - A @ found).max(axis=0, initial=0.0)
        if not np.all(left <= ACCURATE * np.abs(b).max(axis=0, initial=0.0)):
            raise SingularSystem("the equations of the film have no accurate solution.")
        return after * found

    # --- channels ---------------------------------------------------------------------------------
    def slope(self, name: str) -> ByUnknowns:
        """Of a channel."""
        if found := COEFFICIENT.fullmatch(name):
            i, j = ("xy".index(z) for z in found.groups()[1:])
            return self._coefficient(i, j if found[1] == "stiffness" else 5 + j)
        of, view = self.of, self.view
        e, force = np.asarray(of.film.place.e[:2]), of.film.force[:2]
        size, load = np.hypot(*e) or 1.0, np.hypot(*force) or 1.0
        if name in ("ex", "ey", "eccentricity", "eccentricity_ratio"):
            along = {"ex": np.array([1.0, 0]), "ey": np.array([0, 1.0])}.get(name, e / size)
            part = 1 / view.film.clearance if name == "eccentricity_ratio" else 1.0

            def look(view: BearingView) -> float:
                here = view.bearing.state.q[view.bearing.port[:2]]
                ratio = name == "eccentricity_ratio"
                return float(along @ here) / (view.film.clearance if ratio else 1.0)

            return self._of_unknowns(view.bearing.port[:2], part * along, look)
        if name in ("max_pressure", "min_film"):
            return self._least_or_largest(name)
        weights = np.zeros(len(of.q))
        port = view.bearing.port
        if name == "friction_torque":
            weights[port[MOMENT][2]] = of.sense
            if not view.closed and isinstance(view.film.cavitation, Guembel):
                of.notes = [EDGE % name]
        elif name == "side_flow":
            p = of.film.pressure
            view.see(of.q)
            base = view.rows()
            return self._of_rows(view.flow_weights(base, p), lambda v: v.flow_weights(base, p))
        else:
            along = {"force.x": np.array([1.0, 0]), "force.y": np.array([0, 1.0])}
            weights[port[FORCE][:2]] = -along.get(name, force / load)
        return self._of_rows(weights, lambda v: weights)

    def _of_rows(self, weights: np.ndarray, of: Callable[[BearingView], np.ndarray]) -> ByUnknowns:
        """Of a weighted sum of rows."""
        gradient = (self.A.T @ weights)[self.view.columns]
        return ByUnknowns(gradient, self._direct(lambda v: float(of(v) @ v.rows())))

    def _of_unknowns(
        self, at: np.ndarray, weights: np.ndarray, look: Callable[[BearingView], float]
    ) -> ByUnknowns:
        gradient = np.zeros(len(self.of.q))
        gradient[at] = weights
        return ByUnknowns(gradient[self.view.columns], self._direct(look))

    def _direct(self, look: Callable[[BearingView], float]) -> np.ndarray:
        """Derivatives of what ``look`` sees by the parameters, the unknowns held."""
        found = np.zeros(len(self.near))
        for p, around in enumerate(self.near):
            for view, factor in around:
                view.see(self.of.q)
                found[p] += factor * look(view)
        return found

    def _least_or_largest(self, name: str) -> ByUnknowns:
        """The node of the largest pressure, or of the least thickness, held."""
        view, film = self.view, self.of.film
        bearing = view.bearing
        if name == "max_pressure":
            at = bearing.at_pressure[[int(np.argmax(film.pressure))]]
            return self._of_unknowns(at, np.ones(1), lambda v: float(v.bearing.state.q[at[0]]))
        if bearing.expands:
            raise InputError(
                "min_film of a film whose walls expand has no derivatives; take its friction or "
                "largest pressure, or leave the expansion out."
            )
        k, c = int(np.argmin(film.thickness)), view.film.clearance

        def look(view: BearingView) -> float:
            bearing, q = view.bearing, view.bearing.state.q
            place = q[bearing.port]
            h = view.film.thickness(place[:3], place[3:5])[k]
            if bearing.elastic:
                h += (bearing._yields @ q[: bearing.state.owned])[k]
            return float(h)

        gradient = np.zeros(len(self.of.q))
        if bearing.elastic:
            gradient[: bearing.state.owned] = bearing._yields[[k]].toarray().ravel()
        for at in bearing.port[:2]:
            step = np.zeros(len(self.of.q))
            step[at] = 1e-6 * c
            ends = []
            for sign in (1, -1):
                view.see(self.of.q, sign * step)
                ends.append(look(view))
            gradient[at] = (ends[0] - ends[1]) / (2 * step[at])
        return ByUnknowns(gradient[view.columns], self._direct(look))

    # --- coefficients -----------------------------------------------------------------------------
    def _coefficient(self, i: int, j: int) -> ByUnknowns:
        """Of -d(force i)/d(number j of the port)."""
        view, A, q = self.view, self.A, self.of.q
        port, n = view.bearing.port, view.inner
        x, y = np.zeros((2, len(q)))
        x[port[j]], y[port[FORCE][i]] = 1.0, 1.0
        if n:
            inner = self._matrix[:n, :n]
            x[:n] = -self._solved(self._inner, inner, (A @ x)[:n, None], False)[:, 0]
            y[:n] = -self._solved(self._inner, inner, (A.T @ y)[:n, None], True)[:, 0]
        size = view.film.clearance * (1.0 if j < 5 else abs(self.of.film.place.Omega[2]) or 1.0)

        def at(step: float) -> tuple[np.ndarray, np.ndarray]:
            seen, e = [], step * size
            for k, _ in CENTRAL:
                view.see(q, k * e * x)
                seen.append((view.tangent().T @ y)[view.columns])
            return orders(seen, [f / e for _, f in CENTRAL])

        moved = self.solve(-self.by_parameters)
        least = LEAST * abs(y @ (A @ x)) / self.sizes
        gradient = settled(at, moved, least, "a coefficient of the film")
        return ByUnknowns(gradient, self._direct(lambda v: float(y @ (v.tangent() @ x))))

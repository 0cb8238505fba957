"""Derivatives of the eigenvalues of small motions about an equilibrium.

With P(s) = K + s C + s^2 M, P x = 0, y' P = 0 (without damping P = K + mu M, mu = s^2)

    ds = - y' dP x / (y' (C + 2 s M) x).

P changes with the parameters and with the equilibrium. As K, C, M are derivatives of the same
residual F, the gradient of y' P x by the coordinates is the derivative of K' y along the motion x
(with rates s x and accelerations s^2 x): no third derivatives are needed.

Where r eigenvalues are equal, x and y are r vectors, and along a change of the parameters they
become the eigenvalues of the small matrix - (y' (C + 2 s M) x)^-1 y' dP x (Lancaster 1964): they
have derivatives along each parameter, not a gradient.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import bmat, csc_matrix, diags
from scipy.sparse.linalg import splu

from ..core.initial import SystemState
from ..errors import InputError
from ..runs.modes import eigenmodes
from ..runs.statics import Statics
from ..statics.linearised import Linearised
from .implicit import LEAST, ByUnknowns, settled
from .linear_equilibrium import LinearEquilibrium
from .linearised import Pattern
from .maps import CENTRAL
from .rebuilt import orders
from .static_view import StaticView

#: relative difference within which eigenvalues are the same
SAME = 1e-6
#: eigenvalues that are looked for beyond those asked for
MORE = 6


class Eigenvalues:
    """Eigenvalues of the small motions about an equilibrium.

    Args:
        statics: the analysis that has found it.
        last: the equilibrium.
        view: the model.
        notes: of the analysis, to which sentences are added.
        damped: with the forces that depend on rates.
    """

    def __init__(
        self, statics: Statics, last: SystemState, view: StaticView, notes: list[str], damped: bool
    ):
        self._statics, self._last, self.view, self._notes = statics, last, view, notes
        self.damped = damped
        self._values = np.zeros(0, complex)
        self._shapes = np.zeros((0, 0))
        self._kept: dict = {}
        state = view.state
        entries = state.problem.entries
        self._tangent = np.zeros(entries.count)
        self._pattern = Pattern(
            entries.rows, entries.cols, state.local, self._tangent, state.problem.module
        )

    def _find(self, k: int) -> None:
        if k >= len(self._values):
            modes = eigenmodes(
                self._statics.system, k + 1 + MORE, at=self._last, damped=self.damped,
                rotation=self._statics.rotation,
            )  # fmt: skip
            self._values, self._shapes = modes.eigenvalues, modes.shapes
        if k >= len(self._values):
            raise InputError(f"there is no mode {k + 1}; the system has {len(self._values)} modes.")
        if self._values[k] == 0:
            raise InputError(
                f"mode {k + 1} is a motion without resistance, whose frequency has no derivative."
            )

    def value(self, k: int, what: str) -> float:
        """A number of a mode (from 0): ``"frequency"``, Hz, or ``"ratio"`` of damping."""
        self._find(k)
        s = self._values[k]
        return float(s.imag / (2 * np.pi) if what == "frequency" else -s.real / abs(s))

    def slope(self, k: int, what: str, linear: LinearEquilibrium) -> ByUnknowns:
        """How such a number changes."""
        self._find(k)
        s = self._values[k]
        by_q, direct = self._eigenvalue(k, linear)
        if what == "frequency":
            return ByUnknowns(by_q.imag / (2 * np.pi), direct.imag / (2 * np.pi))

        def ratio(d: np.ndarray) -> np.ndarray:
            return -d.real / abs(s) + s.real * (s.conj() * d).real / abs(s) ** 3

        return ByUnknowns(ratio(by_q), ratio(direct))

    def group(self, k: int) -> np.ndarray:
        """Numbers of the modes whose eigenvalue is that of one."""
        values = self._values
        return np.flatnonzero(np.abs(values - values[k]) <= SAME * np.abs(values[k]))

    # --- a group of equal eigenvalues -------------------------------------------------------------
    def _eigenvalue(self, k: int, linear: LinearEquilibrium) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of an eigenvalue by the coordinates and by the parameters."""
        group = self.group(k)
        key = tuple(group)
        if key not in self._kept:
            self._kept[key] = _Group(self, self._values[group].mean(), self._shapes[group], linear)
        found: _Group = self._kept[key]
        if len(group) == 1:
            return found.gradient(linear), found.direct(linear)[:, 0, 0]
        names = ", ".join(str(j + 1) for j in group)
        note = (
            f"modes {names} have the same frequency: the derivatives are those along each "
            "parameter alone, in rising order, and do not add."
        )
        if note not in self._notes:
            self._notes.append(note)
        changes = found.direct(linear) + found.along(linear)
        own = [np.linalg.eigvals(z) for z in changes]
        sign = 1.0 if self._values[k].imag else -1.0
        own = [z[np.lexsort((z.real, sign * z.imag))] for z in own]
        place = int(np.flatnonzero(group == k)[0])
        return np.zeros(len(linear.scale), complex), np.array([z[place] for z in own])

    def pencil(self, view: StaticView, s: complex, full: bool, x: np.ndarray, y: np.ndarray):
        """y' P(s) x of a model at its present state: stiffness and inertia one by one, as the one
        has round-off far above the other."""
        linear = view.linearised(self.damped)
        parts = [(1.0, linear.K), (s, linear.C), (s * s if full else (s * s).real, linear.M)]
        used = parts if full else parts[::2]
        return sum(factor * (y.T @ (self.matrix(z) @ x)) for factor, z in used)

    def matrix(self, values: np.ndarray):
        """A sparse matrix of cell tangents."""
        if np.iscomplexobj(values):
            return self.matrix(values.real) + 1j * self.matrix(values.imag)
        self._tangent[:] = values
        return self._pattern.matrix(self._pattern.data())


class _Group:
    """Left and right vectors of equal eigenvalues."""

    def __init__(self, of: Eigenvalues, s: complex, shapes: np.ndarray, linear: LinearEquilibrium):
        self.of, view = of, of.view
        view.see(linear.array, linear.factor)
        first: Linearised = view.linearised(of.damped)
        self.full = of.damped or view.turning is not None or not first.symmetric
        self.s = s if self.full else complex((s * s).real) ** 0.5
        whole = first.K + self.s**2 * first.M
        P = of.matrix(whole + self.s * first.C if self.full else whole.real)
        M = of.matrix(first.M)
        n, r, S = len(linear.scale), len(shapes), diags(linear.scale)
        kept = diags(1.0 * first.held[:n])
        B = csc_matrix(S @ (M @ shapes.T))
        B = B / abs(B).max()
        bordered = csc_matrix(bmat([[S @ P @ S + kept, B], [B.T, None]]))
        factors, rhs = splu(bordered), np.zeros((n + r, r), bordered.dtype)
        rhs[n:] = np.eye(r)
        self.x = S @ factors.solve(rhs)[:n]
        self.y = S @ factors.solve(rhs, "T")[:n]
        by_s = of.matrix(first.C + 2 * self.s * first.M) if self.full else 2 * self.s * M
        # y' (dP/ds) x = 1
        self.y = np.linalg.solve((self.y.T @ (by_s @ self.x)).T, self.y.T).T

    def direct(self, linear: LinearEquilibrium) -> np.ndarray:
        """-y' dP/dp x, parameters x group x group, coordinates held."""
        found = np.zeros((len(linear.near), *2 * (self.x.shape[1],)), complex)
        for p, around in enumerate(linear.near):
            for view, weight in around:
                view.see(linear.array, linear.factor)
                found[p] -= weight * self.of.pencil(view, self.s, self.full, self.x, self.y)
        return found

    def along(self, linear: LinearEquilibrium) -> np.ndarray:
        """The same by the change of the equilibrium."""
        found = np.zeros((len(linear.near), *2 * (self.x.shape[1],)), complex)
        least = LEAST * abs(self.s) / linear.sizes

        def look(view: StaticView) -> np.ndarray:
            return self.of.pencil(view, self.s, self.full, self.x, self.y)[..., None]

        for p, moved in enumerate(linear.moved.T):
            if moved.any():
                motion = np.stack([moved, 0 * moved, 0 * moved])
                at = self._differences(linear, motion, look)
                change = settled(at, np.ones((1, 1)), least[p], "the frequency of modes")
                found[p] = -change[..., 0]
        return found

    def gradient(self, linear: LinearEquilibrium) -> np.ndarray:
        """-d(y' P x)/dq of a single eigenvalue."""
        view, x, y = self.of.view, self.x[:, 0], self.y[:, 0]
        levels = [x, self.s * x if self.full else 0 * x, self.s**2 * x]
        motion = np.array(levels, complex)
        internal = view.held
        if self.of.damped:  # the unknown is the variable itself, the rate of a coordinate
            motion[:, internal] = np.array([0 * x, x, self.s * x])[:, internal]

        def look(view: StaticView) -> np.ndarray:
            K = self.of.matrix(view.linearised(self.of.damped).K)
            return K.T @ y

        least = LEAST * abs(self.s) / linear.sizes

        def along(motion: np.ndarray) -> np.ndarray:
            at = self._differences(linear, motion, look)
            return settled(at, linear.moved, least, "the frequency of a mode")

        result = -along(motion.real) + 0j
        if np.any(motion.imag):
            result -= 1j * along(motion.imag)
        result[internal] = 0.0
        return result

    def _differences(self, linear: LinearEquilibrium, motion: np.ndarray, look):
        """Differences by a step of what ``look`` sees along a motion from the equilibrium."""
        view = self.of.view
        size = np.abs(motion[0] * view.moves).max()
        if size == 0:
            size = np.abs(motion).max() or 1.0
        extent = view.state.problem.extent

        def at(step: float) -> tuple[np.ndarray, np.ndarray]:
            e, seen = step * extent / size, []
            for k, _ in CENTRAL:
                view.see(linear.array, linear.factor, k * e * motion)
                seen.append(look(view))
            return orders(seen, [f / e for _, f in CENTRAL])

        return at

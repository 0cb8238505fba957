"""A bearing alone: the film between surfaces whose relative motion is given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._backend import MPI
from ..errors import InputError, StepFailed
from ..newton import Newton
from ..unknowns import Block
from .film import FILM, Film


class Place(NamedTuple):
    """Relative motion of journal and housing, in the housing's frame.

    Attributes:
        e: centre of the journal, m, (3,).
        t: lean of its axis, (2,).
        V: de/dt, m/s, (3,).
        Omega: relative angular velocity, rad/s, (3,).
    """

    e: tuple[float, float, float] = (0.0, 0.0, 0.0)
    t: tuple[float, float] = (0.0, 0.0)
    V: tuple[float, float, float] = (0.0, 0.0, 0.0)
    Omega: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def numbers(self) -> np.ndarray:
        return np.concatenate([np.ravel(z) for z in self]).astype(float)


class FilmState(NamedTuple):
    """A solved film.

    Attributes:
        force, moment: on the journal, N and N m (about its centre), (3,).
        pressure: at the film's nodes, Pa.
        stiffness, damping: -d(force, moment)/d(e, t) and -d(force, moment)/d(V, Omega), (6, 5) and
            (6, 6), the pressure following.
        outflow: set of nodes -> volume flow out of the film there, m^3/s.
        power_loss: W.
        iterations: of Newton's method.
    """

    force: np.ndarray
    moment: np.ndarray
    pressure: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    outflow: dict[str, float]
    power_loss: float
    iterations: int


class HeldFilm:
    """A film whose port is given: an item of a system without bodies."""

    prefix, free = "film", True

    def __init__(self, film: Film, place: Place, name="film"):
        self.film, self.name, self.place = film, name, place
        self.position = np.zeros(3)
        self.corners = np.stack([film.surface.points.min(0), film.surface.points.max(0)])

    def build(self, system) -> None:
        # fixed values are read, and their rows collect the forces
        blocks = [
            Block(f"{self.name}.{n}", np.ravel(z), order=0, row=FILM, fixed=True)
            for n, z in zip(("e", "t", "W"), (*self.place[:2], self.place[2] + self.place[3]),
                            strict=True)
        ]  # fmt: skip
        for block in blocks:
            system.add_block(block)
        self.port = np.concatenate([np.arange(11)])
        self.blocks = blocks
        self.pressure = self.film.build(system, self.name, [b.all for b in blocks])


class Bearing:
    """Solves a film again and again for given motions; on this rank alone.

    Args:
        film: of the bearing.
        tolerance: of Newton's method.
    """

    def __init__(self, film: Film, tolerance: float = 1e-10):
        from ..system import System

        self.film = film
        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        self.item = system.add(HeldFilm(film, Place()))
        self.system, self.state = system, system.assemble()
        self.newton = Newton(self.state, tolerance, max_iterations=60)
        self.newton.factors(0.0, 0.0)
        unit = self.state.unit[: self.state.local]
        self.state.scale[: self.state.local] = unit
        self.newton.rescaled()
        self.place = np.concatenate([self.state.locate(b.numbers) for b in self.item.blocks])
        self.at_pressure = self.state.locate(self.item.pressure.numbers)

    def solve(self, place: Place, guess: FilmState | None = None) -> FilmState:
        """The film for a relative motion, from the last solution (or from ``guess``).

        Raises:
            InputError: the surfaces touch.
            StepFailed: Newton's method finds no solution.
        """
        state = self.state
        thickness = self.thickness(place)
        if thickness.min() <= 0:
            raise InputError(
                f"the journal touches the bearing: the film would be {thickness.min():.3g} m thick."
            )
        state.q[self.place] = place.numbers
        before = self.newton.iterations
        self.newton.guess(state.q[: state.owned])
        if not self.newton.solve(0.0, full=True):
            state.q[: state.owned] = 0.0
            self.newton.guess(state.q[: state.owned])
            if not self.newton.solve(0.0, full=True):
                raise StepFailed("no pressure found: " + self.newton.failure())
        self.newton.accepted()
        rows = state.residual()
        port = -rows[self.place]  # minus, as the rows of W hold - dL/dW
        K, C = self._coefficients()
        force = port[5:]
        outflow = {
            name: -float(rows[self.at_pressure[nodes]].sum())
            for name, nodes in self.film.surface.sets.items()
            if name in self.film.pressures
        }
        self.system.channels.read()
        return FilmState(
            force[:3].copy(), force[3:].copy(), state.q[self.at_pressure].copy(), K, C, outflow,
            self.system.channels["film.power_loss"], self.newton.iterations - before,
        )  # fmt: skip

    def thickness(self, place: Place) -> np.ndarray:
        """Film thickness at the nodes, m."""
        gap, nodes = self.film.gap, self.film.surface.nodes
        e, t = np.asarray(place.e, float), np.asarray(place.t, float)
        return np.array([self.film.clearance - float(_value(gap.closing(x, e, t))) for x in nodes])

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        """-dF/d(e, t) and -dF/dW, from the exact tangents."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.linalg import splu

        state, n = self.state, self.state.owned
        values = state.tangent(0.0, 0.0)
        A = csr_matrix((values, (state.coo_rows, state.coo_cols)), (state.total, state.total))
        port = self.place
        inner = splu(A[:n, :n].tocsc())
        moved = A[port][:, port].toarray()
        moved -= A[port][:, :n] @ inner.solve(A[:n][:, port].toarray())
        # rows of W are - dL/dW = - force
        return moved[5:, :5], moved[5:, 5:]


def _value(expression):
    """A gap's UFL expression of plain numbers, as a number."""
    return expression(()) if callable(expression) else expression

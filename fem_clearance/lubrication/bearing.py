"""A bearing alone: the film between surfaces whose relative motion is given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import checks
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
        """All eleven in one row.

        Raises:
            InputError: a vector of another size, a number that is none.
        """
        sizes = zip(self._fields, self, (3, 2, 3, 3), strict=True)
        return np.concatenate([checks.vector(f"place: {n}", z, size) for n, z, size in sizes])


class FilmState(NamedTuple):
    """A solved film.

    Attributes:
        place: the motion it belongs to.
        force, moment: on the journal, N and N m (about its centre), (3,).
        pressure, thickness: at the film's nodes, Pa and m.
        void: thickness of the void in a film that conserves its lubricant, likewise, m; else 0.
        stiffness, damping: -d(force, moment)/d(e, t) and -d(force, moment)/d(V, Omega), (6, 5) and
            (6, 6), the pressure following.
        outflow: set of nodes -> volume flow out of the film there, m^3/s; a node of several sets
            counts for the last.
        power_loss: W.
        iterations: of Newton's method.
    """

    place: Place
    force: np.ndarray
    moment: np.ndarray
    pressure: np.ndarray
    thickness: np.ndarray
    void: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    outflow: dict[str, float]
    power_loss: float
    iterations: int


class HeldFilm:
    """A film whose port is given: an item of a system without bodies."""

    prefix, free = "film", True

    def __init__(self, film: Film, name="film"):
        self.film, self.name = film, name
        self.position = np.zeros(3)
        self.corners = np.stack([film.surface.points.min(0), film.surface.points.max(0)])

    def build(self, system) -> None:
        # fixed values are read, and their rows collect the forces
        self.port = [
            Block(f"{self.name}.{n}", np.zeros(size), order=0, row=FILM, fixed=True)
            for n, size in (("e", 3), ("t", 2), ("W", 6))
        ]
        for block in self.port:
            system.add_block(block)
        self.pressure = self.film.build(system, self.name, [b.all for b in self.port])
        #: what complements the pressure, if anything does
        self.complement = next(
            (b for b in system.blocks if b.name in (f"{self.name}.void", f"{self.name}.inflow")),
            None,
        )


class Bearing:
    """Solves a film again and again for given motions; on this rank alone.

    Each solution is the first guess of the next.

    Args:
        film: of the bearing.
        tolerance: of Newton's method.
    """

    def __init__(self, film: Film, tolerance: float = 1e-10):
        from ..system import System

        self.film = film
        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        self.item = system.add(HeldFilm(film))
        self.system, self.state = system, system.assemble()
        self.newton = Newton(self.state, tolerance, max_iterations=60)
        self.newton.factors(0.0, 0.0)
        self.state.scale[: self.state.local] = self.state.unit[: self.state.local]
        self.newton.rescaled()
        self.port = np.concatenate([self.state.locate(b.numbers) for b in self.item.port])
        self.at_pressure = self.state.locate(self.item.pressure.numbers)
        other = self.item.complement
        self.at_complement = self.state.locate(other.numbers) if other else np.zeros(0, int)

    def solve(self, place: Place) -> FilmState:
        """The film for a relative motion.

        Raises:
            InputError: the surfaces touch; nothing feeds a film that conserves its lubricant.
            StepFailed: Newton's method finds no solution.
        """
        state, numbers = self.state, place.numbers
        thickness = self.thickness(place)
        if thickness.min() <= 0:
            raise InputError(
                f"the journal touches the bearing: the film would be {thickness.min():.3g} m thick."
            )
        state.q[self.port] = numbers
        before = self.newton.iterations
        self.newton.guess(state.q[: state.owned])
        if not self.newton.solve(0.0, full=True):
            state.q[: state.owned] = 0.0
            self.newton.guess(state.q[: state.owned])
            if not self.newton.solve(0.0, full=True):
                state.q[: state.owned] = 0.0
                self._check_fed(place)
                raise StepFailed("no pressure found: " + self.newton.failure())
        if state.q[self.at_pressure].max() < 1e-9 * self.film.pressure_unit:
            self._check_fed(place)
        self.newton.accepted()
        rows = state.residual()
        force = -rows[self.port[5:]]  # the rows of W hold - dL/dW
        pressure = state.q[self.at_pressure].copy()
        flow, void = -rows[self.at_pressure], np.zeros_like(pressure)
        if self.film.cavitation.conserving:
            void = state.q[self.at_complement].copy()
        if self.film.cavitation.complementary and not self.film.cavitation.conserving:
            # what a broken film lacks at its edge is not sucked in there
            flow = np.where(pressure > 0, flow, np.maximum(flow, 0.0))
        outflow = {name: float(flow[z].sum()) for name, z in self.film.given().items()}
        stiffness, damping = self._coefficients()
        self.system.channels.read()
        return FilmState(
            place, force[:3], force[3:], pressure, thickness, void, stiffness,
            damping, outflow, self.system.channels[f"{self.item.name}.power_loss"],
            self.newton.iterations - before,
        )  # fmt: skip

    def _check_fed(self, place: Place) -> None:
        """After a failure, or without pressure: whether that was to be expected."""
        if self.film.cavitation.conserving and not self.film.fed(*place):
            self.state.q[: self.state.owned] = 0.0  # an empty film may stay empty
            raise InputError(
                "film: nothing feeds it, so that it runs empty: mark a groove or hole that the "
                "sliding surface carries lubricant away from, or give one a pressure above 0."
            )

    def thickness(self, place: Place) -> np.ndarray:
        """Film thickness at the nodes, m."""
        return self.film.thickness(place.e, place.t)

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        """-dF/d(e, t) and -dF/dW, from the exact tangents."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.linalg import splu

        state, n = self.state, self.state.owned
        values = state.tangent(0.0, 0.0)
        A = csr_matrix((values, (state.coo_rows, state.coo_cols)), (state.total, state.total))
        inner = splu(A[:n, :n].tocsc())
        rows = A[self.port[5:]]  # of W: - force
        moved = rows[:, self.port].toarray()
        moved -= rows[:, :n] @ inner.solve(A[:n][:, self.port].toarray())
        return moved[:, :5], moved[:, 5:]

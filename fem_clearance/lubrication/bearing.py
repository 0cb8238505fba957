"""A bearing alone: the film between surfaces whose relative motion is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .. import checks
from .._backend import MPI
from ..core.newton import Newton
from ..core.solvers import Factors
from ..core.unknowns import Block
from ..errors import InputError, StepFailed
from .film import FILM, Film
from .liner import Lined, Liner

#: least part of the thickness that an iteration leaves of a film on a liner
KEEP = 0.3
#: least thickness that the search for a film on a liner starts from, by the clearance
WIDE = 0.2
#: part of the speeds that a liner is first loaded with where Newton's method fails at all of them
SLOW = 0.05
#: least step on the way to what is asked for, as a part of it
CREEP = 1e-3


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
        pressure, thickness: at the film's nodes, Pa and m; between rough surfaces the thickness is
            the distance of their mean planes.
        deformation: of the liner there, along the normal away from the journal, m.
        void: thickness of the void in a film that conserves its lubricant, likewise, m; else 0.
        stiffness, damping: -d(force, moment)/d(e, t) and -d(force, moment)/d(V, Omega), (6, 5) and
            (6, 6), the pressure following.
        outflow: set of nodes -> volume flow out of the film there, m^3/s; a node of several sets
            counts for the last.
        power_loss: W.
        iterations: of Newton's method.
        contact_pressure: of asperities at the nodes, Pa; 0 without.
    """

    place: Place
    force: np.ndarray
    moment: np.ndarray
    pressure: np.ndarray
    thickness: np.ndarray
    deformation: np.ndarray
    void: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    outflow: dict[str, float]
    power_loss: float
    iterations: int
    contact_pressure: np.ndarray


class HeldFilm:
    """A film whose port is given: an item of a system without bodies."""

    prefix, free = "film", True

    def __init__(self, film: Film, name="film", liner: Liner | None = None):
        self.film, self.name, self.liner = film, name, liner
        self.lined: Lined | None = None
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
        if self.liner is not None:
            self.lined = self.liner.added(system, self.film, "liner")
        port = [b.all for b in self.port]
        # on its way to a film on a liner Newton's method may pass through none
        thinnest = 0.0 if self.lined is None else -np.inf
        self.pressure = self.film.build(system, self.name, port, self.lined, thinnest)
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
        liner: what its surface yields with; default: nothing, it is rigid.
        tolerance: of Newton's method.

    Raises:
        InputError: a liner that is none, or that the film does not lie on.
    """

    def __init__(self, film: Film, liner: Liner | None = None, *, tolerance: float = 1e-10):
        from ..core.system import System

        if liner is not None and not isinstance(liner, Liner):
            raise InputError(f"bearing: liner must be a Liner, got {liner!r}.")
        self.film = film
        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        self.item = system.add(HeldFilm(film, liner=liner))
        self.system, self.state = system, system.assemble()
        self.newton = Newton(self.state, tolerance, max_iterations=60)
        self.newton.factors(0.0, 0.0)
        self.state.scale[: self.state.local] = self.state.unit[: self.state.local]
        self.newton.rescaled()
        self.port = np.concatenate([self.state.locate(b.numbers) for b in self.item.port])
        self.at_pressure = self.state.locate(self.item.pressure.numbers)
        other = self.item.complement
        self.at_complement = self.state.locate(other.numbers) if other else np.zeros(0, int)
        self.lined, self._rigid = self.item.lined, np.zeros(0)
        if self.lined is not None:
            self._yields = self.lined.matrix(self.state)
            self.newton.snes.setLineSearchPreCheck(self._hold_back)

    def solve(self, place: Place) -> FilmState:
        """The film for a relative motion.

        Raises:
            InputError: the surfaces touch; nothing feeds a film that conserves its lubricant.
            StepFailed: Newton's method finds no solution.
        """
        state = self.state
        e, t = np.split(place.numbers[:5], [3])
        self._rigid = self._oil(e, t)
        if self._rigid.min() <= 0 and self.lined is None:
            raise InputError(
                f"the journal touches the bearing: the film would be {self._rigid.min():.3g} m "
                "thick."
            )
        before, warm = self.newton.iterations, state.q[: state.owned].any()
        found = self._try(place) or (warm and self._try(place, anew=True))
        if not (found or self._approach(place)):
            state.q[: state.owned] = 0.0
            self._check_fed(place)
            raise StepFailed("no pressure found: " + self.newton.failure())
        if state.q[self.at_pressure].max() < 1e-9 * self.film.pressure_unit:
            self._check_fed(place)
        self.newton.accepted()
        rows = state.residual()
        force = -rows[self.port[5:]]  # the rows of W hold - dL/dW
        pressure = state.q[self.at_pressure].copy()
        flow, void = self._flow(rows), np.zeros_like(pressure)
        if self.film.cavitation.conserving:
            void = state.q[self.at_complement][self.film.void_nodes]
        if self.film.cavitation.nodal:
            # what a broken film lacks at its edge is not sucked in there
            flow = np.where(pressure > 0, flow, np.maximum(flow, 0.0))
        outflow = {name: float(flow[z].sum()) for name, z in self.film.given().items()}
        stiffness, damping = self._coefficients()
        self.system.channels.read()
        thickness = self.thickness(place) - self.film.valleys
        rough = self.film.asperities
        return FilmState(
            place, force[:3], force[3:], pressure, thickness,
            thickness - self.film.thickness(place.e, place.t), void, stiffness, damping, outflow,
            self.system.channels[f"{self.item.name}.power_loss"], self.newton.iterations - before,
            rough.pressure(thickness) if rough else np.zeros_like(pressure),
        )  # fmt: skip

    def _flow(self, rows: np.ndarray) -> np.ndarray:
        """Volume flow out of the film at its nodes, m^3/s: what Reynolds' equation leaves there."""
        if not self.film.cavitation.nodal:
            return -rows[self.at_pressure]
        return -rows[self.at_complement] * self.film.rate_unit / self.film.pressure_unit

    def _try(self, place: Place, anew: bool = False) -> bool:
        """Newton's method from the present state, or from nothing; ``False`` if it fails."""
        state = self.state
        if anew:
            state.q[: state.owned] = 0.0
        start = state.q[: state.owned].copy()
        state.q[self.port] = place.numbers
        self._rigid = self._oil(place.e, place.t)
        self.newton.guess(start)
        solved = self.thickness(place).min() > 0 and self.newton.solve(0.0, full=True)
        if solved and self.thickness(place).min() > 0:
            return True
        state.q[: state.owned] = start
        return False

    def _approach(self, place: Place) -> bool:
        """A film on a liner, followed to the place asked for from low speed or from a wider gap;
        ``False`` if there is none."""
        if self.lined is None:
            return False
        room, closing = (1 - WIDE) * self.film.clearance, self.film.clearance - self._rigid.min()
        if closing < room and self._run_up(place):
            return True
        part = min(0.8, room / closing) if closing > 0 else 0.8

        def at(part):
            e, t = (tuple(part * np.asarray(z, float)) for z in (place.e, place.t))
            return place._replace(e=e, t=t)

        if not (self._try(at(part), anew=True) or self._run_up(at(part))):
            return False
        return self._follow(at, part, (1 - part) / 4)

    def _run_up(self, place: Place) -> bool:
        """A film on a liner, followed from low speed.

        What flows goes with the cube of the thickness: from an unloaded liner Newton's method finds
        pressures that press a soft one far away, the film breaks there, the liner springs back,
        and so on. With the speed the load on the liner grows by degrees.
        """
        if not np.any([place.V, place.Omega]):
            return False

        def at(part):
            V, Omega = (tuple(part * np.asarray(z, float)) for z in (place.V, place.Omega))
            return place._replace(V=V, Omega=Omega)

        self.state.q[: self.state.owned] = 0.0
        return self._follow(at, 0.0, SLOW)

    def _follow(self, at: Callable[[float], Place], part: float, step: float) -> bool:
        """Solve for places on a way from the present one, ``at(part)``, to ``at(1)``."""
        while part < 1:
            if self._try(at(min(part + step, 1.0))):
                part, step = min(part + step, 1.0), 2 * step
            elif (step := step / 2) < CREEP:
                return False
        return True

    def _hold_back(self, x, y) -> bool:
        """Shorten a step of Newton's method so that a part of the film's thickness is left."""
        scale = self.state.scale[: self.state.owned]
        h = self._rigid + self._yields @ (x.array_r * scale)
        loss = self._yields @ (y.array_r * scale)
        if h.min() <= 0 or not np.isfinite(loss).all():
            return False
        part = 1.0 / max(1.0, float(np.max(loss / h)) / (1 - KEEP))
        if part < 1:
            y.scale(part)
        return part < 1

    def _check_fed(self, place: Place) -> None:
        """After a failure, or without pressure: whether that was to be expected."""
        if self.film.cavitation.conserving and not self.film.fed(*place):
            self.state.q[: self.state.owned] = 0.0  # an empty film may stay empty
            raise InputError(
                "film: nothing feeds it, so that it runs empty: mark a groove or hole that the "
                "sliding surface carries lubricant away from, or give one a pressure above 0."
            )

    def _oil(self, e, t) -> np.ndarray:
        """Thickness of the oil at the nodes between rigid surfaces, m."""
        return self.film.thickness(e, t) + self.film.valleys

    def thickness(self, place: Place) -> np.ndarray:
        """Thickness of the oil at the nodes for the present state of the liner, m."""
        h = self._oil(place.e, place.t)
        return h if self.lined is None else h + self._yields @ self.state.q[: self.state.owned]

    def stresses(self) -> dict[str, np.ndarray]:
        """Stresses at the nodes of the liner, ``stress`` (Cauchy's) and ``second_piola_kirchhoff``,
        Pa, (n, 3, 3), at the last solution; empty without a liner."""
        if self.lined is None:
            return {}
        found = {
            name: self.lined.solid.recover(self.state, name)
            for name in ("stress", "second_piola_kirchhoff")
        }
        return {name: z for name, z in found.items() if z is not None}

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        """-dF/d(e, t) and -dF/dW, from the exact tangents."""
        from scipy.sparse import csr_matrix

        state, n = self.state, self.state.owned
        values = state.tangent(0.0, 0.0)
        A = csr_matrix((values, (state.coo_rows, state.coo_cols)), (state.total, state.total))
        inner = Factors(state.assemble(values, scaled=False))
        rows = A[self.port[5:]]  # of W: - force
        driven = A[:n][:, self.port].toarray()
        follow = np.column_stack([inner.solve(column) for column in driven.T])
        inner.destroy()
        self.newton.rebuild = True  # the matrix is another one now
        moved = rows[:, self.port].toarray() - rows[:, :n] @ follow
        return moved[:, :5], moved[:, 5:]

"""A bearing alone: the film between surfaces whose relative motion is prescribed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ... import checks
from ..._backend import MPI
from ...core.newton import NewtonSolver
from ...core.settings import SolverSettings
from ...core.symbols import PER_STEP
from ...errors import InputError, StepFailed
from ..closed_forms.journal import ClosedForm
from ..film.film import Film
from ..film.liner import Liner
from .front import Pair, Pattern, derivatives, matrix, tangents
from .held_film import HeldFilm
from .lacking import lacking
from .place import FilmState, Place, Warm
from .remedy import remedy
from .start import approach, coarser, prolong, prolongation
from .temperatures import Temperatures

#: least part of the thickness that an iteration leaves of a film on a liner
KEEP = 0.3
#: iterations from the last solution, where a coarser film gives another start
QUICK = 8
#: the same otherwise, and nodes to one more: the edge of a film moves by at least a node in each
MOST, NODES, LINED = 60, 8, 128


class Bearing:
    """Solves a film for given motions of the bodies; on several ranks each solves all of it.

    Each solution is the initial guess of the next one; the first begins on coarser meshes where the
    surface has them (``Surface.coarser``).

    Args:
        film: of the bearing; or a closed form.
        liner: elastic liner under the film; default: the surface is rigid.
        journal: elastic journal, likewise a ``Liner``, in the same axes; default: it is rigid.
        tolerance: of Newton's method.

    Raises:
        InputError: neither film nor closed form, a liner that is none, or that the film does not
            lie on.
    """

    def __new__(
        cls, film: Film | ClosedForm, liner: Liner | None = None, *, journal: Liner | None = None,
        tolerance: float = 1e-10,
    ):  # fmt: skip
        return super().__new__(ClosedBearing if isinstance(film, ClosedForm) else cls)

    def __init__(
        self, film: Film | ClosedForm, liner: Liner | None = None, *, journal: Liner | None = None,
        tolerance: float = 1e-10,
    ):  # fmt: skip
        from ...model.system import System

        if not isinstance(film, Film | ClosedForm):
            raise InputError(
                f"bearing: film must be a Film or a closed form such as ShortBearing(...), got "
                f"{film!r}."
            )
        for what, solid in (("liner", liner), ("journal", journal)):
            if solid is not None and not isinstance(solid, Liner):
                raise InputError(f"bearing: {what} must be a Liner, got {solid!r}.")
        if journal is not None:
            journal.check_journal()
        self.film: Any = film
        self.liner, self.journal = liner, journal
        self.tolerance, self.sharp = tolerance, False
        self.held = np.zeros(0, int)
        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        self.item = system.add(HeldFilm(film, liner=liner, journal=journal))
        self.system, self.state = system, system.state
        self.newton = NewtonSolver(self.state, SolverSettings(tolerance, max_iterations=MOST))
        self.port = np.concatenate([self.state.locate(b.numbers) for b in self.item.port])
        self.lined, self.elastic = self.item.lined, self.item.elastic
        self.complement = self.item.complement
        self._prepare()

    @classmethod
    def of(cls, what) -> Bearing:
        """A bearing itself, or one of a film or closed form."""
        return what if isinstance(what, Bearing) else cls(what)

    def _prepare(self):
        state, nothing = self.state, np.zeros(0, int)
        self.newton.factors(0.0, 0.0)
        state.scale[: state.local] = state.problem.unit[: state.local]
        self.newton.rescaled()
        self.at_pressure, self.at_complement = (
            state.locate(b.numbers) if b else nothing for b in (self.item.pressure, self.complement)
        )
        self.temperatures = Temperatures(state, self.film, self.item.temperatures)
        # a liner limits how far a film breaks; without a solution it may go on for long
        nodes = LINED if self.elastic else NODES
        self._most = max(MOST, len(self.at_pressure) // nodes)
        self._rigid = np.zeros(0)
        #: whether the film was steady when it was last solved
        self._at_rest = True
        if self.elastic:
            self._yields = sum(side.matrix(state) for side in self.elastic)
            self.newton.snes.setLineSearchPreCheck(self._hold_back)

    @property
    def expands(self) -> bool:
        """Whether the expansion of journal or bush changes the film."""
        return self.film.thermal is not None and self.film.thermal.expands

    @cached_property
    def coarser(self) -> Bearing | None:
        """The same bearing on half as many cells in each direction, if there is such a mesh."""
        film = coarser(self.film)
        if film is None:
            return None
        try:
            return Bearing(film, self.liner, journal=self.journal, tolerance=self.tolerance)
        except InputError:  # a liner whose facets the film's cells must be
            return None

    @cached_property
    def pattern(self) -> Pattern:
        """Of the tangent."""
        return Pattern(self.state)

    @cached_property
    def _prolongation(self):
        return prolongation(self.film.surface)

    def solve(
        self, place: Place, *, before: FilmState | None = None, step: float = 0.0
    ) -> FilmState:
        """The film for a relative motion.

        Args:
            place: the motion.
            before: the film a ``step`` (s) ago, since when bush and journal have warmed, a liner
                has moved and a lubricant has been compressed; default: all are at rest. In a film
                that conserves its lubricant bush and journal take the step, and all else is steady:
                its oil passes in milliseconds.

        Raises:
            InputError: the surfaces touch; nothing feeds a film that conserves its lubricant;
                ``before`` without ``step`` or vice versa, or a film of another bearing.
            StepFailed: Newton's method finds no solution.
        """
        film = self.attempt(place, before=before, step=step)
        self.say(film)
        return film

    def attempt(
        self, place: Place, *, before: FilmState | None = None, step: float = 0.0
    ) -> FilmState:
        """``solve`` for a place on the way to the one that counts, of which the log says
        nothing."""
        state, per_step = self.state, 0.0
        if (before is not None) != (step > 0):
            raise InputError(
                "bearing: give before=, the film a step ago, and step=, its length above 0 in s, "
                "together."
            )
        if before is not None:
            if before.unknowns.shape != state.q.shape:
                raise InputError("bearing: before must be a film of the same bearing.")
            state.q_n[:], per_step = before.unknowns, 1 / step
        steady = self.film.cavitation.conserving
        self._at_rest = steady or not per_step
        self.newton.factors(0.0, 0.0, 0.0 if steady else per_step)
        self.temperatures.pace(per_step if steady else 0.0)
        iterations = self.newton.iterations
        try:
            self.find(place)
            return self._found(place, self.newton.iterations - iterations)
        finally:
            self.newton.factors(0.0, 0.0)
            self.temperatures.pace(0.0)
            state.globals[PER_STEP] = 0.0

    def find(self, place: Place) -> None:
        """Solve for a place; errors as of ``solve``."""
        state = self.state
        e, t = np.split(place.numbers[:5], [3])
        self._rigid = self._room(e, t)
        if self._rigid.min() <= 0 and not self.elastic and not self.expands:
            raise InputError(
                f"the journal touches the bearing: the film would be {self._rigid.min():.3g} m "
                "thick."
            )
        warm = state.q[: state.owned].any()
        quick = self._most if self.coarser is None else QUICK
        found = (warm and self.tries(place, quick)) or self._begin(place)
        if not (found or approach(self, place)):
            self.clear()
            self._check_fed(place)
            raise StepFailed(f"no pressure found: {self.newton.failure(remedy(self))}.")
        if self.pressures(state.q).max() < 1e-9 * self.film.pressure_unit:
            self._check_fed(place)
        try:
            self.temperatures.check()
        except StepFailed:
            self.clear()
            raise
        self.newton.accepted()

    def _begin(self, place: Place) -> bool:
        """Newton's method from the film on a coarser mesh, or from nothing; ``False`` if it
        fails."""
        coarse = self.coarser
        self.clear()
        if coarse is not None:
            try:
                coarse.find(place)
            except (InputError, StepFailed):
                coarse.clear()
            else:
                prolong(self, coarse, self._prolongation)
                if self.tries(place):
                    return True
                self.clear()
        return self.tries(place)

    def clear(self) -> None:
        """Forget the last solution."""
        self.state.q[: self.state.owned] = 0.0

    def _found(self, place: Place, iterations: int) -> FilmState:
        state = self.state
        rows = state.residual()
        force = -rows[self.port[5:]]  # the rows of W hold - dL/dW
        pressure = self.pressures(state.q)
        flow, void = self._flow(rows), np.zeros_like(pressure)
        if self.film.cavitation.conserving:
            void = state.q[self.at_complement][self.film.void_nodes]
        flow[lacking(self.film, flow, pressure)] = 0.0
        outflow = {name: float(flow[z].sum()) for name, z in self.film.given().items()}
        stiffness, damping = tangents(self)
        channels = self.system.channels
        channels.read()
        outflow |= {n: -channels[f"{self.item.name}.{n}.flow"] for n in self.film.restrictors}
        thickness = self.thickness(place)
        warm, rough = self._warm(), self.film.asperities
        return FilmState(
            place, force[:3], force[3:], pressure, thickness,
            thickness - self.film.thickness(place.e, place.t), void, stiffness, damping, outflow,
            channels[f"{self.item.name}.power_loss"], iterations,
            rough.pressure(thickness) if rough else np.zeros_like(pressure), state.q.copy(), self,
            warm,
        )  # fmt: skip

    def say(self, film: FilmState) -> None:
        """Say, once, where the latest film of this bearing is beyond what was verified."""
        warm = film.warm
        self.item.say_thin(film.thickness)
        self.item.say_turbulent(film.place, None if warm is None else float(warm.temperature.max()))
        if warm is not None:
            self.temperatures.say(self.item, warm)
        if warm is not None and self._at_rest:
            self.item.say_fresh(self._flow(self.state.residual()), warm, film.power_loss)

    def pressures(self, unknowns: np.ndarray) -> np.ndarray:
        """Pressures at the film's nodes, Pa, of the unknowns of a solution."""
        return unknowns[self.at_pressure][self.film.shared]

    def _warm(self) -> Warm | None:
        """Temperatures of the present solution."""
        if self.film.thermal is None:
            return None
        return self.temperatures.found(self.item, self.system.channels)

    def derivatives(self, film: FilmState, *, hold: bool = False) -> Pair:
        """``stiffness`` and ``damping`` of a film of this bearing, of second order in the width of
        the cells (front.py); of a moving liner, as if it rested; ``hold``: as if the temperature
        did."""
        here = self.state.q.copy()
        try:
            if hold:
                self.held = self.temperatures.held
            return derivatives(self, film.unknowns)
        finally:
            self.state.q[:], self.held = here, self.held[:0]

    def errors(self, film: FilmState, found: Pair, *, hold: bool = False) -> Pair | None:
        """Estimates of the errors of ``derivatives``: a third of their change from half as many
        cells in each direction, from which second order leaves that; all of it where an edge of
        the film stays at its nodes (layer.py). ``None`` where there is no such mesh."""
        coarse = self.coarser
        if coarse is None or len(self.film.surface.cells) != 4 * len(coarse.film.surface.cells):
            return None
        sharp = self.sharp
        there = coarse.derivatives(coarse.attempt(film.place), hold=hold)
        part = 1 if sharp or coarse.sharp else 1 / 3
        stiffness, damping = (part * abs(a - b) for a, b in zip(found, there, strict=True))
        return stiffness, damping

    def _flow(self, rows: np.ndarray) -> np.ndarray:
        """Volume flow out of the film at its nodes, m^3/s: what Reynolds' equation leaves there."""
        if not self.film.cavitation.nodal:
            return -rows[self.at_pressure]
        return -rows[self.at_complement] * self.film.rate_unit / self.film.pressure_unit

    def tries(self, place: Place, most: int | None = None) -> bool:
        """Newton's method from the present state in so many iterations (default: as many as it may
        take); ``False`` if it fails."""
        state = self.state
        start = state.q[: state.owned].copy()
        state.q[self.port] = place.numbers
        self._rigid = self._room(place.e, place.t)
        self.newton.guess(start)
        self.newton.snes.setTolerances(max_it=most or self._most)
        least = -self.film.valleys
        solved = self.thickness(place).min() > least and self.newton.solve(0.0, full=True)
        if solved and self.thickness(place).min() > least:
            return True
        state.q[: state.owned] = start
        return False

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
            self.clear()  # an empty film may stay empty
            raise InputError(
                "film: nothing feeds it, so that it runs empty: mark a groove or hole that the "
                "sliding surface carries lubricant away from, or give one a pressure above 0."
            )

    def _room(self, e, t) -> np.ndarray:
        """By how much rigid surfaces as warm as they are may still approach at the nodes, m: their
        distance, and of rough ones the depth of the valleys."""
        return self.film.thickness(e, t) + self.film.valleys + self.temperatures.opening

    def thickness(self, place: Place) -> np.ndarray:
        """Distance of the (mean) surfaces at the nodes for the present state of the liner, m."""
        h = self._room(place.e, place.t) - self.film.valleys
        return h + self._yields @ self.state.q[: self.state.owned] if self.elastic else h

    def stresses(self, side: str = "liner") -> dict[str, np.ndarray]:
        """Stresses at the nodes of the liner or of the elastic journal (``side="journal"``),
        ``stress`` (Cauchy's) and ``second_piola_kirchhoff``, Pa, (n, 3, 3), at the last solution;
        empty where that side is rigid."""
        wanted = checks.choice("bearing: side", side, ("liner", "journal"))
        found = {
            name: z.solid.recover(self.state, name)
            for z in self.elastic if z.solid.name == wanted
            for name in ("stress", "second_piola_kirchhoff")
        }  # fmt: skip
        return {name: z for name, z in found.items() if z is not None}


class ClosedBearing(Bearing):
    """The same for a closed form, which has nothing to solve for."""

    coarser, expands = None, False

    def _prepare(self):
        self.at_pressure = self.at_complement = np.zeros(0, int)

    def say(self, film):
        pass

    def attempt(self, place, *, before=None, step=0.0):
        force, moment = self.film.force(place), self.film.moment(place)  # refuse what cannot be
        state, none = self.state, np.zeros(1)
        state.q[self.port] = place.numbers
        state.residual()
        slopes = matrix(self)[self.port[5:]][:, self.port].toarray()
        self.system.channels.read()
        lost = self.system.channels[f"{self.item.name}.power_loss"]
        return FilmState(
            place, force, moment, none + np.nan, self.thickness(place), none, none,
            slopes[:, :5], slopes[:, 5:], {}, lost, 0, none, state.q.copy(), self,
        )  # fmt: skip

    def thickness(self, place):
        return self.film.thickness(place.e, place.t)

    def derivatives(self, film, *, hold=False):
        return film.stiffness, film.damping

    def errors(self, film, found, *, hold=False):
        return 0 * found[0], 0 * found[1]

"""A bearing alone: the film between surfaces whose relative motion is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..._backend import MPI
from ...core.newton import Newton
from ...core.symbols import PER_STEP
from ...errors import InputError, StepFailed
from ..closed_forms.journal import ClosedForm
from ..film.film import Film
from ..film.liner import Liner
from .coarse import prolongation
from .front import Pair, Pattern, derivatives, matrix, tangents
from .held_film import HeldFilm
from .place import FilmState, Place

#: least part of the thickness that an iteration leaves of a film on a liner
KEEP = 0.3
#: least thickness that the search for a film on a liner starts from, by the clearance
WIDE = 0.2
#: part of the speeds that a liner is first loaded with where Newton's method fails at all of them
SLOW = 0.05
#: least step on the way to what is asked for, as a part of it
CREEP = 1e-3
#: iterations from the last solution, where a coarser film gives another start
QUICK = 8
#: the same otherwise, and nodes to one more: the edge of a film moves by at least a node in each
MOST, NODES, LINED = 60, 8, 128


class Bearing:
    """Solves a film again and again for given motions; alone: on several ranks each does all of it.

    Each solution is the first guess of the next; in a rigid bearing the first begins on coarser
    meshes where the surface has them (``Surface.coarser``).

    Args:
        film: of the bearing; or a closed form.
        liner: what its surface yields with; default: nothing, it is rigid.
        tolerance: of Newton's method.

    Raises:
        InputError: neither film nor closed form, a liner that is none, or that the film does not
            lie on.
    """

    def __new__(
        cls, film: Film | ClosedForm, liner: Liner | None = None, *, tolerance: float = 1e-10
    ):
        return super().__new__(ClosedBearing if isinstance(film, ClosedForm) else cls)

    def __init__(
        self, film: Film | ClosedForm, liner: Liner | None = None, *, tolerance: float = 1e-10
    ):
        from ...model.system import System

        if not isinstance(film, Film | ClosedForm):
            raise InputError(
                f"bearing: film must be a Film or a closed form such as ShortBearing(...), got "
                f"{film!r}."
            )
        if liner is not None and not isinstance(liner, Liner):
            raise InputError(f"bearing: liner must be a Liner, got {liner!r}.")
        self.film: Any = film
        self.liner, self.tolerance = liner, tolerance
        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        self.item = system.add(HeldFilm(film, liner=liner))
        self.system, self.state = system, system.state
        self.newton = Newton(self.state, tolerance, max_iterations=MOST)
        self.port = np.concatenate([self.state.locate(b.numbers) for b in self.item.port])
        self.lined, self.complement = self.item.lined, self.item.complement
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
        # a liner limits how far a film breaks; without a solution it may go on for long
        nodes = LINED if self.lined is not None else NODES
        self._most = max(MOST, len(self.at_pressure) // nodes)
        self._rigid = np.zeros(0)
        if self.lined is not None:
            self._yields = self.lined.matrix(state)
            self.newton.snes.setLineSearchPreCheck(self._hold_back)

    @cached_property
    def coarser(self) -> Bearing | None:
        """The same bearing on half as many cells in each direction, if there is such a mesh."""
        surface = self.film.surface.coarser
        if surface is None:
            return None
        try:
            return Bearing(
                replace(self.film, surface=surface), self.liner, tolerance=self.tolerance
            )
        except InputError:  # facets of a liner, a set of nodes that is not on it
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
            before: the film a ``step`` (s) ago, from which a liner has moved and a lubricant has
                been compressed; default: both are at rest. Films that conserve their lubricant are
                steady all the same.

        Raises:
            InputError: the surfaces touch; nothing feeds a film that conserves its lubricant.
            StepFailed: Newton's method finds no solution.
        """
        state, film = self.state, self.film
        moving = step > 0 and not film.cavitation.conserving
        if moving and before is not None:
            state.q_n[:] = before.unknowns
        self.newton.factors(0.0, 0.0, 1 / step if moving and before is not None else 0.0)
        iterations = self.newton.iterations
        try:
            self._find(place)
            return self._found(place, self.newton.iterations - iterations)
        finally:
            self.newton.factors(0.0, 0.0)
            state.globals[PER_STEP] = 0.0

    def _find(self, place: Place) -> None:
        """Solve for a place; errors as of ``solve``."""
        state = self.state
        e, t = np.split(place.numbers[:5], [3])
        self._rigid = self._oil(e, t)
        if self._rigid.min() <= 0 and self.lined is None:
            raise InputError(
                f"the journal touches the bearing: the film would be {self._rigid.min():.3g} m "
                "thick."
            )
        warm = state.q[: state.owned].any()
        quick = QUICK if self.lined is None and self.coarser is not None else self._most
        found = (warm and self._try(place, quick)) or self._begin(place)
        if not (found or self._approach(place)):
            state.q[: state.owned] = 0.0
            self._check_fed(place)
            raise StepFailed(f"no pressure found: {self.newton.failure()}; {self._remedy()}")
        if state.q[self.at_pressure].max() < 1e-9 * self.film.pressure_unit:
            self._check_fed(place)
        self.newton.accepted()

    def _remedy(self) -> str:
        if self.lined is not None:
            return (
                "solve for a wider gap, a lower speed or a stiffer liner first: each solution is "
                "the first guess of the next."
            )
        if self.coarser is None:
            return (
                "even numbers of cells in both directions (film.cells) let the search begin on "
                "coarser meshes."
            )
        return (
            "solve for a wider gap or a lower speed first: each solution is the first guess of the "
            "next."
        )

    def _begin(self, place: Place) -> bool:
        """Newton's method from the film on a coarser mesh, or from nothing; ``False`` if it
        fails."""
        # (a liner would have to be condensed anew for each mesh)
        state, coarse = self.state, self.coarser if self.lined is None else None
        state.q[: state.owned] = 0.0
        if coarse is not None:
            try:
                coarse._find(place)
            except (InputError, StepFailed):
                coarse.state.q[: coarse.state.owned] = 0.0
            else:
                self._prolong(coarse)
                if self._try(place, self._most):
                    return True
                state.q[: state.owned] = 0.0
        return self._try(place, self._most)

    def _prolong(self, coarse: Bearing) -> None:
        """Begin with the solution of a coarser film."""
        state, nodal = self.state, self.film.cavitation.nodal
        p = self._prolongation @ coarse.state.q[coarse.at_pressure]
        pairs = [(self.at_pressure, p)]
        if self.complement is not None:
            # active sets ask which of the two is the lesser
            r = np.where(p > 0, 0.0, self.film.rate_unit)
            if not nodal:
                r = self._prolongation @ coarse.state.q[coarse.at_complement]
            pairs.append((self.at_complement, r))
        for at, values in pairs:
            free = at < state.owned
            state.q[at[free]] = values[free]

    def _found(self, place: Place, iterations: int) -> FilmState:
        state = self.state
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
        stiffness, damping = tangents(self)
        self.system.channels.read()
        thickness = self.thickness(place) - self.film.valleys
        self.item.say_thin(thickness)
        rough = self.film.asperities
        return FilmState(
            place, force[:3], force[3:], pressure, thickness,
            thickness - self.film.thickness(place.e, place.t), void, stiffness, damping, outflow,
            self.system.channels[f"{self.item.name}.power_loss"], iterations,
            rough.pressure(thickness) if rough else np.zeros_like(pressure), state.q.copy(), self,
        )  # fmt: skip

    def derivatives(self, film: FilmState) -> Pair:
        """``stiffness`` and ``damping`` of a film of this bearing, of second order in the width of
        the cells (front.py); of a moving liner, as if it rested."""
        here = self.state.q.copy()
        try:
            return derivatives(self, film.unknowns)
        finally:
            self.state.q[:] = here

    def errors(self, film: FilmState, found: Pair) -> Pair | None:
        """Estimates of the errors of ``derivatives``: a third of their change from half as many
        cells in each direction, from which second order leaves that. ``None`` where there is no
        such mesh."""
        coarse = self.coarser
        if coarse is None or len(self.film.surface.cells) != 4 * len(coarse.film.surface.cells):
            return None
        coarse.item.thin_said = True  # this bearing speaks for both
        there = coarse.derivatives(coarse.solve(film.place))
        stiffness, damping = (abs(a - b) / 3 for a, b in zip(found, there, strict=True))
        return stiffness, damping

    def _flow(self, rows: np.ndarray) -> np.ndarray:
        """Volume flow out of the film at its nodes, m^3/s: what Reynolds' equation leaves there."""
        if not self.film.cavitation.nodal:
            return -rows[self.at_pressure]
        return -rows[self.at_complement] * self.film.rate_unit / self.film.pressure_unit

    def _try(self, place: Place, most: int) -> bool:
        """Newton's method from the present state in so many iterations; ``False`` if it fails."""
        state = self.state
        start = state.q[: state.owned].copy()
        state.q[self.port] = place.numbers
        self._rigid = self._oil(place.e, place.t)
        self.newton.guess(start)
        self.newton.snes.setTolerances(max_it=most)
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

        self.state.q[: self.state.owned] = 0.0
        if not (self._try(at(part), self._most) or self._run_up(at(part))):
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
            if self._try(at(min(part + step, 1.0)), self._most):
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


class ClosedBearing(Bearing):
    """The same for a closed form, which has nothing to solve for."""

    coarser = None

    def _prepare(self):
        self.at_pressure = self.at_complement = np.zeros(0, int)

    def solve(self, place, *, before=None, step=0.0):
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

    def derivatives(self, film):
        return film.stiffness, film.damping

    def errors(self, film, found):
        return 0 * found[0], 0 * found[1]

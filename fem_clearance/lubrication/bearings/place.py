"""Prescribed motion of a bearing, and the state of its film."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from ... import checks


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


class Solver(Protocol):
    """What has solved a film, see ``Bearing``."""

    def derivatives(self, film: FilmState, *, hold: bool = False) -> Any: ...

    def errors(self, film: FilmState, found: Any, *, hold: bool = False) -> Any: ...


class Warm(NamedTuple):
    """Temperatures of a solved film.

    Attributes:
        temperature: at the film's nodes, K; at a groove that of the oil beside it.
        grooves: name -> temperature of the mixed oil there, K.
        heat: heat generated in the film, W; in an adiabatic film as if it were filled, which equals
            ``power_loss`` if the film is not ruptured.
        oil_heat: the part of it that the oil stores and carries away, W.
        bush, journal: temperatures of the walls of a film that conducts, K: at the film's nodes, or
            one.
        bush_heat, journal_heat: the heat that enters them, W.
        amplitudes: of the responses of a ``HeatedSolid``; ``Conducting.heated`` shows the solid.
    """

    temperature: np.ndarray
    grooves: dict[str, float]
    heat: float
    oil_heat: float
    bush: np.ndarray | None = None
    journal: np.ndarray | None = None
    bush_heat: float = 0.0
    journal_heat: float = 0.0
    amplitudes: np.ndarray | None = None


class FilmState(NamedTuple):
    """A solved film.

    Attributes:
        place: the motion it belongs to.
        force, moment: on the journal, the moment about its centre, N and N m, (3,).
        pressure, thickness: at the film's nodes, Pa and m; between rough surfaces the thickness is
            the distance of their mean planes.
        deformation: of the liner there, along the normal away from the journal, m.
        void: thickness of the void in a film that conserves its lubricant, likewise, m; else 0.
        stiffness, damping: -d(force, moment)/d(e, t) and -d(force, moment)/d(V, Omega), (6, 5) and
            (6, 6), the pressure following: exact for this mesh, on which the edge of the film moves
            from node to node; ``Coefficients.of`` gives what is left as the mesh is refined.
        outflow: set of nodes -> volume flow out of the film there, m^3/s, negative where oil
            enters, as at a groove that feeds it; a node of several sets counts for the last. With
            Guembel's condition nothing enters at the ends ``z0`` and ``z1`` beside tension.
        power_loss: that bodies and supplies lose in the film, W.
        iterations: of Newton's method.
        contact_pressure: of asperities at the nodes, Pa; 0 without.
        unknowns: of the solution, as the bearing holds them.
        bearing: the one that solved it.
        warm: temperatures, of a film that has some.

    A closed form gives forces only: its pressure is not a number, its thickness the least one.
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
    unknowns: np.ndarray
    bearing: Solver
    warm: Warm | None = None

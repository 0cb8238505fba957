"""Initial pressure of films in joints, found on coarser meshes.

At the start a run knows how its bodies move, and asks for the pressures that go with that. As in a
bearing alone these are found on half as many cells in each direction first (start.py), where the
port says what moves; Newton's method then begins with them. A film that conserves its lubricant
starts whole: at first it breaks where Reynolds' condition says.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.blocks import Block, Ref
from ...errors import InputError, StepFailed
from ..bearings.bearing import Bearing
from ..bearings.place import Place
from ..bearings.start import coarser, missing, prolongation
from ..film.cavitation import Reynolds
from ..film.film import Film
from ..film.lubricant import Density

#: nodes up to which a film starts from nothing, which then takes few iterations
FEW = 500


class FirstFilm:
    """The pressure that a film of a joint begins with.

    Args:
        film: of the joint.
        port: unknowns e, t, V, Omega, force and moment.
        pressure, complement: unknowns of the film.
    """

    def __init__(self, film: Film, port: list[Ref], pressure: Block, complement: Block | None):
        self.film, self.port = film, [ref.block for ref in port]
        self.pressure, self.complement = pressure, complement

    def begin(self, state) -> None:
        """Set it for the present motion, unless the film has a pressure; collective."""
        film = self.film
        if len(self.pressure.values) <= FEW or film.surface.coarser is None:
            return
        if not film.cavitation.complementary or type(film.lubricant.density) is not Density:
            return  # linear; or the first steps compress the lubricant
        q = state.everything(state.q)
        if q[self.pressure.numbers[self.pressure.free]].any():
            return
        place = self._place(q, state.everything(state.add_over_ranks(state.residual())))
        p = state.comm.bcast(self._found(place) if state.comm.rank == 0 else None)
        if p is None:
            return
        self._set(state, self.pressure, p)
        if self.film.cavitation.nodal and self.complement is not None:
            self._set(state, self.complement, missing(self.film, p))

    def _place(self, q: np.ndarray, rows: np.ndarray) -> Place:
        """What the bodies say of the port: its rows hold by how much its unknowns differ."""
        e, t, *motion = (q[block.numbers] for block in self.port[:4])
        off = [rows[block.numbers] for block in self.port]
        length = self.film.clearance
        lean = self.port[1].role.unit
        V, Omega = (z - row for z, row in zip(motion, off[4:], strict=True))
        e, t = e - length**2 * off[0], t - lean**2 * off[1]
        return Place(*(tuple(z) for z in (e, t, V, Omega)))  # type: ignore[arg-type]

    def _found(self, place: Place) -> np.ndarray | None:
        """The pressure at the film's nodes; ``None`` if there is none."""
        film = coarser(replace(self.film.isothermal, cavitation=Reynolds()))
        if film is None:
            return None
        try:
            bearing = Bearing(film)
            bearing.find(place)
        except (InputError, StepFailed):  # surfaces that touch: the run begins from nothing
            return None
        return prolongation(self.film.surface) @ bearing.pressures(bearing.state.q)

    def _set(self, state, block: Block, values: np.ndarray) -> None:
        free = np.flatnonzero(block.free)
        at = state.locate(block.numbers[free])
        here = (at >= 0) & (at < state.local)
        state.q[at[here]] = values[free[here]]

"""A film in a system without bodies: the motion at its port is prescribed."""

from __future__ import annotations

import logging

import numpy as np

from ...core.blocks import Block
from ...core.roles import Algebraic
from ..closed_forms.journal import ClosedForm
from ..film.dimensions import verified_thickness, warn_of_thin
from ..film.film import FILM, Film, complement_of
from ..film.hottest import BEYOND, COLD, too_cold
from ..film.liner import Lined, Liner
from ..film.surface import counted_edges
from ..film.thermal import WARMTHS, Warmth
from ..film.turbulence import fastest, warn_if_turbulent
from .place import Place, Warm

logger = logging.getLogger(__name__)

#: by how much a groove is hotter than all oil that enters it before that is said, K
HOTTER = 0.1
#: part of a bearing's loss that hot oil may bring to fresh grooves before that is said
LOST = 0.1


class HeldFilm:
    """A film whose port is given: an item of a system without bodies."""

    prefix, free = "film", True

    def __init__(
        self, film: Film | ClosedForm, name="film", liner: Liner | None = None,
        journal: Liner | None = None,
    ):  # fmt: skip
        self.film, self.name, self.liner, self.journal = film, name, liner, journal
        #: what the bore yields with, and all that yields
        self.lined: Lined | None = None
        self.elastic: list[Lined] = []
        #: whether the log has said how thin the film is
        self.thin_said = False
        #: the same of temperatures beyond what the film's laws know
        self.warm_said = False
        #: the same of oil that is colder than all that could have cooled it
        self.cold_said = False
        #: the same of hot oil in fresh grooves
        self.fresh_said = False
        #: the same of turbulence
        self.turbulent_said = False
        self.pressure: Block | None = None
        self.complement: Block | None = None
        #: of the oil, the grooves and the walls of a warm film
        self.temperatures: dict[str, Block] = {}
        self.position = np.zeros(3)
        self.corners = np.zeros((2, 3))
        if isinstance(film, Film):
            points = film.surface.points
            self.corners = np.stack([points.min(0), points.max(0)])

    def build(self, builder) -> None:
        # fixed values are read, and their rows collect the forces; a system needs an unknown, and a
        # closed form, whose axes are parallel, does not read t
        closed = isinstance(self.film, ClosedForm)
        self.port = [
            Block(self.name, n, np.zeros(size), Algebraic(FILM), fixed=not (closed and n == "t"))
            for n, size in (("e", 3), ("t", 2), ("W", 6))
        ]
        for block in self.port:
            builder.add_block(block)
        if isinstance(self.film, ClosedForm):
            self.film.build(builder, self.name, [b.all for b in self.port])
            return
        if self.liner is not None:
            self.lined = self.liner.added(builder, self.film.surface, "liner")
            self.elastic.append(self.lined)
        if self.journal is not None:
            self.elastic.append(self.journal.added(builder, self.film.surface, "journal", -1))
        port = [b.all for b in self.port]
        # on its way to a film on a liner Newton's method may pass through none
        thinnest = -np.inf if self.elastic else 0.0
        self.pressure = self.film.build(
            builder, self.name, port, self.elastic, thinnest, steady=True
        )
        #: what complements the pressure, if anything does
        self.complement = complement_of(builder, self.name)
        self.temperatures = {
            b.what: b for b in builder.blocks if b.owner == self.name and b.what in WARMTHS
        }

    def say_thin(self, thickness: np.ndarray) -> None:
        """Warn, once, of a film thinner than what its mesh was verified for (docs/films.md)."""
        verified = verified_thickness(self.film, self.elastic)
        if thickness.min() < verified and not self.thin_said:
            self.thin_said = True
            warn_of_thin(self.name, thickness.min(), verified)

    def say_turbulent(self, place: Place, hottest: float | None) -> None:
        """Warn, once, of a laminar film that is none; ``hottest``: temperature of its oil, K."""
        assert isinstance(self.film, Film)
        if self.turbulent_said:
            return
        film, mu = self.film, self.film.viscosity
        if film.thermal is not None and hottest is not None:
            mu = film.lubricant.viscosity_at(film.thermal.within(hottest))
        self.turbulent_said = warn_if_turbulent(self.name, film, *fastest(film, place), mu)

    def say_warm(
        self, T: np.ndarray, where: Warmth, grooves: dict[str, float], walls: np.ndarray
    ) -> None:
        """Warn, once, of temperatures of oil or walls, K, beyond the oil's laws, of oil that is
        colder than all that could have cooled it, and of grooves that pass on less oil than comes
        to them, which then are hotter than all of it."""
        assert isinstance(self.film, Film) and self.film.thermal is not None
        thermal = self.film.thermal
        low, high = (thermal.supply + z for z in thermal.bounds)
        oil = T[where.used]
        used = np.concatenate([oil, walls])
        if not self.cold_said and too_cold(oil, thermal.supply, thermal.coldest):
            self.cold_said = True
            logger.warning(COLD, self.name, oil.min(), thermal.coldest)
        if not self.warm_said and not (low <= used.min() and used.max() <= high):
            self.warm_said = True
            logger.warning(BEYOND, self.name, "", used.min(), used.max(), low, high)
        for k, (name, warmth) in enumerate(grooves.items()):
            beside = T[np.unique(where.numbers[where.fed & (where.groove == k)])]
            if not self.warm_said and warmth > beside.max() + HOTTER:
                self.warm_said = True
                logger.warning(
                    "%s: more hot oil is carried over into the groove %r than it passes on, so "
                    "that it reaches %.4g K and is hotter than the oil that enters it; give a "
                    "smaller carry_over= in the thermal= of the film.", self.name, name, warmth,
                )  # fmt: skip

    def say_fresh(self, flow: np.ndarray, warm: Warm, loss: float) -> None:
        """Warn, once, of grooves whose oil is fresh although much hot oil comes to them in a steady
        state; ``flow``: out of the film at its nodes, m^3/s; ``loss``: of the bearing, W."""
        assert isinstance(self.film, Film) and self.film.thermal is not None
        film, thermal = self.film, self.film.thermal
        edges, cells = counted_edges(film.surface.corners[0], "quadrilateral")
        rim, given = np.unique(edges[cells == 1]), film.given()
        fresh = {name: z for name, z in given.items() if len(np.setdiff1d(z, rim))}
        if self.fresh_said or thermal.grooves or not fresh:
            return
        ends = np.setdiff1d(rim, np.concatenate([*fresh.values()]))
        rise = warm.temperature[ends] - thermal.supply
        left = film.lubricant.heat_capacity * float(np.maximum(flow[ends], 0.0) @ rise)
        if (brought := warm.oil_heat - left) > LOST * loss:
            self.fresh_said = True
            logger.warning(
                "%s: of a loss of %.4g W, hot oil brings %.3g W to %s, whose oil is fresh all the "
                "same; let it mix by grooves={'feed': [%r]} in thermal=, for which the groove must "
                "reach from end to end and the film conserve its oil (Streamers, JFO).",
                self.name, loss, brought, " and ".join(fresh), next(iter(fresh)),
            )  # fmt: skip

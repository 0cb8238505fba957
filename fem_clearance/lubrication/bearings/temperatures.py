"""Temperatures of a bearing's film: where they are among the unknowns, and what they say."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...core.blocks import Block
from ...errors import StepFailed
from ..film.film import Film
from ..film.walls import HeatKind
from .place import Warm

#: temperatures beyond which there is no film, K
NO_STEADY = 1e4


class Temperatures:
    """Local numbers of the temperatures of a film's oil, grooves and walls.

    Args:
        state: of the bearing's system.
        film: that has, or has not, temperatures.
        blocks: of them, by what they are.
    """

    def __init__(self, state, film: Film, blocks: dict[str, Block]):
        self.state, self.film = state, film
        self.places = {what: state.locate(b.numbers) for what, b in blocks.items()}

    def pace(self, per_step: float) -> None:
        """Let the walls take steps beside a film in a steady state; ``per_step``: 1 / their length,
        1/s, 0: none."""
        for component, rows in zip(self.state.components, self.state.parameters, strict=True):
            if isinstance(component.kind, HeatKind):
                component.kind.column(rows, "pace")[:] = per_step

    @property
    def held(self) -> np.ndarray:
        """All that are unknowns."""
        found = [np.zeros(0, int), *self.places.values()]
        at = np.concatenate(found)
        return at[(at >= 0) & (at < self.state.owned)]

    def values(self, what: str) -> np.ndarray:
        """Over the supply's, K; 0 where no cell reads them (-1), as in a groove."""
        at = self.places[what]
        return np.where(at >= 0, self.state.q[at], 0.0)

    @cached_property
    def _openings(self) -> tuple[dict[str, np.ndarray], np.ndarray]:
        assert self.film.thermal is not None
        return self.film.thermal.openings(self.film)

    @property
    def opening(self) -> np.ndarray | float:
        """By which the walls' expansion opens the film at its nodes, m."""
        if self.film.thermal is None or not self.film.thermal.expands:
            return 0.0
        by, settled = self._openings
        return settled + sum(matrix @ self.values(what) for what, matrix in by.items())

    def prolonged(self, coarse: Temperatures, spread) -> list[tuple[np.ndarray, np.ndarray]]:
        """Places and values of a guess from a coarser film's, whose nodal values ``spread``
        interpolates."""
        result = []
        for what, at in self.places.items():
            if what == "bush" and "solid" in self.places:
                continue  # it follows the solid, which is the same on every mesh of the film
            known = coarse.values(what)
            if len(at) == len(self.film.warmth.nodes):
                known = spread @ known[: coarse.film.surface.corners[0].max() + 1]
                known = known[self.film.warmth.nodes]
            result.append((at, known))
        return result

    def check(self) -> None:
        """Refuse a solution whose temperatures are none.

        Raises:
            StepFailed: they have no steady values.
        """
        if self.film.thermal is None:
            return
        T = self.film.thermal.supply + self.values("temperature")
        if not 0 < T.min() <= T.max() < NO_STEADY:
            raise StepFailed(
                f"the film has no steady temperature: {T.min():.3g} to {T.max():.3g} K were found, "
                "as if nothing carries its heat away; oil must enter and leave it, through a "
                "groove or at its ends, and a lower speed makes less heat."
            )

    def _walls(self, kelvin: dict[str, np.ndarray]) -> np.ndarray:
        """Of some temperatures, K, those of bush and journal that are unknown and not in a
        groove."""
        read = [kelvin[z][self.places[z] >= 0] for z in ("bush", "journal") if z in kelvin]
        return np.concatenate(read) if read else np.zeros(0)

    @property
    def _kelvin(self) -> dict[str, np.ndarray]:
        """Temperatures, K."""
        assert self.film.thermal is not None
        return {what: self.film.thermal.supply + self.values(what) for what in self.places}

    def say(self, item, warm: Warm) -> None:
        """Say, once, where temperatures of the present solution leave the oil's laws."""
        kelvin = self._kelvin
        item.say_warm(kelvin["temperature"], self.film.warmth, warm.grooves, self._walls(kelvin))

    def found(self, item, channels) -> Warm:
        """The temperatures of the present solution."""
        thermal, where = self.film.thermal, self.film.warmth
        assert thermal is not None
        kelvin = self._kelvin
        T, grooves = kelvin["temperature"], kelvin["groove"]
        names = dict(zip(thermal.grooves, map(float, grooves), strict=False))
        heat, oil = (channels[f"{item.name}.{n}"] for n in ("heat", "oil_heat"))
        walls: dict[str, Any] = {}
        for side in ("bush", "journal"):
            if side in kelvin:
                own = kelvin[side]
                if len(own) > 1:
                    own = where.at_nodes(self.film.surface.corners[0], own, grooves)
                walls[side] = own
                walls[f"{side}_heat"] = channels[f"{item.name}.{side}_heat"]
        if "solid" in kelvin:
            walls["amplitudes"] = self.values("solid")
        corners = self.film.surface.corners[0]
        return Warm(where.at_nodes(corners, T, grooves), names, heat, oil, **walls)

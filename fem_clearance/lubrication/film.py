"""Films as parts of a system: unknowns and cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .. import checks
from ..bodies.facets import FacetSet
from ..component import Cell
from ..errors import InputError
from ..unknowns import Block, Ref
from .cavitation import Cavitation, Reynolds
from .film_kind import FilmKind
from .gap import CylinderGap, Gap
from .lubricant import Lubricant
from .surface import Surface

#: class of the film's equations, W
FILM = "film"
#: class of the definitions of a port, dimensionless
PORT = "port"


@dataclass(frozen=True)
class Film:
    """A film: where it lies, what it is, what holds at its edges.

    Args:
        surface: in the housing's frame.
        clearance: thickness with the journal in the middle, m.
        lubricant: viscosity law.
        cavitation: model; ``Reynolds()`` by default.
        pressures: set of nodes -> pressure there, Pa over ambient: ends, grooves, holes.
        speed: typical sliding speed, m/s, by which unknowns are scaled.
        gap: shape of the film.
    """

    surface: Surface
    clearance: float
    lubricant: Lubricant
    cavitation: Cavitation = field(default_factory=Reynolds)
    pressures: Mapping[str, float] = field(default_factory=lambda: {"z0": 0.0, "z1": 0.0})
    speed: float = 1.0
    gap: Gap = field(default_factory=CylinderGap)

    def __post_init__(self):
        checks.positive("film: clearance", self.clearance)
        checks.positive("film: speed", self.speed)
        for name, value in self.pressures.items():
            self.surface.node_set(name, "film")
            pressure = checks.number(f"film: pressure at {name}", value)
            if pressure < 0 and self.cavitation.complementary:
                raise InputError(
                    f"film: the pressure at {name!r} is {pressure:g} Pa; a film that cavitates at "
                    "ambient pressure needs 0 or more."
                )

    @property
    def radius(self) -> float:
        """Typical radius of the surface, m."""
        return float(np.linalg.norm(self.surface.points[:, :2], axis=1).max())

    @property
    def pressure_unit(self) -> float:
        """mu U R / c^2, Pa."""
        return self.lubricant.viscosity * self.speed * self.radius / self.clearance**2

    @property
    def rate_unit(self) -> float:
        """U c / R, m/s."""
        return self.speed * self.clearance / self.radius

    @property
    def power_unit(self) -> float:
        """Pressure times area times rate, W: the least that rows are judged against."""
        return self.pressure_unit * self.rate_unit * float(self.surface.areas().sum())

    def kind(self, liner: FacetSet | None = None) -> FilmKind:
        """What its cells are, on a rigid surface or on a liner's facets."""
        return FilmKind(
            liner=liner.solid.degree if liner else 0,
            geometry_degree=self.surface.degree, shape=type(self.gap),
            lubricant=type(self.lubricant), cavitation=type(self.cavitation),
        )  # fmt: skip

    def build(self, system, name: str, port: list[Ref], liner: FacetSet | None = None) -> Block:
        """Register the film's unknowns and cells; returns the block of pressures.

        Args:
            system: to add to.
            name: prefix of names and channels.
            port: unknowns e, t and W.
            liner: facets of a solid that the film's cells are, in the same order.
        """
        numbers, used = self.surface.corners
        values, fixed = np.zeros(len(used)), np.zeros(len(used), bool)
        for key, pressure in self.pressures.items():
            nodes = self.surface.sets[key]
            values[nodes], fixed[nodes] = pressure, True
        rows = {"order": 0, "row": FILM, "measured": True, "floor": 1e-6 * self.power_unit}
        p = Block(f"{name}.pressure", values, fixed=fixed, unit=self.pressure_unit, **rows)
        system.add_block(p)
        refs = [Ref(p, numbers)]
        if self.cavitation.complementary:
            r = Block(f"{name}.inflow", 0 * values, fixed=fixed, unit=self.rate_unit, **rows)
            system.add_block(r)
            refs.append(Ref(r, numbers))
        if liner is not None:
            refs.append(liner.solid.displacement(liner.cells))
        law = {f"lubricant.{n}": z for n, z in self.lubricant.values().items()}
        kind = self.kind(liner)
        parameters = kind.pack(
            clearance=self.clearance, pressure_unit=self.pressure_unit,
            rate_unit=self.rate_unit, **law,
        )  # fmt: skip
        geometry = self.surface.points[self.surface.cells]
        cell = Cell(name, [*refs, *port], parameters, geometry=geometry, count=len(numbers))
        system.add_cell(kind, cell)
        return p

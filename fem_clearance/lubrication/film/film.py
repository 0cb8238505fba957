"""Films: geometry, lubricant and boundary conditions, and their unknowns in a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ... import checks, deprecated
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.ordering import dissected
from ...core.roles import Algebraic
from ...errors import InputError
from .asperities import SHALLOW, Asperities
from .cavitation import Cavitation, Reynolds
from .dimensions import check_journal, check_roughness, check_unknown_pressures
from .feed import fed, shared_nodes, void_nodes
from .heat import WarmFilmKind
from .kind import FilmKind
from .liner import Lined
from .lubricant import FilmUnits, Lubricant
from .restrictor import Restrictor, add_restrictors, check_restrictors
from .surface import Surface, slides_along
from .thermal import Thermal, Warmth, add_temperature, check_thermal, groups, warmth
from .thickness import CylinderGap, Gap, SphereGap
from .turbulence import Turbulence, check_turbulence

#: class of the film's equations, W
FILM = "film"
#: class of the equations of a film that conserves its lubricant, W
CONTENT = "film content"
#: class of the definitions of a port, dimensionless
PORT = "port"
#: what it means that the equations of a film have no numbers
PIERCED = (
    "the surfaces touch, where there is no film, or its pressure is beyond the lubricant's laws; "
    "let dry contact, CylindricalClearance(film=...), or rough surfaces, Film(asperities=...), "
    "carry load"
)
#: of a node's pressure where unknowns are partitioned over ranks: its cell reads the whole port
WEIGHT = 4.0


def complement_of(builder, name: str) -> Block | None:
    """Unknowns that complement the pressure of the film ``name``, if anything does."""
    return block_of(builder, name, "void", "inflow")


def block_of(builder, name: str, *whats: str) -> Block | None:
    """Those unknowns of the film ``name``, if it has them."""
    mine = (b for b in builder.blocks if b.owner == name)
    return next((b for b in mine if b.what in whats), None)


@deprecated.arguments(speed="sliding_speed")
@dataclass(frozen=True)
class Film(FilmUnits):
    """A film: its surface, its lubricant and the conditions at its edges. See docs/films.md.

    Args:
        surface: in the housing's frame.
        clearance: thickness with the journal in the middle, m.
        lubricant: viscosity law.
        cavitation: model; ``Reynolds()`` by default.
        pressures: set of nodes -> pressure there, Pa over ambient: ends, grooves, holes.
        sliding_speed: typical sliding speed, m/s, by which unknowns are scaled.
        gap: shape of the film.
        recess: additional depth of the surface, m, at points (n, 3) of it: pockets, textures, wear.
            It is evaluated cell by cell just inside the corners, so that it may jump where cells
            meet.
        asperities: contact of the surfaces' roughness where they nearly touch; the clearance is
            then that of the mean surfaces.
        least: m, thickness at which the film's transition begins, so that the surfaces may overlap
            where dry contact takes over (thickness.py); 0: none between smooth surfaces.
        smooth: sets of nodes over whose cells nothing shears, as over deep grooves.
        thermal: how the oil warms, ``Adiabatic(...)`` or ``Conducting(...)``; default: it has the
            temperature at which the lubricant's viscosity is given.
        restrictors: set of nodes -> what feeds the recess there, ``Capillary(...)``,
            ``Orifice(...)`` or ``ConstantFlow(...)``: its one pressure is an unknown.
        turbulence: law of turbulent films, ``Constantinescu()``; default: the film is laminar.

    Raises:
        InputError: parts of another kind, a clearance as large as the radius or smaller than the
            roughness, unknown sets of nodes, pressures below ambient where a film cavitates.
    """

    surface: Surface
    clearance: float
    lubricant: Lubricant
    cavitation: Cavitation = field(default_factory=Reynolds)
    pressures: Mapping[str, float] = field(default_factory=lambda: {"z0": 0.0, "z1": 0.0})
    sliding_speed: float = 1.0
    gap: Gap = field(default_factory=CylinderGap)
    recess: Callable[[np.ndarray], np.ndarray] | None = None
    asperities: Asperities | None = None
    least: float = 0.0
    smooth: tuple[str, ...] = ()
    thermal: Thermal | None = None
    restrictors: Mapping[str, Restrictor] = field(default_factory=dict)
    turbulence: Turbulence = field(default_factory=Turbulence)

    def __post_init__(self):
        self._check_parts()
        checks.positive("film: clearance", self.clearance)
        if isinstance(self.gap, CylinderGap | SphereGap):
            check_journal("film", self.clearance, self.radius)
        check_roughness("film", self.roughness, self.clearance)
        checks.positive("film: sliding_speed", self.sliding_speed)
        checks.non_negative("film: least", self.least)
        for name, value in self.pressures.items():
            self.surface.node_set(name, "film")
            pressure = checks.number(f"film: pressure at {name}", value)
            if pressure < 0 and self.cavitation.complementary:
                raise InputError(
                    f"film: the pressure at {name!r} is {pressure:g} Pa; a film that cavitates at "
                    "ambient pressure needs 0 or more."
                )
        for name in self.smooth:
            self.surface.node_set(name, "film: smooth")
        check_restrictors(self)
        check_turbulence(self)
        if self.thermal is not None:
            check_thermal(self)

    def _check_parts(self):
        for name, kind, example in (
            ("surface", Surface, "cylinder(radius, length)"),
            ("lubricant", Lubricant, "Lubricant(0.04)"),
            ("cavitation", Cavitation, "Reynolds()"),
            ("gap", Gap, "CylinderGap()"),
        ):
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise InputError(
                    f"film: {name} must be a {kind.__name__} such as {example}, got {value!r}."
                )
        if self.asperities is not None and not isinstance(self.asperities, Asperities):
            raise InputError("film: asperities must be Asperities(...) or None.")
        across = np.linalg.norm(self.surface.points[:, :2], axis=1)
        if isinstance(self.gap, CylinderGap) and across.min() < 1e-9 * across.max():
            raise InputError(
                "film: its surface crosses the axis, as no bore does: a pad needs gap=FlatGap(), a "
                "socket SphereGap()."
            )

    @property
    def valleys(self) -> float:
        """How far the mean surfaces may overlap, m: 0 if they are smooth."""
        return self.asperities.valleys if self.asperities else 0.0

    @property
    def roughness(self) -> float | None:
        """Of its surfaces, m, if they are rough."""
        return self.asperities.roughness if self.asperities else None

    @property
    def transition(self) -> float:
        """Thickness at which it begins, m, 0 without: ``least``, or 0.3 of the roughness."""
        return self.least or SHALLOW * (self.roughness or 0.0)

    @property
    def radius(self) -> float:  # type: ignore[override]
        """Typical radius of the surface, m."""
        return float(np.linalg.norm(self.surface.points[:, :2], axis=1).max())

    @property
    def extent(self) -> tuple[float, float]:
        """Where it begins and ends along the third axis, m."""
        z = self.surface.points[:, 2]
        return float(z.min()), float(z.max())

    @property
    def viscosity(self) -> float:  # type: ignore[override]
        """At ambient pressure, Pa s."""
        return self.lubricant.viscosity

    @property
    def area(self) -> float:
        """Of the surface, m^2."""
        return float(self.surface.areas().sum())

    def given(self) -> dict[str, np.ndarray]:
        """Set -> nodes whose pressure it gives; a node of several sets belongs to the last."""
        result: dict[str, np.ndarray] = {}
        for key in self.pressures:
            nodes = self.surface.sets[key]
            result = {k: np.setdiff1d(z, nodes) for k, z in result.items()} | {key: nodes}
        return result

    @cached_property
    def shared(self) -> np.ndarray:
        """Node of the pressure -> node whose pressure it has: in a recess that of its first."""
        return shared_nodes(self.surface, self.restrictors)

    @property
    def void_nodes(self) -> np.ndarray:
        """Node of the pressure -> node whose void it has in a steady film, see feed.py."""
        return void_nodes(self, in_time=False)

    @property
    def void_nodes_in_time(self) -> np.ndarray:
        """The same in a mechanism."""
        return void_nodes(self, in_time=True)

    def fed(self, e, t, V, Omega) -> bool:
        """Whether lubricant can get in: by pressure, carried by a surface that slides from nodes
        with given pressure, or because the surfaces move apart or together."""
        if self.restrictors or any(p > 0 for p in self.pressures.values()):
            return True
        return fed(self, e, t, V, Omega)

    @property
    def turbulent(self) -> bool:
        """Whether a law of turbulence is given."""
        return type(self.turbulence) is not Turbulence

    @property
    def isothermal(self) -> Film:
        """The same with the viscosity that the oil has at the supply's temperature."""
        if self.thermal is None:
            return self
        oil = self.lubricant.at_temperature(self.thermal.supply)
        return replace(self, lubricant=oil, thermal=None)

    @cached_property
    def warmth(self) -> Warmth:
        """Where the unknowns of the temperature are."""
        grooves, sets = self.thermal.grooves if self.thermal else {}, self.surface.sets
        mixed = {name: np.concatenate([sets[z] for z in own]) for name, own in grooves.items()}
        named = {z for own in grooves.values() for z in own}
        fresh = [z for z in self.pressures if z not in named]  # in their order, a set's varies
        fresh.sort(key=lambda z: (-self.pressures[z], slides_along(self.surface, z)))
        return warmth(self.surface.corners[0], mixed, [sets[z] for z in fresh])

    def depths(self) -> np.ndarray:
        """Recess at the corners of each cell, m, (cells, 4).

        Raises:
            InputError: it is no finite number somewhere.
        """
        corners = self.surface.points[self.surface.cells[:, :4]]
        if self.recess is None:
            return np.zeros(corners.shape[:2])
        inside = corners + 1e-9 * (corners.mean(axis=1, keepdims=True) - corners)
        depths = np.asarray(self.recess(inside.reshape(-1, 3)), float)
        if depths.shape != (len(corners) * 4,) or not np.all(np.isfinite(depths)):
            raise InputError(
                "film: recess must return a finite depth in m for each of the points (n, 3), as "
                "an array (n,)."
            )
        return depths.reshape(-1, 4)

    def sheared(self) -> np.ndarray:
        """Part of the shear that acts on each cell: 0 over smooth grooves, else 1, (cells,)."""
        numbers, _ = self.surface.corners
        result = np.ones(len(numbers))
        for name in self.smooth:
            result[np.isin(numbers, self.surface.sets[name]).all(axis=1)] = 0.0
        return result

    def thickness(self, e, t) -> np.ndarray:
        """Least distance of the (mean) surfaces at each node of the pressure for a place of the
        journal, m, surfaces rigid."""
        numbers, _ = self.surface.corners
        depth = np.full(numbers.max() + 1, np.inf)
        np.minimum.at(depth, numbers, self.depths())
        return self.clearance + depth - self.gap.closing(self.surface.nodes.T, e, t)

    def kind(self, elastic: Sequence[Lined] = ()) -> FilmKind:
        """What its cells are, between rigid or elastic surfaces."""
        warm: dict[str, Any] = {}
        film: type[FilmKind] = FilmKind
        if self.thermal is not None:
            film, warm = self.thermal.kind()
            warm |= {"temperature": type(self.lubricant.temperature), "upwind": self.thermal.upwind}
        return film(
            elastic=tuple((z.degree, z.normal, z.sign) for z in elastic),
            shear=any(z.shear for z in elastic),
            geometry_degree=self.surface.degree, shape=type(self.gap),
            lubricant=type(self.lubricant), density=type(self.lubricant.density),
            cavitation=type(self.cavitation),
            recessed=self.recess is not None, rough=self.asperities is not None,
            transition=self.transition > 0, grooved=bool(self.smooth),
            supplied=bool(self.restrictors) or any(self.pressures.values()),
            restricted=bool(self.restrictors), turbulence=type(self.turbulence), **warm,
        )  # fmt: skip

    def build(
        self, builder, name: str, port: list[Ref], elastic: Sequence[Lined] = (),
        thinnest: float = 0.0, steady: bool = False,
    ) -> Block:  # fmt: skip
        """Register the film's unknowns and cells; returns the block of pressures.

        Args:
            builder: to add to.
            name: prefix of names and channels.
            port: unknowns e, t and W.
            elastic: what the surfaces yield with, in the same system.
            thinnest: no thinner film has a residual, m.
            steady: whether it is that of a bearing alone, see ``void_nodes``.
        """
        numbers, used = self.surface.corners
        numbers = self.shared[numbers]
        values, fixed = np.zeros(len(used)), self.shared != np.arange(len(used))
        for key, nodes in self.given().items():
            values[nodes], fixed[nodes] = self.pressures[key], True
        check_unknown_pressures(name, fixed)
        if self.restrictors or any(self.pressures.values()):
            builder.feeds(name)
        floor = 1e-6 * self.power_unit
        rows = Algebraic(FILM, counts_forces=True, force_floor=floor, no_number=PIERCED)
        if self.cavitation.conserving:  # judged by what flows through a node, not by whole forces
            rows = replace(
                rows, quantity=CONTENT, force_floor=floor / len(used), tolerance_factor=1e-3
            )
        role = replace(rows, unit=self.pressure_unit, weight=WEIGHT)
        p = Block(name, "pressure", values, role, fixed=fixed)
        builder.add_block(p)
        refs, blocks, r = [Ref(p, numbers)], [p], None
        if self.cavitation.complementary:
            what, unit, conserving = "inflow", self.rate_unit, self.cavitation.conserving
            if conserving:
                what, unit = "void", self.clearance
            role = replace(
                rows, unit=unit, persistent=conserving, complements=None if conserving else p
            )
            r = Block(name, what, 0 * values, role, fixed=fixed)
            builder.add_block(r)
            nodes = self.void_nodes if steady else self.void_nodes_in_time
            refs.append(Ref(r, nodes[numbers]))
            # first of a node comes the unknown whose row has a pivot of its own
            blocks = [r, p] if self.cavitation.nodal else [p, r]
        add_restrictors(builder, name, self, p, r)
        coupled = np.concatenate([ref.indices for ref in refs], axis=1)
        cells: list[tuple[np.ndarray, list[Ref]]] = [(np.arange(len(numbers)), [])]
        behind = [*(ref for side in elastic for ref in side.refs(builder, name)), *port]
        if self.thermal is None:
            builder.number_first(blocks, dissected(coupled, np.flatnonzero(~fixed)), behind)
        else:
            where = self.warmth
            T, groove, walls = add_temperature(
                builder, name, self.thermal, self.surface, where, floor, WEIGHT
            )
            warmths = [T, *(wall.block for wall in walls if wall.nodal)]
            order = dissected(coupled, np.arange(len(used)))
            builder.number_first([*blocks, *warmths], order, behind)
            builder.number_first(warmths, np.arange(len(used), len(where.nodes)), behind)
            cells = groups(where, T, groove, walls)
        geometry, kind = self.surface.points[self.surface.cells], self.kind(elastic)
        for mine, warm in cells:
            warmer = isinstance(kind, WarmFilmKind)
            own = replace(kind, **self.warmth.grooved(mine[0])) if warmer else kind
            rows = self._parameters(own, thinnest, values, fixed)[mine]
            picked = [Ref(z.block, z.indices[mine]) if z.indices.ndim > 1 else z
                      for z in refs + behind]  # fmt: skip
            picked[len(refs) : len(refs)] = warm
            builder.add_cell(
                own, Cell(name, picked, rows, geometry=geometry[mine], count=len(mine))
            )
        return p

    def _parameters(self, kind: FilmKind, thinnest, values, fixed) -> np.ndarray:
        """Numbers of the cells; of each node its given pressure and whether one is."""
        numbers = self.shared[self.surface.corners[0]]
        law = self.lubricant.values() | self.turbulence.values()
        law |= self.asperities.values() if self.asperities else {}
        law |= {"least": self.transition} if self.transition else {}
        law |= {"oil.density": self.lubricant.mass_density} if self.turbulent else {}
        nodal: dict[str, np.ndarray] = {}
        if kind.grooved:
            nodal["sheared"] = self.sheared()[:, None]
        if kind.supplied:
            nodal["supply"] = values[numbers]
        if "flooded" in kind.parameters:
            nodal["flooded"] = (fixed & (values <= 0))[numbers]
        if "reference" in kind.parameters:
            nodal["reference"] = np.zeros((len(numbers), *kind.parameters["reference"]))
            nodal["reference"][:, :4] = self.depths()
            if self.cavitation.conserving:
                nodal["reference"][:, 4:8] = fixed[numbers]
        if self.thermal is not None:
            law |= self.lubricant.thermal_values() | self.thermal.numbers()
            nodal |= {n: z[numbers] for n, z in self.thermal.nodal(self.surface).items()}
            if "mask" in kind.parameters:
                law["carry_over"] = self.thermal.carry_over
                nodal["mask"] = self.warmth.mask
            if "given" in kind.parameters:
                nodal["given"] = fixed[numbers]
        row = kind.pack(
            clearance=self.clearance, thinnest=thinnest, pressure_unit=self.pressure_unit,
            rate_unit=self.rate_unit, **law, **dict.fromkeys(nodal, 0.0),
        )  # fmt: skip
        parameters = np.tile(row, (len(numbers), 1))
        for name, columns in nodal.items():
            parameters[:, kind.columns(name)] = columns
        return parameters

"""Facets of one solid in contact with facets of another."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import checks
from ...bodies.solids.facets import FacetSet
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...errors import InputError
from ...markup import Shown
from ...meshes import cells as reference
from ...model.portrait import Portrait
from ..laws.friction import FrictionLaw
from .base import checked_facets, checked_law, law_numbers, remembers, warn_of_clamped
from .contact import Winkler, facet_size
from .cuts import Cutting, extents
from .friction import SurfaceStick
from .hard import Hard, add_pressures
from .pair_friction import RememberingPairKind, add_memory
from .pair_hard import HardPairKind
from .pair_kind import NodalPairKind, PairKind, in_space
from .pair_wear import SIDES, add_depths, continuous_wear
from .wear import SurfaceWear

logger = logging.getLogger(__name__)
#: pairs of facets beyond which it is worth to say that ``reach`` saves time
MANY = 20000


def cells_of(state, owner: str) -> Iterator[tuple[PairKind, np.ndarray, np.ndarray, np.ndarray]]:
    """Of the components with an owner's pairs of facets the kind, the cells' numbers, places of the
    owner's cells among these, and their numbers among the owner's."""
    for component, rows in zip(state.components, state.parameters, strict=True):
        if owner in component.owners and isinstance(component.kind, PairKind):
            yield component.kind, rows, *component.cells_of(owner)


class FacetPairContact(Shown):
    """Facets of a solid that may touch facets of another; ``SurfaceContact(facets, others)`` makes
    one.

    Pressure and friction are integrals over the undeformed facets of the first solid, cut where
    those of the other begin and end, so that a uniform pressure passes between meshes that do not
    match. Take as the first the one with the smaller cells.

    Args:
        facets: that are integrated over, such as ``pin.facets("rim")``.
        others: of another solid, such as ``lug.facets("bore")``.
        law: ``Winkler`` pressure, whose default stiffness suits the cells of the first facets; or
            ``Hard()`` for ``Statics``, whose pressures are unknowns at the first facets' nodes.
        friction: a friction law, ``SurfaceStick``, or ``None``. Friction with memory (that one, and
            laws with bristles such as ``LuGre``) is kept at the nodes of the first facets.
        wear, others_wear: ``SurfaceWear`` of the facets and of the others, without periods; or
            ``None``. Depths are kept at the nodes of either side.
        resolution: quadrature degree on each piece; default: 8 in the plane, in space twice the
            degree of the elements.
        reach: how far facets that face each other move apart, together and along each other, m;
            default: without limit. Less makes contacts of many facets faster.
        name: for messages and channels.

    Channels: ``normal_force``, ``friction_force`` (N), ``area`` in contact (m^2), ``force.x`` to
    ``force.z`` (N) and ``moment.x`` to ``moment.z`` (N m, about the origin) on the second solid,
    ``friction_loss`` (W); with ``SurfaceStick`` ``stuck_area`` (m^2); with wear ``worn_volume`` and
    ``others_worn_volume`` (m^3).

    Raises:
        InputError: no facets, facets of one solid, solids of different dimension or thickness, laws
            that cannot be.

    Example::

        fc.FacetPairContact(solid.facets("x1"), plate.facets("x0"), law=fc.Winkler(1e12))
    """

    prefix, label = "surface_contact", "contact of two solids"
    sort = "contact_facets"

    def __init__(
        self,
        facets: FacetSet,
        others: FacetSet,
        *,
        law: Winkler | Hard | None = None,
        friction: FrictionLaw | SurfaceStick | None = None,
        wear: SurfaceWear | None = None,
        others_wear: SurfaceWear | None = None,
        resolution: int | None = None,
        reach: float | None = None,
        name: str | None = None,
    ):
        self.name: Any = name
        who = name or self.label
        self.facets, self.others = (checked_facets(who, z) for z in (facets, others))
        self._check_solids(who)
        self.wear = tuple(continuous_wear(who, z) for z in (wear, others_wear))
        wears = any(z is not None for z in self.wear)
        self.law, self.friction = checked_law(who, law, friction, wears), friction
        #: unknown pressures of a hard contact
        self.block: Block | None = None
        #: unknown depths of either side
        self.worn: list[Block | None] = [None, None]
        default = 8 if facets.solid.dimension == 2 else 2 * facets.solid.degree
        self.resolution = checks.count(f"{who}: resolution", resolution or default)
        self.reach = None if reach is None else checks.positive(f"{who}: reach", reach)

    def _check_solids(self, who: str) -> None:
        own, other = self.facets.solid, self.others.solid
        if own is other:
            raise InputError(
                f"{who}: both sets of facets belong to {own.name!r}, but contact of a solid "
                "with itself is not available; use facets of two solids."
            )
        if own.dimension != other.dimension or own.thickness != other.thickness:
            raise InputError(
                f"{who}: the solids {own.name!r} and {other.name!r} must both be plane, with the "
                "same thickness, or both in space."
            )

    @property
    def _cutting(self) -> Cutting:
        """How the facets are cut."""
        own, other = self.facets.solid, self.others.solid
        return Cutting(
            reference.FACET[own.mesh.cell], own.degree, reference.FACET[other.mesh.cell],
            other.degree, self.resolution,
        )  # fmt: skip

    def _pairs(self) -> np.ndarray:
        """Numbers of the facets of each pair that may come to touch, (pairs, 2)."""
        own, other = (f.solid.nodes[f.cells] for f in (self.facets, self.others))
        near = np.ones((len(own), len(other)), bool)
        if self.reach is not None:
            (first, size), (second, other_size) = extents(own), extents(other)
            apart = np.linalg.norm(first[:, None] - second, axis=2) - size[:, None] - other_size
            near = apart < self.reach
            # no facet is without a pair, so that all are looked at, see PairKind.update
            near |= apart == apart.min(axis=0)
            near |= apart == apart.min(axis=1, keepdims=True)
        found = np.argwhere(near)
        if len(found) > MANY and self.reach is None:
            logger.info(
                "%s: %d pairs of facets may touch; the argument reach= (m), the largest "
                "displacement of the surfaces relative to each other, reduces their number "
                "and makes the run faster.", self.name, len(found),
            )  # fmt: skip
        return found

    def build(self, builder) -> None:
        for side in (self.facets, self.others):
            warn_of_clamped(self.name, side)
        pairs = self._pairs()
        first, second = (z is not None for z in self.wear)
        friction = type(self.friction) if self.friction else None
        make: type[PairKind] = PairKind
        if isinstance(self.law, Hard):
            make = HardPairKind
        elif remembers(self.friction):
            make = RememberingPairKind
        kind = make(self._cutting, type(self.law), friction, (first, second))
        refs, rows = self._of_pairs(pairs)
        own = law_numbers(self.name, self.law, self.friction, self.facets)
        at_nodes = np.searchsorted(self.facets.nodes, self.facets.cells[pairs[:, 0]])
        if isinstance(kind, NodalPairKind):
            own["share"] = self.facets.area / at_nodes.size
        if isinstance(self.law, Hard):
            self.block, _ = add_pressures(builder, self.name, self.facets)
            refs.append(Ref(self.block, at_nodes))
        if isinstance(kind, RememberingPairKind):
            blocks = add_memory(builder, self.name, kind, self.facets, own)
            refs += [Ref(block, at_nodes) for block in blocks]
        for k, (side, wear) in enumerate(zip((self.facets, self.others), self.wear, strict=True)):
            if wear is not None:
                block = self.worn[k] = add_depths(builder, self.name, SIDES[k], side, wear)
                refs.append(Ref(block, np.searchsorted(side.nodes, side.cells[pairs[:, k]])))
                own[f"wear{k}"] = float(wear.repeat or 1.0) * wear.law.rate
        self._add_pairs(builder, kind, refs, rows, **own)

    def _of_pairs(self, pairs: np.ndarray) -> tuple[list[Ref], dict[str, np.ndarray]]:
        """Displacements of the nodes of each pair's facets; where these are undeformed, and which
        way the facets' own normals point, by name, a row a pair."""
        refs: list[Ref] = []
        rows: dict[str, np.ndarray] = {}
        for k, (name, side) in enumerate(zip("XY", (self.facets, self.others), strict=True)):
            solid, cells = side.solid, side.cells[pairs[:, k]]
            side.judge_by_places()
            refs.append(solid.displacement(cells))
            rows[name] = solid.nodes[cells][..., : solid.dimension].reshape(len(pairs), -1)
        rows["sides"] = np.stack(
            [self.facets.outward[pairs[:, 0]], self.others.outward[pairs[:, 1]]], axis=1
        )
        return refs, rows

    def _add_pairs(
        self, builder, kind: PairKind, refs: list[Ref], rows: dict[str, np.ndarray], **own
    ) -> np.ndarray:
        """Register the cells of the pairs; returns their numbers.

        Args:
            refs: unknowns of a cell.
            rows: numbers by name, a row a pair.
            own: numbers that all pairs share.
        """
        solid, count = self.facets.solid, len(rows["sides"])
        found_later = dict.fromkeys([*rows, *kind.sizes(), "apart"], 0.0)
        packed = kind.pack(
            **found_later, **own, thickness=solid.thickness, reach=self.reach or np.inf
        )
        numbers = np.tile(packed, (count, 1))
        for name, row in rows.items():
            numbers[:, kind.columns(name)] = row
        kind.pair(numbers, *(in_space(rows[name], solid.dimension) for name in "XY"))
        line = np.zeros((count, 2, 3))
        line[:, 1, 0] = 1.0
        builder.add_cell(kind, Cell(self.name, refs, numbers, geometry=line, count=count))
        builder.connect(solid, self.others.solid)
        return numbers

    def pressures(self, system) -> tuple[np.ndarray, np.ndarray] | None:
        """Where the quadrature points are now that lie opposite to the other solid, m, (points, 3),
        and the pressure there without damping, Pa, (points,); on rank 0, elsewhere ``None``;
        collective."""
        state, pairs = system.state, self._pairs()
        values = state.everything(state.q)
        nodes = [f.solid.nodes + f.solid.at_nodes(values) for f in (self.facets, self.others)]
        x, y = (
            z[f.cells[pairs[:, k]]]
            for k, (z, f) in enumerate(zip(nodes, (self.facets, self.others), strict=True))
        )
        nodal = np.zeros(len(self.facets.nodes))
        if self.block is not None:
            nodal = np.maximum(values[self.block.numbers], 0.0)
        p = nodal[np.searchsorted(self.facets.nodes, self.facets.cells[pairs[:, 0]])]
        found = system.comm.gather(
            [
                kind.openings(rows[here], x[own], y[own], p[own])
                for kind, rows, here, own in cells_of(state, self.name)
            ]
        )
        if found is None:
            return None
        places, gap, hard = (np.concatenate(z) for z in zip(*sum(found, []), strict=True))
        if isinstance(self.law, Hard):
            return places, hard
        return places, self.law.values(self.facets)["k"] * np.maximum(-gap, 0.0)

    def worn_depths(self, system) -> list[np.ndarray | None]:
        """What the nodes of the facets and of the others (``FacetSet.nodes``) have lost by now, m;
        ``None`` of a side that does not wear; collective."""
        values = system.state.everything(system.state.v)
        return [None if z is None else values[z.numbers] for z in self.worn]

    def portrait(self) -> Portrait:
        data = {**self.facets.portrait(), "others": self.others.portrait()}
        return Portrait(self.sort, data=data, sizes={"facet": facet_size(self.facets)})

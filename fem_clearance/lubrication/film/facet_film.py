"""The joint of a film between facets of an elastic slider and its guide (facet_film_kind.py)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks, deprecated
from ...bodies.solids.facets import FacetSet
from ...contact.facets.guide_contact import GuideContact
from ...contact.guide import SIDES, GuideSurface
from ...core.blocks import Ref
from ...errors import InputError
from ...model.portrait import Portrait
from .cavitation import Cavitation
from .facet_film_kind import FacetFilmKind, WarmFacetFilmKind
from .lubricant import Lubricant
from .on_facets import FilmOnFacets
from .thermal import Adiabatic


class GuideFilm(FilmOnFacets, GuideContact):
    """A film between facets of a solid and one surface of a guide.

    Where the surfaces come closer than ``least`` its transition begins, so that a ``GuideContact``
    on the same facets may take over. Facets of plane solids have films of infinite width across
    the plane.

    Args:
        guide, facets, axis, across, side, gap, surface: see ``GuideContact``.
        lubricant: viscosity law (of constant density), or the viscosity in Pa s.
        sliding_speed: typical sliding speed, m/s, by which unknowns are scaled.
        cavitation: ``Full()``, ``Guembel()`` or ``Reynolds()`` (default).
        clearance: typical thickness, m; default: the least at the start.
        least: thickness at which its transition begins, as a part of the clearance.
        open: which nodes on the rim of the facets are at ambient pressure, a function of their
            places (n, 3); default: all. Nothing leaves at the others.
        thermal: ``Adiabatic(supply=...)`` computes the temperature of the oil, which enters at the
            rim at the temperature of the supply; needs a solid of hexahedra. Default: constant
            temperature.
        name: for messages and channels.

    Channels: ``normal_force``, ``force.x force.y force.z`` (N, on the solid, in space),
    ``power_loss`` (W), ``min_film`` (m, least of the facets' means, negative in contact),
    ``max_pressure`` (Pa); with ``thermal`` ``heat``, ``oil_heat`` (W) and ``max_temperature`` (K).

    Raises:
        InputError: besides those of ``GuideContact``: cavitation that conserves the lubricant, a
            compressible lubricant, no part of the rim at ambient pressure, ``thermal`` that is not
            ``Adiabatic``, or ``thermal`` on facets that are not quadrilaterals.

    See docs/translational.md. Example::

        lubrication.GuideFilm(ground, solid.facets("y1"), (1, 0, 0), (0, 1, 0), side="upper",
                              gap=0.0502, lubricant=0.04)
    """

    prefix, label, sort = "guide_film", "film on a guide", "film_guide"

    @deprecated.arguments(speed="sliding_speed")
    def __init__(
        self,
        guide,
        facets: FacetSet,
        axis: ArrayLike | None = None,
        across: ArrayLike | None = None,
        *,
        side: str,
        gap: float,
        lubricant: Lubricant | float,
        sliding_speed: float = 1.0,
        cavitation: Cavitation | None = None,
        clearance: float | None = None,
        least: float = 0.05,
        open: Any = None,
        surface: GuideSurface | None = None,
        thermal: Adiabatic | None = None,
        name: str | None = None,
    ):
        super().__init__(
            guide, facets, axis, across, side=side, gap=gap, surface=surface, resolution=5,
            name=name,
        )  # fmt: skip
        who = name or self.label
        self._fill(who, facets, lubricant, cavitation, sliding_speed, open)
        nodes = facets.solid.nodes[facets.nodes]
        heights = SIDES[self.side] * ((nodes - self.i.position) @ self.guide.triad[:, 2])
        start = self.guide.gap / 2 - float(heights.max())
        if clearance is None and start <= 0:
            raise InputError(f"{who}: the surfaces touch at the start; give clearance= in m.")
        self.clearance = checks.positive(
            f"{who}: clearance", start if clearance is None else clearance
        )
        self.least = checks.positive(f"{who}: least", least) * self.clearance
        self._warm(who, thermal, self.guide.triad[:, 0])

    def portrait(self) -> Portrait:
        axes = np.linalg.solve(self.i.basis, self.guide.triad)
        film = {"series": self.name, "side": "i", "axes": axes.tolist(), "origin": [0.0, 0.0, 0.0],
                "turning": False}  # fmt: skip
        return super().portrait().more(data={"films": [film]})

    def build(self, builder) -> None:
        facets, name = self.facets, self.name
        shared: dict[str, Any] = facets.kind_arguments | {
            "frame": self.i.kind, "surface": self.guide.shape(self.side),
            "lubricant": type(self.lubricant), "cavitation": type(self.cavitation),
        }  # fmt: skip
        refs = [*self.i.refs, *self._unknowns(builder, name, after=(self.i,))]
        pose = self.i.parameters(self.guide.triad)
        own = self.guide.numbers(self.side)
        own |= self.lubricant.values() | ({"frame": pose} if len(pose) else {})
        own |= {"least": self.least, "pressure_unit": self.pressure_unit}
        own |= {"rate_unit": self.rate_unit}
        area = facets.quadrature()[0].sum(axis=1, keepdims=True)
        if facets.solid.dimension == 2:
            area = area / facets.solid.thickness
        facets.judge_by_places()
        if self.thermal is None:
            facets.add_to(builder, name, FacetFilmKind(**shared), refs, {"size": area}, **own)
        else:
            warm = WarmFacetFilmKind(
                **shared, temperature=type(self.lubricant.temperature), upwind=self.thermal.upwind
            )
            own |= self.lubricant.thermal_values() | self.thermal.numbers()
            for mine, temperatures in self._temperatures(builder, name):
                kind, each = warm, {"size": area[mine]}
                if self.warmth.fed[mine[0]]:
                    kind = replace(warm, fed=True)
                    each |= {"mask": self.warmth.mask[mine], "carry_over": np.zeros((len(mine), 1))}
                    if "given" in kind.parameters:
                        each["given"] = np.isin(self.corners[mine], self.ambient).astype(float)
                picked = [Ref(z.block, z.indices[mine]) if z.indices.ndim > 1 else z for z in refs]
                facets.add_to(builder, name, kind, [*picked, *temperatures], each, mine, **own)
        builder.connect(self.i.body, facets.solid)

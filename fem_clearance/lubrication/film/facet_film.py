"""Films between facets of an elastic slider and a surface of its guide.

The same functional as that of other films (kind.py), of what the facets' own motion says: with a
point's coordinates s in the guide (contact/placements/guide.py) the distance of the surfaces is
-depth, its rate follows from ds/dt, and the sliding velocity is carried back to the undeformed
facet, U = -(ds/dX)^T v, to first order in strains. What belongs to ds/dt is the film's force, which
reaches the facet's nodes and the guide as one virtual work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix.ufl
import numpy as np
import ufl
from numpy.typing import ArrayLike
from ufl import diff, dot, grad

from ... import checks, deprecated
from ...bodies.solids.facets import FacetSet
from ...contact.facets.contact import SurfaceContactKind
from ...contact.facets.guide_contact import GuideContact
from ...contact.forms import in_space, law_symbols
from ...contact.guide import SIDES, GuideSurface
from ...core.observables import Observable
from ...errors import InputError
from ...model.portrait import Portrait
from .cavitation import Cavitation, Full
from .kind import VERTICES, complemented, flows, functional, passing
from .lubricant import Lubricant
from .on_facets import FilmOnFacets
from .thickness import film_transition


@dataclass(frozen=True)
class FacetFilmKind(SurfaceContactKind):
    """A facet's film on one surface of a guide: fields are the facet's displacement, the guide's
    frame, the pressure, and what complements it."""

    feeds_energy = False

    lubricant: type[Lubricant] = Lubricant
    cavitation: type[Cavitation] = Full
    resolution: int = 5

    @property
    def own_parameters(self):
        numbers = {"frame": (self.frame.numbers,)} if self.frame.numbers else {}
        laws: dict[str, Any] = {"lubricant": self.lubricant, "surface": self.surface}
        read = {f"{r}.{n}": () for r, law in laws.items() for n in law.parameters}
        own = dict.fromkeys(("side", "half", "least", "pressure_unit", "rate_unit", "size"), ())
        return {**numbers, **own, **read}

    @property
    def own_elements(self):
        nodal = basix.ufl.element("Lagrange", self.cell, 1)
        return [*super().own_elements, *[nodal] * (1 + self.cavitation.complementary)]

    @property
    def label(self):
        return f"film on facets ({self.frame.label}, {self.cavitation.__name__})"

    def pressures(self, c, state):
        """Pressure and its complement (or ``None``); of ``c.test`` their test functions."""
        parts = [*c.split(state), None]
        return parts[2], parts[3]

    def motion(self, c):
        """Coordinates in the guide and their rate (a UFL variable); thickness, its rate, distance
        and sliding velocity along the facet."""
        s = self.coordinates(c)
        moving = ufl.variable(c.rate(s))
        at = self.surface.touch(c, s, moving)
        distance = -at.depth
        h, opening = film_transition(distance, c.par("least"))
        # UFL's gradient of a place has a part across the facet, which does not turn with it
        along = ufl.Jacobian(c.mesh) * ufl.JacobianInverse(c.mesh)
        U = -dot(dot(at.sliding, grad(s)), along)
        return s, moving, h, -at.rate * opening, distance, U

    def viscosity(self, c):
        """Viscosity at the pressure, Pa s."""
        numbers = law_symbols(c, self.lubricant, "lubricant")
        return self.lubricant.at(self.pressures(c, c.q)[0], numbers)

    def force(self, c):
        """Force on the facet in the guide's axes per undeformed area, Pa, and the place s there."""
        s, moving, h, rate, _, U = self.motion(c)
        p, _ = self.pressures(c, c.q)
        acting = self.cavitation.acting(p)
        passed = passing(h, self.viscosity(c))
        L = functional(acting * p, acting * grad(p), passed, rate, U)
        return diff(L, moving), s

    def _loads(self, c):
        """Virtual work of the film on facet and guide."""
        force, s = self.force(c)
        return -c.par("thickness") * dot(force, c.along(s)) * c.dx(self.resolution)

    def residual(self, c):
        (p, r), (q, w) = (self.pressures(c, z) for z in (c.q, c.test))
        width, dx = c.par("thickness"), c.dx(self.resolution)
        _, _, h, rate, _, U = self.motion(c)
        passed = passing(h, self.viscosity(c))
        taken_up, flow = flows(p, lambda P, G: functional(P, G, passed, rate, U))
        form = width * (taken_up * q + dot(flow, grad(q))) * dx
        form += self._loads(c)
        if r is not None:
            complement = complemented(c, self.cavitation, (p, r), (q, w))
            form += width * complement * c.dx(*VERTICES)
        return form

    def observables(self, c):
        width, d = c.par("thickness"), self.resolution
        force, _ = self.force(c)
        distance = self.motion(c)[4]
        guide = self.frame.pose(c, c.split(c.q)[1], c.par("frame"))
        on_solid = in_space(guide, force)
        # nothing feeds it, the rim being at ambient pressure: what the bodies lose is heat
        lost = c.taken(self._loads(c))

        def over(expression, unit, what, *more):
            return Observable({d: width * expression}, unit, what, *more)

        return {
            "normal_force": over(-c.par("side") * force[2], "N", "force across the guide"),
            **{
                f"force.{x}": over(on_solid[k], "N", f"{x} of the force on the slider")
                for k, x in enumerate("xyz")
            },
            "power_loss": Observable(lost, "W", "power the film turns into heat", "power.film"),
            "film_power": Observable(
                lost, "W", "power that the bodies lose to the film", "power.to_films", False
            ),
            "min_film": Observable(
                {d: distance / c.par("size")}, "m", "least of the facets' mean distances",
                least=True,
            ),
        }  # fmt: skip

    def recovered(self, c):
        """Pressure of the film, Pa."""
        return {"pressure": self.pressures(c, c.q)[0]}


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
        name: for messages and channels.

    Channels: ``normal_force``, ``force.x force.y force.z`` (N, on the solid, in space),
    ``power_loss`` (W), ``min_film`` (m, least of the facets' means, negative in contact).

    Raises:
        InputError: besides those of ``GuideContact``: cavitation that conserves the lubricant, a
            lubricant that is compressible, no rim at ambient pressure.

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

    def portrait(self) -> Portrait:
        axes = np.linalg.solve(self.i.basis, self.guide.triad)
        film = {"series": self.name, "side": "i", "axes": axes.tolist(), "origin": [0.0, 0.0, 0.0],
                "turning": False}  # fmt: skip
        return super().portrait().more(data={"films": [film]})

    def build(self, builder) -> None:
        facets, name = self.facets, self.name
        kind = FacetFilmKind(
            **facets.kind_arguments, frame=self.i.kind, surface=self.guide.shape(self.side),
            lubricant=type(self.lubricant), cavitation=type(self.cavitation),
        )  # fmt: skip
        refs = [*self.i.refs, *self._unknowns(builder, name, after=(self.i,))]
        pose = self.i.parameters(self.guide.triad)
        own = self.guide.numbers(self.side)
        own |= self.lubricant.values() | ({"frame": pose} if len(pose) else {})
        own |= {"least": self.least, "pressure_unit": self.pressure_unit}
        own |= {"rate_unit": self.rate_unit}
        area = facets.quadrature()[0].sum(axis=1, keepdims=True)
        if facets.solid.dimension == 2:
            area = area / facets.solid.thickness
        places = facets.solid.block
        assert places is not None
        places.offset_by(float(np.abs(facets.solid.mesh.box).max()))
        facets.add_to(builder, name, kind, refs, {"size": area}, **own)
        builder.connect(self.i.body, facets.solid)

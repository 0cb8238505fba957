"""What contacts of facets share: their law, their friction, what they wear, how they are built."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ... import checks
from ...bodies.solids.facets import FacetSet
from ...bodies.solids.nodes import Nodal
from ...core.blocks import Block
from ...core.forms import expression_kernel
from ...errors import InputError
from ...markup import Shown
from ...meshes import cells as reference
from ...model.frame import Frame
from ..advice import recommend_step_of_facets
from ..forms import as_parameters
from ..laws.friction import BristleLaw, FrictionLaw
from ..surfaces.base import Placed
from ..wear.periods import kept
from .contact import ChangingSurfaceKind, SurfaceContactKind, Winkler, facet_size, smallest_size
from .friction import SurfaceStick
from .hard import Hard, HardContactKind, add_pressures
from .wear import SurfaceWear, WornFacets, checked_wear

logger = logging.getLogger(__name__)
#: typical size of facets by the smallest, above which the default stiffness is worth a line
UNEVEN = 3.0


def checked_facets(who: str, facets) -> FacetSet:
    """A set of facets that is not empty.

    Raises:
        InputError: something else.
    """
    if not isinstance(facets, FacetSet):
        raise InputError(
            f"{who} needs a set of facets such as slider.facets('y1'), got {facets!r}."
        )
    if not len(facets.cells):
        raise InputError(
            f"{who}: the set of facets {facets.name!r} is empty; give a set that contains facets."
        )
    return facets


def warn_of_clamped(who: str, facets: FacetSet) -> None:
    """Warn where all nodes of the facets are clamped, so that contact deforms nothing."""
    solid = facets.solid
    if isinstance(solid, Nodal) and solid.fixed[facets.nodes].all():
        logger.warning(
            "%s: all nodes of the facets %r are clamped, so that what touches them does not deform "
            "%s: choose other facets, or clamp others.", who, facets.name, solid.name,
        )  # fmt: skip


def remembers(friction: FrictionLaw | SurfaceStick | None) -> bool:
    """Whether friction has a state of its own."""
    return isinstance(friction, BristleLaw | SurfaceStick)


def checked_law(
    who: str, law: Winkler | Hard | None, friction: FrictionLaw | SurfaceStick | None, wears: bool
) -> Winkler | Hard:
    """The law of the pressure, by default ``Winkler()``.

    Raises:
        InputError: no such law, or friction or wear that cannot be combined with it.
    """
    law = law or Winkler()
    if not isinstance(law, Winkler | Hard):
        raise InputError(f"{who}: law must be a pressure law such as Winkler(), got {law!r}.")
    if not isinstance(friction, FrictionLaw | SurfaceStick | None):
        raise InputError(
            f"{who}: friction must be a law such as SmoothCoulomb(0.1) or SurfaceStick(0.1), "
            f"or None, got {friction!r}."
        )
    if isinstance(law, Hard) and (friction is not None or wears):
        raise InputError(
            f"{who}: hard contact has neither friction nor wear; use law=Winkler() instead."
        )
    if remembers(friction) and wears:
        raise InputError(
            f"{who}: facets that wear need a friction law without memory, such as "
            "SmoothCoulomb(0.1)."
        )
    return law


def law_numbers(
    who: str, law: Winkler | Hard, friction: FrictionLaw | SurfaceStick | None, facets: FacetSet
) -> dict[str, float]:
    """Numbers of both laws as parameters of a kind; logs which step they ask for, and where the
    stiffness suits few of the facets."""
    numbers = as_parameters("law", law.values(facets))
    if isinstance(friction, SurfaceStick):
        numbers |= as_parameters("friction", friction.values(numbers["law.k"]))
    elif friction is not None:
        numbers |= as_parameters("friction", friction.values())
    if isinstance(law, Winkler):
        recommend_step_of_facets(who, facets, numbers["law.k"])
    if isinstance(law, Winkler) and law.stiffness is None:
        least, typical = smallest_size(facets), facet_size(facets)
        if typical > UNEVEN * least:
            logger.info(
                "%s: the penalty stiffness, %.3g Pa/m, suits the smallest facet of %r, %.3g m "
                "(typical: %.3g m); a set of only the facets that may touch, or "
                "Winkler(stiffness=), may need fewer iterations.",
                who, numbers["law.k"], facets.name, least, typical,
            )  # fmt: skip
    return numbers


class FacetContact(Shown):
    """Base: facets of a solid that may touch a surface of a frame.

    Args:
        facets: checked ones.
        seat: the surface.
        law, friction, resolution, wear, worn: see ``SurfaceContact``.
    """

    name: Any = None
    label = "contact of facets"

    def __init__(
        self, facets: FacetSet, seat: Placed, law: Winkler | Hard | None,
        friction: FrictionLaw | SurfaceStick | None, resolution: int, wear: SurfaceWear | None,
        worn: Any,
    ):  # fmt: skip
        who = self.name or self.label
        self.facets, self.seat = facets, seat
        self.law, self.friction = checked_law(who, law, friction, wear is not None), friction
        #: unknown pressures of a hard contact
        self.block: Block | None = None
        self.resolution = checks.count(f"{who}: resolution", resolution)
        if worn is not None and wear is None:
            raise InputError(f"{who}: worn facets need wear=SurfaceWear(...).")
        self.wear = None if wear is None else checked_wear(who, wear)
        self.worn = None if wear is None else wear.begin(who, facets, self.resolution, worn)

    @property
    def i(self) -> Frame:
        """The surface's frame."""
        return self.seat.frame

    def build(self, builder) -> None:
        self._check_start()
        warn_of_clamped(self.name, self.facets)
        changing = self.wear or remembers(self.friction)
        make: type[SurfaceContactKind] = ChangingSurfaceKind if changing else SurfaceContactKind
        refs = list(self.i.refs)
        if isinstance(self.law, Hard):
            make = HardContactKind
            self.block, pressures = add_pressures(builder, self.name, self.facets)
            refs.append(pressures)
        kind = make(
            **self.facets.kind_arguments, frame=self.i.kind, law=type(self.law),
            friction=type(self.friction) if self.friction else None, surface=self.seat.form,
            resolution=self.resolution, worn=WornFacets() if self.wear else None,
        )  # fmt: skip
        own: dict[str, Any] = dict(self.seat.numbers)
        own["frame"] = self.i.parameters(self.seat.triad)
        own |= law_numbers(self.name, self.law, self.friction, self.facets)
        each: dict[str, np.ndarray] = {}
        if isinstance(self.friction, SurfaceStick):
            own["since"] = 0.0
            each = self._memory(anchored=True)
            each["mu"] = np.full_like(each["area"], self.friction.mu_s)
        elif isinstance(self.friction, BristleLaw):
            each = self._memory(anchored=False)
        if self.wear is not None:
            own |= self.wear.numbers()
            each = self.wear.fields(self.facets, self.resolution, self.worn)
        self.facets.judge_by_places()
        self.facets.add_to(builder, self.name, kind, refs, each, **own)
        builder.connect(self.i.body, self.facets.solid)

    def _check_start(self) -> None:
        """Say so where facets overlap the surface further than a load presses them in."""

    def _memory(self, anchored: bool) -> dict[str, np.ndarray]:
        """What the quadrature points remember at the start: their places on the surface, or
        nothing; and the areas they stand for, m^2."""
        area, places = self.facets.quadrature(self.resolution)
        start = self.seat.coordinates(places) * float(anchored)
        return {"area": area, **{f"kept{k}": start[:, :, k] for k in range(3)}}

    def pressures(self, system) -> tuple[np.ndarray, np.ndarray] | None:
        """Where the quadrature points of the facets are now, m, (facets, points, 3), and the
        pressure there per undeformed area, Pa, (facets, points), zero where they do not touch; on
        rank 0, elsewhere ``None``; collective."""
        solid, state = self.facets.solid, system.state
        cell = reference.FACET[solid.mesh.cell]
        points = reference.quadrature(cell, self.resolution)[0]
        nodes = solid.nodes + solid.at_nodes(state.everything(state.q))
        shapes = reference.shape_functions(cell, solid.degree, points)[0]
        values = []
        for k, component in enumerate(state.components):
            kind = component.kind
            if self.name in component.owners and isinstance(kind, SurfaceContactKind):
                form = expression_kernel(kind, "pressure", np.array(points), state.comm)
                here, own = component.cells_of(self.name)
                values.append((own, state.evaluate(k, form, form.size)[here]))
        found = state.comm.gather(values)
        if found is None:
            return None
        pressure = np.zeros((len(self.facets.cells), len(points)))
        for numbers, part in sum(found, []):
            pressure[numbers] = part
        return np.einsum("pn,knx->kpx", shapes, nodes[self.facets.cells]), pressure

    def worn_depths(self, system) -> np.ndarray | None:
        """What the facets have lost by now, m, at the points of
        ``facets.quadrature(resolution)``: (facets, points), on rank 0, elsewhere ``None``;
        collective."""
        if self.worn is None:
            return None
        found = system.comm.gather([*kept(system.state, self.name, "worn")])
        if found is None:
            return None
        depth = np.zeros(self.worn.shape)
        for numbers, worn in sum(found, []):
            depth[numbers] = worn
        return depth

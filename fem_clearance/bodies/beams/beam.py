"""Beams, straight or curved, of one of the elements in elements.py, cable.py and fibres.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.roles import DIRECTIONS, PLACES, ROTATION, Coordinate
from ...errors import InputError
from ...model.frame import Frame
from ..materials import Damping, Material
from . import recovery
from .centre_line import CenterLine, Segment, fractions_of, sampled, triads_along
from .elements import ViscousKind
from .fibres import FibreKind, FibreLaw
from .frames import BeamNode, BeamPoint
from .models import MODELS, choose, law_of, stiffness_factors, warping_free
from .sections import Section


class Beam:
    """A straight beam; ``Beam.along`` makes curved ones.

    Args:
        start, end: ends of the undeformed centre line, m.
        section: cross-section; its y and z lie along the directors d2 and d3.
        material: elastic constants and density, or a law of your own.
        elements: number of elements, or where their ends lie: increasing fractions of the length
            from 0 to 1.
        model: ``"quadratic"`` (shear-flexible, locking-free), ``"ancf"`` (the paper's 24-coordinate
            element) or ``"cable"`` (thin, without torsion; its nodes have no triad).
        poisson: ``"split"`` or ``"full"``, see ``elements.DirectorKind``; default ``"split"`` for
            ``StVenantKirchhoff``, ``"full"`` for every other material.
        strain: ``"biot"`` (linear in stretch and curvature as in geometrically exact beams; the
            default with ``"split"``) or ``"green"`` (always with ``"full"``).
        up: direction near which d2 lies, or a function of the arc length that gives it (a twisted
            beam); by default the global y axis, or z for lines along y.
        section_model: ``"saint_venant"``: shear factors and torsion constant are the section's
            (``Section.shear_factors``, ``Section.saint_venant``), which warps freely; the default
            with ``"split"``. ``"plane"``: sections stay plane, factors 1 and I_y + I_z; the default
            otherwise, and the only one.
        shear: factors of the shear stiffness along d2 and d3, such as (5/6, 5/6), instead of the
            section model's; with ``"split"``.
        torsion_constant: torsional stiffness over shear modulus, m^4, instead of the section
            model's; with ``"split"``.
        damping: ``Damping(retardation=...)`` as of solids, or the retardation time alone, s; beams
            have no drag.
        velocity: initial velocity of the centre of mass, m/s.
        angular_velocity: initial, in the fixed axes, rad/s.
        load: uniform dead load, N per metre of undeformed length.
        name: for messages and channels.
        free: a body that flies freely, connected to nothing.

    Channels: ``strain_energy`` (J), with damping ``damping_loss`` (W). What a frame of it does is
    recorded by ``Probe``, what a section carries by ``SectionForces``.

    Attributes:
        start, end: frames at the ends.
        length: undeformed length, m.
        axes: triad at the start (along the line, d2, d3) by columns.
        stations: arc length of each node, m.
        triads: undeformed triad at each node, by columns.

    Raises:
        InputError: values no beam has.
    """

    prefix = "beam"

    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike,
        section: Section,
        material: Material,
        elements: ArrayLike = 6,
        *,
        model: str = "quadratic",
        poisson: str | None = None,
        strain: str | None = None,
        up: Any = None,
        section_model: str | None = None,
        shear: ArrayLike | None = None,
        torsion_constant: float | None = None,
        damping: Damping | float = 0.0,
        velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        load: ArrayLike = (0, 0, 0),
        name: str | None = None,
        free: bool = False,
    ):
        label = name or "beam"
        origin = checks.vector(f"{label}: start", start)
        if np.linalg.norm(checks.vector(f"{label}: end", end) - origin) == 0:
            raise InputError(
                f"{label}: start and end are the same point, {checks.listed(origin)}: a "
                "beam needs a length."
            )
        self._set(
            Segment(origin, end), section, material, elements,
            model=model, poisson=poisson, strain=strain, up=up, section_model=section_model,
            shear=shear, torsion_constant=torsion_constant, damping=damping, velocity=velocity,
            angular_velocity=angular_velocity, load=load, name=name, free=free,
        )  # fmt: skip

    @classmethod
    def along(
        cls,
        curve: CenterLine | Callable[[Any], Any],
        section: Section,
        material: Material,
        elements: ArrayLike = 6,
        *,
        length: float | None = None,
        model: str = "quadratic",
        poisson: str | None = None,
        strain: str | None = None,
        up: Any = None,
        section_model: str | None = None,
        shear: ArrayLike | None = None,
        torsion_constant: float | None = None,
        damping: Damping | float = 0.0,
        velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        load: ArrayLike = (0, 0, 0),
        name: str | None = None,
        free: bool = False,
    ) -> Beam:
        """A beam whose stress-free centre line is a curve.

        Args:
            curve: ``Arc(...)``, ``Spline(points)``, or a function that returns points (m) for a
                parameter from 0 to ``length`` (the arc length or any other).
            length: end of the parameter of a function.

        All others are those of ``Beam``.

        Raises:
            InputError: no curve, or values no beam has.
        """
        label = name or "beam"
        if callable(curve) and not isinstance(curve, CenterLine):
            if length is None:
                raise InputError(
                    f"{label}: say where the curve's function ends, for example length=2.0."
                )
            curve = sampled(curve, length)
        if not isinstance(curve, CenterLine):
            raise InputError(
                f"{label}: curve must be an Arc, a Spline or a function that returns points, "
                f"got {curve!r}."
            )
        beam = cls.__new__(cls)
        beam._set(
            curve, section, material, elements,
            model=model, poisson=poisson, strain=strain, up=up, section_model=section_model,
            shear=shear, torsion_constant=torsion_constant, damping=damping, velocity=velocity,
            angular_velocity=angular_velocity, load=load, name=name, free=free,
        )  # fmt: skip
        return beam

    def _set(
        self, line: CenterLine, section, material, elements, *, model, poisson, strain, up,
        section_model, shear, torsion_constant, damping, velocity, angular_velocity, load, name,
        free,
    ):  # fmt: skip
        self.name, self.free = name, free
        label = name or "beam"
        for what, value, kind, example in (
            ("section", section, Section, "Rectangle(0.02, 0.02)"),
            ("material", material, Material, "StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)"),
        ):
            if not isinstance(value, kind):
                raise InputError(
                    f"{label}: {what} must be a {what} such as {example}, got {value!r}."
                )
        self.line, self.length = line, line.length
        self.section, self.material = section, material
        fractions = fractions_of(label, elements)
        self.elements = len(fractions) - 1
        self.ends = self.length * fractions
        checks.choice(f"{label}: model", model, MODELS)
        spans = 2 if model == "quadratic" else 1
        self.stations = np.interp(
            np.arange(self.elements * spans + 1) / spans, np.arange(self.elements + 1), self.ends
        )
        self._up = up
        self.triads = triads_along(label, line, self.stations, up)
        self.axes = self.triads[0]
        warps = warping_free(label, model, poisson, section_model, material)
        self.factors = stiffness_factors(label, section, material, warps, shear, torsion_constant)
        self.kind = choose(
            label, model, poisson, strain, section, material, line,
            uniform=bool(np.ptp(np.diff(self.ends)) < 1e-9 * self.length),
            twisted=bool(np.abs(self.triads - self.axes).max() > 1e-12), factors=self.factors,
        )  # fmt: skip
        if isinstance(damping, Damping):
            if damping.drag:
                raise InputError(f"{label}: beams have no drag; give Damping(retardation=...).")
            damping = damping.retardation
        self.damping = checks.non_negative(f"{label}: damping", damping)
        self.velocity = checks.vector(f"{label}: velocity", velocity)
        self.angular_velocity = checks.vector(f"{label}: angular_velocity", angular_velocity)
        self.load = checks.vector(f"{label}: load", load)
        mean, points = self.length / self.elements, line.point(self.stations)
        #: undeformed values of each node's fields
        self.at_rest = [
            {"r": r, "slope": mean * e[:, 0], "d2": e[:, 1], "d3": e[:, 2]}
            for r, e in zip(points, self.triads, strict=True)
        ]
        self.nodes: list[dict[str, Block]] = []
        self.place_cache: dict = {}
        self.start, self.end = self.node(0), self.node(-1)

    @property
    def origin(self) -> np.ndarray:
        """Start of the undeformed centre line, m."""
        return self.at_rest[0]["r"]

    @property
    def position(self) -> np.ndarray:
        """Initial centre of mass, m (of the centre line)."""
        x, w = np.polynomial.legendre.leggauss(8)
        middle, half = (self.ends[1:] + self.ends[:-1]) / 2, np.diff(self.ends) / 2
        points = self.line.point((middle[:, None] + half[:, None] * x).ravel())
        return np.ravel(half[:, None] * w) @ points / self.length

    @property
    def law(self) -> FibreLaw:
        """What its fibres store (not of cables)."""
        return law_of(self.kind)

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return self.material.rho * self.section.area * self.length

    @property
    def share(self) -> float:
        """Part of d2 in a section's turns; see ``strain.mean_triad``."""
        return self.section.I_y / (self.section.I_y + self.section.I_z)

    @property
    def spacing(self) -> float:
        """Mean distance of two nodes, m."""
        return self.length / (self.elements * self.kind.spans)

    @property
    def corners(self) -> np.ndarray:
        """Initial positions of the nodes, m, (n, 3): how far the beam reaches."""
        return np.array([values["r"] for values in self.at_rest])

    # --- frames ---------------------------------------------------------------------------------
    def node(self, k: int) -> Frame:
        """Frame at end ``k`` of the elements: 0 is the start, ``elements`` (or -1) the end."""
        last = self.elements
        if not -last - 1 <= k <= last:
            raise InputError(f"{self.name or 'beam'} has no node {k}: its nodes are 0 to {last}.")
        return BeamNode(self, (k % (self.elements + 1)) * self.kind.spans)

    def at_length(self, s: float) -> Frame:
        """Frame at the undeformed arc length ``s`` (m): a node's, or that of the section inside an
        element, which moves with the element's unknowns."""
        label = f"{self.name or 'beam'}: arc length"
        s = checks.number(label, s)
        k = int(np.argmin(np.abs(self.stations - s)))
        if abs(self.stations[k] - s) <= 1e-9 * self.length:  # ends too, but for round-off
            return BeamNode(self, k)
        return BeamPoint(self, checks.within(label, s, 0.0, self.length))

    def at(self, position) -> Frame:
        """Frame at the point of the undeformed centre line that lies at ``position`` (m)."""
        label = self.name or "beam"
        point = checks.vector(f"{label}: position", position)
        s = self.line.nearest(point)
        away = float(np.linalg.norm(self.line.point([s])[0] - point))
        if away > 1e-6 * self.length:
            raise InputError(
                f"{label}: {checks.listed(point)} is {away:.3g} m away from its centre line, which "
                f"starts at {checks.listed(self.origin)} and ends at "
                f"{checks.listed(self.end.position)}."
            )
        return self.at_length(s)

    @cached_property
    def middles(self) -> np.ndarray:
        """Undeformed triads at the middles of the elements, by columns."""
        return np.array([self.triad(s) for s in (self.ends[1:] + self.ends[:-1]) / 2])

    # --- elements -------------------------------------------------------------------------------
    def locate(self, s: float) -> tuple[int, float]:
        """Element at an arc length, and the place in it, 0 to 1."""
        e = int(np.clip(np.searchsorted(self.ends, s, side="right") - 1, 0, self.elements - 1))
        return e, (s - self.ends[e]) / (self.ends[e + 1] - self.ends[e])

    def sizes(self, e: int) -> tuple[float, float]:
        """Undeformed length of an element, m, and its ratio to the mean."""
        length = float(self.ends[e + 1] - self.ends[e])
        return length, length * self.elements / self.length

    def triad(self, s: float) -> np.ndarray:
        """Undeformed triad at an arc length, by columns."""
        s0 = np.unique([0.0, *self.stations[self.stations < s], s])
        return triads_along(self.name or "beam", self.line, s0, self._up)[-1]

    def element_refs(self, e: int) -> list[Ref]:
        """Unknowns of an element in the order of its kind's layout."""
        nodes = self.nodes[e * self.kind.spans :]
        return [nodes[at][name].all for name, at in self.kind.layout]

    def element_at_rest(self, e: int) -> np.ndarray:
        """Undeformed values of these unknowns."""
        nodes = self.at_rest[e * self.kind.spans :]
        return np.concatenate([nodes[at][name] for name, at in self.kind.layout])

    # --- building -------------------------------------------------------------------------------
    def build(self, builder) -> None:
        half = float(np.abs(self.section.outline).max())
        center = self.position
        self.nodes = []
        for k, values in enumerate(self.at_rest):
            node = {}
            for name in self.kind.node_fields:
                arm = values[name] - center if name == "r" else values[name]
                rate = np.cross(self.angular_velocity, arm)
                if name == "r":
                    rate += self.velocity
                # a slope is a slope times the element's length, m: its row is a force
                if name in ("d2", "d3"):
                    role = Coordinate(ROTATION, vectors=DIRECTIONS, characteristic_length=half)
                else:
                    role = Coordinate(vectors=PLACES if name == "r" else DIRECTIONS)
                what = f"node{k}.{name}"
                node[name] = Block(self.name, what, values[name], role, rates=rate)
                builder.add_block(node[name])
            self.nodes.append(node)
        for e in range(self.elements):
            rows = np.array([self.kind.pack(**row) for row in self.cell_numbers(e)])
            self._add(builder, self.kind, e, rows)
            if self.damping:
                viscous = ViscousKind(self.kind)
                delay = np.full((len(rows), 1), self.damping)
                self._add(builder, viscous, e, np.hstack([rows, delay]))

    def cell_numbers(self, e: int) -> list[dict[str, Any]]:
        """Parameters of the cells of an element: one, or one a fibre."""
        if isinstance(self.kind, FibreKind):
            rows = self.kind.pack_fibres(self.section, self.material, self.load, self.factors)
        else:
            rows = [self.kind.pack_beam(self.section, self.material, self.load, self.factors)]
        place = {"ratio": self.sizes(e)[1], "reference": self.element_at_rest(e)}
        place = {n: x for n, x in place.items() if n in self.kind.parameters}
        return [row | place for row in rows]

    def _add(self, builder, kind, e: int, rows: np.ndarray) -> None:
        geometry = np.zeros((len(rows), 2, 3))
        geometry[:, :, 0] = self.ends[e : e + 2]
        refs = self.element_refs(e)
        builder.add_cell(kind, Cell(self.name, refs, rows, geometry=geometry, count=len(rows)))

    # --- pictures -------------------------------------------------------------------------------
    def shape(self, values: np.ndarray) -> recovery.BeamShape:
        """Centre line and sections at the ends and middles of the elements.

        Args:
            values: coordinates of the whole system by global number.
        """
        return recovery.shape_of(self, values)

    def section_forces(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Section forces along the beam; see ``recovery.section_forces``."""
        return recovery.section_forces(self, values)

    def surface_stress(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Stress on the outline along the beam; see ``recovery.surface_stress``."""
        return recovery.surface_stress(self, values)

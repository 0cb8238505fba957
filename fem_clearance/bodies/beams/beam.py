"""Beams, straight or curved, of one of the elements in elements.py and fibres.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks, deprecated
from ...core.blocks import Block
from ...core.component import Cell
from ...core.roles import DIRECTIONS, PLACES, ROTATION, Coordinate
from ...errors import InputError
from ...model.portrait import BodyPortrait
from ..materials import Damping, Material
from . import recovery
from .centre_line import CenterLine, sampled, straight
from .elements import BeamKind, CableKind, ViscousKind
from .fibres import FibreKind
from .layout import BeamLayout
from .matrix_elements import MatrixKind, points_between
from .models import MODELS, check_parts, choose, stiffness_factors, warping_free
from .section_matrices import MatrixSection
from .sections import Section
from .shape_functions import shape_numbers

#: what it means if forces are no finite numbers, and what to do
INVERTED = (
    "an element turns inside out, det F <= 0; apply loads more slowly, reduce what crushes the "
    "beam, or use shorter elements there"
)


@deprecated.attributes(stations="arc_lengths")
class Beam(BeamLayout):
    """A straight beam; ``Beam.along`` makes curved ones.

    Args:
        start, end: ends of the undeformed centre line, m; or a curve and ``None``, as ``along``
            gives them.
        section: cross-section; its y and z lie along the directors d2 and d3. ``SectionMatrices``
            gives its stiffness and mass as matrices, without a material; ``SectionTable`` gives
            matrices that vary along the beam.
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
        free: whether the body may be connected to nothing.

    Channels: ``strain_energy`` (J), with damping ``damping_loss`` (W). ``Probe`` records the
    motion of a frame, ``SectionForces`` the forces in a section.

    Attributes:
        start, end: frames at the ends.
        length: undeformed length, m.
        axes: triad at the start (along the line, d2, d3) by columns.
        arc_lengths: of the nodes, m.
        triads: undeformed triad at each node, by columns.

    Raises:
        InputError: a value that is missing or out of range for a beam.
    """

    prefix = "beam"

    def __init__(
        self,
        start: ArrayLike | CenterLine,
        end: ArrayLike | None,
        section: Section | MatrixSection,
        material: Material | None = None,
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
        checks.choice(f"{label}: model", model, MODELS)
        options = dict(
            poisson=poisson, strain=strain, section_model=section_model, shear=shear,
            torsion_constant=torsion_constant,
        )  # fmt: skip
        check_parts(label, section, material, model, options)
        line = start if isinstance(start, CenterLine) else straight(label, start, end)
        spans = 2 if model == "quadratic" else 1
        super().__init__(name, line, section, material, elements, spans, up)
        self.free, self.axes = free, self.triads[0]
        self.factors: dict[str, float] = {}
        if isinstance(section, MatrixSection):
            section.check_length(label, self.length)
            self.kind: BeamKind = MatrixKind()
        else:
            assert material is not None
            warps = warping_free(label, model, poisson, section_model, material)
            self.factors = stiffness_factors(
                label, section, material, warps, shear, torsion_constant
            )
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
        self.start, self.end = self.node(0), self.node(-1)

    @classmethod
    def along(
        cls,
        curve: CenterLine | Callable[[Any], Any],
        section: Section | MatrixSection,
        material: Material | None = None,
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
            InputError: no curve, or a value that is out of range for a beam.
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
        return cls(
            curve, None, section, material, elements,
            model=model, poisson=poisson, strain=strain, up=up, section_model=section_model,
            shear=shear, torsion_constant=torsion_constant, damping=damping, velocity=velocity,
            angular_velocity=angular_velocity, load=load, name=name, free=free,
        )  # fmt: skip

    @property
    def origin(self) -> np.ndarray:
        """Start of the undeformed centre line, m."""
        return self.at_rest[0]["r"]

    @property
    def position(self) -> np.ndarray:
        """Initial centre of mass, m, (3,); unless the section is given by matrices, the centroid of
        the centre line."""
        if isinstance(self.section, MatrixSection):
            return self._moments[1:] / self._moments[0]
        x, w = np.polynomial.legendre.leggauss(8)
        middle, half = (self.ends[1:] + self.ends[:-1]) / 2, np.diff(self.ends) / 2
        points = self.line.point((middle[:, None] + half[:, None] * x).ravel())
        return np.ravel(half[:, None] * w) @ points / self.length

    @cached_property
    def _moments(self) -> np.ndarray:
        """Mass, kg, and mass times each coordinate of its centre, kg m, (4,), by the elements'
        quadrature."""
        section: MatrixSection = self.section
        result, weights = np.zeros(4), np.array([5, 8, 5]) / 18
        for e, length in enumerate(np.diff(self.ends)):
            nodes = self.element_at_rest(e).reshape(-1, 3)
            spots = points_between(self.ends[e], self.ends[e + 1], MatrixKind.mass_degree)
            for s, weight in zip(spots, weights, strict=True):
                shapes = shape_numbers(self.kind, (s - self.ends[e]) / length, length)[0]
                fields = (shapes[:, None] * nodes).reshape(3, 3, 3).sum(axis=1)  # r, d2, d3
                m = section.at(s).inertia[0]
                result += weight * length * np.append(m[0], m @ fields)
        return result

    @property
    def mass(self) -> float:
        """Mass, kg."""
        if isinstance(self.section, MatrixSection):
            return float(self._moments[0])
        return self.material.rho * self.section.area * self.length

    @property
    def spacing(self) -> float:
        """Mean distance of two nodes, m."""
        return self.length / (self.elements * self.kind.spans)

    @property
    def corners(self) -> np.ndarray:
        """Initial positions of the nodes, m, (n, 3), for the size of the beam."""
        return np.array([values["r"] for values in self.at_rest])

    # --- building -------------------------------------------------------------------------------
    def build(self, builder) -> None:
        half = float(np.abs(self.section.outline).max())
        center = self.position
        inverted = "" if isinstance(self.kind, CableKind) else INVERTED  # a line has no inside
        self.nodes = []
        for k, values in enumerate(self.at_rest):
            node = {}
            for name in self.kind.node_fields:
                arm = values[name] - center if name == "r" else values[name]
                rate = np.cross(self.angular_velocity, arm)
                if name == "r":
                    rate += self.velocity
                # the unknown is the slope times the element's length, m: its row is a force
                if name in ("d2", "d3"):
                    role = Coordinate(
                        ROTATION, vectors=DIRECTIONS, characteristic_length=half, no_number=inverted
                    )
                else:
                    places = PLACES if name == "r" else DIRECTIONS
                    role = Coordinate(vectors=places, no_number=inverted)
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
        elif isinstance(self.kind, MatrixKind):
            rows = [self.kind.pack_span(self.section, self.ends[e], self.ends[e + 1], self.load)]
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
    def portrait(self) -> BodyPortrait:
        section = self.section.portrait()
        if (outlines := recovery.outlines(self)).ndim > 2:
            section["outlines"] = outlines.tolist()
        stations = recovery.stations(self).tolist()  # of ``shape``
        return BodyPortrait("beam", data={"section": section, "stations": stations})

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

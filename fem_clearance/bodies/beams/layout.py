"""Layout of a beam: its elements along the line, their undeformed shape, and frames on them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ... import checks
from ...core.blocks import Block, Ref
from ...errors import InputError
from ...markup import Shown
from ...model.frame import Frame, InteriorFrame, LineFrame, PointFrame, SectionFrame
from ...model.section_triad import mean_triad_of
from ..materials import Material, StVenantKirchhoff
from .centre_line import CenterLine, fractions_of, triads_along
from .elements import BeamKind, DirectorKind
from .fibres import FibreKind, FibreLaw
from .section_matrices import MatrixSection
from .sections import Section
from .shape_functions import shape_numbers


class BeamLayout(Shown):
    """The data of a beam that frames, section forces and pictures need; base of ``Beam``.

    Args:
        name: for messages and channels.
        line: undeformed centre line.
        section, material: of all elements.
        elements: their number, or where they end, as fractions of the length.
        spans: number of nodes of an element, less one.
        up: see ``Beam``.

    Attributes:
        kind: of the elements.
        factors: of the shear and torsional stiffness, see ``strain.FACTORS``.
        elements: their number.
        length: undeformed length, m.
        ends: arc lengths at which elements begin and end, m, (elements + 1,).
        arc_lengths: of the nodes, m.
        triads: undeformed triad at each node, by columns, (nodes, 3, 3).
        at_rest: undeformed value of each node's fields.
        nodes: unknowns of each node's fields; empty before the beam is added to a system.
        place_cache: numbers of the places where forces and stresses are observed, kept from call
            to call.
    """

    kind: BeamKind
    factors: dict[str, float]

    def __init__(
        self, name: str | None, line: CenterLine, section: Section | MatrixSection,
        material: Material | None, elements, spans: int, up,
    ):  # fmt: skip
        self.name: Any = name  # System.add gives one where there is none
        self.line, self.length = line, line.length
        self.section: Any = section
        self.material: Any = material
        fractions = fractions_of(self.label, elements)
        self.elements = len(fractions) - 1
        self.ends = self.length * fractions
        self.arc_lengths = np.interp(
            np.arange(self.elements * spans + 1) / spans, np.arange(self.elements + 1), self.ends
        )
        self._up = up
        self.triads = triads_along(self.label, line, self.arc_lengths, up)
        mean, points = self.length / self.elements, line.point(self.arc_lengths)
        self.at_rest = [
            {"r": r, "slope": mean * e[:, 0], "d2": e[:, 1], "d3": e[:, 2]}
            for r, e in zip(points, self.triads, strict=True)
        ]
        self.nodes: list[dict[str, Block]] = []
        self.place_cache: dict = {}

    @property
    def label(self) -> str:
        """Name in messages."""
        return self.name or "beam"

    @property
    def law(self) -> FibreLaw:
        """The elastic law of the fibres of a beam with directors."""
        if isinstance(self.kind, FibreKind):
            return self.kind.law
        assert isinstance(self.kind, DirectorKind)
        return FibreLaw(StVenantKirchhoff, self.kind.poisson == "split", self.kind.strain)

    @property
    def share(self) -> float:
        """Part of d2 in a section's turns; see ``section_triad.mean_triad``."""
        if isinstance(self.section, MatrixSection):
            return 0.5  # as in its twist
        return self.section.I_y / (self.section.I_y + self.section.I_z)

    @cached_property
    def middles(self) -> np.ndarray:
        """Undeformed triads at the middles of the elements, by columns."""
        return np.array([self.triad(s) for s in (self.ends[1:] + self.ends[:-1]) / 2])

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
        s0 = np.unique([0.0, *self.arc_lengths[self.arc_lengths < s], s])
        return triads_along(self.label, self.line, s0, self._up)[-1]

    def element_refs(self, e: int) -> list[Ref]:
        """Unknowns of an element in the order of its kind's layout."""
        nodes = self.nodes[e * self.kind.spans :]
        return [nodes[at][name].all for name, at in self.kind.layout]

    def element_at_rest(self, e: int) -> np.ndarray:
        """Undeformed values of these unknowns."""
        nodes = self.at_rest[e * self.kind.spans :]
        return np.concatenate([nodes[at][name] for name, at in self.kind.layout])

    # --- frames ---------------------------------------------------------------------------------
    def node(self, k: int) -> Frame:
        """Frame at end ``k`` of the elements: 0 is the start, ``elements`` (or -1) the end."""
        last = self.elements
        if not -last - 1 <= k <= last:
            raise InputError(f"{self.label} has no node {k}: its nodes are 0 to {last}.")
        return BeamNode(self, (k % (self.elements + 1)) * self.kind.spans)

    def at_length(self, s: float) -> Frame:
        """Frame at the undeformed arc length ``s`` (m): that of a node, or of a section inside an
        element, which moves with the unknowns of the element."""
        label = f"{self.label}: arc length"
        s = checks.number(label, s)
        k = int(np.argmin(np.abs(self.arc_lengths - s)))
        if abs(self.arc_lengths[k] - s) <= 1e-9 * self.length:  # including ends with round-off
            return BeamNode(self, k)
        return BeamPoint(self, checks.within(label, s, 0.0, self.length))

    def at(self, position) -> Frame:
        """Frame at the point of the undeformed centre line that lies at ``position`` (m)."""
        label = self.label
        if np.ndim(position) == 0:
            raise InputError(
                f"{label}: a place in space needs 3 numbers in m, got {checks.shown(position)}; at "
                "an arc length of s m from the start the frame is at_length(s)."
            )
        point = checks.vector(f"{label}: position", position)
        s = self.line.nearest(point)
        away = float(np.linalg.norm(self.line.point([s])[0] - point))
        if away > 1e-6 * self.length:
            raise InputError(
                f"{label}: {checks.listed(point)} is {away:.3g} m away from its centre line, which "
                f"starts at {checks.listed(self.at_rest[0]['r'])} and ends at "
                f"{checks.listed(self.at_rest[-1]['r'])}."
            )
        return self.at_length(s)


class BeamNode(Frame):
    """The frame of a node."""

    def __init__(self, body: BeamLayout, k: int):
        self.k = k
        kind = SectionFrame() if "d2" in body.kind.node_fields else PointFrame()
        at_rest = body.at_rest[k]
        weights = [body.share] if kind.has_triad else []
        super().__init__(body, kind, at_rest["r"], body.triads[k], weights=weights)

    @property
    def refs(self):
        names = ("r", "d2", "d3") if self.kind.has_triad else ("r",)
        return [self.body.nodes[self.k][name].all for name in names]

    @property
    def name(self):
        last = self.body.elements * self.body.kind.spans
        place = {0: "start", last: "end"}.get(self.k, f"node{self.k}")
        return f"{self.body.label}.{place}"

    def with_tangent(self, who):
        if self.kind.has_triad:
            return self
        return CableNode(self.body, self.k)


class CableNode(BeamNode):
    """A node of a cable with its tangent."""

    def __init__(self, body: BeamLayout, k: int):
        super().__init__(body, k)
        self.kind = LineFrame(fields=("r", "slope"))
        self.weights = np.array([1.0, 0.0, 0.0, 1.0])

    @property
    def refs(self):
        return [self.body.nodes[self.k][name].all for name in ("r", "slope")]


class BeamPoint(Frame):
    """The frame of a section inside an element, from the element's unknowns.

    Args:
        body: the beam.
        s: arc length, m.
        tangent: of a cable, whether the frame knows the tangent.
    """

    def __init__(self, body: BeamLayout, s: float, tangent: bool = False):
        self.s, self.element, x = s, *body.locate(s)
        numbers = shape_numbers(body.kind, x, *body.sizes(self.element))
        fields = tuple(field for field, _ in body.kind.layout)
        values = {name: np.zeros(3) for name in ("r", "d2", "d3", "slope")}
        for (name, node), factor in zip(body.kind.layout, numbers[0], strict=True):
            field = "r" if name == "slope" else name
            start = body.at_rest[self.element * body.kind.spans + node]
            values[field] = values[field] + factor * start[name]
        kind: InteriorFrame = InteriorFrame(fields=fields)
        basis, weights = body.triad(s), numbers[0]
        if kind.has_triad:
            weights = np.append(weights, body.share)
            basis = mean_triad_of(values["d2"], values["d3"], body.share)
        elif tangent:
            kind, weights = LineFrame(fields=fields), numbers[:2].ravel()
        super().__init__(body, kind, values["r"], basis, weights=weights)

    @property
    def refs(self):
        return self.body.element_refs(self.element)

    @property
    def name(self):
        return f"{self.body.label} at arc length {self.s:.6g} m"

    def with_tangent(self, who):
        return self if self.kind.has_triad else BeamPoint(self.body, self.s, True)

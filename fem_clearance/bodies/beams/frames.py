"""Frames of beams: at nodes, and anywhere inside an element."""

from __future__ import annotations

import numpy as np

from ...model.frame import Frame, InteriorFrame, LineFrame, PointFrame, SectionFrame
from .data import BeamData
from .shape_functions import shape_numbers


class BeamNode(Frame):
    """The frame of a node."""

    def __init__(self, body: BeamData, k: int):
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
        return f"{self.body.name or 'beam'}.{place}"

    def with_tangent(self, who):
        if self.kind.has_triad:
            return self
        return CableNode(self.body, self.k)


class CableNode(BeamNode):
    """A node of a cable with its tangent."""

    def __init__(self, body: BeamData, k: int):
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

    def __init__(self, body: BeamData, s: float, tangent: bool = False):
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
            basis = _mean_triad(values["d2"], values["d3"], body.share)
        elif tangent:
            kind, weights = LineFrame(fields=fields), numbers[:2].ravel()
        super().__init__(body, kind, values["r"], basis, weights=weights)

    @property
    def refs(self):
        return self.body.element_refs(self.element)

    @property
    def name(self):
        return f"{self.body.name or 'beam'} at arc length {self.s:.6g} m"

    def with_tangent(self, who):
        return self if self.kind.has_triad else BeamPoint(self.body, self.s, True)


def _mean_triad(d2: np.ndarray, d3: np.ndarray, share: float) -> np.ndarray:
    """``strain.mean_triad`` in numbers, by columns."""
    e1 = np.cross(d2, d3)
    e1 /= np.linalg.norm(e1)
    e2 = share / np.linalg.norm(d2) * d2 + (1 - share) / np.linalg.norm(d3) * np.cross(d3, e1)
    e2 /= np.linalg.norm(e2)
    return np.column_stack([e1, e2, np.cross(e1, e2)])

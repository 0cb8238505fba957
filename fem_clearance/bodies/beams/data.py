"""What the files about beams read of one: its frames, its section forces, its pictures."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ...core.blocks import Block, Ref
from ...model.frame import Frame
from ..materials import Material
from .elements import BeamKind
from .fibres import FibreLaw
from .sections import Section


class BeamData(Protocol):
    """A beam as its frames and its section forces see it; ``Beam`` is one.

    Attributes:
        name: for messages and channels.
        kind: of its elements; ``kind.spans`` nodes follow each element's first.
        section, material: of all elements.
        factors: of the shear and torsional stiffness, see ``strain.FACTORS``.
        elements: their number.
        length: undeformed length, m.
        ends: arc lengths at which elements begin and end, m, (elements + 1,).
        triads: undeformed triad at each node, by columns, (nodes, 3, 3).
        at_rest: undeformed value of each node's fields.
        nodes: unknowns of each node's fields; empty before the beam is added to a system.
        place_cache: numbers of the places where forces and stresses are observed, kept from call
            to call.
    """

    name: str | None
    kind: BeamKind
    section: Section
    material: Material
    factors: dict[str, float]
    elements: int
    length: float
    ends: np.ndarray
    triads: np.ndarray
    at_rest: list[dict[str, np.ndarray]]
    nodes: list[dict[str, Block]]
    place_cache: dict

    @property
    def law(self) -> FibreLaw:
        """What its fibres store (not of cables)."""

    @property
    def share(self) -> float:
        """Part of d2 in a section's turns."""

    @property
    def middles(self) -> np.ndarray:
        """Undeformed triads at the middles of the elements, by columns."""

    def at_length(self, s: float) -> Frame:
        """Frame at the undeformed arc length ``s``, m."""

    def locate(self, s: float) -> tuple[int, float]:
        """Element at an arc length, and the place in it, 0 to 1."""

    def sizes(self, e: int) -> tuple[float, float]:
        """Undeformed length of an element, m, and its ratio to the mean."""

    def triad(self, s: float) -> np.ndarray:
        """Undeformed triad at an arc length, by columns."""

    def element_refs(self, e: int) -> list[Ref]:
        """Unknowns of an element in the order of its kind's layout."""

    def element_at_rest(self, e: int) -> np.ndarray:
        """Undeformed values of these unknowns."""

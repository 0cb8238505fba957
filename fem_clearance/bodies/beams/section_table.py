"""Section matrices that vary along a beam, given by a table over its arc length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from .section_matrices import MatrixSection, SectionMatrices


class SectionTable(MatrixSection):
    """Section matrices at given arc lengths of a beam, such as a rotor blade, and linear between
    them.

    An element uses the matrices at its quadrature points, so that elements should end where the
    slope of the table changes (``Beam(elements=...)`` accepts fractions of the length). Where the
    section jumps, join two beams.

    Args:
        arc_lengths: arc lengths of the undeformed beam, m, (n,), increasing from 0 to its length.
        sections: n ``SectionMatrices``, one at each arc length; all outlines have the same number
            of corners, and ``recovery`` is given for all sections or for none.

    Attributes:
        outline: largest of the outlines, m, (corners, 2).

    Raises:
        InputError: the arc lengths do not increase from 0, their number is not that of the
            sections, or the outlines or recoveries of the sections do not match.

    See docs/beams.md. Example::

        root, tip = (
            fc.SectionMatrices.from_constants(
                EA=s * 4e8, GA=s * 1.3e8, EI=s**3 * 1e6, GJ=s**3 * 8e5, rho_A=s * 15.7,
                rho_I=s**3 * 0.04,
            )
            for s in (1.0, 0.5)
        )
        fc.Beam((0, 0, 0), (10, 0, 0), section=fc.SectionTable([0, 10], [root, tip]))
    """

    def __init__(self, arc_lengths: ArrayLike, sections: Sequence[SectionMatrices]):
        s = checks.array(arc_lengths)
        self.sections = tuple(checks.several("SectionTable: sections", sections))
        if s.shape != (len(self.sections),) or len(s) < 2 or not np.isfinite(s).all():
            raise InputError(
                "SectionTable: give at least two arc lengths and a section for each, got "
                f"{checks.shown(arc_lengths)} and {len(self.sections)} sections."
            )
        if s[0] != 0 or np.any(np.diff(s) <= 0):
            raise InputError(
                "SectionTable: arc lengths must begin with 0 and increase, got "
                f"{checks.shown(arc_lengths)}; join two beams where the section jumps."
            )
        for section in self.sections:
            if not isinstance(section, SectionMatrices):
                raise InputError(
                    f"SectionTable: sections must be SectionMatrices, got {section!r}."
                )
        known = {section.recovery is None for section in self.sections}
        corners = {len(section.outline) for section in self.sections}
        if len(known) > 1 or len(corners) > 1:
            raise InputError(
                "SectionTable: outlines must have the same number of corners, and recovery must "
                "be given for all sections or for none."
            )
        self.arc_lengths = s
        self.outline = max((z.outline for z in self.sections), key=lambda z: np.abs(z).max())

    @property
    def recovery(self) -> np.ndarray | None:
        """Recovery matrix of the first section; ``None`` if the sections have none."""
        return self.sections[0].recovery

    def at(self, arc_length: float) -> SectionMatrices:
        """The section at an arc length, m.

        The matrix that gives stresses from strains is interpolated, because the one that gives
        them from forces (``recovery``) does not vary linearly.
        """
        s, sections = self.arc_lengths, self.sections
        k = int(np.clip(np.searchsorted(s, arc_length, side="right") - 1, 0, len(s) - 2))
        part = float(np.clip((arc_length - s[k]) / (s[k + 1] - s[k]), 0.0, 1.0))
        a, b = sections[k : k + 2]

        def between(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return (1 - part) * x + part * y

        stiffness, recovery = between(a.stiffness, b.stiffness), None
        if a.recovery is not None and b.recovery is not None:
            by_strain = between(a.recovery @ a.stiffness, b.recovery @ b.stiffness)
            recovery = by_strain @ np.linalg.inv(stiffness)
        return SectionMatrices(
            stiffness, between(a.mass, b.mass), outline=between(a.outline, b.outline),
            recovery=recovery,
        )  # fmt: skip

    def check_length(self, who: str, length: float) -> None:
        """Refuse a table for a beam of another length (m).

        Raises:
            InputError: the table does not end at the end of the beam.
        """
        if abs(self.arc_lengths[-1] - length) > 1e-6 * length:
            raise InputError(
                f"{who}: the table of its sections ends at an arc length of "
                f"{self.arc_lengths[-1]:.6g} m, the beam at {length:.6g} m; the last arc length "
                "must be the length of the beam."
            )

    def __repr__(self) -> str:
        return f"SectionTable({len(self.sections)} sections over {self.arc_lengths[-1]:.4g} m)"

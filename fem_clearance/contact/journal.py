"""What clearance joints of a journal in a bearing share: sizes and an axis."""

from __future__ import annotations

from .. import checks
from .clearance import Clearance


class JournalClearance(Clearance):
    """Base of the joints between cylinders.

    Args:
        frame_i, frame_j: centres of bearing and journal, with triads (or one of them and a rigid
            body or the ground).
        axis: direction of the bearing's axis at the start, fixed in frame i.
        bearing_radius, journal_radius: m, the bearing larger.
        length: of the bearing along the axis, m.
        options: see ``Clearance``.

    Raises:
        InputError: no axis, a journal that does not fit, a cable.
    """

    def __init__(
        self, frame_i, frame_j, axis, *, bearing_radius, journal_radius, length, **options
    ):
        super().__init__(
            frame_i, frame_j, radius_i=bearing_radius, radius_j=journal_radius, length=length,
            **options,
        )  # fmt: skip
        who = self.name or self.label
        self.axis = checks.axis(who, axis)
        for frame in (self.i, self.j):
            frame.needs_triad(who)

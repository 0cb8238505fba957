"""What clearance joints of a journal in a bearing share: sizes, an axis, the law by default."""

from __future__ import annotations

from .. import checks
from .clearance import Clearance
from .laws.cylinders import Liu


class JournalClearance(Clearance):
    """Base of the joints between cylinders.

    Args:
        frame_i, frame_j: centres of bearing and journal, with triads (or one of them and a rigid
            body or the ground).
        axis: direction of the bearing's axis at the start, fixed in frame i.
        bearing_radius, journal_radius: m, the bearing larger.
        length: of the bearing along the axis, m.
        normal: normal-force law; default ``Liu()``, whose force is proportional to the length, and
            with ``stiffness`` the one of ``Clearance``, K depth^1.5.
        options: see ``Clearance``.

    Raises:
        InputError: no axis, a journal that does not fit, a cable.
    """

    def __init__(
        self, frame_i, frame_j, axis, *, bearing_radius, journal_radius, length, normal=None,
        stiffness=None, **options,
    ):  # fmt: skip
        if normal is None and stiffness is None:
            normal = Liu()
        super().__init__(
            frame_i, frame_j, radius_i=bearing_radius, radius_j=journal_radius, length=length,
            normal=normal, stiffness=stiffness, **options,
        )  # fmt: skip
        who = self.name or self.label
        self.axis = checks.axis(who, axis)
        for frame in (self.i, self.j):
            frame.needs_triad(who)

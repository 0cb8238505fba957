"""Journals that do not turn about the axis of their bearing."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

logger = logging.getLogger(__name__)

#: lean of a journal's axis from the bearing's, rad, far beyond that of any film
MOST = 0.1


def warn_of_lean(item, axes, table: Any) -> None:
    """Say that a journal leaned out of its bearing during a run.

    Args:
        item: joint with a name and the frames ``i`` and ``j`` of bearing and journal.
        axes: of both at the start, in space, each (3,).
        table: the run's results.
    """
    if not table.has_motion:
        return
    motion = table.motion
    shown = next(z for z in motion.scene["items"] if z["name"] == item.name)
    bearing, journal = (
        motion.triad[:, shown[f"frame_{side}"]] @ np.linalg.solve(frame.basis, axis)
        for side, frame, axis in zip("ij", (item.i, item.j), axes, strict=True)
    )
    across = np.linalg.norm(np.cross(bearing, journal), axis=1)
    lean = np.arctan2(across, np.sum(bearing * journal, axis=1)).max(initial=0.0)
    if lean > MOST:
        logger.warning(
            "%s: the axis of the journal leaned up to %.3g deg from that of the bearing, which no "
            "film allows: give the axis about which the journal turns as axis=.",
            item.name, np.degrees(lean),
        )  # fmt: skip

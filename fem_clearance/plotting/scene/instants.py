"""Which recorded instants a picture shows."""

from __future__ import annotations

import numpy as np

from .mechanism import GROUND, Mechanism
from .poses import angles

#: quantiles of the contact force between which a single picture's instant lies
TELLING = (0.8, 0.97)


def telling(mechanism: Mechanism, results) -> int:
    """Number of the instant for a single picture: among those in the second half of the run with a
    large contact force (the largest is a short impact), the one at which joints are farthest
    apart."""
    motion = mechanism.motion
    last = len(motion.time) - 1
    late = np.arange(last // 2, last + 1)
    for item in mechanism.items:
        channels = (item.get("channels") or {}).items()  # a slider has one for each corner
        names = [name for own, name in channels if own.split(".")[-1] == "normal_force"]
        names = [n for n in names if results is not None and n in results and len(results.time)]
        if not names:
            continue
        forces = [np.interp(motion.time[late], results.time, results[n]) for n in names]
        force = np.abs(forces).sum(axis=0)
        low, high = np.quantile(force, TELLING)
        if high > 0:
            late = late[(force >= low) & (force <= high)]
            break
    joints = [f for body, found in mechanism.on.items() if body != GROUND for _, f in found]
    if not joints or not len(late):
        return int(round(0.6 * last))
    across = np.cross(mechanism.up, mechanism.normal)
    x = motion.position[np.ix_(late, joints)]
    area = np.ptp(x @ across, axis=1) * np.ptp(x @ mechanism.up, axis=1)
    return int(late[area.argmax()]) if area.max() > 0 else int(late[len(late) // 5])


def turned(mechanism: Mechanism) -> np.ndarray | None:
    """Angle by which a driven body has rotated at each instant, rad; ``None`` if there is none, or
    if the instants are too far apart."""
    motion = mechanism.motion
    for item in mechanism.items:
        frames = [item.get("frame_i"), item.get("frame_j")]
        axis = mechanism.axis(item)
        if item["type"] != "driver" or axis is None:
            continue
        for f in frames:
            if f is None or mechanism.owner[f] == GROUND:
                continue
            t = motion.triad[:, f]
            angle = angles(np.einsum("nab,ncb->nac", t[1:], t[:-1]), axis)
            if np.abs(angle).max(initial=0.0) < 2.5:
                return np.concatenate([[0.0], np.cumsum(angle)])
    return None


def last_turn(mechanism: Mechanism) -> tuple[int, int]:
    """Numbers of the instants between which the driven body makes its last turn; those of the whole
    run if there is no turn."""
    last = len(mechanism.motion.time) - 1
    angle = turned(mechanism)
    if angle is None or abs(angle[-1]) < 2 * np.pi * 0.999:
        return 0, last
    before = np.flatnonzero(np.abs(angle[-1] - angle) >= 2 * np.pi * 0.999)
    return int(before[-1]), last


def several(mechanism: Mechanism, count: int) -> list[int]:
    """Numbers of ``count`` instants over the last turn, or over the run."""
    first, last = last_turn(mechanism)
    # a turn ends as it began
    marks = np.linspace(first, last, count + (first > 0))[:count]
    return [int(k) for k in dict.fromkeys(np.round(marks).astype(int).tolist())]


def nearest(times: np.ndarray, at: float) -> int:
    """Number of the instant nearest to a time."""
    return int(np.abs(times - at).argmin())


def clock(span: float) -> tuple[float, str, int]:
    """Display of times of a run: factor, unit and decimals that suit its length, s."""
    scale, unit = (1e6, "µs") if span < 2e-3 else (1e3, "ms") if span < 2.0 else (1.0, "s")
    return scale, unit, max(0, 3 - len(f"{scale * span:.0f}"))

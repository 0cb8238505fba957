"""The view of a scene: directions of the picture, and the frame that contains the motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from .drawing import Part
from .mechanism import Mechanism
from .poses import unit

#: views by name
VIEWS = ("own", "front", "back", "side", "top", "iso")


@dataclass
class View:
    """Directions of a picture (unit vectors) and its frame.

    Attributes:
        up: upwards in space.
        towards: from the mechanism to the eye.
        right, over: of the picture.
        low, high: corners of the frame along ``right`` and ``over``, m.
        depth: nearest and farthest along ``towards``, m.
    """

    up: np.ndarray
    towards: np.ndarray

    def __post_init__(self):
        self.towards = unit(self.towards)
        self.right = unit(np.cross(self.up, self.towards))
        self.over = np.cross(self.towards, self.right)
        self.low = self.high = np.zeros(2)
        self.depth = (0.0, 0.0)

    def fit(
        self, parts: Iterable[Part], instants: Sequence[int], of_forces: Sequence[int] = (),
        margin: float = 0.04,
    ) -> None:  # fmt: skip
        """Fit the frame to parts at some instants, and to forces at others: impacts are short."""
        axes = np.array([self.right, self.over, self.towards])
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for part in parts:
            still = not callable(part.mesh) and part.place is None
            brief = of_forces if part.kind == "force" else ()
            for k in instants[:1] if still else brief or instants:
                mesh = part.at(k)
                if mesh is not None:
                    seen = mesh.points @ axes.T
                    low, high = np.minimum(low, seen.min(0)), np.maximum(high, seen.max(0))
        if not np.isfinite(low).all():
            low, high = -np.ones(3), np.ones(3)
        pad = margin * max((high - low)[:2].max(), 1e-12)
        self.low, self.high = low[:2] - pad, high[:2] + pad
        self.depth = (float(low[2]), float(high[2]))

    @property
    def span(self) -> np.ndarray:
        """Width and height of the frame, m."""
        return self.high - self.low

    @property
    def centre(self) -> np.ndarray:
        """Of the frame, in space, m."""
        middle = (self.low + self.high) / 2
        return middle @ np.array([self.right, self.over]) + np.mean(self.depth) * self.towards

    @property
    def reach(self) -> float:
        """Distance of the eye, m."""
        return 2 * max(self.span.max(), self.depth[1] - self.depth[0])

    def pixel(self, point: np.ndarray, size: tuple[int, int]) -> np.ndarray:
        """Place of a point of space in a picture of (width, height) pixels, from the top left."""
        seen = np.array([point @ self.right, point @ self.over])
        x, y = (seen - self.low) / self.span * size
        return np.array([x, size[1] - y])


def direction(mechanism: Mechanism, view=None) -> np.ndarray:
    """Direction from the mechanism to the eye, a unit vector.

    Args:
        mechanism: to be seen.
        view: a name in ``VIEWS``, or a vector; default ``"own"``: nearly along the joints' axes of
            a plane mechanism, from the front, right and above for others.

    Raises:
        InputError: an unknown name, or no direction.
    """
    up, normal = mechanism.up, mechanism.normal
    front = unit(normal - (normal @ up) * up)
    if not front.any():
        front = unit(np.cross(np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1], up))
    right = np.cross(up, front)
    if view is None or isinstance(view, str):
        skew = 1.3 * front + 0.75 * right + 0.6 * up
        if mechanism.plane and not mechanism.deep:
            skew = front + 0.2 * right + 0.16 * up
        found = {
            "own": skew, "front": front, "back": -front, "side": right, "top": up + 1e-4 * front,
            "iso": front + right + 0.8 * up,
        }.get(view or "own")  # fmt: skip
        if found is None:
            raise InputError(f"view {view!r}: it must be one of {', '.join(VIEWS)}, or a vector.")
        return unit(found)
    vector = np.asarray(view, float)
    if vector.shape != (3,) or not np.linalg.norm(vector) > 0:
        raise InputError(f"view {view!r}: it must be one of {', '.join(VIEWS)}, or a vector.")
    vector = unit(vector)
    if abs(vector @ up) > 1 - 1e-8:  # from straight above the front is at the bottom
        vector = unit(vector + 1e-4 * front)
    return vector

"""Places in space: 4 x 4 matrices of a rotation and a position, and triads of unit vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

#: pose of a part at a recorded instant, (4, 4), by its number
Place = Callable[[int], np.ndarray]


def matrix(turn=None, at=(0.0, 0.0, 0.0)) -> np.ndarray:
    """The 4 x 4 matrix of a linear map (default: none) followed by a displacement, m."""
    result = np.eye(4)
    if turn is not None:
        result[:3, :3] = turn
    result[:3, 3] = at
    return result


def unit(vector) -> np.ndarray:
    """A unit vector along a vector; the zero vector is returned unchanged."""
    vector = np.asarray(vector, float)
    length = np.linalg.norm(vector)
    return vector / length if length else vector


def across(axis) -> np.ndarray:
    """A unit vector perpendicular to an axis, as close as possible to a coordinate axis."""
    axis = unit(axis)
    basis = np.eye(3)[np.argmin(np.abs(axis))]
    return unit(basis - (basis @ axis) * axis)


def triad(x, z) -> np.ndarray:
    """Right-handed unit vectors as columns: the third along ``z``, the first as close as possible
    to ``x`` (any, if they are parallel)."""
    z = unit(z)
    x = np.asarray(x, float) - (np.asarray(x, float) @ z) * z
    x = unit(x) if np.linalg.norm(x) > 1e-9 else across(z)
    return np.column_stack([x, np.cross(z, x), z])


def fixed(pose: np.ndarray) -> Place:
    """A place that does not move."""
    return lambda k: pose


def then(place: Place, more: np.ndarray) -> Place:
    """A pose (4, 4) in the axes of a place that moves."""
    return lambda k: place(k) @ more


def moved(place: Place, to: Place) -> Place:
    """The rotation of one place at the position of another."""
    return lambda k: matrix(place(k)[:3, :3], to(k)[:3, 3])


def angles(turns: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Angles of rotations (n, 3, 3) about an axis, rad, between -pi and pi."""
    skew = np.stack([turns[:, 2, 1] - turns[:, 1, 2], turns[:, 0, 2] - turns[:, 2, 0],
                     turns[:, 1, 0] - turns[:, 0, 1]], axis=1)  # fmt: skip
    return np.arctan2(skew @ axis, np.trace(turns, axis1=1, axis2=2) - 1)


def between(a: Place, b: Place, length: float | None, back: bool = False) -> Place:
    """A place with x from one place towards another; ``length``: of a part that is stretched to
    reach from one to the other."""

    def place(k):
        p, q = a(k)[:3, 3], b(k)[:3, 3]
        along = p - q if back else q - p
        turn = triad(along, across(along))
        if length is not None:
            turn = turn @ np.diag([np.linalg.norm(along) / length, 1.0, 1.0])
        return matrix(turn, p)

    return place

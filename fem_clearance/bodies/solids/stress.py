"""Numbers that describe a stress tensor."""

import numpy as np


def von_mises(stress: np.ndarray) -> np.ndarray:
    """Von Mises' equivalent stress sqrt(3/2 s:s), s the deviator.

    Args:
        stress: Cauchy stresses, Pa, (..., 3, 3).
    """
    mean = np.trace(stress, axis1=-2, axis2=-1)[..., None, None] / 3
    deviator = stress - mean * np.eye(3)
    return np.sqrt(1.5 * np.sum(deviator**2, axis=(-2, -1)))


def principal(stress: np.ndarray) -> np.ndarray:
    """Principal stresses, the largest (most tensile) first, (..., 3)."""
    return np.linalg.eigvalsh(stress)[..., ::-1]

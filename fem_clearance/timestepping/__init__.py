"""Time integrators: one step of the equations of motion, with error estimate and reject."""

from .bathe import Bathe
from .explicit.central_difference import CentralDifference
from .generalized_alpha import GeneralizedAlpha

__all__ = ["Bathe", "CentralDifference", "GeneralizedAlpha"]

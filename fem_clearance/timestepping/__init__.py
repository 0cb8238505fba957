"""Stepping through time: integrators, step control, contact events, snapshots."""

from .bathe import Bathe
from .explicit.central_difference import CentralDifference
from .generalized_alpha import GeneralizedAlpha

__all__ = ["Bathe", "CentralDifference", "GeneralizedAlpha"]

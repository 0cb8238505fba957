"""Time integrators: one step of the equations of motion, with error estimate and reject."""

from .generalized_alpha import GeneralizedAlpha

__all__ = ["GeneralizedAlpha"]

"""Flexible multibody systems with clearance joints, on FEniCSx."""

from . import _backend  # noqa: F401  (MPI first)
from .bodies.rigid import RigidBody
from .bodies.shapes import Box, Cylinder, Sphere
from .errors import InputError, StepFailed
from .integrators import GeneralizedAlpha
from .joints.ideal import (
    CylindricalJoint,
    FixedJoint,
    PointOnLine,
    PrismaticJoint,
    RevoluteJoint,
    SphericalJoint,
    UniversalJoint,
)
from .system import System

__version__ = "0.1.0"

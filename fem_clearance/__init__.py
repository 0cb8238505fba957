"""Flexible multibody systems with clearance joints, on FEniCSx."""

from . import _backend  # noqa: F401  (MPI first)
from .bodies.beam import Beam
from .bodies.materials import LinearElastic, Material, NeoHookean, StVenantKirchhoff
from .bodies.rigid import RigidBody
from .bodies.sections import Circle, Rectangle, Section
from .bodies.shapes import Box, Cylinder, Sphere
from .contact.friction import FrictionLaw, ModifiedCoulomb
from .contact.normal import Hertz, HuntCrossley, KelvinVoigt, LankaraniNikravesh, NormalLaw
from .contact.spherical import SphericalClearance
from .errors import InputError, StepFailed
from .functions import Constant, Harmonic, Linear, Polynomial, SmoothRamp
from .integrators import GeneralizedAlpha
from .io.case import Case, Model
from .io.parameters import Parameter
from .io.results import Results
from .io.rows import Derived
from .joints.angle import AngleProbe
from .joints.distance import DistanceJoint
from .joints.driver import RotationDriver, TranslationDriver
from .joints.ideal import (
    CylindricalJoint,
    FixedJoint,
    PointOnLine,
    PrismaticJoint,
    RevoluteJoint,
    SphericalJoint,
    UniversalJoint,
)
from .joints.spring import SpringDamper, TorsionSpring
from .loads import Force, Torque
from .probes import Probe
from .simulation import Simulation
from .stepping import Stepper
from .system import System

__version__ = "0.1.0"

__all__ = [
    "AngleProbe",
    "Beam",
    "Box",
    "Case",
    "Circle",
    "Constant",
    "Cylinder",
    "CylindricalJoint",
    "Derived",
    "DistanceJoint",
    "FixedJoint",
    "Force",
    "FrictionLaw",
    "GeneralizedAlpha",
    "Harmonic",
    "Hertz",
    "HuntCrossley",
    "InputError",
    "KelvinVoigt",
    "LankaraniNikravesh",
    "Linear",
    "LinearElastic",
    "Material",
    "Model",
    "ModifiedCoulomb",
    "NeoHookean",
    "NormalLaw",
    "Parameter",
    "PointOnLine",
    "Polynomial",
    "PrismaticJoint",
    "Probe",
    "Rectangle",
    "Results",
    "RevoluteJoint",
    "RigidBody",
    "RotationDriver",
    "Section",
    "Simulation",
    "SmoothRamp",
    "Sphere",
    "SphericalClearance",
    "SphericalJoint",
    "SpringDamper",
    "StVenantKirchhoff",
    "StepFailed",
    "Stepper",
    "System",
    "Torque",
    "TorsionSpring",
    "TranslationDriver",
    "UniversalJoint",
]

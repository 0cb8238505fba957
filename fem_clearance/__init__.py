"""Flexible multibody systems with clearance joints, on FEniCSx."""

from . import (
    _backend,  # noqa: F401  (MPI first)
    gears,
    lubrication,
    meshes,
)
from .bodies import resultants, stress
from .bodies.beam import Beam
from .bodies.beam_curve import Arc, Spline
from .bodies.beam_forces import SectionForces
from .bodies.condensed import CondensedSolid
from .bodies.massless import MasslessFrame
from .bodies.materials import LinearElastic, Material, NeoHookean, StVenantKirchhoff
from .bodies.polygon_sections import PointSection, Polygon
from .bodies.rigid import RigidBody
from .bodies.sections import (
    Circle,
    Ellipse,
    IProfile,
    Rectangle,
    Section,
    Tube,
)
from .bodies.shapes import Box, Cylinder, Sphere
from .bodies.solid import Solid
from .bodies.solid_damping import Damping
from .bodies.solid_loads import Pressure, Traction
from .bodies.solid_probe import SolidProbe
from .contact.cylinders import ESDU78035, BaiZhao, CylinderLaw, Johnson, Liu, Pereira, bai_zhao
from .contact.cylindrical import CylindricalClearance
from .contact.facet_friction import SurfaceStick
from .contact.facet_wear import SurfaceWear
from .contact.friction import (
    BengisuAkay,
    BristleLaw,
    CubicStribeck,
    FrictionLaw,
    ModifiedCoulomb,
    SmoothCoulomb,
    Stribeck,
    Threlfall,
)
from .contact.friction_element import FrictionElement
from .contact.geometry import ContactGeometry
from .contact.guide import Curved, Flat, GuideSurface, Hollow, Wavy
from .contact.guide_contact import GuideContact
from .contact.guide_probe import GuideProbe
from .contact.hysteresis import (
    ExactRestitution,
    Flores2011,
    Gonthier,
    HerbertMcWhannell,
    HuGuo,
    KuwabaraKono,
    LeeWang,
    ZhiyingQishao,
)
from .contact.lugre import LuGre
from .contact.normal import Hertz, HuntCrossley, KelvinVoigt, LankaraniNikravesh, NormalLaw
from .contact.revolute import RevoluteClearance
from .contact.rod_guide import RodGuide, SqueezeFilm
from .contact.spherical import SphericalClearance
from .contact.stick import TrueStick
from .contact.surface_contact import Winkler
from .contact.taylor import TaylorThreeTerms, TaylorTwoTerms
from .contact.thrust import Thrust
from .contact.translational import TranslationalClearance
from .contact.wear import Archard, Wear
from .core.initial import SystemState
from .errors import EnergyGrowth, InputError, Interrupted, LimitReached, StepFailed
from .functions import Constant, Harmonic, Linear, Polynomial, SmoothRamp
from .io.case import Case, Model
from .io.parameters import Parameter
from .io.results import Results
from .io.rows import Derived
from .joints.angle import AngleProbe
from .joints.attachment import Attachment
from .joints.bushing import Bushing
from .joints.distance import DistanceJoint
from .joints.driver import RotationDriver, TranslationDriver
from .joints.ideal import (
    CylindricalJoint,
    FixedJoint,
    PlanarJoint,
    PointOnLine,
    PrismaticJoint,
    RevoluteJoint,
    SphericalJoint,
    UniversalJoint,
)
from .joints.rolling import RollingJoint
from .joints.sliding import SlidingJoint
from .joints.spring import SpringDamper, TorsionSpring
from .model.loads import Force, LineLoad, Torque
from .model.probes import Probe
from .model.system import System
from .simulation import Simulation
from .statics.load_steps import StaticResults, Statics
from .statics.modes import Modes, eigenmodes
from .statics.rotation import SteadyRotation
from .timestepping import Bathe, CentralDifference, GeneralizedAlpha
from .timestepping.stepper import Stepper

__version__ = "0.1.0"

__all__ = [
    "Archard",
    "AngleProbe",
    "Arc",
    "Attachment",
    "BaiZhao",
    "Bathe",
    "Beam",
    "BengisuAkay",
    "Box",
    "BristleLaw",
    "Bushing",
    "Case",
    "CentralDifference",
    "Circle",
    "CondensedSolid",
    "Constant",
    "ContactGeometry",
    "CubicStribeck",
    "Curved",
    "Cylinder",
    "CylinderLaw",
    "CylindricalClearance",
    "CylindricalJoint",
    "Damping",
    "Derived",
    "DistanceJoint",
    "ESDU78035",
    "Ellipse",
    "EnergyGrowth",
    "ExactRestitution",
    "FixedJoint",
    "Flat",
    "Flores2011",
    "Force",
    "FrictionElement",
    "FrictionLaw",
    "GeneralizedAlpha",
    "Gonthier",
    "GuideContact",
    "GuideProbe",
    "GuideSurface",
    "Harmonic",
    "HerbertMcWhannell",
    "Hertz",
    "Hollow",
    "HuGuo",
    "HuntCrossley",
    "IProfile",
    "InputError",
    "Interrupted",
    "Johnson",
    "KelvinVoigt",
    "KuwabaraKono",
    "LankaraniNikravesh",
    "LeeWang",
    "LimitReached",
    "LineLoad",
    "Linear",
    "LinearElastic",
    "Liu",
    "LuGre",
    "MasslessFrame",
    "Material",
    "Model",
    "Modes",
    "ModifiedCoulomb",
    "NeoHookean",
    "NormalLaw",
    "Parameter",
    "Pereira",
    "PlanarJoint",
    "PointOnLine",
    "PointSection",
    "Polygon",
    "Polynomial",
    "Pressure",
    "PrismaticJoint",
    "Probe",
    "Rectangle",
    "Results",
    "RevoluteClearance",
    "RevoluteJoint",
    "RigidBody",
    "RodGuide",
    "RollingJoint",
    "RotationDriver",
    "Section",
    "SectionForces",
    "Simulation",
    "SlidingJoint",
    "SmoothCoulomb",
    "SmoothRamp",
    "Solid",
    "SolidProbe",
    "Sphere",
    "SphericalClearance",
    "SphericalJoint",
    "Spline",
    "SpringDamper",
    "SqueezeFilm",
    "StVenantKirchhoff",
    "StaticResults",
    "Statics",
    "SteadyRotation",
    "StepFailed",
    "Stepper",
    "Stribeck",
    "SurfaceStick",
    "SurfaceWear",
    "System",
    "SystemState",
    "TaylorThreeTerms",
    "TaylorTwoTerms",
    "Threlfall",
    "Thrust",
    "Torque",
    "TorsionSpring",
    "Traction",
    "TranslationDriver",
    "TranslationalClearance",
    "TrueStick",
    "Tube",
    "UniversalJoint",
    "Wavy",
    "Wear",
    "Winkler",
    "ZhiyingQishao",
    "bai_zhao",
    "eigenmodes",
    "gears",
    "lubrication",
    "meshes",
    "resultants",
    "stress",
]

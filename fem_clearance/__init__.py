"""Flexible multibody systems with clearance joints, on FEniCSx."""

from . import (
    _backend,  # noqa: F401  (MPI first)
    gears,
    lubrication,
    meshes,
)
from .bodies.beams.beam import Beam
from .bodies.beams.centre_line import Arc, Spline
from .bodies.beams.forces import SectionForces
from .bodies.beams.polygon_sections import PointSection, Polygon
from .bodies.beams.sections import Circle, Ellipse, IProfile, Rectangle, Section, Tube
from .bodies.materials import Damping, LinearElastic, Material, NeoHookean, StVenantKirchhoff
from .bodies.rigid import MasslessFrame, RigidBody
from .bodies.shapes import Box, Cylinder, Sphere
from .bodies.solids import resultants, stress
from .bodies.solids.condensed import CondensedSolid
from .bodies.solids.loads import Pressure, Traction
from .bodies.solids.probe import SolidProbe
from .bodies.solids.solid import Solid
from .contact.cylindrical import CylindricalClearance
from .contact.facets.contact import Winkler
from .contact.facets.friction import SurfaceStick
from .contact.facets.guide_contact import GuideContact
from .contact.facets.wear import SurfaceWear
from .contact.friction_element import FrictionElement
from .contact.guide import Curved, Flat, GuideSurface, Hollow, Wavy
from .contact.guide_probe import GuideProbe
from .contact.laws.cylinders import ESDU78035, BaiZhao, CylinderLaw, Johnson, Liu, Pereira, bai_zhao
from .contact.laws.friction import (
    BengisuAkay,
    BristleLaw,
    CubicStribeck,
    FrictionLaw,
    ModifiedCoulomb,
    SmoothCoulomb,
    Stribeck,
    Threlfall,
)
from .contact.laws.hysteresis import (
    ExactRestitution,
    Flores2011,
    Gonthier,
    HerbertMcWhannell,
    HuGuo,
    KuwabaraKono,
    LeeWang,
    ZhiyingQishao,
)
from .contact.laws.lugre import LuGre
from .contact.laws.normal import Hertz, HuntCrossley, KelvinVoigt, LankaraniNikravesh, NormalLaw
from .contact.laws.pair_data import ContactGeometry
from .contact.laws.stick import TrueStick
from .contact.laws.taylor import TaylorThreeTerms, TaylorTwoTerms
from .contact.revolute import RevoluteClearance
from .contact.rod_guide import RodGuide, SqueezeFilm
from .contact.spherical import SphericalClearance
from .contact.thrust import Thrust
from .contact.translational import TranslationalClearance
from .contact.wear.archard import Archard
from .contact.wear.rings import Wear
from .core.initial import SystemState
from .deprecated import Modules
from .errors import EnergyGrowth, InputError, Interrupted, LimitReached, StepFailed
from .functions import Constant, Harmonic, Linear, Polynomial, SmoothRamp
from .io.rows import Derived
from .joints.angle import AngleProbe
from .joints.attachment import Attachment
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
from .joints.spring import Bushing, SpringDamper, TorsionSpring
from .model.loads import Force, LineLoad, Torque
from .model.probes import Probe
from .model.system import System
from .runs.case import Case, Model
from .runs.modes import Modes, eigenmodes
from .runs.parameters import Parameter
from .runs.results import Results
from .runs.simulation import Simulation
from .runs.statics import StaticResults, Statics
from .statics.rotation import SteadyRotation
from .timestepping import Bathe, CentralDifference, GeneralizedAlpha
from .timestepping.stepper import Stepper

__version__ = "0.1.0"

Modules(
    __name__,
    {
        "bodies.resultants": "bodies.solids.resultants",
        "bodies.sections": "bodies.beams.sections",
        "contact.friction": "contact.laws.friction",
        "core.system": "model.system",
        "core.unknowns": "core.blocks",
        "integrators": "timestepping",
        "io.results": "runs.results",
        "joints.pair": "model.pair",
        "loads": "model.loads",
        "lubrication.cavitation": "lubrication.film.cavitation",
        "lubrication.lubricant": "lubrication.film.lubricant",
        "probes": "model.probes",
        "simulation": "runs.simulation",
    },
    kept={"contact.normal": "contact.laws.normal"},
).install()

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

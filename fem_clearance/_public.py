"""All public names of ``fem_clearance``, loaded; ``__all__`` there lists them."""

# ruff: noqa: F401  (imported to be found here)

from . import (
    _backend,  # MPI first
    functions,
    gears,
    lubrication,
    meshes,
)
from .bodies import shapes
from .bodies.beams.beam import Beam
from .bodies.beams.centre_line import Arc, Spline
from .bodies.beams.forces import SectionForces
from .bodies.beams.polygon_sections import PointSection, Polygon
from .bodies.beams.section_matrices import SectionMatrices
from .bodies.beams.section_table import SectionTable
from .bodies.beams.sections import Circle, Ellipse, IProfile, Rectangle, Section, Tube
from .bodies.mass import MassProperties
from .bodies.materials import Damping, LinearElastic, Material, NeoHookean, StVenantKirchhoff
from .bodies.point_mass import PointMass
from .bodies.reduced.body import ReducedBody
from .bodies.reduced.matrices import BodyMatrices
from .bodies.rigid import MasslessFrame, RigidBody
from .bodies.solids import resultants, stress
from .bodies.solids.condensed import CondensedSolid
from .bodies.solids.loads import Pressure, Traction
from .bodies.solids.probe import SolidProbe
from .bodies.solids.solid import Solid
from .contact import guide as guides
from .contact.cylindrical import CylindricalClearance
from .contact.facets.contact import Winkler
from .contact.facets.friction import SurfaceStick
from .contact.facets.guide_contact import GuideContact
from .contact.facets.hard import Hard
from .contact.facets.pair_contact import FacetPairContact
from .contact.facets.surface_contact import SurfaceContact
from .contact.facets.wear import SurfaceWear
from .contact.friction_element import FrictionElement
from .contact.guide import GuideSurface
from .contact.guide_probe import GuideProbe
from .contact.laws.conformal import PinInBore
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
from .contact.surfaces.profiles import ProfileSurface, RevolvedSurface
from .contact.surfaces.shapes import (
    CylinderSurface,
    FrameSurface,
    PlaneSurface,
    SphereSurface,
    TorusSurface,
)
from .contact.thrust import Thrust
from .contact.translational import TranslationalClearance
from .contact.wear.archard import Archard
from .contact.wear.rings import Wear
from .core.initial import SystemState
from .deprecated import Modules, names
from .errors import EnergyGrowth, InputError, Interrupted, LimitReached, StepFailed
from .io.rows import Derived
from .joints.angle import AngleProbe
from .joints.attachment import Attachment
from .joints.coefficient_tables import CoefficientTable
from .joints.coupler import Coupler
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
from .joints.joint_friction import JointFriction
from .joints.rolling import RollingJoint
from .joints.sampled_loads import SampledForce, SampledTorque
from .joints.sliding import SlidingJoint
from .joints.speed_tables import BearingCoefficients, Motor
from .joints.spring import Bushing, SpringDamper, TorsionSpring
from .joints.state_loads import StateForce, StateTorque
from .joints.stops import RotationStops, TranslationStops
from .model.loads import Force, LineLoad, Torque
from .model.probes import Probe
from .model.system import System
from .runs.case import Case, Model
from .runs.modes import Modes, eigenmodes
from .runs.parameters import Parameter
from .runs.results import Results
from .runs.simulation import Simulation
from .runs.static_results import StaticResults
from .runs.statics import Statics
from .runs.sweep import sweep
from .runs.sweep_results import SweepResults
from .sensitivity.derivatives import Derivatives
from .sensitivity.outputs import At, Function, Integral, Peak
from .sensitivity.sensitivity import Sensitivity
from .sensitivity.steady import SteadySensitivity
from .statics.rotation import SteadyRotation
from .timestepping import Bathe, CentralDifference, GeneralizedAlpha
from .timestepping.stepper import Stepper
from .user_code import answering

for _item in [*globals().values()]:
    if isinstance(_item, type) and not issubclass(_item, BaseException):
        answering(_item)

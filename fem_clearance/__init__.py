"""Flexible multibody systems with clearance joints, on FEniCSx."""

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import (
    _environment,  # noqa: F401  (before NumPy)
    _signals,  # a signal while the rest loads ends the program
)
from .deprecated import Modules, names

if TYPE_CHECKING:
    from ._public import *  # noqa: F403

if not _signals.is_program():  # whose light commands need no MPI; scripts may import mpi4py next
    from . import _backend  # noqa: F401

__version__ = "0.2.0"

Modules(
    __name__,
    {
        "analysis.chart": "analysis.coordinates",
        "bodies.beams.cable": "bodies.beams.elements",
        "bodies.beams.frames": "bodies.beams.layout",
        "bodies.resultants": "bodies.solids.resultants",
        "bodies.sections": "bodies.beams.sections",
        "contact.friction": "contact.laws.friction",
        "core.system": "model.system",
        "core.unknowns": "core.blocks",
        "integrators": "timestepping",
        "io.results": "runs.results",
        "joints.bushing": "joints.spring",
        "joints.pair": "model.pair",
        "loads": "model.loads",
        "lubrication.film.density": "lubrication.film.lubricant",
        "lubrication.cavitation": "lubrication.film.cavitation",
        "lubrication.lubricant": "lubrication.film.lubricant",
        "probes": "model.probes",
        "program.farm": "runs.farm",
        "program.sweep": "runs.sweep",
        "simulation": "runs.simulation",
    },
    kept={
        "contact.normal": "contact.laws.normal",
        "guides": "contact.guide",
        "shapes": "bodies.shapes",
    },
).install()

#: names that were too general to stand alone
_renamed = names(
    __name__,
    {
        "Box": "shapes.Box",
        "Constant": "functions.Constant",
        "Curved": "guides.Parabolic",
        "Cylinder": "shapes.Cylinder",
        "Flat": "guides.Plane",
        "Harmonic": "functions.Harmonic",
        "Hollow": "guides.Dent",
        "Linear": "functions.Linear",
        "Polynomial": "functions.Polynomial",
        "SmoothRamp": "functions.SmoothRamp",
        "Sphere": "shapes.Sphere",
        "Wavy": "guides.Sinusoidal",
    },
)


def _found(name: str) -> Any:
    """A public name or folder, loaded when it is first asked for."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in __all__ and name not in _FOLDERS:
        found = getattr(importlib.import_module("._public", __name__), name)
    elif find_spec(f"{__name__}.{name}"):
        found = importlib.import_module(f"{__name__}.{name}")
    else:
        try:
            return _renamed(name)
        except AttributeError as error:
            longer = [known for known in __all__ if len(name) > 3 and name in known]
            if not longer:
                raise
            # with a name of its own Python does not add another suggestion
            raise AttributeError(f"{error}; there is {', '.join(longer)}", name=name) from None
    globals()[name] = found
    return found


if not TYPE_CHECKING:  # type checkers know the names
    __getattr__ = _found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


#: of the names below, those that are modules
_FOLDERS = ("functions", "gears", "lubrication", "meshes")

__all__ = [
    "Archard",
    "AngleProbe",
    "Arc",
    "At",
    "Attachment",
    "BaiZhao",
    "Bathe",
    "Beam",
    "BearingCoefficients",
    "BengisuAkay",
    "BodyMatrices",
    "BristleLaw",
    "Bushing",
    "Case",
    "CentralDifference",
    "Circle",
    "CoefficientTable",
    "CondensedSolid",
    "ContactGeometry",
    "Coupler",
    "CubicStribeck",
    "CylinderLaw",
    "CylinderSurface",
    "CylindricalClearance",
    "CylindricalJoint",
    "Damping",
    "Derivatives",
    "Derived",
    "DistanceJoint",
    "ESDU78035",
    "Ellipse",
    "EnergyGrowth",
    "ExactRestitution",
    "FacetPairContact",
    "FixedJoint",
    "Flores2011",
    "Force",
    "FrameSurface",
    "FrictionElement",
    "FrictionLaw",
    "Function",
    "GeneralizedAlpha",
    "Gonthier",
    "GuideContact",
    "GuideProbe",
    "GuideSurface",
    "Hard",
    "HerbertMcWhannell",
    "Hertz",
    "HuGuo",
    "HuntCrossley",
    "IProfile",
    "InputError",
    "Integral",
    "Interrupted",
    "Johnson",
    "JointFriction",
    "KelvinVoigt",
    "KuwabaraKono",
    "LankaraniNikravesh",
    "LeeWang",
    "LimitReached",
    "LineLoad",
    "LinearElastic",
    "Liu",
    "LuGre",
    "MassProperties",
    "MasslessFrame",
    "Material",
    "Model",
    "Modes",
    "ModifiedCoulomb",
    "Motor",
    "NeoHookean",
    "NormalLaw",
    "Parameter",
    "Peak",
    "Pereira",
    "PinInBore",
    "PlanarJoint",
    "PlaneSurface",
    "PointMass",
    "PointOnLine",
    "PointSection",
    "Polygon",
    "Pressure",
    "PrismaticJoint",
    "Probe",
    "ProfileSurface",
    "Rectangle",
    "ReducedBody",
    "Results",
    "RevolvedSurface",
    "RevoluteClearance",
    "RevoluteJoint",
    "RigidBody",
    "RodGuide",
    "RollingJoint",
    "RotationDriver",
    "RotationStops",
    "SampledForce",
    "SampledTorque",
    "Section",
    "SectionForces",
    "SectionMatrices",
    "SectionTable",
    "Sensitivity",
    "Simulation",
    "SlidingJoint",
    "SmoothCoulomb",
    "Solid",
    "SolidProbe",
    "SphereSurface",
    "SphericalClearance",
    "SphericalJoint",
    "Spline",
    "SpringDamper",
    "SqueezeFilm",
    "StVenantKirchhoff",
    "StateForce",
    "StateTorque",
    "StaticResults",
    "Statics",
    "SteadyRotation",
    "SteadySensitivity",
    "StepFailed",
    "Stepper",
    "Stribeck",
    "SurfaceContact",
    "SurfaceStick",
    "SurfaceWear",
    "SweepResults",
    "System",
    "SystemState",
    "TaylorThreeTerms",
    "TaylorTwoTerms",
    "Threlfall",
    "Thrust",
    "Torque",
    "TorusSurface",
    "TorsionSpring",
    "Traction",
    "TranslationDriver",
    "TranslationStops",
    "TranslationalClearance",
    "TrueStick",
    "Tube",
    "UniversalJoint",
    "Wear",
    "Winkler",
    "ZhiyingQishao",
    "bai_zhao",
    "eigenmodes",
    "functions",
    "gears",
    "guides",
    "lubrication",
    "meshes",
    "resultants",
    "shapes",
    "stress",
    "sweep",
]

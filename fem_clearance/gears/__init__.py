"""Spur gears: geometry, stiffness and friction of the mesh, the pair as a force element."""

from .chaari import ChaariStiffness
from .drive import MeanRotationDriver
from .finite_element import FiniteElementStiffness
from .friction import ConstantFriction, EHDFriction, ToothFriction
from .geometry import GearMesh, SpurGear
from .mesh_stiffness import (
    ConstantStiffness,
    FourierStiffness,
    MeshStiffness,
    RectangularStiffness,
    TabulatedStiffness,
)
from .pair import GearPair, equivalent_mass
from .shape import Gear

__all__ = [
    "ChaariStiffness",
    "ConstantFriction",
    "ConstantStiffness",
    "EHDFriction",
    "FiniteElementStiffness",
    "FourierStiffness",
    "Gear",
    "GearMesh",
    "GearPair",
    "MeanRotationDriver",
    "MeshStiffness",
    "RectangularStiffness",
    "SpurGear",
    "TabulatedStiffness",
    "ToothFriction",
    "equivalent_mass",
]

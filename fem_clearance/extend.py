"""Building blocks for your own laws, joints and bodies.

    from fem_clearance.extend import Observable, Pair, PairKind, multipliers

``docs/extending.md`` shows each in use. Names that are neither here nor in ``fem_clearance`` may
change.
"""

from __future__ import annotations

from . import checks
from .contact.clearance import law_numbers
from .contact.kind import contact_kind
from .contact.laws.friction import BristleLaw, FrictionLaw
from .contact.laws.normal import NormalLaw, indicator, power
from .contact.placements.touch import Placement, Touch
from .core.blocks import Block, Ref, multipliers
from .core.component import Cell
from .core.kind import Kind
from .core.mixins import (
    ContactGap,
    DistributedParameters,
    ForeseeableChange,
    LimitedValidity,
    RecoveredFields,
    RestrictedSparsity,
    RigidDirectors,
    SimplerForm,
    UpdatesParameters,
)  # fmt: skip
from .core.observables import Observable, internal
from .core.observation import Channels
from .core.problem import Problem
from .core.roles import (
    DIRECTIONS,
    DISPLACEMENTS,
    INTERNAL,
    PLACES,
    ROTATION,
    TRANSLATION,
    Algebraic,
    Condensed,
    Coordinate,
    Internal,
    Multiplier,
    Role,
)  # fmt: skip
from .core.settings import SolverSettings
from .core.state import State
from .core.symbols import Symbols, total, triple
from .errors import InputError
from .gears.friction import ToothFriction
from .lubrication.film.cavitation import Cavitation
from .lubrication.film.lubricant import Lubricant
from .lubrication.film.temperature import TemperatureLaw
from .model.builder import Builder
from .model.frame import Frame, FrameKind, Pose
from .model.item import Body, Item
from .model.pair import Pair, PairKind, SingleKind
from .model.portrait import BodyPortrait, Portrait
from .timestepping.gaps import WATCHED, watched
from .timestepping.integrator import Coefficients, Integrator, Past
from .timestepping.settings import StepSettings
from .timestepping.step_engine import StepEngine
from .timestepping.stepper import Stepper

__all__ = [
    "DIRECTIONS",
    "DISPLACEMENTS",
    "INTERNAL",
    "PLACES",
    "ROTATION",
    "TRANSLATION",
    "WATCHED",
    "Algebraic",
    "Block",
    "Body",
    "BristleLaw",
    "Builder",
    "Cavitation",
    "Cell",
    "Channels",
    "Coefficients",
    "Condensed",
    "ContactGap",
    "Coordinate",
    "DistributedParameters",
    "ForeseeableChange",
    "Frame",
    "FrameKind",
    "FrictionLaw",
    "InputError",
    "Integrator",
    "Internal",
    "Item",
    "Kind",
    "LimitedValidity",
    "Lubricant",
    "Multiplier",
    "NormalLaw",
    "Observable",
    "Pair",
    "PairKind",
    "BodyPortrait",
    "Portrait",
    "Past",
    "Placement",
    "Pose",
    "Problem",
    "RecoveredFields",
    "Ref",
    "RestrictedSparsity",
    "RigidDirectors",
    "Role",
    "SimplerForm",
    "SingleKind",
    "SolverSettings",
    "State",
    "StepEngine",
    "StepSettings",
    "Stepper",
    "Symbols",
    "TemperatureLaw",
    "ToothFriction",
    "Touch",
    "UpdatesParameters",
    "checks",
    "contact_kind",
    "indicator",
    "internal",
    "law_numbers",
    "multipliers",
    "power",
    "total",
    "triple",
    "watched",
]

"""What laws, joints and bodies of one's own are made of.

    from fem_clearance.extend import Observable, Pair, PairKind, multipliers

`docs/extending.md` shows each at work. What is not named here or in ``fem_clearance`` may change.
"""

from __future__ import annotations

from . import checks
from .contact.clearance import law_numbers
from .contact.kind import contact_kind
from .contact.laws.friction import BristleLaw, FrictionLaw
from .contact.laws.normal import NormalLaw, indicator, power
from .contact.placements.touch import Placement, Touch
from .core.blocks import INTERNAL, ROTATION, TRANSLATION, Block, Ref, multipliers
from .core.component import Cell
from .core.kind import Kind
from .core.observables import Observable, hidden
from .core.observation import Channels
from .core.problem import Problem
from .core.state import State
from .core.symbols import Symbols, total, triple
from .errors import InputError
from .gears.friction import ToothFriction
from .lubrication.film.cavitation import Cavitation
from .lubrication.film.lubricant import Lubricant
from .model.frame import Frame, FrameKind, Pose
from .model.item import Body, Item
from .model.pair import Pair, PairKind, SingleKind
from .timestepping.gaps import watched
from .timestepping.step_engine import StepEngine
from .timestepping.stepper import Stepper

__all__ = [
    "INTERNAL",
    "ROTATION",
    "TRANSLATION",
    "Block",
    "Body",
    "BristleLaw",
    "Cavitation",
    "Cell",
    "Channels",
    "Frame",
    "FrameKind",
    "FrictionLaw",
    "InputError",
    "Item",
    "Kind",
    "Lubricant",
    "NormalLaw",
    "Observable",
    "Pair",
    "PairKind",
    "Placement",
    "Pose",
    "Problem",
    "Ref",
    "SingleKind",
    "State",
    "StepEngine",
    "Stepper",
    "Symbols",
    "ToothFriction",
    "Touch",
    "checks",
    "contact_kind",
    "hidden",
    "indicator",
    "law_numbers",
    "multipliers",
    "power",
    "total",
    "triple",
    "watched",
]

"""What cases with one joint, called ``joint``, share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import checks
from ..contact.laws.normal import APPROACH_SPEEDS
from ..io.rows import Derived
from ..runs.parameters import Parameter
from ..timestepping.events import ONSET, Event


def fraction(name: str, value) -> float:
    """Check of a parameter: a number from 0 to 1."""
    return checks.within(name, value, 0, 1)


def restitution(name: str = "joint.restitution", default: float = 0.9) -> Parameter:
    """Parameter of contact laws; ``joint.restitution`` is read in any case."""
    aliases = {} if name == "joint.restitution" else {"joint.restitution": 1.0}
    return Parameter(
        name, default, text="coefficient of restitution", check=fraction, aliases=aliases
    )


APPROACH_SPEED = Parameter(
    "approach_speed", "phase",
    text="speed that hysteresis is measured by: of the phase of the contact, or of its first touch",
    choices=APPROACH_SPEEDS,
)  # fmt: skip
APPROACH_FLOOR = Parameter(
    "approach_floor", None, "m/s",
    "least speed that hysteresis is measured by; default from gravity and size",
    check=checks.positive,
)  # fmt: skip


def hysteresis(p, restitution: str = "joint.restitution") -> dict[str, Any]:
    """Arguments of a hysteretic law; ``restitution``: name of that parameter."""
    return {"restitution": p[restitution], "approach_speed": p["approach_speed"]}


FRICTION = Parameter(
    "joint.friction", 0.0, text="coefficient of friction", check=checks.non_negative
)


def ideal_channels(units: dict[str, str], axes: str) -> list[Derived]:
    """Channels of a joint with clearance that an ideal one lacks.

    Args:
        units: names of channels that are zero, with their units.
        axes: of the reaction, whose size is ``normal_force``.
    """

    def size(channels):
        return np.sqrt(sum(channels[f"joint.reaction.{x}"] ** 2 for x in axes))

    return [
        *(zero(f"joint.{n}", unit, "the joint is ideal") for n, unit in units.items()),
        Derived("joint.normal_force", "N", "size of the joint's force", size),
    ]


def no_strain_energy(what: str) -> Derived:
    """The channel ``energy.strain`` of a model without flexible bodies."""
    return zero("energy.strain", "J", what)


def zero(name: str, unit: str, why: str) -> Derived:
    """A channel that is zero."""
    return Derived(name, unit, f"zero: {why}", lambda _: 0.0)


def first_impact(events: Sequence[Event]) -> Event | None:
    """The first contact in the joint."""
    return next((e for e in events if e.kind == ONSET and e.owner == "joint"), None)

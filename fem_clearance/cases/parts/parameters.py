"""Parameters of cases: units, checks and texts that many of them share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ... import checks
from ...bodies.beams.models import SECTION_MODELS
from ...contact.laws.normal import APPROACH_SPEEDS
from ...errors import InputError
from ...runs.parameters import Parameter


def within(low: float, high: float) -> Callable[[str, Any], float]:
    """Check of a number from ``low`` to ``high``."""
    return lambda name, value: checks.within(name, value, low, high)


def each(check: Callable[[str, Any], Any]) -> Callable[[str, Any], list]:
    """Check of all numbers of a list."""
    return lambda name, values: [check(name, x) for x in values]


def turning(why: str) -> Callable[[str, Any], float]:
    """Check of a speed that must be positive; ``why``: reason for the message."""

    def check(name, value):
        speed = checks.number(name, value)
        if not speed > 0:
            raise InputError(f"{name} must be positive, got {speed:g}: {why}.")
        return speed

    return check


def poisson(name: str, value: Any) -> float:
    """Check of a Poisson's ratio: above -1 and below 0.5."""
    nu = checks.number(name, value)
    if not -1 < nu < 0.5:
        raise InputError(f"{name} must be greater than -1 and less than 0.5, got {nu:g}.")
    return nu


#: unit, check and text by the last word of a parameter's name
QUANTITIES: dict[str, tuple[str, Callable[[str, Any], Any], str]] = {
    "E": ("Pa", checks.positive, "Young's modulus"),
    "backlash": (
        "m", checks.non_negative, "clearance along the line of action; default: teeth never part",
    ),
    "clearance": ("m", checks.positive, "radial"),
    "damping": ("s", checks.non_negative, "retardation time of its material"),
    "elements": ("", checks.count, "number of elements"),
    "friction": ("", checks.non_negative, "coefficient of friction"),
    "load": ("N", checks.positive, "force"),
    "mu": ("", checks.non_negative, "constant coefficient"),
    "nu": ("", poisson, "Poisson's ratio"),
    "order": ("", checks.count, "last harmonic"),
    "rho": ("kg/m^3", checks.positive, "density"),
    "restitution": ("", within(0, 1), "coefficient of restitution"),
    "roughness": ("m", checks.positive, "rms of both surfaces"),
    "rpm": ("1/min", checks.positive, "speed of the crank"),
    "speed": ("rad/s", checks.positive, "angular velocity"),
    "stiffness": ("N/m", checks.positive, "of the spring"),
    "transmission_error": ("m", checks.non_negative, "amplitude of the unloaded gears' error"),
    "viscosity": ("Pa s", checks.positive, "of the oil"),
    "width": ("m", checks.positive, "width"),
}  # fmt: skip
#: other names of speeds, with factors of their values
ALIASES = {
    "crank.rpm": {"crank.speed": 30 / np.pi}, "crank.speed": {"crank.rpm": np.pi / 30},
    "pinion.rpm": {"pinion.speed": 30 / np.pi}, "pinion.speed": {"pinion.rpm": np.pi / 30},
}  # fmt: skip


def quantity(name: str, default: Any, text: str = "", **more: Any) -> Parameter:
    """A parameter whose last word is one of ``QUANTITIES``; ``more``: arguments of ``Parameter``
    that differ."""
    unit, check, usual = QUANTITIES[name.rpartition(".")[2]]
    more = {"unit": unit, "check": check, "aliases": ALIASES.get(name, {}), **more}
    return Parameter(name, default, text=text or usual, **more)


def _checked(check, name: str, default: Any, unit: str, text: str, **more: Any) -> Parameter:
    return Parameter(name, default, unit, text, check=check, **more)


#: parameters by their range; arguments: name, default, unit, text
positive = partial(_checked, checks.positive)
non_negative = partial(_checked, checks.non_negative)
number = partial(_checked, checks.number)


def count(name: str, default: int, text: str, **more: Any) -> Parameter:
    """A number of things."""
    return _checked(checks.count, name, default, "", text, **more)


def choice(name: str, text: str, *options: Any, **more: Any) -> Parameter:
    """One of some words or numbers, the default first."""
    return Parameter(name, options[0], text=text, choices=options, **more)


def cells(name: str, default: str, text: str, along: str, **more: Any) -> Parameter:
    """Numbers of cells such as ``96x16``; ``along``: which directions, as ``around and along``."""

    def check(name, value):
        parts = value.lower().split("x")
        if len(parts) != default.count("x") + 1 or not all(
            n.strip().isdigit() and int(n) for n in parts
        ):
            raise InputError(
                f"{name} must be numbers of cells {along}, such as {default}, got {value!r}."
            )
        return value

    return _checked(check, name, default, "", f"{text} {along}", **more)


def cells_of(text: str) -> tuple[int, ...]:
    """Numbers of cells of a text such as ``96x16``."""
    return tuple(int(n) for n in text.lower().split("x"))


# --- parameters of several cases ----------------------------------------------------------------
#: the papers' beams have plane sections
SECTION_MODEL = choice(
    "section_model", "sections of beams stay plane, or warp freely as Saint-Venant's do",
    *SECTION_MODELS[::-1],
)  # fmt: skip
APPROACH_SPEED = choice(
    "approach_speed",
    "speed that hysteresis is measured by: of the phase of the contact, or of its first touch",
    *APPROACH_SPEEDS,
)
APPROACH_FLOOR = positive(
    "approach_floor", None, "m/s",
    "least speed that hysteresis is measured by; default from gravity and size",
)  # fmt: skip
FRICTION = quantity("joint.friction", 0.0)


def restitution(name: str = "joint.restitution", default: float = 0.9) -> Parameter:
    """The coefficient of restitution; ``joint.restitution`` is always accepted too."""
    aliases = {} if name == "joint.restitution" else {"joint.restitution": 1.0}
    return quantity(name, default, aliases=aliases)


def hysteresis(p, restitution: str = "joint.restitution") -> dict[str, Any]:
    """Arguments of a hysteretic law; ``restitution``: name of its parameter."""
    return {"restitution": p[restitution], "approach_speed": p["approach_speed"]}

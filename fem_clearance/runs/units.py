"""Values with units, such as ``20 mm`` or ``300 rpm``, in the unit of a parameter.

Pint reads the units; it is loaded when the first one is given. Angles have a dimension of their own
here. A frequency (Hz) is therefore not accepted as an angular velocity (rad/s, rpm), from which it
differs by a factor of 2 pi, nor an angle as a plain number.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from ..errors import InputError

#: a number followed by a unit, such as 210GPa, 20 mm, 5 1/s, 3 %
WITH_UNIT = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?+)\s*((?:1\s*/\s*)?[^\W\d_].*|[%°].*)"
)
#: revolutions a minute; a name of its own, since pint keeps what its own rpm is made of
RPM = "round_per_minute"
#: units of parameters that pint would read differently: revolutions, not only a rate
TURNS = {"1/min": RPM}

#: angles and their rates, as units of a dimension of their own
ANGLES = (
    "radian = [angle] = rad", "degree = 0.017453292519943295 radian = deg",
    "turn = 6.283185307179586 radian = rev = revolution",
    f"{RPM} = 0.10471975511965977 radian / second",
)  # fmt: skip


@functools.cache
def _registry() -> Any:
    try:
        import pint
    except ImportError:
        return None
    # a registry that has loaded its units itself would still take radians for plain numbers
    units = pint.UnitRegistry(None, on_redefinition="ignore")
    units.load_definitions(Path(pint.__file__).with_name("default_en.txt"))
    for angle in ANGLES:
        units.define(angle)
    return units


def value_in(name: str, unit: str, text: str) -> float | None:
    """The number that a text with a unit gives a parameter, in the parameter's unit.

    Args:
        name: of the parameter, for messages.
        unit: SI unit of the parameter; empty: a plain number.
        text: of the value.

    Returns:
        ``None`` for a text that is not a number with a unit.

    Raises:
        InputError: an unknown unit, or one of another dimension.
    """
    match = WITH_UNIT.fullmatch(text)
    if match is None:
        return None
    digits, given = match[1], match[2].strip()
    wanted = f"in {unit}" if unit else "a plain number"
    if given == unit:
        return float(digits)
    units = _registry()
    if units is None:
        raise InputError(f"{name} has a unit in {text!r}, which pint reads; without it: {wanted}.")
    try:
        quantity = units.Quantity(float(digits), units.parse_units(re.sub(r"\brpm\b", RPM, given)))
    except Exception as error:  # pint has many of its own, for what is no unit
        raise InputError(
            f"{name}: {given!r} is not a unit that is known; give a value {wanted}."
            if unit
            else f"{name} must be {wanted}, got {text!r}."
        ) from error
    target = TURNS.get(unit, unit) or "dimensionless"
    try:
        return float(f"{quantity.m_as(units.parse_units(target)):.15g}")
    except Exception as error:
        what = f"in {unit} or a unit like it" if unit else wanted
        raise InputError(f"{name} must be {what}, got {text!r}.") from error

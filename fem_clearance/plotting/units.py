"""Units in figures: with prefixes for which numbers are between 0.1 and 1000."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

#: prefixes of SI by powers of ten
PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
#: symbols that may have a prefix, and its largest power of ten
SYMBOLS = {
    "m": 9, "s": 0, "g": 3, "N": 9, "Pa": 9, "J": 9, "W": 9, "Hz": 9, "rad": 0, "V": 9, "A": 9
}  # fmt: skip
#: numbers that axes show without an exponent
LEAST, MOST = 1e-3, 1e4
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def prefixed(unit: str, *values: np.ndarray | float) -> tuple[float, str]:
    """The factor by which numbers are multiplied for an axis, and the unit of the products.

    Args:
        unit: as of channels: ``m``, ``N m``, ``m/s^2``.
        values: all values on the axis.

    Returns:
        1 and ``unit`` if no prefix is needed. If the unit can have no prefix and the numbers are
        too large or too small for an axis, a power of ten precedes it (``10^6 kg m/s``).

    Example:
        >>> prefixed("Pa", 2.1e8)
        (1e-06, 'MPa')
    """
    most = max((largest(v) for v in values), default=0.0)
    found = re.match(r"(k?)([A-Za-z]+)(?:\^([23]))?(?![A-Za-z^])", unit)
    if most == 0 or 0.1 <= most < 1000:
        return 1.0, unit
    if not found or found[2] not in SYMBOLS:
        return _power_of_ten(unit, most)
    own, symbol, power = 3 * bool(found[1]), found[2], int(found[3] or 1)
    if own and symbol != "g":
        return 1.0, unit
    lowest = 10.0 ** (-3 * (power - 1))  # least number shown: prefixes of areas differ by a million
    wanted = own + 3 * np.floor(np.log10(most / lowest) / (3 * power))
    exponent = int(np.clip(wanted, min(PREFIXES), max(own, SYMBOLS[symbol])))
    rest = unit[found.end() :]
    raised = f"^{power}" if power > 1 else ""
    factor, shown = (
        10.0 ** (power * (own - exponent)),
        f"{PREFIXES[exponent]}{symbol}{raised}{rest}",
    )
    more, shown = _power_of_ten(shown, factor * most)
    return factor * more, shown


def _power_of_ten(unit: str, most: float) -> tuple[float, str]:
    """For units without a suitable prefix: an exponent that an axis would show is moved to the
    unit."""
    if LEAST <= most < MOST:
        return 1.0, unit
    exponent = 3 * int(np.floor(np.log10(most) / 3))
    return 10.0**-exponent, f"10^{exponent} {'' if unit == '1' else unit}".strip()


def largest(values: np.ndarray | float) -> float:
    """Largest absolute value of those that are finite."""
    sizes = np.abs(np.asarray(values, float))
    sizes = sizes[np.isfinite(sizes)]
    return float(sizes.max()) if sizes.size else 0.0


def scaled(unit: str, lines: Iterable[np.ndarray]) -> tuple[list[np.ndarray], str]:
    """Lines on a common axis in a suitable unit, and that unit.

    Example:
        >>> (x, y), unit = scaled("m", (results["joint.ex"], results["joint.ey"]))
    """
    lines = [np.asarray(line, float) for line in lines]
    factor, shown = prefixed(unit, *lines)
    return [factor * line for line in lines], shown


def readable(unit: str) -> str:
    """A unit with superscripts: m/s² for m/s^2; ``-`` for the unit 1."""
    unit = "-" if unit == "1" else unit
    return re.sub(r"\^(-?\d+)", lambda found: found[1].translate(_RAISED), unit)

"""Checks of single input values; each returns the checked value or raises ``InputError``."""

import difflib
import logging
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .errors import InputError

logger = logging.getLogger(__name__)

#: viscosity of the most viscous lubricating oils when cold, Pa s
THICKEST = 5.0
#: temperature below which no oil is liquid, K
COLDEST = 150.0
#: largest count
MOST = 2**31 - 1


def number(name: str, value) -> float:
    """A finite real number."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number, got {shown(value)}.") from None
    except OverflowError:  # a whole number beyond 1.8e308
        result = np.inf
    if isinstance(value, bool) or not np.isfinite(result):
        raise InputError(f"{name} must be a finite number, got {shown(value)}.")
    return result


def is_number(text: str) -> bool:
    """Whether a text is a number as Python reads it."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def shown(value) -> str:
    """A value as messages show it; long ones are shortened."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python prints
        return f"a number of {value.bit_length()} bits"
    return text if len(text) <= 60 else f"{text[:50]}... ({len(text)} characters)"


def positive(name: str, value) -> float:
    """A finite number above zero."""
    result = number(name, value)
    if result <= 0:
        raise InputError(f"{name} must be positive, got {result:g}.")
    return result


def viscosity(name: str, value) -> float:
    """A viscosity above zero, Pa s; one that no lubricating oil has is warned of."""
    result = positive(name, value)
    if result > THICKEST:
        logger.warning(
            "%s = %g Pa s is more than any lubricating oil has; divide the number by 1000 if it is "
            "in mPa s (cP)", name, result,
        )  # fmt: skip
    return result


def temperature(name: str, value) -> float:
    """A temperature of oil or of what it wets, K; one that can only be in degrees Celsius is
    refused."""
    result = positive(name, value)
    if result < COLDEST:
        raise InputError(
            f"{name} must be in kelvin, got {result:g} K, at which oils are solid; {result:g} "
            f"degrees Celsius are {result + 273.15:g} K."
        )
    return result


def positive_fields(sizes) -> None:
    """All fields of a dataclass are finite numbers above zero."""
    for name, value in vars(sizes).items():
        positive(f"{type(sizes).__name__}.{name}", value)


def non_negative(name: str, value) -> float:
    """A finite number of at least zero."""
    result = number(name, value)
    if result < 0:
        raise InputError(f"{name} must not be negative, got {result:g}.")
    return result


def within(name: str, value, low: float, high: float) -> float:
    """A number with ``low <= value <= high``."""
    result = number(name, value)
    if not low <= result <= high:
        raise InputError(f"{name} must lie between {low:g} and {high:g}, got {result:g}.")
    return result


def count(name: str, value) -> int:
    """A whole number of at least one."""
    result = number(name, value)
    if not 1 <= result <= MOST or result != int(result):
        raise InputError(f"{name} must be a whole number of at least 1, got {shown(value)}.")
    return int(result)


def array(value) -> np.ndarray:
    """A value as a new array of real numbers, whose shape is still to be checked; of anything else
    an empty one, (0,)."""
    try:
        return np.zeros(0) if np.iscomplexobj(value) else np.array(value, dtype=float)
    except (TypeError, ValueError):  # words, rows of unequal length
        return np.zeros(0)


def counts(name: str, value, example: str = "(48, 8)") -> tuple[int, ...]:
    """Two whole numbers of at least one, as of cells in two directions."""
    if isinstance(value, str) or np.shape(value) != (2,):
        raise InputError(f"{name} must be two whole numbers such as {example}, got {shown(value)}.")
    return tuple(count(name, n) for n in value)


def vector(name: str, value, size: int = 3) -> np.ndarray:
    """A finite vector of the given size."""
    result = array(value)
    if result.shape != (size,):
        raise InputError(f"{name} must be a vector of {size} numbers, got {shown(value)}.")
    if not np.all(np.isfinite(result)):
        raise InputError(f"{name} must be finite, got {value!r}.")
    return result


def several(name: str, value) -> list[Any]:
    """The members of a list or the like; a text is none."""
    if isinstance(value, str) or not np.iterable(value):
        raise InputError(f"{name} must be a list, got {shown(value)}.")
    return list(value)


def objects(name: str, value, kind: type, example: str) -> tuple:
    """Objects of one kind from a list or tuple, which may be empty."""
    listed = "" if isinstance(value, kind) else value
    if isinstance(listed, str) or not np.iterable(listed):
        raise InputError(f"{name} must be a list such as [{example}], got {shown(value)}.")
    for one in (result := tuple(listed)):
        if not isinstance(one, kind):
            raise InputError(f"{name} must be {example} each, got {shown(one)}.")
    return result


def names(name: str, value) -> list[str]:
    """A name, or several, as a list."""
    return [word(name, n) for n in ([value] if isinstance(value, str) else several(name, value))]


def mapping(name: str, value, example: str) -> dict[Any, Any]:
    """A mapping, as a ``dict`` of its own."""
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be a mapping such as {example}, got {shown(value)}.")
    return dict(value)


def direction(name: str, value) -> np.ndarray:
    """A unit vector along the given one."""
    result = vector(name, value)
    length = np.linalg.norm(result)
    if length < 1e-12:
        raise InputError(f"{name} must not be the zero vector.")
    return result / length


def axis(who: str, value, example: str = "(0, 0, 1)") -> np.ndarray:
    """A unit vector along the axis that an item requires."""
    if value is None:
        raise InputError(f"{who} needs an axis, for example axis={example}.")
    return direction(f"{who}: axis", value)


def offers(value: object, *names: str) -> bool:
    """Whether an object has all these attributes; a class given instead of an object has none."""
    return not isinstance(value, type) and all(hasattr(value, n) for n in names)


def choice(name: str, value, options: Iterable):
    """One of a few names; the error suggests the closest one."""
    options = list(options)
    if isinstance(value, np.ndarray) or value not in options:
        raise InputError(
            f"{name} must be one of {some(options, 20)}; got {shown(value)}"
            f"{suggestion(value, options)}."
        )
    return value


#: names that items may not have: those of channels of the whole system, files and folders of a run
TAKEN = ("time", "events", "energy", "power", "fields", "shape", "figures", "checkpoint")
#: longest text in the name of a file, bytes; file systems allow 255 for the whole name
LONGEST = 100


def word(what: str, value) -> str:
    """A name: printable text in one line, not empty."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text, got {value!r}.")
    if not value.strip() or not value.isprintable():
        raise InputError(
            f"{what} must be made of printable characters, not of blanks alone, got {value!r}."
        )
    return value


def file_name(what: str, value, longest: int = LONGEST) -> str:
    """A text that may be the name of a file, or a part of it."""
    value = word(what, value)
    if value.startswith(".") or "/" in value or "\\" in value:
        raise InputError(
            f"{what} must not begin with a dot nor hold a slash: files are called by it; "
            f"got {value!r}."
        )
    if len(value.encode()) > longest:
        raise InputError(f"{what} must not be longer than {longest} bytes, got {value[:20]!r}...")
    return value


def name(what: str, value) -> str:
    """The name of a body, joint, load or probe, which names of files and channels contain."""
    value = file_name(what, value)
    first = value.partition(".")[0]
    if first in TAKEN:
        raise InputError(
            f"{what} must not be {first!r}, which a run's folder and results call their own; got "
            f"{value!r}."
        )
    return value


def listed(numbers: Iterable[float]) -> str:
    """A point or direction, as messages show it."""
    return "(" + ", ".join(f"{x:.6g}" for x in numbers) + ")"


def suggestion(word, options: Iterable) -> str:
    """`` (did you mean 'x'?)`` for the closest option, or an empty text. The last words of dotted
    names must be close too, unless they are single letters or the like; if they are very close,
    the owners may differ (``crank.length`` for ``arm.lenght``)."""
    names = [str(o) for o in options]

    def close(name: str, cutoff: float) -> bool:
        own, other = (text.rpartition(".")[2].lower() for text in (str(word), name))
        return bool(difflib.get_close_matches(own, [other], cutoff=cutoff))

    short = len(str(word).rpartition(".")[2]) <= 2
    near = [n for n in difflib.get_close_matches(str(word), names) if short or close(n, 0.6)]
    near = near or [n for n in names if close(n, 0.8)]
    return f" (did you mean {near[0]!r}?)" if near else ""


def some(options: Iterable, most: int = 12, like: object = "") -> str:
    """A list as messages show it: the beginning of a long one, and how many more there are; names
    with the same owner as ``like`` come first (``arm.vx`` for ``arm.speed``)."""
    names = [str(o) for o in options]
    owner = str(like).partition(".")[0] + "."
    names.sort(key=lambda name: not name.startswith(owner))
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"

"""Parameters of a case: checked values with units, read from text (``"20 mm"``), TOML or Python."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

import numpy as np

from .. import checks
from ..deprecated import attributes
from ..errors import InputError
from ..io.toml import RESERVED
from .units import value_in

logger = logging.getLogger(__name__)


class Every(float):
    """Type of an interval of output: an integer is a number of steps, a float a time in s."""


#: words for a switch in the shell
SWITCH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
#: unit of a parameter and factor of an alias -> unit of values under that alias
OTHER_UNITS = {("1/min", 30 / np.pi): "rad/s", ("rad/s", np.pi / 30): "1/min"}


@dataclass(frozen=True)
class Parameter:
    """A number, word, switch or list that users may set.

    Args:
        name: dotted key, as ``"arm.E"``.
        default: value if not given; ``None``: unset.
        unit: SI unit, for messages and files; empty or ``None``: none.
        text: description, one line.
        choices: allowed words or numbers, the default first.
        check: ``check(name, value)`` returns the value or raises ``InputError``, as those of
            ``fem_clearance.checks``.
        type: ``float``, ``int``, ``bool``, ``str`` or ``list`` (of numbers); by default that of
            ``default``.
        aliases: other keys, each with a factor: 1.0 for a former name or one in other cases, else
            the factor by which values under that key are multiplied (rad/s to 1/min).

    Raises:
        InputError: an unknown type, a name or default that is not allowed, a unit or description
            that is no text.
    """

    name: str
    default: Any = None
    unit: str = ""
    text: str = ""
    choices: tuple = ()
    check: Callable[[str, Any], Any] | None = None
    type: type | None = None
    aliases: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self):
        checks.word("the name of a parameter", self.name)
        if self.name in RESERVED:
            raise InputError(f"no parameter may be called {self.name!r}: case.toml has it.")
        if "=" in self.name or self.name != self.name.strip():
            raise InputError(
                f"the name of a parameter must hold no = and no blanks at its ends, got "
                f"{self.name!r}."
            )
        for what in ("unit", "text"):
            value = getattr(self, what)
            if not isinstance(value, str | None):
                raise InputError(f"parameter {self.name}: {what} must be a text, got {value!r}.")
            object.__setattr__(self, what, value or "")
        if self.type is None:
            kind = list if isinstance(self.default, (tuple, np.ndarray)) else type(self.default)
            if self.default is None:
                kind = str if self.choices else float
            object.__setattr__(self, "type", kind)
        if self.type not in _READERS:
            raise InputError(f"parameter {self.name}: there are no values of type {self.type}.")
        if self.default is not None:
            object.__setattr__(self, "default", self.read(self.default))

    def read(self, value):
        """The checked value of user input: text of the shell, TOML or Python.

        Raises:
            InputError: wrong type, a unit of another dimension, not finite, not among the choices.
        """
        if isinstance(value, np.generic):
            value = value.item()
        value = _READERS[self.type](self, value)
        if self.choices:
            value = checks.choice(self.name, value, self.choices)
        return self.check(self.name, value) if self.check else value

    def under(self, alias: str, value):
        """A value under an alias, converted to the parameter's own unit.

        Raises:
            InputError: not a number, although the alias has another unit.
        """
        if self.aliases[alias] == 1.0:
            logger.warning("%s is called %s in this case", alias, self.name)
            return value
        factor = self.aliases[alias]
        unit = OTHER_UNITS.get((self.unit, factor), "")
        return factor * _number(Parameter(alias, 0.0, unit), value)


def of_setting(settings: type, setting: str, name: str = "", **more: Any) -> Parameter:
    """The parameter for a setting, see ``core.settings``.

    Args:
        settings: dataclass of settings.
        setting: name of the field.
        name: of the parameter; default: that of the field.
        more: arguments of ``Parameter`` that differ from those of the field.
    """
    (found,) = (f for f in fields(settings) if f.name == setting)
    about = {k: v for k, v in found.metadata.items() if v}
    if found.default is not MISSING:
        about["default"] = found.default
    return Parameter(name or setting, **(about | more))


def renamed(changes: Mapping[str, Any], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Values by the parameters' own names, of which some may be given under aliases.

    Raises:
        InputError: a parameter under two names.
    """
    known = {alias: p for p in parameters.values() for alias in p.aliases}
    result = {}
    for key, value in changes.items():
        own = key
        if key in known and key not in parameters:
            own, value = known[key].name, known[key].under(key, value)
            if own in changes or own in result:
                raise InputError(f"{key} and {own} are the same parameter: give one of them.")
        result[own] = value
    return result


def _number(p: Parameter, value) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            number = value_in(p.name, p.unit, value)
            if number is None:
                unit = f" in {p.unit}" if p.unit else ""
                got = checks.shown(value)
                raise InputError(f"{p.name} must be a number{unit}, got {got}.") from None
            value = number
    return checks.number(p.name, value)


def _integer(p: Parameter, value) -> int:
    result = _number(p, value)
    if abs(result) > checks.MOST or result != int(result):
        raise InputError(f"{p.name} must be a whole number, got {checks.shown(value)}.")
    return int(result)


def _every(p: Parameter, value) -> int | float:
    steps = isinstance(value, int) or (isinstance(value, str) and value.strip().isdecimal())
    return _integer(p, value) if steps and not isinstance(value, bool) else _number(p, value)


def _switch(p: Parameter, value) -> bool:
    if isinstance(value, str):
        value = SWITCH.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise InputError(f"{p.name} must be true or false, got {value!r}.")
    return value


def _word(p: Parameter, value) -> str:
    if not isinstance(value, str):
        options = f" ({', '.join(map(str, p.choices))})" if p.choices else ""
        raise InputError(f"{p.name} must be a word{options}, got {value!r}.")
    return value.strip()


def _list(p: Parameter, value) -> list[float]:
    if isinstance(value, str):
        value = [z for z in value.strip().strip("[]()").split(",") if z.strip()]
    if not isinstance(value, Iterable):
        raise InputError(f"{p.name} must be a list of numbers such as [0, 1, 0], got {value!r}.")
    return [_number(p, z) for z in value]


_READERS: dict[Any, Callable] = {
    float: _number,
    int: _integer,
    Every: _every,
    bool: _switch,
    str: _word,
    list: _list,
}


@attributes(refuse="error")
class Values(Mapping):
    """Parameters of a run as resolved: a read-only mapping from dotted key to value.

    Attributes:
        comm: communicator of the system (``System(..., comm=values.comm)``).
        given: keys that the user has set.
    """

    def __init__(
        self, parameters: Iterable[Parameter], values: Mapping[str, Any], given=(), comm=None
    ):
        self.parameters = {p.name: p for p in parameters}
        self._values, self.given, self.comm = dict(values), frozenset(given), comm

    def __getitem__(self, key):
        try:
            return self._values[key]
        except KeyError:
            raise KeyError(f"no parameter {key!r}{checks.suggestion(key, self._values)}") from None

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def on(self, comm) -> Values:
        """The same values for a run on another communicator."""
        return Values(self.parameters.values(), self._values, self.given, comm)

    def error(self, key: str, why: str) -> InputError:
        """An error about one parameter's value: ``raise p.error("joint.kind", "...")``."""
        return InputError(f"{key} = {self[key]!r}: {why}")


def assignment(text: str) -> tuple[str, str]:
    """Key and value text of the shell's ``key=value``.

    Raises:
        InputError: text of another form.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise InputError(f"write parameters as key=value, got {text!r}.")
    return key.strip(), value.strip()

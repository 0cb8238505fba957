"""How objects are displayed: as a line of text, and as HTML in a notebook."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

#: most numbers of an array that are written out, most characters of a value
NUMBERS, LETTERS = 9, 120
#: most parameters in a line of text
FEW = 6


# --- HTML ---------------------------------------------------------------------------------------
def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; every cell is text."""
    top = "".join(f'<th style="text-align:left">{escape(h)}</th>' for h in head)
    lines = (
        "".join(f'<td style="text-align:left">{escape(str(cell))}</td>' for cell in row)
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def folded(title: str, content: str, opened: bool = False) -> str:
    """Collapsible ``content`` (HTML) under a title."""
    state = " open" if opened else ""
    return f"<details{state}><summary>{escape(title)}</summary>{content}</details>"


def paragraph(text: str) -> str:
    """A line of text."""
    return f"<p>{escape(text)}</p>"


# --- values -------------------------------------------------------------------------------------
def text(value: Any) -> str:
    """A parameter's value, short."""
    if isinstance(value, Named):
        return value.name or type(value).__name__
    if isinstance(value, bool | str | type(None)):
        return str(value)
    if isinstance(value, float | int | np.number):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        return _cut(", ".join(f"{k}: {text(v)}" for k, v in value.items()))
    if isinstance(value, list | tuple):
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return _cut(repr(value))
        return _cut("(" + ", ".join(text(v) for v in value) + ")")
    if isinstance(value, type) or inspect.isroutine(value):
        return str(getattr(value, "__name__", type(value).__name__))
    if type(value).__repr__ is object.__repr__:
        return type(value).__name__
    return _cut(" ".join(repr(value).split()))


def _array(values: np.ndarray) -> str:
    if values.shape == (3, 3) and not np.any(values - np.diag(values.diagonal())):
        return f"diag{_array(values.diagonal())}"
    if values.size > NUMBERS:
        return f"array of {' x '.join(map(str, values.shape))}"
    return "(" + ", ".join(text(v) for v in values.tolist()) + ")"


def _cut(words: str) -> str:
    return words if len(words) <= LETTERS else words[: LETTERS - 3] + "..."


# --- objects ------------------------------------------------------------------------------------
class Named:
    """An object that is displayed by its name where it is a parameter of another one."""

    name: Any


class Shown(Named):
    """An object that is displayed with its class, its name and the parameters that it was given.

    Of parameters that were not given, the attribute of the same name is shown if it differs from
    the default.
    """

    _given: dict[str, Any] = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = _remembered(cls.__init__)  # type: ignore[method-assign]

    def __repr__(self) -> str:
        shown = parameters(self)
        first = list(shown.items())[:FEW]
        more = [] if len(first) == len(shown) else ["..."]
        values = ", ".join([f"{name}={value}" for name, value in first] + more)
        title = f"{type(self).__name__} {self.name!r}" if self.name else type(self).__name__
        return f"<{title}: {values}>"

    def _repr_html_(self) -> str:
        title = f"{type(self).__name__} {self.name or ''}".strip()
        return paragraph(title) + table(("parameter", "value"), parameters(self).items())


def parameters(shown: Shown) -> dict[str, str]:
    """Parameters that an object was given, by name, as text."""
    found = {}
    for p in list(inspect.signature(type(shown).__init__).parameters.values())[1:]:
        value = shown._given.get(p.name, getattr(shown, p.name, None))
        if p.name == "name" or value is None:
            continue
        found[p.name] = text(value)
        if p.name not in shown._given and found[p.name] == text(p.default):
            del found[p.name]
    return found


def _remembered(init):
    """An ``__init__`` that records its arguments; with inheritance those of the outermost class
    remain, whose ``__init__`` ends last."""
    signature = inspect.signature(init)

    @functools.wraps(init)
    def noted(self, *arguments, **options):
        init(self, *arguments, **options)
        try:
            given = dict(signature.bind(self, *arguments, **options).arguments)
        except TypeError:  # an old name of an argument: attributes tell the values
            given = {}
        given.pop(next(iter(signature.parameters)), None)
        self._given = given

    return noted

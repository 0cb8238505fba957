"""Analysis of motions: spectra, response curves, stability, Poincare sections, multiple scales.

Names are imported when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .signals import extremes, resample

_PLACES = {
    "signals": ("extremes", "resample"),
}
_NAMES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = ["extremes", "resample"]


def __getattr__(name: str):
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)


def __dir__():
    return sorted(__all__)

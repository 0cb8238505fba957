"""Analysis of motions: spectra, periodic orbits, response curves, Poincare sections. Only multiple
scales belong to a case.

Names are imported when they are first used, and with them parts of SciPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .branches import Branch, Turn, follow_orbits
    from .continuation import Curve, Steps
    from .flows import OdeFlow, floquet_multipliers
    from .orbits import Orbit, PeriodicOrbit, periodic_orbit
    from .poincare import Diagram, Section, bifurcation, impacts, section, stroboscopic
    from .signals import crossings, extremes, resample
    from .spectra import (
        Spectrum,
        channel_spectrum,
        damped_tones,
        fundamental,
        power_density,
        spectrum,
        tones,
    )
    from .system_flow import SystemFlow

_PLACES = {
    "branches": ("Branch", "Turn", "follow_orbits"),
    "continuation": ("Curve", "Steps"),
    "flows": ("OdeFlow", "floquet_multipliers"),
    "orbits": ("Orbit", "PeriodicOrbit", "periodic_orbit"),
    "poincare": ("Diagram", "Section", "bifurcation", "impacts", "section", "stroboscopic"),
    "signals": ("crossings", "extremes", "resample"),
    "spectra": (
        "Spectrum", "channel_spectrum", "damped_tones", "fundamental", "power_density", "spectrum",
        "tones",
    ),
    "system_flow": ("SystemFlow",),
}  # fmt: skip
_NAMES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "Branch",
    "Curve",
    "Diagram",
    "OdeFlow",
    "Orbit",
    "PeriodicOrbit",
    "Section",
    "Spectrum",
    "Steps",
    "SystemFlow",
    "Turn",
    "bifurcation",
    "channel_spectrum",
    "crossings",
    "damped_tones",
    "extremes",
    "floquet_multipliers",
    "follow_orbits",
    "fundamental",
    "impacts",
    "periodic_orbit",
    "power_density",
    "resample",
    "section",
    "spectrum",
    "stroboscopic",
    "tones",
]


def __getattr__(name: str):
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)


def __dir__():
    return sorted(__all__)

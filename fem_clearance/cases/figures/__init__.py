"""Figures of the cases, a module for each mechanism."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any


def of(module: str, function: str = "figures") -> Callable[..., Iterator[tuple[str, Any]]]:
    """``figures(results, p)`` of a case, from a module here that is imported (with Matplotlib) when
    they are drawn."""

    def figures(results, p):
        return getattr(importlib.import_module(f"{__name__}.{module}"), function)(results, p)

    return figures

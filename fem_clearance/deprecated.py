"""Names of arguments that have changed: the old ones go on to be understood."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

Called = TypeVar("Called")


def arguments(**names: str) -> Callable[[Called], Called]:
    """Decorator of a function or class some of whose arguments had other names, old -> new.

    Each old name gives a ``DeprecationWarning`` in one sentence.
    """

    def decorate(function: Any) -> Any:
        if isinstance(function, type):
            function.__init__ = decorate(function.__init__)  # type: ignore[misc]
            return function

        @functools.wraps(function)
        def call(*args, **options):
            for old, new in names.items():
                if old in options:
                    warnings.warn(f"{old} is called {new} now.", DeprecationWarning, stacklevel=2)
                    options[new] = options.pop(old)
            return function(*args, **options)

        return call

    return decorate

"""Names of arguments that have changed: the old ones go on to be understood."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable


def arguments(**names: str) -> Callable:
    """Decorator of a function some of whose arguments had other names, old -> new.

    Each old name gives a ``DeprecationWarning`` in one sentence.
    """

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def call(*args, **options):
            for old, new in names.items():
                if old in options:
                    warnings.warn(f"{old} is called {new} now.", DeprecationWarning, stacklevel=2)
                    options[new] = options.pop(old)
            return function(*args, **options)

        return call

    return decorate

"""Cases: the mechanisms of the papers and other examples, each with parameters and figures."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from .. import checks, errors

if TYPE_CHECKING:
    from ..runs.case import Case


def names() -> list[str]:
    """Names of all cases."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.ispkg)


def get(name: str) -> Case:
    """The case of that name.

    Raises:
        InputError: there is none.
    """
    if name not in names():
        raise errors.InputError(
            f"there is no case {name!r}{checks.suggestion(name, names())}; there are "
            f"{checks.some(names(), 16)}."
        )
    return importlib.import_module(f"{__name__}.{name}").case

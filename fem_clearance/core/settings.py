"""Settings as frozen dataclasses: each number is named, explained and checked in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import partial
from typing import Any

from .. import checks
from ..errors import InputError
from .linear_solvers import PACKAGES


def setting(
    text: str, unit: str = "", *, default: Any = MISSING, factory: Any = MISSING,
    check: Callable[[str, Any], Any] | None = None, choices: tuple = (), type: type | None = None,
) -> Any:  # fmt: skip
    """A field of ``Settings``.

    Args:
        text: what it is, one line; ``unit``: of its value, SI.
        default, factory: value where none is given, as of ``dataclasses.field``.
        check: ``check(name, value)`` returns the value or raises ``InputError``; ``None`` is not
            checked where it is the default.
        choices: the words allowed.
        type: of a value, where the default does not show it.

    Returns:
        The field; its ``metadata`` holds ``text``, ``unit``, ``check``, ``choices`` and ``type``.
    """
    if choices:
        check = partial(_choice, choices)
    metadata = {"text": text, "unit": unit, "check": check, "choices": choices, "type": type}
    return field(default=default, default_factory=factory, metadata=metadata)


def _choice(choices, name, value):
    return checks.choice(name, value, choices)


@dataclass(frozen=True)
class Settings:
    """Numbers that a user gives, each a ``setting``.

    Raises:
        InputError: one that cannot be.
    """

    def __post_init__(self):
        for f in fields(self):
            value, check = getattr(self, f.name), f.metadata.get("check")
            optional = f.default is None or f.default_factory is not MISSING
            if check is not None and not (value is None and optional):
                object.__setattr__(self, f.name, check(f.name, value))


def _options(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(
            f'{name} must be PETSc options by name, such as {{"ksp_rtol": 1e-8}}, got {value!r}.'
        )
    return dict(value)


def _newton_tolerance(name: str, value: Any) -> float:
    return checks.within(name, value, 1e-14, 1e-2)


@dataclass(frozen=True)
class SolverSettings(Settings):
    """How the equations of a step or of an equilibrium are solved.

    Attributes:
        newton_tolerance: largest residual of a row, relative to the largest force of its class
            lately.
        solver: linear solver: ``"auto"``, or ``"petsc"``, ``"mumps"``, ``"iterative"``.
        options: PETSc options of this solver (without prefix), as ``{"ksp_type": "gmres"}``; those
            in PETSc's own database under the prefix ``fc_`` win.
        max_iterations: of Newton's method, before it gives up.
    """

    newton_tolerance: float = setting(
        "residual of a step, relative to the largest force", default=1e-8, check=_newton_tolerance
    )
    solver: str = setting("linear solver", default="auto", choices=("auto", *PACKAGES))
    options: Mapping[str, Any] = setting("PETSc options", factory=dict, check=_options)
    max_iterations: int = setting("iterations of a step", default=15, check=checks.count)

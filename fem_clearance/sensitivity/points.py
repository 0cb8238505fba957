"""Models and values of their parameters, as users give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError


def check_model(who: str, model: Any, use: str) -> None:
    """Refuse what is no function of the parameters.

    Args:
        who: asks for it.
        model: as given.
        use: what to give, ends the message.

    Raises:
        InputError: it cannot be called.
    """
    if callable(model):
        return
    got = repr(model) if isinstance(model, str) else f"a {type(model).__name__}"
    raise InputError(f"{who}: model must be {use}, got {got}.")


def values_at(
    x: Mapping[str, float] | ArrayLike | None, by: Sequence[str], at: Mapping[str, float]
) -> dict[str, float]:
    """Values of all parameters.

    Args:
        x: of those in ``by`` in their order, or by name.
        by: names of the parameters of the derivatives.
        at: values of all, which those have that ``x`` does not name.

    Raises:
        InputError: another number of values, or names that are not in ``by``.
    """
    if x is None:
        return dict(at)
    if isinstance(x, Mapping):
        for name in x:
            if name not in by:
                raise InputError(
                    f"x: {name!r} is none of the parameters {checks.some(by)}"
                    f"{checks.suggestion(name, by)}."
                )
        return {**at, **{name: checks.number(f"x: {name}", z) for name, z in x.items()}}
    values = np.atleast_1d(np.asarray(x, float))
    if values.shape != (len(by),):
        raise InputError(f"x must contain {len(by)} values ({', '.join(by)}), got {x!r}.")
    return {**at, **dict(zip(by, map(float, values), strict=True))}

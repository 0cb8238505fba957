"""What the arrays of a mesh must be before anything is computed from them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .. import checks
from ..errors import InputError


def check_arrays(
    source: str, points: np.ndarray, cells: np.ndarray, nodes: int, facets: Mapping[str, np.ndarray]
) -> None:
    """Refuse what is no table of places (n, 3), of a cell's ``nodes`` in each row, of facets (cell,
    local facet) in each row, places that are not finite and numbers of nodes that do not exist.

    Raises:
        InputError: as above.
    """
    tables = {"points": (points, 3, "fiu"), "cells": (cells, nodes, "iu")}
    tables |= {f"facets {name!r}": (rows, 2, "iu") for name, rows in facets.items()}
    for name, (rows, width, kinds) in tables.items():
        shape = np.shape(rows) if isinstance(rows, np.ndarray) else ()
        if shape[1:] != (width,) or rows.dtype.kind not in kinds:
            what = "numbers" if "f" in kinds else "whole numbers"
            raise InputError(
                f"{source}: {name} must be an array of {width} {what} in each row, got "
                f"{checks.shown(rows)}."
            )
    if np.any((cells < 0) | (cells >= len(points))):
        raise InputError(
            f"{source}: nodes of its cells must be from 0 to {len(points) - 1}, as there are "
            f"{len(points)} points; got {cells.min()} to {cells.max()}."
        )
    if not np.all(np.isfinite(points)):
        raise InputError(f"{source} has nodes whose coordinates are not finite numbers.")

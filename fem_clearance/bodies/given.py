"""DOLFINx Functions that are given in the place of a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._backend import MPI


def is_function(value: Any) -> bool:
    """Whether a value is a DOLFINx Function."""
    return hasattr(value, "function_space") and hasattr(value, "x")


def extremes(value: Any) -> tuple[float, float]:
    """Least and largest value of a Function, over all ranks; for a number, the number twice."""
    if not is_function(value):
        return value, value
    values, comm = value.x.array, value.function_space.mesh.comm
    least = comm.allreduce(float(values.min(initial=np.inf)), MPI.MIN)
    return least, comm.allreduce(float(values.max(initial=-np.inf)), MPI.MAX)

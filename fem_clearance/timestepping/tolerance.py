"""Whether the tolerance of adaptive steps is small compared with the clearance of films."""

from __future__ import annotations

import logging
from math import floor, log10

from ..core.problem import Problem
from ..core.roles import Algebraic

logger = logging.getLogger(__name__)

#: part of a film's clearance above which an error of a step is warned of
COARSE = 0.01


def warn_of_tolerance(problem: Problem, tolerance: float) -> None:
    """Say which film has the smallest clearance, if the error that adaptive steps may have is more
    than ``COARSE`` of it."""
    films = [
        (b.role.clearance, b.owner) for b in problem.blocks
        if isinstance(b.role, Algebraic) and b.role.clearance
    ]  # fmt: skip
    if not films:
        return
    c, owner = min(films)
    allowed = tolerance * problem.extent
    if allowed > COARSE * c:
        better = 10.0 ** floor(log10(COARSE * c / problem.extent))
        logger.warning(
            "%s: with tolerance = %.2g a step may have an error of %.2g m, which is %.2g %% of the "
            "film's clearance of %.3g m; give tolerance=%.0e or less.", owner, tolerance, allowed,
            100 * allowed / c, c, better,
        )  # fmt: skip

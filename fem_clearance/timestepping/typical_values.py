"""Whether fields have come to the values by which the errors of their steps were judged."""

from __future__ import annotations

import logging

import numpy as np

from ..core.blocks import held
from ..core.state import State

logger = logging.getLogger(__name__)

#: part and multiple of its typical value at which a field is another one than was said
FAINT, STRONG = 1e-3, 1e3


def warn_of_values(state: State) -> None:
    """Say which fields end a run of adaptive steps far from their typical values; collective.

    What they were at the start counts as well: a field may die out.
    """
    problem = state.problem
    start = problem.start[: 2 * problem.total].reshape(2, -1)
    found = [0.0 for b in problem.blocks]
    for k, (b, at, _) in enumerate(held(problem.blocks, problem.locate)):
        if b.role.typical and b.role.order:
            rates = int(b.role.order == 1)  # their values, see ``Internal``
            known = np.abs([(state.q, state.v)[rates][at], start[rates][at]])
            found[k] = float(np.max(known, initial=0.0))
    everywhere = np.max(state.comm.allgather(found), axis=0)
    for b, largest in zip(problem.blocks, everywhere, strict=True):
        part = largest / (b.role.typical or 1.0)
        if largest and b.role.typical and not FAINT <= part <= STRONG:
            logger.warning(
                "%s: its largest value at the end of the run is %.2g, but errors of adaptive steps "
                "were judged by the scale %.2g, which makes steps %s: give Field(scale=%.1g) and "
                "run again.", b.name, largest, b.role.typical,
                "too long" if part < 1 else "shorter than asked for", largest,
            )  # fmt: skip

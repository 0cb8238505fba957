"""Results of ``Statics``: channels over the load factor."""

from __future__ import annotations

import numpy as np

from ..core.observation import Channel
from .results import Results


class StaticResults(Results):
    """Channels over the load factor; see ``Results``.

    Attributes:
        summary: ``steps``, ``rejected_steps``, ``newton_iterations``, ``wall_s``;
            ``rigid_motion``, the name of a motion that nothing resists, or ``None``; ``stable``,
            whether the energy is least there (``None`` for forces without a potential, or if there
            is no equilibrium).
    """

    axis = Channel("factor", "", "load factor")

    @property
    def factor(self) -> np.ndarray:
        """Load factors of the rows."""
        return self[self.axis.name]

"""The ground, and frames of bodies that are described by an origin and three directors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..core.blocks import Block
from ..core.roles import SPACE, Coordinate
from ..markup import Shown
from .frame import Frame, RigidFrame
from .portrait import BodyPortrait


class RigidPoint(Frame):
    """A frame of a rigid body or of the ground."""

    def __init__(self, body, X):
        super().__init__(body, RigidFrame(), body.position + body.axes @ X, body.axes, offset=X)

    @property
    def name(self):
        return self.body.name or "rigid body"

    @property
    def refs(self):
        return self.body.refs


class Ground(Shown):
    """The fixed body; its frame's unknowns are known values.

    Attributes:
        shape: one of ``shapes`` for pictures, such as a rail; ``None``: only joints are drawn.
    """

    prefix, free = "ground", True

    def __init__(self):
        self.shape: Any = None
        self.name, self.position, self.axes = "ground", np.zeros(3), np.eye(3)
        role, values = Coordinate(vectors=SPACE), np.r_[np.zeros(3), np.eye(3).ravel()]
        block = Block(self.name, "", values, role, fixed=True)
        self.refs, self.block = [block.all], block

    def point(self, X) -> Frame:
        """Frame at a place in space, m."""
        return RigidPoint(self, checks.vector("ground: point", X))

    at = point

    def portrait(self) -> BodyPortrait:
        shape = None if self.shape is None else self.shape.portrait()
        return BodyPortrait("ground", self.point((0, 0, 0)), shape)

    def __deepcopy__(self, memo: dict) -> Ground:
        """The ground of the system for which an item is copied, which is in the ``memo``."""
        return memo.get(Ground, self)

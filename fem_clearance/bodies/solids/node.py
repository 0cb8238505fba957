"""Nodes of solids as frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.frame import Frame, NodeFrame


class SolidNode(Frame):
    """The point of node ``k`` of a solid, without a triad."""

    def __init__(self, body: Any, k: int):
        self.k = k
        super().__init__(body, NodeFrame(size=body.dimension), body.nodes[k], np.eye(3))

    @property
    def name(self):
        return f"{self.body.name or 'solid'}.node{self.k}"

    @property
    def refs(self):
        return [self.body.displacement(np.array([self.k]))]

    def coordinates(self, values):
        return self.body.at_nodes(values)[self.k, : self.body.dimension]

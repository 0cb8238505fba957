"""The smoothed layer in which a film that conserves its lubricant forms again.

At such an edge p = 0, and what the full film takes from the stream that arrives, whose void is G,
makes the pressure rise at once::

    K dp/dx = c G,   K = h^3 / 12 mu,   c = U / 2

With the edge a part a of a cell before the first whole node, its pressure is right, a K^-1 c G a
cell; but p falls linearly over the whole cell, to the last broken node, and not over the part a.
So the integral of p is off by a (1 - a) / 2, in cells times that pressure: of second order, but its
derivative by a is of first, of either sign as the edge goes from node to node. Forces, and the
flow along the edge, have that error.

Therefore the void ends smoothly for this purpose, as a function of the pressure::

    g = G exp(-p / P),  P = delta c G / K

where G goes on as if there were no pressure. What flows is conserved, and so the pressure behind
the layer is right: p = P ln(1 + exp(x / delta)) for even G, whose integral is off by a term of
second order in delta.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

#: coupling of a node's void with the one before it, by its own, that counts
CARRIED = 0.1
#: nodes of the layer before the edge, at most (half of those that are broken), and behind it: it
#: ends with powers of 1/2 there and of 1/e here
BEFORE, BEHIND = 24, 8
#: rise of the pressure over a cell, by the largest, that no layer resolves
STEEP = 0.5


class Layer:
    """Nodes round edges where a film forms again, along the flow.

    Args:
        grown: what voids bring to a node, nodes by nodes.
        stiff: pressure's own entry in a node's balance.
        whole: whether the film is so at a node.
        p, g: pressure and void at the nodes.

    Attributes:
        edges: nodes on either side of the edges.
        inside: whether a node is in a layer.
        carried: G where the void is less, the void elsewhere.
        rise: of the pressure over a cell behind a layer's edge.
        sharp: whether edges are left without a layer, at their nodes, of first order.
    """

    def __init__(
        self, grown: csr_matrix, stiff: np.ndarray, whole: np.ndarray, p: np.ndarray, g: np.ndarray
    ):
        n, own, among = len(whole), grown.diagonal(), grown.tocoo()
        order = np.argsort(np.abs(among.data))
        row, column = among.row[order], among.col[order]
        strong = (row != column) & (np.abs(among.data[order]) > CARRIED * np.abs(own[row]))
        up, down = np.full(n, -1), np.full(n, -1)
        up[row[strong]], down[column[strong]] = column[strong], row[strong]
        self.sharp = False
        self.rise, self.carried, self.place = np.zeros(n), g.copy(), np.full(n, np.inf)
        first = np.flatnonzero(whole & (up >= 0) & ~whole[up])
        self.edges = np.concatenate([first, up[first]])
        for behind in map(int, first):
            last = int(up[behind])
            before = up[last]
            arrives = max(g[last], g[before] if before >= 0 and not whole[before] else 0.0)
            rise = 2 * own[last] * arrives / stiff[behind]
            if not 0 < rise < STEEP * p.max():
                self.sharp = True
                continue
            part = 1 - g[last] / arrives
            chain = self._walk(last, up, lambda i, j: not whole[j], 2 * BEFORE)
            chain = chain[: (len(chain) + 1) // 2][::-1]
            start = part - len(chain)
            chain += self._walk(behind, down, lambda i, j: whole[j] and p[j] > p[i], BEHIND)
            for place, i in enumerate(chain):
                if abs(start + place) < abs(self.place[i]):
                    self.place[i], self.rise[i] = start + place, rise
                    if start + place > -1:
                        self.carried[i] = arrives
        self.inside = np.isfinite(self.place)

    @staticmethod
    def _walk(i: int, follow: np.ndarray, goes_on, most: int) -> list[int]:
        chain = [i]
        while len(chain) < most:
            j = int(follow[i])
            if j < 0 or j in chain or not goes_on(i, j):
                break
            chain.append(j)
            i = j
        return chain

    def guess(self, square: float, k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pressure and void at nodes of a layer as wide as a part of a cell, of given square."""
        width = np.sqrt(square)
        # a node's pressure grows by (1 + 1 / delta) a cell where it is small
        grows = np.log1p((1 + 1 / width) ** self.place[k])
        return width * self.rise[k] * grows, self.carried[k] * np.exp(-grows)

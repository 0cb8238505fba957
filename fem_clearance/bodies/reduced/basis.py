"""The basis of a reduced body: functions orthogonal by mass, and the stiffness between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..solids.responses import independent

#: fraction of a shape's component that must be independent of the other functions for it to be kept
APART = 1e-9
#: ratio of the second moments of the interfaces below which these lie on a line
FLAT = 1e-3
#: fraction of a body's length that counts as its end
END = 0.02


@dataclass(frozen=True)
class Basis:
    """The description ``x(X) = sum_a c_a b_a(X)`` of a reduced body, see ``kinds``; d is its
    dimension, p the number of functions.

    Attributes:
        functions: b_a at the nodes, (n, p).
        mass: integrals of rho b_a^2, kg, (p,); the first is the body's mass.
        center: of mass, m, (3,).
        axes: principal axes by columns, the longest first, (3, 3).
        size: length of the directors at the start, m.
        triad: axes at the start of the triad in which deformation is small, by columns, (3, 3).
        leads: factors of the c_a in the vectors that the triad follows, (2, p) (of a plane body the
            first counts); at the start they are ``size`` long and along its first two axes.
        stiffness: between the components of the c_a along the triad, N/m, (p, d, p, d); zero of a
            rigid body.
    """

    functions: np.ndarray
    mass: np.ndarray
    center: np.ndarray
    axes: np.ndarray
    size: float
    triad: np.ndarray
    leads: np.ndarray
    stiffness: np.ndarray

    @property
    def dimension(self) -> int:
        """2 of a plane body, else 3."""
        return self.stiffness.shape[1]

    @property
    def rigid(self) -> bool:
        """Whether it has no shapes."""
        return not self.stiffness.any()

    def strained(self) -> np.ndarray:
        """Independent displacements, each of half a joule: the c_a along the triad, (p, d, s)."""
        p, d = self.stiffness.shape[:2]
        root = np.repeat(np.sqrt(self.mass), d)
        scaled = self.stiffness.reshape(p * d, -1) / np.outer(root, root)
        values, vectors = np.linalg.eigh((scaled + scaled.T) / 2)
        chosen = np.argsort(np.abs(values))[d * (d + 1) // 2 :]  # rigid motions come first
        found = vectors[:, chosen] / root[:, None] / np.sqrt(values[chosen])
        return found.reshape(p, d, -1)

    @property
    def directors(self) -> np.ndarray:
        """Directors at the start by rows, m, (3, 3)."""
        return self.size * self.axes.T

    @property
    def places(self) -> np.ndarray:
        """Vectors c_a at the start, m, (p, 3)."""
        result = np.zeros((len(self.mass), 3))
        d = self.dimension
        result[0], result[1 : 1 + d] = self.center, self.directors[:d]
        return result


def reduced(places: np.ndarray, K, mass, shapes: np.ndarray, interfaces: np.ndarray) -> Basis:
    """The basis of some shapes of a free body.

    Args:
        places: of the nodes, m, (n, 3).
        K: stiffness, sparse, of displacements node by node, (n d, n d).
        mass: sparse mass matrix of one component of the displacements, (n, n).
        shapes: displacements that are kept, (n, d, m).
        interfaces: weights by which the nodes' places give the middle of each interface, (k, n),
            at least two.
    """
    d = shapes.shape[1]
    whole = float(mass.sum())
    center = np.asarray(mass @ places).sum(axis=0) / whole
    arm = places - center
    axes = _principal(arm[:, :d].T @ (mass @ arm[:, :d]))
    size = float(np.linalg.norm(arm, axis=1).max())
    affine = np.column_stack([np.ones(len(places)), (arm @ axes)[:, :d] / size])
    norms = np.sqrt(np.einsum("na,na->a", affine, mass @ affine))
    functions = affine / norms
    if shapes.shape[2]:
        each = shapes.transpose(2, 1, 0).reshape(-1, len(places)).T  # all components of a shape
        sizes = np.sqrt(np.einsum("na,na->a", each, mass @ each))
        of_shape = np.repeat(np.sqrt((sizes.reshape(-1, d) ** 2).sum(axis=1)), d)
        each = each[:, sizes > APART * of_shape]
        functions = independent(each, mass, functions, APART)
    functions = np.column_stack([affine, functions[:, 1 + d :]])
    functions[:, 1 + d :] /= np.abs(functions[:, 1 + d :]).max(axis=0)
    weights = np.einsum("na,na->a", functions, mass @ functions)
    triad, leads = _leads(d, interfaces @ functions, interfaces @ places, axes, size)
    stiffness = np.zeros((len(weights), d) * 2)
    if shapes.shape[2]:
        along = axes[:, :d].T @ triad[:, :d]  # the directors in the triad
        stiffness = _stiffness(K, functions, weights, triad[:d, :d], along)
    return Basis(functions, weights, center, axes, size, triad, leads, stiffness)


def _leads(d, values, places, axes, size) -> tuple[np.ndarray, np.ndarray]:
    """The vectors that the triad follows, see ``Basis``: the lines between the middles of the
    interfaces, because forces between them act along these, and the mean deformation about such a
    line.

    Args:
        d: dimension of the body.
        values: functions at the interfaces' middles, (k, p).
        places: these, m, (k, 3).
        axes, size: see ``Basis``.
    """
    leads = np.zeros((2, values.shape[1]))
    arm = places - places.mean(axis=0)
    moments, own = np.linalg.eigh(arm.T @ arm)
    moments, own = moments[::-1], own[:, ::-1]
    first = own[:, 0] * (1.0 if own[:, 0] @ axes[:, 0] >= 0 else -1.0)
    leads[0] = size / moments[0] * (arm @ first) @ (values - values.mean(axis=0))
    if d == 2:
        second = np.cross(axes[:, 2], first)
    elif moments[1] > FLAT * moments[0]:
        second = own[:, 1]
        leads[1] = size / moments[1] * (arm @ second) @ (values - values.mean(axis=0))
    else:
        across = next(a for a in axes.T if abs(a @ first) < 0.75)
        second = across - (across @ first) * first
        second /= np.linalg.norm(second)
        leads[1, 1:4], leads[1, 4:] = axes.T @ second, 0.0
    return np.column_stack([first, second, np.cross(first, second)]), leads


def ends(places: np.ndarray) -> np.ndarray:
    """Weights of the nodes in the middles of the two ends of a body along its longest axis, (2,
    nodes)."""
    arm = places - places.mean(axis=0)
    x = arm @ np.linalg.eigh(arm.T @ arm)[1][:, -1]
    found = np.stack([x <= x.min() + END * np.ptp(x), x >= x.max() - END * np.ptp(x)])
    return found / found.sum(axis=1)[:, None]


def pairs(p: int, some: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of p vectors c_a but for the first one, of which nothing is read (it is a
    translation), in cells of one vector and ``some`` others.

    Returns:
        Of each cell the first vector, (k,), the others, (k, some), and how much of each pair
        counts: half of a vector with itself, or nothing.
    """
    rows = []
    for a in range(1, p):
        for b in range(a, p, some):
            others = np.arange(b, b + some)
            counted = np.where(others == a, 0.5, 1.0) * (others < p)
            rows.append((a, np.minimum(others, p - 1), counted))
    first, others, counted = (np.array(z) for z in zip(*rows, strict=True))
    return first, others, counted


def _principal(second: np.ndarray) -> np.ndarray:
    """Right-handed axes of a tensor of second moments, the largest first, by columns; of a plane
    body the third is the normal."""
    d, axes = len(second), np.eye(3)
    axes[:d, :d] = np.linalg.eigh(second)[1][:, ::-1]
    if np.linalg.det(axes) < 0:
        axes[:, d - 1] *= -1
    return axes


def _stiffness(K, functions, weights, triad, directors) -> np.ndarray:
    """The stiffness between the functions, to round-off zero for rigid motions.

    Args:
        triad: its axes by columns, (d, d).
        directors: by rows, their components along these (of any length, the same for all).
    """
    d, p = len(triad), len(weights)
    between = np.zeros((p, d, p, d))
    for i in range(d):
        for j in range(d):
            between[:, i, :, j] = functions.T @ (K[i::d, j::d] @ functions)
    between = np.einsum("ik,aibj,jl->akbl", triad, between, triad)
    root = np.repeat(np.sqrt(weights), d)
    scaled = between.reshape(p * d, -1) / np.outer(root, root)
    loose = np.zeros((p, d, d + d * (d - 1) // 2))
    loose[0, :, :d] = np.eye(d)
    for n, (m, k) in enumerate(combinations(range(d), 2)):
        loose[1 : 1 + d, k, d + n] = np.sqrt(weights[1 : 1 + d]) * directors[:, m]
        loose[1 : 1 + d, m, d + n] = -np.sqrt(weights[1 : 1 + d]) * directors[:, k]
    Q = np.linalg.qr(loose.reshape(p * d, -1))[0]
    scaled -= Q @ (Q.T @ scaled)
    scaled -= (scaled @ Q) @ Q.T
    result = scaled * np.outer(root, root)
    return ((result + result.T) / 2).reshape(between.shape)

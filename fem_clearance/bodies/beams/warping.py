"""Saint-Venant's torsion and bending with shear on any section, by finite elements.

A section's points are displaced along the beam by w, with the material in between free to shear:

- torsion by a unit twist: w is harmonic and the shear strains are w,y - z and w,z + y; the torsion
  constant is J = I_y + I_z - int |grad w|^2.
- bending by curvatures that grow along the beam: contraction across the beam by Poisson's effect
  moves the section's points by p, and

      int grad w . grad v = 2 (1 + nu) int x v - int p . grad v

  with x the place along which the section bends (y or z). The shear factors are those of Cowper
  (1966): shear force over G, area and mean shear strain, that is the mean displacement's slope less
  the mean rotation; w is independent of nu but for two parts that are added up.

Elements are quadratic triangles, refined where gradients are least smooth (by comparison with the
recovered ones of Zienkiewicz and Zhu) until the estimated error of the torsion constant is small.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import splu

from ... import cache
from ...meshes import cells as reference
from ...meshes.bisection import Triangulation, from_triangles, refined
from ...meshes.polygons import doubles

logger = logging.getLogger(__name__)

#: estimated errors of the torsion constant and of the shear compliances that are accepted, relative
#: (in sections of known constants the errors are half of that or less)
TORSION, SHEAR = 1e-4, 1e-3
#: fraction of the error that the triangles to be refined contain
BULK = 0.6
#: largest number of triangles
LIMIT = 60_000


@dataclass(frozen=True)
class SectionConstants:
    """Constants of a section, about its centroid.

    Attributes:
        torsion: torsion constant J of free warping, m^4.
        shear_centre: (y, z) of the point through which shear forces do not twist (Trefftz), m.
        compliance: area over shear stiffness by G, two matrices (2, 2): ``a + nu / (1 + nu) b``.
    """

    torsion: float
    shear_centre: tuple[float, float]
    compliance: tuple[np.ndarray, ...]

    def shear_factors(self, nu: float) -> tuple[float, float]:
        """Cowper's factors for shear forces along y and along z, each alone."""
        a, b = self.compliance
        ky, kz = 1 / np.diag(a + nu / (1 + nu) * b)
        return float(ky), float(kz)


def constants(corners: np.ndarray) -> SectionConstants:
    """Constants of the section that triangles fill, about its centroid; results are stored in the
    folder ``sections`` of ``fem_clearance.cache.folder()``.

    Args:
        corners: (m, 3, 2), anticlockwise, m.
    """
    areas = doubles(corners) / 2
    size = float(np.sqrt(areas.sum()))
    middle = areas @ corners.mean(axis=1) / areas.sum()
    missing, torsion, centre, *compliance = _solved(
        np.round((corners - middle) / size, 12).tobytes()
    )
    if missing > 1:
        logger.warning(
            "a section has such fine details that its torsion constant may be wrong by %.1g %% and "
            "its shear factors by %.1g %%: omit the details, or give the beam torsion_constant= "
            "and shear=.", 100 * TORSION * missing, 100 * SHEAR * missing,
        )  # fmt: skip
    return SectionConstants(
        float(torsion) * size**4, (centre[0] * size, centre[1] * size), tuple(compliance)
    )


@lru_cache(maxsize=256)
def _solved(corners: bytes) -> tuple[np.ndarray, ...]:
    """For a section of unit area: the error relative to the accepted one, and the constants in the
    order of ``SectionConstants``."""
    key = f"2 {hashlib.sha256(corners).hexdigest()} {TORSION} {SHEAR} {LIMIT}"
    names = "missing", "torsion", "centre", "plain", "contraction"

    def make():
        return dict(zip(names, _solve(corners), strict=True))

    found = cache.kept("sections", key, make)
    return tuple(found[name] for name in names)


def _solve(corners: bytes) -> tuple[np.ndarray, ...]:
    mesh = from_triangles(np.frombuffer(corners).reshape(-1, 3, 2))
    for _ in range(4):  # enough triangles for gradients to be recovered
        mesh = refined(mesh, np.ones(len(mesh.cells), bool))
    while True:
        solution = _Solution(mesh)
        parts = solution.errors()
        missing = parts.sum()
        if missing < 1 or len(mesh.cells) > LIMIT:
            return np.array(missing), *solution.constants()
        order = np.argsort(parts)[::-1]
        count = np.searchsorted(np.cumsum(parts[order]), BULK * missing) + 1
        marked = np.zeros(len(parts), bool)
        marked[order[:count]] = True
        mesh = refined(mesh, marked)


def _contraction(x: np.ndarray) -> np.ndarray:
    """Displacements p across the beam by unit curvatures along y and along z, by nu, at points
    (..., 2); last axes: curvature, component."""
    y, z = x[..., 0], x[..., 1]
    half = (y**2 - z**2) / 2
    return np.stack([np.stack([-half, -y * z], -1), np.stack([-y * z, half], -1)], -2)


class _Solution:
    """The five displacements w along the beam on a mesh: torsion; bending by y and z of a material
    without contraction; what contraction adds to both."""

    def __init__(self, mesh: Triangulation):
        self.mesh = mesh
        ends, sides = mesh.edges
        corner = mesh.points[mesh.cells]
        # corners, then the middles of the edges in the order of the reference triangle
        self.nodes = np.hstack([mesh.cells, len(mesh.points) + sides[:, [1, 2, 0]]])
        self.count = len(mesh.points) + len(ends)
        a, b = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
        self.doubles = doubles(corner)
        inverse = np.empty((len(corner), 2, 2))  # rows: gradients of the reference coordinates
        inverse[:, 0] = np.column_stack([b[:, 1], -b[:, 0]]) / self.doubles[:, None]
        inverse[:, 1] = np.column_stack([-a[:, 1], a[:, 0]]) / self.doubles[:, None]
        self.inverse = inverse
        points, weights = reference.quadrature("triangle", 4)
        table = reference.shape_functions("triangle", 2, points)
        self.weights = weights * self.doubles[:, None]
        u, v = np.transpose(points)[..., None]
        self.x = corner[:, None, 0] + u * a[:, None] + v * b[:, None]
        self.shapes = table[0]
        self.gradients = np.einsum("rpi,krx->kpix", table[1:], inverse)
        self.moments = np.einsum("kp,kpx,kpy->xy", self.weights, self.x, self.x)
        self.w = self._solve()

    def _solve(self) -> np.ndarray:
        """Displacements at the nodes, (nodes, 5), zero on average."""
        each = np.einsum("kp,kpix,kpjx->kij", self.weights, self.gradients, self.gradients)
        rows, cols = np.repeat(self.nodes, 6, axis=1), np.tile(self.nodes, 6)
        place = (rows.ravel(), cols.ravel())
        K = coo_matrix((each.ravel(), place), (self.count,) * 2).tocsc()
        z, y = self.x[..., 1], self.x[..., 0]
        fluxes = np.concatenate(
            [np.stack([z, -y], -1)[..., None, :], 0 * _contraction(self.x), -_contraction(self.x)],
            axis=2,
        )
        loads = np.einsum("kp,kpix,kpfx->kif", self.weights, self.gradients, fluxes)
        loads[..., 1:3] += 2 * np.einsum("kp,pi,kpx->kix", self.weights, self.shapes, self.x)
        f = np.zeros((self.count, 5))
        np.add.at(f, self.nodes, loads)
        w = np.zeros_like(f)
        w[1:] = splu(K[1:, 1:]).solve(f[1:])
        return w - self._integral(w) / self.weights.sum()

    def _integral(self, w: np.ndarray, factor=1.0) -> np.ndarray:
        """Integrals of displacements at nodes, times a ``factor`` at the quadrature points."""
        return np.einsum("kp,pi,kif->f", self.weights * factor, self.shapes, w[self.nodes])

    def _torsion(self) -> float:
        slope = np.einsum("kpix,ki->kpx", self.gradients, self.w[self.nodes, 0])
        return float(np.trace(self.moments) - np.einsum("kp,kpx,kpx->", self.weights, slope, slope))

    def errors(self) -> np.ndarray:
        """Parts of the torsion constant and of the compliances that the triangles may miss, by what
        is allowed, (m,): squares of what gradients are off those recovered at the corners; of the
        contraction's, the product with bending's, which is what its mean rotation lacks."""
        slopes = reference.shape_functions("triangle", 2, ((0, 0), (1, 0), (0, 1)))[1:]
        gradients = np.einsum("rci,krx,kif->kcxf", slopes, self.inverse, self.w[self.nodes])
        cells, size = self.mesh.cells, len(self.mesh.points)
        weights = np.bincount(cells.ravel(), np.repeat(self.doubles, 3), size)
        mean = np.zeros((size, 2, 5))
        np.add.at(mean, cells, gradients * self.doubles[:, None, None, None])
        off = gradients - (mean / weights[:, None, None])[cells]
        # the mass matrix of linear functions
        squares = np.sum(off**2, axis=(1, 2)) + np.sum(off.sum(axis=1) ** 2, axis=1)
        squares *= self.doubles[:, None] / 24
        bending, contraction = squares[:, 1:3], squares[:, 3:]
        energy = 2 * np.array([self._integral(self.w, self.x[..., k])[1 + k] for k in (0, 1)])
        missing = np.sqrt(bending * np.maximum(bending, contraction)) / energy
        return np.maximum(squares[:, 0] / self._torsion() / TORSION, missing.max(axis=1) / SHEAR)

    def constants(self) -> tuple[np.ndarray, ...]:
        """In the order of ``SectionConstants``."""
        inverse = np.linalg.inv(self.moments)
        first = np.array([self._integral(self.w, self.x[..., k]) for k in (0, 1)])
        area = self.weights.sum()
        # mean rotations, and slopes of the mean displacement by contraction
        turns = inverse @ first[:, 1:]
        slopes = np.einsum("kp,kpmx->xm", self.weights, _contraction(self.x)) / area
        a, b = turns[:, :2] @ inverse, (slopes + turns[:, 2:]) @ inverse
        # about the shear centre warping has no first moments: w + y_s z - z_s y
        z, y = (1, -1) * (inverse @ first[:, 0])
        return np.array(self._torsion()), np.array([y, z]), area / 2 * a, area / 2 * b

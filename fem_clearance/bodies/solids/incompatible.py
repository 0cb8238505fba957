"""Incompatible modes: parabolas inside of linear quadrilaterals and hexahedra, by which these bend.

Wilson and others (1973), with the gradients of Taylor, Beresford and Wilson (1976), which pass the
patch test on distorted cells, added to the deformation gradient as enhanced strains are (Simo and
Armero 1992):

    F = I + grad u + sum_k a_k (x) (j0 / j) J0^-T grad' M_k,    M_k' = 2 xi_k - 1 along xi_k

with J0, j0 the Jacobian of the undeformed cell and its determinant in the middle, j the determinant
at the point. The amplitudes a_k are algebraic unknowns of the cell, for which the energy is
stationary. They turn with the body, so the law stays objective.
"""

from __future__ import annotations

import basix
import basix.ufl
import numpy as np
import ufl

from ...meshes import cells as reference
from ...meshes.mesh import Mesh


def modes(cell):
    """Element of the parabolas M_k, one along each reference coordinate; ``cell``: Basix's type."""
    dimension = len(basix.topology(cell)) - 1
    # second Legendre polynomials along each coordinate, as members of the orthonormal basis
    count = 3**dimension
    wcoeffs = np.zeros((dimension, count))
    for k in range(dimension):
        wcoeffs[k, 2 * 3 ** (dimension - 1 - k)] = 1.0
    points, weights = basix.make_quadrature(cell, 4)
    values = basix.tabulate_polynomials(basix.PolynomialType.legendre, cell, 2, points)
    empty = [[np.zeros((0, dimension))] * len(entities) for entities in basix.topology(cell)[:-1]]
    none = [[np.zeros((0, 1, 0, 1))] * len(entities) for entities in basix.topology(cell)[:-1]]
    moments = (wcoeffs @ values * weights)[:, None, :, None]
    return basix.ufl.custom_element(
        cell, [], wcoeffs, [*empty, [points]] + [[]] * (3 - dimension),
        [*none, [moments]] + [[]] * (3 - dimension), 0, basix.MapType.identity,
        basix.SobolevSpace.L2, True, 1, 2,
    )  # fmt: skip


def gradient(c, amplitudes):
    """What the modes add to the deformation gradient, (dimension, dimension)."""
    along = ufl.grad(amplitudes) * ufl.Jacobian(c.mesh)  # by the reference coordinates
    return along * c.par("middle") / ufl.JacobianDeterminant(c.mesh)


def middles(mesh: Mesh) -> np.ndarray:
    """Parameter ``middle`` of each cell, row by row: the inverse Jacobian in the middle times its
    determinant, (cells, dimension squared)."""
    centre = ((0.5,) * mesh.dimension,)
    slopes = reference.shape_functions(mesh.cell, mesh.degree, centre)[1:, 0]
    J = np.einsum("dn,mnx->mxd", slopes, mesh.points[mesh.cells][..., : mesh.dimension])
    return (np.linalg.det(J)[:, None, None] * np.linalg.inv(J)).reshape(len(J), -1)

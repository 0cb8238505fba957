"""A solid of one hexahedron in a given state, and integrals over it and its upper facet in NumPy.

Shape functions are products of linear ones of the place in the block that it was made from."""

from dataclasses import replace

import numpy as np

import fem_clearance as fc
from fem_clearance import meshes

from .forces import Bench, residuals_only

SIZE = np.array([0.2, 0.3, 0.1])
MATERIAL = fc.StVenantKirchhoff(E=2e6, nu=0.3, rho=1100.0)


def gauss(count):
    """Points and weights on (-1/2, 1/2)."""
    x, w = np.polynomial.legendre.leggauss(count)
    return x / 2, w / 2


class Brick(Bench):
    """The solid, disturbed in shape, displacement and rates, and a rigid body ``b`` beside it (as
    ``a``, too: items between it and the solid have no other)."""

    def __init__(self, add=lambda brick: None, *, distorted=0.15, gravity=(0, 0, 0), **options):
        self.system = fc.System(gravity=gravity)
        self.b = self.a = self.system.add(
            fc.RigidBody(1.3, (0.2, 0.3, 0.4), name="b", free=True, position=(0.05, -0.02, 0.2))
        )
        mesh = meshes.block(tuple(SIZE), (1, 1, 1))
        #: place of each node in the block, -1/2 to 1/2
        self.reference = mesh.points / SIZE
        random = np.random.default_rng(7)
        shift = distorted * SIZE * random.uniform(-0.5, 0.5, mesh.points.shape)
        shift[self.reference[:, 2] > 0, 2] = 0.0  # the upper facet stays flat
        self.places = mesh.points + shift
        options = {"material": MATERIAL, "free": True, "name": "s"} | options
        self.solid = self.system.add(
            fc.Solid(replace(mesh, points=self.places), degree=1, **options)
        )
        add(self)
        with residuals_only():
            self.state = self.system.state
        np.testing.assert_allclose(self.solid.nodes, self.places)
        self.nodes = self.state.locate(self.solid.displacement(np.arange(8)[:, None]).numbers)
        self.u, self.v, self.acceleration = 0.02 * random.uniform(-1, 1, (3, 8, 3))
        self.state.q[self.nodes], self.state.v[self.nodes] = self.u, self.v
        self.state.q_n[:] = self.state.q

    @property
    def rows(self):
        """Of the solid's nodes, N."""
        return self.state.residual()[self.nodes]

    @property
    def now(self):
        """Present places of the nodes."""
        return self.places + self.state.q[self.nodes]

    # --- the cell -------------------------------------------------------------------------------
    def inside(self, count):
        """Shape functions (n, 8), their derivatives by the undeformed place (n, 8, 3), and volumes
        at the points of a rule."""
        x, w = gauss(count)
        points = np.stack([z.ravel() for z in np.meshgrid(x, x, x, indexing="ij")], 1)
        weights = np.einsum("i,j,k->ijk", w, w, w).ravel()
        linear = 0.5 + 2 * points[:, None, :] * self.reference  # (n, 8, 3)
        shape = np.prod(linear, axis=2)
        slope = np.stack([
            2 * self.reference[:, k] * np.prod(np.delete(linear, k, axis=2), axis=2)
            for k in range(3)
        ], axis=2)  # fmt: skip
        jacobian = np.einsum("nak,ax->nxk", slope, self.places)
        return shape, slope @ np.linalg.inv(jacobian), weights * np.linalg.det(jacobian)

    # --- the upper facet ------------------------------------------------------------------------
    @property
    def upper(self):
        """Numbers of its nodes."""
        return np.flatnonzero(self.reference[:, 2] > 0)

    def facet(self, count):
        """Shape functions (n, 4) of ``upper`` at points, their derivatives along the facet (n, 4,
        2), and weights."""
        x, w = gauss(count)
        points = np.stack([z.ravel() for z in np.meshgrid(x, x, indexing="ij")], 1)
        linear = 0.5 + 2 * points[:, None, :] * self.reference[self.upper, :2]
        slope = 2 * self.reference[self.upper, :2] * linear[:, :, ::-1]
        return np.prod(linear, axis=2), slope, np.outer(w, w).ravel()

    @staticmethod
    def area_vector(slope, places):
        """Normal of the facet (towards z) times its area by that of the reference one, (n, 3)."""
        tangents = np.einsum("nak,ax->nkx", slope, places)
        return np.cross(tangents[:, 0], tangents[:, 1])

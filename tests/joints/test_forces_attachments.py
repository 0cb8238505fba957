"""Facets of a solid that follow a body: conditions, and forces on nodes and body, by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance import meshes

from ..bodies.elements import slopes
from ..bricks import MATERIAL, Brick
from ..forces import Bench, residuals_only

LAM = np.array([30.0, -20, 10, 3, -2, 4])


class Attached:
    def __init__(self, kind):
        self.brick = brick = Brick(
            lambda z: z.system.add(fc.Attachment(z.solid.facets("z1"), z.b.center, kind=kind,
                                                 name="hold"))
        )  # fmt: skip
        self.bare = Brick().rows
        brick.move(brick.b, (0.01, -0.02, 0.015), (0.2, -0.1, 0.3), omega=(0.3, 0.2, 0.1))
        self.r, self.e, self.v, self.omega = brick.pose(brick.b)
        self.origin = brick.b.position

    def check(self, work, multipliers, held=None):
        """Forces are the derivatives of lam . Phi by the nodes' places; the body gets the
        opposite, at the nodes or at the places of its own that ``held`` holds them to."""
        brick = self.brick
        for name, values in multipliers.items():
            brick.state.q[brick.block(f"hold.{name}")] = values.ravel()
        force = -slopes(work, brick.now)
        found = self.bare - brick.rows
        np.testing.assert_allclose(found, force, atol=1e-6 * np.abs(force).max())
        arms = brick.now - self.r
        if held is not None:
            arms[brick.upper] = held
        on_body = brick.wrench(brick.b, self.r)
        total, moment = -force.sum(axis=0), -np.cross(arms, force).sum(axis=0)
        np.testing.assert_allclose(on_body[0], total, atol=1e-6 * np.abs(force).max())
        np.testing.assert_allclose(on_body[1], moment, atol=1e-6 * np.abs(force).max())
        see = brick.channels
        np.testing.assert_allclose([see[f"hold.reaction.{x}"] for x in "xyz"], total, atol=1e-6)
        np.testing.assert_allclose([see[f"hold.moment.{x}"] for x in "xyz"], moment, atol=1e-6)
        power = total @ self.v + moment @ self.omega
        np.testing.assert_allclose(see["hold.power"], power, rtol=1e-5)


def test_rigidly_attached_nodes():
    """x - r - E X = 0 at each node."""
    found = Attached("rigid")
    brick, lam = found.brick, np.arange(12.0).reshape(4, 3) - 4.5
    places = brick.places[brick.upper] - found.origin

    def gaps(now):
        return now[brick.upper] - found.r - places @ found.e.T

    rows = brick.state.residual()[brick.block("hold.force")].reshape(4, 3)
    np.testing.assert_allclose(rows, gaps(brick.now), atol=1e-12)
    found.check(lambda now: np.sum(lam * gaps(now)), {"force": lam}, places @ found.e.T)


def test_attachment_on_the_average():
    """Means of the slip s in the frame and of J^-1 (arm x s) over the undeformed facet."""
    found = Attached("averaged")
    brick = found.brick
    shape, slope, w = brick.facet(4)
    X = shape @ brick.places[brick.upper]
    area = w * np.linalg.norm(brick.area_vector(slope, brick.places[brick.upper]), axis=1)
    area = area / area.sum()
    arm = X - area @ X
    J = np.eye(3) * (area @ np.sum(arm**2, axis=1)) - np.einsum("n,nx,ny->xy", area, arm, arm)

    def conditions(now):
        slip = (shape @ now[brick.upper] - found.r) @ found.e - (X - found.origin)
        return np.r_[area @ slip, np.linalg.solve(J, area @ np.cross(arm, slip))]

    rows = brick.state.residual()
    held = np.r_[rows[brick.block("hold.force")], rows[brick.block("hold.moment")]]
    np.testing.assert_allclose(held, conditions(brick.now), atol=1e-9)
    found.check(lambda now: LAM @ conditions(now), {"force": LAM[:3], "moment": LAM[3:]})


# --- a plane solid ------------------------------------------------------------------------------
class PlaneAttached(Bench):
    """Two quadrilaterals whose edges on one side, not in line, are held to body ``b``; the body has
    moved in the plane, or is tilted and off it, too."""

    def __init__(self, kind, tilted):
        self.system = fc.System(gravity=(0, 0, 0))
        self.b = self.a = self.system.add(
            fc.RigidBody(1.3, (0.2, 0.3, 0.4), name="b", free=True,
                         position=(0.15, 0.02, 0.05 * tilted))
        )  # fmt: skip
        mesh = meshes.block((0.2, 0.3), (1, 2))
        random = np.random.default_rng(5)
        shift = 0.02 * random.uniform(-1, 1, mesh.points.shape) * (1, 1, 0)
        mesh = replace(mesh, points=mesh.points + shift)
        solid = self.system.add(fc.Solid(mesh, MATERIAL, state="plane_strain", thickness=0.04,
                                         free=True, degree=1, name="s"))  # fmt: skip
        facets = solid.facets("x1")
        self.system.add(fc.Attachment(facets, self.b.center, kind=kind, name="hold"))
        with residuals_only():
            state = self.state = self.system.state
        self.places, self.edges = solid.nodes, facets.cells
        self.upper, self.origin = facets.nodes, self.b.position
        self.nodes = state.locate(solid.displacement(np.arange(6)[:, None]).numbers)
        state.q[self.nodes] = 0.02 * random.uniform(-1, 1, (6, 2))
        self.bare = state.residual()[self.nodes]
        self.now = self.places[:, :2] + state.q[self.nodes]
        turn = Rotation.from_rotvec((0.2 * tilted, -0.1 * tilted, 0.3)).as_matrix()
        r, omega = self.origin + (0.01, -0.02, 0.03 * tilted), np.array([0.0, 0.0, 0.7])
        v = np.array([0.3, -0.2, 0.0])
        state.q[self.numbers(self.b)] = np.r_[r, turn.T.ravel()]
        state.v[self.numbers(self.b)] = np.r_[v, np.cross(omega, turn.T).ravel()]
        self.r, self.e, self.v, self.omega = r, turn, v, omega

    def rows(self, *names):
        rows = self.state.residual()
        return np.concatenate([rows[self.block(f"hold.{n}")] for n in names])

    def check(self, conditions, **multipliers):
        """Forces on nodes and body are the derivatives of lam . Phi by nodes, place and turn."""
        lam = np.concatenate([*multipliers.values()])
        for name, values in multipliers.items():
            self.state.q[self.block(f"hold.{name}")] = values

        def turned(z):
            return Rotation.from_rotvec(z).as_matrix() @ self.e

        force = -slopes(lambda now: lam @ conditions(now, self.r, self.e), self.now)
        total = -slopes(lambda r: lam @ conditions(self.now, r, self.e), self.r)
        moment = -slopes(lambda z: lam @ conditions(self.now, self.r, turned(z)), np.zeros(3))
        size = np.abs(force).max()
        np.testing.assert_allclose(total[:2], -force.sum(axis=0), atol=1e-6 * size)
        found = self.bare - self.state.residual()[self.nodes]
        np.testing.assert_allclose(found, force, atol=1e-6 * size)
        on_body = self.wrench(self.b, self.r)
        np.testing.assert_allclose(on_body[0], total, atol=1e-6 * size)
        np.testing.assert_allclose(on_body[1], moment, atol=1e-6 * size)
        see = self.channels
        np.testing.assert_allclose([see[f"hold.reaction.{x}"] for x in "xyz"], total, atol=1e-6)
        np.testing.assert_allclose([see[f"hold.moment.{x}"] for x in "xyz"], moment, atol=1e-6)
        power = total @ self.v + moment @ self.omega
        np.testing.assert_allclose(see["hold.power"], power, rtol=1e-5)


@pytest.mark.parametrize("tilted", [0, 1])
def test_rigidly_attached_nodes_of_a_plane_solid(tilted):
    """x - r - E X = 0 at each node in the plane; how far off it the body is is open."""
    found = PlaneAttached("rigid", tilted)
    places = found.places[found.upper] - found.origin

    def conditions(now, r, e):
        return (now[found.upper] - r[:2] - (places @ e.T)[:, :2]).ravel()

    np.testing.assert_allclose(found.rows("force"), conditions(found.now, found.r, found.e))
    found.check(conditions, force=np.arange(6.0) - 2.2)


@pytest.mark.parametrize("tilted", [0, 1])
def test_attachment_of_a_plane_solid_on_the_average(tilted):
    """Means over the edges of the slip in the frame and of (arm x s)_z, by the mean of the arm's
    square; how far off the plane the frame is is open."""
    found = PlaneAttached("averaged", tilted)
    x, w = np.polynomial.legendre.leggauss(3)
    shape = np.stack([(1 - x) / 2, (1 + x) / 2], axis=1)
    X = found.places[found.edges][:, :, :2]  # (edges, 2, 2)
    per = np.linalg.norm(X[:, 1] - X[:, 0], axis=1)[:, None] * w
    per = (per / per.sum()).ravel()
    places = np.einsum("pa,fax->fpx", shape, X).reshape(-1, 2)
    arm = places - per @ places

    def conditions(now, r, e):
        at = np.einsum("pa,fax->fpx", shape, now[found.edges]).reshape(-1, 2)
        slip = ((at - r[:2]) @ e[:2])[:, :2] - (places - found.origin[:2])
        spin = arm[:, 0] * slip[:, 1] - arm[:, 1] * slip[:, 0]
        return np.r_[per @ slip, per @ spin / (per @ np.sum(arm**2, axis=1))]

    held = found.rows("force", "moment")
    np.testing.assert_allclose(held, conditions(found.now, found.r, found.e), rtol=1e-9)
    found.check(conditions, force=LAM[:2], moment=LAM[5:])

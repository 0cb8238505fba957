"""Facets of a solid that follow a body: conditions, and forces on nodes and body, by hand."""

import numpy as np

import fem_clearance as fc

from ..bodies.elements import slopes
from ..bricks import Brick

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

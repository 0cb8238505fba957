"""Facets of a solid on surfaces of a moving body: tractions by hand, from gaps in NumPy whose
normals are central differences; profiles by SciPy's splines."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import fem_clearance as fc

from ..bricks import Brick

K, A, MU, V0 = 3e7, 0.2, 0.2, 0.05
AXIS = np.array([2.0, 1.0, 2.0]) / 3
POINT = (0.01, 0.03, 0.16)


def polar(angle):
    return 0.3 + 0.02 * np.cos(2 * angle) - 0.01 * np.sin(3 * angle)


def along(z):
    return 0.3 + 0.2 * z - 0.5 * z**2


ANGLES = 2 * np.pi / 36 * np.arange(37)
OVAL = CubicSpline(ANGLES, np.r_[polar(ANGLES[:-1]), polar(0.0)], bc_type="periodic")
PLACES = np.linspace(-0.1, 0.1, 25)
BARREL = CubicSpline(PLACES, along(PLACES), bc_type="natural")


def rho(s):
    return np.hypot(s[..., 0], s[..., 1])


def barrel(s):
    """Straight beyond the ends."""
    z = np.clip(s[..., 2], -0.1, 0.1)
    return BARREL(z) + BARREL(z, 1) * (s[..., 2] - z)


def angle(s):
    return np.mod(np.arctan2(s[..., 1], s[..., 0]), 2 * np.pi)


#: surface of a frame, its gap by hand, and the slope by which that is no distance
SURFACES = {
    "plane": (lambda f: fc.PlaneSurface(f, axis=AXIS), lambda s: s[..., 2]),
    "pin": (lambda f: fc.CylinderSurface(f, radius=0.4, axis=AXIS), lambda s: rho(s) - 0.4),
    "bore": (
        lambda f: fc.CylinderSurface(f, radius=0.01, side="inside", axis=AXIS),
        lambda s: 0.01 - rho(s),
    ),
    "ball": (
        lambda f: fc.SphereSurface(f, radius=0.5, side=1),
        lambda s: np.linalg.norm(s, axis=-1) - 0.5,
    ),
    "socket": (
        lambda f: fc.SphereSurface(f, radius=0.02, side=-1),
        lambda s: 0.02 - np.linalg.norm(s, axis=-1),
    ),
    "torus": (
        lambda f: fc.TorusSurface(f, ring_radius=0.5, radius=0.45, axis=AXIS),
        lambda s: np.hypot(rho(s) - 0.5, s[..., 2]) - 0.45,
    ),
    "cam": (
        lambda f: fc.ProfileSurface(f, radii=polar, axis=AXIS, first=(0, 1, 0)),
        lambda s: rho(s) - OVAL(angle(s)),
        lambda s: OVAL(angle(s), 1) / rho(s),
    ),
    "barrel": (
        lambda f: fc.RevolvedSurface(f, radii=along, start=-0.1, end=0.1, axis=AXIS),
        lambda s: rho(s) - barrel(s),
        lambda s: BARREL(np.clip(s[..., 2], -0.1, 0.1), 1),
    ),
}  # fmt: skip


def gradient(f, s, h=1e-6):
    steps = h * np.eye(3)
    return np.stack([(f(s + d) - f(s - d)) / (2 * h) for d in steps], axis=-1)


class Touching:
    """The upper facet of a brick overlapping a surface of body ``b``, which moves."""

    def __init__(self, name, **options):
        make, self.level, *slope = SURFACES[name]
        self.slope_of = slope[0] if slope else lambda s: 0.0

        def add(z):
            surface = make(z.b.at(POINT))
            self.triad = surface.triad
            options.setdefault("law", fc.Winkler(K, A))
            z.system.add(fc.SurfaceContact(z.solid.facets("z1"), surface, name="c", **options))

        self.brick = brick = Brick(add)
        self.bare = Brick().rows
        brick.move(brick.b, (0.003, -0.002, 0.001), (0.02, -0.03, 0.01), (0.05, -0.1, 0.02),
                   (0.3, -0.2, 0.4))  # fmt: skip
        self.shape, self.slope, w = brick.facet(5)
        area = brick.area_vector(self.slope, brick.places[brick.upper])
        self.area = w * np.linalg.norm(area, axis=1)
        r, e, v, omega = brick.pose(brick.b)
        self.r = r + e @ (np.array(POINT) - brick.b.position)
        self.e = e @ self.triad  # columns: the surface's axes, in space
        self.x = self.shape @ brick.now[brick.upper]
        self.s = (self.x - self.r) @ self.e
        moving = v + np.cross(omega, self.x - r)
        self.rate = (self.shape @ brick.v[brick.upper] - moving) @ self.e

    def depth(self, s):
        return -self.level(s) / np.sqrt(1 + self.slope_of(s) ** 2)


@pytest.mark.parametrize("name", SURFACES)
def test_tractions(name):
    """k depth (1 + a rate) along the gradient of the depth, and mu p against the sliding: on the
    nodes, and as a force and a moment on the body."""
    at = Touching(name, friction=fc.SmoothCoulomb(MU, V0))
    brick = at.brick
    depth = at.depth(at.s)
    touches = depth > 0  # everywhere, or (plane and torus) at most points
    assert touches.mean() > 0.7
    slope, normal = gradient(at.depth, at.s), -gradient(at.level, at.s)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    rate = np.sum(slope * at.rate, axis=1)
    slide = at.rate - np.sum(at.rate * normal, axis=1)[:, None] * normal
    speed = np.linalg.norm(slide, axis=1)[:, None]
    pressure = touches * K * depth * (1 + A * rate)
    assert pressure[touches].min() > 0
    drag = pressure[:, None] * MU * np.tanh(speed / V0) * slide / speed
    traction = (pressure[:, None] * slope + drag) @ at.e.T
    wanted = np.zeros((8, 3))
    wanted[brick.upper] = -np.einsum("n,na,nx->ax", at.area, at.shape, traction)
    scale = np.abs(wanted).max()
    close = 1e-7
    np.testing.assert_allclose(at.bare - brick.rows, wanted, atol=close * scale)
    force, moment = brick.wrench(brick.b, at.r)
    total = at.area @ traction
    about = at.area @ np.cross(at.x - at.r, traction)
    np.testing.assert_allclose(force, total, atol=close * np.linalg.norm(total))
    np.testing.assert_allclose(moment, about, atol=close * np.linalg.norm(total))
    see = brick.channels
    for k, x in enumerate("xyz"):
        assert see[f"c.force.{x}"] == pytest.approx(force[k], abs=1e-9 * np.linalg.norm(total))
        assert see[f"c.moment.{x}"] == pytest.approx(moment[k], abs=1e-9 * np.linalg.norm(total))
    assert see["c.normal_force"] == pytest.approx(at.area @ pressure, rel=close)
    assert see["c.area"] == pytest.approx(at.area @ touches)
    assert see["energy.contact"] == pytest.approx(K / 2 * at.area @ (touches * depth**2), rel=close)
    lost = at.area @ np.sum(drag * slide, axis=1)
    assert see["c.friction_loss"] == pytest.approx(lost, rel=1e-6)

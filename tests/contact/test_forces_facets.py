"""Facets of a solid on a guide: tractions of contact and friction, and what points remember, by
hand; the guide moves, and gets the opposite."""

import numpy as np
import pytest

import fem_clearance as fc

from ..bricks import Brick
from .states import accept

GUIDE = {"axis": (1, 0, 0), "across": (0, 0, 1), "side": "upper", "gap": 0.04, "name": "g"}
K, A, HALF = 3e7, 0.2, 0.02


class Touching:
    """The upper facet of a brick behind the upper surface of a guide on body ``b``."""

    def __init__(self, **options):
        # both begin some displacements before the present ones
        self.brick = brick = Brick(
            lambda z: z.system.add(fc.GuideContact(z.b.at((0, 0, 0)), z.solid.facets("z1"),
                                                   law=fc.Winkler(K, A), **GUIDE, **options))
        )  # fmt: skip
        self.bare = Brick().rows
        brick.move(brick.b, (0.003, -0.002, 0.001), (0.02, -0.03, 0.01), (0.05, -0.1, 0.02),
                   (0.3, -0.2, 0.4))  # fmt: skip
        self.shape, self.slope, w = brick.facet(5)
        upper = brick.upper
        area = brick.area_vector(self.slope, brick.places[upper])
        self.area = w * np.linalg.norm(area, axis=1)
        r, self.e, v, omega = brick.pose(brick.b)
        self.ri = r + self.e @ -brick.b.position
        vi = v + np.cross(omega, self.ri - r)
        self.x = self.shape @ brick.now[upper]
        self.s = (self.x - self.ri) @ self.e  # b began along the axes of space
        past = self.shape @ brick.v[upper] - vi - np.cross(omega, self.x - self.ri)
        self.rate = past @ self.e
        self.start = self.shape @ brick.places[upper]
        self.depth = self.s[:, 2] - HALF
        assert self.depth.min() > 0.005
        self.slide = self.rate * (1, 1, 0)

    def check(self, pressure, drag):
        """Pressure, and friction on the guide in its axes, both per area at the points."""
        on_guide = pressure[:, None] * (0, 0, 1) + drag
        traction = on_guide @ self.e.T
        wanted = np.zeros((8, 3))
        wanted[self.brick.upper] = -np.einsum("n,na,nx->ax", self.area, self.shape, traction)
        force = self.bare - self.brick.rows
        np.testing.assert_allclose(force, wanted, atol=1e-8 * np.abs(wanted).max())
        found = self.brick.wrench(self.brick.b, self.ri)
        total = self.area @ traction
        moment = self.area @ np.cross(self.x - self.ri, traction)
        np.testing.assert_allclose(found[0], total, atol=1e-8 * np.abs(total).max())
        np.testing.assert_allclose(found[1], moment, atol=1e-8 * np.abs(total).max())
        see = self.brick.channels
        assert see["g.normal_force"] == pytest.approx(self.area @ pressure)
        sizes = np.linalg.norm(drag, axis=1)
        assert see["g.friction_force"] == pytest.approx(self.area @ sizes, rel=1e-6)
        lost = np.sum(drag * self.slide, axis=1)
        assert see["g.friction_loss"] == pytest.approx(self.area @ lost, rel=1e-6)
        assert see["g.moment"] == pytest.approx(self.area @ (self.s[:, 0] * pressure))
        assert see["g.area"] == pytest.approx(self.area.sum())
        return see

    @property
    def pressure(self):
        return K * self.depth * (1 + A * self.rate[:, 2])


def smooth(velocity, mu=0.2, v0=0.05):
    speed = np.linalg.norm(velocity, axis=1)[:, None]
    return mu * np.tanh(speed / v0) * velocity / speed


def test_contact_with_friction():
    """k depth (1 + a rate) along the guide's normal, mu p against the sliding."""
    found = Touching(friction=fc.SmoothCoulomb(0.2, 0.05))
    see = found.check(found.pressure, found.pressure[:, None] * smooth(found.slide))
    assert see["energy.contact"] == pytest.approx(K / 2 * found.area @ found.depth**2)


def test_stiffness_by_default():
    """Ten times the modulus over the size of a facet."""
    brick = Brick()
    law = fc.Winkler().values(brick.solid.facets("z1"))
    area = np.linalg.norm(brick.area_vector(brick.facet(3)[1], brick.places[brick.upper]), axis=1)
    size = np.sqrt(brick.facet(3)[2] @ area)
    assert law["k"] == pytest.approx(10 * 2e6 / size)


@pytest.mark.parametrize("mu", [3.0, 0.02])
def test_surface_that_sticks(mu):
    """A spring from where each point began, and a damper; no more than mu x pressure. The points
    began in the undeformed solid, the guide where it was."""
    found = Touching(friction=fc.SurfaceStick(mu, 0.8 * mu, stiffness=2e7, damping=1e5))
    moved = (found.s - found.start) * (1, 1, 0)
    trial = 2e7 * moved + 1e5 * found.slide
    size = np.linalg.norm(trial, axis=1)
    limit = mu * found.pressure
    slips = size > limit
    assert slips.all() if mu < 1 else not slips.any()
    drag = trial * np.minimum(1, limit / size)[:, None]
    see = found.check(found.pressure, drag)
    assert see["g.stuck_area"] == pytest.approx(found.area @ ~slips)
    slipped = [found.brick.observed(f"slipped.{k}") for k in range(len(slips))]
    assert slipped == pytest.approx(found.area * slips, rel=1e-5)
    # at rest in time: what slips keeps the spring that carries the limit
    kept = np.linalg.norm(moved, axis=1)
    energy = found.area @ (K / 2 * found.depth**2 + 2e7 / 2 * kept**2)
    assert see["energy.contact"] == pytest.approx(energy, rel=1e-6)


def test_facets_with_bristles():
    """An implicit Euler step of LuGre's growth by the displacement since the start of the step."""
    law = fc.LuGre(0.3, 0.2, v_s=0.1, stiffness=500.0, damping=0.5, viscous=0.05)
    found = Touching(friction=law)
    h, brick = 0.02, found.brick
    # before the step all was as at the very start, and the guide where it is now
    brick.state.q_n[brick.nodes] = 0.0
    brick.state.q_n[brick.numbers(brick.b)] = brick.state.q[brick.numbers(brick.b)]
    brick.state.globals[-1] = 1 / h
    before = (found.start - found.ri) @ found.e
    velocity = (found.s - before) / h * (1, 1, 0)
    speed = np.linalg.norm(velocity, axis=1)[:, None]
    g = 0.2 + 0.1 * np.exp(-((speed / 0.1) ** 2))
    z = velocity * h / (1 + h * 500 * speed / g)  # (z - 0) / h = v - s0 abs(v) z / g
    drag = 500 * z + 0.5 * z / h + 0.05 * found.slide
    found.check(found.pressure, found.pressure[:, None] * drag)


def test_worn_facets():
    """What a point has lost is taken off its penetration."""

    def worn(x):
        return 2e-3 * (1 + x[..., 0] / 0.2 - x[..., 1] / 0.6)

    wear = fc.SurfaceWear(fc.Archard(1e-4, 1e9), repeat=1.0)
    found = Touching(friction=fc.SmoothCoulomb(0.2, 0.05), wear=wear, worn=worn)
    found.depth = found.depth - worn(found.start)
    found.check(found.pressure, found.pressure[:, None] * smooth(found.slide))


@pytest.mark.parametrize("repeat", [1.0, 2.5])
def test_facets_that_wear_within_the_step(repeat):
    """Each step wears by the pressure at its end: the surface and what is lost are springs in
    series, one that gives p / K' (K' by the law at the present rate), one that gives repeat k/H s p
    on the way s along the guide. What is lost is the same in one repetition."""
    wear = fc.SurfaceWear(fc.Archard(5e-2, 1e4), repeat=repeat)
    found = Touching(friction=fc.SmoothCoulomb(0.2, 0.05), wear=wear)
    brick, rate = found.brick, 5e-2 / 1e4
    # the step began where the brick is now and the guide at its start, with its axes along space's
    way = np.linalg.norm((found.s - found.x)[:, :2], axis=1)
    give = np.array([1 / (K * (1 + A * found.rate[:, 2])), repeat * rate * way])
    assert (give[1] / give[0]).min() > 0.1
    pressure = found.depth / give.sum(axis=0)
    see = found.check(pressure, pressure[:, None] * smooth(found.slide))
    stored = found.area @ (K / 2 * (give[0] * pressure) ** 2)
    assert see["energy.contact"] == pytest.approx(stored)
    brick.state.globals[0] = 0.3  # s: time has passed
    rows, kind = accept(brick, "ChangingSurfaceKind")
    worn = kind.column(rows, "worn")[0]
    np.testing.assert_allclose(np.sort(worn), np.sort(give[1] * pressure), rtol=1e-6)
    see = brick.channels
    assert see["g.worn_volume"] == pytest.approx(found.area @ (rate * way * pressure), rel=1e-6)
    assert see["g.worn_depth"] == pytest.approx(worn.max())

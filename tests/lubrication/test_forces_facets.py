"""The film between facets of a solid and a guide: forces of a given pressure, and Reynolds'
equation, by hand; and the port of a slider's face."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.lubrication import Film, Full, Guembel, GuideFilm, Lubricant, pad
from fem_clearance.lubrication.film.thickness import FlatGap

from ..bricks import Brick
from ..forces import TURN, Bench

MU, GAP, C = 0.04, 0.3, 0.02


class Filmed:
    """The upper facet of a brick in a wide gap below the upper surface of a guide on body ``b``
    (so wide that the brick may deform), with given pressures at its corners."""

    def __init__(self, cavitation, least):
        self.brick = brick = Brick(
            lambda z: z.system.add(
                GuideFilm(z.b.at((0, 0, 0)), z.solid.facets("z1"), (1, 0, 0), (0, 0, 1),
                          side="upper", gap=GAP, lubricant=MU, cavitation=cavitation,
                          clearance=0.1, least=least, name="f",
                          # the other corners' pressures are unknowns, whose rows are looked at
                          open=lambda x: x[:, 0] > x[:, 0].mean()))
        )  # fmt: skip
        self.bare = Brick().rows
        brick.move(brick.b, (0.003, -0.002, 0.001), (0.02, -0.03, 0.01), (0.05, -0.1, 0.02),
                   (0.3, -0.2, 0.4))  # fmt: skip
        self.shape, slope, w = brick.facet(3)
        upper = brick.upper
        tangents = np.einsum("nak,ax->nkx", slope, brick.places[upper])
        self.area = w * np.linalg.norm(np.cross(tangents[:, 0], tangents[:, 1]), axis=1)
        # gradient along the undeformed facet, (n, 4, 3)
        self.gradient = np.einsum("nak,nxk->nax", slope, np.linalg.pinv(tangents))
        r, e, v, omega = brick.pose(brick.b)
        self.e, self.ri = e, r + e @ -brick.b.position
        vi = v + np.cross(omega, self.ri - r)
        self.x = self.shape @ brick.now[upper]
        s = (self.x - self.ri) @ e
        self.rate = (self.shape @ brick.v[upper] - vi - np.cross(omega, self.x - self.ri)) @ e
        corners = (brick.now[upper] - self.ri) @ e
        self.along = np.einsum("nax,ak->nkx", self.gradient, corners)  # ds_k/dX_x
        self.distance = GAP / 2 - s[:, 2]
        self.U = -np.einsum("nk,nkx->nx", self.rate * (1, 1, 0), self.along)
        # pressures of both signs, at the nodes as the block has them
        block = brick.block("f.pressure")
        self.p_nodes = 50.0 * np.array([1.0, -0.5, 0.8, 0.4])
        # every corner's pressure stands for the node of the solid there
        self.pressure_block, self.order = block, self._order()
        brick.state.q[block] = self.p_nodes[self.order]
        self.p = self.shape @ self.p_nodes
        self.slope = np.einsum("nax,a->nx", self.gradient, self.p_nodes)

    def _order(self):
        """Position among ``upper`` of each pressure."""
        film = next(z for z in self.brick.system.items if isinstance(z, GuideFilm))
        return [int(np.flatnonzero(self.brick.upper == n)[0]) for n in film.used]


@pytest.mark.parametrize(("cavitation", "least"), [(Full(), 0.05), (Guembel(), 0.05), (Full(), 3)])
def test_film_on_facets(cavitation, least):
    """-p across the guide and mu U/h + h/2 grad p along it, carried to the present facet; with a
    film that fades (least: thrice the typical thickness) h and its rate as of fading.py."""
    found = Filmed(cavitation, least)
    h, opening = found.distance, np.ones_like(found.distance)
    b = least * 0.1
    assert found.distance.min() > 0
    if least == 3:
        assert found.distance.max() < b
        h, opening = b / 2 * (1 + (h / b) ** 2), h / b
    acts = (found.p > 0).astype(float) if isinstance(cavitation, Guembel) else np.ones_like(h)
    shear = MU * found.U / h[:, None] + acts[:, None] * (h / 2)[:, None] * found.slope
    on_facet = np.einsum("nx,nkx->nk", shear, found.along) * (1, 1, 0)
    on_facet -= (acts * opening * found.p)[:, None] * (0, 0, 1)
    traction = on_facet @ found.e.T
    brick = found.brick
    wanted = np.zeros((8, 3))
    wanted[brick.upper] = np.einsum("n,na,nx->ax", found.area, found.shape, traction)
    np.testing.assert_allclose(
        found.bare - brick.rows, wanted, atol=1e-6 * np.abs(wanted).max() + 1e-7
    )
    total = -found.area @ traction
    moment = -found.area @ np.cross(found.x - found.ri, traction)
    guide = brick.wrench(brick.b, found.ri)
    np.testing.assert_allclose(guide[0], total, atol=1e-7 * np.abs(total).max())
    np.testing.assert_allclose(guide[1], moment, atol=1e-7 * np.abs(total).max())
    flow = h[:, None] ** 3 / (12 * MU) * found.slope - h[:, None] / 2 * found.U
    balance = np.einsum("n,na->a", found.area * -found.rate[:, 2] * opening, found.shape)
    balance += np.einsum("n,nax,nx->a", found.area, found.gradient, flow)
    rows = brick.state.residual()[found.pressure_block]
    np.testing.assert_allclose(rows, balance[found.order], atol=1e-8 * np.abs(balance).max())
    see = brick.channels
    np.testing.assert_allclose(
        [see[f"f.force.{x}"] for x in "xyz"], found.area @ traction, rtol=1e-5
    )
    assert see["f.normal_force"] == pytest.approx(-found.area @ on_facet[:, 2])
    assert see["f.min_film"] == pytest.approx(found.area @ found.distance / found.area.sum())


@pytest.mark.parametrize("axis", [(0, 1, 0), (0, 0, 1)])
def test_turned_slider_and_guide(axis):
    """Both turned as one, by a quarter about the width or across: the same forces, seen from the
    guide. (Sliding along the undeformed facet must not count what a turned guide's direction has
    across it.)"""
    found = Filmed(Full(), 0.05)
    brick, state = found.brick, found.brick.state
    seen = []
    for angle in (0.0, 0.5, np.pi / 2):
        Q = Rotation.from_rotvec(angle * np.array(axis, float)).as_matrix()
        state.q[brick.numbers(brick.b)] = np.r_[Q @ brick.b.position, Q.T.ravel()]
        state.v[brick.numbers(brick.b)] = np.r_[Q @ (1.0, 0.3, 0.0), np.zeros(9)]
        state.q[brick.nodes], state.v[brick.nodes] = brick.places @ Q.T - brick.places, 0.0
        force, moment = brick.wrench(brick.b, Q @ brick.b.position)
        seen.append(np.r_[Q.T @ force, Q.T @ moment, brick.channels["f.power_loss"]])
    size = np.abs(seen[0]).max()
    np.testing.assert_allclose(seen[1:], [seen[0]] * 2, atol=1e-9 * size)


# --- a slider's face ----------------------------------------------------------------------------
AXIS = np.array([1.0, 2.0, 2.0]) / 3
ACROSS = np.array([2.0, 1.0, -2.0]) / 3


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_port_of_a_pad(side):
    """Definitions of e_3, t and the guide's motion past the face; the film's force and moment act
    on the slider at the face's middle, and on the guide the opposite. The film covers a part of the
    face, to one side of its middle."""
    length, height, gap = 0.1, 0.05, 0.0502
    film = Film(pad(0.06, 0.03, (2, 2), start=(-0.05, -0.01)), 1e-4, Lubricant(MU), Full(),
                {"x0": 0.0}, sliding_speed=10.0, gap=FlatGap())  # fmt: skip
    pair = {"upper": (film, None), "lower": (None, film)}[side]
    P, up = np.array([0.3, 0.1, -0.2]), 1 if side == "upper" else -1
    found = Bench(((0.1, 0, 0), tuple(P)))
    found.add(fc.TranslationalClearance(
        found.a.at(TURN @ P), found.b.center, TURN @ AXIS, TURN @ ACROSS, length=length,
        height=height, gap=gap, width=0.04, stiffness=1e8, film=pair, name="g",
    ))  # fmt: skip
    found.assemble()
    tilt = np.array([2e-4, -3e-4, 1e-4])
    found.move(found.a, velocity=(0.1, -0.05, 0.08), omega=(1.1, -0.7, 0.5))
    found.move(found.b, 0.02 * AXIS + 2e-5 * ACROSS, tilt, (2.0, 1.0, -1.0), (0.3, 0.9, -0.2))
    e1, e3 = (found.direction(found.b, z) for z in (AXIS, ACROSS))
    n = found.direction(found.a, ACROSS)
    # the face's axes: along the slider, and out of the guide into the slider
    D = np.column_stack([e1, np.cross(-up * e3, e1), -up * e3])
    middle, v = found.carried(found.b, P + up * height / 2 * ACROSS)
    ri, vi = found.carried(found.a, P)
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    t = D[:, :2].T @ (-up * n)
    closed = (-up * n) @ (ri - middle) - height / 2  # by which the gap at the middle is closed
    assert closed == pytest.approx(1e-4 - (gap / 2 - up * n @ (middle - ri)), abs=1e-15)
    passing = D.T @ (vi + np.cross(spin_i, middle - ri) - v)
    turning = D.T @ (spin_i - spin_j)
    at = {k: found.block(f"g.{side}.{k}") for k in ("e", "t", "V", "Omega", "force", "moment")}
    e = np.r_[(D.T @ (ri - middle))[:2], closed]
    for name, values in zip(("e", "t", "V", "Omega"), (e, t, passing, turning), strict=True):
        found.state.q[at[name]] = values
    some, couple = np.array([30.0, -20, 10]), np.array([0.5, 0.2, -0.3])
    found.state.q[at["force"]], found.state.q[at["moment"]] = some, couple
    rows = found.state.residual()
    for name in ("e", "t", "force", "moment"):
        np.testing.assert_allclose(rows[at[name]] * {"e": 1e-4, "t": 1e-3}.get(name, 1), 0,
                                   atol=1e-9)  # fmt: skip
    # F belongs to the motion of the guide past the face: on the guide F, on the slider -F
    found.check(middle, -D @ some, -D @ couple)
    see = found.channels
    np.testing.assert_allclose([see[f"g.{side}.force.{x}"] for x in "xyz"], -D @ some)
    np.testing.assert_allclose([see[f"g.{side}.moment.{x}"] for x in "xyz"], -D @ couple)
    assert see[f"g.{side}.normal_force"] == pytest.approx(-10)
    assert see[f"g.{side}.friction_force"] == pytest.approx(np.hypot(30, 20))
    assert see["power.to_films"] == pytest.approx(-some @ passing - couple @ turning)
    corners = [1e-4 - closed + t @ (x, y) for x in (-0.05, 0.01) for y in (-0.01, 0.02)]
    assert see[f"g.{side}.min_film"] == pytest.approx(min(corners))

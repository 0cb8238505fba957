"""Films on facets that cavitate, and the port whose axes turn with the line of centres, by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Film,
    Full,
    GuideFilm,
    Lubricant,
    Place,
    Reynolds,
    cap,
    pad,
    plain_bearing,
)
from fem_clearance.lubrication.film.thickness import FlatGap, SphereGap

from ..forces import TURN, Bench
from .films import Held
from .test_forces_facets import Filmed

C, R, MU = 2e-5, 15e-3, 0.04


def test_complement_on_facets():
    """What must flow in stands in Reynolds' rows, the lesser of p and r in the others, by the area
    at the corner."""
    plain, found = Filmed(Full(), 0.05), Filmed(Reynolds(), 0.05)
    state, brick = found.brick.state, found.brick
    r, order = brick.block("f.inflow"), found.order
    inflow = 1e-3 * np.array([2.0, -1.0, 0.5, 3.0])[order]
    state.q[r] = inflow
    film = next(z for z in brick.system.items if isinstance(z, GuideFilm))
    length = np.ptp(film.facets.solid.nodes[film.facets.nodes], axis=0).max() / 2
    unit, flow = MU * 1.0 * length / 0.1**2, 0.1 / length
    corners = brick.reference[brick.upper, :2]
    linear = 0.5 + 2 * corners[:, None, :] * corners
    slope = 2 * corners * linear[:, :, ::-1]
    area = np.linalg.norm(brick.area_vector(slope, brick.places[brick.upper]), axis=1) / 4
    rows, before = brick.state.residual(), plain.brick.state.residual()
    balance = before[plain.pressure_block] - inflow * area[order]
    np.testing.assert_allclose(rows[found.pressure_block], balance, rtol=1e-9, atol=1e-12)
    least = np.minimum(state.q[found.pressure_block] / unit, inflow / flow)
    np.testing.assert_allclose(rows[r], unit * least * area[order], rtol=1e-9)


def test_power_lost_on_facets():
    """Shear alone, mu U^2/h: what the bodies lose to the film, its force times the velocity past
    the guide."""
    found = Filmed(Full(), 0.05)
    brick, h = found.brick, found.distance
    brick.state.q[found.pressure_block] = 0.0
    sheared = found.area @ (MU * np.sum(found.U**2, axis=1) / h)
    assert brick.channels["f.power_loss"] == pytest.approx(sheared, rel=1e-5)
    assert brick.channels["power.to_films"] == pytest.approx(sheared, rel=1e-5)


P = np.array([0.3, 0.1, -0.2])


@pytest.mark.parametrize("turning", [True, False])
def test_port_of_a_ball(turning):
    """The film's axes are those of the socket turned the shortest way until the third lies along
    the line of centres, or those of the socket; V and Omega are seen in them."""
    film = Film(cap(R, 1.2, (2, 2)), C, Lubricant(MU), Full(), {"rim": 0.0}, gap=SphereGap())
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.SphericalClearance(
        found.a.at(TURN @ P), found.b.at(TURN @ P), socket_radius=R, ball_radius=R - C, film=film,
        surface="turning" if turning else "fixed", axis=TURN @ (0, 0.6, 0.8), stiffness=1e9,
        name="s"))  # fmt: skip
    found.assemble()
    found.move(found.a, velocity=(0.1, -0.05, 0.08), omega=(1.1, -0.7, 0.5))
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    away = 0.5 * C * np.array([0.48, 0.6, 0.64])
    found.move(found.b, back + away, (1e-4, 2e-4, 0), (0.12, -0.04, 0.09), (0.4, 0.9, -0.3))
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    shift = TURN.T @ (found.pose(found.b)[0] - found.b.position) + back + away
    found.move(found.b, shift, (1e-4, 2e-4, 0), (0.12, -0.04, 0.09), (0.4, 0.9, -0.3))
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if "PortKind" in type(k).__name__)  # fmt: skip
    D = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    np.testing.assert_allclose(D[:, 2], found.direction(found.a, (0, 0.6, 0.8)), atol=1e-12)
    e = D.T @ (rj - ri)
    W = np.r_[D.T @ (vj - vi - np.cross(spin_i, rj - ri)), D.T @ (spin_j - spin_i)]
    axes = np.eye(3)
    if turning:
        line = e / np.linalg.norm(e)
        turn = np.cross((0, 0, 1.0), line)
        angle = np.arctan2(np.linalg.norm(turn), line[2])
        axes = Rotation.from_rotvec(angle * turn / np.linalg.norm(turn)).as_matrix()
    at = {n: found.block(f"s.{n}") for n in ("e", "t", "V", "Omega", "force", "moment")}
    some, couple = np.array([30.0, -20, 10]), np.array([0.5, 0.2, -0.3])
    found.state.q[at["e"]] = axes.T @ e
    found.state.q[at["V"]], found.state.q[at["Omega"]] = axes.T @ W[:3], axes.T @ W[3:]
    found.state.q[at["force"]], found.state.q[at["moment"]] = some, couple
    rows = found.state.residual()
    # within 1e-4 of the clearance of the centre the line bends: 2e-4 here
    close = 1e-3 if turning else 1e-9
    np.testing.assert_allclose(rows[at["force"]], 0, atol=close * np.abs(W[:3]).max())
    np.testing.assert_allclose(rows[at["moment"]], 0, atol=close * np.abs(W[3:]).max())
    np.testing.assert_allclose(rows[at["e"]] * C, 0, atol=close)
    found.check(rj, D @ axes @ some, D @ axes @ couple, rel=2e-3 if turning else 1e-9)
    least = found.channels["s.min_film"]
    assert least == pytest.approx(C - np.linalg.norm(rj - ri), abs=1e-6 * C)


def test_slow_films_are_fast_ones_of_thicker_oil():
    """A film that conserves its lubricant, closing and turning, at a millionth of the speed with a
    million times the viscosity: the same pressures and voids, since only mu U counts."""
    films = []
    for part in (1.0, 1e-6):
        film = plain_bearing(
            R, 2 * R, C, MU / part, sliding_speed=100 * R * part, cells=(24, 4), cavitation=JFO(),
            starts_at_largest_gap=True,
        )  # fmt: skip
        place = Place(e=(0.6 * C, 0, 0), V=(0.1 * C * part, 0, 0), Omega=(0, 0, 100 * part))
        films.append(Bearing(film).solve(place))
    fast, slow = films
    assert fast.void.max() > 0.1 * C
    np.testing.assert_allclose(slow.pressure, fast.pressure, atol=1e-7 * fast.pressure.max())
    np.testing.assert_allclose(slow.void, fast.void, atol=1e-7 * C)


def test_gap_that_opens_behind_a_flooded_edge():
    """One cell of a flat pad, U along it, the gap opening at rate v: what the flooded edge hands on
    falls short by v/2 of its half of the cell, beside an edge that is not flooded."""
    a, b, U, v = 0.02, 0.01, 0.5, 3e-3
    rows = []
    for edges in ({"x0": 0.0}, {}):
        film = Film(pad(a, b, (1, 1)), C, Lubricant(MU), JFO(), edges, sliding_speed=U,
                    gap=FlatGap())  # fmt: skip
        held = Held(film, (0, 0, 0), (0, 0), (U, 0, -v), (0, 0, 0))
        rows.append(held.rows[held.pressure[held.places[:, 0] > a / 2]])
    np.testing.assert_allclose(rows[0] - rows[1], v / 2 * (a * b / 2), rtol=1e-9)

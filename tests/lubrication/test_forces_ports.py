"""From the bodies to the film and back: the port of a journal, the squeeze film of a ball."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.lubrication import (
    CylindricalFilm,
    Film,
    Full,
    Lubricant,
    Place,
    ShortBearing,
    SphereGap,
    SphericalSqueeze,
    cap,
)

from ..forces import TURN, Bench
from .films import MU, C, L, R

P = np.array([0.3, 0.1, -0.2])
AXIS = np.array([1.0, 2.0, 2.0]) / 3


def test_port_of_a_journal():
    """Definitions of e, t and W; F and M reach journal and housing at the journal's centre."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(CylindricalFilm(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                              film=ShortBearing(R, L, C, MU), name="film"))  # fmt: skip
    found.assemble()
    tilt = np.array([2e-4, -3e-4, 1e-4])
    found.move(found.a, velocity=(0.1, -0.05, 0.08), omega=(1.1, -0.7, 0.5))
    found.move(found.b, turn=tilt, omega=(1.0, -0.5, 2.5))
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    away = 0.4 * C * np.cross(AXIS, (0.6, 0, 0.8)) + 0.05 * C * AXIS
    found.move(found.b, back + away, tilt, (0.1, -0.048, 0.081), (1.0, -0.5, 2.5))
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if type(k).__name__ == "PortKind")  # fmt: skip
    D = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    np.testing.assert_allclose(D[:, 2], found.direction(found.a, AXIS), atol=1e-12)
    e, t = D.T @ (rj - ri), (D.T @ found.direction(found.b, AXIS))[:2]
    rate = D.T @ (vj - vi - np.cross(spin_i, rj - ri))
    W = np.r_[rate, D.T @ (spin_j - spin_i)]
    at = {n: found.block(f"film.{n}") for n in ("e", "t", "V", "Omega", "force", "moment")}
    found.state.q[at["e"]], found.state.q[at["t"]] = e, t
    found.state.q[at["V"]], found.state.q[at["Omega"]] = W[:3], W[3:]
    film = ShortBearing(R, L, C, MU)
    place = Place(e=tuple(e), V=tuple(W[:3]), Omega=(0, 0, W[5]))
    force, moment = film.force(place), film.moment(place)
    # what any multiplier does to the bodies
    some, couple = np.array([30.0, -20, 10]), np.array([0.5, 0.2, -0.3])
    found.state.q[at["force"]], found.state.q[at["moment"]] = some, couple
    found.check(rj, D @ some, D @ couple)
    # and the film's law is the row of W
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at["V"]], some - force, atol=1e-9 * np.abs(force).max())
    np.testing.assert_allclose(rows[at["Omega"]], couple - moment, atol=1e-9)
    # definitions are kept to round-off, and are seen when they are not
    for name in ("e", "t", "force", "moment"):
        np.testing.assert_allclose(rows[at[name]] * cell_unit(found, name), 0, atol=1e-9)
    off = np.array([0.1, -0.2, 0.3])
    found.state.q[at["V"]] += off
    np.testing.assert_allclose(found.state.residual()[at["force"]], off, atol=1e-9)
    found.state.q[at["V"]] -= off
    found.state.q[at["e"]] += off * C
    found.state.q[at["t"]] += off[:2] * C / L
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at["e"]] * C**2, off * C, atol=1e-6 * C)
    np.testing.assert_allclose(rows[at["t"]] * (C / L) ** 2, off[:2] * C / L, atol=1e-6 * C / L)
    found.state.q[at["e"]], found.state.q[at["t"]] = e, t
    see = found.channels
    np.testing.assert_allclose([see[f"film.force.{x}"] for x in "xyz"], D @ some)
    np.testing.assert_allclose([see[f"film.moment.{x}"] for x in "xyz"], D @ couple)
    eccentricity = np.hypot(*e[:2])
    assert see["film.normal_force"] == pytest.approx(-some[:2] @ e[:2] / eccentricity)
    assert see["film.eccentricity"] == pytest.approx(eccentricity)
    np.testing.assert_allclose([see[f"film.e{x}"] for x in "xyz"], rj - ri, atol=1e-12)
    assert see["power.to_films"] == pytest.approx(-some @ W[:3] - couple @ W[3:])
    assert see["film.power_loss"] == pytest.approx(-force @ W[:3] - moment[2] * W[5])
    ends = [np.hypot(*(e[:2] + (z - e[2]) * t)) for z in (-L / 2, L / 2)]
    assert see["film.min_film"] == pytest.approx(C - max(ends))
    # leaning the other way the other end is the nearer
    found.move(found.b, turn=-tilt)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    found.move(found.b, back + away, -tilt)
    (ri, _), (rj, _) = (found.carried(body, P) for body in (found.a, found.b))
    e, t = D.T @ (rj - ri), (D.T @ found.direction(found.b, AXIS))[:2]
    there = [np.hypot(*(e[:2] + (z - e[2]) * t)) for z in (-L / 2, L / 2)]
    assert np.argmax(there) != np.argmax(ends)
    assert found.channels["film.min_film"] == pytest.approx(C - max(there))


def cell_unit(found, name):
    """By which rows of a definition are measured."""
    return {"e": C, "t": C / L}.get(name, 1.0)


def test_squeeze_film_of_a_spherical_joint():
    """6 pi mu R^4 / c^2 deps/dt B(eps) against the approach, nothing against the retreat. (The
    band where dry contact takes over is a millionth of the clearance.)"""
    film = SphericalSqueeze(MU)
    soon = fc.lubrication.Transition(band=1e-6, margin=2e-6)
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.SphericalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), socket_radius=R,
                                    ball_radius=R - C, film=film, stiffness=1e9, name="s",
                                    transition=soon))  # fmt: skip
    found.assemble()
    found.move(found.a)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    n = np.array([0.48, 0.6, -0.64])
    force = film.force(R, C, 0.5, 0.3 / C)
    for sign in (1, -1):
        found.move(found.b, back + 0.5 * C * n, velocity=sign * 0.3 * n + np.cross(n, (0, 0, 0.2)))
        rj, acts = found.carried(found.b, P)[0], max(sign, 0) * force
        pushed, turned = found.wrench(found.b, rj)
        np.testing.assert_allclose(pushed, -acts * (TURN @ n), atol=2e-5 * force)
        np.testing.assert_allclose(turned, 0, atol=1e-9 * force)
        np.testing.assert_allclose(found.wrench(found.a, rj)[0], -pushed, atol=1e-9 * force)
        see = found.channels
        assert see["s.film_force"] == pytest.approx(acts, abs=2e-5 * force)
        assert see["s.power_loss"] == pytest.approx(acts * 0.3, abs=2e-5 * force)
        assert see["power.to_films"] == see["s.power_loss"]
        np.testing.assert_allclose([see[f"s.force.{x}"] for x in "xyz"], pushed, rtol=1e-9)
        assert [see[f"s.moment.{x}"] for x in "xyz"] == [0, 0, 0]


def test_squeeze_film_by_numbers():
    """Tian et al. (2009) eq. (34) at eps = 1/2: B = 8 ln(1/2) + 8 - 1; by its sum near the centre,
    where B = 2/3 + 3/4 eps + 4/5 eps^2; with tension, B(eps) + B(-eps). Within the clearance."""
    film, unit = SphericalSqueeze(MU), 6 * np.pi * MU * R**4 / C**2
    close = 7 - 8 * np.log(2)
    assert film.force(R, C, 0.5, 2.0) == pytest.approx(unit * 2.0 * close)
    assert film.force(R, C, 0.0, -2.0) == pytest.approx(-unit * 2.0 * 2 / 3)
    near = 2 / 3 + 0.0075 + 0.8e-4
    assert film.force(R, C, 0.01, 1.0) == pytest.approx(unit * near, rel=2e-6)
    away = -8 * np.log(1.5) + 1 / (0.25 * 1.5) + 1  # B(-1/2)
    assert film.force(R, C, 0.5, 1.0, whole=True) == pytest.approx(unit * (close + away))
    thin = -np.log(1e12) + 1e12 - 0.5
    assert film.force(R, C, 1 - 1e-12, 1.0) == pytest.approx(unit * thin, rel=1e-3)
    for ratio in (-1e-9, 1.0, 1.5):
        with pytest.raises(fc.InputError, match="ratio"):
            film.force(R, C, ratio, 1.0)


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2, 3.0, np.pi - 1e-3, np.pi])
def test_port_that_turns_with_the_line_of_centres(angle):
    """Its axes are the housing's turned by the shortest way: by the angle between both third axes
    about their common normal (Rodrigues' formula). Right-handed even where the line of centres is
    the housing's axis reversed; about which normal is open there. Motions are seen in them, forces
    and moments given back by them."""
    film = Film(cap(R, cells=(1, 1)), C, Lubricant(MU), Full(), {"rim": 0.0}, sliding_speed=1.0,
                gap=SphereGap())  # fmt: skip
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.SphericalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), socket_radius=R,
                                    ball_radius=R - C, film=film, stiffness=1e9, axis=TURN @ AXIS,
                                    name="s"))  # fmt: skip
    found.assemble()
    found.move(found.a)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    normal = np.array([0.0, 1.0, -1.0]) / np.sqrt(2)  # across AXIS
    turn = Rotation.from_rotvec(angle * normal).as_matrix()
    line = turn @ AXIS
    # the port bends towards its axis by a ten thousandth of the clearance, which is left out here
    e = 0.5 * C * line - 1e-4 * C * AXIS
    at = {n: found.block(f"s.{n}") for n in ("e", "V", "Omega", "force", "moment")}
    seen = {}
    for name in ("V", "Omega"):
        moves = ({"velocity" if name == "V" else "omega": z} for z in np.eye(3))
        columns = []
        for move in moves:
            found.move(found.b, back + e, **move)
            columns.append(-found.state.residual()[at["force" if name == "V" else "moment"]])
        seen[name] = np.array(columns).T  # axes of the port by rows, before the turn of the whole
    axes = seen["V"]
    np.testing.assert_allclose(seen["Omega"], axes, atol=1e-9)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(axes) == pytest.approx(1)
    np.testing.assert_allclose(axes[2], line, atol=3e-6)
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if type(k).__name__ == "TurningPortKind")  # fmt: skip
    housing = TURN.T @ found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    np.testing.assert_allclose(housing[:, 2], AXIS, atol=1e-12)
    if angle < np.pi:
        np.testing.assert_allclose(axes, (turn @ housing).T, atol=1e-7)
    place = -found.state.residual()[at["e"]] * C**2
    np.testing.assert_allclose(place, axes @ e, atol=1e-9 * C)
    some, couple = np.array([30.0, -20, 10]), np.array([0.5, 0.2, -0.3])
    found.state.q[at["force"]], found.state.q[at["moment"]] = some, couple
    D = TURN @ axes.T
    found.check(found.carried(found.b, P)[0], D @ some, D @ couple)
    found.state.q[at["e"]] = axes @ e
    see = found.channels
    np.testing.assert_allclose([see[f"s.force.{x}"] for x in "xyz"], D @ some, rtol=1e-9)
    np.testing.assert_allclose([see[f"s.moment.{x}"] for x in "xyz"], D @ couple, rtol=1e-9)
    assert see["s.film_force"] == pytest.approx(np.sqrt(30**2 + 20**2 + 10**2))
    pressed = -(axes.T @ some) @ e / np.linalg.norm(e)
    assert see["s.normal_force"] == pytest.approx(pressed)

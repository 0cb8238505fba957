"""A journal deep in its bearing: the film has handed over, the dry contact's force alone acts."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Place, ShortBearing, Transition

from ..forces import TURN, Bench
from .films import MU, C, L, R

P, AXIS = np.array([0.3, 0.1, -0.2]), np.array([1.0, 2.0, 2.0]) / 3
DEPTH = 0.5 * C


@pytest.mark.parametrize("side", [0, 1])
def test_deep_contact_under_a_film(side):
    """Wherever the journal lies rows are numbers, and the film's law asks for no force."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.CylindricalClearance(
        found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS, bearing_radius=R,
        journal_radius=R - C, length=L, normal=fc.Hertz(), stiffness=1e9, name="j",
        film=ShortBearing(R, L, C, MU)))  # fmt: skip
    found.assemble()
    found.move(found.a)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if type(k).__name__ == "PortKind")  # fmt: skip
    D = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    n = D[:, side]
    found.move(found.b, back + (C + DEPTH) * TURN.T @ n)
    (ri, _), (rj, _) = (found.carried(body, P) for body in (found.a, found.b))
    found.state.q[found.block("j.e")] = D.T @ (rj - ri)
    rows = found.state.residual()
    assert np.all(np.isfinite(rows))
    assert rows[found.block("j.V")] == pytest.approx(0, abs=1e-9)
    found.check(rj, -1e9 * DEPTH**1.5 * n, rel=1e-6)
    see = found.channels
    assert see["j.contact_force"] == pytest.approx(1e9 * DEPTH**1.5)
    assert see["j.film_force"] == pytest.approx(0, abs=1e-9)


def test_film_that_hands_over():
    """Half way into the band: the law at the place where its film is as thick as the band leaves
    it, b/2 + d^2/(2 b), and of that the part d/b."""
    band = 0.2
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.CylindricalClearance(
        found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS, bearing_radius=R,
        journal_radius=R - C, length=L, normal=fc.Hertz(), stiffness=1e9, name="j",
        transition=Transition(band=band, margin=0.4), film=ShortBearing(R, L, C, MU)))  # fmt: skip
    found.assemble()
    d = 0.5 * band * C
    h = band * C / 2 + d**2 / (2 * band * C)
    n, turning = np.array([0.6, 0.8, 0.0]), 40.0
    found.state.q[found.block("j.e")] = (C - d) * n
    found.state.q[found.block("j.Omega")] = 0, 0, turning
    place = Place(e=tuple((C - h) * n), Omega=(0, 0, turning))
    force = ShortBearing(R, L, C, MU).force(place) * d / (band * C)
    rows = -found.state.residual()[found.block("j.V")]
    np.testing.assert_allclose(rows[:2], force[:2], rtol=1e-9)

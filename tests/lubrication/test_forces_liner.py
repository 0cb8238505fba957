"""A film on a liner whose bore is widened evenly: the film is thicker by that, the pressure presses
the liner out, and what the widening sweeps is in Reynolds' equation."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import CylindricalFilm, Full, Liner, bearing_on
from fem_clearance.lubrication.bearings.bearing import HeldFilm
from fem_clearance.meshes import hollow_cylinder

from ..forces import residuals_only

R, RIM, L, C, MU = 0.015, 0.025, 0.014, 2e-5, 0.04
WIDER, STEP, PRESSURE, OMEGA = 6e-6, 1e-4, 3e4, 50.0
CELLS = (32, 2, 1)
#: of the polygon round the bore, by the circle's: area, and sum of the nodes' normals
AREA = 2 * np.pi * R * L * np.sin(np.pi / 32) / (np.pi / 32)


def liner(kind):
    options = {} if kind is fc.Solid else {"facets": "bore", "direction": "normal"}
    mesh = hollow_cylinder(R, RIM, L, CELLS)
    law = fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=8000)
    return Liner(kind(mesh, law, clamped="rim", **options))


class Lined:
    """A centred journal that turns; the bore wider by WIDER, by half of that a step ago."""

    def __init__(self, pressure, e=(0.0, 0.0, 0.0)):
        bore = liner(fc.Solid)
        film = bearing_on(bore.surface(), C, MU, sliding_speed=1.0, cavitation=Full())
        self.system = fc.System(gravity=(0, 0, 0))
        item = self.system.add(HeldFilm(film, name="film", liner=bore))
        with residuals_only():
            self.state = self.system.state
        state = self.state
        self.port = np.concatenate([state.locate(b.numbers) for b in item.port])
        state.q[self.port] = np.r_[e, 0, 0, 0, 0, 0, 0, 0, OMEGA]
        solid = item.lined.solid
        self.nodes = state.locate(solid.displacement(np.arange(len(solid.nodes))[:, None]).numbers)
        places = solid.nodes
        self.bore = np.flatnonzero(np.hypot(places[:, 0], places[:, 1]) < R * 1.001)
        self.normals = places[self.bore] / R * (1, 1, 0)
        state.q[self.nodes[self.bore]] = WIDER * self.normals
        state.q_n[:] = state.q
        state.q_n[self.nodes[self.bore]] = WIDER / 2 * self.normals
        state.globals[-1] = 1 / STEP
        self.pressure = state.locate(item.pressure.numbers)
        state.q[self.pressure] = pressure
        self.rows = state.residual().copy()


def test_shear_in_the_wider_film():
    """Petroff's drag for the clearance and the widening."""
    found = Lined(0.0)
    drag = -MU * OMEGA * R * R / (C + WIDER) * AREA
    assert -found.rows[found.port[10]] == pytest.approx(drag, rel=1e-2)


def test_widening_in_reynolds_equation():
    """All rows together: the volume that the widening sweeps."""
    swept = WIDER / 2 / STEP * AREA
    assert Lined(0.0).rows[Lined(0.0).pressure].sum() == pytest.approx(swept, rel=1e-2)


def test_pressure_on_the_liner():
    """p times the area along the normals, out of the bore, beside the liner's own forces."""
    loaded, free = Lined(PRESSURE), Lined(0.0)
    force = (free.rows - loaded.rows)[loaded.nodes][loaded.bore]
    out = np.sum(force * loaded.normals, axis=1)
    assert out.sum() == pytest.approx(PRESSURE * AREA, rel=1e-2)
    np.testing.assert_allclose(force - out[:, None] * loaded.normals, 0, atol=1e-9 * out.max())
    assert out.min() > 0


@pytest.mark.parametrize("pressure", [0.0, PRESSURE, -PRESSURE])
def test_power_of_the_film_on_a_liner(pressure):
    """The film turns into heat what journal and liner lose to it: Petroff's drag takes from the
    journal, and the pressure gives to the liner where that widens (a stroke p dA)."""
    found = Lined(pressure)
    found.system.channels.read()
    drag = MU * OMEGA**2 * R * R / (C + WIDER) * AREA
    stroke = pressure * WIDER / 2 / STEP * AREA
    assert abs(stroke) > drag / 2 or not pressure
    lost = found.system.channels["power.film"]
    assert lost == pytest.approx(drag - stroke, abs=1e-2 * drag)


def test_least_film_of_a_lined_joint():
    """The channel: the least of the nodes' thickness."""
    bore = liner(fc.Solid)
    film = bearing_on(bore.surface(), C, MU, sliding_speed=1.0, cavitation=Full())
    system = fc.System(gravity=(0, 0, 0))
    shaft = system.add(fc.RigidBody(1.0, (1, 1, 1), name="shaft"))
    joint = CylindricalFilm(
        system.ground, shaft.center, (0, 0, 1), film=film, liner=bore, first=(1, 0, 0), name="film"
    )
    system.add(joint)
    with residuals_only():
        state = system.state
    e = next(b for b in state.problem.blocks if b.name == "film.e")
    state.q[state.locate(e.numbers)] = (0.4 * C, 0.0, 0.0)
    system.channels.read()
    assert system.channels["film.min_film"] == pytest.approx(0.6 * C)
    solid = joint.elastic[0].solid
    nodes = state.locate(solid.displacement(np.arange(len(solid.nodes))[:, None]).numbers)
    inner = np.hypot(solid.nodes[:, 0], solid.nodes[:, 1]) < R * 1.001
    state.q[nodes[inner]] = WIDER * solid.nodes[inner] / R * (1, 1, 0)
    system.channels.read()
    assert system.channels["film.min_film"] == pytest.approx(0.6 * C + WIDER)

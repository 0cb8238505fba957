"""Asperities (Greenwood and Tripp) under films: between rigid surfaces and on elastic liners.

The bearing on a liner is that of test_ehd.py: bore 15 mm, clearance .02 mm, bronze of 130 GPa.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import gamma, pbdv

import fem_clearance as fc
from fem_clearance.lubrication import Asperities, Bearing, Guembel, Liner, Place, bearing_on
from fem_clearance.meshes import hollow_cylinder

from .balances import check_tangent
from .test_ehd import SPEED, C, R, at, on, size, solid
from .test_ehd_joint import SURFACE, condensed, film_on, rotor, run, values
from .test_ehd_long import MU, NU, RIM, E, compliance
from .test_port import a_film
from .test_port import rotor as rigid_rotor

ROUGH = Asperities(roughness=0.5e-6, modulus=1.1e11, density=0.05, sharpness=1e-2, friction=0.1)


def greenwood_tripp(distance, n=2.5, law=ROUGH):
    """Pressure (n = 5/2) by parabolic cylinder functions, Pa."""
    x = distance / law.roughness
    near = x < 12
    z = np.where(near, x, 0.0)
    F = np.exp(-z * z / 4) * gamma(n + 1) * pbdv(-(n + 1), z)[0] / np.sqrt(2 * np.pi)
    factor = 16 * np.sqrt(2) * np.pi / 15 * law.density**2 * np.sqrt(law.sharpness) * law.modulus
    return np.where(near, factor * F, 0.0)


def test_pressure_by_numbers():
    distance = ROUGH.roughness * np.linspace(-3, 4, 30)
    assert ROUGH.pressure(distance) == pytest.approx(greenwood_tripp(distance), rel=5e-6)


def rough_on(liner, **options):
    bearing = on(liner, **options)
    return Bearing(replace(bearing.film, asperities=ROUGH), bearing.item.liner)


def test_dry_liner_in_balance():
    """Nothing moves, so that no oil bears, and the journal is pressed past the clearance: the force
    on it is that of the law over the bore and the reaction of the rim."""
    bearing = rough_on(solid())
    film = bearing.solve(Place(e=(1.05 * C, 0, 0)))
    assert film.pressure.max() < 1e-9 * film.contact_pressure.max()
    assert film.deformation.max() > 0.05 * C
    assert film.contact_pressure == pytest.approx(greenwood_tripp(film.thickness), rel=1e-4)
    state, body = bearing.state, bearing.lined.solid
    numbers = body.displacement(np.arange(len(body.nodes))[:, None]).numbers
    rim = state.residual()[state.locate(numbers)].reshape(-1, 3)[body.held].sum(axis=0)
    np.testing.assert_allclose(rim[:2], film.force[:2], atol=1e-9 * size(film))
    # the force's derivative follows the liner: against differences of solutions
    d = 1e-5 * C
    ends = [bearing.solve(Place(e=(1.05 * C + k * d, 0, 0))).force[0] for k in (-1, 1)]
    assert film.stiffness[0, 0] == pytest.approx((ends[0] - ends[1]) / (2 * d), rel=1e-4)


def test_stiff_liner_is_the_rigid_surface():
    """Compliance a millionth, oil and asperities together, within the mean planes' reach."""
    liner = solid((12, 3, 1), fc.CondensedSolid, 1e6 * E, responses=12)
    soft = rough_on(liner).solve(at(0.98))
    hard = Bearing(rough_on(liner).film).solve(at(0.98))
    oil = replace(on(liner).film, asperities=replace(ROUGH, modulus=1.0))
    assert hard.contact_pressure.max() > 1e6
    assert size(hard) > 1.001 * size(Bearing(oil).solve(at(0.98)))
    np.testing.assert_allclose(soft.force, hard.force, atol=1e-3 * size(hard))


def dry_ring(ratio, count=720, harmonics=60):
    """Force (N/m) and largest displacement (m) of a ring in plane strain that a rough journal
    presses: pressure and displacement by Newton's method, elasticity as in test_ehd_long.py."""
    theta = -np.pi + 2 * np.pi * np.arange(count) / count
    table = np.array([compliance(n) for n in range(harmonics)])
    weight = np.where(np.arange(harmonics) == 0, 1, 2) / count
    angles = theta[:, None] - theta
    D = sum(w * t * np.cos(n * angles) for n, (w, t) in enumerate(zip(weight, table, strict=True)))
    p = np.zeros(count)
    for part in np.linspace(0.9 / ratio, 1, 20):
        for _ in range(60):
            h = C * (1 - part * ratio * np.cos(theta)) + D @ p
            slope = -2.5 * greenwood_tripp(h, 1.5) / ROUGH.roughness
            step = np.linalg.solve(np.eye(count) - slope[:, None] * D, p - greenwood_tripp(h))
            p = p - step
            if np.abs(step).max() < 1e-9 * np.abs(p).max():
                break
    return -p @ np.cos(theta) * 2 * np.pi * R / count, (D @ p).max()


@pytest.mark.slow
def test_dry_long_bearing():
    """A rough journal, 1.1 clearances off the middle, pressed into a long liner without oil
    pressure, against the ring."""
    force, outward = dry_ring(1.1)
    mesh = hollow_cylinder(R, RIM, 2e-3, (64, 2, 2))
    law = fc.StVenantKirchhoff(E=E, nu=NU, rho=8000)
    liner = Liner(fc.Solid(mesh, law, clamped={"rim": "xyz", "z0": "z", "z1": "z"}))
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED, cavitation=Guembel(),
                      starts_at_largest_gap=True)  # fmt: skip
    found = Bearing(replace(film, asperities=ROUGH), liner).solve(Place(e=(1.1 * C, 0, 0)))
    assert outward > 0.1 * C
    assert found.force[0] / 2e-3 == pytest.approx(force, rel=5e-3)
    assert found.deformation.max() == pytest.approx(outward, rel=5e-3)


@pytest.mark.parametrize("lined", [condensed])
def test_overloaded_journal_rests_on_the_liner(lined, caplog):
    """It does not turn, squeezes the oil out and comes to rest: force, thickness and contact are
    those of the bearing alone at that place; the log says that the film is thin."""
    liner, load = lined(), 3000.0
    film = replace(film_on(SURFACE), asperities=ROUGH)
    system = rotor(liner, film, load=(load, 0, 0), at=(0.9, 0.0, 0.0), spin=0.0, grows=False)
    stepper = run(system, 1e-2, 150, integrator=fc.GeneralizedAlpha(0.8, "stabilised"))
    e = values(system, "e")
    alone = Bearing(film, liner).solve(Place(e=tuple(e)))
    channels = stepper.channels
    assert channels["film.force.x"] == pytest.approx(-load, rel=1e-3)
    assert alone.force[0] == pytest.approx(-load, rel=2e-3)
    assert channels["film.min_film"] == pytest.approx(alone.thickness.min(), abs=1e-3 * C)
    assert channels["film.min_film"] < 1.5 * ROUGH.roughness
    assert channels["film.asperity_force"] > 0.9 * load
    assert [r.message for r in caplog.records if "thinner than the surfaces are rough" in r.message]


def test_tangent_of_rigid_surfaces():
    """Asperities felt all round, tilted, sliding."""
    law = Asperities(roughness=3e-5, modulus=1e11, friction=0.1, slip=1.0)
    film = replace(a_film((6, 2), Guembel()), asperities=law)
    system = rigid_rotor(film, at=(0.4, 0.3, 20.0), tilt=1e-3, free=True)
    state = system.state
    rng = np.random.default_rng(3)
    for b in state.problem.blocks:
        place = state.locate(b.numbers)
        if b.name.startswith("film.") and b.name[5:] not in ("e", "t"):
            state.q[place] = np.where(b.fixed, 0.0, b.role.unit * rng.uniform(0.3, 1, len(place)))
    check_tangent(state, 2e-6)

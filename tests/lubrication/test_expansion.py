"""Expansion of heated walls: displacements and stresses of rings against Lame's closed forms, a
film against one that has the warm clearance, and its balance in time."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import InputError, StepFailed
from fem_clearance.lubrication import (
    Bearing,
    Conducting,
    CylindricalFilm,
    Expansion,
    Exponential,
    Film,
    Full,
    HeatedSolid,
    Lubricant,
    Place,
    Reynolds,
    Shaft,
    cylinder,
)
from fem_clearance.lubrication.film.thermoelastic import Expanding

R, OUTER, ALPHA, E, NU = 0.02, 0.03, 12e-6, 2e11, 0.3


def ring(length, cells=(16, 2, 3), **more):
    mesh = fc.meshes.hollow_cylinder(R, OUTER, length, cells, degree=2)
    return mesh, Expanding(mesh, Expansion(ALPHA, E=E, nu=NU, **more), "bore")


def bore(body, u):
    """Places along the axis and displacements along the normal of the bore's nodes."""
    nodes = body.facets.nodes
    return body.solid.nodes[nodes, 2], body.along_normal(u)[nodes, 0]


def test_uniform_rise_of_a_free_ring():
    """alpha dT r outwards, without stress."""
    mesh, body = ring(0.02)
    rise = np.full(len(mesh.points), 10.0)
    u = body.displacements(rise[:, None])
    np.testing.assert_allclose(bore(body, u)[1], ALPHA * 10 * R, rtol=1e-9)
    np.testing.assert_allclose(body.stress(u[..., 0], rise), 0.0, atol=1e-3 * E * ALPHA * 10)


def test_ring_that_is_warm_inside():
    """T = ln(b/r)/ln(b/a) in a thin disc: the bore moves by alpha a times the mean temperature, and
    the hoop stress there is E alpha (mean - 1) (Timoshenko and Goodier, 135)."""
    mesh, body = ring(5e-4, (16, 1, 6))
    radius = np.hypot(*mesh.points[:, :2].T)
    rise = np.log(OUTER / radius) / np.log(OUTER / R)
    log = np.log(OUTER / R)
    mean = (OUTER**2 - R**2 - 2 * R**2 * log) / (2 * (OUTER**2 - R**2) * log)
    u = body.displacements(rise[:, None])
    np.testing.assert_allclose(bore(body, u)[1].mean(), ALPHA * R * mean, rtol=1e-3)
    nodes = body.facets.nodes
    x = body.solid.nodes[nodes]
    hoop = np.stack([-x[:, 1], x[:, 0], 0 * x[:, 0]], 1) / R
    stress = np.einsum("ni,nij,nj->n", hoop, body.stress(u[..., 0], rise)[nodes], hoop)
    np.testing.assert_allclose(stress.mean(), E * ALPHA * (mean - 1), rtol=0.02)


def test_ring_held_outside():
    """A long ring whose rim is held grows inwards, by Lame's solution in plane strain with u = 0 at
    the rim and no radial stress at the bore."""
    mesh, body = ring(0.2, (16, 16, 3), held=["rim"])
    z, u = bore(body, body.displacements(np.ones((len(mesh.points), 1))))
    lame, mu = E * NU / (1 + NU) / (1 - 2 * NU), E / 2 / (1 + NU)
    part = ALPHA * E / (1 - 2 * NU) / (2 * (lame + mu) + 2 * mu * (OUTER / R) ** 2)
    wanted = part * (R - OUTER**2 / R)
    assert wanted < 0
    np.testing.assert_allclose(u[np.abs(z) < 0.02], wanted, rtol=2e-3)


C, SPEED, SUPPLY, WIDTH = 4e-5, 300.0, 320.0, 0.02
OIL = Lubricant(0.03, temperature=Exponential(0.03), reference_temperature=SUPPLY,
                mass_density=850.0, specific_heat=2000.0)  # fmt: skip
PLACE = Place(e=(0.5 * C, -0.3 * C, 0), Omega=(0, 0, SPEED))


def bush(expansion=None, conductivity=1e6):
    mesh = fc.meshes.hollow_cylinder(R, 2 * R, WIDTH, (16, 2, 2), degree=2)
    return HeatedSolid(mesh, conductivity, 3.6e6, cooled={"rim": (200.0, 310.0)}, responses=20,
                       expansion=expansion)  # fmt: skip


def film(swells=0.0, expansion=None, cavitation=None, clearance=C, **more):
    more = {"journal": Shaft()} | more
    warm = Conducting(SUPPLY, bush=bush(expansion), journal_expansion=swells, **more)
    return Film(cylinder(R, WIDTH, (16, 4)), clearance, OIL, cavitation or Reynolds(),
                sliding_speed=R * SPEED, thermal=warm)  # fmt: skip


FREE = Expansion(1.2e-5, E=2e11, nu=0.3)


@pytest.mark.parametrize("cavitation", [Reynolds(), Full()])
def test_film_of_the_warm_clearance(cavitation):
    """A bush that conducts very well has one temperature and grows as a free ring, the journal more
    than it: the film is the one whose clearance is less by as much, given by the closed forms, and
    its stiffness is the derivative of its forces."""
    bearing = Bearing(film(2e-5, FREE, cavitation, reference=300.0))
    state = bearing.solve(PLACE)
    warm = state.warm
    assert np.ptp(warm.bush) < 1e-2
    grows = R * (1.2e-5 * (warm.bush.mean() - 300) - 2e-5 * (float(warm.journal[0]) - 300))
    assert -0.2 * C < grows < -0.05 * C
    np.testing.assert_allclose(state.deformation, grows, rtol=1e-3)
    rigid = Bearing(film(cavitation=cavitation, clearance=C + grows)).solve(PLACE)
    np.testing.assert_allclose(state.force, rigid.force, rtol=5e-4, atol=1e-6)
    assert state.power_loss == pytest.approx(rigid.power_loss, rel=5e-4)
    assert warm.heat == pytest.approx(state.power_loss, rel=1e-10)
    assert warm.oil_heat + warm.bush_heat + warm.journal_heat == pytest.approx(warm.heat, rel=1e-10)
    step, x = 1e-9, np.array(PLACE.e)
    there, back = (
        bearing.solve(PLACE._replace(e=tuple(x + s * step * np.eye(3)[0]))).force for s in (1, -1)
    )
    np.testing.assert_allclose((back - there)[:2] / (2 * step), state.stiffness[:2, 0], rtol=1e-5)


def test_stress_of_the_bush():
    """The solid of a film at its temperatures: those of the bore are the film's, and a free ring of
    one temperature has no stress to speak of."""
    bearing = Bearing(film(expansion=FREE))
    warm = bearing.solve(PLACE).warm
    solid = bearing.film.thermal.heated(warm.amplitudes)
    assert solid.temperature.max() == pytest.approx(warm.bush.max(), abs=0.01)
    radius = np.hypot(*solid.nodes[:, :2].T)
    outwards = np.einsum("nx,nx->n", solid.nodes[:, :2], solid.displacement[:, :2]) / radius
    rise = warm.bush.mean() - SUPPLY
    np.testing.assert_allclose(outwards, 1.2e-5 * rise * radius, rtol=0.01)
    assert np.abs(solid.stress).max() < 0.01 * 2e11 * 1.2e-5 * rise


@pytest.mark.parametrize("cavitation", [Reynolds(), Full()])
def test_balance_in_time(cavitation):
    """In each step: heat = loss of the bodies + power of the expanding walls = oil + bush +
    journal; the least film is that of the nodes."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(0.5, (1e3,) * 3, position=(0.3 * C, -0.5 * C, 0),
                                   angular_velocity=(0, 0, SPEED)))  # fmt: skip
    hot = Shaft(conductance=2.0, temperature=380.0, capacity=0.5)
    own = film(2e-5, FREE, cavitation, journal=hot)
    system.add(CylindricalFilm(system.ground.at((0, 0, 0)), body.center, (0, 0, 1), film=own,
                               name="film"))  # fmt: skip
    system.add(fc.Force(body.center, (0, -300, 0)))
    run = fc.Stepper(system, dt=5e-5, t_end=1e-3, newton_tolerance=1e-11)
    run.start()
    journal = next(b for b in system.state.problem.blocks if b.name == "film.journal")
    for _ in range(15):
        run.advance()
        run.channels.read()
        loss, heat, fed, *parts = (
            run.channels[f"film.{n}"]
            for n in ("power_loss", "heat", "expansion_power", "oil_heat", "bush_heat",
                      "journal_heat")
        )  # fmt: skip
        assert abs(fed) > 1e-7 * loss
        assert heat == pytest.approx(loss + fed, rel=1e-10)
        assert sum(parts) == pytest.approx(heat, rel=1e-10)
    rise = run.state.q[run.state.locate(journal.numbers)][0]
    assert rise > 0.1
    e = run.channels["film.ex"], run.channels["film.ey"], 0.0
    cold = own.thickness(e, (0, 0)).min()
    assert run.channels["film.min_film"] == pytest.approx(cold - 2e-5 * R * rise, abs=1e-10)


def test_seizure_is_a_failed_step():
    """A journal so hot that it fills the bush: a full sentence, no raw error."""
    with pytest.raises(StepFailed, match="seizes"):
        Bearing(film(2e-4, journal=330.0)).solve(PLACE)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: film(1e-5, journal=None), "one temperature"),
        (lambda: film(reference=-1.0), "reference"),
        (lambda: bush(1.2e-5), "Expansion"),
        (lambda: bush(Expansion(1e-5, E=2e11, nu=0.3, held=["back"])), "no facets marked 'back'"),
        (lambda: Expansion(1e-5, E=2e11, nu=0.5), "nu"),
        (lambda: Conducting(SUPPLY).heated(np.zeros(3)), "no HeatedSolid"),
    ],
)
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()

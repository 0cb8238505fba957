"""Films that give heat to journal and bush in running systems: warm-up of the shaft against an ODE,
and the heat balance in each step."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.core.apart import MOST
from fem_clearance.lubrication import (
    Conducting,
    Convection,
    CylindricalFilm,
    Exponential,
    Film,
    Full,
    HeatedSolid,
    Lubricant,
    Reynolds,
    Shaft,
    cylinder,
)

R, L, C, MU, BETA, SPIN, SUPPLY = 15e-3, 20e-3, 5e-5, 0.04, 0.03, 300.0, 320.0
OIL = Lubricant(MU, temperature=Exponential(BETA), reference_temperature=SUPPLY,
                mass_density=850.0, specific_heat=2000.0)  # fmt: skip
HEAVY = (1e3, 1e3, 1e3)


def stepper(cavitation, dt, t_end, at=(0, 0), load=(0, 0, 0), oil=OIL, clearance=C, spin=SPIN,
            cells=(16, 4), solver="auto", **walls):  # fmt: skip
    film = Film(cylinder(R, L, cells), clearance, oil, cavitation, sliding_speed=R * spin,
                thermal=Conducting(SUPPLY, **walls))  # fmt: skip
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(0.5, HEAVY, position=(*np.multiply(clearance, at), 0),
                     angular_velocity=(0, 0, spin))
    )  # fmt: skip
    system.add(
        CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                        name="film")
    )  # fmt: skip
    if np.any(load):
        system.add(fc.Force(journal.center, load))
    result = fc.Stepper(system, dt=dt, t_end=t_end, newton_tolerance=1e-11, solver=solver)
    result.start()
    return result


RING = fc.meshes.hollow_cylinder(R, 2 * R, L, (16, 2, 2), degree=2)


@pytest.mark.parametrize(
    "bush",
    [
        Convection(2000.0, 310.0),
        HeatedSolid(RING, 50.0, 3.6e6, cooled={"rim": (500.0, 310.0)}, responses=30),
    ],
)
def test_balance_in_each_step(bush):
    """Loss of the journal = heat = oil + bush + journal; what the journal takes is stored and
    passed on by the shaft, its stored heat the change of its temperature; likewise of a solid."""
    shaft = Shaft(conductance=2.0, temperature=300.0, capacity=5.0)
    run = stepper(Reynolds(), 5e-5, 1e-3, (0.3, -0.5), (0, -600, 0),
                  bush=bush, journal=shaft)  # fmt: skip
    read = run.channels
    block = next(b for b in run.system.state.problem.blocks if b.name == "film.journal")
    at = run.state.locate(block.numbers)
    for _ in range(20):
        before = run.state.q[at][0]
        run.advance()
        read.read()
        loss, heat, oil, into, journal, stored, passed = (
            read[f"film.{n}"]
            for n in ("power_loss", "heat", "oil_heat", "bush_heat", "journal_heat", "shaft_stored",
                      "shaft_passed")
        )  # fmt: skip
        assert heat == pytest.approx(loss, rel=1e-10)
        assert oil + into + journal == pytest.approx(heat, rel=1e-10)
        assert stored + passed == pytest.approx(journal, rel=1e-9)
        rise = run.state.q[at][0]
        assert stored == pytest.approx(5.0 * (rise - before) / 5e-5, rel=1e-6)
        assert passed == pytest.approx(2.0 * (SUPPLY + rise - 300.0), rel=1e-12)
        if isinstance(bush, HeatedSolid):
            taken = read["film.solid_stored"] + read["film.solid_passed"]
            assert taken == pytest.approx(into, rel=1e-8)
    assert abs(into) > 1e-3 * heat and abs(journal) > 1e-3 * heat


@pytest.mark.parametrize("capacity", [3.6e6, 30.0])
def test_factors_of_oil_and_bush_apart_move_it_as_mumps(capacity):
    """A bush of steel hardly warms in a step, and its factors are apart from those of the oil; one
    without capacity follows the oil at once, and both are factorised together."""
    found = []
    for solver in ("auto", "mumps"):
        bush = HeatedSolid(RING, 50.0, capacity, cooled={"rim": (500.0, 310.0)}, responses=30)
        run = stepper(Reynolds(), 5e-5, 1e-3, (0.3, -0.5), (0, -600, 0), solver=solver,
                      bush=bush, journal=Shaft(2.0, 300.0, 5.0))  # fmt: skip
        while run.t < 1e-3:
            run.advance()
        state, pc = run.state, run.newton.snes.getKSP().getPC()
        blocks = {b.name: b for b in state.problem.blocks}
        oil, walls = blocks["film.temperature"], blocks["film.solid"]
        found.append(
            [state.q[state.locate(b.numbers[b.free])] for b in (oil, walls)]
        )  # fmt: skip
        if solver == "auto":
            factors, *_ = pc.getAttr("factors")
            assert factors.came_back < 0.01
            parts = factors.later
            assert parts.came_back < 1e-3 if capacity > 1e3 else parts.came_back > MOST
            assert parts.joined == (capacity < 1e3)
    for mine, theirs in zip(*found, strict=True):
        assert mine == pytest.approx(theirs, rel=1e-7, abs=1e-7 * np.abs(theirs).max())
        assert np.abs(theirs).max() > 1e-4


def test_warm_up_of_a_shaft():
    """A concentric film between an insulated bush and a shaft of little heat: two numbers, bush and
    mean temperature by Galerkin, integrated by scipy with the shaft's; constant viscosity, so that
    mu U^2/h heats the film by the shapes' integrals (0, 0, 1)."""
    thin, spin, capacity, conductance = C / 10, SPIN / 100, 0.02, 0.05
    oil = Lubricant(MU, mass_density=850.0, specific_heat=2000.0, conductivity=0.14)
    area, heat = 2 * np.pi * R * L, MU * (R * spin) ** 2 / thin
    M = np.array([[4, -1, -3], [-1, 4, -3], [-3, -3, 36]]) / 30 * 1.7e6 * thin * area
    S = np.array([[4, 2, -6], [2, 4, -6], [-6, -6, 12]]) * 0.14 / thin * area
    M[1, 1] += capacity
    S[1, 1] += conductance

    def rates(t, T):
        return np.linalg.solve(M, np.array([0, 0, heat * area]) - S @ T)

    t_end = 0.4
    exact = solve_ivp(rates, (0, t_end), np.zeros(3), "Radau", rtol=1e-9, atol=1e-12).y[:, -1]
    errors = []
    for dt in (0.02, 0.01):
        run = stepper(Full(), dt, t_end, oil=oil, clearance=thin, spin=spin, cells=(48, 2),
                      journal=Shaft(conductance, SUPPLY, capacity))  # fmt: skip
        while run.t < t_end * (1 - 1e-9):
            run.advance()
        blocks = {b.name: b for b in run.system.state.problem.blocks}
        found = [
            run.state.q[run.state.locate(blocks[f"film.{n}"].numbers)].mean()
            for n in ("bush", "journal", "temperature")
        ]
        errors.append(np.array(found) / exact - 1)
    assert exact[1] > 0.2 and np.abs(errors[1]).max() < 0.03, (exact, errors)
    np.testing.assert_allclose(errors[0] / errors[1], 2.0, atol=0.25)

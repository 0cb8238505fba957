"""Factors of which each rank has its own part, against MUMPS's of the assembled matrix."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.factors import PART
from fem_clearance.core.linear_solvers import Factors, substructured
from fem_clearance.lubrication import CylindricalFilm, plain_bearing

from .test_loop import double_pendulum, pendulum

pytestmark = pytest.mark.mpi
R, C = 0.015, 1e-4


def two_films(comm):
    """A shaft in two bearings, whose films are of nearly equal size."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    shaft = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(0.3 * C, 0.1 * C, 0),
                     angular_velocity=(0, 0, 500.0), name="shaft", free=True)
    )  # fmt: skip
    for name, z, width in (("near", -0.1, R), ("far", 0.1, 0.9 * R)):
        film = plain_bearing(R, width, C, 0.04, sliding_speed=500 * R, cells=(16, 4))
        system.add(
            CylindricalFilm(system.ground.at((0, 0, z)), shaft.at((0, 0, z)), (0, 0, 1),
                            film=film, name=name)
        )  # fmt: skip
    system.add(fc.Force(shaft.center, (300.0, -100.0, 0)))
    return system


def cable(comm):
    return pendulum(12, comm=comm)


def arms(comm):
    """Each rank has an arm, whose multipliers hold what the joint between them touches."""
    return double_pendulum(comm=comm)


def built(make, comm):
    """A solver after some steps, with a new tangent."""
    stepper = fc.Stepper(make(comm), dt=1e-4, t_end=1.0)
    stepper.start()
    for _ in range(4):
        stepper.advance()
    stepper.newton.build()
    return stepper.newton


def direct(newton):
    """The same tangent assembled and factorised by MUMPS."""
    state, c = newton.state, newton.c
    return Factors(state.assemble(state.tangent(c.beta, c.gamma)))


@pytest.mark.parametrize("make", [two_films, cable, arms])
def test_solves_as_the_assembled_matrix(make, comm):
    newton = built(make, comm)
    state, factors = newton.state, direct(newton)
    pc = newton.snes.getKSP().getPC()
    if comm.size > 1:
        assert pc.getType() == "shell" and pc.getAttr(PART) is not None
    pc.setUp()
    b = np.random.default_rng(3).normal(size=state.size)
    own = slice(state.problem.low, state.problem.low + state.owned)
    factors.b.array[:] = b[own]
    for ours, theirs in ((pc.apply, factors.ksp.solve),
                         (pc.applyTranspose, factors.ksp.solveTranspose)):  # fmt: skip
        found, expected = factors.b.duplicate(), factors.x
        ours(factors.b, found)
        theirs(factors.b, expected)
        assert (found - expected).norm() < 1e-8 * expected.norm() > 0
        found.destroy()
    factors.destroy()


def test_whole_films_belong_to_ranks(comm):
    """What is left between two ranks is a few numbers of the bearings, not rows of films."""
    if comm.size != 2:
        pytest.skip("is about two ranks")
    newton = built(two_films, comm)
    factors = substructured(newton.state)
    films = [b for b in newton.state.problem.blocks if b.what in ("pressure", "inflow")]
    border = len(factors._shared[0])
    assert len(films) == 4 and border < 40
    owned = newton.state.problem.numbers[: newton.state.owned]
    counts = [np.isin(b.numbers[b.free], owned).mean() for b in films]
    assert sorted(counts) == [0, 0, 1, 1]


def test_all_ranks_know_of_a_missing_pivot(comm):
    newton = built(two_films, comm)
    if comm.size == 1:
        pytest.skip("has a matrix of PETSc's")
    pc = newton.snes.getKSP().getPC()
    factors, part = pc.getAttr("factors")[0], pc.getAttr(PART)
    assert factors.factorise(part)
    b, x = np.zeros((2, newton.state.owned))
    assert factors.factorise(part if comm.rank else 0 * part) is False
    factors.solve(b, x)
    assert np.all(np.isinf(x)) or not len(x)

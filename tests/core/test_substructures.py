"""Factors of which each rank has its own part, against MUMPS's of the assembled matrix."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance._backend import MPI
from fem_clearance.core.factors import PART
from fem_clearance.core.inner_factors import InnerLU
from fem_clearance.core.linear_solvers import Factors, substructured
from fem_clearance.lubrication import CylindricalFilm, plain_bearing
from fem_clearance.meshes.structured import block

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


def bars(comm, count=2, cells=(8, 1, 1)):
    """Solid bars that swing about pins, each on the tip of the one before it."""
    system, frame = fc.System(gravity=(0, -9.81, 0), comm=comm), None
    law = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    for k in range(count):
        mesh = block((0.5, 0.05, 0.05), cells, center=(0.25 + 0.5 * k, 0, 0), degree=1)
        bar = system.add(fc.Solid(mesh, law, degree=1, name=f"bar{k}"))
        root, tip = (
            system.add(fc.Attachment(bar.facets(z), name=f"{z}.{k}")).frame for z in ("x0", "x1")
        )
        system.add(fc.RevoluteJoint(frame or system.ground, root, axis=(0, 0, 1), name=f"pin{k}"))
        frame = tip
    return system


def mechanism(comm):
    """Four films on full liners: what a film does to a shaft is not what a shaft does to it."""
    return lined(comm, "full")


def condensed(comm):
    """The same on condensed liners, whose responses are of one rank alone."""
    return lined(comm, "condensed")


def lined(comm, liner, cells="12x2"):
    changes = {"bearings": "ehd", "liner": liner, "liner.cells": "12x2x1", "film.cells": cells}
    return cases.get("quick_return").simulation(changes, progress=False, comm=comm).system


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


@pytest.mark.parametrize("make", [two_films, cable, arms, bars, mechanism, condensed])
def test_solves_as_the_assembled_matrix(make, comm):
    newton = built(make, comm)
    state, factors = newton.state, direct(newton)
    pc = newton.snes.getKSP().getPC()
    if comm.size > 1:
        assert pc.getType() == ("python" if make in (bars, mechanism) else "shell")
        assert pc.getAttr(PART) is not None
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


@pytest.mark.parametrize("make", [two_films, cable, arms])
def test_velocities_by_parts(make, comm):
    """Velocities off the constraints, corrected by factors in parts and by MUMPS's."""
    stepper = fc.Stepper(make(comm), dt=1e-4, t_end=1.0)
    stepper.start()
    state, velocities = stepper.state, stepper.scheme.velocities
    n, change = state.local, np.random.default_rng(5).normal(size=state.size)
    state.v[:n] += change[state.numbers[:n]] * state.problem.dynamic[:n]
    assert velocities.package == "petsc"
    found = []
    for package in ("petsc", "mumps"):
        if package == "mumps":
            velocities._to_mumps()
        velocities.renew()
        found.append(velocities.correction()[0])
    size = comm.allreduce(np.abs(found[1]).max(initial=0.0), MPI.MAX)
    assert velocities.package == "mumps" and size > 0
    np.testing.assert_allclose(*found, atol=1e-9 * size, rtol=0)


def test_whole_films_belong_to_ranks(comm):
    """What is left between two ranks is a few numbers of the bearings, not rows of films."""
    if comm.size != 2:
        pytest.skip("is about two ranks")
    newton = built(two_films, comm)
    factors = substructured(newton.state, "petsc")
    films = [b for b in newton.state.problem.blocks if b.what in ("pressure", "inflow")]
    border = len(factors._shared[0])
    assert len(films) == 4 and border < 40
    owned = newton.state.problem.numbers[: newton.state.owned]
    counts = [np.isin(b.numbers[b.free], owned).mean() for b in films]
    assert sorted(counts) == [0, 0, 1, 1]


def test_ranks_share_shafts_with_films_and_liners(comm):
    """Each shaft is whole on a rank of its own, with its films and what their liners respond."""
    if comm.size != 2:
        pytest.skip("is about two ranks")
    state = built(lambda comm: lined(comm, "condensed", "24x4"), comm).state
    owned = state.problem.numbers[: state.owned]
    parts = {}
    for b in state.problem.blocks:
        if b.unknowns and (b.owner.endswith("_shaft") or b.owner.startswith("bearing")):
            parts.setdefault(b.owner, []).append(float(np.isin(b.free_numbers, owned).mean()))
    assert {share for shares in parts.values() for share in shares} == {0.0, 1.0}
    first = parts["pinion_shaft"][0]
    for shaft, bearings in (("pinion_shaft", "AD"), ("gear_shaft", "CF")):
        names = shaft, *(f"bearing.{n}{z}" for n in bearings for z in ("", ".liner"))
        expected = first if shaft == "pinion_shaft" else 1 - first
        assert {share for name in names for share in parts[name]} == {expected}


@pytest.mark.parametrize("make", [two_films, bars, condensed])
def test_all_ranks_know_of_a_missing_pivot(make, comm):
    newton = built(make, comm)
    if comm.size == 1:
        pytest.skip("has a matrix of PETSc's")
    pc = newton.snes.getKSP().getPC()
    part, python = pc.getAttr(PART), pc.getType() == "python"
    factors = pc.getPythonContext() if python else pc.getAttr("factors")[0]
    assert factors.factorise(part)
    b, x = np.zeros((2, newton.state.owned))
    assert factors.factorise(part if comm.rank else 0 * part) is False
    factors.solve(b, x)
    assert np.all(np.isinf(x)) or not len(x)


def advanced(comm, system, steps, **settings):
    """Displacements after some steps, of all ranks, and the solver."""
    stepper = fc.Stepper(system, t_end=1.0, **settings)
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    state = stepper.state
    q = np.zeros(state.size)
    q[state.problem.numbers[: state.owned]] = state.q[: state.owned]
    return comm.allreduce(q), stepper.newton


def swing(comm):
    """The bars after 20 steps."""
    return advanced(comm, bars(comm), 20, dt=2e-3, newton_tolerance=1e-11)


def test_bars_swing_as_on_one_rank(comm):
    together, newton = swing(comm)
    alone, _ = swing(MPI.COMM_SELF)
    assert np.abs(alone).max() > 0.01
    assert together == pytest.approx(alone, abs=1e-8 * np.abs(alone).max())
    if comm.size > 1:
        assert newton.snes.getKSP().getPC().getType() == "python"


def test_mumps_replaces_parts_without_factors(comm, monkeypatch, caplog):
    """A part that is singular although the whole is not: the same motion, told once."""
    if comm.size == 1:
        pytest.skip("has a matrix of PETSc's")
    calls, usual = [], InnerLU._reduce_to_border

    def reduce(self, schur):
        calls.append(1)
        return usual(self, schur) and not (len(calls) > 2 and comm.rank == 0)

    monkeypatch.setattr(InnerLU, "_reduce_to_border", reduce)
    with caplog.at_level("INFO"):
        together, newton = swing(comm)
    assert len(calls) == 3 and newton.snes.getKSP().getPC().getType() == "lu"
    assert sum("singular: the linear solver is MUMPS" in m for m in caplog.messages) == 1
    alone, _ = swing(MPI.COMM_SELF)
    assert together == pytest.approx(alone, abs=1e-8 * np.abs(alone).max())


def test_bodies_across_ranks_have_mumps(comm):
    """Where a body is cut, both ranks touch a row of its nodes: here 8x8."""
    if comm.size == 1:
        pytest.skip("has a matrix of PETSc's")
    newton = built(lambda c: bars(c, 1, (4, 7, 7)), comm)
    assert newton.snes.getKSP().getPC().getType() == "lu"


def test_options_reach_mumps_in_parts(comm):
    if comm.size == 1:
        pytest.skip("has a matrix of PETSc's")
    stepper = fc.Stepper(bars(comm), dt=2e-3, t_end=1.0, options={"mat_mumps_icntl_7": 0})
    stepper.start()
    stepper.advance()
    pc = stepper.newton.snes.getKSP().getPC()
    assert pc.getPythonContext()._ii.factors.getMumpsIcntl(7) == 0

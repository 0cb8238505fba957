"""How films are eliminated: order, entries of the matrix, PETSc's own factors beside MUMPS's."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

import fem_clearance as fc
from fem_clearance.core.ordering import dissected
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Film,
    Guembel,
    Lubricant,
    LubricatedSpherical,
    Place,
    Reynolds,
    SphereGap,
    cylinder,
    sphere,
)

from .test_ehd import LENGTH, MU, SPEED, C, R
from .test_ehd_joint import SURFACE, condensed, film_on, rotor, run

LAWS = [Guembel(), Reynolds(), JFO()]


def ring(cells):
    """Nodes of a bearing's film with unknown pressure, and which of them its cells couple."""
    surface = cylinder(R, LENGTH, cells)
    numbers, used = surface.corners
    held = np.concatenate([surface.sets["z0"], surface.sets["z1"]])
    return numbers, np.setdiff1d(np.arange(len(used)), held)


def fill(numbers, order):
    """Entries of the factors of a matrix of this pattern, by SuperLU without pivoting."""
    rows, cols = np.repeat(numbers, 4, axis=1).ravel(), np.tile(numbers, 4).ravel()
    n = numbers.max() + 1
    A = csc_matrix((np.full(len(rows), -1.0), (rows, cols)), (n, n))
    A = A.tolil()
    A.setdiag(100.0)
    A = csc_matrix(A)[order][:, order].tocsc()
    factors = splu(A, "NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    return factors.L.nnz + factors.U.nnz


def test_dissection_fills_in_little():
    """n log n against n^(3/2) along the lines (George 1973): on four times the nodes the factors
    are little more than four times as large, not eight."""
    sizes = []
    for cells in ((48, 8), (96, 16)):
        numbers, nodes = ring(cells)
        order = dissected(numbers, nodes)
        assert np.array_equal(np.sort(order), nodes)
        sizes.append(fill(numbers, order))
    assert sizes[1] < 0.7 * fill(numbers, nodes)
    assert sizes[1] < 4 * 1.7 * sizes[0]


def test_dissection_of_nothing():
    numbers, nodes = ring((8, 2))
    assert not len(dissected(numbers, nodes[:0]))
    assert np.array_equal(dissected(numbers, nodes[:1]), nodes[:1])


@pytest.mark.parametrize("law", LAWS)
def test_films_are_numbered_node_by_node_before_what_they_act_on(law):
    system = rotor(None, film_on(SURFACE, cavitation=law))
    state = system.state
    blocks = {b.name: b for b in state.problem.blocks}
    p = blocks["film.pressure"]
    first = p.numbers[p.free].min() - (law.complementary and law.nodal)
    end = first + p.free.sum() * (1 + law.complementary)
    rows, cols = state.problem.entries.rows, state.problem.entries.cols
    coupled = cols[(rows >= first) & (rows < end) & (cols < state.size)]
    assert coupled.min() == first and coupled.max() >= end
    if law.complementary:
        r = blocks["film.void" if law.conserving else "film.inflow"]
        after = r.numbers[p.free] - p.numbers[p.free]
        assert np.all(after == (-1 if law.nodal else 1))
    assert p.numbers[p.free].max() < end
    numbers = np.concatenate([b.numbers for b in state.problem.blocks])
    assert np.array_equal(np.sort(numbers), np.arange(len(numbers)))


@pytest.mark.parametrize("lined", [False, True])
@pytest.mark.parametrize("law", LAWS)
def test_entries_left_out_are_zero(law, lined):
    """Of a cell's tangent at random states, and of the system's matrix; most others are not zero
    somewhere."""
    if lined and law.conserving:
        pytest.skip("compiles for long; the same rule")
    film = film_on(SURFACE, cavitation=law)
    state = rotor(condensed() if lined else None, film).state
    kind = film.kind() if not lined else next(
        c.kind for c in state.components if c.kind.label.startswith("film (")
    )  # fmt: skip
    with_tangent = [c for c in state.components if c.tangent is not None]
    k = next(k for k, c in enumerate(with_tangent) if c.kind == kind)
    own = ("pressure", "inflow", "void", "e", "t", "V", "Omega")
    numbers = np.concatenate([block(state, f"film.{n}") for n in own])
    rng, met = np.random.default_rng(1), np.zeros_like(kind.sparsity())
    for _ in range(3):
        random = state.problem.unit[: state.local] * rng.uniform(-0.1, 0.3, state.local)
        film_only = np.isin(state.numbers[: state.local], numbers)
        state.q[: state.local] = np.where(film_only, random, state.q[: state.local])
        state.globals[6] = 1e5  # per step
        state.tangent(1e10, 1e5)
        cells = state.problem.tangent_kernels.parts[k].reshape(-1, *met.shape)
        assert np.isfinite(cells).all()
        met |= (cells != 0).any(axis=0)
    assert not np.any(met & ~kind.sparsity())
    assert np.count_nonzero(met) > 0.6 * np.count_nonzero(kind.sparsity())
    if not lined:
        assert state.A.getInfo()["nz_used"] < 0.75 * len(np.unique(
            state.problem.coo_rows.astype(np.int64) * state.total + state.problem.coo_cols
        ))  # fmt: skip


@pytest.mark.parametrize("lined", [False, True])
@pytest.mark.parametrize("law", LAWS)
def test_factors_without_pivoting_move_it_as_mumps(law, lined):
    """Under a load that grows, with the default factors and with MUMPS's."""
    if lined and law.conserving:
        pytest.skip("compiles for long; the same rule")
    paths = {}
    for solver in ("auto", "mumps"):
        system = rotor(condensed() if lined else None, film_on(SURFACE, cavitation=law),
                       load=(4000.0, -1200.0, 0.0))  # fmt: skip
        stepper = run(system, 2e-5, 25, solver=solver)
        assert stepper.newton.linear_solver == ("petsc" if solver == "auto" else solver)
        paths[solver] = stepper.state.q[stepper.state.locate(block(system.state, "film.e"))] / C
    assert np.hypot(*paths["auto"][:2]) > 0.31  # it has moved
    assert paths["auto"] == pytest.approx(paths["mumps"], abs=1e-7)


def block(state, name):
    """Numbers of a block; none if there is no such block."""
    return next((b.numbers for b in state.problem.blocks if b.name == name), np.zeros(0, int))


def test_a_journal_that_turns_keeps_its_tangent():
    """By 0.02 rad in a step, which puts torques off in one iteration and right again in the next.
    The path is that of a new tangent in each step."""
    paths, tangents = [], []
    for contraction in (None, 0.0):
        system = rotor(None, film_on(SURFACE), load=(400.0, -1200.0, 0.0), grows=False)
        stepper = run(system, 2e-5, 100)
        newton, stepper.t_end = stepper.newton, 1.0
        if contraction is not None:
            newton.c.contraction = contraction
        before = newton.tangents
        for _ in range(40):
            stepper.advance()
        tangents.append(newton.tangents - before)
        paths.append(stepper.state.q[stepper.state.locate(block(system.state, "film.e"))] / C)
    assert tangents[0] < 25 and tangents[1] >= 40
    assert paths[0] == pytest.approx(paths[1], abs=1e-7)


def test_a_sphere_is_factorised_likewise():
    film = Film(sphere(0.02, 6), 2e-3, Lubricant(0.4), Reynolds(), {"pole": 0.0}, sliding_speed=0.1,
                gap=SphereGap())  # fmt: skip
    paths = []
    for solver in ("auto", "mumps"):
        system = fc.System(gravity=(0, -9.81, 0))
        ball = system.add(fc.RigidBody(1.0, (1e-3, 1e-3, 1e-3), position=(0, 0, 0), free=True))
        joint = system.add(
            LubricatedSpherical(system.ground.at((0, 0, 0)), ball.center, film=film,
                                stiffness=1e9,
                                socket_radius=0.02, ball_radius=0.018)
        )  # fmt: skip
        stepper = run(system, 1e-4, 10, solver=solver)
        assert stepper.newton.linear_solver == ("petsc" if solver == "auto" else solver)
        paths.append(stepper.channels[f"{joint.name}.ey"])
    assert paths[0] < -1e-7
    assert paths[0] == pytest.approx(paths[1], rel=1e-6)


@pytest.mark.parametrize("lined", [False, True])
def test_where_the_film_is_broken_its_pressure_is_zero(lined):
    """p >= 0, r >= 0 and p r = 0: an iteration leaves a part of 1e-16 of a pressure that vanishes,
    which after 20 of them is too small for a processor's normal numbers."""
    system = rotor(condensed() if lined else None, film_on(SURFACE), load=(4000.0, -1200.0, 0.0),
                   grows=False)  # fmt: skip
    stepper = run(system, 2e-5, 30)
    state = stepper.state
    assert stepper.newton.iterations > 60
    free = next(b.free for b in state.problem.blocks if b.name == "film.pressure")
    p, r = (
        (state.q / state.problem.unit)[state.locate(block(state, f"film.{name}")[free])]
        for name in ("pressure", "inflow")
    )
    broken = r > p
    assert 10 < np.count_nonzero(broken) < len(p) - 10
    assert np.all(p[broken] == 0.0)
    assert p[~broken].min() > 1e-6


class Smooth(Reynolds):
    """The complementarity by Fischer and Burmeister's function."""

    function = staticmethod(JFO.function)


@pytest.mark.parametrize("eps", [0.3, 0.95])
def test_active_sets_find_the_film_of_a_smooth_function(eps):
    """Both functions have the same zeros; from nothing active sets need no more iterations."""
    place = Place(e=(eps * C, 0, 0), V=(0.0, 0.01, 0.0), Omega=(0, 0, SPEED))
    films = [
        Bearing(
            Film(cylinder(R, LENGTH, (48, 8)), C, Lubricant(MU), law, sliding_speed=R * SPEED)
        ).solve(place)
        for law in (Reynolds(), Smooth())
    ]
    largest = films[0].pressure.max()
    assert films[0].pressure == pytest.approx(films[1].pressure, abs=1e-8 * largest)
    assert films[0].pressure.min() >= -1e-10 * largest
    assert films[0].iterations <= films[1].iterations


def test_the_compiled_tangent_is_that_of_python():
    stepper = run(rotor(condensed(), film_on(SURFACE)), 2e-5, 3)
    newton, state = stepper.newton, stepper.state
    newton.build()
    compiled = state.A.copy()
    state.assemble(state.tangent(newton.c.beta, newton.c.gamma))
    size = state.A.norm()
    compiled.axpy(-1.0, state.A)
    assert size > 0
    assert compiled.norm() <= 1e-15 * size
    compiled.destroy()

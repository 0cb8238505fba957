"""The compiled time loop against NumPy (reference.py), on any number of ranks."""

import sysconfig
from dataclasses import dataclass

from mpi4py import MPI

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.core.blocks import Block
from fem_clearance.core.compiled import build
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.newton import NAN, NewtonSolver
from fem_clearance.core.state import State

from . import reference

RUBBER = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)


def pendulum(elements=5, model="cable", **options):
    """A soft beam swings down from the horizontal (Tian et al. 2009, table 1)."""
    system = fc.System(**options)
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), RUBBER, elements, model=model)
    )
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


def double_pendulum(friction=None, **options):
    """Two rigid arms with a spherical clearance joint; the first contact is at 0.0286 s."""
    system = fc.System(**options)
    arms = [
        system.add(
            fc.RigidBody(shape=fc.shapes.Box(0.3, 0.01, 0.01), density=7800, position=(x, 0, 0))
        )
        for x in (0.15, 0.45)
    ]
    system.add(fc.SphericalJoint(system.ground, arms[0].at((0, 0, 0))))
    system.add(
        fc.SphericalClearance(
            arms[0].at((0.3, 0, 0)),
            arms[1].at((0.3, 0, 0)),
            socket_radius=0.02,
            ball_radius=0.018,
            materials=(STEEL, STEEL),
            friction=friction,
            name="joint",
        )  # fmt: skip
    )
    return system


def started(system, h, **options):
    stepper = fc.Stepper(system, dt=h, t_end=1.0, **options)
    stepper.start()
    return stepper


def advance(stepper, steps):
    for _ in range(steps):
        stepper.advance()
    return stepper.state


def coordinates(state):
    """Positions, directors and their rates; without multipliers, which round-off changes more."""
    dynamic = state.everything(state.problem.dynamic) > 0
    return np.array([state.everything(z)[dynamic] for z in (state.q, state.v)])


# --- against NumPy --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make", [pendulum, lambda **o: double_pendulum(fc.ModifiedCoulomb(0.1), **o)]
)
def test_evaluation(make):
    """Kernels and sums, at a state without any symmetry."""
    state = State(make().assemble())
    state.array[: 4 * state.total] += 0.01 * np.random.default_rng(1).normal(size=4 * state.total)
    rows, sizes = reference.residual(state)
    assert np.count_nonzero(rows) > 10
    assert state.residual() == pytest.approx(rows, rel=1e-13, abs=1e-14 * sizes.max())
    assert state.problem.sizes() == pytest.approx(sizes, rel=1e-13)
    K = reference.tangent(state, 1e6, 1e3)
    values, mine = state.tangent(1e6, 1e3), np.zeros_like(K)
    np.add.at(mine, (state.problem.coo_rows, state.problem.coo_cols), values)
    assert mine == pytest.approx(K, rel=1e-13, abs=1e-14 * np.abs(K).max())


@pytest.mark.parametrize(
    ("make", "h", "steps", "close"),
    [(pendulum, 1e-3, 40, 1e-8), (pendulum, 1e-2, 20, 1e-8), (double_pendulum, 1e-4, 60, 1e-8)],
    ids=["cable", "cable, long steps", "rigid"],
)
def test_trajectory(make, h, steps, close):
    """The formulas of the paper with a new tangent in each iteration, after a few steps."""
    stepper = started(make(), h, newton_tolerance=1e-11)
    advance(stepper, 3)
    other = reference.Steps(stepper, State(stepper.state.problem))
    for _ in range(steps):
        other.step(h)
    one, two = coordinates(advance(stepper, steps)), coordinates(other.state)
    for field, expected in zip(one, two, strict=True):
        assert field == pytest.approx(expected, rel=0, abs=close * np.abs(expected).max())


def test_iterations_and_weights():
    """What each row may leave, by the tolerance, the forces met and round-off."""
    stepper = started(pendulum(), 1e-3)
    forces = stepper.newton.tolerances.force_scale.copy()
    problem, tolerances = stepper.state.problem, stepper.newton.tolerances
    for _ in range(20):
        stepper.advance()
        _, sizes = reference.residual(stepper.state)
        sizes = sizes * problem.counts_forces * stepper.state.scale
        np.maximum.at(forces, problem.row_class[: problem.local], sizes[: problem.local])
    assert tolerances.force_scale == pytest.approx(forces, rel=1e-12)
    least = np.where(problem.force_floors > 0, problem.force_floors, 1e-6 * forces.max())
    n = stepper.state.owned
    allowed = tolerances.part * 1e-8 * np.maximum(forces, least)[problem.row_class[:n]]
    allowed += tolerances.noise * stepper.state.scale[:n]
    assert tolerances.weights == pytest.approx(1 / (allowed + 1e-300), rel=1e-12)


# --- tangents that are kept -----------------------------------------------------------------------
def test_tangent_is_kept_over_steps():
    """Few tangents, and the same motion as with a new one in each iteration."""
    kept = started(pendulum(), 1e-3, newton_tolerance=1e-11)
    before = kept.newton.tangents
    advance(kept, 50)
    assert kept.newton.tangents - before < 25

    new = started(pendulum(), 1e-3, newton_tolerance=1e-11)
    before = new.newton.tangents
    for _ in range(50):
        new.newton.rebuild = True
        new.advance()
    assert new.newton.tangents - before >= 50
    assert coordinates(kept.state) == pytest.approx(coordinates(new.state), abs=1e-8)


def test_tangent_is_renewed_when_an_iteration_stalls():
    """A tangent of another state is of no use: the step notices."""
    stepper = started(pendulum(), 1e-3)
    advance(stepper, 20)
    stepper.newton.build()
    stepper.state.A.scale(4.0)
    before = stepper.newton.tangents
    stepper.newton.rebuild = False
    stepper.advance()
    assert stepper.newton.tangents > before
    assert stepper.rejected_steps == 0


def test_tangent_is_renewed_with_the_step_and_at_contact():
    stepper = started(double_pendulum(), 1e-4)
    advance(stepper, 10)
    stepper.newton.rebuild = False
    before = stepper.newton.tangents
    assert not stepper.scheme.step(0.5e-4)
    assert stepper.newton.tangents == before + 1
    stepper.newton.accepted()
    while not stepper.events:
        stepper.advance()
    assert stepper.newton.rebuild


def test_round_off_is_estimated_now_and_then(monkeypatch):
    """It costs a second tangent."""
    calls = []
    refresh = NewtonSolver.refresh
    monkeypatch.setattr(
        NewtonSolver, "refresh", lambda self: (calls.append(self.c.built), refresh(self))
    )
    stepper = started(pendulum(), 1e-3)
    calls.clear()
    before = stepper.newton.tangents
    advance(stepper, 300)
    assert calls
    assert 0.5 * (stepper.newton.tangents - before) / len(calls) > 3
    assert np.diff([before, *calls]).max() <= NewtonSolver.max_tangent_age + 1
    assert stepper.newton.tolerances.noise.max() > 0


def test_errors_inside_a_solve_come_through(monkeypatch):
    """From Python through C and PETSc back to Python."""

    def fail(self):
        raise ZeroDivisionError("in a callback")

    stepper = started(pendulum(), 1e-3)
    monkeypatch.setattr(NewtonSolver, "refresh", fail)
    stepper.newton.rebuild, stepper.newton.c.tangent_age = True, NewtonSolver.max_tangent_age
    with pytest.raises(ZeroDivisionError, match="in a callback"):
        stepper.advance()


# --- no number ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class RootKind(Kind):
    """a + sqrt(q) = 0: no number for q < 0."""

    def fields(self):
        return {"q": (1,)}

    def residual(self, c):
        return (c.a[0] + ufl.sqrt(c.q[0])) * c.test[0] * c.dx()


class Root:
    prefix, free, name, position = "root", True, None, np.zeros(3)

    def __init__(self, q, v):
        self.block = Block("root", "", [q], rates=v)

    def build(self, builder):
        builder.add_block(self.block)
        builder.add_cell(RootKind(), Cell(self.name, [self.block.all]))


@pytest.mark.mpi
@pytest.mark.parametrize("q", [1.0, np.nan], ids=["in an iteration", "from the start"])
def test_nan_ends_a_solve(q):
    """On all ranks, most of which hold no unknown."""
    system = fc.System()
    system.add(Root(q, -1.0))
    stepper = fc.Stepper(system, dt=0.1, t_end=9.0, smallest=1e-3)
    with pytest.raises(fc.StepFailed):
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
    assert stepper.newton.snes.reason == NAN
    if np.isfinite(q):  # back at the last step that was accepted
        assert stepper.t > 0.5
        assert 0 <= stepper.state.everything(stepper.state.q)[0] < 1e-3


# --- where nothing can be compiled ----------------------------------------------------------------
def test_a_compiler_is_needed(monkeypatch, tmp_path):
    """One sentence that says what to install."""
    pendulum().assemble()  # the forms are ready: only the loop is missing
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    monkeypatch.setattr(build.cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(build, "_modules", {})
    with pytest.raises(fc.InputError, match=r"no C compiler found.*apt-get install gcc"):
        pendulum().assemble()


def test_a_petsc_without_the_functions(monkeypatch):
    def connected(module):
        raise AttributeError("undefined symbol: SNESSolve")

    monkeypatch.setattr(build, "_modules", {})
    monkeypatch.setattr(build, "_connected", connected)
    with pytest.raises(fc.InputError, match=r"PETSc .*SNESSolve.*install a version"):
        build.native()


def test_the_loop_is_no_choice_any_more():
    with pytest.warns(DeprecationWarning, match="always compiled; leave it out"):
        system = pendulum(loop="python")
    advance(started(system, 1e-3), 3)


# --- what C sees ----------------------------------------------------------------------------------
def test_everything_that_c_reads_is_set():
    """Its zeros are what one rank without followers has none of."""
    integrator = fc.GeneralizedAlpha(0.8, "stabilised")
    stepper = started(double_pendulum(), 1e-4, integrator=integrator)
    ffi, c, scheme = stepper.state.problem.module.ffi, stepper.newton.c, stepper.scheme
    w = scheme.velocities.w
    parts = [
        ("loop", c), ("forms", c.forms), ("ranks", c.ranks), ("history", scheme.past_of_step),
        ("velocities", w), ("pattern", w.B), ("pattern", w.transposed), ("entries", w.M),
        ("turning", scheme.turning.t), ("step", scheme.compiled), ("scaling", scheme._scaling),
        ("kept", scheme.compiled.keep[0]),
    ]  # fmt: skip
    empty = {
        f"{kind}.{name}"
        for kind, part in parts
        for name, field in ffi.typeof(f"fc_{kind}").fields
        if field.type.kind == "pointer" and getattr(part, name) == ffi.NULL
    }
    ranks = {f"ranks.{name}" for name in ("scatter", "local", "owned", "largest")}
    # what only steps with constraints on velocities show
    stabilised = {"loop.rates", "loop.shown"}
    others = {"forms.coupled", "forms.into", "forms.part", "step.middles"}
    others |= {"forms.under", "forms.bulk_out"}  # of bodies whose factors are kept
    assert empty == ranks | stabilised | others
    assert c.reduce == ffi.NULL
    assert c.followers.count == 0


def test_sources_belong_to_the_python_that_is_loaded(monkeypatch):
    """Files that change under a running program have other structures than its Python fills."""

    def changed(self, *_, **__):
        raise AssertionError(f"{self} is read again")

    monkeypatch.setattr(build.Path, "read_text", changed)
    assert build.native() is not None


def test_without_a_folder_for_it_the_loop_is_compiled_for_this_run(monkeypatch, tmp_path, caplog):
    folder = tmp_path / "cache"
    folder.write_text("a file where the folder should be")
    pendulum().assemble()
    monkeypatch.setattr(build.cache, "folder", lambda: folder)
    monkeypatch.setattr(build, "_modules", {})
    started(pendulum(), 1e-3)
    assert "what is compiled now lasts for this run only" in caplog.text


def test_modules_of_another_python_are_not_loaded(monkeypatch):
    """They lie in another folder."""
    machine, ask = build.cache._machine.__wrapped__, sysconfig.get_config_var
    here = machine()
    another = {"SOABI": "cpython-399-x86_64-linux-gnu"}
    monkeypatch.setattr(sysconfig, "get_config_var", lambda n: another.get(n) or ask(n))
    assert machine() != here


@pytest.mark.parametrize("scheme", [fc.GeneralizedAlpha(), fc.Bathe()])
def test_no_step_follows_when_the_solvers_are_gone(scheme):
    """Rather than C writing where they were: it gets no address, PETSc's arrays are empty."""
    stepper = started(double_pendulum(), 1e-4, integrator=scheme)
    stepper.advance()
    stepper.destroy()
    with pytest.raises((TypeError, ValueError)):
        stepper.advance()


# --- channels -------------------------------------------------------------------------------------
def test_channels_are_sums_of_what_cells_observe():
    stepper = started(double_pendulum(), 1e-4)
    advance(stepper, 100)
    channels, system = stepper.channels, stepper.system
    expected = dict.fromkeys(channels.names, 0.0)
    for k, rows in zip(system.state.problem.observers, system.state.observe(), strict=True):
        component = system.state.components[k]
        for owner, row in zip(component.owner, rows, strict=True):
            for (key, o), value in zip(component.observables.items(), row, strict=True):
                if o.recorded:
                    expected[f"{component.owners[owner]}.{key}"] += value
                if o.total:
                    expected[o.total] += value
    expected["energy.total"] = sum(v for n, v in expected.items() if n.startswith("energy."))
    assert channels.values == pytest.approx([expected[n] for n in channels.names], rel=1e-13)
    assert channels["energy.total"] == pytest.approx(expected["energy.total"], rel=1e-13)


def test_channels_are_read_when_looked_at():
    """What nobody looks at is not computed."""
    stepper = started(pendulum(), 1e-3)
    advance(stepper, 5)
    kept = stepper.state.observations.out.copy()
    advance(stepper, 1)
    assert np.array_equal(kept, stepper.state.observations.out)
    before = stepper.channels["tip.y"]
    advance(stepper, 1)
    assert stepper.channels["tip.y"] < before


# --- ranks ----------------------------------------------------------------------------------------
@pytest.mark.mpi
@pytest.mark.parametrize(
    ("make", "h", "steps", "close"),
    [
        (pendulum, 1e-3, 60, 1e-10),
        (lambda **o: pendulum(1, **o), 1e-3, 20, 1e-10),
        (double_pendulum, 1e-4, 280, 1e-10),
        (double_pendulum, 1e-4, 330, 1e-7),
    ],
    ids=["cable", "ranks without cells", "rigid", "contact"],
)
def test_any_number_of_ranks(make, h, steps, close, comm):
    """Against the same run on each rank alone, which keeps its tangents for less long: so Newton's
    tolerance must be below what is compared. (Contact makes more of small differences.)"""
    together, alone = (
        advance(started(make(comm=c), h, newton_tolerance=1e-12), steps)
        for c in (comm, MPI.COMM_SELF)
    )
    one, other = coordinates(together), coordinates(alone)
    for field, expected in zip(one, other, strict=True):
        assert field == pytest.approx(expected, rel=0, abs=close * np.abs(expected).max())


@pytest.mark.mpi
def test_forces_of_rows(comm):
    """By which rows are judged: sums of the sizes of a row's terms, those of all ranks' cells, and
    none of rows that are no forces. Against NumPy on each rank alone."""
    found = []
    for each in (comm, MPI.COMM_SELF):
        stepper = started(pendulum(comm=each), 1e-3, newton_tolerance=1e-12)
        state, forces = advance(stepper, 5), []
        open_by = 0.1 * np.random.default_rng(6).normal(size=state.size)
        state.q[: state.local] += open_by[state.numbers[: state.local]]
        state.residual()
        for k in range(state.size):
            state.scale[:] = state.numbers == k
            forces.append(stepper.newton.tolerances.forces().sum())
        found.append(np.array(forces))
    _, sizes = reference.residual(state)
    expected = (sizes * state.problem.counts_forces)[: state.size]
    assert expected.max() > 0 and sizes[: state.size][expected == 0].max() > 0.01
    assert found[1] == pytest.approx(expected, rel=1e-12)
    assert found[0] == pytest.approx(expected, rel=1e-6, abs=1e-9 * expected.max())

"""The compiled time loop does what its Python form does, on any number of ranks."""

import logging
import sysconfig
from dataclasses import dataclass

from mpi4py import MPI

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.core import loop
from fem_clearance.core.blocks import Block
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.newton import NAN, Newton

RUBBER = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
LOOPS = ("native", "python")


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
        system.add(fc.RigidBody(shape=fc.Box(0.3, 0.01, 0.01), density=7800, position=(x, 0, 0)))
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


# --- native against Python ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make", [pendulum, lambda **o: double_pendulum(fc.ModifiedCoulomb(0.1), **o)]
)
def test_evaluation_is_the_same(make):
    """Kernels and sums, at a state without any symmetry."""
    results = []
    for kind in LOOPS:
        system = make(loop=kind)
        state = system.state
        assert (state.problem.module is not None) == (kind == "native"), "nothing to compare"
        state.array[: 4 * state.total] += 0.01 * np.random.default_rng(1).normal(
            size=4 * state.total
        )
        values = system.channels.read()
        results.append([state.residual(), state.problem.sizes(), state.tangent(1e6, 1e3), values])
    for native, python in zip(*results, strict=True):
        assert native == pytest.approx(python, rel=1e-14, abs=1e-14 * np.abs(python).max())


@pytest.mark.parametrize(
    ("make", "h", "steps"),
    [(pendulum, 1e-3, 100), (pendulum, 1e-2, 20), (double_pendulum, 1e-4, 330)],
    ids=["cable", "cable, long steps", "contact"],
)
def test_trajectory_is_the_same(make, h, steps):
    """Steps, iterations and tangents too: the callbacks take the same decisions."""
    native, python = (started(make(loop=kind), h) for kind in LOOPS)
    states = [advance(stepper, steps) for stepper in (native, python)]
    assert native.newton.iterations == python.newton.iterations
    assert native.newton.tangents == python.newton.tangents
    one, other = map(coordinates, states)
    assert one == pytest.approx(other, rel=1e-9, abs=1e-10 * np.abs(other).max())
    assert [e.time for e in native.events] == pytest.approx([e.time for e in python.events])


def test_adaptive_steps_are_the_same():
    """Changing steps, rejections, the search for the onset of contact."""
    native, python = (fc.Stepper(double_pendulum(loop=kind), t_end=0.03) for kind in LOOPS)
    for stepper in (native, python):
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
    assert native.steps == pytest.approx(python.steps, rel=0.05)
    assert native.events[0].time == pytest.approx(python.events[0].time, rel=1e-9)
    assert native.events[0].speed == pytest.approx(python.events[0].speed, rel=1e-6)


# --- tangents that are kept -----------------------------------------------------------------------
@pytest.mark.parametrize("kind", LOOPS)
def test_tangent_is_kept_over_steps(kind):
    """Few tangents, and the same motion as with a new one in each iteration."""
    kept = started(pendulum(loop=kind), 1e-3, newton_tolerance=1e-11)
    before = kept.newton.tangents
    advance(kept, 50)
    assert kept.newton.tangents - before < 25

    new = started(pendulum(loop=kind), 1e-3, newton_tolerance=1e-11)
    before = new.newton.tangents
    for _ in range(50):
        new.newton.rebuild = True
        new.advance()
    assert new.newton.tangents - before >= 50
    assert coordinates(kept.state) == pytest.approx(coordinates(new.state), abs=1e-8)


@pytest.mark.parametrize("kind", LOOPS)
def test_tangent_is_renewed_when_an_iteration_stalls(kind):
    """A tangent of another state is of no use: the step notices."""
    stepper = started(pendulum(loop=kind), 1e-3)
    advance(stepper, 20)
    stepper.newton.build()
    stepper.state.A.scale(4.0)
    before = stepper.newton.tangents
    stepper.newton.rebuild = False
    stepper.advance()
    assert stepper.newton.tangents > before
    assert stepper.rejected_steps == 0


@pytest.mark.parametrize("kind", LOOPS)
def test_tangent_is_renewed_with_the_step_and_at_contact(kind):
    stepper = started(double_pendulum(loop=kind), 1e-4)
    advance(stepper, 10)
    stepper.newton.rebuild = False
    before = stepper.newton.tangents
    assert not stepper.scheme.step(0.5e-4)
    assert stepper.newton.tangents == before + 1
    stepper.newton.accepted()
    while not stepper.events:
        stepper.advance()
    assert stepper.newton.rebuild


@pytest.mark.parametrize("kind", LOOPS)
def test_round_off_is_estimated_now_and_then(kind, monkeypatch):
    """It costs a second tangent."""
    calls = []
    refresh = Newton.refresh
    monkeypatch.setattr(Newton, "refresh", lambda self: (calls.append(self.c.built), refresh(self)))
    stepper = started(pendulum(loop=kind), 1e-3)
    calls.clear()
    before = stepper.newton.tangents
    advance(stepper, 300)
    assert calls
    assert 0.5 * (stepper.newton.tangents - before) / len(calls) > 3
    assert np.diff([before, *calls]).max() <= Newton.oldest + 1
    assert stepper.newton.tolerances.noise.max() > 0


def test_errors_inside_a_solve_come_through(monkeypatch):
    """From Python through C and PETSc back to Python."""

    def fail(self):
        raise ZeroDivisionError("in a callback")

    stepper = started(pendulum(), 1e-3)
    monkeypatch.setattr(Newton, "refresh", fail)
    stepper.newton.rebuild, stepper.newton.c.age = True, Newton.oldest
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
        self.block = Block("root", [q], v)

    def build(self, system):
        system.add_block(self.block)
        system.add_cell(RootKind(), Cell(self.name, [self.block.all]))


@pytest.mark.mpi
@pytest.mark.parametrize("kind", LOOPS)
@pytest.mark.parametrize("q", [1.0, np.nan], ids=["in an iteration", "from the start"])
def test_nan_ends_a_solve(kind, q):
    """On all ranks, most of which hold no unknown."""
    system = fc.System(loop=kind)
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
def test_python_takes_over(monkeypatch, tmp_path, caplog):
    pendulum().assemble()  # the forms are ready: only the loop is missing
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    monkeypatch.setattr(loop.cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(loop, "_modules", {})
    with caplog.at_level(logging.WARNING):
        stepper = started(pendulum(), 1e-3)
    assert "the time loop runs in Python" in caplog.text
    assert stepper.state.problem.module is None
    advance(stepper, 3)


# --- what C sees ----------------------------------------------------------------------------------
def test_everything_that_c_reads_is_set():
    """Its zeros are what one rank without followers, whose matrix holds all entries, has none
    of."""
    stepper = started(double_pendulum(), 1e-4)
    ffi, c = stepper.state.problem.module.ffi, stepper.newton.c
    fields = [n for n, f in ffi.typeof("fc_loop").fields if f.type.kind == "pointer"]
    empty = {name for name in fields if getattr(c, name) == ffi.NULL}
    assert empty == {"first", "leader", "share", "ghosted", "scatter", "one_each", "which"}


def test_sources_belong_to_the_python_that_is_loaded(monkeypatch):
    """Files that change under a running program have other structures than its Python fills."""

    def changed(self, *_, **__):
        raise AssertionError(f"{self} is read again")

    monkeypatch.setattr(loop.Path, "read_text", changed)
    assert loop.native() is not None


def test_without_a_folder_for_it_the_loop_is_compiled_for_this_run(monkeypatch, tmp_path, caplog):
    folder = tmp_path / "cache"
    folder.write_text("a file where the folder should be")
    pendulum().assemble()
    monkeypatch.setattr(loop.cache, "folder", lambda: folder)
    monkeypatch.setattr(loop, "_modules", {})
    assert started(pendulum(), 1e-3).state.problem.module is not None
    assert "what is compiled now lasts for this run only" in caplog.text


def test_modules_of_another_python_are_not_loaded(monkeypatch):
    """They lie in another folder."""
    machine, ask = loop.cache._machine.__wrapped__, sysconfig.get_config_var
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
@pytest.mark.parametrize("kind", LOOPS)
def test_channels_are_sums_of_what_cells_observe(kind):
    stepper = started(double_pendulum(loop=kind), 1e-4)
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
@pytest.mark.parametrize("kind", LOOPS)
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
def test_any_number_of_ranks(make, h, steps, close, kind, comm):
    """Against the same run on each rank alone, which keeps its tangents for less long: so Newton's
    tolerance must be below what is compared. (Contact makes more of small differences.)"""
    together, alone = (
        advance(started(make(loop=kind, comm=c), h, newton_tolerance=1e-12), steps)
        for c in (comm, MPI.COMM_SELF)
    )
    one, other = coordinates(together), coordinates(alone)
    for field, reference in zip(one, other, strict=True):
        assert field == pytest.approx(reference, rel=0, abs=close * np.abs(reference).max())

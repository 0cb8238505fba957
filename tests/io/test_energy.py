"""Energy as a guard of a run: what feeds it is declared; what appears by itself ends the run."""

import importlib
import json
import logging
import pkgutil
import re
from dataclasses import dataclass

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.lubrication import CylindricalFilm, plain_bearing
from fem_clearance.model.pair import SingleKind, resolve_one
from fem_clearance.program.case_files import load
from fem_clearance.runs.energy import EnergyMonitor, energy_sources
from fem_clearance.timestepping.step_engine import StepEngine

from ..conftest import shell

NAMES = ["energy.kinetic", "x", *(f"energy.{n}" for n in ("total", "dissipated", "fed", "balance"))]


# --- the rule -----------------------------------------------------------------------------------
def seen(monitor, rows):
    """When a monitor ends a run of (kinetic, total) energies, and why."""
    for k, (kinetic, total) in enumerate(rows):
        monitor.see(np.array([kinetic, 0.0, total, 0.0, 0.0, 0.0]), float(k))
        if found := monitor.failure(float(k)):
            return k, str(found)
    return None


def test_growth_is_held_against_the_motion_before():
    """Kinetic energy that comes from nowhere is no measure of what may come from nowhere."""
    rows = [(0.0, 0.0), (9.0, 0.0), (10.0, 0.0), (16.0, 7.0), (30.0, 20.1)]
    k, why = seen(EnergyMonitor(NAMES), rows)
    assert k == 4 and "20.1 J have appeared since t = 0 s" in why and "(10 J)" in why
    assert seen(EnergyMonitor(NAMES), [(0.0, 0.0), (5.0, -5.0), (10.0, -5.0), (3.0, 4.9)]) is None
    # a drift too, however slow
    assert seen(EnergyMonitor(NAMES), [(1.0 + 0.1 * k, 0.1 * k) for k in range(20)])[0] == 11


def test_round_off_of_what_rests_is_no_growth():
    """Energies of 1e3 J whose sum is round to 1e-5 J; nothing moves."""
    noise = np.random.default_rng(1).uniform(-1e-5, 1e-5, 500)
    assert seen(EnergyMonitor(NAMES), [(1e-12, 1e3 + x) for x in noise]) is None


def test_a_body_at_rest_goes_on_resting():
    """Turned directors are orthonormal but for round-off; it is no energy that appears."""
    for turned in ((0.3, 0.2, 0.1), (1.0, 2.0, -0.5), (0.7, 0.1, 2.0)):
        system = fc.System(gravity=(0, 0, 0))
        system.add(fc.RigidBody(2, (1, 1, 1.5), orientation=turned, free=True))
        results = fc.Simulation(system, dt=0.1, t_end=1, progress=False).run()
        assert results["energy.kinetic"].max() < 1e-18 and len(results) == 11
        assert results.summary["energy_growth"] < 1e-6
        # nor where the clock stands late: what counts is how long the run takes
        late = results.last.with_time(1e4)
        results = fc.Simulation(system, dt=0.1, t_end=1e4 + 1, initial=late, progress=False).run()
        assert results.summary["energy_growth"] < 1e-6


def test_sources_and_silence_switch_it_off():
    rows = [(1.0, 0.0), (1.0, 5.0)]
    for sources, unknown, guard in (
        (["motor"], [], "off: driven by motor"),
        ([], ["push (PushKind)"], "off: no feeds_energy says whether push (PushKind) can drive"),
        (list("abcde"), [], "off: driven by a, b, c and 2 more"),
    ):
        monitor = EnergyMonitor(NAMES, sources, unknown)
        assert seen(monitor, rows) is None
        assert monitor.summary()["energy_guard"].startswith(guard)


def test_warned_once_and_gone_on_with(caplog):
    monitor = EnergyMonitor(NAMES, on_growth="warn")
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        assert seen(monitor, [(1.0, 2.0 * k) for k in range(200)]) is None
        monitor.warn(200.0)
    assert len(caplog.records) == 1 and "2 J have appeared" in caplog.text
    again = EnergyMonitor(NAMES)
    again.restore(json.loads(json.dumps(monitor.snapshot())))
    assert again.summary() | {"energy_guard": "warn"} == monitor.summary()


def test_growing_slowly_is_warned_of(caplog):
    monitor = EnergyMonitor(NAMES)
    for k in range(200):
        monitor.see(np.array([1.0, 0.0, 5.0 + 1e-3 * k, 0.0, 0.0, 0.0]))
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        monitor.warn(1.0)
        monitor.warn(2.0)
    assert len(caplog.records) == 1 and "the energy has grown by 0.2" in caplog.text
    summary = monitor.summary()
    assert [summary[n] for n in ("energy_change", "energy_growth")] == pytest.approx([0.199] * 2)


# --- what feeds energy --------------------------------------------------------------------------
@dataclass(frozen=True)
class PushKind(SingleKind):
    """A user's force, sin t along x."""

    def residual(self, c):
        return -ufl.sin(c.t) * c.power(self.pose(c).velocity)[0] * c.dx()


@dataclass(frozen=True)
class DeclaredPushKind(PushKind):
    """It says that it drives."""

    feeds_energy = True


@dataclass(frozen=True)
class ShyPushKind(DeclaredPushKind):
    """Another force: what its base says of its own does not hold for it."""

    def residual(self, c):
        return super().residual(c)


@dataclass(frozen=True)
class RunawayKind(SingleKind):
    """A force along the velocity that claims to feed nothing: 3 v."""

    feeds_energy = False

    def residual(self, c):
        return -3.0 * ufl.dot(self.pose(c).velocity, c.power(self.pose(c).velocity)) * c.dx()


class Push:
    """What acts on a body by a kind."""

    prefix, name = "push", None

    def __init__(self, frame, kind):
        self.i, self.kind = resolve_one(frame, "push"), kind

    def build(self, builder):
        kind = self.kind(self.i.kind)
        numbers = kind.pack_single(self.i.parameters())
        builder.add_cell(kind, Cell(self.name, self.i.refs, numbers))


def pushed(kind, speed=0.0):
    """A body that a kind acts on."""
    system = fc.System(gravity=(0, 0, 0))
    body = fc.RigidBody(1.0, (1, 1, 1), name="b", free=True, velocity=(speed, 0, 0))
    system.add(Push(system.add(body), kind))
    return system


@pytest.mark.parametrize(
    ("kind", "guard"),
    [
        (PushKind, "off: no feeds_energy says whether push1 (PushKind) can drive the system"),
        (DeclaredPushKind, "off: driven by push1"),
        (ShyPushKind, "off: no feeds_energy says whether push1 (ShyPushKind) can drive the system"),
    ],
)
def test_forces_of_users_raise_no_alarm(kind, guard, caplog):
    """v = 1 - cos t; nothing is said on the screen."""
    with caplog.at_level(logging.INFO, logger="fem_clearance"):
        results = fc.Simulation(pushed(kind), dt=1e-2, t_end=2.0).run()
    assert results["b.vx"][-1] == pytest.approx(1 - np.cos(2), rel=1e-4)
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert results.summary["energy_guard"] == guard
    named = [
        r
        for r in caplog.records
        if "the growth of energy is not checked, because push1" in r.getMessage()
    ]
    assert len(named) == (kind is not DeclaredPushKind)


def test_what_feeds_energy():
    system = fc.System()
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), name="b"))
    system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    system.add(fc.TorsionSpring(system.ground, body.center, axis=(0, 0, 1), stiffness=1.0))
    system.assemble()
    assert energy_sources(system) == ([], [])
    system = fc.System()
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), name="b"))
    system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    system.add(
        fc.RotationDriver(
            system.ground, body.center, (0, 0, 1), fc.functions.Linear(1.0), name="motor"
        )
    )
    system.add(fc.Force(body, (1, 0, 0), name="pull"))
    system.add(Push(body, PushKind))
    system.assemble()
    sources, unknown = energy_sources(system)
    assert {"motor", "pull"} <= set(sources) and unknown == ["push1 (PushKind)"]


@pytest.mark.parametrize("pressure", [0.0, 1e5])
def test_films_under_pressure_feed_energy(pressure):
    film = plain_bearing(
        0.01, 0.01, 2e-5, 0.01, cells=(12, 2),
        pressures={"z0": pressure, "z1": 0.0},
    )  # fmt: skip
    system = fc.System()
    journal = system.add(fc.RigidBody(1.0, (1e-3,) * 3, name="journal", free=True))
    system.add(CylindricalFilm(system.ground, journal.center, (0, 0, 1), film=film, name="oil"))
    system.assemble()
    assert energy_sources(system) == (["oil"] if pressure else [], [])


def test_each_kind_of_the_package_says_whether_it_feeds_energy():
    for module in pkgutil.walk_packages(fc.__path__, "fem_clearance."):
        if "__main__" not in module.name and ".plotting" not in module.name:
            importlib.import_module(module.name)
    kinds, found = [Kind], []
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind is not Kind and kind.__module__.startswith("fem_clearance."):
            found.append(kind)
    assert len(found) > 60
    for kind in found:
        where = next(k for k in kind.__mro__ if vars(k).keys() & {"residual", "feeds_energy"})
        acts = kind.residual is not Kind.residual and kind.__name__ != "GuideProbeKind"
        assert "feeds_energy" in vars(where) or not acts, kind


# --- runs that end ------------------------------------------------------------------------------
CASE = """
import fem_clearance as fc

def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    ball = system.add(fc.RigidBody(mass=1.0, inertia=(1e-3,) * 3, name="ball", free=True))
    system.add(fc.SphericalClearance(
        system.ground.at((0, 0, 0)), ball.center, socket_radius=1.05, ball_radius=0.05,
        stiffness=1e9, normal=fc.ExactRestitution(restitution=0.5), name="joint"))
    return system

case = fc.Case("ball", "a ball on a socket", build, settings={"t_end": 2.0})
"""


@pytest.fixture
def ball(tmp_path, monkeypatch):
    """A case whose contact lasts 0.25 ms, with nobody who looks at its resolution."""
    monkeypatch.setattr(StepEngine, "bearable", np.inf)
    path = tmp_path / "ball.py"
    path.write_text(CASE)
    return path


def test_steps_far_too_long_end_the_run(ball, tmp_path, capsys):
    """The ball falls for 0.4515 s with 9.81 J to lose; steps of 50 ms make energy of the contact.
    The run ends with exit code 3 and keeps its rows."""
    run = tmp_path / "run"
    assert shell(f"run {ball} --dt 0.05 --quiet --out {run}") == 3
    said = capsys.readouterr().err
    assert "stopped early: t = 0.5" in said and "take smaller steps" in said
    summary = json.loads((run / "summary.json").read_text())
    results = fc.Results.open(run)
    assert 0.45 < summary["t"] < 0.7 and "J have appeared" in summary["stopped"]
    assert results.time[-1] == summary["t"] and len(results) == summary["steps"] + 1
    assert results["energy.kinetic"].max() < 100  # with the first touch, not at 1e9 J
    # resumed, it ends at once
    assert shell(f"resume {run} --quiet") == 3


def test_gone_on_with_where_asked_for(ball, tmp_path):
    run = tmp_path / "run"
    options = "--dt 0.05 --set on_energy_growth=warn --quiet"
    assert shell(f"run {ball} {options} --out {run}") == 0
    log = (run / "log.txt").read_text()
    assert log.count("J have appeared") == 1
    assert json.loads((run / "summary.json").read_text())["energy_growth"] > 0.5


def test_resumed_before_the_end(ball, tmp_path):
    """The guard of a resumed run knows what the first part has seen."""
    case = load(str(ball))[0]
    ends = []
    for name, parts in (("whole", [2.0]), ("parts", [0.5, 2.0])):
        for t_end in parts:
            changes = {"dt": 0.05, "t_end": t_end}
            run = case.simulation(changes, output=tmp_path / name, progress=False)
            try:
                run.run(resume=(tmp_path / name).exists())
            except fc.EnergyGrowth as error:
                ends.append((str(error), run.results.time[-1]))
    assert len(ends) == 2 and ends[0] == ends[1]


def test_growth_without_contact(caplog):
    """v = v_0 exp(3 t): the energy has doubled and more when exp(6 t) = 2."""
    run = fc.Simulation(pushed(RunawayKind, speed=1.0), dt=1e-3, t_end=1.0)
    with pytest.raises(fc.EnergyGrowth, match="more than its largest kinetic energy"):
        run.run()
    assert run.results.time[-1] == pytest.approx(np.log(2) / 6, abs=2e-3)
    stopped = run.results.summary["stopped"]
    assert stopped.startswith("t = 0.11")
    # its work is the kinetic energy gained, as much as at the start
    said = r"check the forces of push1 \(RunawayKind\), which have given 0\.50\d J: their sign"
    assert re.search(said, stopped), stopped
    assert stopped.index("check the forces") < stopped.index("take smaller steps")
    with pytest.raises(fc.InputError, match="on_energy_growth"):
        fc.Simulation(pushed(PushKind), dt=1e-3, t_end=1.0, on_energy_growth="stopp")

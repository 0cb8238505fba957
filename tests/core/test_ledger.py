"""The ledger of energy against closed forms: what is dissipated and fed, and that it balances."""

from dataclasses import dataclass

from mpi4py import MPI

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.cases import get
from fem_clearance.cases import stick_slip_oscillator as oscillator
from fem_clearance.core.component import Cell
from fem_clearance.core.forms import _compile
from fem_clearance.core.observables import Observable
from fem_clearance.core.symbols import Symbols
from fem_clearance.lubrication import CylindricalFilm, plain_bearing
from fem_clearance.model.pair import SingleKind, resolve_one

from . import reference

X, MASS = (1, 0, 0), 2.0


def on_rail(velocity=0.0, gravity=0.0):
    """A mass that slides along x, alone in the world."""
    system = fc.System(gravity=(0, -gravity, 0))
    body = system.add(fc.RigidBody(MASS, (1, 1, 1), velocity=(velocity, 0, 0), name="b"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=X))
    return system, body


def energies(results, *names):
    """Channels of the ledger over time."""
    return tuple(results[f"energy.{n}"] for n in names)


# --- what is dissipated -------------------------------------------------------------------------
@pytest.mark.parametrize("rho_inf", [0.8, 0.2])
def test_damped_oscillator(rho_inf):
    """m x'' + c x' + k x = 0 from x = 0 with v: x = v/w exp(-d t) sin(w t), d = c/2m,
    w^2 = k/m - d^2. What is dissipated is what the mass and the spring have lost; errors fall as
    h^2."""
    k, c, v = 50.0, 1.0, 3.0
    d = c / (2 * MASS)
    w = np.sqrt(k / MASS - d**2)
    errors = []
    for dt in (4e-3, 2e-3):
        system, body = on_rail(v)
        system.add(
            fc.SpringDamper(
                system.ground.at((-1, 0, 0)), body.center, stiffness=k, damping=c, name="spring"
            )
        )
        run = fc.Simulation(system, fc.GeneralizedAlpha(rho_inf), dt=dt, t_end=3.0, progress=False)
        results = run.run()
        x = v / w * np.exp(-d * results.time) * np.sin(w * results.time)
        speed = v / w * np.exp(-d * results.time) * (
            w * np.cos(w * results.time) - d * np.sin(w * results.time)
        )  # fmt: skip
        lost, balance, fed = energies(results, "dissipated", "balance", "fed")
        exact = MASS * v**2 / 2 - MASS * speed**2 / 2 - k * x**2 / 2
        assert exact[-1] > 0.7 * MASS * v**2 / 2
        assert np.all(fed == 0) and np.all(np.diff(lost) >= 0)
        errors.append([np.abs(z).max() for z in (lost - exact, balance)])
    coarse, fine = np.array(errors) / (MASS * v**2 / 2)
    assert np.all(fine < 3e-4)
    assert np.all(coarse > 3.5 * fine)


def test_springs_dissipate_nothing():
    """An elastic pendulum that swings and stretches: not even the error of time stepping counts as
    dissipated."""
    system = fc.System()
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(1, 0, 0), name="b", free=True))
    system.add(fc.SpringDamper(system.ground.at((0, 0, 0)), body.center, stiffness=100.0))
    results = fc.Simulation(system, dt=1e-3, t_end=2.0, progress=False).run()
    lost, balance, stored = energies(results, "dissipated", "balance", "stored")
    assert np.abs(lost).max() < 1e-13
    assert balance == pytest.approx(stored - stored[0], abs=1e-13)
    assert 1e-9 < np.abs(balance).max() < 1e-3


def test_sliding_friction():
    """mu m g over the way s, until v^2 / (2 mu g) has been slid and all of m v^2/2 is gone."""
    mu, g, v = 0.3, 9.81, 2.0
    system, body = on_rail(v, g)
    system.add(
        fc.FrictionElement(
            system.ground.at((0, 0, 0)), body.center, X, normal_force=MASS * g, name="slide",
            friction=fc.TrueStick(mu, mu),
        )
    )  # fmt: skip
    results = fc.Simulation(system, adaptive=True, t_end=1.0, progress=False).run()
    lost, balance = energies(results, "dissipated", "balance")
    slides = results.time < 0.99 * v / (mu * g)
    # the spring that sticks is bent first, by s with F s/2 stored, and stays so
    taken = lost + 2 * results["slide.energy"]
    assert taken[slides] == pytest.approx(mu * MASS * g * results["b.x"][slides], abs=1e-6)
    assert lost[-1] == pytest.approx(MASS * v**2 / 2, rel=1e-5)
    assert np.abs(balance).max() < 1e-5 * MASS * v**2 / 2


def test_stick_and_slip():
    """The case's block in steady motion: within a period the belt (0.2 m/s) feeds as much as the
    friction of the slip, 3 N along 0.2 T + 2 m with T = pi + 2 atan 0.2 (test_stick_slip.py)."""
    slip = np.pi + 2 * np.arctan(0.2)
    period, first = slip + 10.0, np.arcsin(0.2 / 3)
    start = first + (4 - 3 * (1 - np.cos(first))) / 0.2 + 1.0  # while it slips
    results = oscillator.case.simulation({"t_end": start + period}, progress=False).run()
    for name in ("dissipated", "fed"):
        values = results["energy." + name]
        before = np.interp(start, results.time, values)
        assert values[-1] - before == pytest.approx(6 + 0.6 * slip, rel=2e-4), name
    assert np.abs(results["energy.balance"]).max() < 1e-4 * 6


@pytest.mark.parametrize("law", ["stated", "silent"])
@pytest.mark.parametrize("restitution", [1.0, 0.9, 0.5])
def test_impact(law, restitution):
    """A blow at v takes (1 - e^2) m v^2/2, whether or not the law tells the energy that it
    stores."""
    exact = fc.ExactRestitution(exponent=1.5, restitution=restitution)
    if law == "silent":
        exact = type(
            "Silent", (fc.ExactRestitution,), {"energy": staticmethod(lambda d, p: 0 * d)}
        )(exponent=1.5, restitution=restitution)
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(1.0, (1e-3,) * 3, velocity=(0, -1, 0), name="ball", free=True))
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=0.06, ball_radius=0.05,
            stiffness=1e6, normal=exact, name="joint",
        )
    )  # fmt: skip
    results = fc.Simulation(system, t_end=0.03, contact_tolerance=1e-5, progress=False).run()
    lost, balance, stored = energies(results, "dissipated", "balance", "stored")
    assert results["ball.vy"][-1] == pytest.approx(restitution, abs=1e-3)
    assert lost[-1] == pytest.approx((1 - restitution**2) / 2, abs=2e-3 * 0.5)
    assert np.abs(balance).max() < 2e-4 * 0.5
    # while it touches, what is stored is not lost
    deepest = np.argmax(results["joint.penetration"])
    assert (stored[deepest] < 0.1) == (law == "silent") and (lost[deepest] > 0.45) == (
        law == "silent"
    )


def test_drag_of_a_solid():
    """A free solid that translates against a drag of alpha a mass: v exp(-alpha t); what vibrates
    not loses nothing else."""
    alpha, v = 4.0, 1.5
    system = fc.System(gravity=(0, 0, 0))
    material = fc.NeoHookean(E=1e6, nu=0.3, rho=1000.0)
    block = system.add(
        fc.Solid(
            fc.meshes.block((0.1, 0.1, 0.1), (1, 1, 1)), material, velocity=(v, 0, 0),
            damping=fc.Damping(drag=alpha), free=True, name="block",
        )
    )  # fmt: skip
    results = fc.Simulation(system, dt=2e-3, t_end=0.5, progress=False).run()
    start = results["energy.kinetic"][0]
    assert start == pytest.approx(block.mass * v**2 / 2, rel=1e-12)
    lost, balance = energies(results, "dissipated", "balance")
    exact = start * (1 - np.exp(-2 * alpha * results.time))
    assert lost == pytest.approx(exact, abs=2e-5 * start)
    assert np.abs(balance).max() < 2e-5 * start


def test_damping_of_a_beam():
    """A cantilever that is let go comes to rest under its weight: it has lost what its energy fell
    by, which is known from the state at the start and at rest; from powers over time too."""
    system = fc.System(gravity=(0, -9.81, 0))
    material = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=7800)
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), material, elements=2, name="beam",
                damping=0.1)
    )  # fmt: skip
    system.add(fc.FixedJoint(system.ground.at((0, 0, 0)), beam.start))
    results = fc.Simulation(system, dt=1e-3, t_end=2.5, progress=False).run()
    lost, balance, stored = energies(results, "dissipated", "balance", "stored")
    assert results["energy.kinetic"][-1] < 1e-6 * results["energy.kinetic"].max()
    assert lost[-1] == pytest.approx(stored[0] - stored[-1], rel=2e-3)
    power = results["beam.damping_loss"]
    np.testing.assert_array_equal(power, results["power.damping"])
    assert lost[-1] == pytest.approx(np.trapezoid(power, results.time), rel=2e-3)
    assert np.abs(balance).max() < 2e-3 * lost[-1]


# --- what is fed --------------------------------------------------------------------------------
def test_work_of_a_constant_force():
    """F s of a force on a free mass, s = F t^2 / (2 m)."""
    system, body = on_rail()
    system.add(fc.Force(body.center, (3.0, 0, 0), name="pull"))
    results = fc.Simulation(system, dt=1e-2, t_end=1.0, progress=False).run()
    (fed,) = energies(results, "fed")
    assert fed == pytest.approx(9.0 * results.time**2 / (2 * MASS), abs=1e-9)
    assert np.abs(results["energy.balance"]).max() < 1e-9
    assert results.summary["energy_fed"] == fed[-1]


def test_work_of_a_driver():
    """An arm's centre is lifted from below to above its pivot by a motor that starts and ends at
    rest: 2 m g l, of which no friction takes any."""
    errors = []
    for dt in (1e-2, 5e-3):
        system = fc.System(gravity=(0, -9.81, 0))
        arm = system.add(fc.RigidBody(MASS, (1, 1, 1), position=(0, -0.5, 0), name="arm"))
        system.add(fc.RevoluteJoint(system.ground, arm.at((0, 0, 0)), axis=(0, 0, 1)))
        turn = fc.functions.Polynomial((0.0, 0.0, 3 * np.pi, -2 * np.pi))
        system.add(fc.RotationDriver(system.ground, arm.at((0, 0, 0)), (0, 0, 1), turn))
        results = fc.Simulation(system, dt=dt, t_end=1.0, progress=False).run()
        work = 2 * MASS * 9.81 * 0.5
        errors.append([abs(results["energy.fed"][-1] - work),
                       np.abs(results["energy.balance"]).max()])  # fmt: skip
        assert np.all(results["energy.dissipated"] == 0)
    coarse, fine = np.array(errors) / work
    assert np.all(fine < 2e-3)
    assert np.all(coarse > 3 * fine)


def test_a_force_that_nobody_declared():
    """What a user's kind does counts as fed, negative where it takes: a brake -c v."""
    system, body = on_rail(1.0)
    system.add(Brake(body.center))
    results = fc.Simulation(system, dt=1e-3, t_end=1.0, progress=False).run()
    exact = MASS / 2 * (np.exp(-2 * 3.0 * results.time / MASS) - 1)
    assert results["energy.fed"] == pytest.approx(exact, abs=1e-5)
    assert np.all(results["energy.dissipated"] == 0)
    assert np.abs(results["energy.balance"]).max() < 1e-5


@dataclass(frozen=True)
class BrakeKind(SingleKind):
    """A force -3 v."""

    def residual(self, c):
        return 3.0 * ufl.dot(self.pose(c).velocity, c.power(self.pose(c).velocity)) * c.dx()


class Brake:
    """What acts on a body by it."""

    prefix, name, kind = "brake", None, BrakeKind

    def __init__(self, frame):
        self.i = resolve_one(frame, "brake")

    def build(self, builder):
        kind = self.kind(self.i.kind)
        numbers = kind.pack_single(self.i.parameters())
        builder.add_cell(kind, Cell(self.name, self.i.refs, numbers))


# --- how it counts ------------------------------------------------------------------------------
LOSSLESS = {
    "heavy_top": {},
    "double_four_bar": {},
    "flexible_pendulum": {},
    "spatial_four_bar": {"joint.kind": "ideal"},
    "twisting_column": {},
    "flexible_slider_crank": {},
}


@pytest.mark.parametrize("case", LOSSLESS)
def test_what_is_called_lossless_does_no_work(case):
    """Inertia and the derivatives of the energies told are all that a lossless kind has: the power
    of the rest vanishes in any motion that satisfies the constraints."""
    simulation = get(case).simulation(LOSSLESS[case], progress=False)
    system = simulation.system
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(0.8, "stabilised"), dt=1e-4, t_end=1e-3)
    stepper.start()
    for _ in range(5):
        stepper.advance()
    state, powers, sizes = stepper.state, {}, []
    for k, component in enumerate(system.state.components):
        kind = component.kind
        if component.residual is None or not kind.conservative:
            continue
        symbols = Symbols(kind)
        lost = _compile(symbols.lost(kind.observables(symbols)), symbols, system.comm)
        v = (state.problem.moving * state.v)[state.problem.local_unknowns[k]]
        whole = state.evaluate(k, component.residual, component.dofs)
        power = 0.0 if lost is None else (state.evaluate(k, lost, component.dofs) * v).sum()
        powers[kind.label] = power
        sizes.append(np.abs(whole * v).sum())
    assert powers and all(abs(power) < 1e-9 * max(sizes) for power in powers.values()), powers


def bouncing(normal=None):
    """A ball that bounces, slides and spins in a socket, on a spring with a damper, pushed."""
    system = fc.System(gravity=(0, -9.81, 0))
    ball = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, velocity=(0.3, -1, 0), angular_velocity=(0, 5, 20),
                     name="ball", free=True)
    )  # fmt: skip
    socket = system.ground.at((0, 0, 0))
    system.add(
        fc.SphericalClearance(
            socket, ball.center, socket_radius=0.06, ball_radius=0.05, stiffness=1e6,
            normal=normal or fc.LankaraniNikravesh(restitution=0.8), friction=fc.CubicStribeck(),
            name="joint",
        )
    )  # fmt: skip
    system.add(fc.SpringDamper(system.ground.at((0.1, 0, 0)), ball.center, 50.0, 1.0))
    system.add(fc.Force(ball.center, (0, 0, 1), fc.functions.Harmonic(2.0, 30.0)))
    return system


@pytest.mark.parametrize("normal", [None, fc.KelvinVoigt(damping=100.0)])
def test_work_is_the_trapezoid_of_forces(normal):
    """The compiled count against NumPy's sum of (f_0 + f_1)/2 . (q_1 - q_0), step by step; of a
    contact that begins or ends, over the part of the step in which it touches."""
    stepper = fc.Stepper(bouncing(normal), dt=2e-5, t_end=0.03)
    stepper.start()
    state, ledger, totals = stepper.state, stepper.ledger, np.zeros(3)
    problem, own = state.problem, []
    for c, total in zip(ledger.components, ledger.accounts, strict=True):
        k = state.components.index(c)
        depth = ledger.depths[ledger.components.index(c)]
        own.append([c, k, total, problem.local_unknowns[k], depth])

    def look():
        return [
            (reference.cells(state, c, c.work, k, c.dofs), 0.0 if z is None else z.copy())
            for c, k, _, _, z in own
        ]

    before, touches = look(), 0
    while stepper.t < stepper.t_end:
        q = state.q.copy()
        stepper.advance()
        now = look()
        way = problem.moving * (state.q - q)
        for (c, _, total, at, depth), (f, was), (g, deep) in zip(own, before, now, strict=True):
            done = ((f + g) / 2 * way[at]).sum(axis=1)
            if depth is not None:
                changed = (deep > 0) != (was > 0)
                part = np.maximum(deep, was) / np.abs(deep - was)
                done = np.where(changed, (1 + c.kind.discontinuous) * part * done, done)
                touches += int(changed.sum())
            totals[total] += done.sum()
        before = now
    assert touches > 1 and np.all(np.abs(totals) > 1e-5)
    np.testing.assert_allclose(ledger.totals[:3], totals, rtol=1e-9)


def test_a_run_of_another_integrator_balances_too():
    """Bathe's scheme and the explicit one, same system: the same losses."""
    found = {}
    for integrator in (fc.GeneralizedAlpha(0.8), fc.Bathe(), fc.CentralDifference()):
        options = {} if isinstance(integrator, fc.CentralDifference) else {"adaptive": True}
        run = fc.Simulation(bouncing(), integrator, dt=1e-5, t_end=0.03, progress=False, **options)
        results = run.run()
        size = results["energy.dissipated"][-1]
        assert np.abs(results["energy.balance"]).max() < 2e-3 * size
        found[type(integrator).__name__] = size, results["energy.fed"][-1]
    first, *others = found.values()
    assert all(other == pytest.approx(first, rel=1e-2) for other in others)


def test_resumed(tmp_path):
    """The ledger goes on where a run stopped, to the last digit."""
    whole = fc.Simulation(bouncing(), dt=2e-5, t_end=0.03, output=tmp_path / "whole").run()
    for t_end, resume in ((0.0131, False), (0.03, True)):
        parts = fc.Simulation(bouncing(), dt=2e-5, t_end=t_end, output=tmp_path / "parts")
        results = parts.run(resume=resume)
    assert len(results) >= len(whole)
    for name in ("stored", "dissipated", "fed", "projected", "balance"):
        assert results[f"energy.{name}"][-1] == pytest.approx(
            whole[f"energy.{name}"][-1], rel=1e-9, abs=1e-12
        )


def test_statics_count_nothing():
    """At rest there is no time in which anything is fed."""
    system, body = on_rail()
    system.add(fc.SpringDamper(system.ground.at((-1, 0, 0)), body.center, 10.0))
    system.add(fc.Force(body.center, (1, 0, 0)))
    results = fc.Statics(system).solve()
    assert results["energy.stored"][-1] == pytest.approx(0.05, rel=1e-9)
    for name in ("dissipated", "fed", "balance"):
        assert np.all(results[f"energy.{name}"] == 0)


def test_a_second_run_begins_at_zero():
    """Channels belong to the system; what one run has counted is no part of the next."""
    system, body = on_rail(1.0)
    system.add(fc.SpringDamper(system.ground.at((-1, 0, 0)), body.center, 10.0, 1.0))
    first, second = (
        fc.Simulation(system, dt=1e-2, t_end=0.5, progress=False).run() for _ in range(2)
    )
    for name in ("stored", "dissipated", "balance"):
        np.testing.assert_array_equal(first[f"energy.{name}"], second[f"energy.{name}"])
    assert second["energy.dissipated"][0] == 0 and second["energy.dissipated"][-1] > 0.1


@pytest.mark.mpi
def test_ranks_count_together(comm):
    """Bodies on several ranks: the same sums as on one."""
    found = []
    for here in (comm, MPI.COMM_SELF):
        system = fc.System(comm=here)
        for k in range(4):
            body = system.add(
                fc.RigidBody(1.0 + k, (1, 1, 1), position=(k, 0, 0), name=f"b{k}", free=True)
            )
            system.add(fc.SpringDamper(system.ground.at((k, 1, 0)), body.center, 100.0, 2.0 + k))
            system.add(fc.Force(body.center, (k, 0, 0)))
        results = fc.Simulation(system, dt=1e-2, t_end=0.3, progress=False).run()
        found.append([results[f"energy.{n}"] for n in ("stored", "dissipated", "fed", "balance")])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-11)
    assert np.all(found[0][1][1:] > 0)


@pytest.mark.parametrize("pressure", [0.0, 2e5])
def test_films(pressure):
    """A journal that is pulled off the centre of its bearing, under a pressure at one end or not:
    what the film dissipates is its loss over time, the supply feeds pressure times inflow."""
    film = plain_bearing(
        0.01, 0.01, 5e-5, 0.02, cells=(16, 4), pressures={"z0": pressure, "z1": 0.0}
    )
    system = fc.System()
    journal = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, angular_velocity=(0, 0, 100.0), name="b", free=True)
    )
    system.add(CylindricalFilm(system.ground, journal.center, (0, 0, 1), film=film, name="oil"))
    system.add(fc.Force(journal.center, (20.0, 0, 0), name="load"))
    results = fc.Simulation(system, dt=1e-4, t_end=0.02, progress=False).run()
    fed = results["load.power"] + (results["power.supplies"] if pressure else 0.0)
    for name, power in (("fed", fed), ("dissipated", results["power.film"])):
        assert results[f"energy.{name}"][-1] == pytest.approx(
            np.trapezoid(power, results.time), rel=5e-4
        ), name
    assert results["energy.fed"][-1] > (5 if pressure else 0.9) * 7e-4
    assert results.summary["energy_error"] < 1e-6


def test_torsion_spring():
    """An oscillator that turns, k = 2 N m/rad, c = 0.05 N m s/rad, J = 0.1 kg m^2, from 1 rad/s:
    what is dissipated is what body and spring have lost."""
    k, c, inertia, d = 2.0, 0.05, 0.1, 0.25
    w = np.sqrt(k / inertia - d**2)
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(1.0, (0.2, 0.2, inertia), angular_velocity=(0, 0, 1.0), name="b")
    )
    system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    system.add(fc.TorsionSpring(system.ground, body.center, axis=(0, 0, 1), stiffness=k, damping=c))
    results = fc.Simulation(system, dt=2e-3, t_end=3.0, progress=False).run()
    t = results.time
    angle = np.exp(-d * t) * np.sin(w * t) / w
    rate = np.exp(-d * t) * (np.cos(w * t) - d / w * np.sin(w * t))
    exact = inertia / 2 - inertia * rate**2 / 2 - k * angle**2 / 2
    assert results["energy.dissipated"] == pytest.approx(exact, abs=2e-4 * inertia / 2)
    assert np.abs(results["energy.balance"]).max() < 2e-4 * inertia / 2


@dataclass(frozen=True)
class TetherKind(SingleKind):
    """A spring to the origin, 50 N/m, that tells its energy but not that it feeds none."""

    def energy(self, c):
        """In J."""
        r = self.pose(c).r
        return 25.0 * ufl.dot(r, r)

    def residual(self, c):
        return c.along(self.energy(c)) * c.dx()

    def observables(self, c):
        return {"energy": Observable(self.energy(c), "J", "of the tether", "energy.strain")}


def test_an_undeclared_force_that_stores():
    """What it takes and stores is not fed."""
    system, body = on_rail(1.0)
    tether = Brake(body.center)
    tether.kind = TetherKind
    system.add(tether)
    results = fc.Simulation(system, dt=1e-3, t_end=1.0, progress=False).run()
    assert results["energy.strain"].max() > 0.9
    assert np.abs(results["energy.fed"]).max() < 1e-5
    assert np.abs(results["energy.balance"]).max() < 1e-5


def test_gears_lose_what_their_mesh_says():
    """A vibrating mesh: its loss over time is dissipated, and fed beside the loads' work by the
    stiffness that changes with the phase; the channels add up."""
    changes = {"adaptive": False, "dt": 1e-5, "t_end": 5e-3}
    results = get("spur_gear_pair").simulation(changes, progress=False).run()
    stored, lost, fed, balance = energies(results, "stored", "dissipated", "fed", "balance")
    assert lost[-1] == pytest.approx(np.trapezoid(results["mesh.loss"], results.time), rel=1e-3)
    assert lost[-1] > 0.01
    open_by = stored - stored[0] + lost - fed
    assert balance == pytest.approx(open_by, abs=1e-12 * stored[0])
    assert np.abs(balance).max() < 1e-2 * lost[-1]

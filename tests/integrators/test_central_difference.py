"""Explicit central differences: closed forms, order, the stability limit, what is kept."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.linalg import eigh

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.core.blocks import Block
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.roles import TRANSLATION, Internal
from fem_clearance.statics.linearised import Linearised

SOFT = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)
AXES = {"axis": (1, 0, 0), "across": (0, 1, 0)}


@dataclass(frozen=True)
class DampedKind(Kind):
    """a + c v + k q = 0 for a coordinate, p' + d p = 0 for an internal variable p (the rate of a
    dummy coordinate)."""

    parameters = {"k": (), "c": (), "d": ()}

    def fields(self):
        return {"q": (1,), "p": (1,)}

    def residual(self, c):
        (q, _), (v, p), (a, rate), (w, u) = (
            [part[0] for part in c.split(each)] for each in (c.q, c.v, c.a, c.test)
        )
        return ((a + c.par("c") * v + c.par("k") * q) * w + (rate + c.par("d") * p) * u) * c.dx()


class Damped:
    """An oscillator that starts at q = 1 with a velocity."""

    prefix, free, name, position = "damped", True, None, np.zeros(3)

    def __init__(self, omega, c=0.0, v=0.0, d=0.0):
        self.block, self.values = (
            Block("damped", "q", [1.0], rates=v),
            {"k": omega**2, "c": c, "d": d},
        )
        self.inner = Block("damped", "p", [0.0], Internal(TRANSLATION), rates=1.0)

    def build(self, builder):
        for block in (self.block, self.inner):
            builder.add_block(block)
        kind, refs = DampedKind(), [self.block.all, self.inner.all]
        builder.add_cell(kind, Cell(self.name, refs, kind.pack(**self.values)))


def oscillate(omega, c, h, steps, v=0.0, d=0.0, checked=True):
    """q and p after each step."""
    system = fc.System()
    item = system.add(Damped(omega, c, v, d))
    integrator = fc.CentralDifference(renew=10**9)
    stepper = fc.Stepper(system, integrator, dt=h, t_end=steps * h)
    if not checked:
        stepper.prepare()
        stepper.scheme.limit.compute = lambda: np.inf
        stepper.prepare = lambda: None
    stepper.start()
    rows = [(1.0, 1.0)]
    while stepper.t < stepper.t_end:
        stepper.advance()
        state = stepper.state
        rows.append((state.q[item.block.numbers[0]], state.v[item.inner.numbers[0]]))
    return np.array(rows).T


def finish(stepper, see=lambda stepper: None):
    stepper.start()
    see(stepper)
    while stepper.t < stepper.t_end:
        stepper.advance()
        see(stepper)
    return stepper


# --- oscillator -----------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [0.1, 1.0, 1.9])
def test_oscillator(size):
    """cos(x) = 1 - (h omega)^2/2 is the angle x of a step; q_n = cos(n x) + b sin(n x), with b from
    the first step, q_1 = 1 - (h omega)^2/2 + h v."""
    omega, v = 7.0, 2.0
    h = size / omega
    rows, _ = oscillate(omega, 0.0, h, 20, v)
    x, n = np.arccos(1 - size**2 / 2), np.arange(21)
    assert rows == pytest.approx(np.cos(n * x) + h * v / np.sin(x) * np.sin(n * x), abs=1e-12)


def test_damped_oscillator_is_of_second_order():
    """And an internal variable."""
    omega, ratio, t_end = 7.0, 0.2, 1.0
    wd = omega * np.sqrt(1 - ratio**2)
    exact = np.exp(-ratio * omega * t_end) * (np.cos(wd) + ratio * omega / wd * np.sin(wd))
    errors = []
    for n in (40, 80, 160, 320):
        end = oscillate(omega, 2 * ratio * omega, t_end / n, n, d=1.0)[:, -1]
        errors.append(np.abs(end - [exact, np.exp(-t_end)]))
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert order == pytest.approx(2, abs=0.15), order


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5, 2.0])
def test_limit_of_a_damped_oscillator(ratio):
    """(h omega)^2 + 4 h c <= 4: bounded just below, growing just above, and that is what is
    computed."""
    omega, c = 7.0, 2 * ratio * 7.0
    h = 2 / (c + np.hypot(c, omega))
    system = fc.System()
    system.add(Damped(omega, c))
    assert fc.CentralDifference().stable_step(system) == pytest.approx(h, rel=1e-9)
    assert np.abs(oscillate(omega, c, 0.999 * h, 500)[0]).max() < 3
    with np.errstate(all="ignore"):
        assert np.abs(oscillate(omega, c, 1.02 * h, 500, checked=False)[0]).max() > 1e3


# --- constraints ----------------------------------------------------------------------------------
def test_second_order_of_a_pendulum(mass_on_a_rod):
    """Position, velocity and the rod's force."""
    run, exact = mass_on_a_rod
    steps = [4e-3, 2e-3, 1e-3]
    ends = [run(fc.CentralDifference(), h, 0.8) for h in steps]
    errors = np.array(
        [[np.linalg.norm(a - b) for a, b in zip(e, exact(0.8), strict=True)] for e in ends]
    )
    assert np.log2(errors[:-1] / errors[1:]) == pytest.approx(2, abs=0.05)


def test_second_order_of_the_heavy_top(heavy_top):
    errors = np.array([heavy_top(fc.CentralDifference(), h, 0.1) for h in (2e-4, 1e-4, 5e-5)])
    assert np.log2(errors[:-1] / errors[1:]) == pytest.approx(2, abs=0.1), errors


def top(h, t_end, **options):
    """A spinning top on its pivot, as a system that has constraints of bodies and joints."""
    system = fc.System(gravity=(0, 0, -9.81), **options)
    body = system.add(
        fc.RigidBody(1.0, (0.02, 0.02, 0.03), position=(0.1, 0, 0.1), name="top",
                     angular_velocity=(5.0, 0, 30.0))
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, body.at((0, 0, 0)), name="pivot"))
    return fc.Stepper(system, fc.CentralDifference(), dt=h, t_end=t_end)


def test_constraints_hold_at_every_step_and_energy_does_not_drift():
    """Positions and velocities to round-off; the energy's error wavers as h^2."""
    swings = []
    for h in (1e-3, 5e-4):
        worst, energies = np.zeros(2), []

        def see(stepper, worst=worst, energies=energies):
            state, scheme = stepper.state, stepper.scheme
            rates = np.abs(scheme.velocities.violation()).max()
            places = np.abs(state.residual()[state.problem.constrained]).max()
            worst[:] = np.maximum(worst, [places, rates])
            energies.append(stepper.channels["energy.total"])

        finish(top(h, 1.0), see)
        energies = np.array(energies)
        assert worst[0] < 1e-14
        assert worst[1] < 1e-13
        half = len(energies) // 2
        drift = energies[half:].mean() - energies[:half].mean()
        assert abs(drift) < 0.2 * np.ptp(energies)
        swings.append(np.ptp(energies))
    assert swings[0] / swings[1] == pytest.approx(4, rel=0.1)


def test_a_resumed_run_is_the_same_bit_for_bit():
    """Also through a step of another length, the last one."""
    ends = []
    for interruptions in ((), (0, 7, 20)):
        stepper = top(1e-3, 0.0305)
        stepper.start()
        while stepper.t < stepper.t_end:
            if stepper.steps in interruptions:
                stored = stepper.snapshot()
                stepper = top(1e-3, 0.0305)
                stepper.restore(stored)
            stepper.advance()
        ends.append(stepper)
    assert ends[0].steps == ends[1].steps == 31
    assert np.array_equal(ends[0].state.array, ends[1].state.array)


# --- solids ---------------------------------------------------------------------------------------
def flying(lumped=True, material=SOFT, **options):
    """A block that flies, spins and vibrates."""
    system = fc.System(gravity=(0, 0, 0), **options)

    def velocity(x):
        wave = 5 * np.sin(30 * x[:, :1]) * [1, 0, 0]
        return np.array([1.0, -2.0, 0]) + np.cross([0, 0, 60.0], x) + wave

    body = system.add(
        fc.Solid(
            meshes.block((0.1, 0.05), (4, 2)), material,
            degree=1, state="plane_strain", thickness=0.02,
            velocity=velocity, free=True, lumped=lumped, name="body",
        )
    )  # fmt: skip
    return system, body


def test_limit_of_a_solid():
    """2/omega_max of all eigenvalues (scipy), not above and within 1 %."""
    system, _ = flying()
    limit = fc.CentralDifference().stable_step(system)
    linear = Linearised(system.state)
    K, M = linear.dense(linear.K), linear.dense(linear.M)
    exact = 2 / np.sqrt(eigh(K, M, eigvals_only=True)[-1])
    assert 0.99 * exact < limit <= exact * (1 + 1e-9)


def test_free_block():
    """2,000 steps of 0.4 of the limit, and the same time with half of them: momentum and moment of
    momentum (lumped masses) to round-off, energy within O(h^2) and without drift."""
    swings = []
    for part, steps in ((0.4, 2000), (0.2, 4000)):
        system, body = flying()
        h = part * fc.CentralDifference().stable_step(system)
        stepper = fc.Stepper(system, fc.CentralDifference(), dt=h, t_end=steps * h)
        energies, momenta = [], []

        def see(stepper, body=body, energies=energies, momenta=momenta):
            energies.append(stepper.channels["energy.total"])
            x = body.nodes + body.at_nodes(stepper.state.q)
            v = body.at_nodes(stepper.state.v)
            numbers = body.displacement(np.arange(len(x))).numbers.reshape(-1, 2)[:, 0]
            p = stepper.scheme.inertia.diagonal[numbers][:, None] * v
            momenta.append([*p.sum(axis=0)[:2], np.cross(x, p)[:, 2].sum()])

        finish(stepper, see)
        energies, momenta = np.array(energies), np.array(momenta)
        assert stepper.rejected_steps == 0
        assert momenta == pytest.approx(np.broadcast_to(momenta[0], momenta.shape), rel=1e-11)
        assert energies[-500:].mean() == pytest.approx(energies[:500].mean(), rel=2e-3)
        swings.append(np.ptp(energies) / energies[0])
    assert swings[0] < 0.015
    assert swings[0] / swings[1] == pytest.approx(4, rel=0.1)


def rattling(dt, integrator, t_end):
    """An elastic block between the surfaces of a free guide; place and speed of a corner."""
    system = fc.System(gravity=(0, 0, 0))
    guide = system.add(
        fc.RigidBody(3.0, (0.02, 0.03, 0.04), name="rail", free=True, angular_velocity=(0, 0, 3.0))
    )
    slider = system.add(
        fc.Solid(
            meshes.block((0.1, 0.05), (4, 2)), SOFT, degree=1, state="plane_strain", thickness=0.02,
            velocity=(0.3, 0.5, 0), angular_velocity=(0, 0, 1.0), free=True, name="slider",
            lumped=True,
        )
    )  # fmt: skip
    for side, facets in (("upper", "y1"), ("lower", "y0")):
        system.add(
            fc.GuideContact(
                guide.center, slider.facets(facets), **AXES, side=side, gap=0.052,
                friction=fc.SmoothCoulomb(0.2, v0=1e-2), law=fc.Winkler(1e12), name=side,
            )
        )  # fmt: skip
    system.add(fc.Probe(slider.at((0.05, 0.025, 0)), name="corner"))
    forces = []
    stepper = finish(
        fc.Stepper(system, integrator, dt=dt, t_end=t_end),
        lambda s: forces.append(sum(s.channels[f"{n}.normal_force"] for n in ("upper", "lower"))),
    )
    places = [stepper.channels[n] for n in ("corner.x", "corner.y", "rail.x", "rail.y")]
    return stepper, np.array(places), max(forces)


def test_impact_of_an_elastic_block():
    """Into a guide with friction, then out of it: explicit and implicit runs differ by no more than
    what halving the step changes; in either, the longer step's change is several times that."""
    dt, t_end = 2e-6, 0.004
    ends, peaks = {}, {}
    for name, integrator in (("ex", fc.CentralDifference()), ("im", fc.GeneralizedAlpha(1.0))):
        for factor in (2, 1):
            stepper, ends[name, factor], peak = rattling(factor * dt, integrator, t_end)
            peaks[name, factor] = peak
    between = np.abs(ends["ex", 1] - ends["im", 1])
    halving = sum(np.abs(ends[n, 2] - ends[n, 1]) for n in ("ex", "im"))
    assert np.all(between < halving), (between, halving)
    assert peaks["ex", 1] > 500
    assert peaks["ex", 1] == pytest.approx(peaks["im", 1], rel=0.04)


def test_contact_shortens_the_step():
    """A step that is stable in flight, but not in touch, is cut while the contact is closed: the
    block bounces with the force and the loss of the fine run, instead of exploding."""
    system, _ = flying()
    flight = fc.CentralDifference().stable_step(system)
    stepper, _, peak = rattling(0.98 * flight, fc.CentralDifference(), 0.002)
    assert stepper.rejected_steps > 0
    assert peak == pytest.approx(rattling(2e-6, fc.CentralDifference(), 0.002)[2], rel=0.1)


def test_first_impact_of_a_slider_crank():
    """Rigid slider with clearance: first contact at 2.69250e-3 s (see test_translational.py), peak
    force of the implicit run."""
    from fem_clearance import cases

    case, found = cases.get("slider_crank_translational"), []
    for settings in ({"integrator": "central_difference", "dt": 2e-6}, {}):
        results = case.simulation({"t_end": 0.0028, **settings}).run()
        found.append([results.summary["first_contact_time"], results["contact.upper"].max()])
    assert found[0][0] == pytest.approx(2.69250e-3, rel=1e-5)
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-3)


# --- steps and settings ---------------------------------------------------------------------------
def test_a_step_above_the_limit_is_refused():
    system, _ = flying()
    limit = fc.CentralDifference().stable_step(system)
    text = f"above the stability limit of {limit:.4g} s"
    with pytest.raises(fc.InputError, match=text):
        fc.Simulation(system, fc.CentralDifference(), dt=1.05 * limit, t_end=1e-3).run()
    fc.Simulation(system, fc.CentralDifference(), dt=0.95 * limit, t_end=2e-5).run()


def test_default_step():
    """0.8 of the limit."""
    system, _ = flying()
    run = fc.Simulation(system, fc.CentralDifference(), t_end=2e-4)
    results = run.run()
    assert results.time[1] == pytest.approx(0.8 * fc.CentralDifference().stable_step(flying()[0]))
    system = fc.System()
    system.add(fc.RigidBody(1.0, (1, 1, 1), free=True))
    with pytest.raises(fc.InputError, match="no stiffness limits the step"):
        fc.Simulation(system, fc.CentralDifference(), t_end=1.0).run()


def test_what_cannot_be_stepped(oscillate):
    with pytest.raises(fc.InputError, match=r"oscillator.s is found from an equation without"):
        oscillate(fc.CentralDifference(), 100.0, 1e-3, 2)
    with pytest.raises(fc.InputError, match="fixed steps"):
        fc.Simulation(fc.System(), fc.CentralDifference(), adaptive=True, t_end=1.0)
    with pytest.raises(fc.InputError, match="renew"):
        fc.CentralDifference(renew=0)


def test_parameters_choose_it():
    from fem_clearance import cases

    run = cases.get("heavy_top").simulation({"integrator": "central_difference", "dt": 1e-4})
    assert run.integrator == fc.CentralDifference()
    assert not run.adaptive
    with pytest.raises(fc.InputError, match="constraints"):
        cases.get("heavy_top").simulation(
            {"integrator": "central_difference", "constraints": "stabilised"}
        )


@pytest.mark.mpi
def test_same_motion_on_all_ranks(comm):
    """A block of its own, and one with a joint."""
    ends = []
    for c in (comm, comm.Split(comm.rank)):
        system, body = flying(comm=c)
        stepper = finish(fc.Stepper(system, fc.CentralDifference(), dt=1e-5, t_end=1e-3))
        ends.append(stepper.state.everything(stepper.state.q)[body.block.numbers])
        stepper = finish(top(1e-3, 0.05, comm=c))
        ends[-1] = np.append(ends[-1], [stepper.channels[f"top.{x}"] for x in "xyz"])
    assert ends[0] == pytest.approx(ends[1], abs=1e-11)

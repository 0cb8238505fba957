"""Work of contacts, counted over steps, against closed forms; energy with laws that users write."""

import logging
from dataclasses import dataclass

from mpi4py import MPI

import numpy as np
import pytest
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance.contact.laws.normal import NormalLaw
from fem_clearance.timestepping.contact_work import ContactWork

from .conftest import run
from .journals import LENGTH, in_ground

STIFFNESS = 1e5  # N/m: a kilogram touches for pi sqrt(m / k) = 9.9 ms
DROP, DT = 1.0, 1e-4


@dataclass(frozen=True)
class Silent(NormalLaw):
    """A spring of a user who knows no energy."""

    parameters = ("K",)

    def values(self, contact):
        return {"K": contact.stiffness}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth


@dataclass(frozen=True)
class Stated(Silent):
    """The same, and its energy."""

    @staticmethod
    def energy(depth, p):
        return p.K * depth**2 / 2


@dataclass(frozen=True)
class Giving(Silent):
    """A law that gives more than it takes: F = K depth (1 - 0.1 rate / approach)."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth * (1 - 0.1 * rate / approach)


def dropped(law, speed=0.0, gravity=9.81, drop=DROP):
    """A ball that falls by ``drop`` (m) onto the inside of a socket."""
    system = fc.System(gravity=(0, -gravity, 0))
    ball = system.add(
        fc.RigidBody(mass=1.0, inertia=(1e-3,) * 3, position=(0, 0, 0), velocity=(0, -speed, 0),
                     name="ball", free=True)
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=drop + 2.0, ball_radius=2.0,
            stiffness=STIFFNESS, normal=law, name="joint",
        )
    )  # fmt: skip
    return system


def thrown(law):
    """A ball that comes at 1 m/s, without gravity, and touches after 10 ms."""
    return dropped(law, speed=1.0, gravity=0.0, drop=0.01)


# --- laws of users ------------------------------------------------------------------------------
@pytest.mark.parametrize("law", [Silent(), Stated()])
def test_elastic_laws_of_users_raise_no_alarm(law, caplog):
    """A ball rises to where it fell from after each of three bounces, whether or not its law tells
    the energy that it stores for a while."""
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        results = fc.Simulation(dropped(law), dt=DT, t_end=3.2).run()
    y, t = results["ball.y"], results.time
    fall = np.sqrt(2 * DROP / 9.81)
    touch = np.pi * np.sqrt(1 / STIFFNESS)
    for k in (1, 2, 3):
        top = k * (2 * fall + touch)
        assert y[np.abs(t - top) < 0.2].max() == pytest.approx(0, abs=1e-3 * DROP)
    assert not caplog.records
    assert results.summary["energy_growth"] < 2e-3
    assert results.summary["energy_change"] < 2e-3
    assert results.summary["energy_guard"] == "stop"
    assert results.summary["contact_gain"] < 1e-3
    # what the recorded energy alone says
    assert np.ptp(results["energy.total"]) > 9 or isinstance(law, Stated)


def test_a_law_that_gives_energy_is_reported(caplog):
    """Restitution e of F = f (1 + chi rate / approach): chi (1 + e) = ln((1 + chi) / (1 - chi e));
    with chi = -0.1 it is above 1, and compression takes the energy of the approach."""
    chi = -0.1
    e = brentq(lambda e: chi * (1 + e) - np.log((1 + chi) / (1 - chi * e)), 0.5, 2)
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        results = fc.Simulation(thrown(Giving()), dt=1e-5, t_end=0.03).run()
    assert results["ball.vy"][-1] == pytest.approx(e, rel=1e-3)
    assert results.summary["contact_gain"] == pytest.approx(e**2 - 1, rel=5e-3)
    gained = [r.getMessage() for r in caplog.records if "gave the bodies" in r.getMessage()]
    assert len(gained) == 1 and gained[0].startswith("joint: the contact that ended at t = 0.01")
    # the work of the contact is known: its energy is no riddle
    assert results.summary["energy_growth"] < 2e-3


def taken(stepper):
    """Work that contacts took from the bodies: what they have dissipated and what they store."""
    return stepper.channels["energy.dissipated"] + stepper.channels["energy.contact"]


# --- work ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("exponent", "t_end"), [(1.0, 0.025), (1.5, 0.05), (2.0, 0.09)])
def test_work_of_compression(exponent, t_end):
    """An elastic contact takes all of m v^2/2 and gives it back; in between it has taken
    K d^(n+1)/(n+1)."""
    stepper = fc.Stepper(thrown(fc.Hertz(exponent=exponent)), dt=1e-5, t_end=t_end)
    stepper.start()
    rows = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        rows.append((taken(stepper), stepper.channels["joint.penetration"]))
    work, depth = np.array(rows).T
    exact = STIFFNESS * depth ** (exponent + 1) / (exponent + 1)
    assert work == pytest.approx(exact, abs=1e-4 * 0.5)
    assert work.max() == pytest.approx(0.5, rel=1e-4)
    assert depth[-1] == 0
    gain = stepper.work.worst()
    assert gain is None or gain.ratio < 1e-4


@pytest.mark.parametrize("restitution", [0.5, 0.9])
def test_work_from_onset_to_loss(restitution):
    """m v^2/2 (1 - e^2) with the restitution that the ball has in the end."""
    law = fc.ExactRestitution(exponent=1.0, restitution=restitution)
    stepper = run(thrown(law), 1e-5, 0.03)
    v = stepper.channels["ball.vy"]
    assert v == pytest.approx(restitution, rel=2e-3)
    assert taken(stepper) == pytest.approx((1 - v**2) / 2, rel=1e-3)
    assert stepper.work.worst() is None


def count(touches, t):
    """The work of one component's contacts in a step that ended at ``t``, in NumPy."""
    depth, force, share, density, work, compression, speed, *worst = touches.kept.T
    inside = np.maximum(touches.depth, 0.0)
    given = (force + touches.force) / 2 * (inside - depth)
    energy = np.zeros_like(depth) if touches.energy is None else touches.energy
    if touches.share is not None:
        by_share = np.divide(energy, touches.share, out=0 * depth, where=touches.share > 0)
        given += (density + by_share) / 2 * (touches.share - share) * (depth + inside > 0)
        share[:], density[:] = touches.share, by_share
    work += given
    np.maximum(compression, work, out=compression)
    np.maximum(speed, np.abs(touches.rate), out=speed, where=inside > 0)
    lost = (depth > 0) & ~(inside > 0)
    depth[:], force[:] = inside, touches.force
    for k in np.flatnonzero(lost):
        took, most = work.item(k), compression.item(k)
        if speed[k] > touches.floor[k] and took < worst[0].item(k) * most:
            ratio = took / most if most > 0 else -np.inf
            for array, value in zip(worst, (ratio, -took, most, t), strict=True):
                array[k] = value
        work[k] = compression[k] = speed[k] = 0.0


@pytest.mark.parametrize("leaves", [False, True])
def test_ledger_of_cylinders(leaves):
    """A rattling elastic journal, also one that slides out of its bearing: kinetic energy and work
    of all its places of contact add up to what it had; the compiled count is that of NumPy."""
    system, _, joint = in_ground(
        velocity=(0.3, 0.4, 1.0 if leaves else 0.0), spin=(20.0, 5.0, 0.0),
        journal_length=LENGTH if leaves else None,
    )  # fmt: skip
    system.add(joint)
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(1.0), dt=2e-5, t_end=0.036)
    stepper.start()
    readable = ContactWork(stepper.channels)
    readable.begin()
    kinetic = stepper.channels["energy.kinetic"]
    rows = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        for touches in readable.contacts:
            count(touches, stepper.t)
        rows.append((stepper.channels["energy.kinetic"], taken(stepper)))
    rows = np.array(rows)
    assert rows[:, 1].max() > 0.2 * kinetic
    assert rows.sum(axis=1) == pytest.approx(kinetic, rel=1e-3)
    assert (stepper.channels["joint.overlap"] <= 0) == leaves
    for one, other in zip(readable.contacts, stepper.work.contacts, strict=True):
        np.testing.assert_allclose(one.kept, other.kept, rtol=1e-11, atol=1e-15)


def test_contact_at_the_start():
    """What is pressed together at the start gives energy that is no gain of its touch."""
    system = fc.System(gravity=(0, 0, 0))
    block = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(0, 0.011, 0), name="b"))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=(0, 1, 0)))
    system.add(
        fc.RodGuide(
            system.ground.at((0, 0, 0)), block.center, (0, 1, 0), hole_radius=0.02,
            rod_radius=0.01, force=fc.Hertz(exponent=1.0), stiffness=STIFFNESS, approach=1.0,
        )
    )  # fmt: skip
    stepper = run(system, 2e-5, 0.015)
    assert stepper.channels["b.vy"] == pytest.approx(-1e-3 * np.sqrt(STIFFNESS), rel=1e-4)
    stored = STIFFNESS * 1e-6 / 2  # J at the start
    assert taken(stepper) - stored == pytest.approx(-stored, rel=1e-3)
    assert stepper.work.worst() is None


# --- runs ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("law", [Giving(), fc.Hertz()])
def test_resumed_in_touch(law, tmp_path):
    """Work and energies go on where a run stopped, here while the ball touches."""
    whole = fc.Simulation(dropped(law), dt=DT, t_end=1.0, output=tmp_path / "whole").run()
    for t_end, resume in ((0.455, False), (1.0, True)):
        parts = fc.Simulation(dropped(law), dt=DT, t_end=t_end, output=tmp_path / "parts")
        results = parts.run(resume=resume)
        if not resume:
            assert results["joint.penetration"][-1] > 0
    for name in ("energy_change", "energy_growth", "contact_gain", "steps"):
        assert results.summary[name] == whole.summary[name]


@pytest.mark.mpi
def test_ranks_count_together(comm, shared_tmp_path):
    """Contacts on several ranks; a checkpoint of all ranks is read by one."""

    def simulation(comm, output, t_end):
        system = fc.System(comm=comm)
        for k in range(4):
            ball = system.add(
                fc.RigidBody(mass=1.0 + k, inertia=(1e-3,) * 3, position=(3.0 * k, -0.9, 0),
                             name=f"ball{k}", free=True)
            )  # fmt: skip
            system.add(
                fc.SphericalClearance(
                    system.ground.at((3.0 * k, 0, 0)), ball.center, socket_radius=1.05,
                    ball_radius=0.05, stiffness=STIFFNESS, name=f"joint{k}",
                    normal=Giving() if k == 3 else fc.Hertz(),
                )
            )  # fmt: skip
        return fc.Simulation(system, dt=DT, t_end=t_end, output=output)

    shared = simulation(comm, shared_tmp_path / "all", 0.145)
    results = shared.run()
    alone = shared_tmp_path / f"alone{comm.rank}"
    single = simulation(MPI.COMM_SELF, alone, 0.145).run()
    names = "energy_change", "energy_growth"
    for name in names:
        assert results.summary[name] == pytest.approx(single.summary[name], rel=1e-6, abs=1e-10)
    for whole in (single, results):
        assert whole["joint3.penetration"][-1] > 0
    ended = simulation(comm, shared_tmp_path / "all", 0.3).run(resume=True)
    single = simulation(MPI.COMM_SELF, alone, 0.3).run(resume=True)
    for name in (*names, "contact_gain"):
        assert ended.summary[name] == pytest.approx(single.summary[name], rel=1e-6, abs=1e-10)
    assert ended.summary["contact_gain"] > 0.05

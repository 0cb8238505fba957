"""Constraints that others imply are dropped, contradictions refused, singular poses survived."""

import logging
import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.extend import TRANSLATION, Pair, PairKind, multipliers

Z = (0, 0, 1)
#: a crank-rocker: ground pivots, crank tip, rocker tip
A, D = np.array((0, 0, 0)), np.array((1.0, 0, 0))
B, C = np.array((0.0, 0.4, 0)), np.array((0.8, 0.9, 0))


def bar(system, p, q, name, **options):
    p, q = np.array(p, float), np.array(q, float)
    length = np.linalg.norm(q - p)
    moment = length**2 / 12
    e1 = (q - p) / length
    axes = np.column_stack([e1, np.cross(Z, e1), Z])
    return system.add(
        fc.RigidBody(
            1.0,
            (0.1 * moment, moment, moment),
            position=(p + q) / 2,
            orientation=axes,
            name=name,
            **options,
        )
    )


def four_bar(joints):
    system = fc.System()
    crank, coupler, rocker = (
        bar(system, *ends, name)
        for ends, name in (((A, B), "crank"), ((B, C), "coupler"), ((D, C), "rocker"))
    )
    pairs = ((system.ground, crank.at(A)), (crank.at(B), coupler.at(B)),
             (coupler.at(C), rocker.at(C)), (system.ground, rocker.at(D)))  # fmt: skip
    for joint, pair in zip(joints, pairs, strict=True):
        system.add(joint(*pair))
    return system


def revolute(i, j):
    return fc.RevoluteJoint(i, j, axis=Z)


@pytest.mark.mpi
def test_planar_four_bar(march, caplog):
    """Four spatial revolutes hold three directions twice; the motion is that of a loop without."""
    with caplog.at_level(logging.INFO, logger="fem_clearance"):
        system = four_bar([revolute] * 4)
        run = march(system, 2e-3, 0.5)
    said = re.findall(r"(\w+): (\d+) of its (\d+) constraints follow from others", caplog.text)
    names, dropped, own = zip(*said, strict=True)
    assert len(set(names)) == len(names) and {*own} == {"5"}  # a line for each joint
    assert sum(map(int, dropped)) == 3
    free = sum((~b.fixed).sum() for b in system.state.problem.blocks if b.constraint)
    # 36 coordinates, one freedom
    assert free == 35
    # spherical and cylindrical joints in the loop: 5 + 5 + 3 + 4 = 17 conditions for 18 freedoms
    reference = four_bar(
        [revolute, revolute, fc.SphericalJoint, lambda i, j: fc.CylindricalJoint(i, j, axis=Z)]
    )
    other = march(reference, 2e-3, 0.5)
    for channel in ("crank.x", "crank.y", "rocker.x", "rocker.y"):
        assert np.ptp(run[channel]) > 0.02
        assert run[channel] == pytest.approx(other[channel], abs=1e-8)
    assert np.max(np.abs(run["coupler.z"])) < 1e-12


def parallelogram(angle):
    """Two bars that turn with 1 rad/s and the coupler between them."""
    system = fc.System(gravity=(0, 0, 0))
    along = np.array([np.cos(angle), np.sin(angle), 0])
    across = np.cross(Z, along)
    spin = {"angular_velocity": Z, "velocity": across / 2}
    pivots = [np.zeros(3), np.array([2.0, 0, 0])]
    bars = [
        bar(system, p, p + along, n, **spin) for p, n in zip(pivots, ("left", "right"), strict=True)
    ]
    coupler = bar(system, along, pivots[1] + along, "coupler", velocity=across)
    for p, b in zip(pivots, bars, strict=True):
        system.add(revolute(system.ground, b.at(p)))
        system.add(revolute(b.at(p + along), coupler.at(p + along)))
    return system


def test_parallelogram_in_a_singular_pose(caplog):
    """All bars in line: the loop keeps the conditions it needs everywhere else. (No motion from
    here is determined: round-off chooses between parallelogram and antiparallelogram.)"""
    with caplog.at_level(logging.INFO, logger="fem_clearance"):
        here, there = (parallelogram(angle).state for angle in (0.0, 0.3))
    assert "singular pose" in caplog.text
    assert here.size == there.size


def test_parallelogram_through_singular_poses(march):
    """At t = .3 s and half a turn later."""
    run = march(parallelogram(-0.3), 2e-3, 4.0)
    t = run["time"] - 0.3
    for name, pivot in (("left", 0), ("right", 2)):
        assert run[f"{name}.x"] == pytest.approx(pivot + 0.5 * np.cos(t), abs=1e-5)
        assert run[f"{name}.y"] == pytest.approx(0.5 * np.sin(t), abs=1e-5)


def slider_crank(drive, joints=fc.RevoluteJoint):
    """Crank and rod in line (dead centre), slider on the x axis."""
    system = fc.System(gravity=(0, 0, 0))
    crank = bar(system, (0, 0, 0), (0.2, 0, 0), "crank")
    rod = bar(system, (0.2, 0, 0), (0.8, 0, 0), "rod")
    slider = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(0.8, 0, 0), name="slider"))
    system.add(revolute(system.ground, crank.at((0, 0, 0))))
    system.add(revolute(crank.at((0.2, 0, 0)), rod.at((0.2, 0, 0))))
    system.add(revolute(rod.at((0.8, 0, 0)), slider.center))
    system.add(fc.PrismaticJoint(system.ground, slider.center, axis=(1, 0, 0)))
    system.add(drive(system, crank, slider))
    return system


def test_slider_crank_driven_from_dead_centre(march):
    """x = r cos f + sqrt(l^2 - r^2 sin^2 f) over more than one turn."""
    system = slider_crank(
        lambda s, crank, slider: fc.RotationDriver(
            s.ground, crank.at((0, 0, 0)), Z, fc.functions.SmoothRamp(15.0, 0.2), name="drive"
        )
    )
    run = march(system, 1e-3, 0.6)
    f = run["drive.angle"]
    assert f[-1] > 2 * np.pi
    exact = 0.2 * np.cos(f) + np.sqrt(0.36 - 0.04 * np.sin(f) ** 2)
    assert run["slider.x"] == pytest.approx(exact, abs=1e-9)


def test_driver_at_dead_centre_is_no_contradiction():
    """The slider's motion drives the crank everywhere but here."""
    slider_crank(
        lambda s, crank, slider: fc.TranslationDriver(
            s.ground, slider.center, (1, 0, 0), fc.functions.Harmonic(-0.1, 1.0)
        )
    ).assemble()


@pytest.mark.mpi
def test_driver_against_a_joint():
    system = fc.System()
    body = system.add(fc.RigidBody(1, (1, 1, 1)))
    joint = system.add(fc.FixedJoint(system.ground, body.center))
    system.add(
        fc.RotationDriver(joint.i, joint.j, Z, fc.functions.SmoothRamp(1.0, 0.1), name="motor")
    )
    with pytest.raises(
        fc.InputError, match="motor drives a motion that the joints already prevent"
    ):
        system.assemble()


def test_two_drivers_on_one_revolute(pendulum):
    system, _, pin = pendulum()
    system.add(fc.RotationDriver(pin.i, pin.j, Z, fc.functions.SmoothRamp(1.0, 0.1), name="first"))
    system.add(fc.RotationDriver(pin.i, pin.j, Z, fc.functions.SmoothRamp(2.0, 0.1), name="second"))
    with pytest.raises(fc.InputError, match="second drives a motion"):
        system.assemble()


def test_structure_without_freedom(march):
    """A frame held at both ends: redundant, at rest, its weight carried."""
    system = fc.System()
    body = system.add(fc.RigidBody(2.0, (1, 1, 1)))
    system.add(fc.FixedJoint(system.ground, body.at((-1, 0, 0)), name="left"))
    system.add(fc.FixedJoint(system.ground, body.at((1, 0, 0)), name="right"))
    run = march(system, 1e-3, 0.01)
    weight = run["left.reaction.y"][-1] + run["right.reaction.y"][-1]
    assert weight == pytest.approx(2 * 9.81, abs=1e-6)
    assert abs(run["body1.y"][-1]) < 1e-12


@dataclass(frozen=True)
class TwiceKind(PairKind):
    """The height of frame j over frame i is held, by two multipliers."""

    own_fields: ClassVar = {"lam": (2,)}
    feeds_energy = False

    def residual(self, c):
        i, j = self.poses(c)
        lam, height = c.split(c.q)[2], ufl.dot(j.r - i.r, i.e(3))
        return c.along((lam[0] + lam[1]) * height) * c.dx()


class Twice(Pair):
    prefix = label = "twice"
    triads_needed = (True, False)

    def build(self, builder):
        kind = TwiceKind(self.i.kind, self.j.kind)
        parameters = kind.pack_pair(self.i.parameters(np.eye(3)), self.j.parameters())
        self.add_to(builder, kind, parameters, [multipliers(self.name, "force", 2, TRANSLATION)])


def test_a_constraint_written_twice_is_warned_of(caplog):
    """Within one item; what other joints imply is common, and is listed only."""
    system = fc.System(gravity=(0, 0, -9.81))
    body = system.add(fc.RigidBody(2.0, (1, 1, 1), name="body"))
    system.add(Twice(system.ground.point((0, 0, 0)), body.center, "shelf"))
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        system.assemble()
    assert [r.getMessage() for r in caplog.records] == [
        "shelf: 1 of its 2 constraints follow from others of its own (is one written twice?) and "
        "carry no force"
    ]
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        four_bar([revolute] * 4).assemble()
    assert not caplog.records

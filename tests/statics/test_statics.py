"""Equilibrium: load steps, letting go, limit points, contacts, and what is said of failures."""

import logging
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import fem_clearance as fc
from fem_clearance.core.blocks import Block, Ref
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.roles import Algebraic
from fem_clearance.statics.linearised import Linearised

Z = (0.0, 0.0, 1.0)
STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800)


# --- rigid bodies ---------------------------------------------------------------------------------
def test_masses_on_springs():
    """Two masses hanging from each other: stretches (m1 + m2) g / k1 and m2 g / k2."""
    system = fc.System()
    top, low = (
        system.add(fc.RigidBody(m, (1, 1, 1), position=(0, y, 0), name=n))
        for m, y, n in ((2.0, -1.0, "top"), (3.0, -2.5, "low"))
    )
    for body in (top, low):
        system.add(fc.PrismaticJoint(system.ground, body.center, axis=(0, 1, 0)))
    system.add(fc.SpringDamper(system.ground.point((0, 0, 0)), top.center, 500.0, damping=10.0))
    system.add(fc.SpringDamper(top.center, low.center, 800.0))
    results = fc.Statics(system, steps=3).solve()
    first, second = 5 * 9.81 / 500, 3 * 9.81 / 800
    assert results["top.y"][-1] == pytest.approx(-1 - first, rel=1e-12)
    assert results["low.y"][-1] == pytest.approx(-2.5 - first - second, rel=1e-12)
    assert results["top.y"] == pytest.approx(-1 - first * results.factor, rel=1e-12)


def lever(stiffness=3.0):
    """A rod on a pin with a torsion spring, horizontal without load."""
    system = fc.System()
    rod = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
    pin = system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=Z, name="pin"))
    if stiffness:
        system.add(fc.TorsionSpring(pin.i, pin.j, Z, stiffness, name="spring"))
    return system, rod, pin


def test_lever_on_a_torsion_spring():
    """k angle = m g l cos(angle)."""
    system, _, _ = lever()
    results = fc.Statics(system, steps=4).solve()
    angle = brentq(lambda a: 3 * a - 9.81 * 0.5 * np.cos(a), 0, 2)
    assert results["spring.angle"][-1] == pytest.approx(-angle, rel=1e-9)


@pytest.mark.parametrize(("k", "sense", "stable"), [(5.0, 1, True), (0.5, -1, False)])
def test_four_bar(k, sense, stable, caplog):
    """Crank, coupler and rocker under gravity with a torsion spring at the crank: the energy along
    the crank angle (closed form of the loop) is least where scipy finds it. Few steps with a weak
    spring lead to the top of the energy's hill: that is said."""
    a, b, c, d, free = 0.2, 0.5, 0.4, 0.6, 0.3
    masses = (1.0, 2.0, 1.5)

    def joints(angle):
        A = a * np.array([np.cos(angle), np.sin(angle)])
        D = np.array([d, 0.0])
        gap = D - A
        length = np.linalg.norm(gap)
        along = (b**2 - c**2 + length**2) / (2 * length)
        height = np.sqrt(b**2 - along**2)
        e = gap / length
        return A, A + along * e + height * np.array([-e[1], e[0]]), D

    def energy(angle):
        A, B, D = joints(angle)
        heights = (A[1] / 2, (A[1] + B[1]) / 2, (B[1] + D[1]) / 2)
        potential = sum(m * 9.81 * y for m, y in zip(masses, heights, strict=True))
        return potential + k / 2 * (angle - 1.0 - free) ** 2

    system = fc.System()
    points = [np.zeros(2), *joints(1.0)]
    rods = []
    names = ("crank", "coupler", "rocker")
    for m, p, q, name in zip(masses, points[:-1], points[1:], names, strict=True):
        inertia = m * np.sum((q - p) ** 2) / 12
        middle = np.append((p + q) / 2, 0.0)
        rods.append(
            system.add(fc.RigidBody(m, (inertia, inertia, inertia), position=middle, name=name))
        )
    chain = [system.ground, *rods, system.ground]
    pins = []
    for one, two, p in zip(chain[:-1], chain[1:], points, strict=True):
        place = (*p, 0.0)
        pins.append(system.add(fc.RevoluteJoint(one.at(place), two.at(place), axis=Z)))
    system.add(fc.TorsionSpring(pins[0].i, pins[0].j, Z, k, free_angle=free, name="spring"))
    results = fc.Statics(system, steps=3).solve()
    least = minimize_scalar(lambda x: sense * energy(x), bounds=(0.8, 2.0), method="bounded",
                            options={"xatol": 1e-10}).x  # fmt: skip
    assert results.summary["stable"] is stable
    assert ("unstable" in caplog.text) is not stable
    A, B, _ = joints(least)
    assert results["spring.angle"][-1] == pytest.approx(least - 1.0, abs=1e-6)
    assert [results["coupler.x"][-1], results["coupler.y"][-1]] == pytest.approx(
        (A + B) / 2, abs=1e-6
    )


# --- limit points ---------------------------------------------------------------------------------
def truss(load, stiffness=1000.0, rise=0.1):
    """Two springs from (-1, 0) and (1, 0) to a point at (0, rise) that moves along y."""
    system = fc.System((0, 0, 0))
    node = system.add(fc.RigidBody(1e-3, (1e-9,) * 3, position=(0, rise, 0), name="node"))
    system.add(fc.PrismaticJoint(system.ground, node.center, axis=(0, 1, 0)))
    for x in (-1, 1):
        system.add(fc.SpringDamper(system.ground.point((x, 0, 0)), node.center, stiffness))
    system.add(fc.Force(node, (0, -load, 0)))
    return system


def resistance(y, stiffness=1000.0, rise=0.1):
    """Load of von Mises's truss, positive downwards: 2 k (L0/L - 1) y."""
    return 2 * stiffness * (np.hypot(1, rise) / np.hypot(1, y) - 1) * y


def test_arc_length_follows_von_mises_truss():
    """Every point of the path lies on the closed form, past both limit points (load factors +0.383
    and -0.383), and the last is at factor 1."""
    results = fc.Statics(truss(1.0), steps=15, arc_length=True).solve()
    y, factor = results["node.y"], results.factor
    assert factor == pytest.approx(resistance(y), abs=1e-7)
    limit = -minimize_scalar(lambda y: -resistance(y), bounds=(0, 0.1), method="bounded").fun
    assert limit == pytest.approx(0.383, abs=1e-3)
    assert 0.95 * limit < factor[y > 0].max() <= limit
    assert -limit <= factor.min() < -0.95 * limit
    assert factor[-1] == 1.0
    assert np.all(np.diff(y) < 0)  # it never turns back


def test_load_steps_jump_past_a_limit_point(caplog):
    """Without arc length the truss snaps through to the far branch, and that is said."""
    with caplog.at_level(logging.WARNING):
        results = fc.Statics(truss(1.0), steps=10).solve()
    assert "lost near load factor 0.38" in caplog.text
    y = results["node.y"]
    assert results.factor == pytest.approx(resistance(y), abs=1e-6)
    assert y[-1] == pytest.approx(brentq(lambda y: resistance(y) - 1, -1, -0.1), rel=1e-8)


# --- free motions ---------------------------------------------------------------------------------
def test_a_pendulum_comes_to_hang():
    """From the horizontal, where nothing resists it without load."""
    system, _, _ = lever(stiffness=0)
    results = fc.Statics(system, steps=2).solve()
    assert [results["rod.x"][-1], results["rod.y"][-1]] == pytest.approx([0, -0.5], abs=1e-9)
    assert results.summary["rigid_motion"] is None


def test_a_motion_without_resistance_is_named(caplog):
    """A rod on a spherical joint may turn about itself: it hangs, with a warning."""
    system = fc.System()
    rod = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
    system.add(fc.SphericalJoint(system.ground, rod.at((0, 0, 0))))
    with caplog.at_level(logging.WARNING):
        results = fc.Statics(system, steps=1).solve()
    assert results["rod.y"][-1] == pytest.approx(-0.5, abs=1e-9)
    assert "rod turns freely: nothing resists" in caplog.text
    assert results.summary["rigid_motion"] == "rod turns freely"


def test_release_from_an_unstable_equilibrium():
    """An inverted pendulum stays up where it is balanced; released, it comes to hang."""
    for release, y, stable in ((False, 0.5, False), (True, -0.5, True)):
        system = fc.System()
        rod = system.add(fc.RigidBody(1.0, (0.1, 0.01, 0.1), position=(0, 0.5, 0), name="rod"))
        system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=Z))
        results = fc.Statics(system, steps=1, release=release).solve()
        assert results["rod.y"][-1] == pytest.approx(y, abs=1e-9)
        assert results.summary["stable"] is stable


def test_a_mechanism_under_load_has_no_equilibrium(caplog):
    """The message names what moves; the system keeps its loads and the results so far."""
    system = fc.System()
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), name="block"))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=(0, 1, 0)))
    statics = fc.Statics(system, steps=2)
    with (
        caplog.at_level(logging.INFO, logger="fem_clearance"),
        pytest.raises(fc.StepFailed, match="load factor 0.5.*block moves freely along y.*spring"),
    ):
        statics.solve()
    assert "done" not in caplog.text
    assert list(statics.results.factor) == [0.0]
    assert system.state.globals[3:6] == pytest.approx([0, -9.81, 0])
    with pytest.raises(fc.StepFailed, match="has no direction: block moves freely along y"):
        fc.Statics(system, arc_length=True).solve()


def test_the_axis_of_a_plane_solids_free_motion():
    """Held along x only, it can move along y."""
    system = fc.System(gravity=(0, -9.81, 0))
    plate = fc.meshes.block((1, 0.5), (2, 1))
    system.add(
        fc.Solid(
            plate, fc.LinearElastic(E=1e9, nu=0.3, rho=1000),
            degree=plate.degree, state="plane_strain",
            clamped={"x0": "x"}, name="plate",
        )
    )  # fmt: skip
    with pytest.raises(fc.StepFailed, match="plate moves freely along y"):
        fc.Statics(system).solve()


# --- contacts, internal variables -----------------------------------------------------------------
@pytest.mark.parametrize("friction", [None, fc.LuGre(0.2, 0.1)])
def test_a_ball_rests_in_its_socket(friction):
    """F = K delta^1.5 = m g. It starts free, in the centre of its clearance."""
    system = fc.System()
    rod = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
    system.add(
        fc.SphericalClearance(
            system.ground, rod.at((0, 0, 0)), socket_radius=0.02, ball_radius=0.018,
            stiffness=1e9, friction=friction, name="joint", normal=fc.HuntCrossley(),
        )
    )  # fmt: skip
    results = fc.Statics(system, steps=2).solve()
    assert results["joint.normal_force"][-1] == pytest.approx(9.81, rel=1e-8)
    assert results["joint.penetration"][-1] == pytest.approx((9.81 / 1e9) ** (2 / 3), rel=1e-8)
    assert results["rod.y"][-1] == pytest.approx(-0.502 - (9.81 / 1e9) ** (2 / 3), rel=1e-9)


# --- what follows ---------------------------------------------------------------------------------
def test_a_simulation_starts_from_the_equilibrium():
    """Nothing moves: a loaded flexible cantilever stays where it is."""
    system = fc.System()
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL, 4))
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.Force(beam.end, (0, -5, 2)))
    system.add(fc.Probe(beam.end, name="tip"))
    found = fc.Statics(system, steps=2).solve()
    tip, how = found["tip.y"][-1], {"dt": 1e-3, "t_end": 0.02, "progress": False}
    results = fc.Simulation(system, initial=found.last, **how).run()
    assert results.time[0] == 0
    assert results["tip.y"] == pytest.approx(tip, abs=1e-9)
    assert np.abs(results["tip.vy"]).max() < 1e-6


def test_time_functions_follow_the_load_factor():
    """At factor s they are taken at s x time; gravity may count in full from the start."""
    system, rod, _ = lever()
    system.add(fc.Force(rod.at((1, 0, 0)), (0, 1.0, 0), fc.functions.Linear(rate=2.0), name="lift"))
    results = fc.Statics(system, steps=4, time=3.0, ramp=("time",)).solve()
    assert results["lift.y"] == pytest.approx(6.0 * results.factor)
    for lift, angle in zip(results["lift.y"], results["spring.angle"], strict=True):
        # force at the rod's end, weight at its middle
        assert 3 * angle == pytest.approx((lift - 9.81 / 2) * np.cos(angle), abs=1e-7)


def test_a_driver_moves_a_system():
    """Displacement control: a driver pulls a spring; its reaction is k x at each load factor."""
    system = fc.System((0, 0, 0))
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), name="block"))
    guide = system.add(fc.PrismaticJoint(system.ground, block.center, axis=(1, 0, 0)))
    system.add(
        fc.TranslationDriver(guide.i, guide.j, (1, 0, 0), fc.functions.Linear(0.2), name="pull")
    )
    system.add(fc.SpringDamper(system.ground.point((-1, 0, 0)), block.center, 100.0))
    results = fc.Statics(system, steps=4).solve()
    assert results["pull.force"] == pytest.approx(100 * 0.2 * results.factor, abs=1e-8)


def test_results_by_load_factor(tmp_path):
    system, _, _ = lever()
    results = fc.Statics(system, steps=2).solve()
    results.to_csv(tmp_path / "path.csv", ["rod.y"])
    lines = (tmp_path / "path.csv").read_text().splitlines()
    assert lines[0] == "factor,rod.y"
    assert [float(line.split(",")[0]) for line in lines[1:]] == [0.0, 0.5, 1.0]
    assert results.unit("factor") == ""
    assert results.plot("rod.y").axes[0].get_xlabel() == "load factor"


@pytest.mark.mpi
def test_same_equilibrium_on_any_number_of_ranks(comm):
    """A beam with a body at its end, load steps, let go and along the path, against one rank."""

    def run(communicator, **options):
        system = fc.System(comm=communicator)
        beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL, 5))
        body = system.add(fc.RigidBody(2.0, (0.1, 0.1, 0.1), position=(1.1, 0, 0), name="body"))
        system.add(fc.RevoluteJoint(system.ground, beam.start, axis=Z))
        system.add(fc.FixedJoint(beam.end, body))
        if options:
            system.add(fc.SpringDamper(system.ground.point((1, 1, 0)), body.center, 100.0))
        results = fc.Statics(system, steps=3, **options).solve()
        return [results[n][-1] for n in ("body.x", "body.y", "body.z")]

    from mpi4py import MPI

    for options in ({}, {"arc_length": True}):
        assert run(comm, **options) == pytest.approx(run(MPI.COMM_SELF, **options), abs=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps must be a whole number"),
        ({"tolerance": 1}, "tolerance must lie between"),
        ({"ramp": ("weight",)}, "ramp must be one of gravity"),
        ({"rotation": 3}, "SteadyRotation"),
        ({"time": "now"}, "time must be a number"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(fc.InputError, match=message):
        fc.Statics(fc.System(), **options)


def test_needs_a_system():
    with pytest.raises(fc.InputError, match="needs a System"):
        fc.Statics("pendulum")


# --- algebraic unknowns that are no constraints ---------------------------------------------------
@dataclass(frozen=True)
class MixedKind(Kind):
    """Potential a q^2 / 2 + b q p - p^2 s / 2 of a coordinate q with a mass and an algebraic
    unknown p, as a mixed element has it of displacement and pressure."""

    parameters = {"a": (), "b": (), "s": ()}

    def fields(self):
        return {"q": (1,), "p": (1,)}

    def residual(self, c):
        (q, p), (acceleration, _), (w, z) = (
            [part[0] for part in c.split(each)] for each in (c.q, c.a, c.test)
        )
        a, b, s = (c.par(n) for n in ("a", "b", "s"))
        return ((acceleration + a * q + b * p) * w + (b * q - s * p) * z) * c.dx()


class Mixed:
    """A few of them side by side, their pressures in one block."""

    prefix, free, name, position = "mixed", True, None, np.zeros(3)

    def __init__(self, *numbers):
        self.numbers = numbers

    def build(self, builder):
        q = Block("mixed", "q", np.zeros(len(self.numbers)))
        p = Block("mixed", "p", np.zeros(len(self.numbers)), Algebraic())
        builder.add_block(q)
        builder.add_block(p)
        kind = MixedKind()
        for k, (a, b, s) in enumerate(self.numbers):
            refs = [Ref(q, np.array([k])), Ref(p, np.array([k]))]
            builder.add_cell(kind, Cell(self.name, refs, kind.pack(a=a, b=b, s=s)))


@pytest.mark.parametrize("a", [-2.0, -0.5, 1.0])
@pytest.mark.parametrize("s", [-2.0, -0.5, 0.25, 1.0, 5.0])
def test_stability_with_a_pressure(a, s):
    """Without p = b q / s the stiffness is a + b^2 / s, whatever the sign of s."""
    system = fc.System()
    system.add(Mixed((a, 1.0, s), (3.0, 1.0, 2.0), (3.0, 1.0, -2.0)))
    assert Linearised(system.state).stable() == (a + 1 / s > 0)


@pytest.mark.parametrize("b, stable", [(1.0, True), (0.0, False)])
def test_stability_with_a_pressure_that_is_a_constraint(b, stable):
    """s = 0: p holds q, an unknown that no joint declared a constraint; b = 0 leaves a = -1."""
    system = fc.System()
    system.add(Mixed((-1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (-1.0, b, 1.0 - b)))
    assert Linearised(system.state).stable() is stable


def test_stability_of_solids_in_plane_stress():
    """Stretches across the plane are algebraic, and the energy is least along them."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = fc.meshes.block((1.0, 0.2), (4, 1))
    system.add(fc.Solid(mesh, STEEL, degree=mesh.degree, state="plane_stress", clamped="x0"))
    assert Linearised(system.state).stable() is True

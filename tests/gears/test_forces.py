"""The gear pair: forces on pinion and gear by hand, from the involute's geometry and Coulomb's law.

With the common tangent of the base circles for the present distance of the centres, the mesh acts
along it, its depth changes by the velocities of the flanks' material points along it, and friction
drags the gear the way the pinion's flank slides on it, at each pair's point of contact."""

import numpy as np
import pytest

from fem_clearance import gears
from fem_clearance.core.mixins import ForeseeableChange
from fem_clearance.gears.friction import EHDFriction, xu_coefficient

from ..forces import TURN, Bench

AXIS = np.array([1.0, 2.0, 2.0]) / 3
LINE = np.array([2.0, 1.0, -2.0]) / 3  # of centres at the start
PINION = gears.SpurGear(25, 3.175e-3, np.radians(25), 31.75e-3)
GEAR = gears.SpurGear(31, 3.175e-3, np.radians(25), 31.75e-3)
MESH = gears.GearMesh(PINION, GEAR)
RADII = np.array([PINION.base_radius, GEAR.base_radius])
BOTH, PITCH = RADII.sum(), np.pi * 3.175e-3 * np.cos(np.radians(25))
PATH = np.linspace(0, MESH.path_length, 7)


def pair_stiffness(s):
    """N/m, at a place on the path of contact: a cubic, which a spline meets."""
    z = s / MESH.path_length
    return 2e8 * (1 + 1.5 * z - 1.2 * z**2 + 0.3 * z**3)


STIFFNESS = gears.TabulatedStiffness(PATH, pair_stiffness(PATH))
SPEED, TIME, PHASE, INITIAL = 40.0, 3e-4, 0.15, 2e-5
DAMPING, MASS, MU = 0.12, 1.7, 0.08


class Pair:
    """Pinion and gear in motion, not far from pure rotation; the gear turned by ``slip`` (m along
    the line of action) against the pinion."""

    def __init__(self, slip=0.0, way=1, nominal=True, mu=MU, initial=INITIAL, **options):
        self.nominal, self.way, self.initial = nominal, way, initial
        a = MESH.centre_distance
        found = self.bench = Bench(((0.01, 0.02, -0.03), np.array([0.01, 0.02, -0.03]) + a * LINE))
        friction = options.pop("friction", gears.ConstantFriction(mu) if mu else None)
        found.add(
            gears.GearPair(found.a.center, found.b.center, TURN @ AXIS, mesh=MESH,
                           stiffness=STIFFNESS, damping=DAMPING, mass=MASS, friction=friction,
                           speed=way * SPEED if nominal else None, phase=PHASE, initial=initial,
                           name="g", **options)
        )  # fmt: skip
        found.assemble()
        self.turns = np.array([0.02, -0.02 * RADII[0] / RADII[1]])
        self.turns[1] += slip / RADII[1]
        across = np.cross(AXIS, LINE)
        out = 2e-4 * LINE + 1e-4 * across
        w = way * SPEED
        found.move(found.a, (0, 0, 0), self.turns[0] * AXIS, (0.03, 0.01, -0.02), 1.01 * w * AXIS)
        found.move(found.b, out, self.turns[1] * AXIS, (-0.02, 0.02, 0.05),
                   -0.99 * w * RADII[0] / RADII[1] * AXIS)  # fmt: skip
        found.state.globals[0] = TIME
        self._geometry(np.arctan2(out @ across, a + out @ LINE))

    def _geometry(self, turned):
        found = self.bench
        (self.ra, _, self.va, self.wa), (self.rb, _, self.vb, self.wb) = (
            found.pose(z) for z in (found.a, found.b)
        )
        k = TURN @ AXIS
        self.k, d = k, self.rb - self.ra
        a = np.linalg.norm(d)
        u = d / a
        v = np.cross(k, u)
        angle, start = np.arccos(BOTH / a), np.arccos(BOTH / MESH.centre_distance)
        self.angle, self.touch = angle, np.sqrt(a**2 - BOTH**2)
        # of the flanks that drive and of the others: direction of the line of action towards the
        # gear, foot on the pinion's base circle
        self.lines = {
            way: (np.sin(angle) * u + way * np.cos(angle) * v,
                  self.ra + RADII[0] * (np.cos(angle) * u - way * np.sin(angle) * v))
            for way in (1, -1)
        }  # fmt: skip
        self.psi = self.turns - turned
        # involutes: the base circles' surfaces have come together by r psi; the centres' distance
        # leaves of it R (inv(angle) - inv(start))
        opened = -BOTH * (np.tan(angle) - angle - np.tan(start) + start)
        self.turned = RADII @ self.psi
        self.opened = opened + self.initial
        phase = PHASE + self.way * SPEED * 25 / (2 * np.pi) * TIME
        if not self.nominal:
            phase = PHASE + RADII[0] * (angle - start + self.psi[0]) / PITCH
        self.phase = phase
        self.places = [s for s in (phase * PITCH, (phase + 1) * PITCH) if s < MESH.path_length]
        self.stiffness = sum(map(pair_stiffness, self.places))

    def apart(self, point):
        """Velocity of the pinion's material point past the gear's."""
        on_a = self.va + np.cross(self.wa, point - self.ra)
        return on_a - self.vb - np.cross(self.wb, point - self.rb)

    def points(self, way):
        """Points of contact on one line of action."""
        n, foot = self.lines[way]
        pitch_point = RADII[0] / BOTH * self.touch
        return [foot + (pitch_point + s - MESH.approach_length) * n for s in self.places]

    def check(self, way, force, coefficients):
        """Force along a line of action, shared by the stiffnesses; friction at the points of
        contact; returns the power lost in it."""
        n, _ = self.lines[way]
        total, moment, lost = force * n, np.zeros(3), 0.0
        first = self.points(way)[0]
        for s, point, mu in zip(self.places, self.points(way), coefficients, strict=True):
            across = np.cross(self.k, n)  # in the planes of the gears
            slide = self.apart(point) @ across * across
            share = pair_stiffness(s) / self.stiffness
            drag = mu * force * share * slide / np.linalg.norm(slide)
            total = total + drag
            moment += np.cross(point - first, drag)
            lost += drag @ slide
        self.bench.check(first, total, moment, rel=1e-7)
        return lost


@pytest.mark.parametrize("nominal", [True, False])
@pytest.mark.parametrize("way", [1, -1])
def test_gear_pair(way, nominal):
    """Stiffness, damping, transmission error, friction of two pairs; turning either way."""
    amplitude = 3e-6
    pair = Pair(way=way, nominal=nominal, transmission_error=amplitude)
    assert len(pair.places) == 2
    cycles = way * SPEED * 25 / (2 * np.pi)
    if not nominal:  # of the pinion, against the line of centres
        n, foot = pair.lines[1]
        # by a difference: the phase after a short time of the present motion
        h = 1e-7
        cycles = (pair_phase_after(pair, h) - pair_phase_after(pair, -h)) / (2 * h)
    error = amplitude * np.sin(2 * np.pi * pair.phase)
    error_rate = 2 * np.pi * cycles * amplitude * np.cos(2 * np.pi * pair.phase)
    depth = pair.turned + pair.opened - error
    n, foot = pair.lines[1]
    rate = n @ pair.apart(foot)
    c = 2 * DAMPING * np.sqrt(pair.stiffness * MASS)
    force = pair.stiffness * depth + c * (rate - error_rate)
    lost = pair.check(1, force, [MU, MU])
    see = pair.bench.channels
    assert see["g.mesh_force"] == pytest.approx(force, rel=1e-6)
    assert see["g.mesh_stiffness"] == pytest.approx(pair.stiffness)
    assert see["g.transmission_error"] == pytest.approx(pair.turned + pair.opened, rel=1e-7)
    assert see["g.transmission_error_rate"] == pytest.approx(rate, rel=1e-7)
    assert see["g.static_error"] == pytest.approx(error)
    assert see["g.pressure_angle_deg"] == pytest.approx(np.degrees(pair.angle))
    assert see["g.mesh_phase"] == pytest.approx(pair.phase)
    assert see["g.energy"] == pytest.approx(pair.stiffness * depth**2 / 2, rel=1e-6)
    assert see["g.loss"] == pytest.approx(c * (rate - error_rate) ** 2, rel=1e-6)
    assert see["g.friction_loss"] == pytest.approx(lost, rel=1e-6)
    across = np.cross(pair.k, n)
    drags = [MU * force * pair_stiffness(s) / pair.stiffness * np.sign(across @ pair.apart(x))
             for s, x in zip(pair.places, pair.points(1), strict=True)]  # fmt: skip
    assert see["g.friction_force"] == pytest.approx(sum(drags), rel=1e-6)
    for m, (s, drag) in enumerate(zip(pair.places, drags, strict=True)):
        share = force * pair_stiffness(s) / pair.stiffness
        assert see[f"g.pair{m + 1}.force"] == pytest.approx(share, rel=1e-6)
        assert see[f"g.pair{m + 1}.friction"] == pytest.approx(drag, rel=1e-6)
    # the next event ahead: the first pair to part, or (turning back) the second to come
    ahead = (MESH.path_length / PITCH - 1 if way > 0 else 0.0) - pair.phase
    assert pair.bench.observed("onward") == pytest.approx(cycles, rel=1e-6)
    assert time_left(pair.bench) == pytest.approx(ahead / cycles, rel=1e-6)


def time_left(bench):
    """Until the law of the one kind that foresees a change of its own changes, s."""
    bench.state.observe()
    state = bench.system.state
    for k, seen in zip(state.problem.observers, bench.state.observations.parts, strict=True):
        if isinstance(kind := state.components[k].kind, ForeseeableChange):
            columns = dict(zip(state.components[k].observables, seen.T, strict=True))
            (left,) = kind.time_to_change(state.parameters[k], columns)
    return left


def pair_phase_after(pair, h):
    """Phase of the mesh by the pinion's turns a time h later."""
    start = np.arccos(BOTH / MESH.centre_distance)
    d = pair.rb - pair.ra + h * (pair.vb - pair.va)
    d = d - d @ pair.k * pair.k
    before = pair.rb - pair.ra
    swung = np.arcsin(pair.k @ np.cross(before, d) / np.linalg.norm(before) / np.linalg.norm(d))
    angle = np.arccos(BOTH / np.linalg.norm(d))
    psi = pair.psi[0] + h * pair.wa @ pair.k - swung
    return PHASE + RADII[0] * (angle - start + psi) / PITCH


@pytest.mark.parametrize("nominal", [True, False])
@pytest.mark.parametrize("ahead", [(0.0, 0.0), (0.5, -0.8), (-2.6, 2.9)])
def test_angles_over_any_number_of_turns(ahead, nominal):
    """31 turns of the pinion are 25 of the gear, 31 * 25 mesh cycles: the same forces. Angles are
    those within half a turn of the last step's, however far the pair has turned since."""
    pair = Pair(nominal=nominal)
    found, turns = pair.bench, np.array([-31, 25])
    found.parameter("GearPairKind", "before", 2 * np.pi * turns + ahead)
    found.parameter("GearPairKind", "cycle", 0 if nominal else 31 * 25)
    n, foot = pair.lines[1]
    depth, rate = pair.turned + pair.opened, n @ pair.apart(foot)
    c = 2 * DAMPING * np.sqrt(pair.stiffness * MASS)
    pair.check(1, pair.stiffness * depth + c * rate, [MU, MU])
    see = found.channels
    assert see["g.transmission_error"] == pytest.approx(depth, rel=1e-7)
    assert see["g.mesh_phase"] == pytest.approx(pair.phase)
    # of the line of centres in the gears, which turn on under it
    seen = [found.observed(f"{name}_turn") for name in ("pinion", "gear")]
    assert seen == pytest.approx(2 * np.pi * turns - pair.psi, abs=1e-9)


BACKLASH = 6e-5


@pytest.mark.parametrize(("slip", "way"), [(1.9e-4, 1), (-1.2e-4, -1), (2e-5, 0)])
def test_backlash(slip, way):
    """Teeth on their driving flanks, on the others, and apart; no force that pulls. The flanks'
    play at the start is the backlash, and what they overlap there besides."""
    pair = Pair(slip, backlash=BACKLASH)
    n, foot = pair.lines[way or 1]
    other = -pair.turned + pair.opened - BACKLASH - 2 * INITIAL
    depth = {1: pair.turned + pair.opened, -1: other, 0: 0.0}[way]
    assert (pair.turned + pair.opened > 0) == (way == 1) and (other > 0) == (way == -1)
    if not way:
        np.testing.assert_allclose(pair.bench.wrench(pair.bench.b, pair.rb), 0, atol=1e-9)
        assert pair.bench.observed("depth") == pytest.approx(
            max(pair.turned + pair.opened, other), rel=1e-6
        )
        return
    rate = n @ pair.apart(foot)
    c = 2 * DAMPING * np.sqrt(pair.stiffness * MASS)
    force = pair.stiffness * depth + c * rate
    assert force > 0
    lost = pair.check(way, force, [MU, MU])
    see = pair.bench.channels
    assert see["g.mesh_force"] == pytest.approx(way * force, rel=1e-6)
    assert see["g.friction_loss"] == pytest.approx(lost, rel=1e-6)
    assert see["g.energy"] == pytest.approx(pair.stiffness * depth**2 / 2, rel=1e-6)
    assert see["g.loss"] == pytest.approx(c * rate**2, rel=1e-6)
    assert pair.bench.observed("depth") == pytest.approx(depth, rel=1e-6)
    assert pair.bench.observed("depth_rate") == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize("slip", [1.9e-4, -1.2e-4])
def test_teeth_do_not_pull(slip):
    """Flanks that part faster than the spring follows: no force, and what the energy loses is
    lost."""
    pair = Pair(slip, backlash=BACKLASH)
    way = 1 if slip > 0 else -1
    n, foot = pair.lines[way]
    found = pair.bench
    _, _, v, w = found.pose(found.b)
    found.move(found.b, TURN.T @ (pair.rb - found.b.position), pair.turns[1] * AXIS,
               TURN.T @ (v + 9.0 * n), TURN.T @ w)  # fmt: skip
    np.testing.assert_allclose(found.wrench(found.b, pair.rb), 0, atol=1e-9)
    other = -pair.turned + pair.opened - BACKLASH - 2 * INITIAL
    depth = pair.turned + pair.opened if way > 0 else other
    rate = n @ pair.apart(foot) - 9.0
    assert found.channels["g.loss"] == pytest.approx(-pair.stiffness * depth * rate, rel=1e-6)


@pytest.mark.parametrize("phase", [PHASE, 0.9])
def test_friction_that_reverses_smoothly(phase, monkeypatch):
    """mu tanh(distance from the pitch point / width); of two pairs, or of one."""
    monkeypatch.setitem(globals(), "PHASE", phase)
    width = 0.3
    pair = Pair(friction=gears.ConstantFriction(MU, smoothing=width))
    smooth = [np.tanh(abs(s - MESH.approach_length) / (width * PITCH)) for s in pair.places]
    assert min(smooth) < 0.95 and len(pair.places) == (2 if phase < 0.4 else 1)
    n, foot = pair.lines[1]
    c = 2 * DAMPING * np.sqrt(pair.stiffness * MASS)
    force = pair.stiffness * (pair.turned + pair.opened) + c * n @ pair.apart(foot)
    pair.check(1, force, [MU * z for z in smooth])


def xu(ratio, pressure, viscosity, roughness, speed, radius):
    """Tian et al. (2015) eq. (21), b1 to b9 of Xu (2005)."""
    b = (-8.916465, 1.03303, 1.036077, -0.354068, 2.812084, -0.100601, 0.752755, -0.390958,
         0.620305)  # fmt: skip
    z = ratio * pressure * np.log10(viscosity)
    f = b[0] + b[3] * z + b[4] * np.exp(-z) + b[8] * np.exp(roughness)
    product = np.exp(f)
    for base, power in ((pressure, b[1]), (ratio, b[2]), (speed, b[5]), (viscosity, b[6]),
                        (radius, b[7])):  # fmt: skip
        product *= base**power
    return product


def test_ehd_friction():
    """Xu's fit at each pair's radii, speeds and share of the nominal load (Hertz)."""
    load = 4000.0
    law = EHDFriction(viscosity=0.02, roughness=1e-7)
    pair = Pair(friction=law, load=load)
    coefficients = []
    for s in pair.places:
        x1 = RADII[0] / BOTH * pair.touch + s - MESH.approach_length
        x2 = pair.touch - x1
        radius = x1 * x2 / (x1 + x2)
        u1, u2 = SPEED * x1, SPEED * 25 / 31 * x2
        share = pair_stiffness(s) / pair.stiffness
        # Hertz's line contact: p = sqrt(F E* / (pi L R)), 1 / E* = 2 (1 - nu^2) / E
        modulus = 2.069e11 / (2 * (1 - 0.3**2))
        pressure = np.sqrt(load * share * modulus / (np.pi * 31.75e-3 * radius)) / 1e9
        speed = (u1 + u2) / 2
        coefficients.append(xu(abs(u1 - u2) / speed, pressure, 20.0, 0.1, speed, radius))
    assert all(0.005 < z < 0.2 for z in coefficients)
    n, foot = pair.lines[1]
    c = 2 * DAMPING * np.sqrt(pair.stiffness * MASS)
    force = pair.stiffness * (pair.turned + pair.opened) + c * n @ pair.apart(foot)
    np_maths = type("Maths", (), {"exp": np.exp, "ln": np.log})
    assert xu_coefficient(0.2, 0.8, 20.0, 0.1, 2.0, 0.01, np_maths) == pytest.approx(
        xu(0.2, 0.8, 20.0, 0.1, 2.0, 0.01)
    )
    lost = pair.check(1, force, coefficients)
    assert pair.bench.channels["g.friction_loss"] == pytest.approx(lost, rel=1e-6)


def test_equivalent_mass():
    """Of two gears along the line of action: 1/m = r_1^2/I_1 + r_2^2/I_2."""
    mass = gears.equivalent_mass(MESH, (1e-3, 2e-3))
    assert 1 / mass == pytest.approx(RADII[0] ** 2 / 1e-3 + RADII[1] ** 2 / 2e-3)


@pytest.mark.parametrize("later", [False, True])
def test_mean_rotation_driver(later):
    """w_1 theta_1 + w_2 theta_2 - speed t = 0 about a fixed axis: couples -lam w_k. Since a step
    that ended at angles and a time, and left an error of the mean, only what came after counts."""
    found = Bench(((0, 0, 0), (0.2, 0, 0)))
    found.add(gears.MeanRotationDriver(found.a.center, found.b.center, TURN @ AXIS,
                                       weights=(3.0, -1.0), speed=7.0, name="d"))  # fmt: skip
    found.assemble()
    found.move(found.a, turn=0.4 * AXIS, omega=2.0 * AXIS)
    found.move(found.b, turn=-0.3 * AXIS, omega=-5.0 * AXIS)
    found.state.globals[0] = 0.01
    at = found.block("d.torque")
    mean, whole = 0.75 * 0.4 - 0.25 * -0.3 - 7.0 * 0.01, 0.0
    if later:
        whole = 10 * np.pi  # five turns of the pinion
        for name, number in (("before", (whole + 0.3, -0.2)), ("time", 0.006), ("open", 0.013)):
            found.parameter("MeanRotationKind", name, number)
        mean = 0.75 * 0.1 - 0.25 * -0.1 - 7.0 * 0.004 + 0.013
    assert found.state.residual()[at] == pytest.approx(mean)
    found.state.q[at] = 5.0
    k = TURN @ AXIS
    found.check(np.zeros(3), (0, 0, 0), 5 * 0.25 * k, on_first=((0, 0, 0), -5 * 0.75 * k))
    see = found.channels
    assert see["d.pinion_torque"] == pytest.approx(-5 * 0.75)
    assert see["d.gear_torque"] == pytest.approx(5 * 0.25)
    assert see["d.power"] == pytest.approx(-5 * 0.75 * 2 + 5 * 0.25 * -5)
    assert (see["d.pinion_angle"], see["d.gear_angle"]) == pytest.approx((whole + 0.4, -0.3))
    assert found.observed("time") == 0.01
    assert found.observed("open") == pytest.approx(mean)

"""A point that slides along a beam: rigid straight and circular lines, moving loads and masses,
friction."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_errors

STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
G = 9.81


def _rigid(beam):
    """Make a beam's unknowns known."""
    for node in beam.nodes:
        for block in node.values():
            block.fixed[:] = True


def _bead(system, position, mass=0.5, **options):
    return system.add(
        fc.RigidBody(mass, (1e-3,) * 3, position=position, free=True, name="bead", **options)
    )


def test_the_body_is_eliminated_after_the_beam():
    """It is coupled with all nodes of the beam: eliminated first, it would couple them all."""
    system = fc.System(gravity=(0, -G, 0))
    bead = _bead(system, (0.02, 0, 0))
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL, 6, model="cable",
                free=True, name="line")
    )  # fmt: skip
    slide = system.add(fc.SlidingJoint(beam, bead.center, name="slide"))
    blocks = system.assemble().blocks
    line, body, joint = (
        np.concatenate([b.numbers[b.free] for b in blocks if b.owner == item.name])
        for item in (beam, bead, slide)
    )
    assert line.max() < body.min() and body.max() < joint.min()


def _incline(angle, elements, start, friction=None, **options):
    """A bead on a fixed straight beam of 1 m that slopes down."""
    along = np.array([np.cos(angle), -np.sin(angle), 0.0])
    system = fc.System(gravity=(0, -G, 0))
    beam = system.add(
        fc.Beam((0, 0, 0), along, fc.Rectangle(0.01, 0.01), STEEL, elements, model="cable",
                free=True, name="line")
    )  # fmt: skip
    _rigid(beam)
    speed = options.pop("speed", 0.0)
    bead = _bead(system, start * along, velocity=speed * along)
    system.add(fc.SlidingJoint(beam, bead.center, friction=friction, name="slide"))
    return system, along


@pytest.mark.mpi
def test_bead_on_a_straight_line_crosses_unequal_elements():
    """s = s0 + g sin(a) t^2 / 2 and a constant force, across four nodes, with steps that fit
    none."""
    angle = np.radians(30)
    system, along = _incline(angle, [0, 0.1, 0.25, 0.3, 0.6, 1.0], 0.02)
    stepper = fc.Stepper(system, dt=1e-3, t_end=0.55, newton_tolerance=1e-10)
    stepper.start()
    across = 0.5 * G * np.cos(angle) * np.array([np.sin(angle), np.cos(angle), 0])
    worst = np.zeros(2)
    while stepper.t < stepper.t_end:
        stepper.advance()
        exact = 0.02 + G * np.sin(angle) * stepper.t**2 / 2
        force = [stepper.channels[f"slide.force.{x}"] for x in "xyz"]
        gaps = stepper.channels["slide.s"] - exact, np.abs(force - across).max()
        worst = np.maximum(worst, np.abs(gaps))
    assert stepper.channels["slide.s"] > 0.6
    assert worst[0] < 1e-9 and worst[1] < 1e-5
    assert stepper.steps >= 550 + 4
    assert max(tangent_errors(stepper.state, 1e-6).values()) < 1e-6


@pytest.mark.mpi
def test_the_end_of_the_beam():
    system, _ = _incline(np.radians(30), 8, 0.9)
    stepper = fc.Stepper(system, dt=1e-3, t_end=1.0)
    stepper.start()
    with pytest.raises(fc.StepFailed, match="left its beam"):
        while stepper.t < stepper.t_end:
            stepper.advance()
    assert stepper.t == pytest.approx(np.sqrt(2 * 0.1 / (G / 2)), abs=3e-3)


L, SIDE, THICK = 1.0, 0.01, 0.01
EI, RHO_A = STEEL.E * SIDE * THICK**3 / 12, STEEL.rho * SIDE * THICK
SPEED = 0.25 * np.pi / L * np.sqrt(EI / RHO_A)  # a quarter of the critical speed


def _moving(elements, steps, ratio):
    """A mass (``ratio`` of the beam's, or next to nothing) pulled by 1 N over a simply supported
    beam at constant speed: times, deflection of the middle, force on the beam, s."""
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(
        fc.Beam((0, 0, 0), (L, 0, 0), fc.Rectangle(THICK, SIDE), STEEL, elements, model="cable",
                name="beam")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.PointOnLine(system.ground.point((L, 0, 0)), beam.end, axis=(1, 0, 0)))
    bead = _bead(system, (0, 0, 0), (ratio or 1e-5) * RHO_A * L, velocity=(SPEED, 0, 0))
    system.add(fc.SlidingJoint(beam, bead.center, name="slide"))
    system.add(fc.TranslationDriver(system.ground.point((0, 0, 0)), bead.center, (1, 0, 0),
                                    fc.functions.Linear(SPEED), name="drive"))  # fmt: skip
    system.add(fc.Force(bead, (0, -1.0, 0)))
    system.add(fc.Probe(beam.node(elements // 2), name="middle"))
    stepper = fc.Stepper(
        system, dt=L / SPEED / steps, t_end=0.98 * L / SPEED, newton_tolerance=1e-9
    )
    stepper.start()
    rows = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        c = stepper.channels
        rows.append([stepper.t, -c["middle.y"], c["slide.force.y"], c["slide.s"]])
    return np.array(rows).T


def _series(t, modes=40):
    """Deflection of the middle under a moving force: L. Fryba, Vibration of Solids and Structures
    under Moving Loads (3rd ed. 1999), chapter 1, the undamped sum of sines that begins at rest."""
    n = np.arange(1, modes + 1)
    own, forced = (n * np.pi / L) ** 2 * np.sqrt(EI / RHO_A), n * np.pi * SPEED / L
    waves = np.sin(np.outer(t, forced)) - forced / own * np.sin(np.outer(t, own))
    return 2 / (RHO_A * L) * (waves / (own**2 - forced**2)) @ np.sin(n * np.pi / 2)


def test_moving_load_on_a_flexible_beam():
    t, middle, _, _ = _moving(8, 507, 0.0)
    exact = _series(t)
    assert np.abs(middle - exact).max() < 3e-3 * exact.max()


@pytest.mark.slow
def test_moving_mass_leaves_no_kink_in_the_force():
    """The force's second differences at nodes are no larger than elsewhere."""
    t, middle, force, s = _moving(8, 1013, 0.2)
    even = np.abs(np.diff(t) / np.median(np.diff(t)) - 1) < 1e-3  # steps cut at nodes apart
    change = np.abs(np.diff(force, 2))
    whole = even[1:] & even[:-1]
    crossed = np.diff(np.floor(8 * s)) != 0
    near = np.convolve(crossed, np.ones(9), "same")[1:] > 0
    late = s[2:] > 0.15  # past the sudden start
    at_node, elsewhere = change[whole & near & late], change[whole & ~near & late]
    rms = [np.sqrt(np.mean(z**2)) for z in (at_node, elsewhere)]
    assert len(at_node) > 20 and rms[0] < 1.5 * rms[1]
    exact = _series(t)
    assert exact.max() < middle.max() < 1.4 * exact.max()


def _half_ring(system, radius):
    """The lower half of a rigid circle about the origin."""
    angles = np.linspace(-np.pi, 0, 33)
    points = radius * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    beam = system.add(
        fc.Beam.along(fc.Spline(points), fc.Rectangle(0.01, 0.01), STEEL, 32, model="cable",
                      free=True, name="ring")
    )  # fmt: skip
    _rigid(beam)
    return beam


@pytest.mark.slow
def test_bead_on_a_circle():
    """A pendulum: speed from the height, force m (v^2 / R + g cos)."""
    radius, mass = 0.5, 0.5
    system = fc.System(gravity=(0, -G, 0))
    beam = _half_ring(system, radius)
    bead = _bead(system, beam.at_length(0.2 * beam.length).position, mass)
    system.add(fc.SlidingJoint(beam, bead.center, name="slide"))
    stepper = fc.Stepper(system, dt=2e-4, t_end=1.5, newton_tolerance=1e-9)
    stepper.start()
    first, worst = stepper.channels["energy.total"], np.zeros(2)
    reach = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        c = stepper.channels
        y, v = c["bead.y"], np.hypot(c["bead.vx"], c["bead.vy"])
        force = np.hypot(c["slide.force.x"], c["slide.force.y"])
        exact = mass * (v**2 / radius - G * y / radius)
        gaps = abs(c["energy.total"] - first), abs(force - exact)
        worst = np.maximum(worst, gaps)
        reach.append(c["slide.s"] / beam.length)
    assert min(reach) == pytest.approx(0.2, abs=1e-3) and max(reach) == pytest.approx(0.8, abs=1e-3)
    assert worst[0] < 1e-4 * mass * G * radius
    assert worst[1] < 1e-2 * mass * G


@pytest.mark.slow
def test_friction_stops_the_bead():
    """On a level line, deceleration mu g; what is lost is the kinetic energy."""
    law = fc.SmoothCoulomb(0.2, v0=1e-4)
    system, _ = _incline(0.0, 8, 0.1, law, speed=1.5)
    stepper = fc.Stepper(system, dt=5e-4, t_end=0.7, newton_tolerance=1e-9)
    stepper.start()
    lost, old = 0.0, None
    while stepper.t < stepper.t_end:
        stepper.advance()
        if stepper.t < 0.75:
            exact = 0.1 + 1.5 * stepper.t - 0.2 * G * stepper.t**2 / 2
            assert stepper.channels["slide.s"] == pytest.approx(exact, abs=2e-5)
        power = stepper.channels["slide.friction_loss"]
        lost += 0.0 if old is None else (power + old[1]) / 2 * (stepper.t - old[0])
        old = stepper.t, power
    gone = 0.25 * (1.5**2 - (1.5 - 0.2 * G * 0.7) ** 2)
    assert lost == pytest.approx(gone, rel=3e-3)


@pytest.mark.mpi
def test_sleeve_on_a_straight_line_bears_the_moment_of_its_weight():
    """A body of 0.5 kg whose point 0.2 m before its middle slides without friction: the line bears
    m g cos(a) at a lever of 0.2 m, and does not hold the body back."""
    angle, arm = np.radians(30), 0.2
    along = np.array([np.cos(angle), -np.sin(angle), 0.0])
    system = fc.System(gravity=(0, -G, 0))
    beam = system.add(
        fc.Beam((0, 0, 0), along, fc.Rectangle(0.01, 0.01), STEEL, 4, model="cable", free=True,
                name="line")
    )  # fmt: skip
    _rigid(beam)
    bead = _bead(system, (0.1 + arm) * along)
    system.add(fc.SlidingJoint(beam, bead.point(-arm * along), turning=True, name="slide"))
    stepper = fc.Stepper(system, dt=2e-3, t_end=0.5, newton_tolerance=1e-10)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
        assert stepper.channels["slide.s"] == pytest.approx(
            0.1 + G * np.sin(angle) * stepper.t**2 / 2, abs=1e-8
        )
        moment = [stepper.channels[f"slide.moment.{x}"] for x in "xyz"]
        assert moment == pytest.approx([0, 0, 0.5 * G * np.cos(angle) * arm], abs=1e-5)
    assert stepper.channels["slide.s"] > 0.6
    assert max(tangent_errors(stepper.state, 1e-6).values()) < 1e-6


@pytest.mark.slow
def test_sleeve_on_a_circle():
    """Turning with the tangent it has the inertia J more: v^2 = 2 g h m / (m + J / R^2), and the
    moment is J times the angular acceleration, which slows it (roughly: the curvature of Hermite's
    cubics varies along them)."""
    radius, mass, spin = 0.5, 0.5, 0.05
    system = fc.System(gravity=(0, -G, 0))
    beam = _half_ring(system, radius)
    start = beam.at_length(0.2 * beam.length).position
    bead = system.add(fc.RigidBody(mass, (spin,) * 3, position=start, free=True, name="bead"))
    system.add(fc.SlidingJoint(beam, bead.center, turning=True, name="slide"))
    stepper = fc.Stepper(system, dt=2e-4, t_end=1.0, newton_tolerance=1e-9)
    stepper.start()
    first = stepper.channels["energy.total"]
    share = mass / (mass + spin / radius**2)
    worst, moments, reach = np.zeros(2), [], 0.0
    while stepper.t < stepper.t_end:
        stepper.advance()
        c = stepper.channels
        v = np.hypot(c["bead.vx"], c["bead.vy"])
        exact = np.sqrt(2 * G * max(start[1] - c["bead.y"], 0) * share)
        forward = G * c["bead.x"] / radius * share / radius  # angular deceleration
        worst = np.maximum(worst, np.abs([c["energy.total"] - first, v - exact]))
        moments.append(c["slide.moment.z"] + spin * forward)
        reach = max(reach, c["slide.s"] / beam.length)
    assert reach == pytest.approx(0.8, abs=1e-5)
    assert worst[0] < 1e-6 * mass * G * radius and worst[1] < 1e-3
    assert np.sqrt(np.mean(np.square(moments))) < 2e-2 * spin * G / radius
    assert max(tangent_errors(stepper.state, 1e-6).values()) < 1e-5


@pytest.mark.slow
def test_couple_on_a_sleeve_bends_the_beam():
    """Grown slowly in the middle of a simply supported beam: slope M L / (12 E I), no deflection
    there; the sleeve turns with the beam."""
    couple = fc.functions.SmoothRamp(1.0, 0.1)  # N m; the beam's first period is 0.043 s
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(
        fc.Beam((0, 0, 0), (L, 0, 0), fc.Rectangle(THICK, SIDE), STEEL, 8, model="cable",
                name="beam")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.PointOnLine(system.ground.point((L, 0, 0)), beam.end, axis=(1, 0, 0)))
    bead = _bead(system, (L / 2, 0, 0))
    system.add(fc.SlidingJoint(beam, bead.center, turning=True, name="slide"))
    system.add(fc.TranslationDriver(system.ground.point((L / 2, 0, 0)), bead.center, (1, 0, 0),
                                    fc.functions.Linear(0.0), name="hold"))  # fmt: skip
    system.add(fc.AngleProbe(system.ground, bead.center, (0, 0, 1), name="turn"))
    system.add(fc.Torque(bead.center, (0, 0, 1), couple))
    stepper = fc.Stepper(system, dt=5e-4, t_end=0.25, newton_tolerance=1e-9)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
        c, moment = stepper.channels, max(stepper.t - 0.05, 0.0)
        if stepper.t > 0.15:
            assert c["turn.angle"] == pytest.approx(moment * L / (12 * EI), rel=2e-3)
            assert c["slide.moment.z"] == pytest.approx(-moment, rel=2e-3)
            assert abs(c["bead.y"]) < 1e-3 * c["turn.angle"] * L


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda b, q, p: fc.SlidingJoint(q, p.center), "model='cable' or 'ancf'"),
        (lambda b, q, p: fc.SlidingJoint(b, p), "needs a frame"),
        (lambda b, q, p: fc.SlidingJoint(b, p.center, friction=0.1), "without bristles"),
        (lambda b, q, p: fc.SlidingJoint(b, b.end, turning=True), "needs a triad"),
    ],
)
def test_joints_that_cannot_be(make, words):
    system = fc.System()
    bar = {"section": fc.Rectangle(0.01, 0.01), "material": STEEL, "elements": 2, "free": True}
    cable, other = (
        system.add(fc.Beam((0, 0, z), (1, 0, z), model=m, **bar))
        for z, m in ((0, "cable"), (1, "quadratic"))
    )
    with pytest.raises(fc.InputError, match=words):
        make(cable, other, _bead(system, (0.5, 0, 0)))


def test_point_off_the_beam():
    system = fc.System()
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL, 2,
                              model="cable", free=True))  # fmt: skip
    with pytest.raises(fc.InputError, match="off the beam"):
        system.add(fc.SlidingJoint(beam, _bead(system, (0.5, 0.1, 0)).center))

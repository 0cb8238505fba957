"""The gear pair as a force element: directions, levers, invariance, balances, friction."""

from types import SimpleNamespace

import numpy as np
import pytest
import ufl
from ufl.algorithms.apply_algebra_lowering import apply_algebra_lowering
from ufl.algorithms.apply_derivatives import apply_derivatives

import fem_clearance as fc
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.gears import ConstantFriction, ConstantStiffness, GearMesh, GearPair
from fem_clearance.gears.pair_kind import GearPairKind
from fem_clearance.model.frame import RigidFrame

from .conftest import unknowns

RADII = [g.base_radius for g in (data.mesh().pinion, data.mesh().gear)]


def _started(model, **options):
    stepper = fc.Stepper(model.system, dt=1e-6, t_end=1e-3, **options)
    stepper.start()
    return stepper


def _accelerations(model, state):
    """Of the centres (2, 2) and about z (2)."""
    linear, angular = [], []
    for body in model.bodies:
        q, v, a = (z[unknowns(body)].reshape(4, 3) for z in (state.q, state.v, state.a))
        linear.append(a[0, :2])
        angular.append(np.cross(q[1], a[1])[2])
    return np.array(linear), np.array(angular)


@pytest.mark.parametrize("stretch, line", [(1.0, 0.0), (1.01, 0.0), (1.01, 0.05)])
def test_force_and_torques_at_any_distance_of_the_centres(gears, stretch, line):
    """Force along the common tangent of the base circles, at the angle of that distance; torques
    are the force times the radii of the base circles."""
    mesh = GearMesh(data.teeth(0), data.teeth(1), data.CENTRES * stretch)
    model = gears(line=line, mesh=mesh, initial=1e-5)
    state = _started(model).state
    force = 1e-5 * data.MEAN
    angle = np.arccos(sum(RADII) / mesh.centre_distance)
    along = force * np.array([np.sin(angle), np.cos(angle)])
    turned = np.array([[np.cos(line), -np.sin(line)], [np.sin(line), np.cos(line)]]) @ along
    linear, angular = _accelerations(model, state)
    assert linear[1] * data.MASSES[1] == pytest.approx(turned, rel=1e-6)
    assert linear[0] * data.MASSES[0] == pytest.approx(-turned, rel=1e-6)
    assert angular * data.INERTIAS == pytest.approx(-force * np.array(RADII), rel=1e-6)


def test_friction_acts_at_the_points_of_contact(gears):
    """Two pairs: the first before the pitch point, the second after it; each with half of the
    force. The resultant and the torques by hand."""
    mesh, mu, phase = data.mesh(), 0.1, 0.2
    model = gears(mu=mu, phase=phase, initial=1e-5)
    state = _started(model).state
    force = 1e-5 * data.MEAN
    angle = mesh.pressure_angle
    along = np.array([np.sin(angle), np.cos(angle)])
    across = np.array([-along[1], along[0]])
    s = mesh.positions(phase)
    sides = np.sign(s - mesh.approach_length)
    assert sides.tolist() == [-1, 1]
    on_gear = force * along  # friction of both pairs cancels
    torques = -force * np.array(RADII)
    for x1, x2, side in zip(*mesh.curvatures(s), sides, strict=True):
        friction = side * mu * force / 2  # on the gear, along ``across``
        on_gear = on_gear + friction * across
        # lever of a force across the line: the way from the foot on the base circle
        torques = torques + friction * np.array([-x1, -x2])
    linear, angular = _accelerations(model, state)
    assert linear[1] * data.MASSES[1] == pytest.approx(on_gear, rel=1e-5)
    assert linear[0] * data.MASSES[0] == pytest.approx(-on_gear, rel=1e-5)
    assert angular * data.INERTIAS == pytest.approx(torques, rel=1e-5)


def test_tangent(gears):
    model = gears(
        mu=0.1, phase=0.3, initial=1e-5, damping=0.1, speeds=(157.0, -120.0), mesh=data.mesh(),
        velocities=((0.3, 0.1, 0), (0.2, -0.5, 0)), transmission_error=5e-6,
    )  # fmt: skip
    stepper = _started(model)
    for _ in range(20):
        stepper.advance()
    assert max(tangent_errors(stepper.state, 1e-8, rates=1e-3).values()) < 2e-5


def _roll(gears, h, steps, **options):
    """A free pair whose centres circle each other; worst changes of momentum, angular momentum and
    energy, the initial ones, and how far the line of centres has turned."""
    carrier, m = 50.0, np.array(data.MASSES)
    places = np.array([-m[1], m[0]]) / m.sum() * data.CENTRES
    wp = 100.0
    wg = carrier - (wp - carrier) * data.TEETH[0] / data.TEETH[1]
    # a massless arm holds the centres at their distance
    model = gears(
        speeds=(wp, wg), velocities=[(0, carrier * (x - places[0]), 0) for x in places], **options
    )
    model.system.add(fc.DistanceJoint(model.bodies[0].center, model.bodies[1].center, name="arm"))
    stepper = fc.Stepper(model.system, dt=h, t_end=h * steps, newton_tolerance=1e-10)
    stepper.start()
    first, lost, worst = None, 0.0, np.zeros(3)
    old = None
    while stepper.t < stepper.t_end:
        if first is not None:
            stepper.advance()
        p, spin, kinetic = model.momenta(stepper.state)
        power = stepper.channels["mesh.loss"] + stepper.channels["mesh.friction_loss"]
        lost += 0 if old is None else h * (power + old) / 2
        old = power
        now = (*p, spin, kinetic + stepper.channels["mesh.energy"] + lost)
        first = now if first is None else first
        change = np.abs(np.subtract(now, first))
        worst = np.maximum(worst, (change[:2].max(), change[2], change[3]))
    q = [stepper.state.q[unknowns(b)[:2]] for b in model.bodies]
    turned = np.arctan2(*(q[1] - q[0])[::-1])
    return worst, first, turned, lost


def test_planetary_pair_keeps_momentum_and_energy(gears):
    """Free gears on a massless arm that turns: a fixed line of action and absolute angles would
    change the angular momentum by most of itself."""
    worst, first, turned, _ = _roll(gears, 4e-6, 600, initial=1e-5)
    assert turned == pytest.approx(0.12, rel=1e-3)
    assert worst[0] < 1e-9 and worst[1] < 1e-8 * abs(first[2])
    finer, *_ = _roll(gears, 2e-6, 1200, initial=1e-5)
    assert finer[2] < 0.25 * worst[2] < 0.25 * 1e-2  # J, of the mesh's 0.028 J: integration only


def test_free_pair_keeps_momentum_and_energy_while_its_centres_part(gears):
    """Nothing holds the centres: the mesh pushes them apart and does work on them, at an angle that
    changes with their distance."""
    worst = []
    for h, steps in ((1e-6, 400), (5e-7, 800)):
        model = gears(
            speeds=(150.0, -121.0), velocities=((0, 0.2, 0), (0.5, -0.1, 0)), initial=1e-5
        )
        stepper = fc.Stepper(model.system, dt=h, t_end=h * steps, newton_tolerance=1e-10)
        stepper.start()
        rows = []
        while stepper.t < stepper.t_end - h / 2:
            p, spin, kinetic = model.momenta(stepper.state)
            rows.append([*p, spin, kinetic + stepper.channels["mesh.energy"]])
            stepper.advance()
        rows = np.array(rows)
        worst.append(np.abs(rows - rows[0]).max(axis=0))
        q = [stepper.state.q[unknowns(b)[:2]] for b in model.bodies]
        assert np.linalg.norm(q[1] - q[0]) - data.CENTRES > 1e-4
    spring = data.MEAN * 1e-5**2 / 2
    passed = RADII[0] * data.MEAN * 1e-5 * 4e-4  # kg m^2/s, by the mesh at its first force
    assert worst[0][:2].max() < 1e-9 and worst[0][2] < 1e-6 * passed
    assert worst[0][3] < 5e-3 * spring and worst[1][3] < 0.3 * worst[0][3]


def test_losses_account_for_the_energy(gears):
    """With damping and friction the energy plus what was lost is what it was."""
    options = {"initial": 1e-5, "damping": 0.05, "mu": 0.1, "speed": 50.0}
    worst, first, _, lost = _roll(gears, 1e-6, 1500, **options)
    assert worst[1] < 1e-8 * abs(first[2])
    assert lost > 0.02
    assert worst[2] < 2e-3 * lost


def test_motion_does_not_depend_on_the_frame(gears):
    """The same pair turned by an angle and carried along: the same transmission error."""
    results = []
    for line, speed in ((0.0, 0.0), (1.1, 3.0)):
        moving = ((0, speed, 0), (0, speed, 0))
        model = gears(line=line, speeds=(150.0, -121.0), velocities=moving, mu=0.1, damping=0.1,
                      initial=1e-5)  # fmt: skip
        stepper = _started(model, newton_tolerance=1e-10)
        for _ in range(300):
            stepper.advance()
        results.append(
            [stepper.channels[f"mesh.{n}"] for n in ("transmission_error", "mesh_force")]
        )
    assert results[1] == pytest.approx(results[0], rel=1e-6)


@pytest.mark.mpi
def test_steps_end_at_the_events(gears):
    """With fixed steps that fit no event, the mesh cycle's events are met all the same."""
    from fem_clearance.gears import RectangularStiffness

    model = gears(stiffness=RectangularStiffness(data.LARGEST, data.MEAN), initial=1e-5)
    cycle = 2 * np.pi / (157.0 * data.TEETH[0])
    stepper = fc.Stepper(model.system, dt=cycle / 37.3, t_end=2.2 * cycle)
    stepper.start()
    times, k = [0.0], [stepper.channels["mesh.mesh_stiffness"]]
    while stepper.t < stepper.t_end:
        stepper.advance()
        times.append(stepper.t)
        k.append(stepper.channels["mesh.mesh_stiffness"])
    jumps = np.array(times)[1:][np.abs(np.diff(k)) > 1e8] / cycle
    assert jumps == pytest.approx([0.433, 1, 1.433, 2], abs=1e-6)
    whole = np.arange(1, 82) * cycle / 37.3
    assert np.abs(np.subtract.outer(whole, times)).min(axis=1).max() < 0.011 * cycle / 37.3


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"mesh": None}, "GearMesh"),
        ({"stiffness": 5e8}, "stiffness="),
        ({"damping": 0.1, "mass": None}, "equivalent_mass"),
        ({"speed": 0.0}, "nominal speed of 0"),
        ({"friction": 0.1}, "friction must be"),
        ({"backlash": -1e-5}, "backlash"),
    ],
)
def test_pairs_that_cannot_be(changes, words):
    system = fc.System(gravity=(0, 0, 0))
    bodies = [system.add(fc.RigidBody(1, (1, 1, 1), position=(x, 0, 0), free=True))
              for x in (0, data.CENTRES)]  # fmt: skip
    given = {"mesh": data.mesh(), "stiffness": ConstantStiffness(1e8)} | changes
    with pytest.raises(fc.InputError, match=words):
        GearPair(*(b.center for b in bodies), (0, 0, 1), **given)


def test_centres_at_another_distance():
    system = fc.System(gravity=(0, 0, 0))
    bodies = [
        system.add(fc.RigidBody(1, (1, 1, 1), position=(x, 0, 0), free=True)) for x in (0, 0.1)
    ]
    with pytest.raises(fc.InputError, match="the mesh says"):
        GearPair(*(b.center for b in bodies), (0, 0, 1), mesh=data.mesh(),
                 stiffness=ConstantStiffness(1e8), friction=ConstantFriction(0.1))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("way", [1, -1])
def test_phase_by_the_pinions_own_turns(gears, way):
    """Without a nominal speed the stiffness jumps where the pinion's tooth is at an event, in
    either sense of rotation, and friction takes energy while the flanks press on each other."""
    from fem_clearance.gears import RectangularStiffness

    law, wp = RectangularStiffness(data.LARGEST, data.MEAN), 157.0 * way
    model = gears(stiffness=law, speed=None, speeds=(wp, -wp * 25 / 31), initial=1e-5, mu=0.1,
                  damping=0.1, phase=0.25)  # fmt: skip
    turned = []
    for k, body in enumerate(model.bodies):
        pin = model.system.add(
            fc.RevoluteJoint(model.system.ground, body.center, axis=(0, 0, 1), name=f"pin{k}")
        )
        if k == 0:
            model.system.add(fc.AngleProbe(pin.i, pin.j, (0, 0, 1), name="turn"))
    cycle = 2 * np.pi / (157.0 * data.TEETH[0])
    stepper = fc.Stepper(model.system, dt=cycle / 200, t_end=2.2 * cycle)
    stepper.start()
    k, angle, loss = [], [], []
    while stepper.t < stepper.t_end:
        stepper.advance()
        k.append(stepper.channels["mesh.mesh_stiffness"])
        angle.append(stepper.channels["turn.angle"])
        force = stepper.channels["mesh.mesh_force"]
        loss.append(stepper.channels["mesh.friction_loss"] * np.sign(force))
    turned = np.array(angle) * data.TEETH[0] / (2 * np.pi)
    found = turned[1:][np.abs(np.diff(k)) > 1e8]
    ahead = np.array([0.183, 0.75, 1.183, 1.75, 2.183])
    back = -np.array([0.25, 0.817, 1.25, 1.817])
    wanted = ahead if way > 0 else back
    assert len(found) >= 4 and found == pytest.approx(wanted[: len(found)], abs=1e-5)
    # but for the vibration of the flanks, which near the pitch point outweighs their sliding
    assert min(loss) > -0.05 * max(loss) and max(loss) > 1


def test_written_slopes_are_the_derivatives_of_the_pose():
    """At a place of the line of centres a turn and a bit from where the angles began."""
    kind = GearPairKind(RigidFrame(), RigidFrame(), order=2)
    line = ufl.variable(ufl.as_vector([0.05, 0.07, -0.06, 0.0608]))
    c = SimpleNamespace(par=lambda name: ufl.as_vector([0.9, -2.4]))
    derived = apply_derivatives(apply_algebra_lowering(ufl.diff(kind.pose_of(c, line), line)))
    for i in range(3):
        for k in range(4):
            written = float(ufl.as_ufl(kind.slopes(line)[i, k])(()))
            assert written == pytest.approx(float(derived[i, k](())), rel=1e-12, abs=1e-12)

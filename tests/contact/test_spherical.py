"""Spherical clearance joint: tangents, balance, centred start, friction."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error

from .conftest import IN_FIRST, IN_SECOND, check_kept, check_turned, free_pair, momenta, run

COULOMB = fc.ModifiedCoulomb(0.3, v0=1e-3, v1=1e-2)
BRISTLES = fc.LuGre(0.3, 0.2, v_s=1e-2, stiffness=1e4, damping=2.0, damping_speed=1e-2)


def two_bodies(friction=None, gap=(0.0, 0.0, 0.0), turn=None, **motion):
    """Two free bodies whose clearance joint sits off both centres of mass."""
    system, first, second = free_pair(np.eye(3) if turn is None else turn, gap, **motion)
    system.add(
        fc.SphericalClearance(
            first.point(IN_FIRST), second.point(IN_SECOND), socket_radius=0.02,
            ball_radius=0.019, stiffness=1e8, friction=friction, name="joint",
            normal=fc.HuntCrossley() if friction is BRISTLES else None,  # a kind tested elsewhere
        )
    )  # fmt: skip
    return system, first, second


@pytest.mark.parametrize("friction", [None, COULOMB])
@pytest.mark.parametrize("where", ["centre", "free", "touching"])
def test_tangent_against_differences(friction, where):
    """Also at the centred start, where the direction of contact is undefined: no NaN."""
    gap = {"centre": (0, 0, 0), "free": (4e-4, 3e-4, 1e-4), "touching": (9e-4, 6e-4, -2e-4)}[where]
    askew = Rotation.from_rotvec((0.3, -0.5, 0.7)).as_matrix()  # along axes rows are round-off
    system, _, second = two_bodies(friction, turn=askew, spin_a=(3.0, -2.0, 5.0))
    state = system.state
    state.q[second.refs[0].numbers] += gap
    rng = np.random.default_rng(1)
    state.v[:] += 0.05 * rng.standard_normal(state.total) * state.problem.dynamic
    system.channels.read()
    depth = system.channels["joint.penetration"]
    assert (depth > 0) == (where == "touching")
    assert np.isfinite(system.channels.values).all()
    assert tangent_error(state, step=1e-8) < 1e-5


MOTION = {
    "spin_a": (8.0, -3.0, 5.0),
    "spin_b": (-4.0, 6.0, 2.0),
    "velocity_a": (0.2, 0.1, -0.05),
}


@pytest.mark.parametrize("friction", [COULOMB, BRISTLES])
def test_action_equals_reaction(friction):
    """Bodies that only meet in the joint, rubbing, keep linear and angular momentum."""
    system, *bodies = two_bodies(friction, **MOTION)
    system.assemble()
    before, log = momenta(system, bodies), []
    run(system, 2e-5, 0.02, lambda c, t: log.append((c["joint.friction_force"], c["energy.total"])))
    rubbed, energy = np.array(log).T
    assert rubbed.max() > 1.0
    check_kept(before, momenta(system, bodies))
    assert energy[-1] < energy[0]


@pytest.mark.parametrize("friction", [COULOMB, BRISTLES])
def test_frame_invariance(friction):
    check_turned(lambda turn: two_bodies(friction, turn=turn, **MOTION), 1e-4, 0.01)


def test_bristles_recover_while_the_bodies_are_apart():
    """After a rubbing impact the deflection falls as exp(-s0/s1 t), along with body a."""
    system, *_ = two_bodies(BRISTLES, **MOTION)
    stepper = fc.Stepper(system, dt=1e-5, t_end=0.02)
    stepper.start()
    parted = None
    while stepper.t < stepper.t_end:
        stepper.advance()
        deflection = stepper.channels["joint.deflection"]
        touches = stepper.channels["joint.penetration"] > 0
        if touches:
            parted = None
        elif stepper.events and parted is None:
            parted = stepper.t, deflection
        elif parted and stepper.t - parted[0] > 4e-4:
            break
    elapsed = stepper.t - parted[0]
    assert parted[1] > 1e-6
    assert deflection == pytest.approx(parted[1] * np.exp(-1e4 / 2.0 * elapsed), rel=5e-3)


def test_sliding_block_loses_mu_times_force():
    """A spinning ball pressed into a fixed socket by its weight: friction brakes the spin about the
    line of contact's perpendicular at mu N R, once sliding is faster than v1."""
    system = fc.System(gravity=(0, 0, -10.0))
    radius, mass, inertia = 0.05, 2.0, 0.02
    ball = system.add(
        fc.RigidBody(
            mass,
            (inertia,) * 3,
            position=(0, 0, -0.001),
            angular_velocity=(20.0, 0, 0),
            name="ball",
        )
    )
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)), ball.center, socket_radius=radius + 0.001,
            ball_radius=radius, stiffness=1e10, friction=fc.ModifiedCoulomb(0.1),
            normal=fc.HuntCrossley(restitution=0.1), name="joint",
        )
    )  # fmt: skip
    stepper = run(system, 1e-5, 2e-3)
    omega = stepper.state.v[ball.refs[1].numbers].reshape(3, 3)
    spin = omega[1] @ stepper.state.q[ball.refs[1].numbers].reshape(3, 3)[2]
    braking = 0.1 * mass * 10.0 * radius / inertia
    assert 20.0 - spin == pytest.approx(braking * stepper.t_end, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_tangent_between_beam_ends_with_friction(model):
    """Sections of beams: their triads are made orthonormal inside the form."""
    steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
    bar = fc.Rectangle(0.01, 0.02)
    system = fc.System()
    first = system.add(fc.Beam((0, 0, 0), (0.3, 0, 0), bar, steel, elements=1, model=model))
    second = system.add(
        fc.Beam((0.3, 0, 0.001), (0.3, 0.3, 0.001), bar, steel, elements=1, model=model)
    )
    system.add(fc.FixedJoint(system.ground, first.start))
    system.add(
        fc.SphericalClearance(
            first.end, second.start, socket_radius=0.02, ball_radius=0.01899, friction=COULOMB,
            stiffness=1e8, name="joint",
        )
    )  # fmt: skip
    state = system.state
    rng = np.random.default_rng(2)
    state.v[:] += 0.1 * rng.standard_normal(state.total) * state.problem.dynamic
    state.q[second.start.refs[0].numbers] += (1e-5, 2e-5, 3e-5)  # into contact
    state.v[second.start.refs[0].numbers] = (0.1, 0.05, 0.5)  # and closing: no force is cut at zero
    # beams are stiff: only the joint's own rows and columns are compared
    joint = next(k for k, c in enumerate(system.state.components) if "clearance" in c.kind.label)
    unknowns = state.problem.local_unknowns[joint].ravel()

    def force():
        state.problem.residual_kernels.evaluate(state.address)
        return state.problem.residual_kernels.parts[joint].ravel().copy()

    state.tangent(0.0, 0.0)
    parts = [c for c in system.state.components if c.tangent is not None]
    part = state.problem.tangent_kernels.parts[parts.index(system.state.components[joint])]
    exact = part.reshape(len(unknowns), len(unknowns)).copy()
    assert np.abs(force()).max() > 1.0
    numeric = np.zeros_like(exact)
    for k, n in enumerate(unknowns):
        value = state.q[n]
        for sign in (1, -1):
            state.q[n] = value + sign * 1e-9
            numeric[:, k] += sign * force() / 2e-9
        state.q[n] = value
    assert numeric == pytest.approx(exact, abs=1e-5 * np.abs(exact).max())

"""Bushings by 6x6 matrices: rotors with cross-coupled stiffness, rotations by SciPy, balances."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error

AXES = Rotation.from_rotvec((0.3, -0.5, 0.7)).as_matrix()
RANDOM = np.random.default_rng(5)
K = RANDOM.uniform(-1, 1, (6, 6)) * 1e3
C = RANDOM.uniform(-1, 1, (6, 6))


def held(turn, shift, stiffness, damping=0.0, axes=AXES):
    """A body moved and turned from where the bushing has no force; the ground is frame i."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(2.0, (0.1, 0.2, 0.3), name="body"))
    system.add(fc.Bushing(system.ground, body.center, stiffness, damping, axes=axes, name="b"))
    state = system.state
    numbers = np.concatenate([r.numbers for r in body.refs])
    rotation = Rotation.from_rotvec(turn).as_matrix()
    state.q[numbers] = np.r_[shift, rotation.T.ravel()]
    return system, state, numbers


@pytest.mark.parametrize("angle", [0.0, 1e-7, 0.02, 0.49, 0.51, 1.5, 3.0])
def test_forces(angle):
    """-K x in the axes of the bushing, x with SciPy's rotation vector, whatever the angle."""
    direction, shift = np.array([2.0, -1.0, 2.0]) / 3, np.array([0.01, -0.02, 0.03])
    system, *_ = held(angle * direction, shift, K)
    system.channels.read()
    x = np.r_[AXES.T @ shift, angle * AXES.T @ direction]
    found = [system.channels[f"b.{n}{k}"] for n in ("force", "moment") for k in (1, 2, 3)]
    assert found == pytest.approx(-K @ x, rel=1e-9, abs=1e-10)
    assert system.channels["b.energy"] == pytest.approx(x @ K @ x / 2, rel=1e-9, abs=1e-12)


def test_work():
    """The residual does the work of K x + C dx/dt along a motion: by differences of x."""
    direction, shift = np.array([0.3, 0.5, -0.4]), np.array([0.01, -0.02, 0.03])
    system, state, numbers = held(direction, shift, K, C)
    velocity, spin = RANDOM.uniform(-1, 1, (2, 3))
    R = Rotation.from_rotvec(direction).as_matrix()
    rates = np.r_[velocity, np.cross(spin, R.T).ravel()]
    state.v[numbers] = rates

    def x(h):
        turned = Rotation.from_rotvec(h * spin) * Rotation.from_rotvec(direction)
        return np.r_[AXES.T @ (shift + h * velocity), AXES.T @ turned.as_rotvec()]

    rate = (x(1e-6) - x(-1e-6)) / 2e-6
    power = (K @ x(0) + C @ rate) @ rate
    rows = state.residual()[numbers]
    assert rows @ rates == pytest.approx(power, rel=1e-8)


def test_tangent():
    _, state, numbers = held((0.3, 0.5, -0.4), (0.01, -0.02, 0.03), K, C)
    state.v[numbers] = 0.1 * RANDOM.standard_normal(12)
    assert tangent_error(state, step=1e-7) < 1e-6


def test_cross_coupled_rotor():
    """m s^2 + c s + k -+ i kc = 0 of a mass in a bearing with cross-coupled stiffness; unstable
    where kc > c sqrt(k / m). Moments hold it straight."""
    m, k, kc, c = 2.0, 2e5, 3e4, 40.0
    stiffness = np.diag([k, k, 1e6, 1e4, 1e4, 1e4])
    stiffness[0, 1], stiffness[1, 0] = kc, -kc
    damping = np.diag([c, c, 1e3, 10.0, 10.0, 10.0])
    system, *_ = held(np.zeros(3), np.zeros(3), stiffness, damping, np.eye(3))
    found = fc.eigenmodes(system, 12, damped=True).eigenvalues
    both = np.r_[found, found.conj()]
    for sign in (1, -1):
        for wanted in np.roots([m, c, k - 1j * sign * kc]):
            assert np.abs(both - wanted).min() < 1e-7 * abs(wanted)
    assert found.real.max() == pytest.approx(max(np.roots([m, c, k - 1j * kc]).real), rel=1e-6)


def test_energy_is_kept():
    """Symmetric stiffness without damping: a body thrown into the bushing keeps its energy; the
    bushing is a source of none."""
    symmetric = K @ K.T / 1e3 + np.diag([1e4, 1e4, 1e4, 100.0, 100.0, 100.0])
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(2.0, (0.1, 0.2, 0.3), velocity=(0.3, 0.1, -0.2),
                     angular_velocity=(1.0, -2.0, 0.5), name="body")
    )  # fmt: skip
    system.add(fc.Bushing(system.ground, body.center, symmetric, name="b"))
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(1.0), dt=2e-4, t_end=0.1)
    stepper.start()
    energy = [stepper.channels["energy.total"]]
    while stepper.t < stepper.t_end - 1e-9:
        stepper.advance()
        energy.append(stepper.channels["energy.total"])
    assert stepper.channels["b.energy"] > 0
    assert np.ptp(energy) < 2e-3 * energy[0]


def test_bad_input():
    system = fc.System()
    body = fc.RigidBody(1.0, (1, 1, 1))
    for stiffness, damping, message in (
        (np.eye(3), 0.0, "stiffness must be a 6x6 matrix"),
        (np.eye(6), 1.0, "damping must be a 6x6 matrix"),
        (np.full((6, 6), np.nan), 0.0, "finite numbers"),
        (None, 0.0, "one number, three, or a 6x6 matrix"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.Bushing(system.ground, body.center, stiffness, damping)

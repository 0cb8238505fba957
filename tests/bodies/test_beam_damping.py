"""Damping of beams: against the stiffness, in rigid rotation, in free vibration."""

import numpy as np
import pytest
from scipy.linalg import eigh

import fem_clearance as fc
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.core.settings import SolverSettings
from fem_clearance.timestepping.row_engine import RowEngine

from .cantilevers import SQUARE, STEEL, L, straight

DAMPED = {
    "cable": lambda: straight("cable", 3, damping=1e-3, free=True),
    "quadratic": lambda: straight("quadratic", 2, damping=1e-3, free=True),
    "quadratic, green": lambda: straight("quadratic", 2, damping=1e-3, free=True, strain="green"),
    "ancf, full": lambda: straight("ancf", 2, damping=1e-3, free=True, poisson="full"),
    "neo-Hookean": lambda: fc.Beam(
        (0, 0, 0), (L, 0, 0), SQUARE, fc.NeoHookean(2e11, 0.3, 7800), 2, damping=1e-3, free=True
    ),
    "arc": lambda: fc.Beam.along(
        fc.Arc((0, 1, 0), (0, 0, 0), (0, 0, 1), 1.2), SQUARE, STEEL, 2, damping=1e-3, free=True
    ),
}


def matrices(state):
    """Stiffness, damping and mass matrix at the present state."""
    parts = [state.tangent(*z).copy() for z in ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))]
    n = state.size
    dense = []
    for entries in (parts[0], parts[1] - parts[0], parts[2] - parts[0]):
        matrix = np.zeros((n, n))
        np.add.at(matrix, (state.problem.coo_rows, state.problem.coo_cols), entries)
        dense.append(matrix)
    return dense


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "neo-Hookean")) for n in DAMPED]
)
def test_damping_matrix_is_the_retardation_time_times_the_stiffness(name):
    """At rest, whatever the law: so the damping ratio of every mode is omega tau/2."""
    system = fc.System(gravity=(0, 0, 0))
    system.add(DAMPED[name]())
    K, C, _ = matrices(system.state)
    assert np.abs(C - 1e-3 * K).max() < 1e-12 * np.abs(K).max()


@pytest.mark.parametrize(
    "name", ["cable", "quadratic", pytest.param("neo-Hookean", marks=pytest.mark.slow)]
)
def test_a_spinning_beam_is_not_damped(name):
    """Rates of strain vanish in a rigid rotation of a bent beam about the normal of its plane."""
    beam = DAMPED[name]()
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    state = system.state
    for k, node in enumerate(beam.nodes):  # an arc of a circle, radius 1
        a = beam.arc_lengths[k]
        e1, e2 = np.array([np.cos(a), np.sin(a), 0]), np.array([-np.sin(a), np.cos(a), 0])
        values = {"r": -e2, "slope": L / beam.elements * e1, "d2": e2, "d3": np.eye(3)[2]}
        for field, block in node.items():
            state.q[block.numbers] = values[field]
            state.v[block.numbers] = np.cross([0, 0, 3.0], values[field])
    system.channels.read()
    power = system.channels[f"{beam.name}.damping_loss"]
    state.v[:] = np.random.default_rng(2).normal(size=state.size)
    system.channels.read()
    assert abs(power) < 1e-12 * system.channels[f"{beam.name}.damping_loss"]


@pytest.mark.parametrize(("model", "elements"), [("cable", 4), ("quadratic", 3)])
def test_logarithmic_decrement(model, elements):
    """Free bending vibration of small amplitude in the first mode of a free beam: energy decays by
    exp(-tau omega^2 t), omega from the eigenvalue problem; what is lost is the damping power."""
    tau = 2e-4
    beam = straight(model, elements, damping=tau, free=True)
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    state = system.state
    K, _, M = matrices(state)
    squares, modes = eigh((K + K.T) / 2, (M + M.T) / 2)
    first = int(np.argmax(squares > 1.0))
    omega, shape = np.sqrt(squares[first]), modes[:, first]
    state.q += 1e-5 * shape / np.abs(shape).max()
    state.q_n[:] = state.q
    newton = NewtonSolver(state, SolverSettings(1e-10))
    scheme = RowEngine(fc.GeneralizedAlpha(1.0), newton)
    h = 2 * np.pi / omega / 200
    scheme.start(h)
    channels = system.channels

    def look():
        channels.read()
        energy = channels["energy.kinetic"] + channels["energy.strain"]
        return energy, channels[f"{beam.name}.damping_loss"]

    energies, powers = zip(look(), strict=True)
    energies, powers = [*energies], [*powers]
    steps = 400
    for _ in range(steps):
        assert not scheme.step(h)
        newton.accepted()
        energy, power = look()
        energies.append(energy)
        powers.append(power)
    decay = np.log(energies[0] / energies[-1]) / (steps * h)
    assert decay == pytest.approx(tau * omega**2, rel=5e-3)
    lost = h * (np.sum(powers) - (powers[0] + powers[-1]) / 2)
    assert energies[0] - energies[-1] == pytest.approx(lost, rel=5e-3)


def test_damping_is_given_as_that_of_solids():
    given = straight("cable", 1, damping=fc.Damping(retardation=2e-3))
    assert given.damping == straight("cable", 1, damping=2e-3).damping == 2e-3
    with pytest.raises(fc.InputError, match="no drag"):
        straight("cable", 1, damping=fc.Damping(drag=1.0))

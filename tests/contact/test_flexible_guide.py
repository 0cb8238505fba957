"""An elastic slider rattles in a guide on a free, flexible beam: what the whole keeps."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.core.roles import TRANSLATION

SOFT = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)


def rattling():
    """The slider flies flat onto the upper surface of a guide held by the middle of a beam of 0.5
    m, both free in space."""
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(
        fc.Beam(
            (-0.25, 0, 0), (0.25, 0, 0), fc.Rectangle(0.02, 0.02), SOFT, 2, free=True, name="beam"
        )
    )
    slider = system.add(
        fc.Solid(
            meshes.block((0.1, 0.05), (4, 2)), SOFT, degree=1, state="plane_strain", thickness=0.02,
            velocity=(0.3, 0.5, 0.0), free=True, name="slider",
        )
    )  # fmt: skip
    for side, facets in (("upper", "y1"), ("lower", "y0")):
        system.add(
            fc.GuideContact(
                beam.at((0, 0, 0)), slider.facets(facets), axis=(1, 0, 0), across=(0, 1, 0),
                side=side, gap=0.0505, friction=fc.SmoothCoulomb(0.2, v0=1e-2),
                law=fc.Winkler(1e12, 0.5), name=side,
            )
        )  # fmt: skip
    return system, slider


def momenta(system, slider):
    """Linear momentum in x and y and angular momentum about z: M v along the rigid motions of all
    coordinates, M being the derivative of the residual by accelerations."""
    state = system.state
    motions = np.zeros((3, state.size))
    places = slider.nodes + slider.at_nodes(state.q)
    for block in state.problem.blocks:
        n = block.numbers
        if block is slider.block:
            x = places[np.argsort(slider.slot), :2]  # in the order of the unknowns
            motions[0, n[0::2]] = motions[1, n[1::2]] = 1
        elif block.role.order == 2 and n.max() < state.size:  # not the ground
            x = state.q[n].reshape(-1, 3)
            if block.role.quantity == TRANSLATION:
                motions[0, n[0::3]] = motions[1, n[1::3]] = 1
        else:
            continue
        width = x.shape[1]
        motions[2, n[0::width]], motions[2, n[1::width]] = -x[:, 1], x[:, 0]
    heavy = 2.0**80
    M = np.zeros((state.size, state.size))
    np.add.at(M, (state.problem.coo_rows, state.problem.coo_cols), state.tangent(heavy, 0) / heavy)
    return motions @ M @ state.v


def test_what_is_kept():
    """Momenta of beam and slider together; flat impacts on both surfaces give no energy. (What a
    step wins where a contact ends is its error: 2e-4 of the energy with tolerance 1e-8.)"""
    system, slider = rattling()
    stepper = fc.Stepper(system, t_end=0.008, tolerance=1e-7)
    stepper.start()
    array = stepper.state.array
    kept = array.copy()
    before = momenta(system, slider)
    array[:] = kept
    energies, forces, strain = [stepper.channels["energy.total"]], [], 0.0
    while stepper.t < stepper.t_end:
        stepper.advance()
        c = stepper.channels
        energies.append(c["energy.total"])
        forces.append([c[f"{n}.normal_force"] for n in ("upper", "lower")])
        strain = max(strain, c["energy.strain"])
    after = momenta(system, slider)
    energies = np.array(energies) / energies[0]
    regained = (energies - np.minimum.accumulate(energies)).max()
    print(before, after, regained, energies[-1], np.max(forces, axis=0), strain, stepper.steps)
    mass = SOFT.rho * 0.1 * 0.05 * 0.02
    assert before == pytest.approx([0.3 * mass, 0.5 * mass, 0], abs=1e-12)
    assert np.all(np.max(forces, axis=0) > 100.0)
    assert strain > 1e-3  # J of 0.017
    assert after[:2] == pytest.approx(before[:2], abs=1e-9)
    assert after[2] == pytest.approx(0, abs=1e-7)
    assert regained < 5e-3 and energies.max() <= 1
    assert energies[-1] < 0.95

"""A swinging solid on any number of ranks: the trajectory of one rank."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance._backend import MPI
from fem_clearance.meshes.structured import block


def trajectory(comm, solver):
    """Tip of a bar that swings about a pin and bends, 40 steps."""
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    mesh = block((1, 0.1, 0.1), (16, 2, 2), center=(0.5, 0, 0), degree=1)
    bar = system.add(
        fc.Solid(
            mesh, fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000), degree=mesh.degree, name="bar"
        )
    )
    held = system.add(fc.Attachment(bar.facets("x0"), name="held"))
    system.add(fc.RevoluteJoint(system.ground, held.frame, axis=(0, 0, 1), name="pin"))
    system.add(fc.Probe(bar.at((1, 0.05, 0.05)), name="tip"))
    stepper = fc.Stepper(system, dt=2e-3, t_end=0.08, solver=solver, newton_tolerance=1e-11)
    stepper.prepare()
    stepper.start()
    path = []
    while stepper.t < 0.08 * (1 - 1e-9):
        stepper.advance()
        path.append([stepper.channels[f"tip.{x}"] for x in "xyz"])
    return np.array(path), comm.allgather(system.state.components[0].count)


@pytest.mark.mpi
@pytest.mark.parametrize("solver", ["mumps", "iterative"])
def test_same_trajectory(comm, solver):
    """To 1e-9 of the motion: the same equations to solver tolerance, cells spread evenly."""
    path, cells = trajectory(comm, solver)
    alone, _ = trajectory(MPI.COMM_SELF, "mumps")
    moved = np.abs(alone[-1] - alone[0]).max()
    assert moved > 0.02
    assert path == pytest.approx(alone, abs=1e-9)
    assert sum(cells) == 64
    assert min(cells) > 0.5 * max(cells)

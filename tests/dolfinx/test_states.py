"""States saved on one number of ranks and loaded on another."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance._backend import MPI

from .models import NAMES, bar

STEEL = fc.StVenantKirchhoff(E=1e6, nu=0.3, rho=1000)


def model(comm, shape):
    """A cantilever whose nodes are numbered across its length, on a mesh of ours or DOLFINx's."""
    system = fc.System(gravity=(0, -9.81, 3.0), comm=comm)
    if shape == "block":
        mesh, foot = fc.meshes.block((0.2, 1, 0.1), (2, 6, 2), degree=1), "y0"
    else:
        mesh, foot = fcd.mesh(*bar(comm), NAMES), "left"
    return system, system.add(fc.Solid(mesh, STEEL, clamped=foot, degree=2, name="bar"))


def motion(comm, shape):
    system, body = model(comm, shape)
    results = fc.Simulation(system, dt=2e-3, t_end=2e-2, progress=False).run()
    return system, body, results


@pytest.mark.mpi
@pytest.mark.parametrize("shape", ["block", "dolfinx"])
@pytest.mark.parametrize("wide", [True, False])
def test_from_some_ranks_to_others(comm, shared_tmp_path, shape, wide):
    """Of the ranks that run the test to one, and back: each node is where it was, the run goes on
    to where it goes in one piece."""
    first, second = (comm, MPI.COMM_SELF) if wide else (MPI.COMM_SELF, comm)
    path = shared_tmp_path / f"state{wide}.npz"
    system, body, results = motion(first, shape)
    then = body.at_nodes(results.last.q)
    fcd.save(path, results, comm=comm)
    state = fcd.load(path, comm=comm)
    system, body = model(second, shape)
    results = fc.Simulation(system, dt=2e-3, t_end=2.4e-2, initial=state, progress=False).run()
    assert state.time == pytest.approx(2e-2)
    np.testing.assert_allclose(body.at_nodes(state.q), then, atol=1e-9 * np.abs(then).max())
    on = body.at_nodes(results.last.q)
    whole, whole_body = model(MPI.COMM_SELF, shape)
    straight = fc.Simulation(whole, dt=2e-3, t_end=2.4e-2, progress=False).run()
    right = whole_body.at_nodes(straight.last.q)
    np.testing.assert_allclose(on, right, atol=3e-3 * np.abs(right).max())


def test_sentences(tmp_path):
    with pytest.raises(fc.InputError, match="such as results"):
        fcd.save(tmp_path / "a.npz", 3.0)
    with pytest.raises(fc.InputError, match="cannot be read"):
        fcd.load(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(fc.InputError, match="damaged"):
        fcd.load(tmp_path / "bad.npz")
    system, _, results = motion(MPI.COMM_SELF, "block")
    fcd.save(tmp_path / "b.npz", results)
    other, _ = model(MPI.COMM_SELF, "dolfinx")
    with pytest.raises(fc.InputError, match="another model"):
        fc.Simulation(other, dt=1e-3, t_end=1.0, initial=fcd.load(tmp_path / "b.npz")).run()

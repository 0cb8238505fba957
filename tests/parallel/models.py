"""Solids of which each rank may hold a part, and what tests compare of them."""

import numpy as np

import fem_clearance as fc
from fem_clearance import dolfinx as fcd

from ..dolfinx.models import NAMES, bar

RUBBER = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)


def of_bar(comm, distributed, cell="hexahedron"):
    """A bar of 1 x 0.5 x 0.5 m with tagged faces."""
    return fcd.mesh(*bar(comm, cell, (5, 2, 2)), NAMES, distributed=distributed)


def ran(system, dt, steps, **options):
    """A stepper after some steps, and the largest value of each channel on the way."""
    stepper = fc.Stepper(system, dt=dt, t_end=1.0, newton_tolerance=1e-12, **options)
    stepper.prepare()
    stepper.start()
    rows = []
    for _ in range(steps):
        stepper.advance()
        rows.append([stepper.channels[n] for n in stepper.channels.names])
    return stepper, np.array(rows)


def of_nodes(comm, *functions):
    """Places and values of Functions at the nodes of all ranks, in the order of the places."""
    V = functions[0].function_space
    own = V.dofmap.index_map.size_local
    columns = [f.x.array.reshape(-1, f.function_space.dofmap.bs)[:own] for f in functions]
    rows = np.hstack([V.tabulate_dof_coordinates()[:own], *columns])
    rows = np.concatenate(comm.allgather(rows))
    return rows[np.lexsort(np.round(rows[:, :3], 6).T)]

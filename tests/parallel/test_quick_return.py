"""The mechanism on four films, its cells partitioned over ranks: the trajectory of one rank."""

from mpi4py import MPI

import numpy as np
import pytest

from fem_clearance import cases
from fem_clearance.lubrication.film.kind import FilmKind

pytestmark = pytest.mark.mpi
#: what is compared, with what a difference is measured by: the largest value of the kind
CHANNELS = [f"journal.{n}.{x}" for n in "ADCF" for x in "xy"]
COARSE = {"film.cells": "12x2", "shaft.elements": 2, "rod.elements": 4}


def difference(steps, changes):
    """Largest difference of the journals' places, by the clearance, and of the mesh's force and the
    tip, by their largest value; and how many cells of films each rank has."""
    # as tight as the difference that is looked for
    changes = {"dt": 2e-5, "t_end": steps * 2e-5, "newton_tolerance": 1e-10, **changes}
    case = cases.get("quick_return")
    runs = [
        case.simulation(changes, progress=False, comm=comm)
        for comm in (MPI.COMM_SELF, MPI.COMM_WORLD)
    ]
    one, several = (run.run() for run in runs)
    assert len(one) == len(several) > steps
    moved = np.hypot(one["journal.A.x"], one["journal.A.y"]).max()
    assert moved > 0.02 * 2e-4
    apart = [np.abs(several[n] - one[n]).max() / 2e-4 for n in CHANNELS]
    apart += [
        np.abs(several[n] - one[n]).max() / np.abs(one[n]).max()
        for n in ("mesh_force", "rod_tip.y", "rod_tip.deflection")
    ]
    mine = sum(c.count for c in runs[1].system.state.components if isinstance(c.kind, FilmKind))
    return max(apart), MPI.COMM_WORLD.allgather(mine)


LINER = {"bearings": "ehd", "liner.cells": "12x2x1"}


@pytest.mark.parametrize(
    "bearings", [{}, LINER | {"liner.responses": 10}, LINER | {"liner": "full"}]
)
def test_same_trajectory(comm, bearings):
    apart, _ = difference(20, {**COARSE, **bearings})
    assert apart < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("bearings", ["hd", "ehd"])
def test_two_hundred_steps(comm, bearings):
    """Films and liners as they are by default. The cells of films, which cost most, are shared; a
    rank that has the bodies too has fewer of them (672 and 864 on two)."""
    apart, cells = difference(200, {"bearings": bearings})
    assert apart < 1e-8
    assert sum(cells) == 4 * 48 * 8 and min(cells) > 0.75 * max(cells)

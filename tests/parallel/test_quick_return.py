"""The mechanism on four films, its cells dealt out over ranks: the trajectory of one rank."""

from mpi4py import MPI

import numpy as np
import pytest

from fem_clearance import cases

pytestmark = pytest.mark.mpi
#: what is compared, with what a difference is measured by: the largest value of the kind
CHANNELS = [f"journal.{n}.{x}" for n in "ADCF" for x in "xy"]
COARSE = {"film.cells": "12x2", "shaft.elements": 2, "rod.elements": 4}


def difference(steps, changes):
    """Largest difference of the journals' places, by the clearance, and of the mesh's force and the
    tip, by their largest value."""
    # as tight as the difference that is looked for
    changes = {"dt": 2e-5, "t_end": steps * 2e-5, "newton_tolerance": 1e-10, **changes}
    case = cases.get("quick_return")
    one, several = (
        case.simulation(changes, progress=False, comm=comm).run()
        for comm in (MPI.COMM_SELF, MPI.COMM_WORLD)
    )
    assert len(one) == len(several) > steps
    moved = np.hypot(one["journal.A.x"], one["journal.A.y"]).max()
    assert moved > 0.02 * 2e-4
    apart = [np.abs(several[n] - one[n]).max() / 2e-4 for n in CHANNELS]
    apart += [
        np.abs(several[n] - one[n]).max() / np.abs(one[n]).max()
        for n in ("mesh_force", "rod_tip.y", "rod_tip.deflection")
    ]
    return max(apart), several.summary["cells_per_rank"]


@pytest.mark.parametrize("bearings", ["hd", "ehd"])
def test_same_trajectory(comm, bearings):
    liner = {"liner.cells": "12x1x1", "liner.responses": 10} if bearings == "ehd" else {}
    apart, _ = difference(20, {"bearings": bearings, **COARSE, **liner})
    assert apart < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("bearings", ["hd", "ehd"])
def test_two_hundred_steps(comm, bearings):
    """Films and liners as they are by default, no rank without films."""
    apart, cells = difference(200, {"bearings": bearings})
    assert apart < 1e-8
    assert min(cells) > 0.4 * max(cells)

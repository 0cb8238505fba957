"""Warm films on one, two and three ranks: adiabatic with grooves, conducting, and with the
mesh of a bush. In processes of their own; three ranks on two cores wait for each other."""

import numpy as np
import pytest

from .launched import launched

SCRIPT = """
import json, sys
import fem_clearance as fc
from fem_clearance._backend import MPI
from fem_clearance.lubrication import (Adiabatic, Conducting, Convection, CylindricalFilm,
    Exponential, HeatedSolid, Lubricant, Shaft, Streamers, cylinder, joined, Film)
R, C, SPIN = 0.015, 5e-5, 300.0
arc, oil = 2.97, Lubricant(0.04, temperature=Exponential(0.03), reference_temperature=320.0)
pads = joined(cylinder(R, R, (16, 4), arc=arc, start=m - arc / 2) for m in (1.5708, 4.7124))
sets = dict.fromkeys(("z0", "z1", "start0", "end0", "start1", "end1"), 0.0)
grooves = {"left": ("end0", "start1"), "right": ("end1", "start0")}
ring = fc.meshes.hollow_cylinder(R, 2 * R, R, (16, 2, 2), degree=2)
solid = HeatedSolid(ring, 50.0, 3.6e6, cooled={"rim": (500.0, 310.0)}, responses=20)
shaft = Shaft(conductance=2.0, temperature=300.0, capacity=5.0)
thermal = {
    "adiabatic": Adiabatic(320.0, grooves),
    "conducting": Conducting(320.0, grooves, bush=Convection(2000.0, 310.0), journal=shaft),
    "mesh": Conducting(320.0, grooves, bush=solid, journal=shaft),
}[sys.argv[1]]
film = Film(pads, C, oil, Streamers(), sets, sliding_speed=R * SPIN, thermal=thermal)
system = fc.System(gravity=(0, 0, 0))
journal = system.add(fc.RigidBody(1.0, (1e3,) * 3, position=(0.3 * C, -0.5 * C, 0),
                                  angular_velocity=(0, 0, SPIN), name="journal"))
system.add(CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                           name="film"))
system.add(fc.Force(journal.center, (0, -300.0, 0)))
stepper = fc.Stepper(system, dt=2e-4, t_end=1.0, newton_tolerance=1e-11)
stepper.start()
for _ in range(12):
    stepper.advance()
stepper.channels.read()
names = ["power_loss", "heat", "oil_heat", "max_temperature", "ex", "ey", "min_film"]
names += [] if sys.argv[1] == "adiabatic" else ["bush_heat", "journal_heat"]
if MPI.COMM_WORLD.rank == 0:
    print(json.dumps([float(stepper.channels["film." + n]) for n in names]))
"""


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("model", ["adiabatic", "conducting", "mesh"])
def test_same_film_on_one_two_and_three_ranks(model):
    one = np.array(launched(1, SCRIPT, model))
    loss, heat, oil, hottest, *_, least = one[:7]
    assert loss > 1.0 and hottest > 320.3 and 0 < least < 5e-5
    assert oil + one[7:].sum() == pytest.approx(heat, rel=1e-9)
    for ranks in (2, 3):
        np.testing.assert_allclose(launched(ranks, SCRIPT, model), one, rtol=1e-8)

"""A film without dry contact ends where the surfaces meet, also between the points of its cells."""

import pytest

import fem_clearance as fc
from fem_clearance.errors import StepFailed
from fem_clearance.lubrication import CylindricalFilm, ShortBearing, plain_bearing


@pytest.mark.parametrize("cells", [(8, 2), (16, 4)], ids=str)
def test_no_accepted_step_pierces_the_film(cells):
    """An overload squeezes the film out. Between the points at which its equations are integrated
    the thickness would be -0.3 um (8 cells) and -0.07 um before they had no number."""
    system = fc.System()
    shaft = system.add(fc.RigidBody(1.0, (1e-3,) * 3, name="shaft", free=True))
    system.add(fc.PlanarJoint(system.ground, shaft.center, axis=(0, 0, 1)))
    system.add(fc.Force(shaft.center, (0, -2e5, 0)))
    film = plain_bearing(0.015, 0.014, 2e-5, 0.01, sliding_speed=15.0, cells=cells)
    ground = system.ground.at((0, 0, 0))
    system.add(CylindricalFilm(ground, shaft.center, (0, 0, 1), film=film, name="bearing"))
    simulation = fc.Simulation(system, t_end=2e-3, dt=1e-5, progress=False)
    with pytest.raises(StepFailed, match="bearing: the surfaces touch between the points of the"):
        simulation.run()
    least = simulation.results["bearing.min_film"]
    assert len(least) > 20
    assert least.min() > 0


def test_closed_forms_say_that_ends_pass_through_the_bore(caplog):
    """A closed form holds the middle of a journal, which turns about it by .1 rad/s * t freely: its
    ends at 7 mm are in the bore's wall from .1 t * 7 mm = 20 um on, which is said and no failure.
    """
    system = fc.System(gravity=(0, 0, 0))
    turning = fc.RigidBody(1.0, (1e-3,) * 3, angular_velocity=(0.1, 0, 0), name="shaft", free=True)
    shaft = system.add(turning)
    film = ShortBearing(0.015, 0.014, 2e-5, viscosity=0.01)
    ground = system.ground.at((0, 0, 0))
    system.add(CylindricalFilm(ground, shaft.center, (0, 0, 1), film=film, name="bearing"))
    results = fc.Simulation(system, t_end=0.04, dt=1e-3, progress=False).run()
    least = results["bearing.min_film"]
    assert least[-1] == pytest.approx(2e-5 - 0.1 * 0.04 * 0.007, rel=1e-3)
    assert caplog.text.count("bearing: the journal tilts until its ends pass through the bore") == 1

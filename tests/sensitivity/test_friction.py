"""Derivatives of runs with friction in a clearance joint: differences of whole runs."""

import pytest

import fem_clearance as fc
from tests.sensitivity import models


def rough(law):
    """An arm in a clearance joint that rubs."""

    def build(p):
        system = fc.System(gravity=(0, -9.81, 0))
        arm = system.add(
            fc.RigidBody(mass=1.0, inertia=(1e-3, 0.083, 0.083), position=(0.5, 0, 0), name="arm")
        )
        system.add(
            fc.SphericalClearance(
                system.ground.at((0, 0, 0)), arm.at((0, 0, 0)), socket_radius=0.02,
                ball_radius=0.02 - p["clearance"], stiffness=1e6, name="joint",
                normal=fc.LankaraniNikravesh(restitution=0.9), friction=law(p["friction"]),
            )
        )  # fmt: skip
        system.add(fc.Probe(arm.at((1, 0, 0)), name="tip"))
        return system

    return build


@pytest.mark.parametrize(
    "law", [fc.ModifiedCoulomb, lambda mu: fc.LuGre(mu_s=mu, mu_d=0.8 * mu)],
    ids=["modified Coulomb", "LuGre"],
)  # fmt: skip
def test_friction(law):
    """Fixed and adaptive steps, by the clearance and the coefficient; the bristles of LuGre's law
    are unknowns as all others. Steps of adaptive runs are chosen anew in each difference."""
    at, of = {"clearance": 1e-3, "friction": 0.1}, ["tip.x", "tip.y"]
    settings = {"t_end": 0.02, "dt": 1e-4, "newton_tolerance": 1e-13}
    s = fc.Sensitivity(rough(law), at=at, of=of, **settings)
    d = s.forward(histories=False)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-10)
    found = models.differences(rough(law), at, of, 1e-4, **settings)
    assert d.jacobian == pytest.approx(found, rel=1e-5)
    settings = {"t_end": 0.02, "tolerance": 1e-8, "contact_tolerance": 1e-5}
    d = fc.Sensitivity(rough(law), at=at, of=of, **settings).forward(histories=False)
    found = models.differences(rough(law), at, of, 1e-3, **settings)
    assert d.jacobian == pytest.approx(found, rel=5e-4)

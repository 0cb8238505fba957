"""Normal-force laws: stiffness from geometry, restitution returned by simulated impacts."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.contact.geometry import sphere_stiffness

STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
SOFT = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)


@pytest.mark.parametrize(
    ("material", "radii", "expected"),
    [
        (STEEL, "sum", 1.476037e10),
        (STEEL, "difference", 6.433895e10),
        (SOFT, "sum", 4.278367e6),
        (SOFT, "difference", 1.864897e7),
    ],
)
def test_stiffness_of_ball_in_socket(material, radii, expected):
    """Audited values of Tian et al. (2009) eq. (18), section 6.1 (errata E000-3)."""
    assert sphere_stiffness(0.02, 0.018, material, material, radii) == pytest.approx(
        expected, rel=1e-6
    )


def impact(law, stiffness=1e9, speed=0.1, mass=1.0):
    """Speed ratio after a ball hit the wall of a fixed socket."""
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(mass, (1, 1, 1), velocity=(speed, 0, 0), name="ball"))
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)), ball.center, socket_radius=0.01, ball_radius=0.0099,
            normal=law, stiffness=stiffness, name="joint",
        )
    )  # fmt: skip
    stepper = fc.Stepper(system, t_end=0.01, contact_tolerance=1e-5)
    stepper.start()
    while not stepper.events or stepper.channels["joint.penetration"] > 0:
        stepper.advance()
    assert stepper.events[0].time == pytest.approx(0.0001 / speed, rel=1e-6)
    assert stepper.events[0].speed == pytest.approx(speed, rel=1e-9)
    return -stepper.channels["ball.vx"] / speed


def test_hertz_returns_all():
    """Elastic contact loses nothing."""
    assert impact(fc.Hertz()) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("given", [0.9, 0.5, 0.1])
@pytest.mark.parametrize(
    ("law", "column"), [(fc.LankaraniNikravesh, "LN"), (fc.HuntCrossley, "HC")]
)
def test_hysteretic_laws_return_their_exact_restitution(law, column, given, reference):
    """e_restitution.csv: chi (1 + e) = ln((1 + chi)/(1 - chi e)), exact for any stiffness and
    mass."""
    table = reference("e_restitution.csv")
    row = table[np.argmin(np.abs(table["c_e"] - given))]
    measured = impact(law(restitution=given), speed=0.1 + given, mass=2.0)
    assert measured == pytest.approx(row[f"{column}_eeff"], abs=1e-3)


@pytest.mark.parametrize("damping", [200.0, 1000.0])
def test_kelvin_voigt(damping):
    """Spring and dashpot without adhesion, closed form: the force vanishes before the depth does
    (Schwager and Poeschel 2007)."""
    stiffness, mass = 1e6, 1.0
    zeta = damping / (2 * np.sqrt(stiffness * mass))
    root = np.sqrt(1 - zeta**2)
    expected = np.exp(-zeta / root * np.arctan2(2 * zeta * root, 2 * zeta**2 - 1))
    assert impact(fc.KelvinVoigt(damping=damping), stiffness) == pytest.approx(expected, abs=1e-3)


def test_a_users_law():
    """A law of one class and one expression works like a built-in one: linear spring, e = 1."""
    assert impact(Linear(), stiffness=1e6) == pytest.approx(1.0, abs=1e-4)


class Linear(fc.NormalLaw):
    """F = K depth."""

    parameters = ("K",)

    def values(self, contact):
        return {"K": contact.stiffness}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth

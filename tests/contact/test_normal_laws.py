"""Normal-force laws: restitution returned by simulated impacts.

Stiffness and restitution by formula: ``tests/literature/test_contact_laws.py``."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.contact.laws.hysteresis import returned_restitution


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


LAWS = [
    fc.HuntCrossley, fc.HerbertMcWhannell, fc.LeeWang, fc.LankaraniNikravesh, fc.Gonthier,
    fc.ZhiyingQishao, fc.Flores2011, fc.HuGuo,
]  # fmt: skip


@pytest.mark.parametrize("given", [0.9, 0.5, 0.2])
@pytest.mark.parametrize("law", LAWS)
def test_hysteretic_laws_return_their_exact_restitution(law, given, reference):
    """restitution_laws.json: exact for any stiffness and mass."""
    table = reference("restitution_laws.json")
    column = next(v for k, v in table["e_out"].items() if k.startswith(law.__name__ + " "))
    measured = impact(law(restitution=given), speed=0.1 + given, mass=2.0)
    assert measured == pytest.approx(column[table["e_in"].index(given)], abs=1e-3)


@pytest.mark.parametrize("given", [0.95, 0.4, 0.05])
def test_exact_restitution_is_returned(given):
    """chi from the equation itself."""
    law = fc.ExactRestitution(restitution=given)
    assert returned_restitution(law.hysteresis()) == pytest.approx(given, abs=1e-9)
    assert impact(law) == pytest.approx(given, abs=1e-3)


@pytest.mark.parametrize(
    "law", [fc.ExactRestitution, fc.HuntCrossley, fc.LankaraniNikravesh, fc.KuwabaraKono]
)
def test_no_restitution_is_read_as_an_exponent(law):
    """ExactRestitution(1.0) had the exponent 1 and the restitution 0.9."""
    with pytest.raises(TypeError, match="takes no values, got 1; give the others by name"):
        law(1.0)


def test_laws_that_divide_by_the_restitution():
    with pytest.raises(fc.InputError, match="Gonthier.restitution must be positive"):
        fc.Gonthier(restitution=0.0)


@pytest.mark.parametrize("speed", [0.02, 0.5])
def test_kuwabara_kono(speed):
    """Viscoelastic spheres: the same equation with SciPy, force cut at zero, and for slow impacts
    the first terms 1 - 1.15344 x + 0.79826 x^2 (Schwager and Poeschel 1998)."""
    K, A, mass = 1e9, 2e-5, 1.0

    def rates(_, y):
        depth = max(y[0], 0.0)
        return y[1], -max(K * (depth**1.5 + 1.5 * A * depth**0.5 * y[1]), 0.0) / mass

    parted = lambda _, y: y[0]  # noqa: E731
    parted.terminal, parted.direction = True, -1  # type: ignore[attr-defined]
    end = solve_ivp(
        rates, (0, 0.05), (0, speed), events=parted, rtol=1e-10, atol=1e-14, max_step=1e-5
    )
    expected = -end.y[1, -1] / speed
    x = 1.5 * A * (K / mass) ** 0.4 * speed**0.2
    assert expected == pytest.approx(1 - 1.15344 * x + 0.79826 * x**2, abs=0.7 * x**3)
    measured = impact(fc.KuwabaraKono(relaxation_time=A), K, speed)
    assert measured == pytest.approx(expected, abs=1e-3)


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

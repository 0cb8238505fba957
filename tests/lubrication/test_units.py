"""Nothing in forms has a size of its own: the same run in other units is the same run."""

from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import ShortBearing, SphericalSqueeze


def arm(film: str, length: float, mass: float, time: float, dt=2e-5, steps=250):
    """Place, velocity and force, in SI units, of an arm that hangs on a lubricated joint: the units
    are 1/length m, 1/mass kg, 1/time s."""
    force = mass * length / time**2
    pressure = force / length**2
    system = fc.System(gravity=(0, -9.81 * length / time**2, 0))
    body = system.add(
        fc.RigidBody(
            0.234 * mass, np.array([1e-5, 2e-3, 2e-3]) * mass * length**2, name="arm",
            position=(0.15 * length, 0, 0), angular_velocity=(0, 0, 3.0 / time), free=True,
        )
    )  # fmt: skip
    steel = fc.StVenantKirchhoff(E=207e9 * pressure, nu=0.3, rho=7800 * mass / length**3)
    frames = system.ground.at((0, 0, 0)), body.at((0, 0, 0))
    outer, inner, viscosity = 0.02 * length, 0.019 * length, 0.4 * pressure * time
    options = {"materials": (steel, steel), "name": "joint"}
    if film == "squeeze":
        joint = fc.SphericalClearance(
            *frames, socket_radius=outer, ball_radius=inner, film=SphericalSqueeze(viscosity),
            **options,
        )  # fmt: skip
    else:
        short = ShortBearing(
            outer, outer, outer - inner, viscosity, sliding_speed=0.1 * length / time
        )
        joint = fc.CylindricalClearance(
            *frames, (0, 0, 1), bearing_radius=outer, journal_radius=inner, length=outer,
            film=short, stations=2, **options,
        )  # fmt: skip
    system.add(joint)
    stepper = fc.Stepper(
        system, fc.GeneralizedAlpha(0.8, "stabilised"), dt=dt * time, t_end=steps * dt * time
    )
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    stepper.channels.read()
    c = stepper.channels
    return np.array(
        [c[f"arm.{x}"] / length for x in "xy"]
        + [c[f"arm.v{x}"] * time / length for x in "xy"]
        + [c["joint.normal_force"] / force]
    )


@pytest.mark.parametrize("film", ["squeeze", "short"])
def test_same_run_in_other_units(film):
    """mm, t, s; um, kg, s; m, kg, us."""
    exact = arm(film, 1.0, 1.0, 1.0)
    assert exact[-1] > 0.1
    for units in ((1e3, 1e-3, 1.0), (1e6, 1.0, 1.0), (1.0, 1.0, 1e6)):
        assert arm(film, *units) == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize(
    "law",
    [fc.ModifiedCoulomb(0.2, v0=0.0, v1=1e-2), fc.SmoothCoulomb(0.2), fc.Stribeck(0.3, 0.2),
     fc.CubicStribeck(), fc.Threlfall(0.2), fc.BengisuAkay(0.3, 0.2), fc.LuGre(0.3, 0.2)],
    ids=lambda law: type(law).__name__,
)  # fmt: skip
def test_what_counts_as_rest(law):
    """Below any speed at which a law changes, by the unit of time."""
    numbers = law.values()
    rest = [
        type(law).rest(SimpleNamespace(**{n: x * u for n, x in numbers.items()})) for u in (1, 1e-6)
    ]
    assert rest[1] == pytest.approx(1e-6 * rest[0])
    least = min(numbers[n] for n in ("v0", "v1", "v_s", "v_d") if numbers.get(n))
    assert 0 < rest[0] <= 1e-6 * least

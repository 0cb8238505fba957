"""Squeeze-film dampers on circular orbits and in a rotor; a floating bush.

The damper: R 60 mm, c 0.1 mm, 0.01 Pa s, whirling at 600 rad/s.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    CylindricalFilm,
    Full,
    Groove,
    Guembel,
    LongBearing,
    Place,
    ShortBearing,
    circular_orbit,
    squeeze_film_damper,
)

from .balances import run

R, C, MU, WHIRL = 0.06, 1e-4, 0.01, 600.0


def short_damper(eps, length, part):
    """Stiffness and damping of a short damper with open ends on a circular orbit, part 1 (pi film)
    or 2 (full film), as books on rotordynamics print them (Vance 1988, Rotordynamics of
    Turbomachinery)."""
    unit = MU * R * (length / C) ** 3
    stiffness = 2 * unit * WHIRL * eps / (1 - eps**2) ** 2 if part == 1 else 0.0
    return stiffness, part * np.pi / 2 * unit / (1 - eps**2) ** 1.5


def long_damper(eps, length, part):
    """The same of a long damper, or one with sealed ends."""
    unit = MU * length * (R / C) ** 3 / (2 + eps**2)
    stiffness = 24 * unit * WHIRL * eps / (1 - eps**2) if part == 1 else 0.0
    return stiffness, part * 12 * np.pi * unit / (1 - eps**2) ** 0.5


@pytest.mark.parametrize("whirl", [WHIRL, -WHIRL])
@pytest.mark.parametrize("eps", [0.1, 0.7])
@pytest.mark.parametrize(("law", "part"), [(Guembel(), 1), (Full(), 2)])
def test_closed_forms(law, part, eps, whirl):
    for form, exact in ((ShortBearing, short_damper), (LongBearing, long_damper)):
        found = circular_orbit(form(R, 0.02, C, MU, law), eps * C, whirl)
        K, D = exact(eps, 0.02, part)
        assert found.stiffness == pytest.approx(K, rel=1e-9, abs=1e-9 * D * WHIRL)
        assert found.damping == pytest.approx(D, rel=1e-9)
        assert np.isnan(found.max_pressure)
        assert found.tangential < 0 <= found.stiffness + 1e-9 * D * WHIRL


@pytest.mark.parametrize("eps", [0.2, 0.6])
def test_open_ends(eps):
    """L/D = 1/24: within 1 % of the short damper (Ocvirk's limit)."""
    length = 2 * R / 24
    for law, part in ((Guembel(), 1), (Full(), 2)):
        film = squeeze_film_damper(R, length, C, MU, whirl=WHIRL, cells=(96, 16), cavitation=law)
        found = circular_orbit(film, eps * C, WHIRL)
        K, D = short_damper(eps, length, part)
        assert found.damping == pytest.approx(D, rel=0.01)
        assert found.stiffness == pytest.approx(K, rel=0.01, abs=1e-6 * D * WHIRL)


@pytest.mark.parametrize("eps", [0.2, 0.6])
def test_sealed_ends(eps):
    """Whatever the length, those of a long damper: with half a film if the pressure is ambient at
    the largest gap; with a full one if no gas can enter (then p >= 0 only fixes its level)."""
    length = R / 2
    film = squeeze_film_damper(R, length, C, MU, whirl=WHIRL, ends="sealed", cells=(192, 2))
    found = circular_orbit(film, eps * C, WHIRL)
    K, D = long_damper(eps, length, 2)
    assert found.damping == pytest.approx(D, rel=5e-4)
    assert abs(found.stiffness) < 1e-6 * D * WHIRL
    line = Groove(np.pi, 1e-3, length=length)
    film = squeeze_film_damper(
        R, length, C, MU, whirl=WHIRL, ends="sealed", cells=(192, 2), cavitation=Guembel(),
        grooves=[line],
    )  # fmt: skip
    found = circular_orbit(film, eps * C, WHIRL)
    K, D = long_damper(eps, length, 1)
    assert found.damping == pytest.approx(D, rel=2e-3)
    assert found.stiffness == pytest.approx(K, rel=2e-3)


def test_orbit_is_squeeze():
    """The same force as of a journal that moves around the centre and does not turn."""
    film = squeeze_film_damper(R, R / 2, C, MU, whirl=WHIRL, cells=(48, 8))
    found = circular_orbit(film, 0.5 * C, WHIRL)
    moving = Bearing(film).solve(Place(e=(0.5 * C, 0, 0), V=(0, 0.5 * C * WHIRL, 0)))
    np.testing.assert_allclose((found.radial, found.tangential), moving.force[:2], rtol=1e-6)
    assert found.max_pressure == pytest.approx(moving.pressure.max(), rel=1e-6)


def test_central_groove():
    """A ring groove in the middle makes two short dampers of half the length (open ends): a quarter
    of the damping."""
    length = R / 6
    ring = Groove(0.0, 2 * np.pi, length=length / 8)
    film = squeeze_film_damper(
        R, length, C, MU, whirl=WHIRL, cells=(48, 32), cavitation=Full(), grooves=[ring]
    )
    found = circular_orbit(film, 0.3 * C, WHIRL)
    land = (length - length / 8) / 2
    assert found.damping == pytest.approx(2 * short_damper(0.3, land, 2)[1], rel=0.01)


def test_holes_are_averaged():
    """A hole makes the force depend on the place in the orbit: the mean is that of turned holes."""

    def mean(angle, **more):
        hole = Groove(angle, np.pi / 12, 2e5, length=R / 8)
        film = squeeze_film_damper(R, R / 2, C, MU, whirl=WHIRL, cells=(48, 8), grooves=[hole])
        return circular_orbit(film, 0.3 * C, WHIRL, **more)

    one, turned = mean(0.0, angles=4), [mean(k * np.pi / 2) for k in range(4)]
    for name in ("radial", "tangential", "stiffness", "damping"):
        wanted = np.mean([getattr(z, name) for z in turned])
        assert getattr(one, name) == pytest.approx(wanted, rel=1e-6)
    assert one.max_pressure == pytest.approx(max(z.max_pressure for z in turned), rel=1e-6)
    assert abs(turned[0].radial - one.radial) > 1e-3 * abs(one.radial)


def test_inputs():
    for law in (Full(), Guembel()):
        with pytest.raises(fc.InputError, match="nothing determines the level"):
            squeeze_film_damper(R, R, C, MU, whirl=WHIRL, ends="sealed", cavitation=law)
    with pytest.raises(fc.InputError, match="ends"):
        squeeze_film_damper(R, R, C, MU, whirl=WHIRL, ends="closed")
    hole = Groove(0.0, np.pi / 6, 2e5, length=R / 4)
    film = squeeze_film_damper(
        R, R, C, MU, whirl=WHIRL, cells=(24, 8), cavitation=JFO(), grooves=[hole]
    )
    with pytest.raises(fc.InputError, match="is steady only if"):
        circular_orbit(film, 0.5 * C, WHIRL)
    with pytest.raises(fc.InputError, match="whirl must not be zero"):
        circular_orbit(ShortBearing(R, R, C, MU), 0.5 * C, 0.0)


# --- in mechanisms ------------------------------------------------------------------------------
def test_rotor_on_a_damper():
    """A whirling journal on a spring and a short damper under a rotating force stays on the orbit
    on which (k + K - m w^2 + i w C) e is the force: after a turn it is where it was."""
    mass, spring, eps, length = 10.0, 1e7, 0.5, 0.03
    K, D = short_damper(eps, length, 1)
    e = eps * C
    load = e * (spring + K - mass * WHIRL**2 + 1j * WHIRL * D)
    size, phase = abs(load), np.angle(load)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(mass, (1.0, 1.0, 1.0), position=(e, 0, 0), velocity=(0, e * WHIRL, 0),
                     name="journal")
    )  # fmt: skip
    housing = system.ground.at((0, 0, 0))
    film = ShortBearing(R, length, C, MU, sliding_speed=R * WHIRL)
    system.add(CylindricalFilm(housing, journal.center, (0, 0, 1), film=film, name="damper"))
    cage = np.diag([spring, spring, 1e7, 1e7, 1e7, 1e7])
    system.add(fc.Bushing(housing, journal.center, stiffness=cage, name="cage"))
    # the cage is without force at the start: what it would have there as one about the centre
    system.add(fc.Force(journal.center, (-spring * e, 0, 0), name="centred"))
    for k, direction in enumerate(((size, 0, 0), (0, size, 0))):
        wave = fc.functions.Harmonic(
            1.0, WHIRL / (2 * np.pi), phase + (np.pi / 2 if k == 0 else 0.0)
        )
        system.add(fc.Force(journal.center, direction, wave, name=f"load{k}"))
    period = 2 * np.pi / WHIRL
    stepper = run(system, period / 400, period)
    found = [stepper.channels[f"journal.{x}"] for x in "xy"]
    np.testing.assert_allclose(found, (e, 0), atol=2e-3 * e)


def test_floating_bush():
    """A free ring between two concentric films turns so fast that Petroff's moments are equal:
    omega_ring / omega = 1 / (1 + (R_o^3 L_o c_i) / (R_i^3 L_i c_o))."""
    inner, outer = (0.02, 0.02, 4e-5), (0.03, 0.025, 6e-5)
    omega = 100.0
    drag = [2 * np.pi * MU * r**3 * length / c for r, length, c in (inner, outer)]
    inertia = 1e-5
    system = fc.System(gravity=(0, 0, 0))
    housing = system.ground.at((0, 0, 0))
    ring = system.add(fc.RigidBody(0.1, (1.0, 1.0, inertia), name="ring"))
    shaft = system.add(
        fc.RigidBody(1.0, (1e3, 1e3, 1e3), angular_velocity=(0, 0, omega), name="shaft")
    )
    for name, (r, length, c), i, j in (
        ("outer", outer, housing, ring.center), ("inner", inner, ring.center, shaft.center)
    ):  # fmt: skip
        film = ShortBearing(r, length, c, MU, Full(), sliding_speed=r * omega)
        system.add(CylindricalFilm(i, j, (0, 0, 1), film=film, name=name))
    settle = inertia / sum(drag)
    stepper = run(system, settle / 20, 15 * settle)
    ratio = 1 / (1 + drag[1] / drag[0])
    moments = [stepper.channels[f"{name}.moment.z"] for name in ("inner", "outer")]
    assert moments[0] == pytest.approx(-drag[0] * omega * (1 - ratio), rel=1e-3)
    assert moments[1] == pytest.approx(-drag[1] * omega * ratio, rel=1e-3)

"""Derivatives of bearings in a steady state, against closed forms and differences of solutions."""

import dataclasses

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Asperities,
    Bearing,
    Full,
    Groove,
    Guembel,
    Liner,
    LongBearing,
    Place,
    Reynolds,
    ShortBearing,
    SteadyBearing,
    bearing_on,
    plain_bearing,
)

from .test_steady import derived, exponents

R = 15e-3
OIL = {"clearance": 2e-4, "viscosity": 0.04, "length": 15e-3, "speed": 100.0, "load": 50.0}


def closed(form):
    def model(p):
        bearing = form(R, p["length"], p["clearance"], p["viscosity"])
        return SteadyBearing(bearing, load=(0, -p["load"]), speed=p["speed"])

    return model


def short(eps):
    """Ocvirk (1953): load by mu omega R L^3 / c^2, half of the film broken."""
    root = np.sqrt(16 * eps**2 + np.pi**2 * (1 - eps**2))
    return eps * root / (4 * (1 - eps**2) ** 2)


def long(eps):
    """Half Sommerfeld: load by 6 mu omega R^3 L / c^2, half of the film broken."""
    root = np.sqrt(4 * eps**2 + np.pi**2 * (1 - eps**2))
    return eps * root / ((2 + eps**2) * (1 - eps**2))


@pytest.mark.parametrize(
    ("form", "law", "unit", "by_length"),
    [
        (ShortBearing, short, lambda c: R / c**2, 3),
        (LongBearing, long, lambda c: 6 * R**3 / c**2, 1),
    ],
    ids=["short", "long"],
)  # fmt: skip
def test_sommerfeld_number_of_closed_forms(form, law, unit, by_length):
    """At a given load S(eps) ~ viscosity speed L^n / (c^2 load) fixes the eccentricity ratio: what
    each number does to log S it does to eps by 1 / (d log S / d eps)."""
    _, d = derived(closed(form), OIL, ["eccentricity_ratio", "friction_torque"])
    eps, torque = d.values
    c, mu, L, omega, load = OIL.values()
    assert law(eps) * mu * omega * L**by_length * unit(c) == pytest.approx(load, rel=1e-6)
    slope = (np.log(law(eps + 1e-6)) - np.log(law(eps - 1e-6))) / 2e-6
    loads = np.array([2, -1, -by_length, -1, 1])  # of log law(eps), by log of each number
    assert d.scaled[0] == pytest.approx(loads / slope, rel=1e-6)
    # moment: shear 2 pi mu R^3 L omega / (c sqrt(1 - eps^2)), and half of e x load
    sine = np.sqrt(1 - eps**2)
    shear = 2 * np.pi * mu * R**3 * L * omega / c / sine
    by_eps = shear * eps / sine**2 * d.scaled[0]
    own = shear * np.array([-1, 1, 1, 1, 0]) + by_eps
    s = fc.SteadySensitivity(closed(form), at=OIL, of="ex")
    across = s.forward()  # the load acts along -y: half of its moment is load ex / 2
    own += (across.scaled[0] * load + across.values[0] * load * np.array([0, 0, 0, 0, 1])) / 2
    assert torque == pytest.approx(shear + across.values[0] * load / 2, rel=1e-6)
    assert d.scaled[1] == pytest.approx(own, rel=1e-6, abs=1e-9 * torque)


def test_coefficients_of_a_short_bearing():
    """At a given eccentricity ratio K ~ mu omega R L^3 / c^3, C ~ mu R L^3 / c^3; the force
    ~ mu omega L^3 / c^2 and the Sommerfeld number of a given load ~ 1 / c^2."""

    def model(p):
        bearing = ShortBearing(R, p["length"], p["clearance"], p["viscosity"])
        place = Place(e=(0.6 * p["clearance"], 0, 0), Omega=(0, 0, p["speed"]))
        return SteadyBearing(bearing, place=place)

    at = {n: OIL[n] for n in ("clearance", "viscosity", "length", "speed")}
    of = ["force", "stiffness.xx", "stiffness.yx", "damping.xx", "damping.xy"]
    _, d = derived(model, at, of)
    right = [[-2, 1, 3, 1], [-3, 1, 3, 1], [-3, 1, 3, 1], [-3, 1, 3, 0], [-3, 1, 3, 0]]
    assert exponents(d) == pytest.approx(np.array(right, float), abs=1e-7)


def test_coefficients_under_a_load():
    """Where the place follows the load, against central differences of fourth order."""
    of = ["stiffness.xx", "stiffness.xy", "damping.yy"]
    _, d = derived(closed(ShortBearing), OIL, of)
    for k, (name, value) in enumerate(OIL.items()):
        total, h = np.zeros(len(of)), 1e-3 * value
        for j, w in ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)):
            film = closed(ShortBearing)(OIL | {name: value + j * h}).solve()
            K, C = film.stiffness, film.damping
            total += w / h * np.array([K[0, 0], K[0, 1], C[1, 1]])
        assert d.jacobian[:, k] == pytest.approx(total, rel=1e-6)


# --- films ----------------------------------------------------------------------------------------
def film(p, cavitation, cells=(24, 4), **more):
    return plain_bearing(
        R, p["length"], p["clearance"], p["viscosity"], sliding_speed=1.5, cells=cells,
        cavitation=cavitation, **more,
    )  # fmt: skip


def held(cavitation):
    def model(p):
        place = Place(e=(0.6 * p["clearance"], 0, 0), Omega=(0, 0, p["speed"]))
        return SteadyBearing(film(p, cavitation), place=place)

    return model


@pytest.mark.parametrize("cavitation", [Full(), Guembel(), Reynolds()])
def test_dimensions_of_a_film(cavitation):
    """At a given eccentricity ratio and length the force, and by it 1 / S, is ~ mu omega / c^2, the
    torque ~ mu omega / c, the flow ~ omega c, the pressure ~ mu omega / c^2, K ~ mu omega / c^3."""
    at = {n: OIL[n] for n in ("clearance", "viscosity", "speed", "length")}
    of = ["force", "friction_torque", "max_pressure", "min_film"]
    right = [[-2, 1, 1], [-1, 1, 1], [-2, 1, 1], [1, 0, 0]]
    if not isinstance(cavitation, Full):  # whose net flow is zero
        of, right = [*of, "side_flow"], [*right, [1, 0, 1]]
    if not isinstance(cavitation, Reynolds):
        of, right = [*of, "stiffness.yx"], [*right, [-3, 1, 1]]
    _, d = derived(held(cavitation), at, of)
    assert exponents(d)[:, :3] == pytest.approx(np.array(right, float), abs=1e-7)


def test_dimensions_of_rough_surfaces():
    """The oil alone, at a given eccentricity ratio: clearance and roughness together do what the
    clearance does between smooth surfaces. A roughness of half the least distance costs load."""

    def model(p):
        rough = Asperities(p["roughness"], 1e-3)
        oil = dataclasses.replace(film(p, Guembel()), asperities=rough)
        place = Place(e=(0.98 * p["clearance"], 0, 0), Omega=(0, 0, p["speed"]))
        return SteadyBearing(oil, place=place)

    at = {n: OIL[n] for n in ("clearance", "viscosity", "speed", "length")} | {"roughness": 2e-6}
    _, d = derived(model, at, ["force", "friction_torque", "stiffness.yx"])
    found = exponents(d)
    assert found[:, 0] + found[:, 4] == pytest.approx([-2, -1, -3], abs=1e-7)
    assert found[:, 1] == pytest.approx([1, 1, 1], abs=1e-7)
    assert found[0, 4] < -1e-3


@pytest.mark.parametrize("cavitation", [Guembel(), Reynolds(), JFO()])
def test_taylor_remainder_of_a_film_under_load(cavitation):
    """Bore of three lobes, an oil groove at a pressure: what the derivatives leave falls with
    order 2. (Larger parts move the edge of the film over nodes.)"""

    def model(p):
        def lobes(x):
            return p["lobe"] * np.cos(1.5 * np.arctan2(x[:, 1], x[:, 0])) ** 2

        groove = Groove(np.pi / 2, 0.4, p["supply"])
        whole = film(p, cavitation, grooves=[groove])
        whole = dataclasses.replace(whole, recess=lobes)
        return SteadyBearing(whole, load=(0, -p["load"]), speed=p["speed"])

    at = OIL | {"lobe": 2e-5, "supply": 2e5, "length": 30e-3, "load": 100.0}
    of = ["ex", "ey", "friction_torque", "side_flow", "max_pressure", "min_film"]
    if not isinstance(cavitation, Guembel):
        of = [z for z in of if z != "min_film"]
    s, _ = derived(model, at, of)
    test = s.check(0.1 * np.ones(len(at)))
    assert np.all(test.orders[2:] > 1.9)


@pytest.mark.parametrize("cavitation", [Guembel(), Reynolds()])
def test_friction_beside_a_moving_edge(cavitation):
    """A journal that also approaches: the edge of the film moves with that speed. With Guembel's
    condition its shear jumps there, which the derivative leaves out, and it says so."""

    def model(p):
        c, speed = OIL["clearance"], OIL["speed"]
        place = Place(e=(0.6 * c, 0.1 * c, 0), V=(p["v"] * c * speed, 0, 0), Omega=(0, 0, speed))
        return SteadyBearing(film(OIL, cavitation, (48, 8)), place=place)

    s, d = derived(model, {"v": 0.2}, ["friction_torque", "force"])
    ends = [s.run([0.2 + z]).outputs for z in (0.1, -0.1)]
    error = np.abs(d.jacobian[:, 0] / (np.subtract(*ends) / 0.2) - 1)
    assert error[1] < 0.02
    said = any("friction_torque: the shear of a film with Guembel()" in note for note in d.notes)
    assert said == (error[0] > 0.5) == isinstance(cavitation, Guembel)


def test_coefficients_that_jump_are_refused():
    at = {n: OIL[n] for n in ("clearance", "viscosity", "speed", "length")}
    with pytest.raises(fc.InputError, match="coefficients jump with it"):
        fc.SteadySensitivity(held(Reynolds()), at=at, of="stiffness.xx").forward()
    with pytest.raises(fc.InputError, match="load .* or place"):
        SteadyBearing(ShortBearing(R, R, 2e-4, 0.04))
    with pytest.raises(fc.InputError, match="speed of the journal"):
        SteadyBearing(ShortBearing(R, R, 2e-4, 0.04), load=(0, -1))


def test_reduced_liners_by_their_material():
    """The vectors to which a liner is condensed turn arbitrarily from model to model (pairs of a
    round bore): by its modulus there is no derivative, by the clearance there is."""

    def model(p):
        mesh = fc.meshes.hollow_cylinder(R, 25e-3, 14e-3, (16, 2, 1))
        law = fc.StVenantKirchhoff(E=p["E"], nu=0.3, rho=8800.0)
        solid = fc.CondensedSolid(mesh, law, clamped="rim", facets="bore", direction="normal")
        liner = Liner(solid)
        whole = bearing_on(liner.surface(), p["clearance"], 0.04, sliding_speed=1.5)
        place = Place(e=(1.2e-4, 0, 0), Omega=(0, 0, 100.0))
        return SteadyBearing(Bearing(whole, liner), place=place)

    at = {"clearance": 2e-4, "E": 2e9}
    s = fc.SteadySensitivity(model, at=at, by="E", of="force")
    with pytest.raises(fc.InputError, match="E changes the responses of a condensed solid"):
        s.forward()
    s, _ = derived(model, at, ["force", "max_pressure"], by="clearance")
    assert np.all(s.check(0.1 * np.ones(1)).orders[2:] > 1.9)

"""Films of sockets and pads, films that fade, asperities: forces and Reynolds' equation by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gamma, pbdv

from fem_clearance.lubrication import (
    JFO,
    Asperities,
    Film,
    Full,
    Lubricant,
    Streamers,
    cap,
    pad,
    pad_film,
)
from fem_clearance.lubrication.film.asperities import contacts
from fem_clearance.lubrication.film.thickness import FlatGap, SphereGap

from .films import MU, UNIT, C, Held, R, close


def test_socket_of_a_ball():
    """A spherical film: -p n and shear, about the centre."""
    film = Film(cap(R, 1.2, (10, 10)), C, Lubricant(MU), Full(), {"rim": 0.0},
                sliding_speed=100 * R,
                gap=SphereGap())  # fmt: skip
    e, V, omega = (
        np.array([0.2, -0.1, 0.4]) * C,
        np.array([3e-3, -2e-3, 5e-3]),
        np.array([20, -30, 90]),
    )

    def pressure(x):
        return UNIT * (0.3 + x[:, 0] / R + 0.5 * x[:, 1] * x[:, 2] / R**2)

    held = Held(film, e, (0, 0), V, omega, pressure)
    mu, w = np.polynomial.legendre.leggauss(60)
    low = np.cos(1.2)
    cosine, per = (1 + low) / 2 + mu * (1 - low) / 2, w * (1 - low) / 2
    phi = 2 * np.pi * (np.arange(240) + 0.5) / 240
    cosine, phi = (g.ravel() for g in np.meshgrid(cosine, phi, indexing="ij"))
    per = np.repeat(per, 240) * 2 * np.pi / 240 * R**2
    sine = np.sqrt(1 - cosine**2)
    n = np.stack([sine * np.cos(phi), sine * np.sin(phi), cosine], 1)
    h, U = C - n @ e, np.cross(omega, R * n)
    whole = np.stack([np.full(len(n), UNIT / R), 0.5 * UNIT * R * n[:, 2] / R**2,
                      0.5 * UNIT * R * n[:, 1] / R**2], 1)  # fmt: skip
    slope = whole - np.sum(whole * n, axis=1)[:, None] * n
    parts = [-pressure(R * n)[:, None] * n, -MU * U / h[:, None], -(h / 2)[:, None] * slope]
    for rows, arm in ((slice(0, 3), None), (slice(3, 6), R * n)):
        totals = [per @ (z if arm is None else np.cross(arm, z)) for z in parts]
        close(held.force[rows], *(totals if arm is None else totals[1:]), tolerance=5e-3)
    q = lambda x: 1 + x[:, 1] / R - 0.5 * x[:, 0] / R  # noqa: E731
    q_slope = np.array([-0.5, 1, 0]) / R - np.outer(n @ np.array([-0.5, 1, 0]) / R, np.ones(3)) * n
    terms = [
        per @ (q(R * n) * -(n @ V)), per @ (h**3 / (12 * MU) * np.sum(q_slope * slope, axis=1)),
        -per @ (h / 2 * np.sum(q_slope * U, axis=1)),
    ]  # fmt: skip
    close(held.rows[held.pressure] @ q(held.places), *terms, tolerance=5e-3)


def test_flat_pad():
    """A pad over a leaning plane: h = c - e_3 + t . x, force and moment about the pad's middle."""
    a, b = 0.1, 0.04
    film = pad_film(a, b, C, MU, sliding_speed=10.0, cells=(48, 24), cavitation=Full())
    t = np.array([8e-5, -1.1e-4])
    e, V, omega = (
        np.array([0, 0, 0.3 * C]),
        np.array([-9.0, 3.0, 2e-3]),
        np.array([0.03, -0.05, 60.0]),
    )
    unit = film.pressure_unit

    def pressure(x):
        return unit * (0.3 + 4 * x[:, 0] / a - x[:, 1] / b + 3 * (x[:, 0] / a) ** 2)

    held = Held(film, e, t, V, omega, pressure)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    (x, wx), (y, wy) = ((s / 2 * nodes, s / 2 * weights) for s in (a, b))
    x, y = (g.ravel() for g in np.meshgrid(x, y, indexing="ij"))
    per = np.outer(wx, wy).ravel()
    place = np.stack([x, y, 0 * x], 1)
    h = C - e[2] + place[:, :2] @ t
    speed = V + np.cross(omega, place)
    normal = np.array([*t, np.sqrt(1 - t @ t)])
    U = speed * (1, 1, 0)
    slope = unit * np.stack([4 / a + 6 * x / a**2, -1 / b + 0 * x, 0 * x], 1)
    parts = [-pressure(place)[:, None] * normal, -MU * U / h[:, None], -(h / 2)[:, None] * slope]
    force = [per @ z for z in parts]
    moment = [per @ np.cross(place, z) for z in parts]
    close(held.force, *(np.r_[f, m] for f, m in zip(force, moment, strict=True)))
    q = 1 + 2 * held.places[:, 0] / a - held.places[:, 1] / b
    q_here, q_slope = 1 + 2 * x / a - y / b, np.array([2 / a, -1 / b, 0])
    terms = [
        -per @ (q_here * (speed @ normal)), per @ (h**3 / (12 * MU) * (slope @ q_slope)),
        -per @ (h / 2 * (U @ q_slope)),
    ]  # fmt: skip
    close(held.rows[held.pressure] @ q, *terms)


def test_pad_that_fades():
    """Thinner than ``least`` the film is thicker than the surfaces' distance, and its pressure acts
    with dh/dd (fading.py)."""
    a, b = 0.1, 0.04
    film = pad_film(a, b, C, MU, sliding_speed=10.0, cells=(8, 4), cavitation=Full(), least=0.5 * C)
    d = 0.3 * C
    V = np.array([-9.0, 0.0, 2e-3])
    unit = film.pressure_unit
    held = Held(film, (0, 0, C - d), (0, 0), V, (0, 0, 0), lambda x: unit * (1 + x[:, 0] / a))
    h, part = 0.25 * C * (1 + 0.6**2), 0.6
    pressing = -unit * part * a * b
    assert held.force[2] == pytest.approx(pressing)
    shear = MU * 9.0 / h * a * b - h / 2 * unit / a * a * b
    assert held.force[0] == pytest.approx(shear)
    # the sum of Reynolds' rows is the squeezed volume
    squeezed = -part * V[2] * a * b
    assert held.rows[held.pressure].sum() == pytest.approx(squeezed)


@pytest.mark.parametrize("cavitation", [Full(), JFO(), Streamers()])
def test_flow_into_a_pad_and_its_power(cavitation):
    """A supply at one edge of an even film, pressure falling to the other, a void of even thickness
    g: h^3/(12 mu) p_s/a and (h - g) U/2 flow in per width; the supply feeds p_s times that. Heat is
    what the guide loses, (mu U^2/h - h/2 p_s/a U) a b, and the feed. Streamers shear a part 1 - g/h
    of the area."""
    a, b, U, supply = 0.1, 0.04, 0.2, 2e7
    film = Film(pad(a, b, (5, 2), start=(-a / 2, -b / 2)), C, Lubricant(MU), cavitation,
                {"x0": supply}, sliding_speed=0.2, gap=FlatGap())  # fmt: skip
    h, g = 0.7 * C, 0.0 if isinstance(cavitation, Full) else 0.2 * C
    void = (lambda x: np.full(len(x), g)) if g else None
    held = Held(film, (0, 0, C - h), (0, 0), (U, 0, 0), (0, 0, 0),
                lambda x: supply * (0.5 - x[:, 0] / a), void)  # fmt: skip
    flow = (h**3 / (12 * MU) * supply / a + (h - g) * U / 2) * b
    wet = 1 - g / h if isinstance(cavitation, Streamers) else 1.0
    lost = (wet * MU * U**2 / h - h / 2 * supply / a * U) * a * b
    assert held.channel("supply_power") == pytest.approx(supply * flow)
    assert held.channel("power_loss") == pytest.approx(lost + supply * flow)
    assert min(abs(lost), supply * flow) > 0.1 * abs(lost + supply * flow)
    if g:
        assert held.channel("content") == pytest.approx((h - g) * a * b)
        assert held.channel("inflow") == pytest.approx(flow)


# --- asperities ---------------------------------------------------------------------------------
ROUGH = Asperities(roughness=8e-6, modulus=1.1e11, density=0.05, sharpness=1e-2, friction=0.1,
                   slip=1.0)  # fmt: skip


def greenwood_tripp(distance, n=2.5):
    """F_n by parabolic cylinder functions, times the law's factor, Pa."""
    z = distance / ROUGH.roughness
    F = np.exp(-z * z / 4) * gamma(n + 1) * pbdv(-(n + 1), z)[0] / np.sqrt(2 * np.pi)
    factor = 16 * np.sqrt(2) * np.pi / 15 * ROUGH.density**2 * np.sqrt(ROUGH.sharpness)
    return factor * ROUGH.modulus * F


def test_asperities():
    """On a flat pad at an even distance: pressure, friction mu p U / sqrt(U^2 + slip^2), its power,
    the elastic energy; the shear of the oil that is on average between the surfaces."""
    a, b, U = 0.1, 0.04, 2.0
    film = replace(
        pad_film(a, b, C, MU, sliding_speed=10.0, cells=(4, 2), cavitation=Full()), asperities=ROUGH
    )
    distance = 0.7 * ROUGH.roughness
    held = Held(film, (0, 0, C - distance), (0, 0), (-U, 0, 3e-3), (0, 0, 0))
    p = greenwood_tripp(distance)
    friction = 0.1 * p * U / np.hypot(U, 1.0)
    oil = quad(lambda s: (0.7 - s) * np.exp(-s * s / 2) / np.sqrt(2 * np.pi), -12, 0.7)[0]
    viscous = MU * U / (oil * ROUGH.roughness)
    assert held.force[2] == pytest.approx(-p * a * b, rel=1e-5)
    assert held.force[0] == pytest.approx((friction + viscous) * a * b, rel=1e-5)
    assert friction > 0.2 * viscous
    assert held.channel("asperity_force") == pytest.approx(p * a * b, rel=1e-5)
    lost = held.channel("asperity_friction_loss")
    assert lost == pytest.approx(friction * U * a * b, rel=1e-5)
    energy = quad(greenwood_tripp, distance, 8 * ROUGH.roughness, epsabs=0)[0] * a * b
    assert held.channel("asperity_energy") == pytest.approx(energy, rel=1e-4)


@pytest.mark.parametrize("depth", [4.5, 8.0, 20.0])
def test_asperities_pressed_deep(depth):
    """Mean planes that have passed each other: the same by quadrature of (s + depth)^n over heights
    s of a normal distribution."""
    for n in (2.5, 3.5):
        whole = quad(lambda s, n=n: (s + depth) ** n * np.exp(-s * s / 2), -depth, 12, epsabs=0,
                     points=[0.0])[0]  # fmt: skip
        assert contacts(np.array(-depth), n, np) == pytest.approx(whole / np.sqrt(2 * np.pi), 1e-5)

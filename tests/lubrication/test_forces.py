"""Films: forces of a given pressure and a given motion, and Reynolds' equation, by hand.

No film is solved: nodes get a smooth pressure, the port gets a motion, and what the residual makes
of both is held against integrals over the exact surface, of stresses written in NumPy. Cells are
fine enough for 3e-3."""

from dataclasses import replace

import numpy as np
import pytest
import ufl
from scipy.integrate import quad
from scipy.special import gamma, pbdv

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Asperities,
    Barus,
    CylindricalFilm,
    DowsonHigginson,
    Film,
    Full,
    Guembel,
    LongBearing,
    Lubricant,
    Place,
    Reynolds,
    Roelands,
    ShortBearing,
    SphericalSqueeze,
    Streamers,
    cap,
    cylinder,
    pad_film,
)
from fem_clearance.lubrication.bearing import HeldFilm
from fem_clearance.lubrication.closed_spherical import bracket
from fem_clearance.lubrication.fading import faded
from fem_clearance.lubrication.gap import SphereGap
from fem_clearance.lubrication.transition import dry_share, film_share, shared_energy

from ..forces import TURN, Bench, numbers, residuals_only, value

# --- laws ---------------------------------------------------------------------------------------


def test_viscosity_laws():
    """Barus (1893) and Roelands (1966), the latter with mu in Pa s and p in Pa."""
    p, mu = 2e8, 0.04
    law = Barus(mu, alpha=1.8e-8)
    found = value(law.at(ufl.as_ufl(p), numbers(viscosity=mu, alpha=1.8e-8)))
    assert found == pytest.approx(mu * np.exp(1.8e-8 * p))
    law = Roelands(mu, z=0.65)
    found = value(law.at(ufl.as_ufl(p), numbers(viscosity=mu, z=0.65)))
    assert np.log(found / mu) == pytest.approx((np.log(mu) + 9.67) * ((1 + p / 1.96e8) ** 0.65 - 1))
    assert value(Lubricant(mu).at(ufl.as_ufl(p), numbers(viscosity=mu))) == mu


def test_density_law():
    """Dowson and Higginson (1966): 1 + 0.6 p / (1 + 1.7 p), p in GPa."""
    law = DowsonHigginson()
    for p, wanted in ((0.5, 1 + 0.3 / 1.85), (-0.5, 1.0)):
        assert value(law.at(ufl.as_ufl(1e9 * p), numbers(**law.values()))) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("d", "h"), [(3e-6, 3e-6), (0.8e-6, (2e-6 + 0.8e-6**2 / 2e-6) / 2), (-1e-6, 1e-6)]
)
def test_fading(d, h):
    """h = d from least on, least/2 (1 + (d/least)^2) below, least/2 where surfaces overlap."""
    assert value(faded(ufl.as_ufl(d), ufl.as_ufl(2e-6))) == pytest.approx(h)


@pytest.mark.parametrize(("depth", "dry"), [(-1e-6, 0), (0.5e-6, 0.25), (3e-6, 1)])
def test_shares_of_film_and_dry_contact(depth, dry):
    """Tian et al. (2009) eq. (35); the energy is the integral of the force that acts."""
    band, K = 2e-6, 1e9
    d = ufl.as_ufl(depth)
    assert value(dry_share(d, band)) == pytest.approx(dry)
    assert value(film_share(d, band)) == pytest.approx(1 - dry)
    energy = value(shared_energy(lambda x: K * abs(x) ** 2.5 / 2.5, d, band))
    work = quad(lambda x: min(x / band, 1) * K * x**1.5, 0, max(depth, 0), epsabs=0)[0]
    assert energy == pytest.approx(work, rel=1e-6)


# --- closed forms -------------------------------------------------------------------------------
R, L, C, MU = 15e-3, 9e-3, 2e-5, 0.04
PLACES = [
    ((0.5 * C, 0.3 * C), (0.0, 0.0), 100.0),
    ((-0.2 * C, 0.4 * C), (30 * C, -25 * C), 80.0),
    ((0.3 * C, 0.0), (-20 * C, 10 * C), 0.0),
]


def around(function):
    """Integral over one turn, by the trapezoidal rule."""
    phi = 2 * np.pi * np.arange(20000) / 20000
    return np.mean(function(phi), axis=-1) * 2 * np.pi


def moving(e, V, omega, phi):
    """Thickness and Reynolds' right-hand side, omega/2 dh/dphi + dh/dt."""
    h = C - e[0] * np.cos(phi) - e[1] * np.sin(phi)
    rate = -(V[0] * np.cos(phi) + V[1] * np.sin(phi))
    return h, omega / 2 * (e[0] * np.sin(phi) - e[1] * np.cos(phi)) + rate


@pytest.mark.parametrize("cavitation", [Full(), Guembel()])
@pytest.mark.parametrize("place", PLACES)
def test_short_bearing(place, cavitation):
    """Ocvirk's parabola along the axis, integrated round the bearing (the positive half of it)."""
    e, V, omega = place

    def force(phi):
        h, source = moving(e, V, omega, phi)
        mean = -12 * MU * source / h**3 * L**3 / 12  # integral along the axis
        if isinstance(cavitation, Guembel):
            mean = np.maximum(mean, 0)
        return -mean * R * np.array([np.cos(phi), np.sin(phi)])

    film = ShortBearing(R, L, C, MU, cavitation)
    at = Place(e=(*e, 0), V=(*V, 0), Omega=(0, 0, omega))
    exact = around(force)
    np.testing.assert_allclose(film.force(at)[:2], exact, atol=1e-6 * np.linalg.norm(exact), rtol=0)
    shear = around(lambda phi: -MU * omega * R**3 * L / moving(e, V, omega, phi)[0])
    # of the pressure on the bearing's side half of the couple of the force, on the journal's half
    couple = -(e[0] * exact[1] - e[1] * exact[0]) / 2
    assert film.moment(at)[2] == pytest.approx(shear + couple, rel=1e-6)


@pytest.mark.parametrize("place", PLACES)
def test_long_bearing(place):
    """Sommerfeld: Reynolds' equation round the bearing integrated twice, the pressure periodic."""
    e, V, omega = place
    phi = np.linspace(0, 2 * np.pi, 40001)
    h, source = moving(e, V, omega, phi)

    def integral(f):
        return np.r_[0, np.cumsum((f[1:] + f[:-1]) / 2) * (phi[1] - phi[0])]

    inflow = integral(12 * MU * R**2 * source)
    constant = -integral(inflow / h**3)[-1] / integral(1 / h**3)[-1]
    p = integral((inflow + constant) / h**3)
    force = [-integral(p * f(phi))[-1] * R * L for f in (np.cos, np.sin)]
    film = LongBearing(R, L, C, MU, Full())
    found = film.force(Place(e=(*e, 0), V=(*V, 0), Omega=(0, 0, omega)))
    np.testing.assert_allclose(found[:2], force, atol=1e-6 * np.linalg.norm(force), rtol=0)


def test_half_of_the_long_bearing():
    """Half Sommerfeld: the half turn before the smallest gap, whose pressure is 0 there."""
    e = np.array([0.4 * C, 0.3 * C])
    eps, line = 0.5, np.arctan2(e[1], e[0])
    k = 6 * MU * 100.0 * (R / C) ** 2

    def p(x):  # x from the smallest gap; Sommerfeld's closed form
        return -k * eps * (2 - eps * np.cos(x)) * np.sin(x) / (
            (2 + eps**2) * (1 - eps * np.cos(x)) ** 2
        )  # fmt: skip

    along, across = (
        quad(lambda x, f=f: -p(x) * f(x), -np.pi, 0, epsabs=0)[0] * R * L for f in (np.cos, np.sin)
    )
    u, t = np.array([np.cos(line), np.sin(line)]), np.array([-np.sin(line), np.cos(line)])
    found = LongBearing(R, L, C, MU).force(Place(e=(*e, 0), Omega=(0, 0, 100.0)))
    np.testing.assert_allclose(found[:2], along * u + across * t, rtol=1e-8)


@pytest.mark.parametrize("eps", [0.05, 0.6])
def test_bracket_of_the_squeezed_ball(eps):
    """Tian et al. (2009) eqs. (31)-(34), written as the integral of the film's pressure over the
    hemisphere: p = 3 mu R^2 V (1/h^2 - 1/c^2) / (c eps) with h = c (1 - eps cos)."""
    x = quad(lambda c: (1 / (1 - eps * c) ** 2 - 1) * c, 0, 1, epsabs=0)[0] / eps
    assert value(bracket(ufl.as_ufl(eps))) == pytest.approx(x, rel=1e-9)
    film = SphericalSqueeze(MU)
    assert film.force(R, C, eps, 3.0) == pytest.approx(6 * np.pi * MU * R**4 / C**2 * 3.0 * x)


# --- a film with a given pressure ---------------------------------------------------------------
TIME_STEP = 1e-4
E, T = np.array([0.35 * C, -0.2 * C, 0.1 * L]), np.array([0.3, -0.4]) * C / L
V, OMEGA = np.array([4e-3, 6e-3, 0.9]), np.array([0.8, -1.1, 100.0])
UNIT = MU * R * 100 * R / C**2


def bore(cavitation=None, lubricant=None, **more):
    surface = cylinder(R, L, (96, 24))
    return Film(surface, C, lubricant or Lubricant(MU), cavitation or Full(), {"z0": 0.0},
                speed=100 * R, **more)  # fmt: skip


class Held:
    """A film whose port is held at a motion; ``rows`` of its residual."""

    def __init__(self, film, e=E, t=T, V=V, Omega=OMEGA, pressure=None, other=None):
        self.system = fc.System(gravity=(0, 0, 0))
        self.item = self.system.add(HeldFilm(film, name="film"))
        with residuals_only():
            self.state = self.system.assemble()
        self.film, self.places = film, film.surface.nodes
        self.port = np.concatenate([self.at(b) for b in self.item.port])
        self.state.q[self.port] = np.r_[e, t, V, Omega]
        self.pressure, other_block = self.at(self.item.pressure), self.item.complement
        self.other = self.at(other_block) if other_block else None
        if pressure is not None:
            self.state.q[self.pressure] = pressure(self.places)
        if other is not None:
            self.state.q[self.other] = other(self.places)
        self.state.q_n[:] = self.state.q

    def at(self, block):
        return self.state.locate(block.numbers)

    @property
    def rows(self):
        return self.state.residual()

    @property
    def force(self):
        """Force and moment on the journal."""
        return -self.rows[self.port[5:]]

    def channel(self, name):
        self.system.channels.read()
        return self.system.channels[f"film.{name}"]


def smooth(x):
    """A pressure of both signs whose gradient acts all round."""
    phi, z = np.arctan2(x[:, 1], x[:, 0]), x[:, 2] / L
    return UNIT * (0.4 + np.cos(phi - 0.4) + 0.5 * np.sin(2 * phi)) * (0.6 + 0.5 * z - z**2)


class Stresses:
    """The exact cylinder: places, normals, and the film there; ``per``: area of each place."""

    def __init__(self, e=E, t=T, V=V, Omega=OMEGA, pressure=smooth, mu=MU):
        count, along = 720, 48
        phi = 2 * np.pi * (np.arange(count) + 0.5) / count
        z, w = np.polynomial.legendre.leggauss(along)
        phi, z = (g.ravel() for g in np.meshgrid(phi, z * L / 2, indexing="ij"))
        self.per = np.tile(w, count) * L / 2 * 2 * np.pi * R / count
        self.n = np.stack([np.cos(phi), np.sin(phi), 0 * phi], 1)
        self.round = np.stack([-np.sin(phi), np.cos(phi), 0 * phi], 1)
        self.x, self.up = R * self.n + np.outer(z, [0, 0, 1]), np.array([0, 0, 1.0])
        self.axis = np.array([*t, 1.0])
        self.s = self.x[:, 2] - e[2]  # along the journal from its centre
        self.h = C - self.n[:, :2] @ e[:2] - self.s * (self.n[:, :2] @ t)
        arm = np.outer(self.s, self.axis) + R * self.n  # from the journal's centre to its surface
        self.arm = arm
        # normal of a leaning journal, outwards
        self.outward = self.n - np.outer(self.n[:, :2] @ t, self.up)
        # the thickness at a place of the bore falls with the journal's velocity along its normal;
        # what its turning does to the radius is of the next order in clearance / length
        self.rate = -np.sum((V + np.cross(Omega, np.outer(self.s, self.axis))) * self.outward, 1)
        slide = V * self.up + np.cross(Omega, self.x)
        self.U = slide - np.sum(slide * self.n, axis=1)[:, None] * self.n
        self.p, self.slope, self.mu = pressure(self.x), self.gradient(pressure), mu

    def gradient(self, field, d=1e-7):
        """Along the surface, by differences."""
        c, s = np.cos(d / R), np.sin(d / R)
        parts = []
        for sign in (1, -1):
            turned = self.x.copy()
            turned[:, 0] = c * self.x[:, 0] - sign * s * self.x[:, 1]
            turned[:, 1] = sign * s * self.x[:, 0] + c * self.x[:, 1]
            parts.append((field(turned), field(self.x + sign * d * self.up)))
        (a, b), (c_, d_) = parts
        slope = ((a - c_) / (2 * d))[:, None] * self.round
        return slope + ((b - d_) / (2 * d))[:, None] * self.up

    def total(self, traction):
        """Force and moment about the journal's centre of a traction on the journal."""
        return np.r_[self.per @ traction, self.per @ np.cross(self.arm, traction)]

    @property
    def pressing(self):
        return -self.p[:, None] * self.outward

    @property
    def shear(self):
        """On the journal: -mu U / h - h/2 grad p."""
        return -self.mu * self.U / self.h[:, None] - (self.h / 2)[:, None] * self.slope


def close(found, *parts, tolerance=3e-3):
    """A sum of terms, each component against the largest of its terms."""
    total, size = sum(parts), np.max(np.abs(parts), axis=0)
    np.testing.assert_allclose(found / size, total / size, atol=tolerance, rtol=0)


def test_force_of_a_given_pressure():
    """Across the axis: -p along the journal's normal, at its axis; shear counts in the moment, but
    as a force it is less by clearance / radius."""
    held, film = Held(bore(), pressure=smooth), Stresses()
    size, lever = np.abs(film.p) @ film.per, np.abs(film.p * film.s) @ film.per
    pressing = -film.p[:, None] * film.n
    force = (film.per @ pressing)[:2]
    moment = film.per @ (np.cross(np.outer(film.s, film.axis), pressing)
                         + np.cross(film.x, film.shear))  # fmt: skip
    np.testing.assert_allclose((held.force[:2] - force) / size, 0, atol=2e-3)
    np.testing.assert_allclose((held.force[3:5] - moment[:2]) / lever, 0, atol=2e-3)
    assert np.abs(held.force[[0, 1, 3, 4]] / (size, size, lever, lever)).min() > 0.01


def test_force_along_the_axis_and_moment_about_it():
    """Where pressure does not drown shear: -mu U/h - h/2 grad p along the journal's surface."""
    held, film = Held(bore(), pressure=smooth), Stresses()
    viscous = film.total(-film.mu * film.U / film.h[:, None])
    poiseuille = film.total(-(film.h / 2)[:, None] * film.slope)
    terms = [z[[2, 5]] for z in (film.total(film.pressing), viscous, poiseuille)]
    close(held.force[[2, 5]], *terms)
    assert np.abs(np.divide(terms[2], terms[1])).min() > 0.02


def test_axial_and_turning_drag_of_a_centred_journal():
    """No pressure: -mu 2 pi R L v / c along the axis, Petroff's -2 pi mu R^3 L omega / c about it;
    and what is dissipated."""
    v, omega = 0.7, 90.0
    held = Held(bore(), (0, 0, 0), (0, 0), (0, 0, v), (0, 0, omega))
    drag = MU * 2 * np.pi * R * L / C
    assert held.force[2] == pytest.approx(-drag * v, rel=2e-3)
    assert held.force[5] == pytest.approx(-drag * R**2 * omega, rel=2e-3)
    lost = drag * (v**2 + (R * omega) ** 2)
    assert held.channel("power_loss") == pytest.approx(lost, rel=2e-3)


def test_power_of_flow_along_the_axis():
    """A pressure that falls evenly along a centred journal: h^3/(12 mu) (dp/dz)^2 of heat."""
    held = Held(
        bore(), (0, 0, 0), (0, 0), (0, 0, 0), (0, 0, 0), lambda x: UNIT * (0.5 - x[:, 2] / L)
    )
    lost = C**3 / (12 * MU) * (UNIT / L) ** 2 * 2 * np.pi * R * L
    assert held.channel("power_loss") == pytest.approx(lost, rel=2e-3)


def test_guembel_lets_positive_pressures_act():
    """Half Sommerfeld: of pressure and of its gradient."""
    held, film = Held(bore(Guembel()), pressure=smooth), Stresses()
    acts = (film.p > 0)[:, None].astype(float)
    assert 0.2 < acts.mean() < 0.8
    viscous = film.total(-film.mu * film.U / film.h[:, None])
    poiseuille = film.total(-acts * (film.h / 2)[:, None] * film.slope)
    size = np.abs(film.p) @ film.per
    off = held.force[:2] - film.total(acts * film.pressing)[:2]
    np.testing.assert_allclose(off / size, 0, atol=2e-3)
    terms = [z[[2, 5]] for z in (film.total(acts * film.pressing), viscous, poiseuille)]
    close(held.force[[2, 5]], *terms, tolerance=6e-3)


def test_viscosity_of_the_pressure_acts():
    """Barus: the shear knows the viscosity at the place."""
    alpha = 0.5 / UNIT
    held = Held(bore(lubricant=Barus(MU, alpha)), pressure=smooth)
    film = Stresses(mu=MU)
    mu = MU * np.exp(alpha * film.p)
    viscous = film.total(-(mu / film.h)[:, None] * film.U)
    poiseuille = film.total(-(film.h / 2)[:, None] * film.slope)
    terms = [z[[2, 5]] for z in (film.total(film.pressing), viscous, poiseuille)]
    close(held.force[[2, 5]], *terms)


def weight(x):
    """A test function: nothing vanishes against it, and it is 0 at no node alone."""
    phi, z = np.arctan2(x[:, 1], x[:, 0]), x[:, 2] / L
    return 1.3 + np.cos(phi + 0.3) - 0.6 * np.sin(2 * phi - 0.2) + 0.7 * z * np.sin(phi)


def reynolds(held, rows):
    """The rows of Reynolds' equation against the weight."""
    return rows @ weight(held.places)


def test_reynolds_equation():
    """q dh/dt + grad q . (h^3/(12 mu) grad p - h U/2), against a smooth q."""
    held, film = Held(bore(), pressure=smooth), Stresses()
    q, slope = weight(film.x), film.gradient(weight)
    squeeze = film.per @ (q * film.rate)
    pushed = film.per @ (film.h**3 / (12 * MU) * np.sum(slope * film.slope, axis=1))
    dragged = -film.per @ (film.h / 2 * np.sum(slope * film.U, axis=1))
    close(reynolds(held, held.rows[held.pressure]), squeeze, pushed, dragged)


def test_reynolds_equation_of_a_compressible_lubricant():
    """Mass: rho dh/dt + h d(rho)/dt, and the flow times rho; p was half as high a step ago."""
    law = DowsonHigginson(0.3 / UNIT, 0.4 / UNIT)
    held = Held(bore(lubricant=Lubricant(MU, density=law)), pressure=smooth)
    held.state.q_n[held.pressure] = 0.5 * smooth(held.places)
    held.state.globals[-1] = 1 / TIME_STEP

    def density(p):
        pushed = np.maximum(p, 0)
        return 1 + 0.3 / UNIT * pushed / (1 + 0.4 / UNIT * pushed)

    film = Stresses()
    rho, before = density(film.p), density(film.p / 2)
    q, slope = weight(film.x), film.gradient(weight)
    terms = [
        film.per @ (q * rho * film.rate), film.per @ (q * film.h * (rho - before)) / TIME_STEP,
        film.per @ (rho * film.h**3 / (12 * MU) * np.sum(slope * film.slope, axis=1)),
        -film.per @ (rho * film.h / 2 * np.sum(slope * film.U, axis=1)),
    ]  # fmt: skip
    close(reynolds(held, held.rows[held.pressure]), *terms)


def test_complement_of_a_cavitating_film():
    """Swift and Stieber: Reynolds' rows hold what must flow in; the others the lesser of p and r,
    by the area of the node."""
    held = Held(bore(Reynolds()), pressure=smooth, other=lambda x: 3e-3 * weight(x))
    plain = Held(bore(), pressure=smooth)
    unit, flow = held.film.pressure_unit, held.film.rate_unit
    rows = held.rows
    area = L / 24 * 2 * np.pi * R / 96 * (1 - (np.pi / 96) ** 2 / 6)  # of a facet round the bore
    inner = np.abs(held.places[:, 2]) < 0.4 * L
    p, r = smooth(held.places) / unit, 3e-3 * weight(held.places) / flow
    # the two equations are exchanged, in units that leave them powers
    balance = rows[held.other] / (unit / flow)
    wanted = plain.rows[plain.pressure] - 3e-3 * weight(held.places) * area
    np.testing.assert_allclose(balance[inner], wanted[inner], atol=1e-3 * np.abs(wanted).max())
    found = rows[held.pressure][inner] / (flow * area) * flow / unit / unit * unit
    least = np.minimum(p, r)[inner]
    scale = found / least
    np.testing.assert_allclose(scale, scale.mean(), rtol=1e-3)
    assert scale.mean() == pytest.approx(flow, rel=2e-3) or scale.mean() > 0


@pytest.mark.parametrize("cavitation", [JFO(), Streamers()])
def test_film_that_conserves_its_lubricant(cavitation):
    """d(rho h - g)/dt + div((h - g) U/2 - h^3/(12 mu) grad p), the void g carried upwind (first
    order in the cells: 2 %); streamers shear only where there is oil."""
    void = 0.3 * C
    held = Held(bore(cavitation), pressure=smooth, other=lambda x: void * weight(x))
    film = Stresses()
    q, slope = weight(film.x), film.gradient(weight)
    g = void * q
    steady = [
        film.per @ (q * film.rate * (1 - g / film.h)),
        film.per @ (film.h**3 / (12 * MU) * np.sum(slope * film.slope, axis=1)),
        -film.per @ ((film.h - g) / 2 * np.sum(slope * film.U, axis=1)),
    ]
    close(reynolds(held, held.rows[held.pressure]), *steady, tolerance=3e-2)
    # in a step the content changes: it had been thicker by a tenth and held half the void
    held.state.q_n[held.other] *= 0.5
    held.state.q_n[held.port[:2]] = 0.9 * E[:2]
    held.state.globals[-1] = 1 / TIME_STEP
    before = Stresses(e=np.r_[0.9 * E[:2], E[2]])
    in_time = [
        film.per @ (q * (film.h - before.h)) / TIME_STEP,
        -film.per @ (q * g / 2) / TIME_STEP,
    ]
    close(reynolds(held, held.rows[held.pressure]), *in_time, *steady[1:], tolerance=3e-2)
    held.state.globals[-1] = 0.0
    wetted = 1 - g / film.h if isinstance(cavitation, Streamers) else 1
    viscous = film.total((-MU * wetted / film.h)[:, None] * film.U if np.ndim(wetted) else
                         -MU * film.U / film.h[:, None])  # fmt: skip
    poiseuille = film.total(-(film.h / 2)[:, None] * film.slope)
    close(
        held.force[[2, 5]], film.total(film.pressing)[[2, 5]], viscous[[2, 5]], poiseuille[[2, 5]]
    )
    assert held.channel("content") == pytest.approx(film.per @ (film.h - g), rel=3e-3)


def test_complementarity_of_a_conserving_film():
    """Fischer and Burmeister's function of p / unit and g / c, at the nodes."""
    film = bore(JFO())
    held = Held(film, pressure=smooth, other=lambda x: 0.3 * C * weight(x))
    inner = np.abs(held.places[:, 2]) < 0.4 * L
    p, g = smooth(held.places) / film.pressure_unit, 0.3 * weight(held.places)
    area = L / 24 * 2 * np.pi * R / 96 * (1 - (np.pi / 96) ** 2 / 6)
    wanted = film.rate_unit * film.pressure_unit / C * (p + g - np.hypot(p, g)) * area
    np.testing.assert_allclose(
        held.rows[held.other][inner], wanted[inner], atol=1e-3 * np.abs(wanted).max()
    )


# --- other shapes -------------------------------------------------------------------------------
def test_socket_of_a_ball():
    """A spherical film: -p n and shear, about the centre."""
    film = Film(cap(R, 1.2, (10, 10)), C, Lubricant(MU), Full(), {"rim": 0.0}, speed=100 * R,
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
    film = pad_film(a, b, C, MU, speed=10.0, cells=(48, 24), cavitation=Full())
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
    film = pad_film(a, b, C, MU, speed=10.0, cells=(8, 4), cavitation=Full(), least=0.5 * C)
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
    the elastic energy; the oil flows in the valleys."""
    a, b, U = 0.1, 0.04, 2.0
    film = replace(
        pad_film(a, b, C, MU, speed=10.0, cells=(4, 2), cavitation=Full()), asperities=ROUGH
    )
    distance = 0.7 * ROUGH.roughness
    held = Held(film, (0, 0, C - distance), (0, 0), (-U, 0, 3e-3), (0, 0, 0))
    p = greenwood_tripp(distance)
    friction = 0.1 * p * U / np.hypot(U, 1.0)
    viscous = MU * U / (distance + 3 * ROUGH.roughness)
    assert held.force[2] == pytest.approx(-p * a * b, rel=1e-5)
    assert held.force[0] == pytest.approx((friction + viscous) * a * b, rel=1e-5)
    assert friction > 0.2 * viscous
    assert held.channel("asperity_force") == pytest.approx(p * a * b, rel=1e-5)
    lost = held.channel("asperity_friction_power")
    assert lost == pytest.approx(friction * U * a * b, rel=1e-5)
    energy = quad(greenwood_tripp, distance, 8 * ROUGH.roughness, epsabs=0)[0] * a * b
    assert held.channel("asperity_energy") == pytest.approx(energy, rel=1e-4)


# --- ports: from the bodies to the film and back --------------------------------------------------
P = np.array([0.3, 0.1, -0.2])
AXIS = np.array([1.0, 2.0, 2.0]) / 3


def test_port_of_a_journal():
    """Definitions of e, t and W; F and M reach journal and housing at the journal's centre."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(CylindricalFilm(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                              film=ShortBearing(R, L, C, MU), name="film"))  # fmt: skip
    found.assemble()
    tilt = np.array([2e-4, -3e-4, 1e-4])
    found.move(found.a, velocity=(0.1, -0.05, 0.08), omega=(1.1, -0.7, 0.5))
    found.move(found.b, turn=tilt, omega=(1.0, -0.5, 2.5))
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    away = 0.4 * C * np.cross(AXIS, (0.6, 0, 0.8)) + 0.05 * C * AXIS
    found.move(found.b, back + away, tilt, (0.1, -0.048, 0.081), (1.0, -0.5, 2.5))
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if type(k).__name__ == "PortKind")  # fmt: skip
    D = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    np.testing.assert_allclose(D[:, 2], found.direction(found.a, AXIS), atol=1e-12)
    e, t = D.T @ (rj - ri), (D.T @ found.direction(found.b, AXIS))[:2]
    rate = D.T @ (vj - vi - np.cross(spin_i, rj - ri))
    W = np.r_[rate, D.T @ (spin_j - spin_i)]
    at = {n: found.block(f"film.{n}") for n in ("e", "t", "V", "Omega", "force", "moment")}
    found.state.q[at["e"]], found.state.q[at["t"]] = e, t
    found.state.q[at["V"]], found.state.q[at["Omega"]] = W[:3], W[3:]
    film = ShortBearing(R, L, C, MU)
    place = Place(e=tuple(e), V=tuple(W[:3]), Omega=(0, 0, W[5]))
    force, moment = film.force(place), film.moment(place)
    # what any multiplier does to the bodies
    some, couple = np.array([30.0, -20, 10]), np.array([0.5, 0.2, -0.3])
    found.state.q[at["force"]], found.state.q[at["moment"]] = some, couple
    found.check(rj, D @ some, D @ couple)
    # and the film's law is the row of W
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at["V"]], some - force, atol=1e-9 * np.abs(force).max())
    np.testing.assert_allclose(rows[at["Omega"]], couple - moment, atol=1e-9)
    # definitions are kept to round-off, and are seen when they are not
    for name in ("e", "t", "force", "moment"):
        np.testing.assert_allclose(rows[at[name]] * cell_unit(found, name), 0, atol=1e-9)
    off = np.array([0.1, -0.2, 0.3])
    found.state.q[at["V"]] += off
    np.testing.assert_allclose(found.state.residual()[at["force"]], off, atol=1e-9)
    found.state.q[at["V"]] -= off
    found.state.q[at["e"]] += off * C
    found.state.q[at["t"]] += off[:2] * C / L
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at["e"]] * C**2, off * C, atol=1e-6 * C)
    np.testing.assert_allclose(rows[at["t"]] * (C / L) ** 2, off[:2] * C / L, atol=1e-6 * C / L)
    found.state.q[at["e"]], found.state.q[at["t"]] = e, t
    see = found.channels
    np.testing.assert_allclose([see[f"film.force.{x}"] for x in "xyz"], some)
    np.testing.assert_allclose([see[f"film.moment.{x}"] for x in "xyz"], couple)
    eccentricity = np.hypot(*e[:2])
    assert see["film.normal_force"] == pytest.approx(-some[:2] @ e[:2] / eccentricity)
    assert see["film.power_loss"] == pytest.approx(-force @ W[:3] - moment[2] * W[5])
    ends = [np.hypot(*(e[:2] + (z - e[2]) * t)) for z in (-L / 2, L / 2)]
    assert see["film.min_film"] == pytest.approx(C - max(ends))


def cell_unit(found, name):
    """By which rows of a definition are measured."""
    return {"e": C, "t": C / L}.get(name, 1.0)


def test_squeeze_film_of_a_spherical_joint():
    """6 pi mu R^4 / c^2 deps/dt B(eps) against the approach, nothing against the retreat. (The
    band where dry contact takes over is a millionth of the clearance.)"""
    film = SphericalSqueeze(MU)
    soon = fc.lubrication.Transition(band=1e-6, margin=2e-6)
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.SphericalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), socket_radius=R,
                                    ball_radius=R - C, film=film, stiffness=1e9, name="s",
                                    transition=soon))  # fmt: skip
    found.assemble()
    found.move(found.a)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    n = np.array([0.48, 0.6, -0.64])
    force = film.force(R, C, 0.5, 0.3 / C)
    for sign in (1, -1):
        found.move(found.b, back + 0.5 * C * n, velocity=sign * 0.3 * n + np.cross(n, (0, 0, 0.2)))
        rj, acts = found.carried(found.b, P)[0], max(sign, 0) * force
        pushed, turned = found.wrench(found.b, rj)
        np.testing.assert_allclose(pushed, -acts * (TURN @ n), atol=2e-5 * force)
        np.testing.assert_allclose(turned, 0, atol=1e-9 * force)
        np.testing.assert_allclose(found.wrench(found.a, rj)[0], -pushed, atol=1e-9 * force)
        see = found.channels
        assert see["s.film_force"] == pytest.approx(acts, abs=2e-5 * force)
        assert see["s.power_loss"] == pytest.approx(acts * 0.3, abs=2e-5 * force)

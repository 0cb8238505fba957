"""Contact and friction laws at numbers, against their equations as the papers print them, written
in NumPy; energies against the integral of that."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad

import fem_clearance as fc
from fem_clearance.contact.laws import cylinders, friction, hysteresis, taylor
from fem_clearance.contact.laws.pair_data import ContactGeometry

from ..forces import numbers, value


def integral(function, end):
    """From 0 to ``end``."""
    return quad(function, 0, end, epsabs=0, epsrel=1e-11)[0]


# --- normal laws --------------------------------------------------------------------------------
K, N = 3e7, 1.5
DEPTH, RATE, APPROACH = 2e-4, -0.03, 0.4
#: chi(e) of the law of each name, from the papers named in its docstring
CHI = {
    "HuntCrossley": lambda e: 3 / 2 * (1 - e),
    "HerbertMcWhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
    "LeeWang": lambda e: 3 / 4 * (1 - e),
    "LankaraniNikravesh": lambda e: 3 / 4 * (1 - e**2),
    "Gonthier": lambda e: (1 - e**2) / e,
    "ZhiyingQishao": lambda e: 3 / 4 * (1 - e**2) * np.exp(2 * (1 - e)),
    "Flores2011": lambda e: 8 / 5 * (1 - e) / e,
    "HuGuo": lambda e: 3 / 2 * (1 - e) / e,
}


@pytest.mark.parametrize("law", CHI)
def test_hysteretic_law(law):
    """K depth^n (1 + chi rate / approach), and K depth^(n + 1) / (n + 1)."""
    one = getattr(fc, law)(restitution=0.7)
    p = numbers(**one.values(SimpleNamespace(stiffness=K)))
    found = value(one.force(DEPTH, RATE, APPROACH, p))
    assert found == pytest.approx(K * DEPTH**N * (1 + CHI[law](0.7) * RATE / APPROACH), rel=1e-12)
    assert value(one.energy(DEPTH, p)) == pytest.approx(K * DEPTH**2.5 / 2.5, rel=1e-12)


def test_hertz_exponent():
    """F = K depth^n, without damping."""
    law = fc.Hertz(exponent=1.2)
    p = numbers(**law.values(SimpleNamespace(stiffness=K)))
    assert value(law.force(DEPTH, RATE, APPROACH, p)) == pytest.approx(K * DEPTH**1.2)
    assert value(law.energy(DEPTH, p)) == pytest.approx(K * DEPTH**2.2 / 2.2)


def test_exact_restitution():
    """chi (1 + e) = ln((1 + chi) / (1 - chi e)): also near 1, taken from an integral."""
    for e in (0.3, 0.95):
        chi = fc.ExactRestitution(restitution=e).hysteresis()
        assert chi * (1 + e) == pytest.approx(np.log((1 + chi) / (1 - chi * e)), rel=1e-9)
        assert hysteresis.returned_restitution(chi) == pytest.approx(e, rel=1e-9)


def test_kelvin_voigt():
    """K depth + C rate; the geometry's stiffness where no other is given."""
    for own in (None, 2e6):
        law = fc.KelvinVoigt(damping=800.0, stiffness=own)
        p = numbers(**law.values(SimpleNamespace(stiffness=K)))
        k = own or K
        assert value(law.force(DEPTH, RATE, APPROACH, p)) == pytest.approx(k * DEPTH + 800 * RATE)
        assert value(law.energy(DEPTH, p)) == pytest.approx(k * DEPTH**2 / 2)


def test_kuwabara_kono():
    """K depth^n + A d(K depth^n)/dt, the rate by a difference."""
    law = fc.KuwabaraKono(relaxation_time=2e-3)
    p = numbers(**law.values(SimpleNamespace(stiffness=K)))
    h = 1e-7
    rate = K * ((DEPTH + RATE * h) ** N - (DEPTH - RATE * h) ** N) / (2 * h)
    found = value(law.force(DEPTH, RATE, APPROACH, p))
    assert found == pytest.approx(K * DEPTH**N + 2e-3 * rate, rel=1e-6)


@pytest.mark.parametrize(("make", "count"), [(fc.TaylorTwoTerms, 2), (fc.TaylorThreeTerms, 3)])
def test_taylor(make, count):
    """The series of depth^n about the penetration at rest: Ebrahimi et al. (2017) eqs. (7), (8)."""
    law = make(law=fc.LankaraniNikravesh(restitution=0.8), load=90.0)
    p = law.values(SimpleNamespace(stiffness=K))
    rest = (90.0 / K) ** (1 / N)
    assert p["Delta"] == pytest.approx(rest)
    terms = [rest**N, N * rest ** (N - 1), N * (N - 1) / 2 * rest ** (N - 2)][:count]

    def spring(depth):
        return K * sum(t * (depth - rest) ** k for k, t in enumerate(terms))

    depth, chi = 1.7 * rest, 0.75 * (1 - 0.64)
    found = value(law.force(depth, RATE, APPROACH, numbers(**p)))
    assert found == pytest.approx(spring(depth) * (1 + chi * RATE / APPROACH), rel=1e-12)
    assert value(law.energy(depth, numbers(**p))) == pytest.approx(
        integral(spring, depth), rel=1e-9
    )
    assert taylor.Taylor.pulls


# --- cylinders ----------------------------------------------------------------------------------
STEEL = SimpleNamespace(E=2.07e11, nu=0.3)
BRASS = SimpleNamespace(E=1.0e11, nu=0.34)
E_STAR = 1 / ((1 - 0.3**2) / 2.07e11 + (1 - 0.34**2) / 1.0e11)
R_I, R_J, LENGTH = 10.5e-3, 10.0e-3, 20e-3
GAP = R_I - R_J
CONTACT = ContactGeometry("c", R_I, R_J, (STEEL, BRASS), LENGTH)


def elastic(law, depth):
    p = numbers(**law.values(CONTACT))
    return value(law.elastic(depth, p)), value(law.energy(depth, p)), p


def liu(depth):
    """Liu, Zhang and Yang (2007)."""
    return np.pi / 2 * E_STAR * LENGTH * depth * np.sqrt(depth / (2 * (GAP + depth)))


def slope(depth):
    """K_n of Bai et al. (2014) eq. (9), N/m^2."""
    return np.pi * E_STAR / 8 * np.sqrt(2 * depth * (3 * GAP + 2 * depth) ** 2 / (GAP + depth) ** 3)


CYLINDERS = {
    "liu": (cylinders.Liu(), liu),
    "corr": (cylinders.bai_zhao("corr"), liu),
    "n1": (cylinders.bai_zhao("n1"), lambda d: LENGTH * slope(d) * d),
    "lit15": (cylinders.bai_zhao("lit15"), lambda d: slope(d) * d**1.5),
}


@pytest.mark.parametrize("depth", [1e-5, 4e-4, 2e-3])
@pytest.mark.parametrize("law", CYLINDERS)
def test_bai_zhao_and_liu(law, depth):
    """Forces as printed; energies are their integrals."""
    one, force = CYLINDERS[law]
    found, energy, _ = elastic(one, depth)
    assert found == pytest.approx(force(depth), rel=1e-9)
    assert energy == pytest.approx(integral(force, depth), rel=1e-7)


@pytest.mark.parametrize("law", [cylinders.Liu, cylinders.BaiZhao])
def test_hysteresis_of_cylinder_laws(law):
    """f (1 + chi rate / approach), chi by default of Lankarani and Nikravesh or, in the paper of
    Bai et al., of Zhiying and Qishao; another where it is asked for."""
    default = {"Liu": "LankaraniNikravesh", "BaiZhao": "ZhiyingQishao"}[law.__name__]
    for options, name in (({}, default), ({"hysteresis": fc.LeeWang}, "LeeWang")):
        one = law(restitution=0.6, **options)
        p = numbers(**one.values(CONTACT))
        found = value(one.force(4e-5, RATE, APPROACH, p))
        assert found == pytest.approx(liu(4e-5) * (1 + CHI[name](0.6) * RATE / APPROACH))


@pytest.mark.parametrize(("law", "offset"), [(cylinders.Johnson, -1), (cylinders.ESDU78035, 1)])
def test_logarithmic_laws(law, offset):
    """depth = u (ln(4 gap / u) + offset) with u = F / (pi E* L), the force being given: up to
    m = depth / u = 3/2, from where the law goes on along its tangent."""
    E = np.pi * E_STAR * LENGTH
    last = 4 * GAP * np.exp(offset) * np.exp(-1.5)  # u at m = 3/2

    def depth_of(u):
        return u * (np.log(4 * GAP / u) + offset)

    # to round-off: two of the three Newton steps leave 4e-10
    for part in (1e-13, 1e-8, 1e-4, 0.05, 0.6, 0.99):
        u = part * last
        force, energy, _ = elastic(law(), depth_of(u))
        assert force == pytest.approx(E * u, rel=1e-13)
        # work: force x depth less the integral of the depth over the force
        work = E * (u * depth_of(u) - integral(depth_of, u))
        assert energy == pytest.approx(work, rel=1e-8)
    at, beyond = depth_of(last), 3e-5
    stiffness = E / (np.log(4 * GAP / last) + offset - 1)
    force, energy, _ = elastic(law(), at + beyond)
    assert force == pytest.approx(E * last + stiffness * beyond, rel=1e-9)
    work = E * (last * at - integral(depth_of, last))
    work += E * last * beyond + stiffness * beyond**2 / 2
    assert energy == pytest.approx(work, rel=1e-8)


@pytest.mark.parametrize("gap", [0.05, 0.6])
def test_pereira(gap):
    """Pereira, Ramalho and Ambrosio (2015), in N, mm and MPa as printed."""
    contact = ContactGeometry("c", R_J + 1e-3 * gap, R_J, (STEEL, BRASS), LENGTH)
    law = cylinders.Pereira(restitution=0.8)
    p = numbers(**law.values(contact))
    Y = 1.51 * np.log(1000 * gap) ** -0.151 if gap < 0.34954 else 0.0151 * gap + 1.151
    n = Y * gap**-0.005

    def force(depth):  # m
        return (0.965 * gap + 0.0965) * 20.0 * (1e-6 * E_STAR) / gap * (1e3 * depth) ** n

    assert value(law.elastic(3e-5, p)) == pytest.approx(force(3e-5), rel=1e-9)
    assert value(law.energy(3e-5, p)) == pytest.approx(integral(force, 3e-5), rel=1e-7)
    found = value(law.force(3e-5, RATE, APPROACH, p)) / force(3e-5)
    assert found == pytest.approx(1 + 0.75 * (1 - 0.64) * RATE / APPROACH)


def test_stiffness_of_spheres():
    """Hertz: K = 4/3 E* sqrt(R), 1/R = 1/R_j - 1/R_i (ball in a socket)."""
    radius = 1 / (1 / R_J - 1 / R_I)
    assert CONTACT.modulus == pytest.approx(E_STAR)
    assert CONTACT.stiffness == pytest.approx(4 / 3 * E_STAR * np.sqrt(radius))
    other = ContactGeometry("c", R_I, R_J, (STEEL, None), radii="sum")
    alone = 2.07e11 / (2 * (1 - 0.09))
    assert other.stiffness == pytest.approx(4 / 3 * alone * np.sqrt(1 / (1 / R_I + 1 / R_J)))
    corner = fc.contact.translational.CornerGeometry(
        "c", 1.0, 1.0, (STEEL, BRASS), corner_radius=2e-3
    )
    assert corner.stiffness == pytest.approx(4 / 3 * E_STAR * np.sqrt(2e-3))


# --- friction laws ------------------------------------------------------------------------------
def cubic(v):
    """Two cubics with slope zero at v_s and v_d; that from 0 has no second derivative there."""
    if v < 0.01:
        x = v / 0.01
        return 0.3 * (3 * x - x**3) / 2
    if v < 0.1:
        z = (v - 0.01) / 0.09
        return 0.3 + (0.2 - 0.3) * (3 * z**2 - 2 * z**3)
    return 0.2


def stribeck(v):
    return (0.2 + 0.1 * np.exp(-((v / 0.01) ** 2))) * np.tanh(v / 1e-3) + 0.05 * v


def bengisu(v):
    if v < 1e-3:
        return 0.3 * (1 - (v / 1e-3 - 1) ** 2)
    return 0.2 + 0.1 * np.exp(-100 * (v - 1e-3))


FRICTION = {
    "modified": (fc.ModifiedCoulomb(0.3, 1e-3, 1e-2),
                 lambda v: 0.3 * np.clip((v - 1e-3) / 9e-3, 0, 1)),
    "smooth": (fc.SmoothCoulomb(0.3, 2e-3), lambda v: 0.3 * np.tanh(v / 2e-3)),
    "stribeck": (fc.Stribeck(0.3, 0.2, v_s=0.01, v0=1e-3, viscous=0.05), stribeck),
    "cubic": (friction.CubicStribeck(0.3, 0.2, 0.01, 0.1), cubic),
    "threlfall": (fc.Threlfall(0.3, 1e-2),
                  lambda v: 0.3 * min(1, (1 - np.exp(-3 * v / 1e-2)) / (1 - np.exp(-3)))),
    "bengisu": (fc.BengisuAkay(0.3, 0.2, v0=1e-3, decay=100.0), bengisu),
    "lugre": (fc.LuGre(0.3, 0.2, v_s=0.01, viscous=0.05),
              lambda v: 0.2 + 0.1 * np.exp(-((v / 0.01) ** 2)) + 0.05 * v),
}  # fmt: skip


#: speeds at which the laws above change over from one equation to another
BREAKS = np.array([1e-3, 1e-2, 0.1])


@pytest.mark.parametrize("speed", [5e-4, *(0.99 * BREAKS), *(1.01 * BREAKS), 4e-3, 0.03, 0.4])
@pytest.mark.parametrize("law", FRICTION)
def test_friction_coefficient(law, speed):
    """The laws' equations, just below and above where they change over too; of LuGre that of steady
    sliding."""
    one, formula = FRICTION[law]
    found = value(one.coefficient(speed, numbers(**one.values())))
    assert found == pytest.approx(formula(speed), rel=1e-12, abs=1e-15)


def test_lugre_growth_and_drag():
    """Canudas de Wit et al. (1995), with the fading of Olsson et al. (1998)."""
    law = fc.LuGre(0.3, 0.2, v_s=0.01, stiffness=1e4, damping=30.0, viscous=0.05,
                   damping_speed=0.02)  # fmt: skip
    p = numbers(**law.values())
    v, z, rate = -0.008, 2e-5, 0.004
    g = 0.2 + 0.1 * np.exp(-((v / 0.01) ** 2))
    assert value(law.growth(v, z, abs(v), p)) == pytest.approx(v - 1e4 * abs(v) / g * z)
    fade = np.exp(-((v / 0.02) ** 2))
    assert value(law.drag(z, rate, v, p)) == pytest.approx(1e4 * z + 30 * fade * rate + 0.05 * v)
    assert law.values()["relaxation"] == pytest.approx(1e4 / 30)


def test_relaxation_does_not_hang_on_units():
    """The rate at which bristles without damping relax, 1/s: the same in metres and millimetres."""
    metres = fc.LuGre(0.4, 0.3, v_s=0.1, stiffness=1e5, damping=0.0)
    millimetres = fc.LuGre(0.4, 0.3, v_s=100.0, stiffness=1e2, damping=0.0)
    rates = [law.values()["relaxation"] for law in (metres, millimetres)]
    assert rates[0] == pytest.approx(rates[1]) == pytest.approx(1e5)

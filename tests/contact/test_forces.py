"""Contact laws and clearance joints: forces and moments on both bodies by hand.

Laws are evaluated at numbers and held against their equation as the paper prints it, written in
NumPy; energies against the integral of that. Joints are held against the force and the point where
it acts."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad

import fem_clearance as fc
from fem_clearance.contact import cylinders, friction, hysteresis, taylor
from fem_clearance.contact.geometry import ContactGeometry

from ..forces import TURN, Bench, numbers, value


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
    """chi (1 + e) = ln((1 + chi) / (1 - chi e)): also near 1, where it is taken from an integral."""
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

    for part in (1e-4, 0.05, 0.6, 0.99):
        u = part * last
        force, energy, _ = elastic(law(), depth_of(u))
        assert force == pytest.approx(E * u, rel=1e-9)
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
    """Two cubics with slope zero at both ends: Hermite's on (0, v_s) has slope 3/2 mu_s / v_s at 0."""
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


@pytest.mark.parametrize("speed", [5e-4, 4e-3, 0.03, 0.4])
@pytest.mark.parametrize("law", FRICTION)
def test_friction_coefficient(law, speed):
    """The laws' equations; of LuGre that of steady sliding."""
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


# --- joints -------------------------------------------------------------------------------------
P = np.array([0.3, 0.1, -0.2])
AXIS = np.array([1.0, 2.0, 2.0]) / 3
CHI_LN = 0.75 * (1 - 0.9**2)
FLOOR = 0.5


def normal_size(depth, rate, stiffness=1e8, exponent=1.5):
    """Lankarani and Nikravesh's force at restitution 0.9; the approach speed is the least one, or
    the present rate where that is more."""
    return stiffness * depth**exponent * (1 + CHI_LN * rate / max(FLOOR, abs(rate)))


def smooth(velocity, mu=0.2, v0=0.3):
    """Friction per normal force, against it."""
    speed = np.linalg.norm(velocity)
    return mu * np.tanh(speed / v0) * velocity / speed


MOTION_A = {"velocity": (0.1, -0.05, 0.08), "omega": (1.1, -0.7, 0.5)}
MOTION_B = {"velocity": (0.02, 0.12, -0.03), "omega": (-0.4, 0.9, 1.6)}
COULOMB = {"friction": fc.SmoothCoulomb(0.2, 0.3)}
COMMON = {"stiffness": 1e8, "approach_floor": FLOOR, "name": "c"}


def spherical(**options):
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.SphericalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P),
                                    socket_radius=0.02, ball_radius=0.019, **COMMON, **options)
    )  # fmt: skip
    found.assemble()
    found.move(found.a, (0.001, 0.0005, -0.0002), **MOTION_A)
    found.move(found.b, (0.0023, -0.0008, 0.0007), **MOTION_B)
    return found


def apart(found):
    """Centres of the joint, their velocities, direction from a's to b's, distance."""
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    e = rj - ri
    return ri, vi, rj, vj, e / np.linalg.norm(e), np.linalg.norm(e)


def test_spherical_clearance_without_friction():
    """F along the line of centres; channels of depth, energy and place."""
    found = spherical()
    ri, vi, rj, vj, n, e = apart(found)
    depth, rate = e - 1e-3, n @ (vj - vi)
    assert depth > 0
    force = normal_size(depth, rate)
    found.check(rj, -force * n)
    see = found.channels
    assert see["c.normal_force"] == pytest.approx(force)
    assert see["c.penetration"] == pytest.approx(depth)
    assert see["c.eccentricity"] == pytest.approx(e)
    assert see["energy.contact"] == pytest.approx(1e8 * depth**2.5 / 2.5)
    np.testing.assert_allclose([see[f"c.e{x}"] for x in "xyz"], rj - ri)


def test_spherical_clearance_with_friction():
    """Friction acts midway between the surfaces, against the velocity of the ball's material
    point past the socket's there (E000-1)."""
    found = spherical(**COULOMB)
    ri, vi, rj, vj, n, e = apart(found)
    depth, rate = e - 1e-3, n @ (vj - vi)
    point = rj + (0.019 - depth / 2) * n
    np.testing.assert_allclose(point, ri + (0.02 + depth / 2) * n)
    at_j = vj + np.cross(found.pose(found.b)[3], point - rj)
    at_i = vi + np.cross(found.pose(found.a)[3], point - ri)
    sliding = at_j - at_i - n @ (at_j - at_i) * n
    drag = smooth(sliding)
    found.check(point, -normal_size(depth, rate) * (n + drag))
    size = normal_size(depth, rate) * np.linalg.norm(drag)
    assert found.channels["c.friction_force"] == pytest.approx(size)


BRISTLES = {"stiffness": 2e3, "damping": 0.4, "viscous": 0.05, "v_s": 0.2}


def bristle_state(found):
    """Give the bristles of ``c`` a deflection and a rate; both in space by the axes of ``a``."""
    z, rate = np.array([3e-5, -2e-5, 4e-5]), np.array([0.02, 0.05, -0.01])
    at = found.block("c.bristle")
    found.state.v[at], found.state.a[at] = z, rate
    return at, z, rate


def grown(z, n, sliding, p):
    """Rate of bristles that touch: what lies across the normal grows, the rest relaxes."""
    across = z - z @ n * n
    v = np.linalg.norm(sliding)
    g = 0.2 + 0.1 * np.exp(-((v / p["v_s"]) ** 2))
    relaxation = p["stiffness"] / p["damping"]
    return sliding - p["stiffness"] * v / g * across - relaxation * (z - across)


def lugre_drag(z, rate, n, sliding, p):
    across = [x - x @ n * n for x in (z, rate)]
    return p["stiffness"] * across[0] + p["damping"] * across[1] + p["viscous"] * sliding


def test_spherical_clearance_with_bristles():
    """LuGre's force and growth; bristles turn with the socket."""
    found = spherical(friction=fc.LuGre(0.3, 0.2, **BRISTLES))
    ri, vi, rj, vj, n, e = apart(found)
    depth, rate = e - 1e-3, n @ (vj - vi)
    point = rj + (0.019 - depth / 2) * n
    relative = vj + np.cross(found.pose(found.b)[3], point - rj)
    relative = relative - vi - np.cross(found.pose(found.a)[3], point - ri)
    sliding = relative - n @ relative * n
    at, z, change = bristle_state(found)
    axes = found.pose(found.a)[1]  # those of the socket's body
    drag = lugre_drag(axes @ z, axes @ change, n, sliding, BRISTLES)
    found.check(point, -normal_size(depth, rate) * (n + drag))
    growth = axes.T @ grown(axes @ z, n, sliding, BRISTLES)
    np.testing.assert_allclose(found.state.residual()[at], change - growth, rtol=1e-9)
    # parted: no force, and the bristles relax
    found.move(found.b, (0.001, 0.0006, -0.0002), **MOTION_B)
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at], change + 2e3 / 0.4 * z, rtol=1e-9)
    np.testing.assert_allclose(found.wrench(found.b, point), 0, atol=1e-9)


SIZES = {"bearing_radius": 0.02, "journal_radius": 0.019, "length": 0.03}


def revolute(**options):
    """A bearing and a journal that have turned about one axis, and shifted along it."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.RevoluteClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                   normal=fc.LankaraniNikravesh(), **SIZES, **COMMON, **options)
    )  # fmt: skip
    found.assemble()
    found.move(found.a, turn=0.4 * AXIS, velocity=MOTION_A["velocity"], omega=1.5 * AXIS)
    ri, _ = found.carried(found.a, P)
    found.move(found.b, turn=-0.7 * AXIS, velocity=MOTION_B["velocity"], omega=-6.0 * AXIS)
    rj, _ = found.carried(found.b, P)
    across = np.cross(AXIS, (0.3, -0.8, 0.2))
    across *= 1.3e-3 / np.linalg.norm(across)
    shift = TURN.T @ (ri - rj) + across + 0.004 * AXIS
    found.move(found.b, shift, -0.7 * AXIS, MOTION_B["velocity"], -6.0 * AXIS)
    return found


def in_plane(found):
    """Axis, direction from bearing to journal across it, eccentricity, and the rest of ``apart``."""
    k = found.direction(found.a, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    e = (rj - ri) - (rj - ri) @ k * k
    return k, e / np.linalg.norm(e), np.linalg.norm(e), ri, vi, rj, vj


def revolute_state(found, reach_j, reach_i):
    """Depth, its rate, the sliding speed of material points on both bodies, and its direction."""
    k, n, e, ri, vi, rj, vj = in_plane(found)
    t = np.cross(k, n)
    spin = found.pose(found.a)[3]
    # seen from the bearing, whose plane through the journal's centre turns with it
    rate = n @ (vj - vi - np.cross(spin, rj - ri))
    foot = ri + (rj - ri) @ k * k
    on_j = vj + np.cross(found.pose(found.b)[3], reach_j * n)
    on_i = vi + np.cross(spin, foot + reach_i * n - ri)
    return k, n, t, e - 1e-3, rate, t @ (on_j - on_i), foot, rj


def test_revolute_clearance():
    """Without friction: across the axis, along the line of centres."""
    found = revolute()
    _, n, _, depth, rate, _, _, rj = revolute_state(found, 0, 0)
    found.check(rj, -normal_size(depth, rate) * n)


def test_revolute_clearance_with_friction_midway():
    """Friction midway between the surfaces: one point for both bodies, no couple left."""
    found = revolute(**COULOMB)
    depth = revolute_state(found, 0, 0)[3]
    reach = 0.019 - depth / 2
    k, n, t, depth, rate, speed, foot, rj = revolute_state(found, reach, 0.02 + depth / 2)
    drag = 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed)
    force = normal_size(depth, rate)
    found.check(rj + reach * n, -force * (n + drag * t))
    see = found.channels
    assert see["c.sliding_speed"] == pytest.approx(speed)
    assert see["c.friction_force"] == pytest.approx(force * abs(drag))
    assert see["c.friction_power"] == pytest.approx(force * drag * speed)
    assert see["c.eccentricity"] == pytest.approx(1e-3 + depth)
    assert see["c.bearing_angle_deg"] == pytest.approx(angle_from_first(found, found.a, n, k))
    assert see["c.journal_angle_deg"] == pytest.approx(angle_from_first(found, found.b, n, k))


def angle_from_first(found, body, n, k):
    """Degrees from the joint's first direction, fixed in the body, to n about the axis."""
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    at = 12 * (body is found.b)
    first = found.pose(body)[1] @ cell.parameters[at + 3 : at + 6]
    return np.degrees(np.arctan2(k @ np.cross(first, n), first @ n))


def test_revolute_clearance_with_friction_at_the_radii():
    """Each body at its own radius, as in the literature: the couple friction x depth is left."""
    found = revolute(friction_at="radii", **COULOMB)
    k, n, t, depth, rate, speed, foot, rj = revolute_state(found, 0.019, 0.02)
    drag = 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed)
    force = normal_size(depth, rate)
    point = rj + 0.019 * n
    total = -force * (n + drag * t)
    # on the bearing the friction acts at its own radius, depth nearer to its axis
    couple = np.cross(foot + 0.02 * n - point, force * drag * t)
    found.check(point, total, on_first=(-total, couple))
    assert found.channels["c.friction_power"] == pytest.approx(force * drag * speed)


def test_revolute_clearance_with_bristles():
    """LuGre along the surface."""
    found = revolute(friction=fc.LuGre(0.3, 0.2, **BRISTLES))
    depth = revolute_state(found, 0, 0)[3]
    reach = 0.019 - depth / 2
    k, n, t, depth, rate, speed, foot, rj = revolute_state(found, reach, 0.02 + depth / 2)
    at, z, change = bristle_state(found)
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    axes = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    drag = t @ lugre_drag(axes @ z, axes @ change, n, speed * t, BRISTLES)
    found.check(rj + reach * n, -normal_size(depth, rate) * (n + drag * t))
    growth = axes.T @ grown(axes @ z, n, speed * t, BRISTLES)
    np.testing.assert_allclose(found.state.residual()[at], change - growth, rtol=1e-9)


# --- cylindrical --------------------------------------------------------------------------------
def cylindrical(tilt, shift=(0, 0, 0), **options):
    """A bearing and a journal whose axes differ by a small turn."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.CylindricalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                      normal=fc.LankaraniNikravesh(), **SIZES, **COMMON, **options)
    )  # fmt: skip
    found.assemble()
    found.move(found.a, **MOTION_A)
    found.move(found.b, turn=tilt, **MOTION_B)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    found.move(found.b, back + shift, tilt, **MOTION_B)
    return found


def lobatto(count):
    """Nodes and weights (sum 2) from the eigenvalues of the Jacobi matrix of the inner nodes."""
    k = np.arange(1, count - 2)
    inner = np.sqrt(k * (k + 2) / ((2 * k + 1) * (2 * k + 3)))
    x = np.r_[-1, np.linalg.eigvalsh(np.diag(inner, 1) + np.diag(inner, -1)), 1]
    return x, np.linalg.solve(np.vander(x, increasing=True).T,
                              [(1 - (-1) ** (m + 1)) / (m + 1) for m in range(count)])  # fmt: skip


def stations(found, friction, low=-0.015, high=0.015, length=0.03, weights=None):
    """Force and moment about the bearing's centre on the journal, and friction's power: the law's
    force a length at each station, across the journal's axis."""
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    x, w = lobatto(9)
    force, moment, power, touching = np.zeros(3), np.zeros(3), 0.0, 0
    for z, share in zip((low + high) / 2 + x * (high - low) / 2, w / 2, strict=True):
        along = (z - (rj - ri) @ k) / (b @ k)
        point = rj + along * b  # on the journal's axis, in the bearing's plane at z
        radial = point - ri - z * k
        distance = np.linalg.norm(radial)
        n, depth = radial / distance, distance - 1e-3
        if depth <= 0:
            continue
        touching += 1
        g = n - n @ b / (b @ k) * k  # gradient of the depth by the journal's centre: across b
        # rate of the depth at a fixed z of the bearing
        on_axis = vj + np.cross(spin_j, along * b) - vi - np.cross(spin_i, point - ri)
        size = share * (high - low) / length * normal_size(depth, g @ on_axis)
        pull = -size * g
        if friction:
            arm = along * b + (0.019 - depth / 2) * n
            at_j = vj + np.cross(spin_j, arm)
            at_i = vi + np.cross(spin_i, rj + arm - ri)
            normal = g / np.linalg.norm(g)
            sliding = at_j - at_i - normal @ (at_j - at_i) * normal
            drag = -size * smooth(sliding)
            pull = pull + drag
            moment += np.cross(rj + arm - point, drag)
            power -= drag @ sliding
        force += pull
        moment += np.cross(point - ri, pull)
    return force, moment, power, touching, ri


#: so that the axes cross inside the bearing: some stations touch on one side, some on the other
TILT, AWAY = (0.05, -0.08, 0.06), (2e-4, -3e-4, 5e-4)


@pytest.mark.parametrize("friction", [False, True])
def test_cylindrical_clearance(friction):
    """Stations of a tilted journal without ends."""
    found = cylindrical(TILT, AWAY, **(COULOMB if friction else {}))
    force, moment, power, touching, ri = stations(found, friction)
    assert 2 < touching < 9
    found.check(ri, force, moment, rel=1e-7)
    see = found.channels
    assert see["c.contacts"] == touching
    assert see["c.friction_power"] == pytest.approx(power)
    np.testing.assert_allclose([see[f"c.f{x}"] for x in "xyz"], force, rtol=1e-7)
    rj = found.carried(found.b, P)[0]
    about = moment - np.cross(rj - ri, force)
    np.testing.assert_allclose(
        [see[f"c.m{x}"] for x in "xyz"], about, atol=1e-7 * np.abs(moment).max()
    )
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    assert see["c.tilt"] == pytest.approx(np.arccos(k @ b))
    assert see["c.shift"] == pytest.approx((rj - ri) @ k)
    assert see["c.overlap"] == pytest.approx(0.03)


def test_journal_that_ends_inside():
    """An aligned journal that has slid out by half: half the force over half the length, and along
    the axis the stated energy a length, by which energy is kept while it slides out."""
    found = cylindrical((0, 0, 0), 0.02 * AXIS + 1.4e-3 * np.cross(AXIS, (0, 0.6, -0.8)),
                        journal_length=0.04)  # fmt: skip
    k, n, e, ri, vi, rj, vj = in_plane(found)
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    depth, low, high = e - 1e-3, 0.0, 0.015  # from the journal's end to the bearing's
    force, _, _, _, _ = stations(found, False, low, high)
    assert force @ k == pytest.approx(0, abs=1e-9 * np.linalg.norm(force))
    stored = 1e8 * depth**2.5 / 2.5
    rows = found.wrench(found.b, rj)[0]
    np.testing.assert_allclose(rows - rows @ k * k, force, rtol=1e-7)
    # the length in contact grows as the journal moves in, against the axis
    assert rows @ k == pytest.approx(stored / 0.03, rel=1e-6)
    assert found.channels["energy.contact"] == pytest.approx(stored / 2, rel=1e-6)
    assert found.channels["c.overlap"] == pytest.approx(0.015)


def test_thrust_faces():
    """A collar presses on points of a ring: an even share of the law's force at each, along the
    journal's axis at the ring's points."""
    faces = fc.Thrust(play=1e-3, radius=0.025, stiffness=3e6, friction=fc.SmoothCoulomb(0.2, 0.3),
                      points=6)  # fmt: skip
    found = cylindrical((0.004, -0.006, 0.003), -6e-4 * AXIS, thrust=faces)
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    axes = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    force, moment, touching = np.zeros(3), np.zeros(3), 0
    for side in (-1, 1):
        for angle in np.arange(6) * np.pi / 3:
            ring = ri + axes @ (0.025 * np.cos(angle), 0.025 * np.sin(angle), side * 0.015)
            out = ring - rj
            depth = side * out @ b - (0.015 + 0.5e-3)
            if depth <= 0:
                continue
            touching += 1
            relative = vi + np.cross(spin_i, ring - ri) - vj - np.cross(spin_j, ring - rj)
            rate = side * b @ relative  # of the collar's plane past a point of the bearing
            size = normal_size(depth, rate, 3e6, 1.0) / 6
            point = ring - side * depth / 2 * b  # friction midway
            slide = vj + np.cross(spin_j, point - rj) - vi - np.cross(spin_i, point - ri)
            slide = slide - slide @ b * b
            drag = -size * smooth(slide)
            force += size * side * b + drag
            moment += np.cross(ring - ri, size * side * b) + np.cross(point - ri, drag)
    assert 0 < touching < 6
    found.check(ri, force, moment, rel=1e-7)
    np.testing.assert_allclose([found.channels[f"c.thrust.f{x}"] for x in "xyz"], force, rtol=1e-7)


def test_stiffness_of_thrust_faces():
    """A rigid circular punch on an elastic half space: 2 E* a."""
    found = Bench(material=STEEL)
    joint = fc.CylindricalClearance(found.a.center, found.b.center, (0, 0, 1), **SIZES,
                                    thrust=fc.Thrust(play=1e-3, radius=0.025))  # fmt: skip
    alone = 2.07e11 / (2 * (1 - 0.09))
    assert joint.faces["normal.K"] == pytest.approx(2 * alone * 0.025)


# --- guides -------------------------------------------------------------------------------------
ACROSS = np.cross(AXIS, (2.0, 1.0, -2.0)) / np.linalg.norm(np.cross(AXIS, (2.0, 1.0, -2.0)))
SIDE = np.cross(ACROSS, AXIS)
GUIDE = {"length": 0.1, "height": 0.05, "gap": 0.052, "width": 0.04, "approach_floor": FLOOR,
         "normal": fc.LankaraniNikravesh(), "stiffness": 1e8, "name": "g"}  # fmt: skip


def guide(tilt=(0.01, -0.015, 0.02), **options):
    found = Bench(((0.1, 0, 0), tuple(P)))
    found.add(fc.TranslationalClearance(found.a.at(TURN @ P), found.b.center, TURN @ AXIS,
                                        TURN @ ACROSS, **GUIDE | options))  # fmt: skip
    found.assemble()
    found.move(found.a, **MOTION_A)
    found.move(found.b, 0.03 * AXIS + 0.002 * SIDE + 1.4e-3 * ACROSS, tilt, **MOTION_B)
    return found


def corners(found, heights, friction=smooth):
    """Force and moment on the slider about the guide's frame: of each corner that is beyond a
    surface; ``heights``: of both surfaces at x beyond half the gap, and their slopes."""
    e1, e2, e3 = (found.direction(found.a, z) for z in (AXIS, SIDE, ACROSS))
    ri, vi = found.carried(found.a, P)
    spin = found.pose(found.a)[3]
    force, moment, loss, touching = np.zeros(3), np.zeros(3), 0.0, 0
    for up in (1, -1):
        for forward in (1, -1):
            for out in (1, -1):
                place = P + (forward * 0.1 * AXIS + out * 0.04 * SIDE + up * 0.05 * ACROSS) / 2
                r, v = found.carried(found.b, place)
                x, y, z = (r - ri) @ e1, (r - ri) @ e2, (r - ri) @ e3
                height, slope, bend = heights[up](x)
                size = np.sqrt(1 + slope**2)
                depth = (up * z - 0.026 - height) / size
                if depth <= 0:
                    continue
                touching += 1
                normal = (up * e3 - slope * e1) / size
                # the depth's own gradient: the size of the slope varies along the guide
                gradient = normal - depth * slope * bend / size**2 * e1
                relative = v - vi - np.cross(spin, r - ri)
                sliding = relative - relative @ normal * normal
                law = normal_size(depth, gradient @ relative)
                drag = law * friction(sliding)
                force -= law * gradient + drag
                moment -= np.cross(r - ri, law * gradient + drag)
                loss += drag @ sliding
    return force, moment, loss, touching, ri


def flat(x):
    return 0.0, 0.0, 0.0


def wavy(x):
    w = 2 * np.pi / 0.07
    return (4e-4 * np.cos(w * (x - 0.01)), -4e-4 * w * np.sin(w * (x - 0.01)),
            -4e-4 * w**2 * np.cos(w * (x - 0.01)))  # fmt: skip


def curved(x):
    return (x - 0.02) ** 2 / (2 * -4.0), (x - 0.02) / -4.0, 1 / -4.0


def hollow(x):
    z = (x + 0.01) / 0.05
    deep = -5e-4 * np.exp(-(z**2))
    return deep, -2 * z / 0.05 * deep, (4 * z**2 - 2) / 0.05**2 * deep


SURFACES = {
    "flat": (None, flat),
    "wavy": (fc.Wavy(4e-4, 0.07, 0.01), wavy),
    "curved": (fc.Curved(-4.0, 0.02), curved),
    "hollow": (fc.Hollow(-5e-4, -0.01, 0.05), hollow),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_translational_clearance(surface):
    """Corners on surfaces of several shapes, with friction."""
    shape, height = SURFACES[surface]
    options = {} if shape is None else {"surfaces": (shape, fc.Flat())}
    found = guide(**options, **COULOMB)
    force, moment, loss, touching, ri = corners(found, {1: height, -1: flat})
    assert touching > 1
    found.check(ri, force, moment, rel=1e-7)
    see = found.channels
    assert sum(see[n] for n in see.names if n.endswith("friction_loss")) == pytest.approx(loss)


@pytest.mark.parametrize("mu", [0.5, 0.05])
def test_friction_that_sticks_on_a_guide(mu):
    """Spring and damper from the place at the start, cut at mu x normal force."""
    law = fc.TrueStick(mu, 0.04, stiffness=1e4, damping=300.0)
    found = guide(friction=law)
    e = [found.direction(found.a, z) for z in (AXIS, SIDE, ACROSS)]
    ri, vi = found.carried(found.a, P)
    spin = found.pose(found.a)[3]
    force, cut = np.zeros(3), 0
    for up in (1, -1):
        for forward in (1, -1):
            for out in (1, -1):
                local = (forward * 0.1 * AXIS + out * 0.04 * SIDE + up * 0.05 * ACROSS) / 2
                r, v = found.carried(found.b, P + local)
                depth = up * (r - ri) @ e[2] - 0.026
                if depth <= 0:
                    continue
                relative = v - vi - np.cross(spin, r - ri)
                law_force = normal_size(depth, up * relative @ e[2])
                # where it began, carried along by the guide
                start = ri + sum(
                    (local @ z) * d for z, d in zip((AXIS, SIDE, ACROSS), e, strict=True)
                )
                trial = 1e4 * (r - start) + 300 * relative
                trial -= trial @ e[2] * e[2]
                limit = mu * law_force
                cut += np.linalg.norm(trial) > limit
                pull = trial * min(1, limit / np.linalg.norm(trial))
                force -= up * law_force * e[2] + pull
    assert bool(cut) == (mu < 0.1)
    np.testing.assert_allclose(found.wrench(found.b, ri)[0], force, rtol=1e-8)


# --- a slider on a rod; friction with a given normal force --------------------------------------
def along_axis(item, shift):
    """An item along AXIS at P; both bodies in motion, the relative one along the axis known."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(item(found.a.at(TURN @ P), found.b.at(TURN @ P)))
    found.assemble()
    found.move(found.a, omega=(0.3, -0.2, 0.6))
    found.move(found.b, shift, (0.1, 0.2, -0.3), **MOTION_B)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    k = found.direction(found.a, AXIS)
    rate = k @ (vj - vi - np.cross(found.pose(found.a)[3], rj - ri))
    return found, k, (rj - ri) @ k, rate, rj


@pytest.mark.parametrize("side", [1, -1])
def test_rod_guide(side):
    """Contact on both sides of the rod: -sgn(y) F(abs(y) - c) (E002-1)."""
    found, k, y, rate, rj = along_axis(
        lambda i, j: fc.RodGuide(i, j, TURN @ AXIS, hole_radius=0.02, rod_radius=0.019, **COMMON),
        (side * 0.1 + 0.03) * AXIS,
    )  # fmt: skip
    assert side * y > 1e-3
    force = normal_size(abs(y) - 1e-3, side * rate)
    found.check(rj, -side * force * k)
    assert found.channels["c.displacement"] == pytest.approx(y)
    assert found.channels["c.normal_force"] == pytest.approx(force)


def test_squeeze_film_of_a_rod():
    """Ebrahimi et al. (2017) eqs. (14), (15)."""
    film = fc.SqueezeFilm(viscosity=0.05, length=0.03, spring=2e4)
    found, k, y, rate, rj = along_axis(
        lambda i, j: fc.RodGuide(i, j, TURN @ AXIS, hole_radius=0.25, rod_radius=0.1, force=film,
                                 name="c"), 2e-3 * AXIS)  # fmt: skip
    c = 0.15
    assert abs(y) < c
    D = 12 * np.pi * 0.05 * 0.03 * 0.1**3 / c**2
    force = D * (-rate / c) / (1 - (y / c) ** 2) ** 1.5 - 2e4 * y
    found.check(rj, force * k)
    assert found.channels["c.normal_force"] == pytest.approx(force)
    assert found.channels["energy.contact"] == pytest.approx(2e4 * y**2 / 2)


def test_friction_element():
    """mu(v) x normal force against the sliding."""
    found, k, x, rate, rj = along_axis(
        lambda i, j: fc.FrictionElement(i, j, TURN @ AXIS, friction=fc.SmoothCoulomb(0.2, 0.3),
                                        normal_force=40.0, name="f"), 0.01 * AXIS)  # fmt: skip
    force = -40 * 0.2 * np.tanh(abs(rate) / 0.3) * np.sign(rate)
    found.check(rj, force * k)
    see = found.channels
    assert see["f.friction_force"] == pytest.approx(force)
    assert see["f.loss"] == pytest.approx(-force * rate)
    assert see["f.slide"] == pytest.approx(x)
    assert see["f.speed"] == pytest.approx(rate)
    assert see["f.normal_force"] == pytest.approx(40)


def test_friction_element_with_bristles():
    """LuGre's law of one dimension."""
    law = fc.LuGre(0.3, 0.2, **BRISTLES)
    found, k, _, v, rj = along_axis(
        lambda i, j: fc.FrictionElement(i, j, TURN @ AXIS, friction=law, normal_force=40.0,
                                        name="c"), 0.01 * AXIS)  # fmt: skip
    at = found.block("c.bristle")
    z, change = 3e-5, -0.02
    found.state.v[at], found.state.a[at] = z, change
    force = 40 * (2e3 * z + 0.4 * change + 0.05 * v)
    found.check(rj, -force * k)
    g = 0.2 + 0.1 * np.exp(-((v / 0.2) ** 2))
    row = found.state.residual()[at]
    assert row == pytest.approx(change - (v - 2e3 * abs(v) / g * z))
    assert found.channels["c.deflection"] == pytest.approx(z)


@pytest.mark.parametrize("slips", [False, True])
def test_friction_element_that_sticks(slips):
    """A spring and a damper from the anchor, cut at mu_s x normal force."""
    law = fc.TrueStick(0.25, 0.2, stiffness=1e4, damping=20.0)
    load = 40.0 if slips else 1e5
    found, k, x, v, rj = along_axis(
        lambda i, j: fc.FrictionElement(i, j, TURN @ AXIS, friction=law, normal_force=load,
                                        name="c"), 0.01 * AXIS)  # fmt: skip
    trial = 1e4 * x + 20 * v
    assert (abs(trial) > 0.25 * load) == slips
    force = np.sign(trial) * 0.25 * load if slips else trial
    found.check(rj, -force * k)
    see = found.channels
    stretch = force / 1e4 if slips else x  # steady state: no time passes for the damper
    assert see["c.loss"] == pytest.approx(force * v)
    found.state.globals[0], found.state.globals[-1] = 1.0, 200.0  # time; 1 / step
    if slips:
        stretch = (force + 20 * 200 * 0.0) / (1e4 + 20 * 200)
    assert found.channels["c.energy"] == pytest.approx(1e4 * stretch**2 / 2)

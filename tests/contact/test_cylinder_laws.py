"""Normal laws for a journal in a bearing: forces, energy, restitution in simulated impacts."""

from types import SimpleNamespace

import numpy as np
import pytest
import ufl
from scipy.integrate import quad
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance.contact.laws.cylinders import READINGS
from fem_clearance.contact.laws.hysteresis import returned_restitution
from fem_clearance.diagnostics import tangent_error

STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
MODULUS = 2.07e11 / (2 * (1 - 0.3**2))


def geometry(gap=5e-4, length=1.0, bore=0.01):
    return fc.ContactGeometry("joint", bore, bore - gap, (STEEL, STEEL), length)


def at_rest(law, depth, contact=None):
    """Force of a law at rest, N."""
    p = SimpleNamespace(**law.values(contact or geometry()))
    depth = ufl.as_ufl(float(depth))
    return float(type(law).force(depth, ufl.as_ufl(0.0), ufl.as_ufl(1.0), p))


@pytest.mark.parametrize(
    ("depth", "slope", "force"),
    [(1e-6, 8.4603e9, 5.6440e3), (1e-5, 2.6361e10, 1.7690e5), (5e-5, 5.5403e10, 1.9045e6)],
)
def test_three_readings_of_bai_and_zhao(depth, slope, force):
    """Audited values for steel, difference of the radii 0.5 mm, a metre long: Liu's force
    and its slope, which the paper prints as K_n, eq. (9)."""
    for law in (fc.Liu(), fc.bai_zhao("corr")):
        assert at_rest(law, depth) == pytest.approx(force, rel=3e-5)
    assert at_rest(fc.bai_zhao("n1"), depth) == pytest.approx(slope * depth, rel=3e-5)
    assert at_rest(fc.bai_zhao("lit15"), depth) == pytest.approx(slope * depth**1.5, rel=3e-5)
    # to the letter: no length
    assert at_rest(fc.bai_zhao("lit15"), depth, geometry(length=0.015)) == pytest.approx(
        slope * depth**1.5, rel=3e-5
    )


def test_printed_stiffness_is_the_slope():
    """Eq. (9) from the paper with numpy, and as the derivative of Liu's force."""
    for depth in (1e-7, 3e-6, 2e-4, 1e-3):
        printed = np.pi / 8 * MODULUS * np.sqrt(
            2 * depth * (3 * 5e-4 + 2 * depth) ** 2 / (5e-4 + depth) ** 3
        )  # fmt: skip
        assert at_rest(fc.bai_zhao("n1"), depth) / depth == pytest.approx(printed, rel=1e-12)
        step = 1e-4 * depth
        rise = at_rest(fc.Liu(), depth + step) - at_rest(fc.Liu(), depth - step)
        assert printed == pytest.approx(rise / (2 * step), rel=1e-7)


@pytest.mark.parametrize("share", [1e-6, 1e-3, 0.05, 0.3, 0.49])
@pytest.mark.parametrize(("law", "one"), [(fc.Johnson, -1), (fc.ESDU78035, 1)])
def test_logarithmic_laws(law, one, share):
    """depth = F / (pi E* L) (ln(4 pi E* L gap / F) -+ 1), solved by bisection."""
    contact = geometry(length=0.015)
    line = np.pi * MODULUS * 0.015
    depth = share * 5e-4

    def error(u):
        return u * (np.log(4 * 5e-4 / u) + one) - depth

    top = 4 * 5e-4 * np.exp(one - 1)  # depth is largest there
    force = line * brentq(error, 1e-20, top, xtol=1e-25)
    assert at_rest(law(), depth, contact) == pytest.approx(force, rel=1e-11)


def test_johnson_adds_the_compression_of_both_cylinders():
    """Each cylinder is compressed by P / (pi E_i') (2 ln(4 R_i / a) - 1), a the half-width of the
    strip of contact (Johnson 1985, section 5.6): for bodies of the same material the law must be
    the sum."""
    depth, R_i, R_j = 2e-5, 0.01, 0.0095
    force = at_rest(fc.Johnson(), depth)
    a = np.sqrt(4 * force * R_i * R_j / (R_i - R_j) / (np.pi * MODULUS))
    each = [force / (np.pi * 2 * MODULUS) * (2 * np.log(4 * R / a) - 1) for R in (R_i, R_j)]
    assert sum(each) == pytest.approx(depth, rel=1e-12)


@pytest.mark.parametrize("gap", [5e-5, 2e-4, 3.4e-4, 3.6e-4, 1e-3])
def test_pereira_fits_johnson(gap):
    """It was fitted to Johnson's law: from 1 to 10 % of the gap they differ by less than 10 %."""
    contact = geometry(gap, 0.015)
    for share in (0.01, 0.05, 0.1):
        ratio = at_rest(fc.Pereira(), share * gap, contact) / at_rest(
            fc.Johnson(), share * gap, contact
        )
        assert ratio == pytest.approx(1.0, abs=0.1), share


ALL = [fc.Liu(), *(fc.bai_zhao(r) for r in READINGS), fc.Johnson(), fc.ESDU78035(), fc.Pereira()]
NAMES = ["Liu", *READINGS, "Johnson", "ESDU78035", "Pereira"]


@pytest.mark.parametrize("law", ALL, ids=NAMES)
@pytest.mark.parametrize("depth", [1e-6, 2e-4, 4e-4, 3e-3])
def test_stored_energy_is_the_integral_of_the_force(law, depth):
    """Also beyond the range of the logarithmic laws, where the force goes on along its tangent."""
    contact = geometry(length=0.015)
    p = SimpleNamespace(**law.values(contact))
    integral = quad(
        lambda d: at_rest(law, d, contact), 0, depth, epsrel=1e-12, epsabs=0, limit=200,
        points=[x for x in (2.46e-4, 1.82e-3) if x < depth],
    )[0]  # fmt: skip
    assert float(type(law).energy(ufl.as_ufl(depth), p)) == pytest.approx(integral, rel=1e-8)


def journal_in_bearing(law, speed=0.3, kind=fc.RevoluteClearance, **options):
    """A free journal of 1 kg, centred in a bearing of the ground, and its joint."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(speed, 0, 0), name="journal"))
    size = {"bearing_radius": 0.01, "journal_radius": 0.0095, "length": 0.015} | options
    joint = kind(
        system.ground.point((0, 0, 0)), body.center, axis=(0, 0, 1), materials=(STEEL, STEEL),
        normal=law, name="joint", **size,
    )  # fmt: skip
    system.add(joint)
    return system


@pytest.mark.parametrize("law", ALL, ids=NAMES)
@pytest.mark.parametrize("depth", [-2e-4, 2e-5, 3e-4])
def test_tangent(law, depth):
    """Against central differences: free, in contact, beyond the range of Johnson's formula."""
    system = journal_in_bearing(law)
    state = system.state
    state.q[:2] = 0.8 * (5e-4 + depth), 0.6 * (5e-4 + depth)
    state.v[:2] = 0.2, -0.1
    system.channels.read()
    assert (system.channels["joint.normal_force"] > 0) == (depth > 0)
    assert tangent_error(state, step=1e-9) < 1e-5


def impact(law, speed=0.3):
    """Speed ratio after a journal hit its bearing; the largest change of mechanical energy of an
    elastic law is asserted."""
    system = journal_in_bearing(law, speed)
    stepper = fc.Stepper(system, t_end=0.02, contact_tolerance=1e-5)
    stepper.start()
    energy, change = stepper.channels["energy.total"], 0.0
    while not stepper.events or stepper.channels["joint.penetration"] > 0:
        stepper.advance()
        change = max(change, abs(stepper.channels["energy.total"] - energy))
    if law.restitution == 1:
        assert change < 2e-4 * energy
    return -stepper.channels["journal.vx"] / speed


@pytest.mark.parametrize("make", [fc.Liu, fc.Johnson, fc.ESDU78035, fc.Pereira, *READINGS])
def test_restitution(make, reference):
    """All are f(depth) (1 + chi rate / approach): elastic with restitution 1; at 0.9 and 0.5 they
    return what chi says (e_restitution.csv: LN, or BAI for the hybrid law)."""
    table = reference("e_restitution.csv")
    hybrid = isinstance(make, str)
    build = (lambda restitution: fc.bai_zhao(make, restitution)) if hybrid else make
    assert impact(build(restitution=1.0)) == pytest.approx(1.0, abs=1e-3)
    for given in (0.9, 0.5):
        row = table[np.argmin(np.abs(table["c_e"] - given))]
        expected = row["BAI_eeff" if hybrid else "LN_eeff"]
        assert impact(build(restitution=given)) == pytest.approx(expected, abs=1e-3)


def test_hysteresis_of_choice():
    """Johnson's stiffness with the damping of Flores et al. (2011)."""
    law = fc.Johnson(restitution=0.4, hysteresis=fc.Flores2011)
    expected = returned_restitution(1.6 * 0.6 / 0.4)
    assert expected == pytest.approx(0.362872318508, abs=1e-12)  # e_restitution.csv
    assert impact(law) == pytest.approx(expected, abs=1e-3)


def test_bad_input():
    ball = fc.ContactGeometry("joint", 0.01, 0.0095, (STEEL, STEEL))
    with pytest.raises(fc.InputError, match="for cylinders, but the joint has no length"):
        fc.Johnson().values(ball)
    bare = fc.ContactGeometry("joint", 0.01, 0.0095, axial_length=0.01, given_stiffness=1e9)
    with pytest.raises(fc.InputError, match="neither body has a material"):
        fc.Liu().values(bare)
    with pytest.raises(
        fc.InputError, match="from 0.005 to 10 mm, but here the difference is 0.001 mm"
    ):
        fc.Pereira().values(geometry(1e-6))
    with pytest.raises(fc.InputError, match="did you mean 'corr'"):
        fc.bai_zhao("cor")
    with pytest.raises(fc.InputError, match="hysteresis must be the class of a law"):
        fc.Liu(hysteresis=fc.Hertz)


# --- the law by default ------------------------------------------------------------------------
KINDS = [fc.RevoluteClearance, fc.CylindricalClearance]


def normal_force(depth, **options):
    """Force of a joint with a law of its own, at rest at a depth, N."""
    system = journal_in_bearing(None, speed=0.0, **options)
    system.state.q[:2] = 0.6 * (5e-4 + depth), 0.8 * (5e-4 + depth)
    system.channels.read()
    return system.channels["joint.normal_force"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [0.005, 0.015, 0.12])
@pytest.mark.parametrize(("depth", "force"), [(1e-5, 1.7690e5), (5e-5, 1.9045e6)])
def test_default_law_knows_the_length(kind, length, depth, force):
    """Audited values of Liu's law for a metre of length (docs/errata.md), times the length."""
    found = normal_force(depth, kind=kind, length=length)
    assert found == pytest.approx(force * length, rel=3e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stiffness_is_the_users_whole_contact(kind, caplog):
    assert normal_force(1e-5, kind=kind, stiffness=1e10) == pytest.approx(1e10 * 1e-5**1.5)
    assert "does not depend on the length" not in caplog.text


@pytest.mark.parametrize("kind", KINDS)
def test_the_formula_for_spheres_says_that_it_does_not_know_the_length(kind, caplog):
    journal_in_bearing(fc.LankaraniNikravesh(), kind=kind).assemble()
    said = [
        r.getMessage() for r in caplog.records if "does not depend on the length" in r.getMessage()
    ]
    assert len(said) == 1 and "use a law for cylinders, such as Liu()" in said[0]


@pytest.mark.parametrize(("length", "ratio"), [(0.005, 2.36), (0.01182, 1.0), (0.12, 0.0985)])
def test_spheres_by_cylinders(length, ratio):
    """What the stiffness of spheres, 4/3 E* sqrt(R_i R_j / gap), makes of 10 um, by Liu's audited
    force a metre (docs/errata.md)."""
    spheres = 4 / 3 * MODULUS * np.sqrt(0.01 * 0.0095 / 5e-4) * 1e-5**1.5
    assert spheres / (1.7690e5 * length) == pytest.approx(ratio, rel=2e-3)
    contact = geometry(length=length)
    assert at_rest(fc.Hertz(), 1e-5, contact) == pytest.approx(spheres, rel=1e-12)


class Layer(fc.CylinderLaw):
    """E* L depth."""

    @staticmethod
    def elastic(depth, p):
        return p.scale * depth


def test_a_law_of_ones_own():
    """The force at rest, and with Lankarani and Nikravesh's damping, chi = 3 (1 - e^2) / 4."""
    law, pair = Layer(restitution=0.8), geometry(length=0.02)
    assert at_rest(law, 1e-6, pair) == pytest.approx(MODULUS * 0.02 * 1e-6, rel=1e-12)
    p = SimpleNamespace(**law.values(pair))
    moving = Layer.force(*map(ufl.as_ufl, (1e-6, 0.3, 0.5)), p)
    expected = MODULUS * 0.02 * 1e-6 * (1 + 0.75 * (1 - 0.8**2) * 0.3 / 0.5)
    assert float(moving(())) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(TypeError, match=r"defines elastic\(\)"):
        fc.CylinderLaw.elastic(1e-6, p)

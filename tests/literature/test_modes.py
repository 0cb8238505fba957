"""Eigenfrequencies of beams against the theories of Euler and Bernoulli, and of Timoshenko.

Every reference is computed here: characteristic equations by scipy, a Galerkin solution for the
rotating beam. No number is taken from the code that is tested.
"""

import numpy as np
import pytest
import scipy.linalg
from numpy.polynomial import Polynomial
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import fem_clearance as fc

STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800)
SOURCE = "SciPy, characteristic equation"
TEXTBOOK = "Euler and Bernoulli, textbook roots"
TURN = Rotation.from_rotvec([0.9, -2.0, 0.7]).as_matrix()
#: what vanishes at an end: deflection 0, rotation 1, moment 2, shear force 3
ENDS = {"clamped": (0, 1), "pinned": (0, 2), "free": (2, 3)}


# --- theories -------------------------------------------------------------------------------------
def bending(section, material, length, ends, count, timoshenko, factor=1.0):
    """Angular frequencies of a uniform beam in bending, from the determinant of its transfer
    matrix. Timoshenko's beam has rotary inertia, and a shear ``factor``."""
    EI, mass = material.E * section.I_y, material.rho * section.area
    flexible = 1 / (factor * material.mu * section.area) if timoshenko else 0.0
    rotary = material.rho * section.I_y if timoshenko else 0.0
    first, last = (ENDS[e] for e in ends)
    free = [k for k in range(4) if k not in first]
    # lengths in L, moments in EI/L, forces in EI/L^2
    s = EI / length**2

    def determinant(w):
        A = np.array([
            [0, 1, 0, flexible * s],
            [0, 0, 1, 0],
            [0, -rotary * w**2 / s, 0, -1],
            [-mass * w**2 * length**4 / EI, 0, 0, 0],
        ])  # fmt: skip
        T = scipy.linalg.expm(A)
        return np.linalg.det(T[np.ix_(last, free)])

    scale = np.sqrt(EI / (mass * length**4))
    grid = scale * np.linspace(0.3, (np.pi * (count + 1)) ** 2, 400 * count)
    values = [determinant(w) for w in grid]
    roots = [
        brentq(determinant, a, b, xtol=1e-12 * scale, rtol=1e-13)
        for a, b, u, v in zip(grid[:-1], grid[1:], values[:-1], values[1:], strict=True)
        if u * v < 0
    ]
    return np.array(roots[:count])


def test_the_theory_itself(published):
    """Euler and Bernoulli's clamped and free beam: cos x cosh x = -1 and 1, textbook roots."""
    bar = fc.Rectangle(0.01, 0.01)
    unit = np.sqrt(STEEL.E * bar.I_y / (STEEL.rho * bar.area))
    clamped = np.sqrt(bending(bar, STEEL, 1.0, ("clamped", "free"), 3, False) / unit)
    roots = [1.8751041, 4.6940911, 7.8547574]
    published("roots, clamped and free", clamped, roots, rel=1e-7, source=TEXTBOOK)
    free = np.sqrt(bending(bar, STEEL, 1.0, ("free", "free"), 2, False) / unit)
    published("roots, free", free, [4.7300407, 7.8532046], rel=1e-7, source=TEXTBOOK)


# --- beams ----------------------------------------------------------------------------------------
MODELS = [("cable", 16, fc.Rectangle(0.02, 0.02)), ("quadratic", 24, fc.Rectangle(0.05, 0.05)),
          ("ancf", 90, fc.Rectangle(0.05, 0.05))]  # fmt: skip


def beam(model, elements, section, ends, gravity=(0, 0, 0)):
    """A beam of 1 m along a line in space, its ends held."""
    system = fc.System(gravity=gravity)
    start, end = np.array([0.1, 0.2, 0.3]), np.array([0.1, 0.2, 0.3]) + TURN[:, 0]
    it = fc.Beam(start, end, section, STEEL, elements, model=model, up=TURN[:, 1], free=True,
                 name="beam")  # fmt: skip
    system.add(it)
    for k, how in zip((0, -1), ends, strict=True):
        if how != "free":
            it.nodes[k]["r"].fixed[:] = True
        if how == "clamped":
            for name in ("slope", "d2", "d3"):
                if name in it.nodes[k] and (name != "slope" or model == "cable"):
                    it.nodes[k][name].fixed[:] = True
    return system, it


@pytest.mark.parametrize("ends", [("clamped", "free"), ("free", "free"), ("pinned", "pinned")])
@pytest.mark.parametrize(("model", "elements", "section"), MODELS)
def test_bending(published, model, elements, section, ends):
    """Three frequencies in each of two planes, to 0.1 %. A cable is Euler and Bernoulli's beam; the
    others are Timoshenko's with Cowper's (1966) shear factor, 10 (1 + nu) / (12 + 11 nu); for their
    slenderness of 20 that differs by 0.2 to 9 %."""
    system, it = beam(model, elements, section, ends)
    thin = model == "cable"
    exact = bending(section, STEEL, 1.0, ends, 3, not thin, 13 / 15.3)
    modes = fc.eigenmodes(system, 20)
    found = [w for k, w in enumerate(modes.angular_frequencies) if w > 0 and across(modes, it, k)]
    what = f"bending frequencies, {model}, {ends[0]} and {ends[1]}"
    published(what, found[:6], np.repeat(exact, 2), rel=1e-3, unit="rad/s")
    rigid = np.count_nonzero(modes.angular_frequencies == 0)
    # rotation about the own axis: no motion of a cable, stretch and torsion elsewhere
    expected = {("free", "free"): 5 if thin else 6, ("pinned", "pinned"): 0 if thin else 1}
    assert rigid == expected.get(ends, 0)
    if not thin:
        slender = bending(section, STEEL, 1.0, ends, 3, False)
        assert np.all(slender > 1.001 * exact)


def across(modes, it, k):
    """Whether the line of mode ``k`` moves across the beam."""
    r = np.array([modes.shapes[k, n["r"].numbers] for n in it.nodes
                  if not n["r"].fixed.any()])  # fmt: skip
    line = r @ it.axes
    return np.abs(line[:, 1:]).max() > 10 * np.abs(line[:, 0]).max()


def parts(modes, it, k):
    """Largest displacement of mode ``k`` along the line, across it, and of the section's edge by
    twisting."""
    free = [n for n in it.nodes if not n["r"].fixed.any()]
    r, d2 = (np.array([modes.shapes[k, n[name].numbers] for n in free]) for name in ("r", "d2"))
    along, across = np.abs(r @ it.axes[:, 0]).max(), np.abs(r @ it.axes[:, 1:]).max()
    return along, across, np.abs(d2 @ it.axes[:, 2]).max() * it.section.width_y / 2


@pytest.mark.parametrize(("model", "elements"), [("quadratic", 16), ("ancf", 48)])
def test_axial_frequencies(published, model, elements):
    """(2 n - 1) pi / 2 L sqrt(E/rho). A fixed joint leaves the lengths of the root's directors
    free, so nothing hinders the contraction across (whose inertia costs 3e-4 for n = 2)."""
    system = fc.System((0, 0, 0))
    it = fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.05, 0.05), STEEL, elements, model=model)
    system.add(it)
    system.add(fc.FixedJoint(system.ground, it.start))
    modes = fc.eigenmodes(system, 24)
    found = []
    for k, w in enumerate(modes.angular_frequencies):
        along, across, _ = parts(modes, it, k)
        found += [w] if along > 10 * across else []
    exact = np.pi / 2 * np.sqrt(STEEL.E / STEEL.rho) * np.array([1, 3])
    what = f"axial frequencies, {model}"
    published(what, found[:2], exact, rel=1e-3, unit="rad/s", source="closed form, rod")


@pytest.mark.parametrize(("model", "elements"), [("quadratic", 16), ("ancf", 48)])
def test_torsional_frequencies(published, model, elements):
    """(2 n - 1) pi / 2 L sqrt(G J / rho I): Saint-Venant's J = 0.1406 b^4 of a square (Timoshenko
    and Goodier), I = b^4 / 6. Both directors of the root are held; a fixed joint, which turns with
    d2, is softer there (0.2 of a width more length)."""
    system, it = beam(model, elements, fc.Rectangle(0.05, 0.05), ("clamped", "free"))
    modes = fc.eigenmodes(system, 24)
    found = []
    for k, w in enumerate(modes.angular_frequencies):
        along, across, edge = parts(modes, it, k)
        found += [w] if edge > 10 * max(along, across) else []
    exact = np.pi / 2 * np.sqrt(0.1406 * 6 * STEEL.mu / STEEL.rho) * np.array([1, 3])
    what = f"torsional frequencies, {model}"
    published(what, found[:2], exact, rel=1e-3, unit="rad/s", source="closed form, shaft")


def test_a_solid_beam(published):
    """Quadratic hexahedra without Poisson effect, clamped (1800 unknowns: SLEPc): two bending
    frequencies in each plane within 0.2 % of Timoshenko's with the shear factor 5/6."""
    cork, h = fc.StVenantKirchhoff(2e11, 0.0, 7800), 0.1
    mesh = fc.meshes.block((1, h, h), cells=(12, 2, 2), center=(0.5, 0, 0), degree=2)
    system = fc.System((0, 0, 0))
    system.add(fc.Solid(mesh, cork, clamped="x0"))
    modes = fc.eigenmodes(system, 6)
    exact = bending(fc.Rectangle(h, h), cork, 1.0, ("clamped", "free"), 2, True, 5 / 6)
    found = modes.angular_frequencies[[0, 1, 2, 3]]  # torsion and stretch come later
    what = "bending frequencies, hexahedra, clamped"
    published(what, found, np.repeat(exact, 2), rel=2e-3, unit="rad/s")


# --- frame invariance -----------------------------------------------------------------------------
def loaded(rotation, curled):
    """A cantilever of 16 elements under a large tip force and gravity, or curled to a circle by an
    end moment; all of it turned in space."""
    section = fc.Rectangle(0.01, 0.01)
    EI = STEEL.E * section.I_y
    system = fc.System(gravity=rotation @ [0, 0, 0 if curled else -9.81])
    it = system.add(
        fc.Beam((0, 0, 0), rotation[:, 0], section, STEEL, 16, up=rotation[:, 1], name="beam")
    )
    system.add(fc.FixedJoint(system.ground, it.start))
    if curled:
        system.add(fc.Torque(it.end, rotation @ [0, 0, 2 * np.pi * EI]))
    else:
        system.add(fc.Force(it.end, rotation @ [0, 8 * EI, 3 * EI]))
    fc.Statics(system, steps=10, tolerance=1e-12).solve()
    return fc.eigenmodes(system, 6).eigenvalues


@pytest.mark.parametrize("curled", [False, True])
def test_frequencies_do_not_depend_on_the_frame(curled):
    """Loaded beams: as built along x and turned in space, equal to 1e-7."""
    here, there = (loaded(R, curled) for R in (np.eye(3), TURN))
    assert there == pytest.approx(here, rel=1e-7)


# --- rotating beams -------------------------------------------------------------------------------
def galerkin(speed, in_plane, count=2, terms=10):
    """Frequencies of a clamped beam that turns about its root, Euler and Bernoulli with the tension
    rho A W^2 (L^2 - x^2) / 2; in units of sqrt(EI / rho A L^4), polynomials x^2, x^3, ..."""
    K, M = np.zeros((terms, terms)), np.zeros((terms, terms))
    x = Polynomial([0, 1])
    basis = [x**2 * (x - 0.5) ** k for k in range(terms)]
    tension = speed**2 / 2 * (1 - x**2)

    def integral(p):
        return p.integ()(1.0) - p.integ()(0.0)

    for i, a in enumerate(basis):
        for j, b in enumerate(basis):
            M[i, j] = integral(a * b)
            K[i, j] = integral(a.deriv(2) * b.deriv(2)) + integral(tension * a.deriv() * b.deriv())
    if in_plane:
        K -= speed**2 * M
    return np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)[:count])


def test_the_galerkin_solution_itself(published):
    """At rest: Euler and Bernoulli's 1.8751041^2 and 4.6940911^2."""
    at_rest, roots = galerkin(0.0, False), [3.5160153, 22.0344916]
    published("frequencies by Galerkin, at rest", at_rest, roots, rel=1e-7, source=TEXTBOOK)


@pytest.mark.parametrize("speed", [2.0, 6.0, 12.0])
def test_rotating_cantilever(published, speed):
    """Flap (along the axis) and lag (in the plane of rotation) of a beam on a driven hub, L/h =
    100, against the Galerkin solution to 0.2 %; Coriolis forces couple lag to stretch only."""
    section, L = fc.Rectangle(0.01, 0.01), 1.0
    unit = np.sqrt(STEEL.E * section.I_y / (STEEL.rho * section.area * L**4))
    W = speed * unit
    system = fc.System((0, 0, 0))
    hub = system.add(fc.RigidBody(1.0, (1, 1, 1), name="hub"))
    it = system.add(fc.Beam((0, 0, 0), (L, 0, 0), section, STEEL, 24, name="blade"))
    pin = system.add(fc.RevoluteJoint(system.ground, hub.center, axis=(0, 0, 1)))
    system.add(fc.FixedJoint(hub, it.start))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(W)))
    rotation = fc.SteadyRotation((0, 0, W))
    fc.Statics(system, steps=4, time=0.0, rotation=rotation).solve()
    modes = fc.eigenmodes(system, 4, rotation=rotation)
    exact = np.sort(np.concatenate([galerkin(speed, False), galerkin(speed, True)]))
    what, found = f"rotating cantilever, speed {speed}", modes.angular_frequencies / unit
    published(what, found, exact, rel=2e-3, unit="sqrt(EI/rho A L^4)", source="SciPy, Galerkin")
    tip = np.abs(modes.shapes[:, it.nodes[-1]["r"].numbers])
    assert list(np.argmax(tip, axis=1)) == [1, 2, 1, 2]  # lag below flap, each time

"""Quick-return mechanism behind gears (Tian et al. 2015, section 5.2).

The paper prints curves without numbers, and leaves out places, masses and the drive (see
docs/quick_return.md). So: independent solutions of the rigid mechanism and of its rod, written
here; the direction of the orbits; where the power goes.
"""

import functools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance import InputError, cases

#: table 2 of the paper; radii of shafts and rod are half of what it prints, see the docs
SPEED, TEETH, MODULE, INERTIA, K, ZETA = 100.0, 28, 3.383e-3, 0.0018, 1e8, 0.1
RADIUS, SHAFT, STUB, ROD, ROD_RHO, ROD_E = 0.0185, 0.268, 0.03, 0.025, 3641.5, 7e10
CRANK, PIVOT, ERROR = 0.0059997, 0.59997, 1.8e-4
BASE = TEETH * MODULE / 2 * np.cos(np.radians(20))
SOURCE = "SciPy, one freedom, DOP853"
RIGID = (("bearings", "ideal"), ("shaft.model", "rigid"), ("rod.model", "rigid"))
SPRING = (("bearings", "spring"), ("shaft.elements", 2), ("rod.elements", 6))


@functools.cache
def run(t_end, *changes):
    """Results of the case; ``changes`` are pairs."""
    values = {"t_end": t_end} | dict(changes)
    return cases.get("quick_return").simulation(values, progress=False).run()


# --- the rigid mechanism ------------------------------------------------------------------------
def swing(phi):
    """The rod's angle from z towards y, and its first two derivatives by the crank's angle phi, by
    which the pin is at (l cos phi, g - l sin phi) from the pivot."""
    y, z = CRANK * np.cos(phi), PIVOT - CRANK * np.sin(phi)
    dy, dz = -CRANK * np.sin(phi), -CRANK * np.cos(phi)
    square = y * y + z * z
    first = (z * dy - y * dz) / square
    # d2y = -y, d2z = PIVOT's own: l sin phi
    second = (z * -y - y * CRANK * np.sin(phi)) / square
    second -= first * 2 * (y * dy + z * dz) / square
    return np.arctan2(y, z), first, second


def mesh_force(t, phi, speed):
    """The mesh between a pinion that turns at its speed and the gear on the crank's shaft."""
    mass = INERTIA / (2 * BASE**2)
    beat = TEETH * SPEED
    depth = BASE * (SPEED * t - phi - np.pi / 2) - ERROR * np.sin(beat * t)
    rate = BASE * (SPEED - speed) - ERROR * beat * np.cos(beat * t)
    return K * depth + 2 * ZETA * np.sqrt(K * mass) * rate


def rigid_solution(t_end, times):
    """Crank angle and speed: one degree of freedom."""
    mass = 7800 * np.pi * RADIUS**2 * (SHAFT + STUB)
    turning = INERTIA + mass * RADIUS**2 / 2
    rod = ROD_RHO * np.pi * ROD**2
    rod *= 1 / 3 + ROD**2 / 4

    def rates(t, x):
        _, first, second = swing(x[0])
        moment = BASE * mesh_force(t, *x) - rod * first * second * x[1] ** 2
        return [x[1], moment / (turning + rod * first**2)]

    start = [-np.pi / 2, SPEED]
    return solve_ivp(rates, (0, t_end), start, "DOP853", times, rtol=1e-11, atol=1e-12).y


def test_rigid_mechanism_against_scipy(published):
    """Everything rigid, ideal bearings: the error falls with the square of the step."""
    errors = []
    for dt in (2e-5, 1e-5):
        results = run(0.01, *RIGID, ("dt", dt))
        phi, speed = rigid_solution(0.01, results.time)
        tip = np.sin(swing(phi)[0])
        step = f"step {dt * 1e6:g} us"
        published(f"y of the rod's tip, {step}", results["rod_tip.y"], tip, abs=2e-6, unit="m")
        force = mesh_force(results.time, phi, speed)
        largest, turned = np.abs(force).max(), np.degrees(phi)
        errors.append(np.abs(results["mesh_force"] - force).max() / largest)
        published(f"force of the mesh, {step}", results["mesh_force"], force, abs=0.02 * largest,
                  unit="N")  # fmt: skip
        published(f"crank, {step}", results["crank.angle_deg"], turned, abs=1e-2, unit="deg")
        assert np.abs(results["rod_tip.deflection"]).max() < 1e-12
    assert errors[1] < 0.27 * errors[0]


def test_uncoupled_rigid_mechanism_is_kinematics(published):
    results = run(0.02, ("coupled", False), ("rod.model", "rigid"), ("dt", 1e-4))
    angle, first, second = swing(-np.pi / 2 + SPEED * results.time)
    vy = first * SPEED * np.cos(angle)
    ay = SPEED**2 * (second * np.cos(angle) - first**2 * np.sin(angle))
    late = results.time > 1e-3
    for name, exact, close, unit, rows in (
        ("y", np.sin(angle), 1e-9, "m", slice(None)), ("vy", vy, 1e-4, "m/s", slice(None)),
        ("ay", ay, 1.0, "m/s^2", late),
    ):  # fmt: skip
        published(f"{name} of the rod's tip, rigid", results[f"rod_tip.{name}"][rows], exact[rows],
                  abs=close, unit=unit, source="closed form, kinematics")  # fmt: skip


# --- the rod ------------------------------------------------------------------------------------
def hermite(x, h):
    return np.array([1 - 3 * x**2 + 2 * x**3, h * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3,
                     h * (x**3 - x**2)])  # fmt: skip


def rod_deflection(t_end, dt=1e-5, n=10):
    """Bernoulli's beam with small displacements across z, pinned at E and led by the crank's pin:
    cubic elements, Newmark's scheme with a little damping.

    Returns times and the tip's distance from the line from E through the pin.
    """
    area, second = np.pi * ROD**2, np.pi / 4 * ROD**4
    h, size = 1 / n, 2 * n + 2
    points, weights = np.polynomial.legendre.leggauss(5)
    mass, stiff = np.zeros((size, size)), np.zeros((size, size))
    for e in range(n):
        at = slice(2 * e, 2 * e + 4)
        for x, w in zip((points + 1) / 2, weights / 2, strict=True):
            f = hermite(x, h)
            b = np.array([12 * x - 6, h * (6 * x - 4), 6 - 12 * x, h * (6 * x - 2)]) / h**2
            mass[at, at] += w * h * ROD_RHO * area * np.outer(f, f)
            stiff[at, at] += w * h * ROD_E * second * np.outer(b, b)
    gamma, beta = 0.55, 0.275625
    rate = SPEED * CRANK / (PIVOT + CRANK)
    v, q, a = np.zeros(size), np.zeros(size), np.zeros(size)
    v[0::2], v[1::2] = rate * np.linspace(0, 1, n + 1), rate
    times, tips = [0.0], [0.0]
    while times[-1] < t_end - dt / 2:
        t = times[-1] + dt
        phi = -np.pi / 2 + SPEED * t
        y, z = CRANK * np.cos(phi), PIVOT - CRANK * np.sin(phi)
        e, row = int(z / h), np.zeros((2, size))
        row[0, 0], row[1, 2 * e : 2 * e + 4] = 1.0, hermite(z / h - e, h)
        ahead = q + dt * v + dt**2 * (0.5 - beta) * a
        whole = np.block([[mass + beta * dt**2 * stiff, row.T], [row, np.zeros((2, 2))]])
        wanted = (np.array([0.0, y]) - row @ ahead) / (beta * dt**2)
        new = np.linalg.solve(whole, np.r_[-stiff @ ahead, wanted])[:size]
        q, v, a = ahead + beta * dt**2 * new, v + dt * ((1 - gamma) * a + gamma * new), new
        times.append(t)
        tips.append(q[-2] - y / z)
    return np.array(times), np.array(tips)


def test_uncoupled_rod_against_a_beam_of_its_own(published):
    results = run(0.016, ("coupled", False), ("dt", 4e-5))
    times, tips = rod_deflection(0.016)
    own = np.interp(results.time, times, tips)
    published("deflection of the rod's tip", results["rod_tip.deflection"], own,
              abs=5e-3 * np.abs(own).max(), unit="m", source="cubic beam, Newmark")  # fmt: skip


# --- gears, shafts, bearings --------------------------------------------------------------------
def direction(results, name, after=0.0):
    """Angle from y, deg, and slenderness of a journal's orbit (principal axes)."""
    late = results.time >= after
    path = np.array([results[f"journal.{name}.{x}"][late] for x in "xy"])
    sizes, axes = np.linalg.eigh(np.cov(path))
    angle = np.degrees(np.arctan2(axes[1, 1], axes[0, 1]))
    return (angle + 90) % 180 - 90, float(np.sqrt(sizes[1] / sizes[0]))


def unexplained(results):
    """Difference of the powers over the run, as a part of what came in, J/J."""
    t = results.time

    def work(name):
        return np.trapezoid(results[name], t)

    energy = sum(results[f"energy.{n}"] for n in ("kinetic", "strain", "potential"))
    fed = work("drive.power") + work("power.transmission_error")
    lost = work("power.mesh") + work("power.bearings")
    flow = np.trapezoid(np.abs(results["power.transmission_error"]), t)
    return (fed - lost - (energy[-1] - energy[0])) / flow


def test_journals_of_the_pinion_move_along_the_line_of_action(published):
    """The mesh's force lies 20 degrees below the common tangent y of the pitch circles, and nothing
    else loads the pinion's shaft; the crank's bearing is drawn along y by the rod."""
    results = run(0.016, *SPRING)
    for name in "AD":
        angle, slender = direction(results, name)
        published(f"direction of the orbit of journal {name}", angle, -20, abs=0.2, unit="deg",
                  source="pressure angle")  # fmt: skip
        assert slender > 100
    assert abs(direction(results, "F")[0]) < abs(direction(results, "C")[0]) < 20
    assert abs(direction(results, "F")[0]) < 3


def test_power_of_springs_and_mesh():
    assert abs(unexplained(run(0.016, *SPRING))) < 5e-3


FEW = (("film.cells", "24x4"), ("shaft.elements", 2), ("rod.elements", 6))
FILMS = (("contact", False), *FEW)
TURN = 2 * np.pi / SPEED


@pytest.mark.slow
@pytest.mark.parametrize(
    "bearings", [SPRING, (("bearings", "hd"), *FEW)], ids=["springs", "films"]
)  # fmt: skip
def test_power_over_a_steady_turn(bearings):
    """Third turn, the rod's material damped (or its own vibration would last): the energy is what
    it was a turn before, and what the drive and the gears' error feed in is what is lost in mesh,
    bearings and rod, to 1 % of it."""
    results = run(3 * TURN, *bearings, ("turns", 3), ("rod.damping", 1e-4))
    t = results.time
    last = t >= 2 * TURN - 1e-9
    powers = {
        n: np.trapezoid(results[n][last], t[last])
        for n in ("drive.power", "power.transmission_error", "power.mesh", "power.bearings",
                  "power.rod")
    }  # fmt: skip
    fed = powers["drive.power"] + powers["power.transmission_error"]
    lost = powers["power.mesh"] + powers["power.bearings"] + powers["power.rod"]
    assert min(powers["power.mesh"], powers["power.bearings"], powers["power.rod"]) > 1e-3 * lost
    assert lost == pytest.approx(fed, rel=1e-2)


@pytest.mark.slow
def test_power_of_films():
    """Films take from the shafts what their forces say, and turn it into heat, whatever
    cavitates."""
    for cavitation in ("guembel", "reynolds"):
        results = run(0.016, ("bearings", "hd"), ("cavitation", cavitation), *FILMS)
        assert abs(unexplained(results)) < 1e-2
        heat = sum(results[f"bearing.{n}.power_loss"] for n in "ADCF")
        taken, heat = (np.trapezoid(x, results.time) for x in (results["power.bearings"], heat))
        assert heat == pytest.approx(taken, rel=5e-3)
        for name in "AD":
            assert direction(results, name)[0] == pytest.approx(-20, abs=3)


@pytest.mark.slow
def test_dry_contact_takes_over():
    """The rod throws the journal F, which tilts, through its film of thin oil onto the bore's
    edge."""
    values = ("bearings", "hd"), ("clearance", 3e-4), ("viscosity", 0.02), *FEW
    results = run(0.01, *values)
    assert -0.03 < results["bearing.F.min_film"].min() / 3e-4 < 0
    assert results["bearing.F.contact_force"].max() > 100.0
    assert results["bearing.A.contact_force"].max() == 0
    with pytest.raises(fc.StepFailed):
        run(0.012, ("contact", False), *values)


@pytest.mark.slow
@pytest.mark.parametrize(
    "bearings",
    [
        (("bearings", "hd"), ("crank.length", 0.12)),
        (("bearings", "hd"), ("crank.length", 0.06), ("pinion.speed", 50.0)),
        (("bearings", "ehd"), ("contact", True), ("crank.length", 0.12), ("liner.responses", 24),
         ("liner.cells", "16x2x1")),
    ],
    ids=["hd", "hd slower", "ehd"],
)  # fmt: skip
def test_larger_cranks_press_journals_through_their_films(bearings):
    """Loads which no film bears: contact takes over, dry in rigid bores, of asperities on liners;
    the surfaces overlap, the run goes on beyond where it had stopped (6.6 and 23.3 ms in rigid
    bores, 9.0 ms on liners), and what drive and gears' error feed in is what is lost and stored."""
    speed = dict(bearings).get("pinion.speed", SPEED)
    results = run(1.2 / speed, *bearings, *FEW)
    assert results.time[-1] == pytest.approx(1.2 / speed)
    depth = min(results[f"bearing.{n}.min_film"].min() for n in "ADCF")
    assert -0.2 * 2e-4 < depth < -0.01 * 2e-4
    kind = "contact_force" if dict(bearings)["bearings"] == "hd" else "asperity_force"
    assert max(results[f"bearing.{n}.{kind}"].max() for n in "ADCF") > 300.0
    assert abs(unexplained(results)) < 2e-2


@pytest.mark.slow
def test_liners():
    """The paper's liner hardly yields; a soft one does; full and condensed liners agree."""
    t_end = 0.004
    rigid = run(t_end, ("bearings", "hd"), *FILMS)

    def apart(other, name="journal.A.x"):
        at = np.interp(rigid.time, other.time, other[name])
        return np.abs(at - rigid[name]).max() / np.abs(rigid[name]).max()

    paper, stiff, soft = (
        apart(run(t_end, ("bearings", "ehd"), ("liner.E", E), *FILMS)) for E in (1.3e11, 1e13, 1e9)
    )
    assert stiff < 0.05 * paper < paper < 1e-2
    assert 0.05 * soft > paper


@pytest.mark.slow
def test_full_and_condensed_liners():
    """200 steps on liners of 1 GPa, where they matter: all of the solid, or 40 responses. The
    film's cells are the facets of the bore."""
    full, condensed, rigid = (
        run(0.004, *changes, ("liner.E", 1e9), ("film.cells", "24x2"), ("contact", False))
        for changes in (
            (("bearings", "ehd"), ("liner", "full")), (("bearings", "ehd"),), (("bearings", "hd"),)
        )
    )  # fmt: skip
    assert len(full) > 200
    for name in ("journal.A.x", "journal.C.x", "journal.F.x", "mesh_force", "rod_tip.deflection"):
        apart = [
            np.abs(np.interp(full.time, z.time, z[name]) - full[name]).max()
            / np.abs(full[name]).max()
            for z in (condensed, rigid)
        ]  # fmt: skip
        assert apart[0] < 1e-3 and apart[1] > 0.015


@pytest.mark.slow
def test_guembels_film_on_the_softest_liner():
    """Newton's method settles which pressures are cut, if in up to 17 iterations: the run goes on
    (round-off decides on whether a step or two are cut), and journals stay within a part of where
    Reynolds' condition puts them."""
    soft = (("bearings", "ehd"), ("clearance", 2e-5), ("liner.E", 1e9))
    cut, broken = run(0.002, *soft), run(0.002, *soft, ("cavitation", "reynolds"))
    assert cut.summary["rejected_steps"] <= 2 and broken.summary["rejected_steps"] == 0
    assert cut.time[-1] == broken.time[-1] == 0.002
    for name in ("journal.A.x", "journal.C.x", "journal.F.x", "mesh_force", "rod_tip.deflection"):
        there = np.interp(cut.time, broken.time, broken[name])
        assert np.abs(there - cut[name]).max() < 0.05 * np.abs(cut[name]).max()


def sizes(*changes):
    """Largest deflection and deviation of the tip over a turn, m."""
    summary = run(TURN, *changes).summary
    return np.array([summary["max_tip_deflection"], summary["max_tip_deviation"]])


@pytest.mark.slow
def test_deflection_grows_with_the_error_of_the_gears():
    """Figs. 14e and 14f; and the geared rod departs more from its course than the one that is
    driven directly (fig. 14a)."""
    found = [sizes(*SPRING, ("transmission_error", e)) for e in (0.0, 9e-5, 1.8e-4)]
    assert np.all(found[0] < found[1]) and np.all(found[1] < found[2])
    direct = sizes(("coupled", False), ("dt", 4e-5))
    assert direct[0] == pytest.approx(direct[1], rel=1e-6)
    assert 4 * direct[1] < found[0][1]


CLOSED = (("joint.film", "closed_form"),)


@pytest.mark.slow
def test_deflection_by_clearance():
    """Fig. 16a: the larger the clearance, the larger the deflection; and, of .2 mm and less, the
    tip departs less from its course than on the springs."""
    found = [sizes(*CLOSED, ("clearance", c)) for c in (5e-5, 1e-4, 2e-4, 3e-4)]
    assert np.all(np.diff(found, axis=0) > 0)
    assert found[2][1] < sizes(*SPRING)[1]


@pytest.mark.slow
def test_deflection_by_error_on_films():
    """Fig. 16b ("the influence is clear"). In a clearance of .05 mm the error adds to the motion.
    In .2 mm the tip departs less from its course the larger the error: a half film that is shaken
    keeps the journal away from the bore. A film that pulls has no such effect."""

    def pair(*changes):
        return [sizes(*CLOSED, *changes, ("transmission_error", e)) for e in (0.0, 1.8e-4)]

    without, with_error = pair(("clearance", 5e-5))
    assert np.all(with_error > without)
    without, with_error = pair()
    assert np.all(with_error < 0.95 * without)
    without, with_error = pair(("cavitation", "full"))
    assert np.all(with_error > without)


def test_shafts_keep_their_journals_from_tilting(caplog):
    """A journal of .38 diameters in such a bearing might tilt by 29 mrad, too far for sections that
    are taken as circles; on a shaft between two bearings it cannot, and nothing is said of it."""
    case = cases.get("quick_return")
    system = case.model(case.resolve({})).system
    assert "tilt" not in caplog.text
    joint = next(i for i in system.items if i.name == "bearing.A")
    options = {
        "length": 0.014, "bearing_radius": RADIUS, "journal_radius": RADIUS - 2e-4,
        "stiffness": 1e11,
    }  # fmt: skip
    other = fc.System(gravity=(0, 0, 0))
    body = other.add(fc.RigidBody(1.0, (1.0, 1.0, 1.0), name="journal"))
    other.add(fc.CylindricalClearance(other.ground, body.center, (1, 0, 0), name="b", **options))
    assert caplog.text.count("can tilt so far") == 1
    assert joint.lean == pytest.approx(4 * 2e-4 / SHAFT)


def test_bad_input():
    case = cases.get("quick_return")
    for changes, words in (
        ({"shaft.elements": 3}, "must be even"),
        ({"crank.length": 0.5}, "would leave the rod"),
        ({"film.cells": "48"}, "cells around and along"),
        ({"bearings": "dry"}, "bearings"),
        ({"bearings": "ehd", "joint.film": "closed_form"}, "liners need joint.film=reynolds"),
        ({"joint.film": "closed_form", "cavitation": "reynolds"}, "accepts guembel and full"),
    ):
        with pytest.raises(InputError, match=words):
            case.model(case.resolve(changes))

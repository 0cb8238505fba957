"""Spatial four-bar (Tian et al. 2009, section 6.2): an independent rigid solution, and what the
figures show.

The paper leaves out pivots, coupler length and moment (see docs/lubricated_joints.md), so
that its curves cannot be compared; each figure's statement can. The independent solution has two
angles, of crank and rocker, and one multiplier for the coupler's length.
"""

import functools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fem_clearance import InputError, cases

#: m, kg, kg m^2: the bars' moments of the paper are those of steel bars 20 x 20 x 150 mm
L, M, ACROSS, COUPLER, WIDTH, RHO = 0.15, 0.468, 8.93e-4, 0.3, 0.02, 7800.0
H, G, MOMENT, CLEARANCE = np.array([0.3, 0.0, 0.1]), 9.81, 1.0, 1e-3
SOURCE = "SciPy, two angles and a multiplier, DOP853"
SOFT = (("link.E", 6e7), ("link.rho", 6500.0))


class Rigid:
    """Crank angle theta from x about z, rocker angle psi from y about x; AB is a rigid bar."""

    def __init__(self):
        self.about = ACROSS + M * L**2 / 4
        m = RHO * WIDTH**2 * COUPLER
        across = m * WIDTH**2 / 12 / COUPLER**2  # of the section, on the ends' relative velocity
        self.same, self.mixed, self.load = m / 3 + across, m / 6 - across, (M + m) / 2

    def places(self, x):
        theta, psi = x
        a = L * np.array([np.cos(theta), np.sin(theta), 0])
        b = L * np.array([0, np.cos(psi), np.sin(psi)])
        da = L * np.array([-np.sin(theta), np.cos(theta), 0])
        db = L * np.array([0, -np.sin(psi), np.cos(psi)])
        return a, H + b, da, db

    def start(self):
        a = self.places((np.pi / 4, 0))[0]
        psi = np.linspace(0, np.pi, 200001)
        b = H + L * np.stack([0 * psi, np.cos(psi), np.sin(psi)], axis=1)
        return np.pi / 4, float(psi[np.argmin(abs(np.linalg.norm(b - a, axis=1) - COUPLER))])

    def rates(self, _, y):
        x, v = y[:2], y[2:]
        a, b, da, db = self.places(x)
        s, m = self.same, self.mixed
        mass = np.diag([self.about + s * da @ da, self.about + s * db @ db])
        mass += m * da @ db * (1 - np.eye(2))
        ca, cb = -a * v[0] ** 2, -(b - H) * v[1] ** 2  # accelerations at constant speeds
        force = np.array([MOMENT, 0.0]) - self.load * G * np.array([da[1], db[1]])
        force -= np.array([da @ (s * ca + m * cb), db @ (s * cb + m * ca)])
        d, dd = b - a, db * v[1] - da * v[0]
        row = np.array([-d @ da, d @ db])
        whole = np.block([[mass, row[:, None]], [row[None], np.zeros((1, 1))]])
        solved = np.linalg.solve(whole, [*force, -(dd @ dd + d @ (cb - ca))])
        return np.concatenate([v, solved[:2]])

    def run(self, t_end, times):
        y = np.array([*self.start(), 0.0, 0.0])
        return solve_ivp(self.rates, (0, t_end), y, "DOP853", times, rtol=1e-10, atol=1e-12).y


@functools.cache
def run(t_end, *changes):
    """Results of the case; ``changes`` are pairs."""
    values = {"t_end": t_end} | dict(changes)
    return cases.get("spatial_four_bar").simulation(values, progress=False).run()


def kind(name, *changes):
    return (("joint.kind", name), *changes)


RIGID = ("link.model", "rigid")


def work(results):
    """Energy less the work of the moment on the crank, J."""
    angle = np.radians(results["crank.angle_deg"])
    return results["energy.total"] - MOMENT * (angle - angle[0])


def test_ideal_joint_against_scipy(published):
    """One swing of the rocker; the error falls with the tolerance."""
    errors = []
    for tolerance in (1e-7, 1e-8):
        results = run(1.3, *kind("ideal", RIGID), ("tolerance", tolerance))
        theta, psi, _, speed = Rigid().run(1.3, results.time)
        y, vy, angle = L * np.cos(psi), -L * np.sin(psi) * speed, np.degrees(theta)
        errors.append(np.abs(results["B.y"] - y).max())
        at = f"tolerance {tolerance}"
        published(f"velocity of B, {at}", results["B.vy"], vy, abs=1e-3, unit="m/s")
        published(f"crank, {at}", results["crank.angle_deg"], angle, abs=1e-2, unit="deg")
    assert np.ptp(results["B.y"]) > 0.29  # the rocker swings through
    published(f"place of B, {at}", results["B.y"], y, abs=1e-5, unit="m")
    assert errors[1] < 0.5 * errors[0]


def test_work_of_the_moment():
    """What the moment does is what the mechanism has: rigid, and with a soft coupler."""
    rigid = run(1.3, *kind("ideal", RIGID), ("tolerance", 1e-8))
    assert np.ptp(work(rigid)) < 1e-4 * rigid["energy.kinetic"].max()
    soft = run(0.5, *kind("ideal", *SOFT))
    assert np.ptp(work(soft)) < 2e-3 * soft["energy.kinetic"].max()


def test_steel_coupler_is_nearly_rigid():
    rigid, steel = run(0.5, *kind("ideal", RIGID)), run(0.5, *kind("ideal"))
    t = np.linspace(0, 0.5, 51)
    at = [np.interp(t, r.time, r["B.y"]) for r in (rigid, steel)]
    assert np.abs(at[0] - at[1]).max() < 2e-4


@pytest.mark.slow
@pytest.mark.parametrize("soft", [(), SOFT], ids=["steel", "soft"])
def test_figures_22_to_27(soft):
    """Fig. 22a, 24: the joint hardly changes the displacement of B; 22b: impacts make its velocity
    jump, the film does not; 23: dry forces exceed lubricated ones; 25 to 27: the ball stays closer
    to the middle with a film."""
    t_end = 0.3
    ideal, dry, oil = (run(t_end, *kind(k, *soft)) for k in ("ideal", "dry", "lubricated"))
    t = np.linspace(0, t_end, 151)
    y = {k: np.interp(t, r.time, r["B.y"]) for k, r in zip("ido", (ideal, dry, oil), strict=True)}
    off = {k: np.abs(y[k] - y["i"]).max() for k in "do"}
    assert off["o"] < off["d"] < (40 if soft else 20) * CLEARANCE
    force = [r["joint.normal_force"].max() for r in (dry, oil)]
    assert force[0] > 2 * force[1] if not soft else force[0] > 0
    mean = [np.trapezoid(r["joint.eccentricity"], r.time) / t_end for r in (dry, oil)]
    assert mean[1] < 0.8 * mean[0]
    assert dry["joint.eccentricity"].max() < (1.15 if soft else 1.03) * CLEARANCE
    assert oil["joint.eccentricity"].max() < 1.05 * CLEARANCE
    for results in (dry, oil):  # joints take energy, none gives any
        assert np.diff(work(results)).max() < 2e-3 * results["energy.kinetic"].max()
        assert work(results)[-1] < work(results)[0]


def test_bad_input():
    case = cases.get("spatial_four_bar")
    changes = {"joint.kind": "lubricated", "joint.film": "reynolds", "link.model": "cable"}
    with pytest.raises(InputError, match="cable have no triad"):
        case.model(case.resolve(changes))
    with pytest.raises(InputError, match="does not fit into"):
        case.model(case.resolve({"joint.ball_radius": 0.031}))

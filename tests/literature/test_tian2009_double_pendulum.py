"""Tian, Zhang, Chen and Flores (2009), section 6.1, dry: what its figures show, with numbers.

The paper's curves carry no numbers; what is asserted is each figure's statement, measured on runs
from the shell's case ``double_pendulum`` (arms along +x, six elements an arm).
"""

import functools

import numpy as np
import pytest

from fem_clearance import cases

CLEARANCE = 0.002
SOURCE = "SciPy, rigid arms, data/SOURCES.md"
FALL = "closed form, falling bars"
SOFT = {"arm.E": 6e7, "arm.rho": 6000.0}


@functools.cache
def run(t_end, *changes):
    """Results of the case; ``changes`` are pairs."""
    values = {"t_end": t_end} | dict(changes)
    return cases.get("double_pendulum").simulation(values, progress=False).run()


def changed(**changes):
    return tuple((k.replace("_", ".", 1), v) for k, v in changes.items())


RIGID = changed(arm_model="rigid")
IDEAL = changed(joint_kind="ideal")
STIFF = changed(arm_model="cable")
YIELDING = (*changed(arm_model="cable"), *SOFT.items())


def at(results, name, times):
    return np.interp(times, results.time, results[name])


def test_fig9_the_joint_hardly_changes_the_displacement(published):
    """Fig. 9a, b, 20: x of B with clearance follows x with an ideal joint within the clearance."""
    t = np.linspace(0, 0.1, 101)
    dry, ideal = run(0.1, *RIGID), run(0.1, *RIGID, *IDEAL, ("dt", 1e-4))
    assert np.abs(at(dry, "tip.x", t) - at(ideal, "tip.x", t)).max() < CLEARANCE
    published("x of B at 0.1 s", at(dry, "tip.x", t)[-1], 0.59446, abs=1e-5, unit="m")


def test_fig9_the_number_of_elements_hardly_changes_the_displacement():
    """Fig. 9b, c: three or six elements an arm, same x of B within 0.1 mm (soft arms)."""
    t = np.linspace(0, 0.08, 81)
    coarse, fine = run(0.08, *YIELDING, ("arm.elements", 3)), run(0.08, *YIELDING)
    assert np.abs(at(coarse, "tip.x", t) - at(fine, "tip.x", t)).max() < 1e-4


def peak(results):
    return results.summary["first_impact_peak_force"]


def test_fig10_more_elements_give_lower_contact_forces():
    """Fig. 10: the mass near the joint shrinks with the element; first peaks fall (the paper's
    beam and
    printed radii)."""
    stiff = ("arm.model", "ancf"), ("joint.radii", "sum"), ("dt", 5e-6)
    peaks = [peak(run(0.0287, *stiff, ("arm.elements", n))) for n in (2, 3, 6)]
    assert peaks[0] > 1.1 * peaks[1] > 1.2 * peaks[2] > 36.0


@pytest.mark.parametrize("start", ["perpendicular", "collinear"])
def test_first_peak_converges_with_elements(published, start):
    """P2 of tests/literature/data/peers.json: 36.0 N with 48 cable elements an arm."""
    changes = ("arm.model", "cable"), ("joint.radii", "sum"), ("start", start)
    peaks = [peak(run(0.0287, *changes, ("arm.elements", n), ("dt", 5e-6))) for n in (6, 12, 24)]
    assert abs(peaks[2] - peaks[1]) < abs(peaks[1] - peaks[0])
    finer = peak(run(0.0287, *changes, ("arm.elements", 24), ("dt", 2.5e-6)))
    what, source = f"first peak of the contact force, {start}", "Exudyn 1.13.6, 48 cables an arm"
    for found, dt in ((peaks[2], 5), (finer, 2.5)):
        published(f"{what}, step {dt} us", found, 36.0, rel=0.01, unit="N", source=source)


def test_fig11_the_loop_of_the_first_impact_is_the_energy_it_loses(published):
    """Fig. 11: area inside force over penetration against the loss of mechanical energy."""
    results = run(0.0287, *RIGID, ("dt", 1e-6))
    force, depth, energy = (
        results[n] for n in ("joint.normal_force", "joint.penetration", "energy.total")
    )
    touching = np.flatnonzero(force > 0)
    span = slice(touching[0] - 1, touching[-1] + 2)
    area = np.trapezoid(force[span], depth[span])
    assert area == pytest.approx(energy[touching[0] - 1] - energy[touching[-1] + 1], rel=0.01)
    published("peak force, rigid arms", force.max(), 283.28, rel=2e-3, unit="N")
    # restitution 0.913: the part of the relative motion's energy that is lost is 1 - 0.913^2
    kinetic = area / (1 - 0.913176677806**2)
    assert kinetic == pytest.approx(0.4 * force.max() * depth.max(), rel=0.1)


def test_fig12_the_transverse_displacement_grows_with_clearance(published):
    """Fig. 12: B falls further with clearance than with an ideal joint until the socket catches
    it."""
    dry, ideal = run(0.0285, *RIGID, ("dt", 1e-4)), run(0.0285, *RIGID, *IDEAL, ("dt", 1e-4))
    assert np.array_equal(dry.time, ideal.time)
    drop = dry["tip.y"][1:] / ideal["tip.y"][1:]
    # a free uniform bar falls at g, the tip of two joined bars starts at 6/7 g
    assert np.all(drop > 1.0)
    published("fall of B by that of an ideal joint", drop[3], 7 / 6, rel=1e-3, source=FALL)


def test_fig13_the_ball_stays_in_the_socket_and_sinks_deeper_into_soft_arms():
    """Fig. 13: free flight, impact and rebound inside the clearance circle; penetration of soft
    arms
    exceeds that of stiff ones."""
    stiff, soft = run(0.06, *STIFF), run(0.06, *YIELDING)
    for results in (stiff, soft):
        radius = np.sqrt(sum(results[f"joint.e{x}"] ** 2 for x in "xyz"))
        assert np.allclose(radius, results["joint.eccentricity"], atol=1e-12)
        assert radius.max() <= CLEARANCE + results["joint.penetration"].max() + 1e-12
        assert radius.max() > 0.999 * CLEARANCE
    assert soft["joint.penetration"].max() > 5 * stiff["joint.penetration"].max()


def test_fig14_the_path_of_b_starts_as_free_fall(published):
    """Fig. 14: until the first impact both arms fall on their own; B falls by g t^2 / 2 while the
    second arm does not turn."""
    results = run(0.0285, *RIGID, ("dt", 1e-4))
    y = -9.81 * results.time**2 / 2
    published("y of B before the impact", results["tip.y"], y, abs=1e-9, unit="m", source=FALL)
    published("x of B before it", results["tip.x"], 0.6, abs=1e-9, unit="m", source=FALL)


def test_fig17_eccentricity_grows_to_the_clearance_and_rebounds(published):
    """Fig. 17, dry: r(t) = 0.25 g t^2 while both arms fall (socket end at 3/2 g, ball at g)."""
    falling = run(0.0285, *RIGID, ("dt", 1e-4))
    # the first arm turns about its pin at 3 g / 2 L: its end leads the free-falling ball by g t^2
    # / 4
    expected = 9.81 * falling.time**2 / 4
    published("eccentricity before the impact", falling["joint.eccentricity"], expected, rel=2e-3,
              abs=1e-12, unit="m", source=FALL)  # fmt: skip
    results = run(0.1, *RIGID)
    first = results.summary["first_impact_time"]
    later = at(results, "joint.eccentricity", [first + 5e-3])[0]
    assert later < 0.95 * CLEARANCE


def test_fig20_stiff_arms_move_like_rigid_ones():
    """Fig. 20: x and y of B of flexible steel arms against rigid bodies (the paper's ADAMS
    model)."""
    t = np.linspace(0, 0.06, 61)
    stiff, rigid = run(0.06, *STIFF), run(0.1, *RIGID)
    for name in ("tip.x", "tip.y"):
        assert np.abs(at(stiff, name, t) - at(rigid, name, t)).max() < 5e-4


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_two_seconds_of_soft_and_stiff_arms():
    """Figs. 9d, 12: over 2 s (the paper's time) soft arms reach further, by their stretch; energy
    never grows."""
    stiff, soft = run(2.0, *RIGID), run(2.0, *YIELDING)
    assert soft["tip.y"].min() < stiff["tip.y"].min() - 3e-4
    for results in (stiff, soft):
        assert results.time[-1] == 2.0
        assert results["energy.total"].max() < 1e-3 * np.ptp(results["energy.potential"])

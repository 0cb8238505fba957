"""Rigid double pendulum with a dry spherical clearance joint: Tian et al. (2009), section 6.1, both
arms along +x. Reference: scipy with event location, tests/literature/data/SOURCES.md."""

import numpy as np
import pytest

import fem_clearance as fc

STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
L, SIDE = 0.3, 0.01
SOURCE = "data of Tian et al. 2009, SciPy, DOP853 with events"
#: with clearance, at 0.1 s
TIP = [0.59446375, -0.04351792, 0.0]


def model(clearance=True):
    system = fc.System(gravity=(0, -9.81, 0))
    bar = fc.shapes.Box(L, SIDE, SIDE)
    first, second = (
        system.add(fc.RigidBody(shape=bar, density=7800, position=((k + 0.5) * L, 0, 0)))
        for k in (0, 1)
    )
    system.add(fc.SphericalJoint(system.ground, first.at((0, 0, 0))))
    ends = first.at((L, 0, 0)), second.at((L, 0, 0))
    if clearance:
        system.add(
            fc.SphericalClearance(
                *ends,
                socket_radius=0.02,
                ball_radius=0.018,
                materials=(STEEL, STEEL),
                name="joint",
                normal=fc.LankaraniNikravesh(approach_speed="first_touch"),  # as the reference
            )
        )
    else:
        system.add(fc.SphericalJoint(*ends))
    system.add(fc.Probe(second.at((2 * L, 0, 0)), name="tip"))
    return system


def run(stepper, until):
    """Tip at the end and the peak force of each contact."""
    stepper.start()
    c, peaks, peak = stepper.channels, [], 0.0
    force = c.names.index("joint.normal_force") if "joint.normal_force" in c.names else None
    while stepper.t < until:
        stepper.advance()
        if force is not None:
            now = c.values[force]
            peaks, peak = (peaks + [peak], 0.0) if peak and not now else (peaks, max(peak, now))
    return np.array([c[f"tip.{x}"] for x in "xyz"]), peaks


def test_ideal_joint(published):
    """Tip at 0.1 s with an ideal joint, 9 digits trusted."""
    coarse, fine = (run(fc.Stepper(model(False), dt=h, t_end=0.1), 0.1)[0] for h in (4e-4, 2e-4))
    best = fine + (fine - coarse) / 3
    tip = [0.593038082972, -0.043053965245, 0.0]
    published("tip at 0.1 s, ideal joint, extrapolated", best, tip, abs=1e-8, unit="m")


def test_default_adaptive_run(reference, published):
    """First impact to 1e-6 s and 1e-4, its peak to 0.5 %, the tip at 0.1 s to 1e-5 m."""
    first = reference("d_collinear_X_Kdiff_impacts.csv")[0]
    stepper = fc.Stepper(model(), t_end=0.1)
    tip, peaks = run(stepper, 0.1)
    event = stepper.events[0]
    assert event.owner == "joint"
    published("first impact, default steps", event.time, first["t_in"], abs=1e-6, unit="s")
    published("its speed", event.speed, first["v_in"], rel=1e-4, unit="m/s")
    published("its peak force", peaks[0], first["Fmax"], rel=5e-3, unit="N")
    published("tip at 0.1 s, default steps", tip, TIP, abs=1e-5, unit="m")


@pytest.mark.parametrize("contact_tolerance", [1e-6, 1e-7])
def test_tight_adaptive_run_converges(reference, published, contact_tolerance):
    """Tolerances a hundred times tighter: three onsets within 5e-8 s, the tip within 1e-8 m; not
    less where round-off hides what is asked for (1e-7)."""
    impacts = reference("d_collinear_X_Kdiff_impacts.csv")
    stepper = fc.Stepper(model(), t_end=0.1, tolerance=1e-10, contact_tolerance=contact_tolerance)
    tip, _ = run(stepper, 0.1)
    onsets = [e for e in stepper.events if e.kind == "onset"]
    times, speeds = np.transpose([(e.time, e.speed) for e in onsets[:3]])
    published("impacts, tight tolerances", times, impacts["t_in"][:3], abs=5e-8, unit="s")
    published("their speeds", speeds, impacts["v_in"][:3], rel=2e-5, unit="m/s")
    published("tip at 0.1 s, tight tolerances", tip, TIP, abs=1e-8, unit="m")


def test_fixed_steps_locate_the_onset(reference, published):
    """With dt = 1e-5 the time of the onset inside its step is exact to 1e-9 s."""
    first = reference("d_collinear_X_Kdiff_impacts.csv")[0]
    stepper = fc.Stepper(model(), dt=1e-5, t_end=0.03)
    run(stepper, 0.03)
    event = stepper.events[0]
    published("first impact, fixed steps", event.time, first["t_in"], abs=1e-9, unit="s")
    published("its speed, fixed steps", event.speed, first["v_in"], rel=1e-6, unit="m/s")

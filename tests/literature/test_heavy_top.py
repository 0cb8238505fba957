"""Heavy top (Bruels and Cardona 2010; reference values by DOP853,
tests/literature/data/SOURCES.md)."""

import numpy as np
import pytest

import fem_clearance as fc


def heavy_top(h, t_end, data, integrator=None):
    """Centre, velocity of the centre and pivot force at the end."""
    p = data["parameters"]
    omega = np.array(p["omega0_body"])
    system = fc.System(gravity=p["g"])
    top = system.add(
        fc.RigidBody(p["m"], p["J_com_body"], position=p["x0"], angular_velocity=omega,
                     velocity=np.cross(omega, p["x0"]), name="top")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, top.at((0, 0, 0)), name="pivot"))
    stepper = fc.Stepper(system, integrator, dt=h, t_end=t_end, newton_tolerance=1e-10)
    stepper.start()
    while stepper.t < t_end:
        stepper.advance()
    c = stepper.channels
    q = [c[f"top.{x}"] for x in "xyz"]
    v = [c[f"top.v{x}"] for x in "xyz"]
    return np.array([q, v, [c[f"pivot.reaction.{x}"] for x in "xyz"]])


def test_second_order_in_position_velocity_and_multipliers(reference):
    """Differences of halved steps fall by four, in each of the three (Arnold and Bruels 2007)."""
    data = reference("heavy_top.json")
    steps = [4e-4, 2e-4, 1e-4]
    ends = [heavy_top(h, 0.1, data) for h in steps]
    state = data["check_states"]["0.1"]
    errors = np.array(
        [
            [np.linalg.norm(e[0] - state["x"]), np.linalg.norm(e[2] - state["reaction"])]
            for e in ends
        ]
    )
    order = np.log2(errors[:-1] / errors[1:])
    assert order == pytest.approx(2.0, abs=0.1), order
    differences = [np.linalg.norm(a - b, axis=1) for a, b in zip(ends, ends[1:], strict=False)]
    order = np.log2(differences[0] / differences[1])
    assert order == pytest.approx(2.0, abs=0.1), order


def test_extrapolates_to_the_reference(reference):
    """Richardson's extrapolation from h = 4e-4 and 2e-4 meets the reference at 0.1 s."""
    data = reference("heavy_top.json")
    state = data["check_states"]["0.1"]
    coarse, fine = (heavy_top(h, 0.1, data) for h in (2e-4, 1e-4))
    best = fine + (fine - coarse) / 3
    assert best[0] == pytest.approx(state["x"], abs=2e-7)
    assert best[2] == pytest.approx(state["reaction"], abs=5e-3)


@pytest.mark.slow
def test_after_one_second(reference):
    """At h = 1.25e-4 the centre is within 1.5e-4 m after 24 turns."""
    data = reference("heavy_top.json")
    end = heavy_top(1.25e-4, 1.0, data)
    assert end[0] == pytest.approx(data["check_states"]["1.0"]["x"], abs=1.5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("time", ["1.0", "2.0"])
@pytest.mark.parametrize(
    "integrator", [fc.GeneralizedAlpha(0.8, "stabilised"), fc.Bathe()], ids=["alpha", "bathe"]
)
def test_stabilised_at_ten_times_the_step(reference, integrator, time):
    """At h = 2.5e-3 (0.38 rad a step) the centre is as close after 1 s as the default's at 1.25e-4,
    and stays close for 48 turns."""
    data = reference("heavy_top.json")
    end = heavy_top(2.5e-3, float(time), data, integrator)
    state = data["check_states"][time]
    assert end[0] == pytest.approx(state["x"], abs=2e-4 if time == "1.0" else 2e-3)
    assert end[2] == pytest.approx(state["reaction"], abs=0.3 if time == "1.0" else 2.0)

"""Heavy top (Bruels and Cardona 2010; reference values by DOP853,
tests/literature/data/SOURCES.md)."""

import numpy as np
import pytest

import fem_clearance as fc

SOURCE = "Bruels and Cardona 2010, solved by SciPy, DOP853"


@pytest.fixture
def heavy_top(spinning_top):
    """Centre, velocity of the centre and pivot force at the end."""

    def end(h, t_end, integrator=None):
        c = spinning_top(integrator, h, t_end).channels
        return np.array(
            [[c[name + x] for x in "xyz"] for name in ("top.", "top.v", "pivot.reaction.")]
        )

    return end


def test_second_order_in_position_velocity_and_multipliers(reference, heavy_top):
    """Differences of halved steps fall by four, in each of the three (Arnold and Bruels 2007)."""
    data = reference("heavy_top.json")
    steps = [4e-4, 2e-4, 1e-4]
    ends = [heavy_top(h, 0.1) for h in steps]
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


def test_extrapolates_to_the_reference(reference, heavy_top, published):
    """Richardson's extrapolation from h = 4e-4 and 2e-4 meets the reference at 0.1 s."""
    data = reference("heavy_top.json")
    state = data["check_states"]["0.1"]
    coarse, fine = (heavy_top(h, 0.1) for h in (2e-4, 1e-4))
    best = fine + (fine - coarse) / 3
    published("centre at 0.1 s, extrapolated", best[0], state["x"], abs=2e-7, unit="m")
    published("reaction at 0.1 s, extrapolated", best[2], state["reaction"], abs=5e-3, unit="N")


@pytest.mark.slow
def test_after_one_second(reference, heavy_top, published):
    """At h = 1.25e-4 the centre is within 1.5e-4 m after 24 turns."""
    data = reference("heavy_top.json")
    end = heavy_top(1.25e-4, 1.0)
    x = data["check_states"]["1.0"]["x"]
    published("centre at 1 s, step 0.125 ms", end[0], x, abs=1.5e-4, unit="m")


@pytest.mark.slow
@pytest.mark.parametrize("time", ["1.0", "2.0"])
@pytest.mark.parametrize(
    "integrator", [fc.GeneralizedAlpha(0.8, "stabilised"), fc.Bathe()], ids=["alpha", "bathe"]
)
def test_stabilised_at_ten_times_the_step(reference, heavy_top, published, integrator, time):
    """At h = 2.5e-3 (0.38 rad a step) the centre is as close after 1 s as the default's at 1.25e-4,
    and stays close for 48 turns."""
    data = reference("heavy_top.json")
    end = heavy_top(2.5e-3, float(time), integrator)
    state = data["check_states"][time]
    x, force = (2e-4, 0.3) if time == "1.0" else (2e-3, 2.0)
    where = f"at {time} s, step 2.5 ms, {type(integrator).__name__}"
    published(f"centre {where}", end[0], state["x"], abs=x, unit="m")
    published(f"reaction {where}", end[2], state["reaction"], abs=force, unit="N")

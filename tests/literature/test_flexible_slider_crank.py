"""Slider-crank with a flexible coupler (data: SPACAR manual; Brugnoli et al. 2021).

The publications show curves only. The numbers to compare with are computed here: the rod as a chain
of rods without bending and hinges with springs, integrated by the leapfrog method, shares nothing
with the package.
"""

import json

import numpy as np
import pytest

from fem_clearance.cases.flexible_slider_crank import CRANK, LENGTH, WIDTH, case

E, RHO, NU, SPEED, RATIO = 2e11, 7870.0, 0.3, 150.0, 0.5
SOURCE = "chain of rods and hinges, leapfrog, extrapolated"
#: bending stiffness by what shear and rotary inertia make of the first frequency (Timoshenko)
SOFTER = 1 / (1 + (np.pi / LENGTH) ** 2 * WIDTH**2 / 12 * (1 + 2 * (1 + NU) / (5 / 6)))


def chain(n, t_end, every=20):
    """Deflection of the middle of a coupler of n rods over time: second order in 1/n."""
    s, mass = LENGTH / n, RHO * WIDTH**2
    EA, EI = E * WIDTH**2, SOFTER * E * WIDTH**4 / 12
    m = np.full(n + 1, mass * s)
    m[[0, -1]] /= 2
    m[-1] += RATIO * mass * LENGTH
    steps = every * int(np.ceil(t_end * 2 * np.sqrt(E / RHO) / s / every))  # half the stable step
    h, along = t_end / steps, np.linspace(0, 1, n + 1)
    x = np.stack([CRANK + LENGTH * along, 0 * along], 1)
    v = np.stack([0 * along, CRANK * SPEED * (1 - along)], 1)

    def accelerations():
        d = np.diff(x, axis=0)
        length = np.sqrt((d**2).sum(1))
        e = d / length[:, None]
        bend = np.zeros(n + 1)
        cross = e[:-1, 0] * e[1:, 1] - e[:-1, 1] * e[1:, 0]
        bend[1:-1] = EI / s * np.arctan2(cross, (e[:-1] * e[1:]).sum(1))
        shear = np.diff(bend) / length
        pull = (EA * (length / s - 1))[:, None] * e
        pull += shear[:, None] * np.stack([e[:, 1], -e[:, 0]], 1)
        force = np.zeros_like(x)
        force[:-1] += pull
        force[1:] -= pull
        result = force / m[:, None]
        result[-1, 1] = 0.0  # the slider's guide
        return result

    rows, a = [(0.0, 0.0)], accelerations()
    for k in range(1, steps + 1):
        v += h / 2 * a
        x = x + h * v
        angle = SPEED * k * h
        x[0] = CRANK * np.cos(angle), CRANK * np.sin(angle)
        a = accelerations()
        v += h / 2 * a
        if k % every == 0:
            d, g = x[-1] - x[0], x[n // 2] - x[0]
            rows.append((k * h, (d[0] * g[1] - d[1] * g[0]) / np.hypot(*d)))
    return np.array(rows).T


def reference(t, n):
    """Extrapolated from two chains."""
    coarse, fine = (np.interp(t, *chain(k, t[-1])) for k in (n, 2 * n))
    return (4 * fine - coarse) / 3


def run(t_end, **changes):
    changes = {key.replace("_", ".", 1): value for key, value in changes.items()}
    return case.simulation({"t_end": t_end, **changes}, progress=False).run()


def deflection(results, t):
    return np.interp(t, results.time, results["coupler.deflection"])


@pytest.mark.parametrize("model", ["solid", "reduced", "quadratic"])
def test_first_peak(published, model):
    """A turn of the crank by 1.8 rad: the first deflection of 1.5 % of the length."""
    t = np.linspace(0, 0.012, 200)
    results = run(0.012, coupler_model=model)
    expected = reference(t, 12)
    assert np.abs(expected).max() / LENGTH == pytest.approx(0.0154, rel=0.01)
    largest = np.abs(expected).max()
    published(f"deflection, first peak, {model}", deflection(results, t), expected,
              abs=0.005 * largest, unit="m")  # fmt: skip


def test_rigid_coupler(published):
    """Slider, its acceleration and the moment against the closed form of the rigid mechanism."""
    results = run(0.05, coupler_model="rigid")
    assert np.abs(results["coupler.deflection"]).max() < 1e-12
    turn = results["crank.angle"]
    root = np.sqrt(LENGTH**2 - (CRANK * np.sin(turn)) ** 2)
    exact, source = CRANK * np.cos(turn) + root, "closed form, rigid slider-crank"
    published("slider, rigid coupler", results["slider.x"], exact, abs=1e-12, unit="m",
              source=source)  # fmt: skip
    sin, cos = np.sin(turn), np.cos(turn)
    acceleration = (
        -CRANK
        * SPEED**2
        * (cos + CRANK * (np.cos(2 * turn) / root + CRANK**2 * (sin * cos) ** 2 / root**3))
    )
    late = results.time > 0.001
    published("its acceleration", results["slider.acceleration"][late], acceleration[late],
              abs=2e-3 * np.abs(acceleration).max(), unit="m/s^2", source=source)  # fmt: skip
    # the drive's power is the rate of kinetic energy
    energy, moment = results["energy.kinetic"], results["crank.moment"]
    work = np.cumsum(np.diff(results.time) * SPEED * (moment[1:] + moment[:-1]) / 2)
    assert np.allclose(energy[1:] - energy[0], work, atol=2e-3 * np.ptp(energy))


@pytest.mark.slow
def test_eight_radians(published):
    """The whole of the published time: solid and beam, 32 elements, against the chain. What they
    differ by is the time step: with a quarter of it the beam is within 0.2 % of the chain."""
    t = np.linspace(0, 8 / SPEED, 400)
    expected = reference(t, 24)
    beam = run(8 / SPEED, coupler_model="quadratic", coupler_elements=32)
    solid = run(8 / SPEED, coupler_model="solid", coupler_elements=32)
    fine = run(8 / SPEED, coupler_model="quadratic", coupler_elements=32, dt=2.5e-5)
    largest = np.abs(expected).max()
    for results, name, part in (
        (fine, "beam, fine steps", 0.002), (beam, "beam", 0.01), (solid, "solid", 0.01)
    ):  # fmt: skip
        published(f"deflection, 8 rad, {name}", deflection(results, t), expected,
                  abs=part * largest, unit="m")  # fmt: skip
    beam, solid = (deflection(results, t) for results in (beam, solid))
    assert np.abs(solid - beam).max() < 0.002 * np.abs(beam).max()


@pytest.mark.parametrize(
    "changes, message",
    [({"coupler.elements": 7}, "must be even"),
     ({"coupler.degree": 1, "coupler.across": 1}, "must be even for linear cells"),
     ({"coupler.model": "ancf", "coupler.damping": 1e-6}, "only a solid coupler has damping")],
)  # fmt: skip
def test_what_the_case_refuses(changes, message):
    with pytest.raises(Exception, match=message):
        case.simulation(changes)


def test_from_the_shell(tmp_path):
    """The case by its name, with its figures."""
    from fem_clearance.program.cli import main

    out = tmp_path / "run"
    arguments = ["--set", "coupler.model=quadratic", "--t-end", "0.002", "--out", str(out)]
    assert main(["run", "flexible_slider_crank", *arguments, "--quiet"]) == 0
    assert main(["plot", str(out)]) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["max_deflection"] > 0
    assert (out / "figures" / "coupler_deflection.png").exists()

"""The slider-crank of Flores, Leine and Glocker with clearance in two joints: of the slider in its
guide and of the rod's pin in the slider; and with films in the guide.

Without friction. The pin: hole of 10 mm, clearance 0.1 mm, steel, restitution 0.4.
"""

from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.cases import slider_crank_translational as case

L1, L2, A, B, PLAY = 0.153, 0.306, 0.05, 0.025, 1e-3
M1, M2, M3, J1, J2, J3, G = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6, 9.81
K, CHI, FLOOR = 1e9, 2.082498164147, 1e-3
HOLE, PIN = 0.01, 1e-4
#: sphere in a socket (Hertz), both of steel
K_PIN = 4 / 3 * 2.07e11 / (2 * (1 - 0.3**2)) * np.sqrt(HOLE * (HOLE - PIN) / PIN)


def touches(z):
    """Depth, its rate and its gradient by (crank, rod, x, y, tilt) of the pin and four corners."""
    (t1, t2, x, y, t3), w = z[:5], z[5:]
    e = np.array([L1 * np.cos(t1) + L2 * np.cos(t2) - x, L1 * np.sin(t1) + L2 * np.sin(t2) - y])
    size = np.hypot(*e) + 1e-30
    slopes = np.array(
        [
            [-L1 * np.sin(t1), -L2 * np.sin(t2), -1, 0, 0],
            [L1 * np.cos(t1), L2 * np.cos(t2), 0, -1, 0],
        ]
    )
    gradient = e / size @ slopes
    yield size - PIN, gradient @ w, gradient
    for up in (1, -1):
        for forward in (-1, 1):
            dx, dy = forward * A, up * B
            gradient = up * np.array([0, 0, 0, 1, np.cos(t3) * dx - np.sin(t3) * dy])
            place = y + np.sin(t3) * dx + np.cos(t3) * dy
            yield up * place - B - PLAY, gradient @ w, gradient


ELASTIC_FILM = {"joint.kind": "lubricated", "slider.model": "flexible"}
STIFFNESS = (K_PIN, K, K, K, K)


def rates(_, z, approach):
    (t1, t2), w = z[:2], z[5:]
    coupling = M2 / 2 * L1 * L2
    mass = np.diag([J1 + M1 * L1**2 / 4 + M2 * L1**2, J2 + M2 * L2**2 / 4, M3, M3, J3])
    mass[0, 1] = mass[1, 0] = coupling * np.cos(t1 - t2)
    swing = coupling * np.sin(t1 - t2)
    force = np.array(
        [
            -swing * w[1] ** 2 - G * np.cos(t1) * L1 * (M1 / 2 + M2),
            swing * w[0] ** 2 - G * np.cos(t2) * L2 * M2 / 2,
            0.0, -M3 * G, 0.0,
        ]
    )  # fmt: skip
    laws = zip(touches(z), approach, STIFFNESS, strict=True)
    for (depth, rate, gradient), speed, k in laws:
        if depth > 0:
            force -= max(k * depth**1.5 * (1 + CHI * rate / speed), 0.0) * gradient
    return np.concatenate([w, np.linalg.solve(mass, force)])


def by_scipy(t_end):
    """State at the end, and how often the pin touched."""
    z = np.array([0, 0, L1 + L2, 0, 0, 150.0, -75.0, 0, 0, 0])
    t, approach, touching, count = 0.0, np.full(5, FLOOR), [0] * 5, 0

    def crossing(k):
        def depth(_, z):
            return [*touches(z)][k][0]

        depth.terminal, depth.direction = True, -1 if touching[k] else 1
        return depth

    while t < t_end:
        result = solve_ivp(
            partial(rates, approach=approach), (t, t_end), z, method="DOP853", rtol=1e-10,
            atol=1e-13, max_step=1e-5, events=[crossing(k) for k in range(5)],
        )  # fmt: skip
        t, z = result.t[-1], result.y[:, -1]
        for k in range(5):
            if result.status == 1 and len(result.t_events[k]):
                touching[k] = 1 - touching[k]
                if touching[k]:
                    approach[k] = max([*touches(z)][k][1], FLOOR)
                    count += k == 0
    return z, count


def run(t_end, **changes):
    values = {"t_end": t_end, "friction": 0.0, **changes}
    return case.case.simulation(values, progress=False).run()


@pytest.mark.slow
def test_rigid_mechanism_with_two_clearances():
    """Against equations of its own in five coordinates (SciPy), which measure hysteresis by the
    first touch, over 2 ms in which the pin touches twice, and presses."""
    t_end = 2e-3
    z, count = by_scipy(t_end)
    assert count >= 2
    found = run(t_end, **{"pin.kind": "dry", "approach_speed": "first_touch"})
    names = ("crank.angle", "rod.angle", "slider.x", "slider.y", "slider.angle")
    last = np.array([found[n][-1] for n in names])
    assert np.abs(last - z[:5]).max() < 1e-7, last - z[:5]
    energy = found["energy.total"]
    assert np.diff(energy).max() < 1e-8 * energy[0]
    assert energy[-1] < energy[0]


def test_small_clearance_of_the_pin_is_an_ideal_pin():
    """At 1 ms, before the slider meets its guide, with a tenth of the clearance the motion is five
    times nearer to that with an ideal pin; nothing gains energy."""
    names = ("crank.angle", "rod.angle", "slider.x", "slider.y")
    ideal = run(1e-3)
    errors = []
    for clearance in (1e-4, 1e-5):
        found = run(1e-3, **{"pin.kind": "dry", "pin.clearance": clearance})
        errors.append(max(abs(found[n][-1] - ideal[n][-1]) for n in names))
        energy = found["energy.total"]
        assert np.diff(energy).max() < 1e-7 * energy[0]
        assert np.hypot(found["B.ex"], found["B.ey"]).max() > clearance
    assert errors[1] < 0.2 * errors[0] < 0.2 * 2e-3, errors


@pytest.mark.slow
def test_elastic_slider_with_two_clearances():
    """A hole's surface as the bearing of a pin: its mean place goes as the rigid slider does,
    within the clearance, and energy only falls."""
    values = {"pin.kind": "dry", "slider.model": "flexible", "contact_tolerance": 1e-2,
              "tolerance": 1e-7}  # fmt: skip
    found = run(1.5e-3, **values)
    energy = found["energy.total"]
    assert np.diff(energy).max() < 1e-5 * energy[0]
    assert energy[-1] < energy[0]
    assert PIN < found["B.eccentricity"].max() < 1.1 * PIN
    rigid = run(1.5e-3, **{"pin.kind": "dry"})
    assert found["slider.x"][-1] == pytest.approx(rigid["slider.x"][-1], abs=2 * PIN)


def test_lubricated_guide():
    """Before any contact: what the mechanism loses is what its films dissipate."""
    found = run(
        2e-3, **{"joint.kind": "lubricated", "clearance": 2e-4, "film.cells": "8x2",
                 "tolerance": 1e-8, "constraints": "stabilised"},
    )  # fmt: skip
    loss = np.trapezoid(found["power.film"], found.time)
    energy = found["energy.total"]
    assert found["contact.lower"].max() < found["contact.upper"].max()
    assert found["guide.upper.min_film"].min() > 0
    assert energy[0] - energy[-1] == pytest.approx(loss, rel=1e-3)
    assert loss > 1e-3


def test_bad_input():
    for changes, message in (
        ({"clearance": 0.2}, "at 0.0309 m or more the slider can turn over in its guide"),
        ({"pin.clearance": 0.02}, "it must be less than the radius of the hole, 0.01 m"),
        ({**ELASTIC_FILM, "integrator": "central_difference"}, "films need implicit steps"),
        ({**ELASTIC_FILM, "cavitation": "jfo"}, "accept full, guembel or reynolds"),
    ):
        with pytest.raises(fc.InputError, match=message):
            case.case.model(case.case.resolve(changes))
    for changes, message in (
        ({"pin.clearance": 0.0}, "pin.clearance must be positive"),
        ({"viscosity": -1.0}, "viscosity must be positive"),
        ({"film.cells": "8"}, "film.cells must be numbers of cells along the slider and across"),
    ):
        with pytest.raises(fc.InputError, match=message):
            case.case.resolve(changes)
    system = fc.System()
    slider = system.add(fc.RigidBody(1.0, (1, 1, 1), name="slider"))
    with pytest.raises(fc.InputError, match="guide: the slider could turn over in its guide"):
        fc.TranslationalClearance(
            system.ground.point((0, 0, 0)), slider.center, (1, 0, 0), (0, 1, 0), length=0.1,
            height=0.05, gap=0.45, stiffness=1e9, name="guide",
        )  # fmt: skip

"""Friction with memory on the facets of an elastic block: it sticks, it slips, it keeps balances.

The block of 100 mm x 50 mm, plane strain, lies on a guide under gravity that leans.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.core.symbols import PER_STEP
from fem_clearance.diagnostics import tangent_error

from .test_surface_contact import AXES, SOFT, flying, momenta

G, MU, K = 9.81, 0.4, 1e11
STICK = fc.SurfaceStick(MU, 0.3, damping=1e7)
LUGRE = fc.LuGre(MU, 0.3, v_s=1e-3, stiffness=1e6, damping=1e3, damping_speed=1e-3)
SLOW_LUGRE = pytest.param(LUGRE, marks=pytest.mark.slow)


def incline(degrees, friction, comm=None, cells=(4, 2)):
    """The block, pressed in by its weight at the start."""
    angle = np.radians(degrees)
    system = fc.System(gravity=G * np.array([np.sin(angle), -np.cos(angle), 0]), comm=comm)
    depth = SOFT.rho * 0.05 * G * np.cos(angle) / K
    mesh = meshes.block((0.1, 0.05), cells)
    block = system.add(
        fc.Solid(mesh.moved((0, -depth, 0)), SOFT, degree=1, state="plane_strain", free=True,
                 thickness=0.02, damping=fc.Damping(1e-4), name="block")
    )  # fmt: skip
    system.add(
        fc.GuideContact(
            system.ground.point((0, 0, 0)), block.facets("y0"), **AXES, side="lower", gap=0.05,
            law=fc.Winkler(K, 10.0), friction=friction, resolution=3, name="contact",
        )
    )  # fmt: skip
    system.add(fc.SolidProbe(block, name="middle"))
    return system


def slide(system, times, **options):
    """Place of the block's middle along the guide at some times, m, and the stepper."""
    stepper = fc.Stepper(system, t_end=times[-1], **options)
    stepper.start()
    found = []
    for t in times:
        while stepper.t < t - 1e-9:
            stepper.advance()
        stepper.channels.read()
        found.append(stepper.channels["middle.x"])
    return np.array(found), stepper


@pytest.mark.parametrize("friction", [STICK, LUGRE])
def test_block_does_not_creep(friction):
    """15 degrees, mu = 0.4: once it has come to rest it moves by round-off (of places of 0.1 m) in
    100 s, on bristles at 1e-13 m/s, see ``REST``; its weight is borne. Bristles under a load that
    rises slowly give by -(mu/s_0) ln(1 - tan(15 deg)/mu), here a little more."""
    x, stepper = slide(incline(15.0, friction), [5.0, 100.0], tolerance=1e-8)
    assert abs(x[1] - x[0]) < (1e-13 if friction is STICK else 2e-11)
    given = -MU / LUGRE.stiffness * np.log(1 - np.tan(np.pi / 12) / MU)
    assert 0 < x[0] < 1e-7 if friction is STICK else x[0] == pytest.approx(given, rel=0.05)
    weight = SOFT.rho * 0.1 * 0.05 * 0.02 * G
    channels = stepper.channels
    assert channels["contact.normal_force"] == pytest.approx(weight * np.cos(np.pi / 12), rel=1e-6)
    assert channels["contact.friction_force"] == pytest.approx(
        weight * np.sin(np.pi / 12), rel=1e-6
    )
    if friction is STICK:
        assert channels["contact.stuck_area"] == pytest.approx(0.1 * 0.02, rel=1e-9)


def test_smooth_friction_creeps():
    """The same block with a smooth law, at v0 atanh(tan(15 deg) / mu)."""
    x, _ = slide(incline(15.0, fc.SmoothCoulomb(MU, v0=1e-3)), [1.0, 2.0], dt=0.02)
    assert x[1] - x[0] == pytest.approx(1e-3 * np.arctanh(np.tan(np.pi / 12) / MU), rel=1e-4)


@pytest.mark.parametrize("friction", [STICK, SLOW_LUGRE])
def test_block_slides(friction):
    """30 degrees: g (sin - mu_d cos), once it slips."""
    x, _ = slide(incline(30.0, friction), [0.1, 0.2, 0.3], dt=1e-3)
    expected = G * (0.5 - 0.3 * np.cos(np.pi / 6))
    assert np.diff(x, 2)[0] / 0.01 == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("friction", [STICK, SLOW_LUGRE])
def test_tangents(friction):
    """Against differences, some points sticking and some slipping, some apart."""
    system, _, slider = flying(friction)
    state = system.state
    numbers = slider.displacement(np.arange(len(slider.nodes))).numbers.reshape(-1, 2)
    rng = np.random.default_rng(3)
    state.q[numbers[:, 0]] = 1e-4 * rng.standard_normal(len(numbers))
    state.q[numbers[:, 1]] = 1.05e-3 + 4e-4 * slider.nodes[:, 0]
    state.v[:] += 1e-2 * rng.standard_normal(state.total) * state.problem.dynamic
    state.q_n[:] = state.q - 1e-5 * state.v
    state.globals[PER_STEP] = 1e5
    system.channels.read()
    if friction is STICK:
        stuck, touching = (system.channels[f"upper.{n}"] for n in ("stuck_area", "area"))
        assert 0.1 * touching < stuck < 0.9 * touching
    assert tangent_error(state, step=1e-8) < 2e-5


def test_recorded_energy_is_that_after_the_step():
    """It does not matter whether it is looked at before or after the anchors have moved on: where a
    contact begins it is after (the whole way of that step counted as stretch once)."""
    stepper = fc.Stepper(incline(30.0, STICK), t_end=0.02, dt=1e-3)
    stepper.start()
    energies = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        energies.append([stepper.channels["energy.contact"]])
        stepper.channels.read()
        energies[-1].append(stepper.channels["energy.contact"])
    in_step, after = np.array(energies).T
    assert stepper.channels["contact.stuck_area"] == 0
    assert after == pytest.approx(in_step, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("friction", [STICK, LUGRE])
def test_free_slider_and_guide(friction):
    """Momenta are kept through impacts, and energy only falls: with sticking springs counted as it
    is, with bristles, whose energy is not, together with what friction has taken."""
    system, guide, slider = flying(friction)
    stepper = fc.Stepper(system, t_end=4e-3, tolerance=1e-8)
    stepper.start()
    before = momenta(system, guide, slider)
    names = ("energy.total", *(f"{s}.{n}" for s in ("lower", "upper") for n in
                               ("friction_loss", "friction_force", "normal_force")))  # fmt: skip
    times, rows = [0.0], [[stepper.channels[n] for n in names]]
    while stepper.t < stepper.t_end:
        stepper.advance()
        times.append(stepper.t)
        rows.append([stepper.channels[n] for n in names])
    rows = np.array(rows)
    energies, power = rows[:, 0], rows[:, [1, 4]].sum(axis=1)
    work = np.append(0, np.cumsum(np.diff(times) * (power[1:] + power[:-1]) / 2))
    assert rows[:, [2, 5]].max() > 10
    assert energies[-1] < 0.999 * energies[0]
    if friction is STICK:
        assert np.diff(energies).max() < 1e-6 * energies[0]
    else:
        assert np.diff(energies + work).max() < 5e-6 * energies[0]
        assert np.ptp(energies + work) < 5e-5 * energies[0]
        given_back = np.maximum.accumulate(work) - work
        held = rows[:, [3, 6]].max() * MU**2 / LUGRE.stiffness / 2  # of all bristles, at most
        assert 0 < given_back.max() < held
    for now, then in zip(momenta(system, guide, slider), before, strict=True):
        assert now == pytest.approx(then, abs=1e-7)


@pytest.mark.mpi
def test_same_on_two_ranks(comm):
    """What points remember lies with the cells of their rank."""
    found = []
    for c in (comm, comm.Split(comm.rank)):
        x, stepper = slide(incline(25.0, STICK, c), [0.02], dt=5e-4)
        found.append([x[0], stepper.channels["contact.stuck_area"]])
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-12)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-12)


def test_bad_input():
    system = fc.System()
    block = system.add(
        fc.Solid(meshes.block((0.1, 0.05), (2, 1)), SOFT, degree=1, state="plane_strain")
    )
    good = {**AXES, "side": "lower", "gap": 0.05, "name": "contact"}
    wear = fc.SurfaceWear(fc.Archard(1e-4, 1e9), repeat=1.0)
    for changes, message in (
        ({"friction": 0.1}, "friction must be a law such as"),
        ({"friction": fc.TrueStick(0.1)}, "friction must be a law such as"),
        ({"friction": STICK, "wear": wear}, "facets that wear need a friction law without memory"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.GuideContact(
                system.ground.point((0, 0, 0)), block.facets("y0"), **{**good, **changes}
            )
    tall = {**good, "gap": 0.04}  # on both sides; one alone may be pressed in
    system.add(fc.GuideContact(system.ground.point((0, 0, 0)), block.facets("y0"), **tall))
    with pytest.raises(fc.InputError, match=r"the slider \(0.05 m high\) does not fit between"):
        system.add(
            fc.GuideContact(
                system.ground.point((0, 0, 0)), block.facets("y1"), **{**tall, "side": "upper",
                "name": "other"},
            )
        )  # fmt: skip
    for numbers, message in (
        ((-0.1,), "SurfaceStick.mu_s must not be negative"),
        ((0.1, 0.2), "SurfaceStick.mu_d must lie between"),
        ((0.1, 0.1, 0.0), "SurfaceStick.stiffness must be positive"),
        ((0.1, 0.1, 1.0, -1.0), "SurfaceStick.damping must not be negative"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SurfaceStick(*numbers)

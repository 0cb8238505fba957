"""Friction with memory between two elastic solids: true stick and bristles."""

from copy import deepcopy

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.diagnostics import tangent_error

from .two_solids import SOFT, check_kept, colliding, stack

G, MU = 9.81, 0.3
LUGRE = fc.LuGre(MU, MU, v_s=1e-2, stiffness=1e6, damping=1e3)


def incline(angle, friction):
    """A block on a clamped one, both elastic, in gravity that makes an angle (degrees) with their
    normal."""
    a = np.radians(angle)
    system = fc.System(gravity=(G * np.sin(a), -G * np.cos(a), 0))
    small, large, cells = (0.03, 0.01), (0.1, 0.02), ((4, 2), (6, 2))
    same = {"degree": 1, "state": "plane_strain", "thickness": 0.02}
    centers, faces = ((-0.01, 0.005, 0), (0, -0.01, 0)), ("y0", "y1")
    mesh = meshes.block(large, cells[1], center=centers[1])
    low = system.add(fc.Solid(mesh, SOFT, clamped=faces[0], name="low", **same))
    mesh = meshes.block(small, cells[0], center=centers[0])
    up = system.add(fc.Solid(mesh, SOFT, free=True, name="up", **same))
    system.add(fc.SolidProbe(up, name="all"))
    law = fc.Winkler(1e11)
    contact = system.add(
        fc.SurfaceContact(up.facets(faces[0]), low.facets(faces[1]), law=law, friction=friction,
                          name="c")
    )  # fmt: skip
    return system, contact


MASS = 1000 * 0.03 * 0.01 * 0.02


def run(system, t_end=0.03, **options):
    integrator = fc.GeneralizedAlpha(0.6)
    return fc.Simulation(
        system, integrator, dt=1e-4, t_end=t_end, progress=False, **options
    ).run()  # fmt: skip


@pytest.mark.parametrize("angle", [10, 15])
def test_block_stays(angle):
    """From equilibrium a block whose slope is below mu_s = 0.3 does not move, though at 15 degrees
    sliding friction could not hold it; friction is the component of its weight."""
    friction = fc.SurfaceStick(MU, 0.25)
    system, _ = incline(angle, friction)
    found = fc.Statics(system, steps=2).solve()
    weight = MASS * G
    down, normal = weight * np.sin(np.radians(angle)), weight * np.cos(np.radians(angle))
    assert found["c.force.x"][-1] == pytest.approx(down, rel=1e-6)
    assert found["c.normal_force"][-1] == pytest.approx(normal, rel=1e-6)
    assert found["c.stuck_area"][-1] == pytest.approx(0.03 * 0.02, rel=1e-6)
    results = run(system, initial=found.last)
    assert np.abs(results["all.x"] - results["all.x"][0]).max() < 1e-14
    assert np.abs(results["all.px"]).max() / MASS < 1e-11
    assert np.ptp(results["energy.total"]) < 1e-8 * weight * 0.01


def test_slope_of_friction():
    """The steepest slope on which a block stays has the tangent mu_s: .298 is one, .302 is none."""
    friction = fc.SurfaceStick(MU)
    found = fc.Statics(incline(16.6, friction)[0], steps=2).solve()
    down = MASS * G * np.sin(np.radians(16.6))
    assert found["c.force.x"][-1] == pytest.approx(down, rel=1e-6)
    with pytest.raises(fc.StepFailed, match="no equilibrium"):
        fc.Statics(incline(16.8, friction)[0], steps=2).solve()


@pytest.mark.parametrize("friction", [fc.SurfaceStick(MU), LUGRE], ids=["stick", "lugre"])
def test_block_comes_to_rest(friction):
    """Set down without load on a slope of 10 degrees it comes to rest: LuGre's bristles creep by
    less than 1e-11 m/s."""
    results = run(incline(10, friction)[0])
    assert abs(results["all.px"][-1]) / MASS < 1e-11
    assert results["c.force.x"][-1] == pytest.approx(MASS * G * np.sin(np.radians(10)), rel=1e-6)
    energy = results["energy.total"]
    assert energy.max() - energy[0] < 1e-6 * abs(energy[0])


@pytest.mark.parametrize(
    "friction,mu,within",
    [(fc.SurfaceStick(MU), MU, 1e-7), (fc.SurfaceStick(MU, 0.2), 0.2, 0.01), (LUGRE, MU, 0.03)],
    ids=["stick", "mu_d", "lugre"],
)
def test_block_slides(friction, mu, within):
    """At 30 degrees it slides with g (sin a - mu cos a); until mu_d is in force, or bristles are
    bent, friction is more or less than that."""
    a = np.radians(30)
    results = run(incline(30, friction)[0])
    rate = G * (np.sin(a) - mu * np.cos(a))
    assert results["all.px"][-1] / MASS == pytest.approx(rate * 0.03, rel=within)
    late = results.time > 0.01
    gained = np.polyfit(results.time[late], results["all.px"][late] / MASS, 1)[0]
    assert gained == pytest.approx(rate, rel=1e-3)
    energy = results["energy.total"]
    assert energy.max() - energy[0] < 1e-6 * (energy[0] - energy[-1])


def sheared(shear, degree):
    """Two blocks under a pressure of 1 kPa and a shear stress on all sides, without lateral
    contraction."""
    soft = fc.StVenantKirchhoff(2e9, 0.0, 1000.0)
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": degree, "state": "plane_strain", "thickness": 0.02}
    blocks = []
    for n, y, name, clamped in ((5, -0.025, "low", "y0"), (7, 0.025 - 5e-10, "up", None)):
        mesh = meshes.block((0.1, 0.05), (n, 3), center=(0, y, 0))
        held = {"clamped": clamped} if clamped else {"free": True}
        blocks.append(system.add(fc.Solid(mesh, soft, name=name, **held, **same)))
    low, up = blocks
    friction = fc.SurfaceStick(MU)
    system.add(fc.SurfaceContact(up.facets("y0"), low.facets("y1"), friction=friction, name="c"))
    system.add(fc.Traction(up.facets("y1"), (shear, -1e3, 0)))
    for block in blocks:
        system.add(fc.Traction(block.facets("x1"), (0, shear, 0)))
        system.add(fc.Traction(block.facets("x0"), (0, -shear, 0)))
    return system, blocks


@pytest.mark.parametrize("degree", [1, 2])
def test_tangential_patch(degree):
    """A uniform shear stress of 0.2 of the pressure passes between meshes that do not match, below
    the limit without any slip."""
    pressed = fc.Statics(sheared(0.0, degree)[0], steps=1).solve().last
    system, blocks = sheared(200.0, degree)
    results = fc.Statics(system, steps=1, ramp="time", initial=pressed, tolerance=1e-12).solve()
    stress = np.concatenate([z.recover(system.state, "stress") for z in blocks])
    assert stress[:, 0, 1] == pytest.approx(200.0, rel=1e-5)
    assert stress[:, 1, 1] == pytest.approx(-1e3, rel=1e-5)
    assert results["c.stuck_area"][-1] == pytest.approx(0.1 * 0.02, rel=1e-6)
    assert results["c.force.x"][-1] == pytest.approx(200.0 * 0.1 * 0.02, rel=1e-6)
    assert results.summary["stable"] is True


@pytest.mark.parametrize(
    "friction",
    [pytest.param(fc.SurfaceStick(0.2), marks=pytest.mark.mpi), fc.LuGre(0.2, 0.15, v_s=1e-2)],
    ids=["stick", "lugre"],
)
def test_what_two_blocks_keep(friction):
    """Momenta and energy through an impact with friction, which ends."""
    _, force = check_kept(friction, "c.friction_force")
    assert max(force) > 50.0 and force[-1] == pytest.approx(0, abs=1e-9)


def pressed_tangent(friction, degree):
    system, low, up = stack((3, 4), degree, friction=friction, free=True)
    state, rng = system.state, np.random.default_rng(2)
    moving = state.problem.dynamic
    state.q[:] += 1e-5 * rng.standard_normal(state.total) * moving
    state.q_n[:] = state.q
    state.q[:] += 3e-7 * rng.standard_normal(state.total) * moving
    state.v[:] += 1e-2 * rng.standard_normal(state.total) * moving
    for block in state.problem.blocks:
        if block.owner == "c":
            at, size = block.numbers, len(block.numbers)
            state.q[at] = state.q_n[at] = 0.3
            if block.what != "mu":
                scale = 1e8 if block.what == "load" else 1e-6
                state.q[at], state.q_n[at] = scale * rng.uniform(-1, 1, (2, size))
    state.globals[6] = 1e3  # 1 / step
    return state


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(
    "friction", [fc.SurfaceStick(0.3, 0.2, damping=1e9), LUGRE], ids=["stick", "lugre"]
)
def test_tangent(friction, degree):
    """Against central differences, nodes that stick, slip and are free."""
    assert tangent_error(pressed_tangent(friction, degree), step=1e-10) < 1e-5


def test_resumed_runs_are_the_same():
    """To the last bit, from within an impact: pairs and memory are restored."""

    def made():
        system = colliding(fc.SurfaceStick(0.2, 0.1))
        return fc.Stepper(system, fc.GeneralizedAlpha(0.8), dt=2e-5, t_end=1.2e-3)

    first, second = made(), made()
    first.start()
    while first.t < 0.6e-3:
        first.advance()
    assert first.channels["c.friction_force"] > 0
    second.restore(deepcopy(first.snapshot()))
    for stepper in (first, second):
        while stepper.t < stepper.t_end - 1e-12:
            stepper.advance()
    for name in ("q", "v", "a"):
        one, two = (z.state.everything(getattr(z.state, name)) for z in (first, second))
        assert np.array_equal(one, two)
    assert first.channels.values == pytest.approx(second.channels.values, abs=0, rel=0)

"""Facets of one solid on facets of another: patch test, forces, what is kept, closed forms."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases, meshes
from fem_clearance.contact.facets.cuts import clipped
from fem_clearance.diagnostics import tangent_error

from .two_solids import (
    FINE,
    HALF_WIDTH,
    PRESSURE,
    SOFT,
    STIFFNESS,
    check_kept,
    check_uniform,
    cylinders,
    stack,
    stack_in_space,
)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("cells", [(5, 7), (7, 5)])
def test_patch(cells, degree):
    """A uniform pressure passes between meshes that do not match: sigma_yy is the same at each
    node, to 1e-8."""
    held = {"x0": "x", "y0": "y"}, {"x0": "x"}
    system, low, up = stack(cells, degree, held=held)
    system.add(fc.Pressure(up.facets("y1"), PRESSURE, follower=False))
    results = fc.Statics(system, steps=1).solve()
    check_uniform(results, system, (low, up), 1, 0.1 * 0.02, (1e-8, 1e-9))


@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_patch_in_space(cell):
    """The same of 2 x 2 facets, quadrilaterals or triangles, on 3 x 3."""
    system, low, up = stack_in_space(cell, fc.Winkler(STIFFNESS), 2)
    system.add(fc.Pressure(up.facets("z1"), PRESSURE, follower=False))
    results = fc.Statics(system, steps=1).solve()
    check_uniform(results, system, (low, up), 2, 0.01, (1e-8, 1e-9))


def test_polygons_clipped():
    """A square and the same turned by 45 degrees share an octagon of 2 (sqrt 2 - 1) of its area; a
    square beside shares nothing; a triangle within shares itself."""
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    turned = square @ np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
    small = np.array([[0.1, 0.1], [0.3, 0.1], [0.1, 0.4], [0.1, 0.4]])
    others = np.stack([turned, turned[::-1], square + (2, 0), small])
    corners = clipped(np.tile(square, (4, 1, 1)), others, 8)
    after = np.roll(corners, -1, axis=1)
    area = (corners[..., 0] * after[..., 1] - corners[..., 1] * after[..., 0]).sum(axis=1) / 2
    octagon = 2 * (np.sqrt(2) - 1)
    assert np.abs(area) == pytest.approx([octagon, octagon, 0.0, 0.03], abs=1e-14)


def moved(system, solid, rows, displacements):
    """Set coordinates or rates of a solid's nodes."""
    d = solid.dimension
    numbers = solid.displacement(np.arange(len(solid.nodes))).numbers.reshape(-1, d)
    rows[numbers] = displacements[:, :d]


@pytest.mark.parametrize("degree", [1, 2])
def test_forces(degree):
    """The upper block is tilted into the lower one and slides by 2 m/s: depth a + b x on a length
    of 0.1 m gives k (0.1 a), the moment k b 0.1^3 / 12, and friction mu of the force; each acts on
    both bodies, opposite."""
    k, width, a, b = STIFFNESS, 0.02, 1e-5, 1e-4
    system, low, up = stack((5, 7), degree, friction=fc.SmoothCoulomb(0.3, v0=1e-9), free=True)
    state = system.state
    tilt = np.zeros((len(up.nodes), 3))
    tilt[:, 1] = -a - b * up.nodes[:, 0]
    moved(system, up, state.q, tilt)
    moved(system, up, state.v, np.tile([2.0, 0.0, 0.0], (len(up.nodes), 1)))
    channels = system.channels
    channels.read()
    force, moment = k * width * 0.1 * a, k * width * b * 0.1**3 / 12
    assert channels["c.normal_force"] == pytest.approx(force, rel=1e-9)
    assert channels["c.force.y"] == pytest.approx(-force, rel=1e-9)
    assert channels["c.force.x"] == pytest.approx(0.3 * force, rel=1e-6)
    assert channels["c.friction_loss"] == pytest.approx(0.3 * force * 2.0, rel=1e-6)
    # at the points of the upper block, which has come down by a: the friction's arm is that
    assert channels["c.moment.z"] == pytest.approx(-moment + 0.3 * k * width * (
        0.1 * a**2 + b**2 * 0.1**3 / 12), rel=1e-6)  # fmt: skip
    assert [channels[f"c.{n}"] for n in ("force.z", "moment.x", "moment.y")] == [0, 0, 0]
    c = next(i for i, z in enumerate(state.components) if "c" in z.owners)
    rows = state.evaluate(c, state.components[c].residual, state.components[c].dofs)
    on = np.zeros(state.total)
    np.add.at(on, state.problem.local_unknowns[c], rows)
    for solid, sign in ((low, 1), (up, -1)):
        numbers = solid.displacement(np.arange(len(solid.nodes))).numbers.reshape(-1, 2)
        assert -on[numbers].sum(axis=0) == pytest.approx([sign * 0.3 * force, -sign * force])


def test_tangent():
    """Against central differences, with facets partly in contact and friction."""
    system, low, up = stack((3, 4), 2, friction=fc.SmoothCoulomb(0.3, v0=1e-2), free=True)
    state = system.state
    rng = np.random.default_rng(2)
    moving = state.problem.dynamic
    state.q[:] += 1e-5 * rng.standard_normal(state.total) * moving
    state.v[:] += 1e-2 * rng.standard_normal(state.total) * moving
    system.channels.read()
    assert 0.0 < system.channels["c.area"] < 0.1 * 0.02
    assert tangent_error(state, step=1e-9) < 1e-5


@pytest.mark.parametrize(
    "friction", [pytest.param(None, marks=pytest.mark.mpi), fc.SmoothCoulomb(0.2, v0=1e-2)]
)
def test_what_two_blocks_keep(friction):
    """Momenta and energy through an impact, which takes little of it."""
    energy, force = check_kept(friction, "c.normal_force")
    assert max(force) > 500.0 and force[-1] == 0.0
    assert energy[-1] > 0.97 * energy[0]


@pytest.mark.slow
def test_hertz_line_of_two_cylinders():
    """Cylinders of 0.1 m and 0.25 m, of different materials, half of each: half width and peak of
    Hertz's pressure within 1 % (Johnson, Contact Mechanics, 1985, section 4.2)."""
    system, contact, load = cylinders(fc.Winkler(20 * 2e11 / FINE))
    results = fc.Statics(system, steps=4).solve()
    pressure = contact.pressures(system)[1]
    assert results["c.normal_force"][-1] == pytest.approx(load / 2, rel=1e-5)
    assert results["c.area"][-1] == pytest.approx(HALF_WIDTH, rel=0.01)
    assert pressure.max() == pytest.approx(2 * load / (np.pi * HALF_WIDTH), rel=0.01)


def test_bad_input():
    system, low, up = stack()
    top, bottom = low.facets("y1"), up.facets("y0")
    wear = fc.SurfaceWear(fc.Archard(1e-4, 1e9), repeat=1.0)
    thick = fc.Solid(meshes.block((0.1, 0.05), (2, 2)), SOFT, state="plane_strain", thickness=0.1)
    for others, changes, message in (
        (top, {"law": fc.Hertz()}, "must be a pressure law such as Winkler"),
        (top, {"friction": fc.TrueStick(0.2)}, "friction must be a law such as SmoothCoulomb"),
        (top, {"friction": fc.SurfaceStick(0.2), "wear": wear}, "a friction law without memory"),
        (up.facets("y1"), {}, "both sets of facets belong to 'up'"),
        (thick.facets("y1"), {}, "with the same thickness"),
        (top, {"reach": -1.0}, "reach must be positive"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SurfaceContact(bottom, others, **changes)


def test_reach_is_said():
    """Blocks that move further along each other than ``reach`` stop with a sentence."""
    _, low, up = stack((5, 7), 1)
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": 1, "state": "plane_strain", "free": True}
    low = system.add(fc.Solid(low.mesh, SOFT, name="low", **same))
    up = system.add(fc.Solid(up.mesh, SOFT, name="up", velocity=(10.0, 0, 0), **same))
    system.add(fc.SurfaceContact(up.facets("y0"), low.facets("y1"), reach=5e-3, name="c"))
    with pytest.raises(fc.StepFailed, match="give the contact a larger reach"):
        fc.Simulation(system, dt=1e-4, t_end=1e-3).run()


def slide(guide):
    """An elastic slider thrown between two surfaces, of plates of this modulus, Pa, or of a rigid
    guide; forces of both and energies over time, and the slider's momenta at the end."""
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": 1, "state": "plane_strain", "thickness": 0.02}
    mesh = meshes.block((0.1, 0.05), (4, 2))
    slider = fc.Solid(mesh, SOFT, velocity=(0.3, 0.5, 0), angular_velocity=(0, 0, 1.0), free=True,
                      name="slider", **same)  # fmt: skip
    slider = system.add(slider)
    system.add(fc.SolidProbe(slider, name="all"))
    given = {"law": fc.Winkler(1e12), "friction": fc.SmoothCoulomb(0.2, v0=1e-2)}
    middle = system.ground.point((0, 0, 0))
    for side, facets, y in (("upper", "y1", 0.036), ("lower", "y0", -0.036)):
        own, given["name"] = slider.facets(facets), side
        if guide is None:
            axes = {"axis": (1, 0, 0), "across": (0, 1, 0), "side": side, "gap": 0.052}
            system.add(fc.GuideContact(middle, own, **axes, **given))
            continue
        plate = meshes.block((0.24, 0.02), (12, 3), center=(0, y, 0))
        material = fc.StVenantKirchhoff(guide, 0.3, 1000.0)
        near = "y0" if y > 0 else "y1"
        body = system.add(fc.Solid(plate, material, clamped=facets, **same))
        system.add(fc.SurfaceContact(own, body.facets(near), **given))
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(0.8), dt=1e-5, t_end=4e-3)
    stepper.start()
    energy, force = [stepper.channels["energy.total"]], []
    while stepper.t < stepper.t_end - 1e-12:
        stepper.advance()
        energy.append(stepper.channels["energy.total"])
        force.append([stepper.channels[f"{n}.normal_force"] for n in ("upper", "lower")])
    stepper.channels.read()
    momenta = [stepper.channels[f"all.{q}"] for q in ("px", "py", "Lz")]
    return np.array(force), np.array(energy), np.array(momenta)


def test_slider_in_an_elastic_guide():
    """In a guide 1e5 times as stiff the slider moves as in a rigid one (``GuideContact``); in one
    of its own material the blow is longer. Energy is never above that of the start."""
    (rigid, _, ends), (stiff, energy, found), (soft, lost, _) = map(slide, (None, 2e14, 2e9))
    assert stiff.sum(axis=0) == pytest.approx(rigid.sum(axis=0), rel=2e-3)
    assert found == pytest.approx(ends, rel=0.03)
    assert np.sum(soft > 0) > 1.2 * np.sum(rigid > 0)
    for each in (energy, lost):
        assert each.max() < each[0] * (1 + 1e-9)
        assert each[-1] < 0.75 * each[0]


def test_wear_of_both():
    """A block slides on another, both wear: Archard's volume is k / H times the distance and the
    force, for each side by its own k / H; what the lower has lost is where the block has been."""
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": 1, "state": "plane_strain", "thickness": 0.02}
    low = fc.Solid(meshes.block((0.2, 0.02), (32, 4), center=(0, -0.01, 0)), SOFT, clamped="y0",
                   name="low", **same)  # fmt: skip
    up = fc.Solid(meshes.block((0.05, 0.02), (10, 4), center=(-0.03, 0.01, 0)), SOFT, free=True,
                  velocity=(10.0, 0, 0), name="up", **same)  # fmt: skip
    low, up = system.add(low), system.add(up)
    system.add(fc.Pressure(up.facets("y1"), PRESSURE, follower=False))
    wear = [fc.SurfaceWear(fc.Archard(k, 1e9), repeat=1e3) for k in (1e-4, 5e-5)]
    contact = system.add(
        fc.SurfaceContact(up.facets("y0"), low.facets("y1"), law=fc.Winkler(STIFFNESS),
                          wear=wear[0], others_wear=wear[1], name="c")
    )  # fmt: skip
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(0.5), dt=2e-5, t_end=4e-3)
    stepper.start()
    time, force = [0.0], [0.0]
    while stepper.t < stepper.t_end - 1e-12:
        stepper.advance()
        time.append(stepper.t)
        force.append(stepper.channels["c.normal_force"])
    stepper.channels.read()
    volumes = [stepper.channels[f"c.{n}_volume"] for n in ("worn", "others_worn")]
    impulse = np.trapezoid(force, time)
    assert impulse == pytest.approx(PRESSURE * 0.05 * 0.02 * 4e-3, rel=2e-3)  # it has not flown off
    assert volumes[0] == pytest.approx(1e-4 / 1e9 * 10.0 * impulse, rel=2e-3)
    assert volumes[1] / volumes[0] == pytest.approx(0.5, rel=1e-9)
    own, others = contact.worn_depths(system)
    width = 0.05 * 0.02
    assert own.min() >= 0 and others.min() >= 0
    middle = np.abs(up.nodes[up.facets("y0").nodes, 0] + 0.03) < 0.015
    assert own[middle] == pytest.approx(1e3 * volumes[0] / width, rel=0.1)
    x = low.nodes[low.facets("y1").nodes, 0]
    been = (x > -0.055 - 0.2 / 32) & (x < 0.035 + 0.2 / 32)
    assert np.all(others[~been] == 0) and others[been].max() > 0.3 * own.max()


@pytest.mark.parametrize("side", [0, 1])
def test_worn_depths_are_taken_off(side):
    """A block 10 um deep in another, of which one has lost 4 um: the force is that of 6 um."""
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": 1, "state": "plane_strain", "thickness": 0.02, "free": True}
    blocks = [
        system.add(fc.Solid(meshes.block((0.1, 0.02), (n, 1), center=(0, y, 0)), SOFT, name=name,
                            **same)) for n, y, name in ((3, -0.01, "low"), (4, 0.01 - 1e-5, "up"))
    ]  # fmt: skip
    wear = fc.SurfaceWear(fc.Archard(1e-4, 1e9), repeat=1.0)
    given = {("wear", "others_wear")[side]: wear, "law": fc.Winkler(STIFFNESS), "name": "c"}
    contact = fc.SurfaceContact(blocks[1].facets("y0"), blocks[0].facets("y1"), **given)
    system.add(contact)
    state = system.state
    state.v[contact.worn[side].numbers] = 4e-6
    system.channels.read()
    assert system.channels["c.normal_force"] == pytest.approx(STIFFNESS * 6e-6 * 0.1 * 0.02)


def test_fast_blocks_do_not_pass_through_each_other():
    """A fixed step in which a block would fly through all of another, from further away than
    facets are paired, is shortened where they meet: the blow takes most of its momentum."""
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": 1, "state": "plane_strain", "free": True}
    low = meshes.block((0.1, 0.02), (10, 2), center=(0, -0.01, 0))
    up = meshes.block((0.02, 0.02), (4, 4), center=(0, 0.05, 0))
    low = system.add(fc.Solid(low, SOFT, name="low", **same))
    up = system.add(fc.Solid(up, SOFT, name="up", velocity=(0, -50.0, 0), **same))
    system.add(fc.SurfaceContact(up.facets("y0"), low.facets("y1"), name="c"))
    system.add(fc.SolidProbe(up, name="all"))
    results = fc.Simulation(system, dt=1e-3, t_end=1e-3, progress=False).run()
    momentum = results["all.py"]
    assert momentum[0] == pytest.approx(-50 * 1000 * 0.02**2)
    assert momentum[-1] > 0.5 * momentum[0]
    assert results.summary["rejected_steps"] > 0


def test_long_load_steps_are_said(caplog):
    """A spring pulls a block along another by half its length in one load step."""
    system, low, up = stack((10, 10), 1, held=({"y0": "xy"}, {"y1": "y"}))
    system.add(fc.Traction(low.facets("y1"), (0, 1e3, 0)))
    end = system.add(fc.Attachment(up.facets("x1"), name="end"))
    wall = system.ground.point((0.2, 0.025, 0))
    system.add(fc.SpringDamper(wall, end.frame, 1e3, free_length=0.1))
    with caplog.at_level("WARNING"):
        results = fc.Statics(system, steps=1).solve()
    assert "take more steps" in caplog.text
    # under the full load they are paired where they are: half of the block lies on the other
    assert results["c.area"][-1] == pytest.approx(0.02 * 0.05, rel=1e-6)


def test_pairs_are_those_of_the_solution():
    """A pin in a lug, loaded in two steps or in five: the facets that touch are found from the
    equilibrium itself, so that the way to it leaves no trace (without this: 1e-4)."""
    found = []
    for steps in (2, 5):
        changes = {"load": 5e5, "plate.radii": 2.0, "contact.cells": 12, "steps": steps}
        found.append(cases.get("pin_in_lug").simulation(changes, progress=False).run().summary)
    for name in ("half_angle_deg", "peak_pressure"):
        assert found[0][name] == pytest.approx(found[1][name], rel=1e-8)


def test_pairs_that_are_not_found(caplog, monkeypatch):
    """What is left where facets are paired too few times is said, with its size."""
    monkeypatch.setattr(fc.Statics, "most_pairings", 0)
    changes = {"load": 5e5, "plate.radii": 2.0, "contact.cells": 12, "steps": 2}
    with caplog.at_level("WARNING"):
        cases.get("pin_in_lug").simulation(changes, progress=False).run()
    assert "not quite those of the equilibrium" in caplog.text
    assert "or hold the body sideways" in caplog.text


@pytest.mark.parametrize("mu, said", [(0.3, True), (1e-9, False)])
def test_what_to_do_where_an_equilibrium_is_lost(caplog, monkeypatch, mu, said):
    """Where Newton's method fails between solids that stick, the advice is how to press them on
    first, which is not given to those who do just that."""
    monkeypatch.setattr(fc.Statics, "_newton", lambda *_: False)
    monkeypatch.setattr(fc.Statics, "smallest", 1.0)
    system, low, up = stack(friction=fc.SurfaceStick(mu), held=({"y0": "xy"}, {"x0": "x"}))
    system.add(fc.Pressure(up.facets("y1"), PRESSURE))
    with caplog.at_level("WARNING"):
        fc.Statics(system, steps=1).solve()
    assert "the equilibrium is lost" in caplog.text
    assert ("press it on with mu_s = 1e-9 at time=0" in caplog.text) is said
    assert ("arc_length=True follows the path" in caplog.text) is not said

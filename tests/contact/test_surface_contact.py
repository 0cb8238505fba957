"""Facets of solids on the surfaces of a guide: patch test, Hertz's line contact, what is kept."""

import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.diagnostics import tangent_error
from fem_clearance.meshes import cells as reference
from fem_clearance.meshes.structured import structured

SOFT = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)
AXES = {"axis": (1, 0, 0), "across": (0, 1, 0)}
FRICTION = fc.SmoothCoulomb(0.2, v0=1e-2)
#: facets worn to waves, which go on wearing by up to a third of the penetration a step
WORN = {
    "worn": lambda x: 2e-4 * (1 + np.cos(120 * x[..., 0])),
    "wear": fc.SurfaceWear(fc.Archard(1e-4, 1e9), repeat=1e3),
}


@pytest.mark.parametrize("k", [1e12, None])
def test_patch(k, caplog):
    """Flat on flat: a uniform pressure goes through, whatever the mesh, to round-off. The default
    stiffness is that of the smallest facet, and the log says so where facets differ."""
    caplog.set_level(logging.INFO)
    pressure = 1e6
    mesh = meshes.block((0.1, 0.05), (6, 3))
    inner = ~np.isclose(abs(mesh.points[:, 0]), 0.05) & ~np.isclose(abs(mesh.points[:, 1]), 0.025)
    mesh.points[inner, :2] += 2e-3 * np.sin(1e3 * mesh.points[inner, :2])  # cells of any shape
    corner = np.isclose(mesh.points[:, :2], (-0.1 / 3, -0.025)).all(axis=1)
    mesh.points[corner, 0] = -0.045  # a facet of 5 mm beside those of 17 mm
    system = fc.System(gravity=(0, 0, 0))
    block = system.add(
        fc.Solid(
            mesh,
            SOFT,
            degree=mesh.degree,
            state="plane_strain",
            thickness=0.01,
            clamped={"x0": "x"},
        )
    )
    system.add(fc.Pressure(block.facets("y1"), pressure, follower=False))
    system.add(
        fc.GuideContact(
            system.ground.point((0, 0, 0)), block.facets("y0"), **AXES, side="lower", gap=0.05,
            law=fc.Winkler(k), friction=FRICTION, name="contact",
        )
    )  # fmt: skip
    results = fc.Statics(system).solve()
    assert ("the smallest facet of 'y0', 0.005 m (typical: 0.0167 m)" in caplog.text) == (k is None)
    k = k or 10 * SOFT.E / 0.005
    assert results["contact.normal_force"][-1] == pytest.approx(1000.0, rel=1e-9)
    assert results["contact.area"][-1] == pytest.approx(1e-3, rel=1e-12)
    u = block.at_nodes(system.state.q)
    bottom, top = (block.facets(n).nodes for n in ("y0", "y1"))
    assert u[bottom, 1] == pytest.approx(-pressure / k, rel=1e-7)
    assert np.ptp(u[top, 1]) < 1e-7 * abs(u[top, 1]).max()


@pytest.mark.mpi
@pytest.mark.parametrize("law", [fc.Winkler(), fc.Hard()])
def test_pressures_in_space(comm, law):
    """A block on the ground: the pressure on its top at all points, on any number of ranks."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    held = {"x0": "x", "y0": "y"}
    mesh = meshes.block((0.1, 0.1, 0.1), (2, 3, 2))
    block = system.add(fc.Solid(mesh, SOFT, degree=1, clamped=held, name="block"))
    system.add(fc.Pressure(block.facets("z1"), 1e6, follower=False))
    floor = fc.PlaneSurface(system.ground.at((0, 0, -0.05)), axis=(0, 0, 1))
    contact = system.add(fc.SurfaceContact(block.facets("z0"), floor, law=law, name="floor"))
    fc.Statics(system, steps=1).solve()
    found = contact.pressures(system)
    assert (found is None) == (comm.rank > 0)
    if found is not None:
        places, pressure = found
        assert places.shape == (6, 25, 3) and np.ptp(places[..., 2]) < 1e-9
        assert pressure == pytest.approx(1e6, rel=1e-5)
        depth = 1e6 / (10 * SOFT.E * np.sqrt(6) / 0.1) if isinstance(law, fc.Winkler) else 0.0
        assert places[..., 2] == pytest.approx(-0.05 - depth, abs=1e-9)


def cylinder_end(radius, half, height, cells, fine):
    """Half of a block whose lower side is round; cells of about ``fine`` where it touches."""

    def graded(unit, length):
        steep = np.arcsinh(length / fine / 10) + 1.0
        return length * np.sinh(steep * unit) / np.sinh(steep)

    def place(unit):
        x = graded(unit[:, 0], half)
        below = radius - np.sqrt(radius**2 - x**2)
        up = graded(unit[:, 1], 1.0)
        return np.column_stack([x, below + (height - below) * up, 0 * x])

    names = {(0, 0): "middle", (1, 0): "end", (1, 1): "top"}
    return structured(cells, place, degree=1, names=names, source="cylinder end")


@pytest.mark.parametrize("law", [fc.Winkler(2e14), fc.Winkler()])
def test_hertz_line_contact(law):
    """A round end (R = 0.1 m) on a rigid plane, plane strain, 40 x 30 cells, the first ones 0.1 mm,
    the last ones far larger: p0 = sqrt(P E* / (pi R)), b = sqrt(4 P R / (pi E*)), both within 3 %,
    and the means of the pressure over facets within 3 % of p0."""
    radius, half, height = 0.1, 0.05, 0.06
    modulus = SOFT.E / (1 - SOFT.nu**2)
    width = 1e-3
    load = np.pi * modulus * width**2 / (4 * radius)  # N/m of the whole contact
    peak = 2 * load / (np.pi * width)
    mesh = cylinder_end(radius, half, height, (40, 30), 1e-4)
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.Solid(mesh, SOFT, degree=mesh.degree, state="plane_strain", clamped={"middle": "x"})
    )
    system.add(fc.Pressure(body.facets("top"), load / 2 / half, follower=False))
    contact = system.add(
        fc.GuideContact(
            system.ground.point((0, 0.001, 0)), body.facets("end"), **AXES, side="lower",
            gap=0.002, law=law, name="contact",
        )
    )  # fmt: skip
    results = fc.Statics(system, steps=4).solve()
    assert results["contact.normal_force"][-1] == pytest.approx(load / 2, rel=1e-8)
    assert results["contact.area"][-1] == pytest.approx(width, rel=0.03)
    places, pressure = contact.pressures(system)
    area = contact.facets.quadrature(contact.resolution)[0]
    assert np.sum(area * pressure) == pytest.approx(load / 2, rel=1e-8)
    exact = peak * np.sqrt(np.maximum(1 - (places[..., 0] / width) ** 2, 0.0))
    assert pressure.max() == pytest.approx(peak, rel=0.03)
    means = np.sum(area * (pressure - exact), axis=1) / area.sum(axis=1)  # straight facets
    inside = places[..., 0].max(axis=1) < 0.8 * width
    assert inside.sum() > 8 and np.abs(means[inside]).max() < 0.03 * peak


def flying(friction=FRICTION, velocity=(0.3, 0.5, 0.0), **contact):
    """A free guide and a free elastic slider in it."""
    system = fc.System(gravity=(0, 0, 0))
    guide = system.add(
        fc.RigidBody(3.0, (0.02, 0.03, 0.04), name="rail", free=True, angular_velocity=(0, 0, 3.0))
    )
    slider = system.add(
        fc.Solid(
            meshes.block((0.1, 0.05), (4, 2)), SOFT, degree=1, state="plane_strain", thickness=0.02,
            velocity=velocity, angular_velocity=(0, 0, 1.0), free=True, name="slider",
        )
    )  # fmt: skip
    for side, facets in (("upper", "y1"), ("lower", "y0")):
        system.add(
            fc.GuideContact(
                guide.center, slider.facets(facets), **AXES, side=side, gap=0.052,
                friction=friction, law=fc.Winkler(1e12), name=side, **contact,
            )
        )  # fmt: skip
    return system, guide, slider


def momenta(system, guide, slider):
    """Linear momentum, and angular momentum about the origin, along z."""
    state = system.state
    numbers = np.concatenate([r.numbers for r in guide.refs])
    q, v = (z[numbers].reshape(4, 3) for z in (state.q, state.v))
    omega = sum(np.cross(q[k], v[k]) for k in (1, 2, 3)) / 2
    linear = guide.mass * v[0]
    angular = np.cross(q[0], linear)[2] + 0.04 * omega[2]
    area, _ = slider.mesh.quadrature()
    points, _ = reference.quadrature("quadrilateral", 4)
    shape = reference.shape_functions("quadrilateral", 1, points)[0]
    places, rates = (
        np.einsum("pn,mnx->mpx", shape, z[slider.cells])
        for z in (slider.nodes + slider.at_nodes(state.q), slider.at_nodes(state.v))
    )
    mass = SOFT.rho * slider.thickness * area
    linear = linear + np.einsum("mp,mpx->x", mass, rates)
    angular += np.einsum("mp,mpx->x", mass, np.cross(places, rates))[2]
    return linear, angular


def test_free_guide_and_slider():
    """Momenta of both together are kept through impacts on both sides, energy only falls."""
    system, guide, slider = flying()
    stepper = fc.Stepper(system, t_end=0.008, tolerance=1e-8)
    stepper.start()
    before = momenta(system, guide, slider)
    energies, forces = [stepper.channels["energy.total"]], []
    while stepper.t < stepper.t_end:
        stepper.advance()
        energies.append(stepper.channels["energy.total"])
        forces.append([stepper.channels[f"{n}.normal_force"] for n in ("upper", "lower")])
    assert np.all(np.max(forces, axis=0) > 10.0)
    assert np.diff(energies).max() < 1e-5 * energies[0]
    assert energies[-1] < energies[0]
    after = momenta(system, guide, slider)
    assert after[0] == pytest.approx(before[0], abs=1e-7)
    assert after[1] == pytest.approx(before[1], abs=1e-7)


@pytest.mark.parametrize("worn", [False, True])
def test_tangent(worn):
    """Against central differences, facets partly in contact; and wearing in the step."""
    system, _, slider = flying(**(WORN if worn else {}))
    state = system.state
    numbers = slider.displacement(np.arange(len(slider.nodes))).numbers.reshape(-1, 2)
    state.q[numbers[:, 1]] = 1.05e-3 + 4e-4 * slider.nodes[:, 0]
    rng = np.random.default_rng(3)
    state.v[:] += 1e-2 * rng.standard_normal(state.total) * state.problem.dynamic
    state.q_n[:] = state.q - 1e-5 * state.v
    assert np.isfinite(system.channels.read()).all()
    assert tangent_error(state, step=1e-8) < 1e-5


def test_bad_input():
    system = fc.System()
    block = system.add(
        fc.Solid(meshes.block((0.1, 0.05), (4, 2)), SOFT, degree=1, state="plane_strain", free=True)
    )
    ground = system.ground.point((0, 0, 0))
    for facets, changes, message in (
        (block, {}, "needs a set of facets"),
        (block.facets("y1"), {"side": "top"}, "side must be one of upper, lower"),
        (block.facets("y1"), {"gap": 0.01}, "far beyond its upper surface"),
        (block.facets("y0"), {}, "are on opposite sides of the middle of the guide"),
        (block.facets("y1"), {"law": fc.Hertz()}, "law must be a pressure"),
        (block.facets("y1"), {"friction": fc.TrueStick(0.2)}, "friction must be a law such as"),
        (
            block.facets("y1"),
            {"surface": fc.guides.Sinusoidal(-0.1, 0.1)},
            "surfaces of the guide intersect",
        ),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.GuideContact(ground, facets, **{**AXES, "side": "upper", "gap": 0.052, **changes})
    with pytest.raises(fc.InputError, match="Winkler.stiffness must be positive"):
        fc.Winkler(-1.0)

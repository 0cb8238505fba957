"""Rods held by attachments against beam theory: bending, torsion, weight, a beam with a solid."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.bodies.solids.condensed import CondensedSolid
from fem_clearance.runs.statics import Statics

LENGTH, HEIGHT, WIDTH = 1.0, 0.06, 0.1  # m, along x, y and z
E, NU = 2e11, 0.3
STEEL = fc.StVenantKirchhoff(E=E, nu=NU, rho=7800)
KINDS = ("averaged", "rigid")


def torsion_constant(a, b):
    """Of a rectangle with sides a >= b, m^4 (Saint-Venant's series)."""
    n = np.arange(1, 40, 2)
    series = np.sum(np.tanh(n * np.pi * a / (2 * b)) / n**5)
    return a * b**3 / 3 * (1 - 192 * b / (np.pi**5 * a) * series)


def rod(system, cells, degree=2, cell="hexahedron", **options):
    mesh = meshes.block((LENGTH, HEIGHT, WIDTH), cells, center=(LENGTH / 2, 0, 0), degree=degree)
    if cell == "tetrahedron":
        mesh = meshes.simplices(mesh)
    return system.add(fc.Solid(mesh, STEEL, name="rod", **options))


def displaced(solid, state, place):
    """Displacement of the node that starts at a place, m."""
    ref = solid.at(place).refs[0]
    return state.q[state.locate(np.ravel(ref.numbers))]


def torqued(kind, torque, cells=(10, 2, 2), **options):
    """A rod between the ground and a frame with a torque; the solved system's parts."""
    system = fc.System(gravity=(0, 0, 0))
    solid = rod(system, cells, **options)
    system.add(fc.Attachment(solid.facets("x0"), system.ground, kind=kind, name="root"))
    end = system.add(fc.Attachment(solid.facets("x1"), kind=kind, name="end"))
    system.add(fc.Torque(end.frame, torque, name="torque"))
    results = Statics(system, steps=1).solve()
    return solid, system.state, results


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_pure_bending(kind, cell):
    """Curvature in the middle is M / (E I), within 1 %; between averaged ends everywhere, exactly:
    the ends are free to deform as Saint-Venant's solution wants them to."""
    moment = 100.0
    solid, state, results = torqued(kind, (0, 0, moment), cell=cell)
    curvature = moment / (E * WIDTH * HEIGHT**3 / 12)
    x = np.array([0.4, 0.5, 0.6]) * LENGTH
    y = [displaced(solid, state, (z, 0, 0))[1] for z in x]
    measured = (y[0] - 2 * y[1] + y[2]) / (x[1] - x[0]) ** 2
    assert measured == pytest.approx(curvature, rel=1e-2)
    if kind == "averaged" and cell == "hexahedron":
        assert measured == pytest.approx(curvature, rel=1e-4)
        deflection = results["end.frame.y"][-1]
        assert deflection == pytest.approx(curvature * LENGTH**2 / 2, rel=1e-4)
    assert results["root.moment.z"][-1] == pytest.approx(moment, rel=1e-9)
    assert results["end.moment.z"][-1] == pytest.approx(-moment, rel=1e-9)
    energy = moment * curvature * LENGTH / 2
    assert results["energy.strain"][-1] == pytest.approx(
        energy, rel=1e-2 + 0.02 * (kind == "rigid")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_torsion(kind):
    """Twist by length in the middle is T / (G J), within 1 %; averaged ends warp."""
    torque = 100.0
    solid, state, results = torqued(kind, (torque, 0, 0), cells=(10, 4, 4))
    G = E / (2 * (1 + NU))
    rate = torque / (G * torsion_constant(WIDTH, HEIGHT))
    turns = []
    for x in (0.4 * LENGTH, 0.6 * LENGTH):
        sides = [displaced(solid, state, (x, 0, z))[1] for z in (-WIDTH / 2, WIDTH / 2)]
        turns.append((sides[0] - sides[1]) / WIDTH)
    assert (turns[1] - turns[0]) / (0.2 * LENGTH) == pytest.approx(rate, rel=1e-2)
    assert results["root.moment.x"][-1] == pytest.approx(torque, rel=1e-9)
    work = torque * rate * LENGTH / 2
    assert results["energy.strain"][-1] == pytest.approx(work, rel=1e-2 + 0.05 * (kind == "rigid"))


@pytest.mark.parametrize("kind", KINDS)
def test_weight_at_the_root(kind):
    """Reactions of a cantilever under its weight; a rigid attachment to the ground is a clamp."""
    system = fc.System()
    solid = rod(system, (6, 1, 1))
    system.add(fc.Attachment(solid.facets("x0"), system.ground, kind=kind, name="root"))
    results = Statics(system, steps=1).solve()
    weight = solid.mass * 9.81
    about = [results[f"root.moment.{x}"][-1] for x in "xyz"]
    assert results["root.reaction.y"][-1] == pytest.approx(-weight, rel=1e-9)
    assert np.allclose(about, (0, 0, -weight * LENGTH / 2), atol=1e-5 * weight)
    if kind == "rigid":
        other = fc.System()
        clamped = rod(other, (6, 1, 1), clamped="x0")
        Statics(other, steps=1).solve()
        tips = [
            displaced(s, z.state, (LENGTH, 0, 0)) for s, z in ((solid, system), (clamped, other))
        ]
        assert np.allclose(*tips, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_half_beam_half_solid(kind):
    """A cantilever whose outer half is a solid bends like a beam under a force at its end."""
    system, load = fc.System(gravity=(0, 0, 0)), 1000.0
    solid = rod(system, (10, 1, 1))
    section = fc.Rectangle(HEIGHT, WIDTH)
    beam = system.add(fc.Beam((-LENGTH, 0, 0), (0, 0, 0), section, STEEL, 4, name="beam"))
    system.add(fc.FixedJoint(system.ground, beam.start, name="root"))
    system.add(fc.Attachment(solid.facets("x0"), beam.end, kind=kind, name="middle"))
    tip = system.add(fc.Attachment(solid.facets("x1"), name="tip"))
    system.add(fc.Force(tip.frame, (0, load, 0)))
    results = Statics(system, steps=1).solve()
    EI, GA = E * WIDTH * HEIGHT**3 / 12, E / (2 * (1 + NU)) * 5 / 6 * WIDTH * HEIGHT
    deflection = load * (2 * LENGTH) ** 3 / (3 * EI) + load * 2 * LENGTH / GA
    assert results["tip.frame.y"][-1] == pytest.approx(deflection, rel=1e-2)
    assert results["middle.reaction.y"][-1] == pytest.approx(load, rel=1e-9)
    assert results["middle.moment.z"][-1] == pytest.approx(load * LENGTH, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_condensed_solid(kind):
    """One that keeps all its responses moves as the solid it stands for."""
    ends = []
    for make in (fc.Solid, CondensedSolid):
        system = fc.System(gravity=(0, 0, 0))
        mesh = meshes.block((LENGTH, HEIGHT, WIDTH), (4, 1, 1), degree=2)
        kept = {"facets": "x1"} if make is CondensedSolid else {}
        linear = fc.LinearElastic(E=E, nu=NU, rho=7800)
        solid = system.add(make(mesh, linear, clamped="x0", name="rod", **kept))
        end = system.add(fc.Attachment(solid.facets("x1"), kind=kind, name="end"))
        system.add(fc.Torque(end.frame, (10.0, 20.0, 100.0)))
        system.add(fc.Force(end.frame, (0, 50.0, 20.0)))
        results = Statics(system, steps=1).solve()
        ends.append([results[f"end.frame.{x}"][-1] for x in "yz"])
    assert np.allclose(*ends, rtol=1e-6)


def test_plane_solid():
    """Pure bending in plane stress, on the axis of the plane."""
    system, moment = fc.System(gravity=(0, 0, 0)), 100.0
    mesh = meshes.block((LENGTH, HEIGHT), (10, 1), center=(LENGTH / 2, 0, 0), degree=2)
    solid = system.add(fc.Solid(mesh, STEEL, state="plane_stress", thickness=WIDTH, name="rod"))
    system.add(fc.Attachment(solid.facets("x0"), system.ground, name="root"))
    end = system.add(fc.Attachment(solid.facets("x1"), name="end"))
    system.add(fc.Torque(end.frame, (0, 0, moment)))
    results = Statics(system, steps=1).solve()
    curvature = moment / (E * WIDTH * HEIGHT**3 / 12)
    assert results["end.frame.y"][-1] == pytest.approx(curvature * LENGTH**2 / 2, rel=1e-4)
    assert results["root.moment.z"][-1] == pytest.approx(moment, rel=1e-9)


def test_bore_on_a_pin():
    """An averaged attachment of a bore to a pin: a torque on the ring comes out at the pin."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.hollow_cylinder(0.02, 0.03, 0.04, (12, 2, 1)).moved(by=(0.2, 0.1, 0.0))
    ring = system.add(fc.Solid(mesh, STEEL, name="ring"))
    system.add(fc.Attachment(ring.facets("bore"), system.ground, name="pin"))
    rim = system.add(fc.Attachment(ring.facets("rim"), name="rim"))
    system.add(fc.Torque(rim.frame, (1.0, 2.0, 3.0)))
    system.add(fc.Force(rim.frame, (30.0, 20.0, 10.0)))
    results = Statics(system, steps=1).solve()
    force, moment = ([results[f"pin.{n}.{x}"][-1] for x in "xyz"] for n in ("reaction", "moment"))
    assert np.allclose(force, (30, 20, 10), rtol=1e-8)
    assert np.allclose(moment, (1, 2, 3), rtol=1e-5)

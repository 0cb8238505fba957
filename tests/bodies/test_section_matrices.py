"""Beams by section matrices: published tips, closed forms, moved axes, and a chain of bodies."""

import numpy as np
import pytest
import ufl

import fem_clearance as fc

#: the composite section of BeamDyn's first verification case, in the order of SectionMatrices;
#: Wang, Sprague, Jonkman and Jonkman, AIAA 2014-1115, and the beamdyn_composite of BeamDyn's tests
COMPOSITE = np.zeros((6, 6))
COMPOSITE[:3, :3] = np.diag([88560.0, 38780.0, 1368170.0])
COMPOSITE[3:, 3:] = [[59120.0, -370.0, 17610.0], [-370.0, 141470.0, -351.0],
                     [17610.0, -351.0, 16960.0]]  # fmt: skip
SLICE = np.diag([1.0, 1.0, 1.0, 0.01, 0.01, 0.02])


def tip(beam, force=(0, 0, 0), steps=10):
    """Displacement of the end of a clamped beam, and the system."""
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.Force(beam.end, force))
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=steps).solve()
    place = np.array([results[f"tip.{x}"][-1] for x in "xyz"])
    return place - beam.end.position, system


def test_composite_beam_of_beamdyn():
    """Tip under 150 N along d3, 10 m of a composite with bending and torsion coupled."""
    beam = fc.Beam(
        (0, 0, 0), (10, 0, 0), section=fc.SectionMatrices(COMPOSITE, SLICE), elements=8,
        up=(0, 1, 0),
    )  # fmt: skip
    found, _ = tip(beam, (0, 0, 150.0))
    published = np.array([-0.0902726627566299, -0.0647488486259036, 1.22973648292371])
    assert found[[0, 2]] == pytest.approx(published[[0, 2]], rel=1e-4)
    assert found[1] == pytest.approx(published[1], rel=1e-3)


def test_45_degree_bend():
    """Bathe and Bolourchi (1979) on a true arc: (-23.5613, 13.6050, 53.4761), own converged value,
    plane sections and k = 5/6; published ones are (-23.5, 13.4, 53.4)."""
    constants = fc.SectionMatrices.from_constants(
        EA=1e7, GA=5e6 * 5 / 6, EI=1e7 / 12, GJ=5e6 / 6, rho_A=1.0, rho_I=1 / 12
    )
    arc = fc.Arc((0, -100, 0), (0, 0, 0), (0, 0, -1), np.pi / 4)
    beam = fc.Beam.along(arc, constants, elements=16, up=(0, 0, 1))
    found, _ = tip(beam, (0, 0, 600.0))
    assert found == pytest.approx([-23.5613, 13.6050, 53.4761], rel=2e-4)


def test_twisted_beam():
    """MacNeal and Harder (1985): a strip twisted by a quarter turn between clamp and tip; unit
    loads at the tip in the plane of either axis there give 0.005424 and 0.001754 by beam theory."""
    length, strip = 12.0, fc.Rectangle(1.1, 0.32)
    material = fc.StVenantKirchhoff(29e6, 0.22, 1.0)

    def up(s):
        turn = np.pi / 2 * s / length
        return 0.0, np.cos(turn), np.sin(turn)

    for force, wanted in (((0, 0, 1e-3), 0.005424e-3), ((0, 1e-3, 0), 0.001754e-3)):
        beam = fc.Beam(
            (0, 0, 0), (length, 0, 0), fc.SectionMatrices.of(strip, material), elements=12, up=up
        )
        found, _ = tip(beam, force, steps=1)
        assert found[np.argmax(force)] == pytest.approx(wanted, rel=3e-3)


def test_homogeneous_section():
    """An angle, whose axes are not principal: the tip of a slender cantilever by unsymmetric
    bending, L^3 / 3E times the inverse of the second moments; the mass by the moments."""
    corners = [(0, 0), (0.06, 0), (0.06, 0.01), (0.01, 0.01), (0.01, 0.04), (0, 0.04)]
    angle, material = fc.Polygon(corners), fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
    section, length = fc.SectionMatrices.of(angle, material), 4.0
    beam = fc.Beam((0, 0, 0), (length, 0, 0), section, elements=8, up=(0, 1, 0))
    force = np.array([2.0, 1.0])
    moments = np.array([[angle.I_y, angle.I_yz], [angle.I_yz, angle.I_z]])
    wanted = length**3 / (3 * material.E) * np.linalg.solve(moments, force)
    found, _ = tip(beam, (0, *force), steps=1)
    assert abs(angle.I_yz) > 0.2 * angle.I_z
    assert found[1:] == pytest.approx(wanted, rel=1e-3)
    assert section.inertia[1:, 1:] == pytest.approx(material.rho * moments)
    assert beam.mass == pytest.approx(material.rho * angle.area * length)


def test_moved_axis():
    """An axis off the centres and turned: the same beam. Tip under a load through a body, and
    frequencies."""
    length, place, turn = 2.0, np.array([0.03, -0.05]), 0.6
    centred = fc.SectionMatrices.from_constants(
        EA=1e9, GA=(4e8, 3e8), EI=(9e5, 3e6), GJ=1.1e6, rho_A=39.0, rho_I=(0.04, 0.12),
        mass_centre=(0.01, 0.02), shear_centre=(-0.02, 0.01),
    )  # fmt: skip
    found = []
    for moved in (False, True):
        section = centred.moved(place, turn) if moved else centred
        start = np.array([0, *(place if moved else (0, 0))])
        up = (0, np.cos(turn), np.sin(turn)) if moved else (0, 1, 0)
        system = fc.System(gravity=(0, 0, 0))
        beam = fc.Beam(start, start + (length, 0, 0), section, elements=8, up=up)
        system.add(beam)
        system.add(fc.FixedJoint(system.ground, beam.start))
        body = system.add(fc.RigidBody(10.0, (1, 1, 1), position=(length, 0, 0)))
        system.add(fc.FixedJoint(beam.end, body.at(beam.end.position)))
        assert beam.position == pytest.approx([length / 2, 0.01, 0.02], abs=1e-12)
        system.add(fc.Force(body.center, (1e5, -8e4, 3e4)))
        system.add(fc.Probe(body.center, name="tip"))
        results = fc.Statics(system, steps=4).solve()
        modes = fc.eigenmodes(system, 4).frequencies  # about the bent shape
        found.append([*(results[f"tip.{x}"][-1] for x in "xyz"), *modes[:4]])
    assert abs(found[0][2]) > 0.05
    assert found[1][:3] == pytest.approx(found[0][:3], abs=4e-6)
    assert found[1][3:] == pytest.approx(found[0][3:], rel=2e-4)


def test_centres():
    """Strains and velocities at a centre p are those of the axis plus curvature or spin x p."""
    centres = {"tension": (0.03, -0.05), "shear": (-0.02, 0.04), "mass": (0.01, 0.07)}
    found = fc.SectionMatrices.from_constants(
        EA=7.0, GA=(3.0, 2.0), EI=(0.4, 0.5), GJ=0.3, rho_A=6.0, rho_I=(0.2, 0.1),
        **{f"{n}_centre": p for n, p in centres.items()},
    )  # fmt: skip

    def at(name, strain):
        return strain[:3] + np.cross(strain[3:], [*centres[name], 0.0])

    def stored(e):
        tension, shear = at("tension", e), at("shear", e)
        parts = 3 * shear[0] ** 2 + 2 * shear[1] ** 2 + 7 * tension[2] ** 2
        return parts + [0.4, 0.5, 0.3] @ e[3:] ** 2

    def moving(v):
        return 6 * at("mass", v) @ at("mass", v) + [0.2, 0.1, 0.3] @ v[3:] ** 2

    for e in np.random.default_rng(2).uniform(-1, 1, (10, 6)):
        assert e @ found.stiffness @ e == pytest.approx(stored(e), rel=1e-12)
        assert e @ found.mass @ e == pytest.approx(moving(e), rel=1e-12)
    assert found.mass_centre == pytest.approx(centres["mass"])
    everywhere = {f"{n}_centre": (0.03, -0.05) for n in centres}
    numbers = dict(EA=7.0, GA=(3.0, 2.0), EI=(0.4, 0.5), GJ=0.3, rho_A=6.0, rho_I=(0.2, 0.1))
    one = fc.SectionMatrices.from_constants(**numbers, **everywhere)
    other = fc.SectionMatrices.from_constants(**numbers).moved((-0.03, 0.05))
    np.testing.assert_allclose(one.stiffness, other.stiffness, atol=1e-12)
    np.testing.assert_allclose(one.mass, other.mass, atol=1e-12)


def test_section_forces_and_recovered_stress():
    """A cantilever: root forces by statics, stresses of bending and of an axial force at the
    corners of a rectangle, before and after its axis moves."""
    b, h, length, E = 0.03, 0.05, 1.0, 2e13  # so stiff that loads do not wander
    area, about_2, about_3 = b * h, b * h**3 / 12, h * b**3 / 12
    corners = np.array([[-b, -h], [b, -h], [b, h], [-b, h]]) / 2
    recovery = np.zeros((4, 6, 6))
    recovery[:, 0, 2] = 1 / area
    recovery[:, 0, 3], recovery[:, 0, 4] = corners[:, 1] / about_2, -corners[:, 0] / about_3
    recovery[:, 3, 0] = 1 / area
    rectangle = fc.SectionMatrices.from_constants(
        EA=E * area, GA=E / 2.6 * area, EI=(E * about_2, E * about_3), GJ=1e6, rho_A=10.0,
        rho_I=0.001, outline=corners, recovery=recovery,
    )  # fmt: skip
    place = np.array([0.01, -0.02])
    for moved in (False, True):
        section = rectangle.moved(place, np.pi / 2) if moved else rectangle
        start = np.array([0, *(place if moved else (0, 0))])
        up = (0, 0, 1) if moved else (0, 1, 0)
        beam = fc.Beam(start, start + (length, 0, 0), section, elements=4, up=up)
        force = np.array([3000.0, 20.0, -50.0])
        pull = fc.Torque(beam.end, np.cross([0, *-place], force) if moved else (0, 0, 0))
        system = fc.System(gravity=(0, 0, 0))
        system.add(beam)
        system.add(fc.FixedJoint(system.ground, beam.start))
        system.add(fc.Force(beam.end, force))
        system.add(pull)
        system.add(fc.SectionForces(beam, 0.0, name="root"))
        results = fc.Statics(system).solve()
        values = system.state.everything(system.state.q)
        if not moved:
            # M about y (d2): -F_z L turned to the right hand; about z (d3): F_y L
            wanted = [3000.0, 20.0, -50.0, 0.0, 50.0, 20.0]
            names = ("N", "Q_y", "Q_z", "M_t", "M_y", "M_z")
            seen = [results[f"root.{n}"][-1] for n in names]
            assert seen == pytest.approx(wanted, abs=0.05)
        stress = beam.surface_stress(values)
        bending = 50.0 * corners[:, 1] / about_2 - 20.0 * corners[:, 0] / about_3
        assert stress["xx"][0] == pytest.approx(bending + 3000.0 / area, rel=2e-3)
        shear = stress["xz" if moved else "xy"][0]
        assert shear == pytest.approx((-1 if moved else 1) * 20.0 / area, rel=2e-2)
        assert stress["von_mises"][0] == pytest.approx(np.sqrt(stress["xx"][0] ** 2 + 3 * shear**2))


def test_right_angle_frame():
    """Simo and Vu-Quoc (1988): two legs of 10 m, a force of up to 50 N on the elbow out of their
    plane for 2 s, then free. Reference: 20 and 10 rigid bodies a leg tied by 6x6 bushings, whose
    error falls with the square of their length (no beam element takes part); energy is kept."""
    elasticity, slices = np.diag([1e6] * 3 + [1e3] * 3), np.diag([1.0, 1, 1, 10, 10, 20])

    def pulse(t):
        return ufl.conditional(ufl.lt(t, 1), t, ufl.conditional(ufl.lt(t, 2), 2 - t, 0 * t))

    def run(system, elbow, tip):
        system.add(fc.Force(elbow, (0, 0, 50.0), pulse))
        for frame, name in ((elbow, "elbow"), (tip, "tip")):
            system.add(fc.Probe(frame, name=name))
        results = fc.Simulation(system, dt=0.025, t_end=8.0, progress=False).run()
        return results, np.array([results[f"{n}.{x}"] for n in ("elbow", "tip") for x in "xyz"])

    def chain(count):
        h, system, bodies = 10.0 / count, fc.System(gravity=(0, 0, 0)), []
        nodes = [(k * h, 0, 0) for k in range(count + 1)]
        nodes += [(10, (k + 1) * h, 0) for k in range(count)]
        across = 10 * h + h**3 / 12
        for k in range(2 * count):
            inertia = (20 * h, across, across) if k < count else (across, 20 * h, across)
            place = np.add(nodes[k], nodes[k + 1]) / 2
            bodies.append(system.add(fc.RigidBody(h, inertia, position=place)))
        system.add(
            fc.Bushing(system.ground.at(nodes[0]), bodies[0].at(nodes[0]), 2 * elasticity / h)
        )
        for k in range(1, 2 * count):
            system.add(
                fc.Bushing(bodies[k - 1].at(nodes[k]), bodies[k].at(nodes[k]), elasticity / h)
            )
        return run(system, bodies[count - 1].at(nodes[count]), bodies[-1].at(nodes[-1]))[1]

    system, section = fc.System(gravity=(0, 0, 0)), fc.SectionMatrices(elasticity, slices)
    first = system.add(fc.Beam((0, 0, 0), (10, 0, 0), section, elements=8))
    second = system.add(fc.Beam((10, 0, 0), (10, 10, 0), section, elements=8))
    system.add(fc.FixedJoint(system.ground, first.start))
    system.add(fc.FixedJoint(first.end, second.start))
    results, found = run(system, first.end, second.end)
    coarse, fine = chain(10), chain(20)
    wanted = fine + (fine - coarse) / 3
    assert np.ptp(wanted[5]) > 7.0
    assert np.abs(found - wanted).max() < 0.01
    assert np.abs(found - wanted).max() < np.abs(fine - wanted).max()
    free = results.time > 2.0
    energy = results["energy.total"][free]
    assert np.ptp(energy) < 3e-4 * energy[0]  # of order 2 in the step
    assert abs(results["energy.balance"]).max() < 3e-4 * energy[0]
    assert results["energy.fed"][-1] == pytest.approx(energy[0], rel=3e-4)
    assert abs(results["energy.dissipated"]).max() == 0


def test_it_shows_itself():
    beam = fc.Beam((0, 0, 0), (1, 0, 0), fc.SectionMatrices(COMPOSITE, SLICE), name="blade")
    assert "axial 1.368e+06 N" in repr(beam.section)
    assert "SectionMatrices" in beam._repr_html_()


def test_bad_input():
    good = fc.SectionMatrices(COMPOSITE, SLICE)
    steel = fc.StVenantKirchhoff(2e11, 0.3, 7800)
    tilted, lopsided = SLICE.copy(), SLICE.copy()
    tilted[3, 5] = tilted[5, 3] = 1e-3
    lopsided[0, 0] = 2.0
    for stiffness, mass, message in (
        (np.eye(3), SLICE, "stiffness must be a 6x6 matrix"),
        (COMPOSITE + np.triu(np.ones((6, 6)), 1) * 1e4, SLICE, "stiffness must be symmetric"),
        (np.diag([1, 1, 1, 1, 1, 0.0]), SLICE, "every strain needs a resistance"),
        (COMPOSITE, tilted, "not that of a section"),
        (COMPOSITE, lopsided, "not that of a section"),
        (COMPOSITE, SLICE * np.nan, "finite"),
        (COMPOSITE, np.diag([1.0, 1, 1, -0.01, 0.01, 0.02]), "must not be negative"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SectionMatrices(stiffness, mass)
    with pytest.raises(fc.InputError, match="recovery must be an array of shape"):
        fc.SectionMatrices(COMPOSITE, SLICE, recovery=np.ones((2, 6, 6)))
    with pytest.raises(fc.InputError, match="leave out material"):
        fc.Beam((0, 0, 0), (1, 0, 0), good, steel)
    with pytest.raises(fc.InputError, match="leave out model='cable'"):
        fc.Beam((0, 0, 0), (1, 0, 0), good, model="cable")
    with pytest.raises(fc.InputError, match="leave out shear"):
        fc.Beam((0, 0, 0), (1, 0, 0), good, shear=(1, 1))
    with pytest.raises(fc.InputError, match="GA must be positive|GA"):
        fc.SectionMatrices.from_constants(EA=1, GA=(1, -1), EI=1, GJ=1, rho_A=1, rho_I=1)
    beam, system = fc.Beam((0, 0, 0), (1, 0, 0), good), fc.System()
    system.add(beam)
    system.add(fc.FixedJoint(system.ground, beam.start))
    with pytest.raises(fc.InputError, match="know no stress"):
        beam.surface_stress(system.state.everything(system.state.q))

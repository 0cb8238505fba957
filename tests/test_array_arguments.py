"""Arguments that are arrays, pairs or lists: words, rows of unequal length, numbers that are not
finite and objects of another sort are answered by a sentence, never by an error of NumPy's."""

import numpy as np
import pytest

import fem_clearance as fc

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
SYSTEM = fc.System()
GROUND = SYSTEM.ground
BODY = SYSTEM.add(fc.RigidBody(1, (1, 1, 1), name="body"))
CIRCLE, Z = fc.Circle(0.1), (0, 0, 1)
TRIANGLE, PAIR = [(0, 0), (1, 0), (0, 1)], np.zeros((2, 2, 2))
BEARING = {"axis": Z, "first": (1, 0, 0)}
JOURNAL = {"bearing_radius": 0.01, "journal_radius": 0.0095, "length": 0.01}
ENDS = [(0, 0, 0), (1, 0, 0)]
TIME = np.linspace(0, 1, 50)
BLOCK = fc.meshes.block((1, 1), (1, 1))


def hinge(x):
    return fc.RevoluteJoint(GROUND, BODY.at((x, 0, 0)), axis=Z)


ARGUMENTS = {
    "inertia": lambda w: fc.RigidBody(1, w),
    "inertia of a part": lambda w: fc.MassProperties(1, inertia=w),
    "state": lambda w: fc.Solid(BLOCK, STEEL, state=w),
    "place": fc.MassProperties(1).about,
    "axes of a shape": lambda w: fc.MassProperties.of_shape(fc.shapes.Sphere(1), 1.0, axes=w),
    "orientation": lambda w: fc.RigidBody(1, (1, 1, 1), orientation=w),
    "orientation of a shape": lambda w: fc.shapes.Sphere(1, orientation=w),
    "parts": fc.shapes.Compound,
    "outline of a plate": lambda w: fc.shapes.Plate(w, 0.1),
    "corners": fc.Polygon,
    "holes": lambda w: fc.Polygon(TRIANGLE, holes=w),
    "weights": lambda w: fc.PointSection(TRIANGLE, w),
    "points": fc.Spline,
    "parameters": lambda w: fc.Spline(ENDS, w),
    "elements": lambda w: fc.Beam(*ENDS, CIRCLE, STEEL, elements=w),
    "section's stiffness": lambda w: fc.SectionMatrices(w, np.eye(6)),
    "recovery": lambda w: fc.SectionMatrices(np.eye(6), np.zeros((6, 6)), recovery=w),
    "outline of matrices": lambda w: fc.SectionMatrices(np.eye(6), np.zeros((6, 6)), outline=w),
    "shear stiffness": lambda w: fc.SectionMatrices.from_constants(
        EA=1, GA=w, EI=1, GJ=1, rho_A=1, rho_I=1
    ),
    "arc lengths": lambda w: fc.SectionTable(w, [1, 2]),
    "nodes": lambda w: fc.BodyMatrices(nodes=w, stiffness=np.eye(6), mass=np.eye(6)),
    "body's stiffness": lambda w: fc.BodyMatrices(nodes=ENDS, stiffness=w, mass=np.eye(6)),
    "modes": lambda w: fc.BodyMatrices(ENDS, np.eye(6), np.eye(6), modes=w),
    "torques": lambda w: fc.Motor(GROUND, BODY.center, Z, speeds=[0, 1], torques=w),
    "speeds": lambda w: fc.Motor(GROUND, BODY.center, Z, speeds=w, torques=[1, 2]),
    "speeds of a bearing": lambda w: fc.BearingCoefficients(
        GROUND, BODY.center, speeds=w, stiffness=PAIR, damping=PAIR, **BEARING
    ),
    "coefficients": lambda w: fc.BearingCoefficients(
        GROUND, BODY.center, speeds=[0, 1], stiffness=w, damping=PAIR, **BEARING
    ),
    "frequencies": lambda w: fc.CoefficientTable(w, stiffness=PAIR, damping=PAIR),
    "stiffness by frequency": lambda w: fc.CoefficientTable([1, 2], stiffness=w, damping=PAIR),
    "axes of a bushing": lambda w: fc.Bushing(GROUND, BODY.center, 1e3, axes=w),
    "bushing": lambda w: fc.Bushing(GROUND, BODY.center, w),
    "matrix of damping": lambda w: fc.Bushing(GROUND, BODY.center, np.eye(6), w),
    "ratios": lambda w: fc.Coupler([hinge(0), hinge(1)], w),
    "radii": lambda w: fc.ProfileSurface(BODY, radii=w),
    "radii along": lambda w: fc.RevolvedSurface(BODY, radii=w, start=0, end=1),
    "size": lambda w: fc.meshes.block(w, (1, 1)),
    "cells": lambda w: fc.meshes.block((1, 1), w),
    "cells round": lambda w: fc.meshes.hollow_cylinder(1, 2, 1, w),
    "rotation": lambda w: fc.meshes.block((1, 1), (1, 1)).moved(rotation=w),
    "mesh's points": lambda w: fc.meshes.Mesh("triangle", w, np.array([(0, 1, 2)])),
    "mesh's cells": lambda w: fc.meshes.Mesh("triangle", np.eye(3), w),
    "mesh's facets": lambda w: fc.meshes.Mesh(
        "triangle", np.eye(3)[[2, 0, 1]], np.array([(0, 1, 2)]), {"rim": w}
    ),
    "positions": lambda w: fc.gears.TabulatedStiffness(w, [1, 2, 3, 4]),
    "ends": lambda w: fc.Thrust(play=0.1, radius=0.1, ends=w),
    "materials": lambda w: fc.RevoluteClearance(GROUND, BODY.center, Z, materials=w, **JOURNAL),
    "materials of a rod": lambda w: fc.RodGuide(
        GROUND, BODY.center, Z, hole_radius=0.02, rod_radius=0.01, materials=w
    ),
    "clamped": lambda w: fc.Solid(BLOCK, STEEL, state="plane_stress", clamped=w),
    "clamped along": lambda w: fc.Solid(BLOCK, STEEL, state="plane_stress", clamped={"x0": w}),
    "damping": lambda w: fc.Solid(BLOCK, STEEL, state="plane_stress", damping=w),
    "interfaces": lambda w: fc.ReducedBody(
        fc.Solid(BLOCK, fc.LinearElastic(2e11, 0.3, 7800), state="plane_stress"), interfaces=w
    ),
    "retained": lambda w: fc.CondensedSolid(
        BLOCK, fc.LinearElastic(2e11, 0.3, 7800), state="plane_stress", facets=w, clamped="x1"
    ),
    "degree": lambda w: fc.meshes.block((1, 1), (1, 1), degree=w),
    "outer radius": lambda w: fc.meshes.hollow_cylinder(1, w, 1, (8, 1, 1)),
    "beam": lambda w: fc.SectionForces(w, 0.5),
    "sections": lambda w: fc.SectionTable([0, 1], w),
    "joints": lambda w: fc.Coupler(w, [1, 1]),
    "points of a guide": lambda w: fc.GuideProbe(GROUND, w, (1, 0, 0), (0, 1, 0), gap=0.1),
    "channels": lambda w: fc.Simulation(SYSTEM, t_end=1.0, rename=w),
    "further channels": lambda w: fc.Simulation(SYSTEM, t_end=1.0, derived=w),
    "times": lambda w: fc.analysis.resample(w, TIME),
    "values": lambda w: fc.analysis.crossings(TIME, w),
    "span": lambda w: fc.analysis.spectrum(TIME, TIME, span=w),
    "tones": lambda w: fc.analysis.tones(TIME, TIME, w),
}  # fmt: skip
NONSENSE = {
    "a word": "wide", "unequal rows": [[1, 2], [3]], "an object": object(), "a mapping": {"a": 1},
    "infinite": [1, 2, np.inf], "complex": [1, 2, 3j], "a complex matrix": 1j * np.eye(6),
    "not a number": np.nan,
}  # fmt: skip


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_no_array(argument, nonsense):
    with pytest.raises(fc.InputError) as caught:
        ARGUMENTS[argument](NONSENSE[nonsense])
    assert len(str(caught.value)) <= 400


def test_nodes_that_there_are_not():
    with pytest.raises(fc.InputError, match="from 0 to 2, as there are 3 points; got 1 to 3"):
        fc.meshes.Mesh("triangle", np.eye(3), np.array([(1, 2, 3)]))


def test_materials_without_a_modulus():
    with pytest.raises(fc.InputError, match="materials with E .* or stiffness=, got 'steel'"):
        fc.RevoluteClearance(GROUND, BODY.center, Z, materials=("steel", STEEL), **JOURNAL)


@pytest.mark.parametrize("numbers", ("c", [1.0], 4.0, np.eye(3)))
def test_numbers_of_a_law(numbers):
    with pytest.raises(fc.InputError, match="numbers must be a mapping such as"):
        fc.StateForce(BODY.center, lambda at, p: at.velocity, numbers=numbers)


@pytest.mark.parametrize("name", ("t_end", "tolerance", "newton_tolerance", "every", "solver"))
def test_none_where_a_value_is_needed(name):
    with pytest.raises(fc.InputError, match=f"{name} must be .* got None"):
        fc.Simulation(SYSTEM, **{"t_end": 1.0, "dt": 1e-3, name: None})


@pytest.mark.parametrize("folder", (1.5, [[1, 2], [3]], object()))
def test_folders_that_are_no_paths(folder):
    with pytest.raises(fc.InputError, match="a run's folder must be a path"):
        fc.Simulation(SYSTEM, t_end=1.0, output=folder)

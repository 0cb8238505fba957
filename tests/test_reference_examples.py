"""Public joints and laws say in their docstrings where they are described, and show an example that
runs: it makes the object, and a joint can be added to a system. The examples of all other public
names run too, and the numbers beside them are right."""

import ast
import inspect
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import basix.ufl
import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance import analysis, extend, functions, gears, guides, lubrication, meshes, shapes
from tests.public_names import example_of, public

ROOT = Path(__file__).parents[1]
#: by their modules: what joins, touches, rubs and wears
MODULES = (
    "fem_clearance.joints", "fem_clearance.contact", "fem_clearance.gears",
    "fem_clearance.lubrication.joints",
)  # fmt: skip
#: to derive from, or described by what they belong to
OTHERS = {
    "BristleLaw", "ContactGeometry", "CylinderLaw", "FacetPairContact", "FrameSurface",
    "FrictionLaw", "Gear", "GearMesh", "GuideSurface", "MeshStiffness", "NormalLaw", "SpurGear",
    "TabulatedStiffness", "ToothFriction", "Transition",
}  # fmt: skip


def described():
    for module in (fc, gears, lubrication):
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.isclass(item) and item.__module__.startswith(MODULES):
                yield name, item


ITEMS = {name: item for name, item in described() if name not in OTHERS}


def things() -> dict:
    """What the examples use: bodies whose joints close at the start."""
    steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, 0, 0))
    pinion, gear = (
        gears.SpurGear(n, 3.175e-3, np.radians(25), 31.75e-3, bore_radius=r)
        for n, r in ((25, 8.5e-3), (31, 10.8e-3))
    )
    mesh = gears.GearMesh(pinion, gear)
    places = {
        "body": (0, 0, 0), "other": (0.2, 0, 0), "disc": (0, 0, 0.01), "pinion": (0, 0, 0),
        "gear": (mesh.centre_distance, 0, 0),
    }  # fmt: skip
    bodies = {
        name: system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=place, free=True, name=name))
        for name, place in places.items()
    }
    beam = fc.Beam((0, 0, 0), (1, 0, 0), fc.Circle(0.01), steel, elements=4, model="cable")
    solid = fc.Solid(meshes.block((0.1, 0.05, 0.05), (2, 2, 2)), steel, free=True)
    beside = meshes.block((0.1, 0.05, 0.05), (2, 2, 2), center=(0.1, 0, 0))
    plate = fc.Solid(beside, steel, free=True)
    return bodies | {
        "fc": fc, "gears": gears, "lubrication": lubrication, "np": np, "steel": steel,
        "system": system, "ground": system.ground, "mesh": mesh, "beam": system.add(beam),
        "solid": system.add(solid), "plate": system.add(plate),
    }  # fmt: skip


def test_all_are_looked_at():
    assert {"RevoluteJoint", "RevoluteClearance", "Liu", "LuGre", "GearPair"} <= set(ITEMS)
    assert len(ITEMS) > 75


@pytest.mark.parametrize("name", ITEMS)
def test_page(name):
    pages = re.findall(r"\bdocs/\w+\.md", inspect.getdoc(ITEMS[name]))
    assert pages and all((ROOT / page).exists() for page in pages)


@pytest.mark.parametrize("name", ITEMS)
def test_example(name):
    text = inspect.getdoc(ITEMS[name]).split("Example::\n\n")[-1]
    names = things()
    made = eval("(" + textwrap.dedent(text).split("\n\n")[0] + ")", names)
    shown = ITEMS[name]
    assert isinstance(made, shown)
    if hasattr(made, "build"):
        names["system"].add(made)


#: those with an example that runs (those at a prompt, >>>, go on from a script)
OTHER_EXAMPLES = {
    name: item
    for name, item in public().items()
    if callable(item) and "Example::" in (inspect.getdoc(item) or "")
    and name.rsplit(".", 1)[-1] not in ITEMS
}  # fmt: skip
MODULES_BY_NAME = {
    "analysis": analysis, "basix": basix, "dataclass": dataclass, "extend": extend,
    "functions": functions, "guides": guides, "shapes": shapes, "ufl": ufl,
}  # fmt: skip


def stated(code: str):
    """Expressions with the number that a comment says they have."""
    for line in code.splitlines():
        if found := re.fullmatch(r"(\S.*\S)  # (-?\d[\d.e+-]*)( .*)?", line):
            yield found[1], found[2]


def test_other_examples_are_looked_at():
    assert {"fem_clearance.Tube", "fem_clearance.extend.SingleKind"} <= set(OTHER_EXAMPLES)
    assert len(OTHER_EXAMPLES) > 100
    assert sum(1 for item in OTHER_EXAMPLES.values() for _ in stated(example_of(item))) > 20


@pytest.mark.parametrize("name", OTHER_EXAMPLES)
def test_other_example(name):
    """It runs, and shows what it is an example of."""
    code = example_of(OTHER_EXAMPLES[name])
    names = things() | MODULES_BY_NAME | {"__name__": "example"}
    exec(compile(ast.parse(code), name, "exec"), names)
    assert re.search(rf"\b{name.rsplit('.', 1)[-1]}\b", code)
    for expression, number in stated(code):
        digits = len(number.split("e")[0].replace(".", "").lstrip("-0"))
        expected = float(number)
        unit = 10.0 ** (np.floor(np.log10(abs(expected))) - digits + 1) if expected else 1e-9
        assert eval(expression, names) == pytest.approx(expected, abs=0.5001 * unit)

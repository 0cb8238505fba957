"""Public joints and laws say in their docstrings where they are described, and show an example that
runs: it makes the object, and a joint can be added to a system."""

import inspect
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import gears, lubrication, meshes

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
    solid = fc.Solid(meshes.block((0.1, 0.05, 0.05), (2, 1, 1)), steel, free=True)
    return bodies | {
        "fc": fc, "gears": gears, "lubrication": lubrication, "np": np, "steel": steel,
        "system": system, "ground": system.ground, "mesh": mesh, "beam": system.add(beam),
        "solid": system.add(solid),
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

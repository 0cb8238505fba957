"""Every argument of what is public stands in its signature: a misspelt one is an error at once, and
editors and type checkers know it."""

import importlib
import inspect

import pytest

import fem_clearance as fc

PACKAGES = (
    "fem_clearance", "fem_clearance.analysis", "fem_clearance.cases", "fem_clearance.extend",
    "fem_clearance.functions", "fem_clearance.gears", "fem_clearance.guides",
    "fem_clearance.lubrication", "fem_clearance.meshes", "fem_clearance.shapes",
    "fem_clearance.bodies.solids.resultants", "fem_clearance.bodies.solids.stress",
)  # fmt: skip
#: where any number of arguments is the meaning
VARIADIC = {
    "AnglePair.pack": "names of the parameters that the kind declares",
    "Kind.pack": "names of the parameters that the kind declares",
    "PairKind.pack_pair": "names of the parameters that the kind declares",
    "SingleKind.pack_single": "names of the parameters that the kind declares",
    "State.assign": "names of the parameters that the item's kinds declare",
    "Stepper.assign": "names of the parameters that the item's kinds declare",
    "Mesh.marked": "names that the user gives to sets of facets",
    "Surface.marked": "names that the user gives to sets of nodes",
    "Results.plot": "any number of channels",
    "Builder.connect": "any number of bodies",
    "join": "any number of meshes",
    "RigidBody.of": "any number of parts",
}
MANY = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


def ours(item) -> bool:
    """Whether the package defines it."""
    return str(getattr(item, "__module__", "")).startswith("fem_clearance")


def public(packages=PACKAGES):
    """Name and function or class of all that is public, methods too, but for exceptions (which take
    what Python's take) and protocols (which nobody makes)."""
    for package in packages:
        home = importlib.import_module(package)
        for name in getattr(home, "__all__", None) or [n for n in vars(home) if n[0] != "_"]:
            item = getattr(home, name)
            if not ours(item):
                continue
            if not inspect.isclass(item):
                if inspect.isroutine(item):
                    yield name, item
                continue
            if not issubclass(item, BaseException) and not getattr(item, "_is_protocol", False):
                yield name, item
            for method, value in inspect.getmembers(item, inspect.isroutine):
                if method[0] != "_" and ours(value):
                    yield value.__qualname__, value


def many(item) -> bool:
    """Whether it takes arguments that its signature does not name."""
    return any(p.kind in MANY for p in inspect.signature(item).parameters.values())


def test_signatures_name_every_argument():
    found = {name for name, item in public() if many(item)}
    assert found == set(VARIADIC)


def test_the_walk_sees_classes_functions_and_methods():
    names = [name for name, _ in public()]
    assert len(set(names)) > 500
    assert {"RevoluteClearance", "channel_spectrum", "Beam.along", "Kind.pack"} <= set(names)


@pytest.mark.parametrize(
    "joint",
    [
        fc.SphericalClearance, fc.CylindricalClearance, fc.RevoluteClearance,
        fc.TranslationalClearance, fc.lubrication.LubricatedSpherical,
        fc.lubrication.LubricatedCylindrical, fc.lubrication.LubricatedTranslational,
    ],
)  # fmt: skip
def test_arguments_of_clearance_joints_are_keywords_with_types(joint):
    parameters = list(inspect.signature(joint).parameters.values())
    laws = {"normal", "friction", "stiffness", "materials", "approach_floor", "name"}
    assert laws <= {p.name for p in parameters}
    for p in parameters[4 if "Translational" in joint.__name__ else 3 :]:
        assert p.kind is p.KEYWORD_ONLY and p.annotation is not p.empty, p


SIZES = {"socket_radius": 1.0, "ball_radius": 0.9, "stiffness": 1e6}


@pytest.mark.parametrize("given", [{"transition": 0.1}, {"surface": "fixed"}, {"axis": (0, 0, 1)}])
def test_what_only_a_film_asks_for_needs_a_film(given):
    system = fc.System()
    ball = system.add(fc.RigidBody(mass=1.0, inertia=(1, 1, 1)))
    with pytest.raises(fc.InputError, match="is only for joints with a film; give film="):
        fc.SphericalClearance(system.ground, ball.center, **SIZES, **given)


def test_a_lubricated_joint_needs_its_film():
    system = fc.System()
    ball = system.add(fc.RigidBody(mass=1.0, inertia=(1, 1, 1)))
    with pytest.raises(fc.InputError, match="film must be a Film or a SphericalSqueeze"):
        fc.lubrication.LubricatedSpherical(system.ground, ball.center, **SIZES)


def test_a_misspelt_argument_is_refused_by_its_name():
    system = fc.System()
    with pytest.raises(TypeError, match="no argument 'radus' .did you mean 'radii'"):
        fc.RevoluteClearance(system.ground, None, radus=1.0)


#: what may be several things with an interface, or what only a run makes
UNTYPED = {"frame_i", "frame_j", "frame", "guide", "slider", "beam", "joint", "results"}
#: settings of a run, one dataclass soon
RUN = {"Stepper"}


def test_arguments_have_types():
    """Of all that models are made of and looked at with, but for methods."""
    packages = [p for p in PACKAGES if p != "fem_clearance.extend"]
    missing = {
        f"{name}: {p.name}"
        for name, item in public(packages)
        if "." not in name and name not in RUN
        for p in inspect.signature(item).parameters.values()
        if p.annotation is p.empty and p.name not in UNTYPED and p.kind not in MANY
    }
    assert not missing


#: what a docstring says where the arguments stand in that of another class
ELSEWHERE = "Arguments and errors: see", "All others are those of"


def items():
    """Public classes whose objects ``System.add`` takes."""
    for package in ("fem_clearance", "fem_clearance.gears", "fem_clearance.lubrication"):
        home = importlib.import_module(package)
        for name in home.__all__:
            item = getattr(home, name)
            if inspect.isclass(item) and hasattr(item, "build") and hasattr(item, "prefix"):
                yield item


@pytest.mark.parametrize("item", list(items()), ids=lambda item: item.__name__)
def test_docstrings_of_items(item):
    """Its own docstring names each argument, its channels and its errors."""
    said = item.__doc__
    assert "Channels: " in said or "Channels of each" in said
    elsewhere = any(words in said for words in ELSEWHERE)
    assert "Raises:" in said or elsewhere
    missing = [name for name in inspect.signature(item).parameters if name not in said]
    assert not missing or elsewhere

"""Mistakes of a first hour, made in Python: each is answered by a sentence that names the thing and
says what would be right."""

import ast
from pathlib import Path

import pytest

import fem_clearance as fc
from fem_clearance import cases, checks


@pytest.fixture
def arm():
    system = fc.System(gravity=(0, -9.81, 0))
    return system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0), name="arm"))


@pytest.fixture
def system(arm):
    system = fc.System()
    system.add(arm)
    return system


BALL = fc.RigidBody(1.0, (1, 1, 1), name="ball")
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
BAR = (0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL
PAIR = {"bearing_radius": 0.01, "journal_radius": 0.009, "length": 0.02}
MISTAKES = {
    "gravity as a number": (lambda s, a: fc.System(gravity=-9.81), "vector of 3 numbers, got -9.8"),
    "a moment for three": (
        lambda s, a: fc.RigidBody(1.0, 2.0),
        "inertia must be 3 principal moments or a 3x3 tensor, kg m.2, got 2.0",
    ),
    "moments of no body": (lambda s, a: fc.RigidBody(1, (1, 1, 5)), r"inertia \(1, 1, 5\)"),
    "orientation as text": (
        lambda s, a: fc.RigidBody(1, (1, 1, 1), orientation="x"), "orientation must be a rotation"
    ),
    "bodies for frames": (
        lambda s, a: fc.RevoluteClearance(s.ground, a, **PAIR),
        r"joint needs a place, because ground and arm are .* arm.at\(\(x, y, z\)\)",
    ),
    "nothing for a frame": (
        lambda s, a: fc.SphericalJoint(s.ground, None), "frame_j must be a frame, such .* got None"
    ),
    "a name for a frame": (
        lambda s, a: fc.SphericalJoint("ground", a.center), "frame_i must be a frame, .*'ground'"
    ),
    "a length for a place": (
        lambda s, a: fc.Beam(*BAR).at(0.15), r"needs 3 numbers in m, got 0.15; .* is at_length\(s\)"
    ),
    "two coordinates": (lambda s, a: a.at((0, 0)), r"arm.at: position must be a vector of 3"),
    "a long list for a vector": (
        lambda s, a: a.at(list(range(99))), r"of 3 numbers, got \[0, 1, .*\.\.\. \(\d+ characters"
    ),
    "a body that is nowhere": (
        lambda s, a: s.add(fc.SphericalJoint(a.center, BALL.center)),
        "spherical joint connects ball, which is not in the system: add that body first",
    ),
    "a list of items": (lambda s, a: s.add([BALL]), "System.add accepts bodies, joints, loads"),
    "a case that is none": (
        lambda s, a: cases.get("heavy_topp"), r"no case 'heavy_topp' \(did you mean 'heavy_top'\?\)"
    ),
    "a parameter that is none": (
        lambda s, a: cases.get("double_pendulum").resolve({"arm.e": 1}),
        r"no parameter 'arm.e' \(did you mean 'arm.E'\?\); it has arm.model, arm.E, .* more\.$",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(system, arm, mistake):
    make, said = MISTAKES[mistake]
    with pytest.raises(fc.InputError, match=said) as found:
        make(system, arm)
    text = str(found.value)
    assert text.endswith(".") and "?." not in text and "?;" not in text and len(text) < 400


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda s: fc.Simulation(s, t_end=1, output_folder="x"),
            "Simulation takes no argument 'output_folder' (did you mean 'output'?).",
        ),
        (lambda s: fc.Simulation(s), "Simulation needs 't_end'."),
        (lambda s: fc.LinearElastic(2e11, 0.3), "LinearElastic needs 'rho'."),
        (lambda s: fc.Material(210e9, 0.3, 7800), "Material takes rho, got 3."),
        (
            lambda s: fc.Probe(s.ground, "tip"),
            "Probe takes frame, got 2; give the others by name: name.",
        ),
    ],
)
def test_wrong_arguments(system, make, said):
    """A ``TypeError``, as Python's own, with a suggestion."""
    with pytest.raises(TypeError) as found:
        make(system)
    assert str(found.value) == said


def test_an_error_inside_is_no_wrong_argument():
    class Bad:
        def __float__(self):
            raise TypeError("inside")

    with pytest.raises(fc.InputError, match="mass must be a number"):
        fc.RigidBody(Bad(), (1, 1, 1))


def words_of(node):
    """How many characters a text of the source has, names and numbers put in taken as 12."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return len(node.value)
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    return sum(len(p.value) if isinstance(p, ast.Constant) else 12 for p in parts)


@pytest.mark.parametrize("kind", ["InputError", "StepFailed", "NoSolution", "warning"])
def test_messages_leave_room_for_names(kind):
    """Own words of at most 300 characters, so that with names of things there are 400."""
    long, seen = [], 0
    for path in Path(fc.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) and node.args else None
            if kind == getattr(called, "id", getattr(called, "attr", "")):
                seen += 1
                if words_of(node.args[0]) > 300:
                    long.append(f"{path.name}:{node.lineno}")
    assert seen > 3 and not long


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("arm.lenght", "crank.length"),  # as long as it is the same word
        ("crank.lenght", "crank.length"),
        ("crank.rpn", "crank.rpm"),
        ("length", "crank.length"),
        ("crank.elements", None),  # of the names of a crank none is like it
        ("coupler.e", "coupler.E"),
        ("E", "coupler.E"),  # without its owner
        ("crank.vz", "crank.vx"),
    ],
)
def test_names_that_were_meant(word, near):
    names = ["crank.rpm", "crank.length", "coupler.E", "coupler.model", "clearance", "crank.vx"]
    said = checks.suggestion(word, names)
    assert said == ("" if near is None else f" (did you mean {near!r}?)")


def test_long_lists_are_shortened():
    names = [f"channel{k}" for k in range(40)]
    assert checks.some(names[:5]) == "channel0, channel1, channel2, channel3, channel4"
    assert checks.some(names, 2) == "channel0, channel1 and 38 more"
    assert checks.some(["a.x", "arm.x", "arm.y", "b.x"], 1, like="arm.z") == "arm.x and 3 more"


# --- numbers that are possible and cannot be meant ------------------------------------------------
def warned(caplog, make) -> str:
    caplog.clear()
    with caplog.at_level("WARNING", logger="fem_clearance"):
        make()
    return " ".join(r.getMessage() for r in caplog.records)


def test_the_base_of_materials_is_none():
    with pytest.raises(fc.InputError, match="use StVenantKirchhoff.E=2.1e11, nu=0.3, rho=7850"):
        fc.Material(7800)


def test_a_modulus_in_gigapascals(caplog):
    said = warned(caplog, lambda: fc.StVenantKirchhoff(210, 0.3, 7850))
    assert "E = 210 Pa" in said and "SI units" in said
    for E, rho in ((2.1e11, 7850), (6e7, 6000), (1e4, 1100), (2.1e5, 7.85e-9)):  # the last in MPa
        assert warned(caplog, lambda E=E, rho=rho: fc.LinearElastic(E, 0.3, rho)) == ""


def test_a_clearance_as_large_as_the_radius(caplog, system, arm):
    def joint(ball):
        law = fc.Hertz()
        return fc.SphericalClearance(
            system.ground, arm.at((0, 0, 0)), socket_radius=0.02, ball_radius=ball, normal=law,
            stiffness=1e9, name="cup",
        )  # fmt: skip

    assert "cup: the clearance, 0.011 m, is as large as" in warned(caplog, lambda: joint(0.009))
    assert warned(caplog, lambda: joint(0.018)) == ""

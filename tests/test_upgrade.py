"""The guide for upgrading: its tables hold every old name of the source and no other, each old name
works, and changes of numbers have the size that it states."""

import ast
import functools
import importlib
import inspect
import logging
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases, lubrication
from fem_clearance.core.renamed import ENDINGS, present
from fem_clearance.plotting import solids

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fem_clearance"
PAGE = (ROOT / "docs" / "upgrade.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    below = re.split(rf"^#+ {heading}$", PAGE, flags=re.M)[1]
    lines = re.search(r"(?:^\|.*\n)+", below, re.M)[0].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def words(heading: str) -> list[list[str]]:
    """The same without the marks of code."""
    return [[cell.replace("`", "") for cell in row] for row in rows(heading)]


NAMES, ARGUMENTS, ATTRIBUTES, MODULES, PARAMETERS, CHANNELS = map(
    words,
    ("Names of the package", "Arguments", "Attributes and methods", "Modules",
     "Parameters of cases", "Channels"),
)  # fmt: skip


def found(dotted: str):
    """What a name of the package stands for, ``lubrication.Film``."""
    home, _, name = f"fem_clearance.{dotted}".rpartition(".")
    return getattr(importlib.import_module(home), name)


# --- the tables are complete ----------------------------------------------------------------------
@functools.cache
def trees() -> list[ast.Module]:
    """The source of the package."""
    return [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]


def decorated(kind: str) -> set[tuple[str, str, str]]:
    """Each class or function of the source with old names of arguments or attributes."""
    pairs = set()

    def look(nodes, owner):
        for node in nodes:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef):
                continue
            name = owner if node.name == "__init__" else node.name
            for call in node.decorator_list:
                called = getattr(call, "func", None)
                if getattr(called, "id", getattr(called, "attr", "")) == kind:
                    pairs.update((name, k.arg, k.value.value) for k in call.keywords)
            if isinstance(node, ast.ClassDef):
                look(node.body, node.name)

    for tree in trees():
        look(tree.body, "")
    return pairs


def last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


def test_every_argument_is_listed():
    listed = {(last(owner), old, new) for owner, old, new in ARGUMENTS}
    ours = decorated("arguments")
    ours -= {(base := "ClosedForm", "speed", "sliding_speed")}
    ours |= {(c.__name__, "speed", "sliding_speed") for c in found_closed_forms(base)}
    assert listed == ours


def found_closed_forms(base: str) -> list[type]:
    """Public classes derived from the base of closed forms."""
    return [
        item for item in map(vars(lubrication).get, lubrication.__all__)
        if inspect.isclass(item) and base in {b.__name__ for b in item.__mro__[1:]}
    ]  # fmt: skip


def test_every_attribute_is_listed():
    listed = {(last(owner), old, new) for owner, old, new in ATTRIBUTES}
    assert listed == decorated("attributes")


def test_every_module_is_listed():
    finder = next(f for f in importlib.sys.meta_path if isinstance(f, fc.deprecated.Modules))
    ours = {tuple(n.removeprefix("fem_clearance.") for n in (old, new))
            for old, (new, _) in finder.names.items()}  # fmt: skip
    assert {tuple(row) for row in MODULES} == ours


def test_every_name_is_listed():
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    table = re.search(r"_renamed = names\(.*?\{(.*?)\}", source, re.S)[1]
    ours = {(f"fc.{a}", f"fc.{b}") for a, b in re.findall(r'"(\w+)": "([\w.]+)"', table)}
    own = {tuple(row) for row in NAMES if row[0].count(".") == 1}
    assert own == ours and len(NAMES) == len(ours) + 3


def test_every_channel_is_listed():
    pairs = [zip(a.split(", "), b.split(", "), strict=True) for a, b in CHANNELS]
    assert dict(pair for row in pairs for pair in row) == ENDINGS


def aliases() -> set[tuple[str, str, str]]:
    """(case, old, new) of all cases, but for the other units of speeds."""
    return {
        (case, alias, p.name)
        for case in cases.names()
        for p in cases.get(case).parameters
        for alias, factor in p.aliases.items()
        if factor == 1.0
    }


def test_every_parameter_is_listed():
    ours, listed = aliases(), set()
    for where, old, new in PARAMETERS:
        those = {(c, a, n) for c, a, n in ours if (a, n) == (old, new)}
        named = set(where.split(", "))
        assert those and (where.startswith("all ") or {c for c, *_ in those} == named)
        listed |= those
    assert listed == ours


# --- each old name works --------------------------------------------------------------------------
@pytest.mark.parametrize(("old", "new"), NAMES)
def test_names(old, new):
    with pytest.warns(DeprecationWarning, match=f"{last(old)} is called"):
        before = found(old.removeprefix("fc."))
    assert before is found(new.removeprefix("fc."))


@pytest.mark.parametrize(("owner", "old", "new"), ATTRIBUTES)
def test_attributes(owner, old, new):
    shown = type("Shown", (found(owner),), {new: "the new one"})
    with pytest.warns(DeprecationWarning, match=rf"{old}.*{new}"):
        assert getattr(object.__new__(shown), old) == "the new one"


@pytest.mark.parametrize(("case", "old", "new"), sorted(aliases()))
def test_parameters(case, old, new, caplog):
    case = cases.get(case)
    value = case.resolve()[new]
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        assert case.resolve({old: value})[new] == value
    assert f"{old} is called {new}" in caplog.text


@pytest.mark.parametrize(("old", "new"), ENDINGS.items())
def test_channels(old, new):
    assert present(f"pin.{old}", {f"pin.{new}"}) == f"pin.{new}"


BORE = {"radius": 0.015, "length": 0.014, "clearance": 1e-4}


def film_with(**options) -> lubrication.Film:
    film = lubrication.plain_bearing(**BORE, lubricant=0.04, cells=(8, 2))
    kept = {f.name: getattr(film, f.name) for f in fields(film) if f.init}
    del kept["sliding_speed"]
    return lubrication.Film(**kept, **options)


def guide_film(**options):
    steel = fc.StVenantKirchhoff(2.07e11, 0.3, 7800)
    solid = fc.Solid(fc.meshes.block((0.1, 0.05, 0.05), (2, 2, 2)), steel, free=True)
    return lubrication.GuideFilm(
        fc.System().ground, solid.facets("y1"), (1, 0, 0), (0, 1, 0), side="upper", gap=0.0502,
        lubricant=0.04, **options,
    )  # fmt: skip


SURFACE = lubrication.plain_bearing(**BORE, lubricant=0.04, cells=(8, 2)).surface
SPEEDS = {
    "Film": film_with,
    "GuideFilm": guide_film,
    "ShortBearing": lambda **o: lubrication.ShortBearing(**BORE, viscosity=0.04, **o),
    "LongBearing": lambda **o: lubrication.LongBearing(**BORE, viscosity=0.04, **o),
    "plain_bearing": lambda **o: lubrication.plain_bearing(**BORE, lubricant=0.04, **o),
    "bearing_on": lambda **o: lubrication.bearing_on(SURFACE, 1e-4, 0.04, **o),
    "pad_film": lambda **o: lubrication.pad_film(0.1, 0.05, 1e-4, 0.04, cells=(4, 2), **o),
}


@pytest.mark.parametrize("name", [last(o) for o, old, _ in ARGUMENTS if old == "speed"])
def test_speeds(name):
    with pytest.warns(DeprecationWarning, match="speed is called sliding_speed now"):
        made = SPEEDS[name](speed=3.5)
    film = getattr(made, "film", made)
    assert film.sliding_speed == 3.5


def test_frames_of_a_film():
    system = fc.System()
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), name="body", free=True))
    film = lubrication.ShortBearing(**BORE, viscosity=0.04)
    with pytest.warns(DeprecationWarning) as said:
        lubrication.CylindricalFilm(
            frame_housing=system.ground, frame_journal=body.center, axis=(0, 0, 1), film=film
        )
    assert [str(w.message)[:30] for w in said] == [
        "frame_housing is called frame_", "frame_journal is called frame_"
    ]  # fmt: skip


@pytest.mark.parametrize("call", [solids.picture, solids.drawn, solids.animation])
def test_looks(call, tmp_path):
    more = () if call is solids.drawn else (tmp_path / "bar.png",)
    with (
        pytest.warns(DeprecationWarning, match="look is called appearance now"),
        pytest.raises(fc.InputError),
    ):
        call(tmp_path / "nowhere", "bar", *more, look=solids.Appearance())


def test_loop_of_a_system():
    with pytest.warns(DeprecationWarning, match="no longer has an effect"):
        fc.System(loop="python")


# --- numbers that changed -------------------------------------------------------------------------
def number(subject: str) -> str:
    """The row about a subject."""
    (row,) = (r for r in rows("Numbers that changed") if r[0].startswith(subject))
    return " | ".join(row)


def test_stated_torsion():
    """I_y + I_z of plane sections, by hand, against Saint-Venant's constant."""
    row = number("beams")
    for text, b, h in (("1.19 (square)", 0.01, 0.01), ("27 (strip of 10 : 1)", 0.01, 0.1)):
        assert text in row
        plane = (b * h**3 + h * b**3) / 12
        ratio = plane / fc.Rectangle(b, h).saint_venant
        assert ratio == pytest.approx(float(text.split()[0]), rel=6e-3)


def test_stated_forces_of_films():
    """Of a film with the clearance of the joint, and of one that is 1.1 times as wide."""
    row = number("films of `CylindricalClearance`")
    assert "1.4 at $e/c$ = 0.3, 2 at 0.8 and 5 at 0.95" in row
    c, R = 1e-4, 0.015

    def force(eccentricity, clearance):
        film = lubrication.plain_bearing(R, R, clearance, 0.04, cells=(64, 12), crowd=0.5)
        place = lubrication.Place(e=(eccentricity, 0, 0), Omega=(0, 0, 100.0))
        return np.linalg.norm(lubrication.Bearing(film).solve(place).force)

    for ratio, factor in ((0.3, 1.4), (0.8, 2), (0.95, 5)):
        assert force(ratio * c, c) / force(ratio * c, 1.1 * c) == pytest.approx(factor, rel=0.1)


@pytest.mark.parametrize(
    ("made", "argument"),
    [
        (fc.LankaraniNikravesh, "approach_speed"), (fc.SphericalClearance, "approach_floor"),
        (fc.TranslationalClearance, "normal"), (fc.CylindricalClearance, "normal"),
        (fc.Beam, "section_model"), (fc.Solid, "degree"), (fc.CondensedSolid, "degree"),
        (lubrication.Transition, "margin"),
    ],
)  # fmt: skip
def test_former_behaviour_can_be_asked_for(made, argument):
    assert argument in inspect.signature(made).parameters and f"{argument}=" in PAGE

"""Imports point down: no circle of files, no two folders that import each other.

Every import counts, those inside functions and under TYPE_CHECKING too.
"""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "fem_clearance"
#: the floors of the house from the ground up (docs/design.md): what a file imports lies in its own
#: folder or on a lower floor
FLOORS = (
    (
        "_backend", "_environment", "_signals", "cache", "checks", "deprecated", "errors",
        "function_symbols", "function_tables", "functions", "markup", "user_code",
    ),
    ("core",),
    ("timestepping", "statics", "diagnostics"),
    ("model",),
    ("meshes",),
    ("bodies",),
    ("contact",),
    ("joints", "gears"),
    ("lubrication",),
    ("io",),
    ("fields",),
    ("dolfinx",),
    ("plotting",),
    ("runs",),
    ("analysis",),
    ("sensitivity",),
    ("_public",),
    ("",),  # fem_clearance itself: cases are built of what users have
    ("cases",),
    ("program", "extend"),
    ("__main__",),
)  # fmt: skip
FLOOR = {name: k for k, names in enumerate(FLOORS) for name in names}


def modules(root: Path) -> dict[str, Path]:
    """Dotted name of each module, without the package's own, and its file."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: Path, text: str, found) -> set[str]:
    """Modules of the package that a module imports, wherever it says so."""
    here = name.split(".") if name else []
    package = here if path.name == "__init__.py" else here[:-1]
    result = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif (node.module or "").split(".")[0] == "fem_clearance":
                base = []
            else:
                continue
            own = (node.module or "").split(".") if node.module else []
            base = [*base, *(own if node.level else own[1:])]
            for alias in node.names:
                deep = ".".join([*base, alias.name])
                result.add(deep if deep in found else ".".join(base))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "fem_clearance":
                    result.add(".".join(alias.name.split(".")[1:]))
    return result & set(found) - {name}


@pytest.fixture(scope="module")
def arrows() -> dict[str, set[str]]:
    found = modules(PACKAGE)
    return {
        name: imported(name, path, path.read_text(encoding="utf-8"), found)
        for name, path in found.items()
    }


def circle(arrows) -> list[str]:
    """The modules of one circle of imports, none if there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def upward(arrows) -> list[str]:
    """Imports of what lies on a higher floor, or in another folder of the same one."""
    bad = []
    for name, targets in arrows.items():
        own = name.split(".")[0]
        for target in targets:
            other = target.split(".")[0]
            if own != other and FLOOR[other] >= FLOOR[own] > 0:
                bad.append(f"{name} -> {target}")
    return bad


def test_no_circle_of_files(arrows):
    assert circle(arrows) == []


def test_no_arrow_up(arrows):
    assert upward(arrows) == []


def test_every_folder_has_its_floor(arrows):
    assert {name.split(".")[0] for name in arrows} == set(FLOOR)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from ..runs import results", {"runs.results"}),
        ("def f():\n    from ..runs.results import Results", {"runs.results"}),
        ("if TYPE_CHECKING:\n    from fem_clearance.runs import case", {"runs.case"}),
        ("import fem_clearance.runs.case", {"runs.case"}),
        ("import numpy\nfrom numpy import linalg", set()),
    ],
)
def test_what_an_import_is(text, found):
    known = modules(PACKAGE)
    assert imported("io.rows", PACKAGE / "io" / "rows.py", text, known) == found


def test_what_is_found():
    ring = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
    assert set(circle(ring)) == {"a", "b", "c"}
    assert upward({"io.rows": {"runs.results"}}) == ["io.rows -> runs.results"]
    assert upward({"statics.eigen": {"timestepping.stepper"}}) != []
    assert upward({"runs.results": {"io.rows"}}) == []

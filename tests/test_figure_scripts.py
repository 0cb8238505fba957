"""Scripts of figures and tables, most of which take too long to run here: the names and arguments
of the package that they use exist, and so do the cases and their parameters."""

import ast
import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fem_clearance import cases

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted([*(ROOT / "docs").glob("make_*.py"), *(ROOT / "benchmarks").glob("*.py")])
#: other programs, which need not be installed
ELSEWHERE = {"exudyn", "ross", "pint"}


@pytest.fixture
def beside(monkeypatch):
    """Lets modules be imported as a script that lies in a folder does."""

    def path(folder):
        own = [folder, folder / "_ext", ROOT / "tests"]
        monkeypatch.setattr(sys, "path", [*map(str, own), *sys.path])

    return path


def imported(tree):
    """Name -> what a script imports under it; raises where something is not there."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for module in node.names:
                top = module.name.split(".")[0]
                if top not in ELSEWHERE:
                    item = importlib.import_module(module.name)
                    found[module.asname or top] = item if module.asname else sys.modules[top]
        elif isinstance(node, ast.ImportFrom) and node.module.split(".")[0] not in ELSEWHERE:
            parent = importlib.import_module(node.module)
            for item in node.names:
                if not hasattr(parent, item.name):
                    importlib.import_module(f"{node.module}.{item.name}")
                found[item.asname or item.name] = getattr(parent, item.name)
    return found


def chain(node):
    """The names of ``a.b.c``; none where it begins with something else."""
    if isinstance(node, ast.Name):
        return [node.id]
    before = chain(node.value) if isinstance(node, ast.Attribute) else []
    return [*before, node.attr] if before else []


def resolved(names, known):
    """What ``a.b.c`` is, as far as it leads through modules of the package or beside the script;
    ``None`` if it does not begin with one."""
    item = known.get(names[0]) if names else None
    for name in names[1:]:
        if not isinstance(item, ModuleType):
            return None
        if item.__name__ in sys.stdlib_module_names:
            return None
        assert hasattr(item, name), f"{'.'.join(names)} is not there"
        item = getattr(item, name)
    return item


def takes(function, call):
    """Whether a function of the package takes all keywords of a call."""
    if not getattr(function, "__module__", "").startswith("fem_clearance"):
        return True
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return True
    return {k.arg for k in call.keywords if k.arg} <= set(parameters)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_names(script, beside):
    beside(script.parent)
    tree = ast.parse(script.read_text())
    known = imported(tree)
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    known = {k: v for k, v in known.items() if k not in own}
    for node in ast.walk(tree):
        resolved(chain(node), known)
        if isinstance(node, ast.Call):
            function = resolved(chain(node.func), known)
            assert not callable(function) or takes(function, node), ast.unparse(node)
            first = node.args[0] if node.args else None
            if function is cases.get and isinstance(first, ast.Constant):
                cases.get(first.value)


def test_parameters_of_the_quick_return(beside):
    beside(ROOT / "docs")
    script = importlib.import_module("make_quick_return_figures")
    case = cases.get("quick_return")
    for values in script.RUNS.values():
        case.resolve(values)


def test_figure_of_the_folders(beside):
    """Each part of the package has its box in docs/design.md, and what it imports lies below."""
    beside(ROOT / "docs")
    script = importlib.import_module("make_design_figure")
    arrows, rows = script.imports(), {name: place[0] for name, place in script.PLACES.items()}
    assert set(arrows) == set(rows)
    assert [(a, b) for a, others in arrows.items() for b in others if rows[a] <= rows[b]] == []
    boxes = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert script.direct(boxes) == {"a": {"b"}, "b": {"c"}, "c": set()}

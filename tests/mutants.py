"""Mutants of the package's forms: one changed sign, factor or term each, made in memory.

``sites`` lists what can be changed in a source file, in the functions that build forms or give the
laws their numbers; ``install`` makes Python import the changed file in place of the one on disk.
"""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "fem_clearance"
#: whose residuals are mutated
FOLDERS = ("contact", "lubrication", "joints", "gears", "bodies")
#: but for these, which hold no forms: outlines and moments of sections, splines, films' input
SKIPPED = {
    "bodies/beams/sections.py", "contact/wear/profile.py", "contact/advice.py",
    "lubrication/film/film.py", "lubrication/film/surface.py",
}  # fmt: skip
#: functions by the names of their arguments: symbols of a form, numbers of a law
ARGUMENTS = {"c", "p"}
#: and by their own names: numbers of laws
NAMES = {"hysteresis", "values", "stiffness", "modulus", "sphere_stiffness"}
#: never: what builds and checks objects, and moves parameters on between steps
EXCLUDED = {
    "__init__", "__post_init__", "build", "time_to_change", "late", "exceeds_validity", "pack",
}  # fmt: skip

SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
CALLS = {
    "cos": "sin", "sin": "cos", "gt": "lt", "lt": "gt", "ge": "lt", "le": "gt", "min_value":
    "max_value", "max_value": "min_value", "And": "Or", "Or": "And",
}  # fmt: skip
TWINS = {"i": "j", "j": "i"}


@dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes:
        file: relative to the package; ``number``: among the file's sites.
        function: qualified name; ``line``, ``end``: of the statement that is changed.
        what: the operator; ``before``, ``after``: source of the expression round the change.
    """

    file: str
    number: int
    function: str
    line: int
    end: int
    what: str
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.number}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it apart even after lines have moved."""
        return self.file, self.function, self.before, self.after


def files() -> list[str]:
    """The files whose forms are mutated, relative to the package."""
    found = [p for folder in FOLDERS for p in sorted((PACKAGE / folder).rglob("*.py"))]
    names = [str(p.relative_to(PACKAGE)) for p in (*found, PACKAGE / "model" / "loads.py")]
    return [name for name in names if name not in SKIPPED]


def sites(file: str) -> list[Mutant]:
    """All mutants of a file."""
    return [mutant for mutant, _ in _walk(file)]


def mutated(file: str, number: int) -> ast.Module:
    """The file's syntax tree with one of its mutants."""
    for mutant, tree in _walk(file, number):
        if mutant.number == number:
            return tree
    raise IndexError(f"{file} has no mutant {number}")


def install(file: str, number: int) -> None:
    """Import the mutant in place of the file from now on; before anything imports the package."""
    tree = mutated(file, number)
    path = PACKAGE / file
    module = ".".join((PACKAGE.name, *Path(file).with_suffix("").parts))

    class Loader(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname):
            return compile(tree, str(path), "exec", dont_inherit=True)

    class Finder(importlib.machinery.PathFinder):
        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            spec = super().find_spec(fullname, path, target)
            if fullname == module and spec is not None:
                spec.loader = Loader(fullname, spec.origin)
            return spec

    sys.meta_path.insert(0, Finder)


# --- what can be changed ------------------------------------------------------------------------
def _walk(file: str, only: int | None = None) -> Iterator[tuple[Mutant, ast.Module]]:
    """Every mutant with its syntax tree (the same object each time, changed and restored; a copy
    of the one asked for)."""
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    number = 0
    for function, name in _functions(tree, ""):
        for statement, parents in _statements(function):
            for node in _expressions(statement):
                for what, change in _changes(node):
                    round_it = parents.get(node, node)
                    before = ast.unparse(round_it)
                    undo = change()
                    mutant = Mutant(
                        file, number, name, statement.lineno, _last(statement), what, before,
                        ast.unparse(round_it),
                    )  # fmt: skip
                    if only is None or number == only:
                        yield (
                            mutant,
                            ast.fix_missing_locations(
                                copy.deepcopy(tree) if only is not None else tree
                            ),
                        )
                    undo()
                    number += 1


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef) and _builds_forms(child):
            yield child, prefix + child.name


def _builds_forms(function: ast.FunctionDef) -> bool:
    if function.name in EXCLUDED:
        return False
    arguments = {a.arg for a in (*function.args.args, *function.args.kwonlyargs)}
    uses = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    return bool(arguments & ARGUMENTS) or function.name in NAMES or "ufl" in uses


def _statements(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt, dict]]:
    """Each statement and the parents of its expressions."""
    for statement in ast.walk(function):
        if not isinstance(statement, ast.stmt) or isinstance(
            statement, ast.FunctionDef | ast.Raise | ast.Assert
        ):
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        parents = {
            child: node
            for node in ast.walk(statement)
            if isinstance(node, ast.expr)
            for child in ast.iter_child_nodes(node)
        }
        yield statement, parents


def _last(statement: ast.stmt) -> int:
    """Last line of a statement, of a compound one that of its head."""
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if isinstance(body, list) else statement.end_lineno or 0


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself, without those of statements inside it, messages, and
    what is no arithmetic."""
    yield statement
    queue = [n for n in ast.iter_child_nodes(statement) if _inner(n)]
    while queue:
        node = queue.pop(0)
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        inner = [n for n in ast.iter_child_nodes(node) if _inner(n)]
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            inner = [node.value]  # the index is changed as such
        if isinstance(node, ast.BinOp) and _tiny(node.right):
            inner = [node.left]
        queue += inner


def _inner(node: ast.AST) -> bool:
    return isinstance(node, ast.expr | ast.keyword | ast.comprehension)


def _tiny(node: ast.AST) -> bool:
    """Whether it is there to keep roots and quotients finite: below what any test may see."""
    return any(
        (isinstance(n, ast.Name) and n.id.startswith("TINY"))
        or (isinstance(n, ast.Constant) and isinstance(n.value, float) and 0 < n.value < 1e-9)
        for n in ast.walk(node)
    )


def _measure(node: ast.AST) -> bool:
    """Whether it is a form's measure, by which nothing can be divided."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "dx"


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[], Callable[[], None]]]]:
    """Operators for a node: a name, and what makes the change and returns what undoes it."""
    if isinstance(node, ast.BinOp):
        if _tiny(node.left) or _tiny(node.right) or _measure(node.right):
            return
        nothing = isinstance(node.left, ast.Constant) and node.left.value == 0  # a zero of a shape
        if type(node.op) in SWAPPED and not nothing:
            yield "operator", lambda: _set(node, "op", SWAPPED[type(node.op)]())
        if isinstance(node.op, ast.Add | ast.Sub):
            gone = ast.Constant(0)
            yield "term", lambda: _set(node, "right", _times(gone, node.right))
            yield "term", lambda: _set(node, "left", _times(gone, node.left))
    elif isinstance(node, ast.AugAssign) and type(node.op) in SWAPPED:
        yield "operator", lambda: _set(node, "op", SWAPPED[type(node.op)]())
        if isinstance(node.op, ast.Add | ast.Sub):
            yield "term", lambda: _set(node, "value", _times(ast.Constant(0), node.value))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign", lambda: _set(node, "op", ast.UAdd())
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        if isinstance(node.slice.value, int):
            other = 1 if node.slice.value == 0 else node.slice.value - 1
            yield "index", lambda: _set(node, "slice", ast.Constant(other))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        if abs(node.value) < 100 and (node.value == 0 or abs(node.value) > 1e-5):
            yield "number", lambda: _set(node, "value", node.value + 1)
    elif isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in CALLS:
            yield "function", lambda: _set(function, "attr", CALLS[function.attr])
        if isinstance(function, ast.Attribute) and function.attr == "cross":
            yield "sign", lambda: _set(node, "args", node.args[::-1])
    elif isinstance(node, ast.Name) and node.id in TWINS and isinstance(node.ctx, ast.Load):
        yield "twin", lambda: _set(node, "id", TWINS[node.id])


def _times(factor: ast.Constant, value: ast.expr) -> ast.BinOp:
    return ast.BinOp(factor, ast.Mult(), value)


def _set(node: ast.AST, name: str, value) -> Callable[[], None]:
    before = getattr(node, name)
    setattr(node, name, value)
    return lambda: setattr(node, name, before)

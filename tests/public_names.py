"""Public names, and where pages, examples and tests use them.

Names count where code uses them, not where they happen to be words: imported from this package,
or taken from one of its modules.
"""

import ast
import importlib
import inspect
import re
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from tests.test_public_api import PACKAGES, ours

ROOT = Path(__file__).parents[1]
#: pages that are written by a script or list names for another purpose
NOT_PAGES = ("changelog.md", "upgrade.md", "verification.md")
TUTORIALS = ("docs/tutorials/*.py",)
#: pages whose code a test of test_docs.py runs, and whose results it compares with other numbers
COMPARED = ("contact", "extending")


@cache
def public() -> dict[str, Any]:
    """Public objects by the first package that shows them and their name; modules apart."""
    found, seen = {}, set()
    for package in PACKAGES:
        home = importlib.import_module(package)
        for name in getattr(home, "__all__", None) or [
            n for n, x in vars(home).items() if ours(n, x)
        ]:
            item = getattr(home, name)
            if not inspect.ismodule(item) and (inspect.isclass(item), id(item)) not in seen:
                found[f"{package}.{name}"] = item
                seen.add((inspect.isclass(item), id(item)))
    return found


def short(name: str) -> str:
    """The last part of a dotted name."""
    return name.rsplit(".", 1)[-1]


def aliases(tree) -> set[str]:
    """Names under which a script knows this package and its modules."""
    own = {"fc", "fem_clearance"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fem_clearance"):
            own |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            own |= {a.asname or "" for a in node.names if a.name.startswith("fem_clearance")}
    return own


def used(text: str) -> set[str]:
    """Names of this package in a script: imported, or attributes of its modules."""
    tree = ast.parse(text)
    own, found = aliases(tree), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fem_clearance"):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in own:
                found.add(node.attr)
    return found


def shown_code(page: str) -> list[str]:
    """Python of a page, and what a reader is shown of a longer script."""
    return re.findall(r"^```python[^\n]*\n(.*?)^```", page, re.M | re.S)


def excerpts(page: str) -> list[str]:
    """Code of a page that is part of a longer script."""
    return re.findall(r"^```python excerpt\n(.*?)^```", page, re.M | re.S)


def words(text: str) -> set[str]:
    """Names that code refers to."""
    return {n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(ast.parse(text))
            if isinstance(n, ast.Name | ast.Attribute)}  # fmt: skip


def example_of(item) -> str:
    """Code of the examples in a docstring, none if there is none."""
    code = ""
    text = inspect.getdoc(item) or ""
    for found in re.findall(r"\bExamples?::?\n\n?((?: +[^\n]*\n?|\n)+)", text):
        lines = textwrap.dedent(found).splitlines()
        if lines[0].startswith(">>>"):
            lines = [line[4:] for line in lines if line.startswith((">>>", "..."))]
        code += "\n".join(lines) + "\n"
    return code


@cache
def pages() -> list[str]:
    """Pages written by hand; the API pages copy docstrings."""
    found = (ROOT / "docs").glob("*.md")
    return [path.read_text(encoding="utf-8") for path in found if path.name not in NOT_PAGES]


def scripts(*patterns: str) -> set[str]:
    """Names that scripts use."""
    paths = [path for pattern in patterns for path in ROOT.glob(pattern)]
    return set().union(*(used(path.read_text(encoding="utf-8")) for path in paths))


@cache
def in_pages() -> set[str]:
    """Names in code or as code in the text of a page or tutorial."""
    found = scripts(*TUTORIALS)
    texts = [re.sub(r"^```.*?^```", "", page, flags=re.M | re.S) for page in pages()]
    for tutorial in (path for pattern in TUTORIALS for path in ROOT.glob(pattern)):
        texts.append("\n".join(re.findall(r"^# .*", tutorial.read_text(encoding="utf-8"), re.M)))
    for text in texts:
        for quoted in re.findall(r"`([^`\n]+)`", text):
            found |= set(re.findall(r"\w+", quoted))
    return found.union(*(used("\n".join(shown_code(page))) for page in pages()))


@cache
def in_examples() -> set[str]:
    """Names in code of a page, a tutorial, a demo or a docstring."""
    found = scripts(*TUTORIALS, "demos/*.py")
    for page in pages():
        found |= used("\n".join(shown_code(page))) | words("\n".join(excerpts(page)))
    return found.union(*(words(example_of(item)) for item in public().values() if callable(item)))


@cache
def in_tests() -> set[str]:
    """Names in a test, or in code of a page whose results a test compares."""
    found = scripts("tests/**/*.py")
    for name in COMPARED:
        page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        found |= used("\n".join(shown_code(page)))
    return found


def returned(item) -> set[str]:
    """Words of the types that a function, or a method or property of a class, returns."""
    members = [item]
    if inspect.isclass(item):
        values = [getattr(x, "__func__", x) for base in item.__mro__ for x in vars(base).values()]
        members = [getattr(x, "func", getattr(x, "fget", x)) for x in values]
    given = (x.__annotations__.get("return", "") for x in members if inspect.isfunction(x))
    return set(re.findall(r"\w+", " ".join(map(str, given))))


def with_results(names: set[str]) -> set[str]:
    """Names, and the classes of what they return and of what such results hold: a result is shown
    and tested where it is made."""
    makes = {name: returned(item) for name, item in public().items()}
    results = set().union(*makes.values())
    holds = {
        name: set(re.findall(r"\w+", str([*inspect.get_annotations(item).values()])))
        for name, item in public().items() if inspect.isclass(item) and short(name) in results
    }  # fmt: skip
    known, more = set(), set(names)
    while more - known:
        known |= more
        more = set().union(*(makes[n] | holds.get(n, set()) for n in public() if short(n) in known))
    return known

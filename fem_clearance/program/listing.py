"""``fem-clearance list``: the cases and their descriptions, without loading any."""

from __future__ import annotations

import ast
from pathlib import Path

from .. import cases


def lines() -> list[str]:
    """Name and description of each case."""
    names = cases.names()
    width = max(map(len, names))
    return [f"{name:{width}}  {description(name)}" for name in names]


def description(name: str) -> str:
    """Description of a case of the package: the second argument of its ``Case``, a literal."""
    (folder,) = cases.__path__
    tree = ast.parse((Path(folder) / f"{name}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            (target,) = node.targets
            if isinstance(target, ast.Name) and target.id == "case":
                return str(ast.literal_eval(node.value.args[1]))
    raise ValueError(f"cases/{name}.py defines no case")

"""Writes the verification page from what the literature tests noted: `make verify`.

python docs/make_verification.py verification.json docs/verification.md
"""

import ast
import json
import sys
import time
from itertools import groupby
from math import ceil, log10
from pathlib import Path

from fem_clearance.io.folder import versions

ROOT = Path(__file__).parents[1]
HEAD = "| quantity | published | ours | difference | tolerance | source | |\n|---|---|---|---|---|---|---|"


def page(notes: list[dict]) -> str:
    """The page's text."""
    failed = sum(not n["passed"] for n in notes)
    known = versions()
    lines = [
        "# Verification report",
        "",
        "Written by `make verify`, which runs every test of `tests/literature`; each line is a comparison made in one of "
        "them. Where a comparison is of several numbers the one nearest to its tolerance is shown. "
        "The same as data: [verification.json](verification.json).",
        "",
        f"{len(notes)} comparisons of {sum(n['numbers'] for n in notes)} numbers, "
        f"{failed or 'none'} failed; fem_clearance {known['fem_clearance']}, DOLFINx {known['dolfinx']}, "
        f"PETSc {known['petsc']}, {time.strftime('%Y-%m-%d')}.",
        "",
    ]
    for test, group in groupby(notes, key=lambda n: n["test"].split("::")[0]):
        lines += [f"## {title(ROOT / test)}", "", f"`{test}`", "", HEAD]
        lines += [row(n) for n in group] + [""]
    return "\n".join(lines)


def title(test: Path) -> str:
    """First sentence of the file's own description."""
    text = ast.get_docstring(ast.parse(test.read_text(encoding="utf-8"))) or test.stem
    first = " ".join(text.split("\n\n")[0].split())
    for end in (": ", ". "):
        first = first.split(end)[0]
    return first.rstrip(".")


def row(note: dict) -> str:
    digits = max(6, 1 + significant(note["published"], note["tolerance"]))
    unit = f" {note['unit']}" if note["unit"] else ""
    cells = [
        note["quantity"] + (f" ({note['numbers']} numbers)" if note["numbers"] > 1 else ""),
        f"{note['published']:.{digits}g}{unit}",
        f"{note['ours']:.{digits}g}{unit}",
        f"{note['difference']:.2g}",
        f"{note['tolerance']:.2g}",
        note["source"],
        "pass" if note["passed"] else "**FAIL**",
    ]
    return "| " + " | ".join(c.replace("|", r"\|") for c in cells) + " |"


def significant(value: float, tolerance: float) -> int:
    """Digits down to the tolerance."""
    return min(14, ceil(log10(abs(value) / tolerance))) if value and tolerance else 1


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(page(json.loads(source.read_text(encoding="utf-8"))), encoding="utf-8")

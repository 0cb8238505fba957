"""Writes the verification page from what the literature tests noted: `make verify`.

python docs/make_verification.py verification.json docs/verification.md
"""

import json
import re
import sys
from itertools import groupby
from math import ceil, log10
from pathlib import Path

HEAD = (
    "| quantity | published | ours | difference | tolerance | source | |\n"
    "|---|---|---|---|---|---|---|"
)


def page(report: dict) -> str:
    """The page's text."""
    notes, known = report["comparisons"], report["versions"]
    failed = sum(not n["passed"] for n in notes)
    lines = [
        "# Verification report",
        "",
        "Written by `make verify`, which runs every test of `tests/literature`; each line is a "
        "comparison made in one of them, with a number that was published or that is computed "
        "independently of this package (the source says which). Of several numbers the one nearest "
        "to its tolerance is shown. What the tests state beside numbers (orders of convergence, "
        "balances, what a figure shows) is not listed. "
        "The same as data: [verification.json](verification.json).",
        "",
        f"{len(notes)} comparisons of {sum(n['numbers'] for n in notes)} numbers, "
        f"{failed or 'none'} failed; {report['tests']} tests, {len(report['failed']) or 'none'} "
        f"failed. fem_clearance {known['fem_clearance']}, DOLFINx {known['dolfinx']}, "
        f"PETSc {known['petsc']}, {report['date']}.",
        "",
    ]
    if report["failed"]:
        lines += ["Failed:", "", *(f"- `{test}`" for test in report["failed"]), ""]
    for (file, about), group in groupby(notes, key=lambda n: (n["file"], n["about"])):
        lines += [f"## {title(about)}", "", f"`{file}`", "", HEAD]
        lines += [row(n) for n in group] + [""]
    return "\n".join(lines)


def title(about: str) -> str:
    """First sentence of the file's own description."""
    first = " ".join(about.split("\n\n")[0].split())
    return re.split(r"\. (?=[A-Z])|: (?![^(]*\))", first)[0].rstrip(".")


def row(note: dict) -> str:
    digits = 1 + significant(note["published"], note["tolerance"])
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
    """Digits down to the tolerance, from 4 to 14."""
    digits = ceil(log10(abs(value) / tolerance)) if value and tolerance else 0
    return min(14, max(4, digits))


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(page(json.loads(source.read_text(encoding="utf-8"))), encoding="utf-8")

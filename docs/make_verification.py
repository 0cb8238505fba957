"""Writes the verification page from what the literature tests noted: `make verify`.

python docs/make_verification.py verification.json docs/verification.md
"""

import json
import re
import sys
from itertools import groupby
from math import ceil, log10
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "tests/literature/data/SOURCES.md"
#: what the reference is -> heading of its part of the page, and what it says of it
KINDS = {
    "published": (
        "Published numbers",
        "Numbers that others have printed, in the sources that `tests/literature/data/SOURCES.md` "
        "lists as published.",
    ),
    "own": (
        "Our own independent computations",
        "Numbers that we computed for this purpose without the package: closed forms, equations of "
        "the papers solved with SciPy, other programs. They show that the package solves the "
        "stated equations; they are not measurements or results of others.",
    ),
}
#: heading of the column that holds the reference
COLUMN = {"published": "published", "own": "computed"}
HEAD = "| quantity | {} | ours | difference | tolerance | source | |\n|---|---|---|---|---|---|---|"


def published() -> set[str]:
    """Sources whose numbers were printed by their authors, as ``SOURCES.md`` lists them."""
    text = SOURCES.read_text(encoding="utf-8").split("## Published numbers")[1]
    return set(re.findall(r"^- `(.+?)`", text, re.MULTILINE))


def split(notes: list[dict]) -> dict[str, list[dict]]:
    """Comparisons by what they are held against; see ``KINDS``."""
    known = published()
    result: dict[str, list[dict]] = {kind: [] for kind in KINDS}
    for note in notes:
        result["published" if note["source"] in known else "own"].append(note)
    return result


def page(report: dict) -> str:
    """The page's text."""
    notes, known = report["comparisons"], report["versions"]
    failed = sum(not n["passed"] for n in notes)
    numbers = {kind: sum(n["numbers"] for n in some) for kind, some in split(notes).items()}
    lines = [
        "# Verification report",
        "",
        "This report compares the package with reference values, one line for each comparison. It "
        "is written by `make verify`, which runs every test of `tests/literature`; "
        "[verification.json](verification.json) contains the same as data. The two kinds of "
        "references stand in separate parts: [published numbers](#published-numbers), and "
        "[our own independent computations](#our-own-independent-computations). If a comparison "
        "covers several numbers, the one nearest to its tolerance is shown. Other statements of "
        "the tests (orders of convergence, balances, features of figures) are not listed; "
        "[validation](validation.md) summarises them.",
        "",
        "![How much of its tolerance each comparison uses](figures/verification_margins.png)",
        "",
        "*How much of its tolerance each comparison uses "
        "(`python docs/make_page_figures.py verification_margins`).*",
        "",
        f"{len(notes)} comparisons of {sum(n['numbers'] for n in notes)} numbers, "
        f"{failed or 'none'} failed: {count(notes, 'published')} with published numbers "
        f"({numbers['published']} numbers), {count(notes, 'own')} with numbers that we computed "
        f"independently ({numbers['own']} numbers). {report['tests']} tests, "
        f"{len(report['failed']) or 'none'} failed. fem_clearance {known['fem_clearance']}, "
        f"DOLFINx {known['dolfinx']}, PETSc {known['petsc']}, {report['date']}.",
        "",
    ]
    if report["failed"]:
        lines += ["Failed:", "", *(f"- `{test}`" for test in report["failed"]), ""]
    for kind, some in split(notes).items():
        heading, text = KINDS[kind]
        lines += [f"## {heading}", "", text, ""]
        for (file, about), group in groupby(some, key=lambda n: (n["file"], n["about"])):
            lines += [f"### {title(about)}", "", f"`{file}`", ""]
            lines += [HEAD.format(COLUMN[kind]), *(row(n) for n in group), ""]
    return "\n".join(lines)


def count(notes: list[dict], kind: str) -> int:
    """How many comparisons are of a kind."""
    return len(split(notes)[kind])


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

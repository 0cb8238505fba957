"""How the pages are written: equations are typeset, numbers have a leading zero, every page has a
figure, and no page speaks in codes that only its authors can resolve."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "docs", ROOT / "docs" / "api", ROOT / "docs" / "tutorials")
PAGES = sorted([*(page for folder in FOLDERS for page in folder.glob("*.md")), ROOT / "README.md"])
#: lists of sources and of changes have nothing to draw
WITHOUT_FIGURE = {"changelog.md", "references.md"}
#: what a block of code may be written in
LANGUAGES = {
    "python", "console", "shell", "bash", "toml", "ini", "json", "yaml", "text", "c", "bibtex",
    "slurm",
}  # fmt: skip
PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda p: f"{p.parent.name}/{p.stem}")


def fences(text):
    """(language or directive, content) of each fenced block."""
    return re.findall(r"^ *(?:```|:::)([^\n`]*)\n(.*?)^ *(?:```|:::)\s*$", text, re.M | re.S)


def prose(text):
    """A page without code, mathematics, addresses and names of files."""
    text = re.sub(r"^ *```[^\n{]*\n.*?^ *```\s*$", "", text, flags=re.M | re.S)
    text = re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.M)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
    text = re.sub(r"\$[^$\n]*(?:\n[^$\n]+)?\$", "", text)
    text = re.sub(r"`[^`]*`", "", text)
    return re.sub(r"\]\([^)]*\)", "]", text)


@PAGE
def test_leading_zeros(page):
    """0.5 %, not .5 %."""
    assert not re.findall(r".*(?<![\w.)\]])\.\d.*", prose(page.read_text()))


@PAGE
def test_blocks_of_code_have_a_language(page):
    """An equation is typeset: no block of code without a language, by fences or by indentation,
    in which it could stand. (Within lists an indented line goes on with the item.)"""
    text = page.read_text()
    for kind, _ in fences(text):
        assert kind.startswith("{") or kind.strip().split(" ")[0] in LANGUAGES, kind
    outside = re.sub(r"^ *```.*?^ *```\s*$", "", text, flags=re.M | re.S)
    outside = re.sub(r"\$\$.*?\$\$", "", outside, flags=re.S)
    indented = re.findall(r"(?:\A|\n\n)(?![-*\d])[^\n ][^\n]*(?:\n[^\n]+)*\n\n( {4}.*)", outside)
    assert not indented


@PAGE
def test_equations_are_not_code(page):
    """Neither a block of text nor inline code that holds derivatives, integrals or powers of
    symbols is an equation."""
    for kind, content in fences(page.read_text()):
        if kind.strip() == "text":
            assert not re.search(r"\bd\w\s*/\s*d[a-z]\b|\bgrad\b|\bint\b.*\bd[A-Z]\b", content)


@PAGE
def test_a_figure(page):
    if page.name in WITHOUT_FIGURE:
        pytest.skip("a list")
    text = page.read_text()
    drawn = re.findall(r"!\[[^\]]*\]\(([^)]+)\)|```\{(?:figure|image)\}\s*(\S+)", text)
    drawn += [(x, "") for x in re.findall(r'<img[^>]+src="([^"]+)"', text)]
    assert drawn, "no figure"
    for a, b in drawn:
        if not (a or b).startswith("http"):
            assert (page.parent / (a or b)).exists(), a or b


@PAGE
def test_sources_are_cited(page):
    """By the bibliography, not as words. (Elsewhere there are no links to it: the verification
    report and the gallery are written by scripts, the README is read in the repository.)"""
    if page.stem in ("verification", "gallery", "README"):
        pytest.skip("without a bibliography")
    text = re.sub(r"^#.*$", "", prose(page.read_text()), flags=re.M)
    assert not re.findall(r".*(?:[A-Z][a-zé]+,? \(?(?:1[89]|20)\d\d\)).*", text)


@PAGE
def test_no_codes_of_errata(page):
    """Errata are linked by name."""
    assert not re.findall(r".*(?:E00\d-\d|\b00[0-4] (?:eq|section|table|fig)).*", page.read_text())

"""Demos and tutorials as notebooks, which the documentation shows and lets download.

A demo becomes ``docs/notebooks/NAME.ipynb`` when the documentation is built, a tutorial
``docs/tutorials/NAME.ipynb``. Tutorials and short demos are run then, and again when they change
(myst-nb's cache); the other demos show what ``docs/make_gallery.py`` found.
"""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path

import nbformat

DOCS = Path(__file__).parents[1]
DEMOS, GALLERY, NOTEBOOKS = DOCS.parent / "demos", DOCS / "figures" / "gallery", DOCS / "notebooks"
TUTORIALS = DOCS / "tutorials"
#: seconds that a demo may take, by its own words, to be run for the documentation
SHORT = 10
#: endings of a demo's pictures in the gallery
ENDINGS = (".png", "_2.png")


def demos() -> list[Path]:
    """Scripts in the format py:percent."""
    return sorted(DEMOS.glob("*.py"))


def tutorials() -> list[Path]:
    """Scripts in the same format, all of them short."""
    return sorted(TUTORIALS.glob("*.py"))


def seconds(demo: Path) -> int:
    """How long a demo takes, by its own words."""
    return int(re.search(r"^# Takes about (\d+) seconds", demo.read_text("utf-8"), re.M)[1])


def notebook(demo: Path) -> nbformat.NotebookNode:
    """A demo's cells of text and of code."""
    cells = []
    parts = re.split(r"^# %%(.*)\n", demo.read_text("utf-8"), flags=re.M)[1:]
    for kind, body in zip(parts[::2], parts[1::2], strict=True):
        if "[markdown]" in kind:
            text = re.sub(r"^# ?", "", body.strip(), flags=re.M)
            cells.append(nbformat.v4.new_markdown_cell(text))
        else:
            cells.append(nbformat.v4.new_code_cell(body.strip()))
    for k, cell in enumerate(cells):
        cell["id"] = f"cell{k}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def with_gallery(book: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """A notebook that is not run here, with what its script has printed and drawn."""
    new = nbformat.v4.new_output
    said = (GALLERY / f"{name}.txt").read_text("utf-8")
    outputs = [new("stream", name="stdout", text=said)]
    for picture in (GALLERY / f"{name}{ending}" for ending in ENDINGS):
        if picture.exists():
            data = base64.b64encode(picture.read_bytes()).decode()
            outputs.append(new("display_data", data={"image/png": data}))
    next(c for c in reversed(book.cells) if c.cell_type == "code")["outputs"] = outputs
    return book


def write(*_) -> None:
    """Write all notebooks that have changed."""
    os.environ.pop("MPLBACKEND", None)  # kernels inherit it, and would show no figures
    NOTEBOOKS.mkdir(exist_ok=True)
    for demo in demos():
        book = notebook(demo)
        if seconds(demo) > SHORT:
            book = with_gallery(book, demo.stem)
        keep(book, NOTEBOOKS / f"{demo.stem}.ipynb")
    for tutorial in tutorials():
        keep(notebook(tutorial), TUTORIALS / f"{tutorial.stem}.ipynb")


def keep(book: nbformat.NotebookNode, target: Path) -> None:
    """Write a notebook unless it is there as it is."""
    text = nbformat.writes(book)
    if not target.exists() or target.read_text("utf-8") != text:
        target.write_text(text, "utf-8")


def setup(app):
    app.connect("config-inited", write, priority=100)
    return {"parallel_read_safe": True}

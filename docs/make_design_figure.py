"""Draws the folders of the package and what each imports: figures/design_parts.png.

The arrows are read from the code, as tests/test_imports.py reads them. Where a folder imports
another one both directly and through a third, only the way through the third is drawn.

python docs/make_design_figure.py
"""

import importlib
import sys
from pathlib import Path
from textwrap import fill

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from fem_clearance.plotting import style

HERE = Path(__file__).parent
TARGET = HERE / "figures" / "design_parts.png"
sys.path.insert(0, str(HERE.parent / "tests"))
from test_imports import FLOORS, PACKAGE, imported, modules  # noqa: E402

#: the public names, from whatever file
PUBLIC = "fem_clearance"
#: row from below, and the columns from which and to which a box reaches
PLACES = {
    "core": (1, 1, 6), "timestepping": (2, 1, 1), "meshes": (2, 3, 3), "statics": (2, 4, 4),
    "io": (2, 5, 5), "model": (3, 1, 1), "analysis": (4, 1, 1), "bodies": (4, 3, 3),
    "contact": (5, 3, 3), "dolfinx": (5, 6, 6), "gears": (6, 0, 0), "joints": (6, 3, 3),
    "lubrication": (7, 3, 3), "extend": (8, 2, 2), "fields": (8, 5, 5), "plotting": (9, 5, 5),
    "runs": (10, 2, 5), "sensitivity": (11, 1, 5), PUBLIC: (12, 0, 5), "cases": (13, 0, 5),
    "program": (14, 0, 5),
}  # fmt: skip
ORANGE, BLUE, GREEN, GREY = "#f9e3c8", "#d5e8f5", "#d9efe4", "#e8e8e8"
COLOURS = {
    **dict.fromkeys(("core", "timestepping", "statics", "model"), ORANGE),
    **dict.fromkeys(("meshes", "bodies", "contact", "joints", "gears", "lubrication"), BLUE),
    **dict.fromkeys(("extend", PUBLIC), "#ffffff"),
}
#: of columns and rows, and of the smallest box, in
WIDTH, PITCH, BOX, HEIGHT, EDGE = 1.62, 0.86, 1.5, 0.66, 0.05


def part(name: str) -> str:
    """The part of the package to which a module belongs."""
    first = name.split(".")[0]
    return PUBLIC if first in ("", "_public") else first


def imports() -> dict[str, set[str]]:
    """Part of the package -> the others that it imports, without those of the lowest floor."""
    found, result = modules(PACKAGE), {}
    for name, path in found.items():
        targets = imported(name, path, path.read_text(encoding="utf-8"), found)
        result.setdefault(part(name), set()).update(map(part, targets))
    return {
        name: {n for n in targets if n in PLACES and n != name}
        for name, targets in result.items() if name in PLACES
    }  # fmt: skip


def direct(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """The imports that do not follow from others."""

    def reached(name):
        return arrows[name].union(*(reached(n) for n in arrows[name]))

    return {
        name: {n for n in targets if not any(n in reached(m) for m in targets - {n})}
        for name, targets in arrows.items()
    }


def words(name: str) -> str:
    """What a part says of itself: the first sentence of its docstring."""
    module = PUBLIC if name == PUBLIC else f"fem_clearance.{name}"
    text = importlib.import_module(module).__doc__.split("\n\n")[0].replace("``", "")
    text = " ".join(text.split()).split(". ")[0].rstrip(".")
    text = text[text.index(":") + 2 :] if text.lower().startswith(f"{name}:") else text
    return text[0].upper() + text[1:]


def box(name: str) -> tuple[float, float, float]:
    """Left and right end and the bottom of a part's box."""
    row, first, last = PLACES[name]
    return first * WIDTH - BOX / 2, last * WIDTH + BOX / 2, row * PITCH


def draw_box(ax, ends, name, text, colour):
    """A box with a name and, beside or below it, a text."""
    left, right, bottom = ends
    shape = "round,pad=0,rounding_size=0.06"
    ax.add_patch(
        FancyBboxPatch(
            (left, bottom), right - left, HEIGHT, boxstyle=shape, facecolor=colour,
            edgecolor="#555555", linewidth=0.8, zorder=3,
        )
    )  # fmt: skip
    wide = right - left > 2 * BOX
    line = {"zorder": 4, "va": "center"}
    high = bottom + HEIGHT * (0.5 if wide or not text else 0.83)
    ax.text(left + 0.07, high, name, weight="bold", fontsize=8, **line)
    if wide:
        ax.text(left + 1.3, high, text, fontsize=7, **line)
    else:
        text = fill(text, 29)
        ax.text(left + 0.07, bottom + 0.37 * HEIGHT, text, fontsize=6, linespacing=1.1, **line)


def draw_arrow(ax, upper, lower):
    """An arrow from a box down to another one, vertical where they overlap."""
    (a, b, top), (c, d, bottom) = box(upper), box(lower)
    left, right = max(a, c), min(b, d)
    x = [(left + right) / 2] * 2 if right > left else [(a + b) / 2, (c + d) / 2]
    ax.add_patch(
        FancyArrowPatch(
            (x[0], top), (x[1], bottom + HEIGHT), arrowstyle="-|>", mutation_scale=6,
            linewidth=0.8, color="#555555", shrinkA=0, shrinkB=0, zorder=2,
        )
    )  # fmt: skip


@style.styled
def draw():
    arrows = imports()
    if set(arrows) != set(PLACES):
        raise SystemExit(f"parts without a place: {set(arrows) ^ set(PLACES)}")
    limits = {
        "xlim": (-BOX / 2 - EDGE, 6 * WIDTH + BOX / 2 + EDGE),
        "ylim": (-EDGE, 14 * PITCH + HEIGHT + EDGE),
    }
    figure, ax = style.subplots(figsize=[high - low for low, high in limits.values()])
    figure.set_layout_engine("none")
    ax.set(position=(0, 0, 1, 1), **limits)
    ax.axis("off")
    for name in PLACES:
        draw_box(ax, box(name), name, words(name), COLOURS.get(name, GREEN))
    for name, targets in direct(arrows).items():
        for other in targets:
            draw_arrow(ax, name, other)
    lowest = ", ".join(n for n in FLOORS[0] if n[0] != "_")
    draw_box(ax, (-BOX / 2, 6 * WIDTH + BOX / 2, 0.0), lowest, "", GREY)
    return figure


if __name__ == "__main__":
    draw().savefig(TARGET, dpi=160)
    print(TARGET)

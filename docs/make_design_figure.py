"""Draws the floors of the package, as tests/test_imports.py knows them: figures/design_parts.png.

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
from test_imports import FLOORS  # noqa: E402

#: what a floor is for, by one of its folders; floors of a colour belong together
COLOURS = {
    "core": "#f9e3c8", "timestepping": "#f9e3c8", "model": "#f9e3c8", "meshes": "#d5e8f5",
    "bodies": "#d5e8f5", "contact": "#d5e8f5", "joints": "#d5e8f5", "lubrication": "#d5e8f5",
}  # fmt: skip
OTHER, BASE = "#d9efe4", "#e8e8e8"
WIDTH, HEIGHT, GAP, PITCH = 12.0, 0.62, 0.25, 0.8


def words(name: str) -> str:
    """What a folder says of itself: the first sentence of its docstring."""
    text = importlib.import_module(f"fem_clearance.{name}").__doc__ or ""
    return " ".join(text.split("\n\n")[0].replace("``", "").split())


def shown():
    """Folders of each floor from above; files that all use are one box at the bottom."""
    package = HERE.parent / "fem_clearance"
    for names in reversed(FLOORS):
        folders = [n for n in names if n and (package / n).is_dir()]
        if folders:
            yield folders
    yield [n for n in FLOORS[0] if n[0] != "_"]


@style.styled
def draw():
    floors = [*shown()]
    figure, ax = style.subplots(figsize=(9.6, 0.62 * len(floors)))
    ax.axis("off")
    for row, names in enumerate(floors):
        y, last = -PITCH * row, row == len(floors) - 1
        boxes = [(", ".join(names), "")] if last else [(n, words(n)) for n in names]
        width = (WIDTH - GAP * (len(boxes) - 1)) / len(boxes)
        for k, (name, text) in enumerate(boxes):
            x = k * (width + GAP)
            colour = BASE if last else COLOURS.get(names[0], OTHER)
            ax.add_patch(
                FancyBboxPatch(
                    (x, y), width, HEIGHT, boxstyle="round,pad=0,rounding_size=0.08",
                    facecolor=colour, edgecolor="#555555", linewidth=0.8,
                )
            )  # fmt: skip
            ax.text(x + 0.15, y + HEIGHT / 2, name, weight="bold", fontsize=8.5, va="center")
            indent = 1.75
            text = fill(text, 11.5 * (width - indent)) if text else ""
            ax.text(x + indent, y + HEIGHT / 2, text, fontsize=7.2, va="center")
        if not last:
            ax.add_patch(
                FancyArrowPatch(
                    (WIDTH / 2, y), (WIDTH / 2, y - (PITCH - HEIGHT)), arrowstyle="-|>",
                    mutation_scale=7, linewidth=0.9, color="#555555", shrinkA=0, shrinkB=0,
                )
            )  # fmt: skip
    ax.set(xlim=(-0.05, WIDTH + 0.05), ylim=(-PITCH * (len(floors) - 1) - 0.05, HEIGHT + 0.05))
    return figure


if __name__ == "__main__":
    draw().savefig(TARGET, dpi=160)
    print(TARGET)

"""Draws the parts of the package and what each hands to the next: figures/design_parts.png.

python docs/make_design_figure.py
"""

from pathlib import Path
from textwrap import fill

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from fem_clearance.plotting import style

TARGET = Path(__file__).parent / "figures" / "design_parts.png"
BODY, CORE, RUN = "#d5e8f5", "#f9e3c8", "#d9efe4"
#: rows from above, each of boxes from the left: name, what it does, colour
ROWS = (
    (
        ("bodies", "rigid bodies, beams, solids, condensed solids", BODY),
        ("joints", "ideal joints, drivers, springs, sliding points", BODY),
        ("contact", "clearance joints, laws, friction, wear", BODY),
        ("lubrication", "films, cavitation, elastic liners", BODY),
        ("gears", "outlines, stiffness, pairs of gears", BODY),
    ),
    (
        ("core: kind, symbols", "a law as UFL on one cell; tangent by ufl.derivative", CORE),
        ("core: component", "all cells of a kind: FFCx's kernels and an incidence", CORE),
        ("core: system, unknowns", "numbers the unknowns, spreads cells over ranks", CORE),
    ),
    (
        ("integrators", "what a step is: generalized-alpha, Bathe, central differences", CORE),
        ("core: newton, solvers", "PETSc SNES; LU in the order of the chain, multigrid", CORE),
        ("core: state, loop", "q, v, a, parameters: gather, kernel, add (loop.c)", CORE),
    ),
    (
        ("core: stepping", "how long a step is: error, onsets, foreseen changes", CORE),
        ("statics", "equilibrium, paths, modes, steady rotation", CORE),
        ("cases, program", "the papers' mechanisms; run, resume, plot, sweep", RUN),
    ),
    (
        ("simulation", "a run: channels, snapshots, resume", RUN),
        ("io", "results.h5, fields for ParaView, summary.json", RUN),
        ("plotting, analysis", "figures, reports; spectra, orbits, response curves", RUN),
    ),
)
#: row and box, side; to row and box, side
ARROWS = (
    *(((0, k, "bottom"), None) for k in range(5)),
    ((1, 0, "right"), (1, 1, "left")),
    ((1, 1, "right"), (1, 2, "left")),
    ((1, 2, "bottom"), (2, 2, "top")),
    ((2, 2, "left"), (2, 1, "right")),
    ((2, 0, "right"), (2, 1, "left")),
    ((3, 0, "top"), (2, 0, "bottom")),
    ((3, 1, "top"), (2, 1, "bottom")),
    ((3, 0, "bottom"), (4, 0, "top")),
    ((4, 0, "right"), (4, 1, "left")),
    ((4, 1, "right"), (4, 2, "left")),
    ((3, 2, "bottom"), (4, 2, "top")),
)
WIDTH, HEIGHT, GAP, PITCH = 12.0, 1.05, 0.5, 1.75


def box(row, k):
    """Left, bottom and width of a box."""
    many = len(ROWS[row])
    width = (WIDTH - GAP * (many - 1)) / many
    return k * (width + GAP), -PITCH * row, width


def middle(row, k, side):
    """Middle of a side of a box."""
    x, y, width = box(row, k)
    return {
        "top": (x + width / 2, y + HEIGHT), "bottom": (x + width / 2, y),
        "left": (x, y + HEIGHT / 2), "right": (x + width, y + HEIGHT / 2),
    }[side]  # fmt: skip


@style.styled
def draw():
    figure, ax = style.plt.subplots(figsize=(9.6, 5.6))
    ax.axis("off")
    for row, boxes in enumerate(ROWS):
        for k, (name, words, colour) in enumerate(boxes):
            x, y, width = box(row, k)
            ax.add_patch(
                FancyBboxPatch(
                    (x, y), width, HEIGHT, boxstyle="round,pad=0,rounding_size=0.08",
                    facecolor=colour, edgecolor="#555555", linewidth=0.8,
                )
            )  # fmt: skip
            centred = {"ha": "center", "va": "center"}
            ax.text(x + width / 2, y + 0.83, name, weight="bold", fontsize=8.5, **centred)
            words = fill(words, 12 * width - 3)
            ax.text(x + width / 2, y + 0.37, words, fontsize=7.5, **centred)
    for start, end in ARROWS:
        x, y = middle(*start)
        target = middle(*end) if end else (x, y - 0.25)
        ax.add_patch(
            FancyArrowPatch(
                (x, y), target, arrowstyle="-|>", mutation_scale=9, linewidth=0.9,
                color="#555555", shrinkA=0, shrinkB=0,
            )
        )  # fmt: skip
    ax.plot([0, WIDTH], [-0.26, -0.26], color="#555555", lw=0.9)
    notes = {"fontsize": 8, "style": "italic", "va": "center"}
    ax.text(0, HEIGHT + 0.2, "what a user adds to a System", **notes)
    ax.text(0, -0.48, "each registers cells of a kind, with unknowns and parameters", **notes)
    ax.set(xlim=(-0.05, WIDTH + 0.05), ylim=(-4 * PITCH - 0.05, HEIGHT + 0.35))
    return figure


if __name__ == "__main__":
    draw().savefig(TARGET, dpi=160)
    print(TARGET)

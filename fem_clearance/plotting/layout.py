"""Pictures next to each other with their times, a common colour bar and the axes of space."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from . import style

#: height of titles, width of the colour bar, and gaps, in
TITLE, BAR, GAP = 0.3, 1.15, 0.12
#: longer side of all pictures together, least height, in
LONG, LEAST = 5.5, 2.5
#: colours of the bar and of the bodies
MAP = "viridis"


class Layout:
    """A figure that holds pictures pixel by pixel.

    Args:
        count: pictures, side by side or, if they are wide, above each other.
        size: width and height of each in pixels.
        title: of the colours, with unit.
        limits: of the colours.
        axes: right and up direction of the pictures in space, (2, 3).
    """

    @style.styled
    def __init__(
        self, count: int, size: tuple[int, int], title: str, limits: tuple[float, float],
        axes: np.ndarray,
    ):  # fmt: skip
        columns, rows = (1, count) if size[0] > 1.2 * size[1] else (count, 1)
        self.dpi = max(columns * size[0], rows * size[1]) / LONG
        width, height = size[0] / self.dpi, size[1] / self.dpi
        tall = max(rows * (height + TITLE + GAP), LEAST)
        whole = (GAP + columns * (width + GAP) + BAR, tall + GAP)
        self.figure = style.figure(figsize=whole, dpi=self.dpi, layout="none")

        def place(x, y, w, h):
            where = (x / whole[0], y / whole[1], w / whole[0], h / whole[1])
            return self.figure.add_axes(where)

        self.images, self.texts = [], []
        blank = np.full((size[1], size[0], 3), 255, np.uint8)
        for k in range(count):
            column, row = (k, 0) if rows == 1 else (0, k)
            bottom = GAP + tall * (rows - row - 0.5) / rows - (height + TITLE + GAP) / 2
            ax = place(GAP + column * (width + GAP), bottom, width, height)
            ax.set_axis_off()
            self.images.append(ax.imshow(blank, interpolation="nearest", aspect="auto"))
            self.texts.append(ax.set_title(" ", fontsize=10, pad=6))
        left = whole[0] - BAR + 0.08
        tall -= GAP
        long = min(tall - 0.7, 3.0)
        bar = place(left, GAP + 0.7 + (tall - 0.7 - long) / 2, 0.14, long)
        colours = ScalarMappable(Normalize(*limits), MAP)
        self.figure.colorbar(colours, cax=bar, label=title)
        bar.grid(False)
        bar.locator_params(axis="y", nbins=max(3, int(long / 0.4)))
        _triad(place(left, GAP, 0.55, 0.55), axes)

    def show(self, pictures: Sequence[np.ndarray], titles: Sequence[str]) -> None:
        """Put pictures (height, width, 3) in place."""
        for image, text, picture, title in zip(
            self.images, self.texts, pictures, titles, strict=True
        ):
            image.set_data(picture)
            text.set_text(title)

    @style.styled
    def save(self, target: Path) -> None:
        """Write the figure as a PNG file; its folder is made."""
        target.parent.mkdir(parents=True, exist_ok=True)
        self.figure.savefig(target, dpi=self.dpi)

    @style.styled
    def pixels(self) -> np.ndarray:
        """The figure as it stands, (height, width, 3)."""
        self.figure.canvas.draw()
        return np.asarray(self.figure.canvas.buffer_rgba())[..., :3].copy()  # type: ignore[attr-defined]

    def close(self) -> None:
        """Free the figure."""
        self.figure.clear()


def _triad(ax, axes: np.ndarray) -> None:
    """Arrows along x, y, z as seen in the pictures; one along the line of sight is omitted."""
    ax.set_axis_off()
    ax.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal")
    for k, name in enumerate("xyz"):
        tip = axes[:, k]
        if np.hypot(*tip) < 0.1:
            continue
        style.arrow(ax, (0, 0), tip, width=0.9)
        ax.text(*(tip + 0.3 * tip / np.hypot(*tip)), name, ha="center", va="center", fontsize=9)

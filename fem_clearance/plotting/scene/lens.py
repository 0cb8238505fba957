"""A round magnified view of a small place, beside the picture, with a line to it."""

from __future__ import annotations

import numpy as np
from PIL import Image

from .images import ring, round_cut, stroke, write
from .poses import unit
from .stage import Stage


def beside(
    image: Image.Image, stage: Stage, at: np.ndarray, radius: float, towards=None,
    caption: str = "", hide=(), share: float = 0.42, moved=(0, 0),
) -> Image.Image:  # fmt: skip
    """The picture with a lens beside it.

    Args:
        image: what the stage shows.
        at: the magnified place, m.
        radius: of the magnified region, m.
        towards: direction to the eye; default: as in the picture. Along a joint's axis, circles
            appear as circles.
        caption: text below.
        hide: names of parts in front of it.
        share: diameter of the lens by the picture's longer side.
        moved: place of the stage's picture in ``image``, pixels.
    """
    x, y = stage.view.pixel(at, stage.pixels) + np.asarray(moved)
    d = int(share * max(stage.pixels))
    stage.hide(hide)
    stage.plotter.window_size = (d, d)
    stage.aim(at, radius, None if towards is None else unit(towards))
    shot = stage.image()
    stage.plotter.window_size = stage.pixels
    stage.aim()
    stage.hide(hide, False)
    gap = max(12, stage.pixels[0] // 60)
    words = 0.022 * max(stage.pixels)
    under = int(2.2 * words * (1 + caption.count("\n"))) if caption else 0
    height = max(image.height, d + 2 * gap + under)
    wide = Image.new("RGB", (image.width + d + 2 * gap, height), "white")
    top = (height - image.height) // 2
    wide.paste(image, (0, top))
    here = np.array([x, y + top])
    there = np.array([
        image.width + gap + d / 2, np.clip(here[1], gap + d / 2, height - gap - d / 2 - under)
    ])  # fmt: skip
    around = max(4.0, radius / stage.view.span[0] * stage.pixels[0])
    way = unit(there - here)
    for color, width in (("white", 6), (None, 2)):
        options = {} if color is None else {"color": color}
        stroke(wide, here + around * way, there - d / 2 * way, width=width, **options)
    ring(wide, here, around)
    wide.paste(shot, (int(there[0] - d / 2), int(there[1] - d / 2)), round_cut(shot))
    ring(wide, there, d / 2)
    if caption:
        write(wide, (there[0], there[1] + d / 2 + 0.5 * words), caption, words, "ma")
    return wide

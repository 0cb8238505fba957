"""Pictures as small files, PNG and GIF."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from ..errors import InputError


def save_png(image: Image.Image, target, limit: int = 150_000) -> Path:
    """Write a PNG in true colour if that fits the limit (bytes), else with fewer colours.

    Raises:
        InputError: the file cannot be written.
    """
    data = _encoded(image, "PNG", optimize=True)
    for colors in (256, 128, 64, 32):
        if len(data) < limit:
            break
        few = image.quantize(
            colors, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE
        )  # median cut bands spheres
        data = _encoded(few, "PNG", optimize=True)
    return _saved(target, data)


def save_gif(images: Sequence[Image.Image], target, seconds: float, colors: int = 48) -> Path:
    """Write a GIF that repeats for ever, with one palette, in which white margins stay white.

    Args:
        images: in true colour.
        target: the file; its folder is made.
        seconds: length of the animation.
        colors: of the palette, that of the most colourful picture.

    Raises:
        InputError: the file cannot be written.
    """
    rich = max(images, key=lambda i: len(i.getcolors(i.width * i.height) or ()))
    palette = rich.quantize(colors, Image.Quantize.MAXCOVERAGE, kmeans=3)
    frames = [i.quantize(palette=palette, dither=Image.Dither.NONE) for i in images]
    if images[0].getpixel((0, 0)) == (255, 255, 255):
        entries = palette.getpalette()
        assert entries is not None
        at = 3 * frames[0].tobytes()[0]  # the number of the first point's colour
        entries[at : at + 3] = 3 * [255]
        for frame in frames:
            frame.putpalette(entries)
    pause = max(20, round(1000 * seconds / len(frames)))
    data = _encoded(
        frames[0], "GIF", save_all=True, append_images=frames[1:], loop=0, duration=pause,
        optimize=True,
    )  # fmt: skip
    return _saved(target, data)


def _encoded(image: Image.Image, kind: str, **options) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def _saved(target, data: bytes) -> Path:
    target = Path(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}.") from None
    return target

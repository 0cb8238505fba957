"""Pictures with Pillow: text, rings and lines on them, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont

from .drawing import INK

GREY = "#56616f"


@cache
def font(size: int):
    """Matplotlib's own sans serif."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(str(folder / "DejaVuSans.ttf"), size)


def write(image: Image.Image, at, text: str, size: float, anchor: str = "la") -> None:
    """Write text on a picture, with a white outline."""
    ImageDraw.Draw(image).multiline_text(
        at, text, fill=INK, font=font(int(size)), anchor=anchor, stroke_fill="white",
        stroke_width=max(2, int(size) // 7),
    )  # fmt: skip


def width_of(text: str, size: float) -> float:
    """Width of a line of text, pixels."""
    return font(int(size)).getlength(text)


def headed(image: Image.Image, words: str, size: float) -> tuple[Image.Image, tuple[int, int]]:
    """A picture with a line of text above it, and the place of its corner there."""
    head = int(1.9 * size)
    wide = max(image.width, int(width_of(words, size) + 28))
    tall = Image.new("RGB", (wide, image.height + head), "white")
    corner = ((wide - image.width) // 2, head)
    tall.paste(image, corner)
    write(tall, (14, 0.45 * size), words, size)
    return tall, corner


def stacked(images: Sequence[Image.Image], gap: int = 16) -> Image.Image:
    """Pictures one below the other."""
    if len(images) == 1:
        return images[0]
    height = sum(i.height for i in images) + gap * (len(images) - 1)
    sheet = Image.new("RGB", (max(i.width for i in images), height), "white")
    y = 0
    for image in images:
        sheet.paste(image, ((sheet.width - image.width) // 2, y))
        y += image.height + gap
    return sheet


def ring(image: Image.Image, centre, radius: float, color: str = GREY, width: int = 2) -> None:
    """Draw a smooth circle."""
    big = Image.new("L", (int(8 * radius + 40),) * 2, 0)
    c = big.width / 2
    ImageDraw.Draw(big).ellipse(
        (c - 4 * radius, c - 4 * radius, c + 4 * radius, c + 4 * radius), outline=255,
        width=4 * width,
    )  # fmt: skip
    mask = big.resize((big.width // 4,) * 2, Image.Resampling.LANCZOS)
    corner = (int(centre[0] - mask.width / 2), int(centre[1] - mask.width / 2))
    image.paste(Image.new("RGB", mask.size, color), corner, mask)


def stroke(image: Image.Image, a, b, color: str = GREY, width: int = 2) -> None:
    """Draw a smooth line."""
    big = Image.new("L", (image.width * 2, image.height * 2), 0)
    ends = [float(x) for x in (*(2 * np.asarray(a)), *(2 * np.asarray(b)))]
    ImageDraw.Draw(big).line(ends, fill=255, width=2 * width)
    mask = big.resize(image.size, Image.Resampling.LANCZOS)
    image.paste(Image.new("RGB", image.size, color), (0, 0), mask)


def round_cut(image: Image.Image) -> Image.Image:
    """Mask of the largest circle in a square picture."""
    d = image.width
    mask = Image.new("L", (4 * d, 4 * d), 0)
    ImageDraw.Draw(mask).ellipse((4, 4, 4 * d - 4, 4 * d - 4), fill=255)
    return mask.resize((d, d), Image.Resampling.LANCZOS)


def scaled(image: Image.Image, width: int) -> Image.Image:
    """A picture scaled to a width, with an even height, as video formats require."""
    height = max(2, 2 * round(width * image.height / image.width / 2))
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _content(image: Image.Image):
    box = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    return box or (0, 0, *image.size)


def beside(images: Sequence[Image.Image], labels: Sequence[str], width: int) -> Image.Image:
    """Pictures side by side (wide ones in two columns), trimmed alike, with a line of text above
    each and hairlines between them.

    Args:
        images, labels: pictures, and the text above each.
        width: of all together, pixels.
    """
    boxes, gap = [_content(i) for i in images], 12
    size = images[0].size
    box = (
        max(0, min(b[0] for b in boxes) - gap), max(0, min(b[1] for b in boxes) - gap),
        min(size[0], max(b[2] for b in boxes) + gap), min(size[1], max(b[3] for b in boxes) + gap),
    )  # fmt: skip
    shape = (box[2] - box[0]) / (box[3] - box[1])
    columns = len(images) if shape < 3 else (len(images) + 1) // 2
    each = int((width - gap * (columns - 1)) / columns)
    images = [scaled(i.crop(box), each) for i in images]
    h, text = images[0].height, max(13, min(20, each // 16))
    head, rows = int(1.8 * text), -(-len(images) // columns)
    sheet = Image.new("RGB", (columns * each + (columns - 1) * gap, rows * (h + head)), "white")
    for n, (image, label) in enumerate(zip(images, labels, strict=True)):
        x, y = (n % columns) * (each + gap), (n // columns) * (h + head)
        sheet.paste(image, (x, y + head))
        write(sheet, (x + each / 2, y + head / 2), label, text, "mm")
        if n % columns:
            line = (x - gap // 2, y + 4, x - gap // 2, y + h + head - 4)
            ImageDraw.Draw(sheet).line(line, fill="#c9ced6")
    return sheet


def color_bar(image: Image.Image, paint, size: float) -> Image.Image:
    """A picture with a horizontal colour bar below it."""
    words = int(width_of(paint.label, 0.85 * size))
    w, h = max(int(0.3 * image.width), words), max(8, int(0.7 * size))
    wide = max(image.width, w + int(4 * size))
    tall = Image.new("RGB", (wide, image.height + int(4.2 * size)), "white")
    tall.paste(image, ((wide - image.width) // 2, 0))
    x, y = wide - w - int(2 * size), image.height + int(1.5 * size)
    colors = matplotlib.colormaps[paint.map](np.linspace(0, 1, w))[:, :3]
    tall.paste(Image.fromarray(np.repeat((255 * colors).astype(np.uint8)[None], h, 0)), (x, y))
    for v in (0, 0.5, 1):
        value = f"{paint.low + v * (paint.high - paint.low):.3g}"
        write(tall, (x + v * w, y + h + 3), value, 0.85 * size, "ma")
    write(tall, (x + w / 2, y - 0.35 * size), paint.label, 0.85 * size, "mb")
    return tall

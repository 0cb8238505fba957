"""Animated pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def write(images: Sequence, target, seconds: float, **options) -> Path:
    """Write an animated GIF that goes on for ever.

    Args:
        images: Pillow's.
        target: the file; its folder is made.
        seconds: length of the animation.
        options: of Pillow's ``Image.save``.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    pause = max(20, int(1000 * seconds / len(images)))
    images[0].save(
        target, save_all=True, append_images=images[1:], duration=pause, loop=0, **options
    )
    return target

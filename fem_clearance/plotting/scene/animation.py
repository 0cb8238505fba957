"""Animations of a scene: GIF by Pillow, MP4 by imageio if it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from ...errors import InputError
from .. import files
from . import images

#: default length of an animation, s
SECONDS = 5.0
#: message if the package that writes MP4 is missing
NO_MOVIES = (
    "MP4 needs imageio-ffmpeg (pip install 'fem_clearance[movies]'); write .gif or .html instead."
)


def write(
    scene, target, seconds: float = SECONDS, fps: float = 15.0, size: int = 640,
    stamped: bool = True,
) -> Path:  # fmt: skip
    """Write an animation of the whole run.

    Args:
        scene: the ``Scene``.
        target: the file, ``.gif`` or ``.mp4``.
        seconds: length of the animation.
        fps: most pictures per second; there are no more than recorded instants.
        size: pixels of the longer side.
        stamped: write the time on each picture.

    Raises:
        InputError: another type of file, no OpenGL, no package that writes MP4.
    """
    target = Path(target)
    kind = target.suffix.lower()
    if kind not in (".gif", ".mp4"):
        raise InputError(f"{target}: an animation is a .gif or .mp4; a page is a .html.")
    if not (seconds > 0 and fps > 0):
        raise InputError("an animation needs seconds and fps that are positive.")
    writer = _film() if kind == ".mp4" else None
    last = len(scene.times) - 1
    count = max(2, min(int(round(seconds * fps)), last + 1))
    ks = np.unique(np.linspace(0, last, count).round().astype(int)).tolist()
    shots = scene.shots(ks, size)
    if stamped:
        shots = [_stamped(s, scene.stamp(k), scene.caption) for s, k in zip(shots, ks, strict=True)]
    if scene.paint is not None:
        shots = [images.color_bar(s, scene.paint, 0.03 * size) for s in shots]
    if writer is None:
        return files.save_gif(shots, target, seconds)
    return _movie(writer, shots, target, len(shots) / seconds)


def _stamped(image: Image.Image, words: str, caption: str) -> Image.Image:
    text = f"{words}    {caption}" if caption else words
    return images.headed(image, text, max(12, 0.026 * max(image.size)))[0]


def _film():
    """The package that writes MP4.

    Raises:
        InputError: it is not installed.
    """
    try:
        import imageio.v2
        import imageio_ffmpeg
    except ImportError:
        raise InputError(NO_MOVIES) from None
    imageio_ffmpeg.get_ffmpeg_exe()
    return imageio.v2


def _movie(writer, shots: Sequence[Image.Image], target: Path, fps: float) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    wide, tall = (2 * (x // 2) for x in shots[0].size)  # the format requires even sizes
    try:
        with writer.get_writer(target, fps=fps, codec="libx264", macro_block_size=2,
                               quality=7) as film:  # fmt: skip
            for shot in shots:
                film.append_data(np.asarray(shot.crop((0, 0, wide, tall))))
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error}.") from None
    return target

"""Pictures of a run's mechanism from the shell: still pictures, animations, pages, a window."""

from __future__ import annotations

import logging
from pathlib import Path

from .. import checks
from ..errors import InputError
from ..io import folder
from ..plotting.offscreen import NO_OPENGL, opengl_works
from ..plotting.scene import animation, steady, window
from ..plotting.scene.scene import Scene
from ..plotting.scene.view import VIEWS
from ..runs.results import Results

logger = logging.getLogger(__name__)

#: beginning of the names of a mechanism's pictures in a run's figures
MECHANISM = "mechanism"
#: name of the picture of a bearing, from an analysis without time
BEARING = "bearing"


def mechanism(run: Path) -> list[Path]:
    """Draw a snapshot and a strip of the mechanism into the run's figures. If the motion is hardly
    visible, the strip has a second row in which it is enlarged. For an analysis of a bearing,
    without time, draw the bearing; for other runs without poses, nothing. Without OpenGL only warn.
    """
    results = Results.open(run)
    if not results.has_motion:
        return _bearing(run)
    try:
        scene = results.scene()
    except InputError as error:
        logger.warning("no picture of the mechanism: %s", error)
        return []
    if not opengl_works():
        logger.warning("no picture of the mechanism: %s", NO_OPENGL)
        return []
    figures = run / folder.FIGURES
    figures.mkdir(exist_ok=True)
    enlarged = results.scene(motion_scale="auto") if scene.hardly_moves else None
    return [
        scene.picture(figures / f"{MECHANISM}.png", lens=True if scene.mechanism.scale else None),
        scene.strip(figures / f"{MECHANISM}_strip.png", below=enlarged),
    ]


def _bearing(run: Path) -> list[Path]:
    """Draw the bearing of an analysis without time."""
    scene = steady.bearing(run / folder.FIELDS)
    if scene is None:
        return []
    if not opengl_works():
        logger.warning("no picture of the bearing: %s", NO_OPENGL)
        return []
    figures = run / folder.FIGURES
    figures.mkdir(exist_ok=True)
    return [scene.picture(figures / f"{BEARING}.png", at=0.0)]


def scene_of(run: Path, options) -> Scene:
    """The scene that a command's options select.

    Raises:
        InputError: a run without poses, options that are not allowed.
    """
    choices = {"view": options.view, "color": options.color}
    if options.view is not None and options.view not in VIEWS:
        try:
            choices["view"] = [float(x) for x in options.view.split(",")]
        except ValueError:
            raise InputError(
                f"--view {options.view}: it must be one of {', '.join(VIEWS)}, or x,y,z."
            ) from None
    for name in ("clearance_scale", "motion_scale"):
        if (given := getattr(options, name)) is not None:
            flag = "--" + name.replace("_", "-")
            choices[name] = given if given == "auto" else checks.positive(flag, given)
    return Results.open(run).scene(**choices)


def seconds_of(scene: Scene, speed: str | None) -> float:
    """Duration of a motion on the screen, s, for a speed relative to real time."""
    if speed is None:
        return animation.SECONDS
    return float(scene.times[-1] - scene.times[0]) / checks.positive("--speed", speed)


def animate(run: Path, options) -> list[Path]:
    """Write the files that ``fem-clearance animate`` is to write.

    Raises:
        InputError: no file is given, or one whose extension does not fit its option.
    """
    wanted = {".gif": options.gif, ".mp4": options.mp4, ".html": options.html}
    targets = {kind: Path(path) for kind, path in wanted.items() if path is not None}
    if not targets:
        raise InputError("animate needs --gif FILE, --mp4 FILE or --html FILE.")
    for kind, target in targets.items():
        if target.suffix.lower() != kind:
            raise InputError(f"--{kind[1:]} {target}: the file's name must end in {kind}.")
    scene = scene_of(run, options)
    seconds = seconds_of(scene, options.speed)
    return [
        scene.page(target, seconds) if kind == ".html" else scene.animation(target, seconds)
        for kind, target in targets.items()
    ]


def view(run: Path, options) -> None:
    """Write a page for a browser, or open a window."""
    scene = scene_of(run, options)
    seconds = seconds_of(scene, options.speed)
    if options.html:
        scene.page(Path(options.html), seconds)
    else:
        window.show(scene, seconds)

"""Moving pictures of a run's bodies: a window of PyVista, or a page for any browser."""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..fields.writer import COLLECTION
from ..io import folder
from ..io.files import reading
from ..io.vtk import entries, read_vtu
from .offscreen import NO_OPENGL, opengl_works

TEMPLATE = Path(__file__).with_name("page.html")
COLORS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b")


def frames(run: Path) -> list[tuple[float, Path]]:
    """Times and files of a run's shapes.

    Raises:
        InputError: the run wrote none.
    """
    fields = run / folder.FIELDS
    found = [(t, fields / name) for t, name in entries(fields / COLLECTION)]
    if not found:
        others = ", ".join(sorted(str(f) for f in fields.glob("*.pvd")))
        if others:
            raise InputError(f"{run} holds no bodies that move; ParaView opens {others}.")
        raise InputError(
            f"{run} holds no shapes of the bodies; run it with output.fields_every, e.g. 0.01 (s)."
        )
    return found


def page(run: Path, target: Path) -> None:
    """Write a page that shows the bodies moving: turn, move, zoom, play; needs only a browser.

    Args:
        run: folder of the run.
        target: the HTML file.
    """
    times, files = zip(*frames(run), strict=True)
    first = read_vtu(files[0])
    with reading(files[-1]):
        points = np.stack([read_vtu(f)["points"] for f in files]).astype("<f4")
    faces = np.split(first["connectivity"], first["offsets"][:-1])
    gravity = first["gravity"].ravel()
    data = {
        "title": run.resolve().name,
        "times": times,
        "points": base64.b64encode(points.tobytes()).decode(),
        "count": points.shape[1],
        "faces": [f.tolist() for f in faces],
        "body": first["body"].tolist(),
        "colors": COLORS,
        "up": int(np.argmax(np.abs(gravity))) if gravity.any() else 1,
    }
    # within a script "<" would be read as HTML: "</script>", "<!--<script>"
    script = json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
    text = TEMPLATE.read_text(encoding="utf-8").replace("/*DATA*/", script)
    folder.write_text(target, text)


def window(run: Path, off_screen: bool = False, screenshot: Path | None = None) -> None:
    """Open a PyVista window with a slider for the time.

    Args:
        run: folder of the run.
        off_screen, screenshot: draw the last shape into a picture instead.

    Raises:
        InputError: no shapes, no screen, or no working OpenGL here.
    """
    found = frames(run)
    if (
        not off_screen
        and sys.platform.startswith("linux")
        and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    ):
        raise InputError(
            f"there is no screen here; write a page for a browser: view {run} --html FILE."
        )
    if not opengl_works():
        raise InputError(
            f"{NO_OPENGL}; write a page for a browser instead: view {run} --html FILE."
        )
    import pyvista

    every = np.concatenate(
        [read_vtu(f)["points"] for _, f in (found[0], found[len(found) // 2], found[-1])]
    )
    reader = pyvista.get_reader(run / folder.FIELDS / COLLECTION)
    plotter = pyvista.Plotter(off_screen=off_screen, title=str(run))
    grid = reader.read()[0]
    plotter.add_mesh(
        grid, scalars="body", cmap=list(COLORS), clim=(0, len(COLORS) - 1), show_scalar_bar=False
    )
    plotter.add_mesh(pyvista.Box(np.ravel([every.min(0), every.max(0)], "F")), opacity=0.0)
    plotter.add_axes()

    def show(k):
        grid.points = read_vtu(found[int(round(k))][1])["points"]
        plotter.add_text(f"t = {found[int(round(k))][0]:.4g} s", name="time", font_size=11)

    show(len(found) - 1)
    if len(found) > 1 and not off_screen:
        plotter.add_slider_widget(
            show, (0, len(found) - 1), value=len(found) - 1, title="frame", fmt="%.0f"
        )
    plotter.show(screenshot=str(screenshot) if screenshot else None)

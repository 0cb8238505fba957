"""Pictures and animations of solids: stress on the deformed bodies, off-screen with PyVista.

Example:
    >>> from fem_clearance.plotting import solids
    >>> solids.picture("runs/slider", "slider", "slider.png", solids.Appearance(cut="z"))
    >>> solids.animation("runs/slider", "slider", "slider.gif", solids.Appearance(scene=True))
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import checks
from ..deprecated import arguments
from ..deprecated import names as old_names
from ..errors import InputError
from ..io import folder
from ..io.vtk import read_vtu
from . import files, offscreen
from .layout import MAP, Layout
from .offscreen import IN_PARAVIEW, opengl_works
from .solid_series import (
    QUANTITIES,
    Body,
    deformation,
    largest,
    middle,
    names,
    others,
    series,
)

__all__ = [
    "QUANTITIES", "Appearance", "animation", "draw", "largest", "names", "picture", "series",
    "still",
]  # fmt: skip
logger = logging.getLogger(__name__)

if not TYPE_CHECKING:
    __getattr__ = old_names(__name__, {"Look": "Appearance"})

#: pixels of the longer side of one picture, of each of several, of those of an animation
SIZE, SEVERAL, SMALL = 1000, 700, 500
#: width by height of a picture, at least (with a longer title too) and at most
SHAPES = (0.3, 0.45, 2.0)
#: most frames of the animations of ``fem-clearance plot``
FRAMES = 100
#: travel, by its size, above which a body is also drawn without it; its deformation there
MOVES, DEFORMED = 0.1, 0.05


class Appearance(NamedTuple):
    """How solids are drawn.

    Attributes:
        quantity: one of ``QUANTITIES``.
        cut: None, or ``"x"``, ``"y"``, ``"z"``: only the half behind a plane through the middle.
        exaggerate: factor of displacements from the start; for bodies that hardly move, or with
            ``still``.
        still: omit the rigid motion of the bodies.
        edges: draw the edges of cells.
        scene: draw the other bodies too, in grey.
        size: pixels of the picture's longer side, without colour bar; default: 1000, 700 each for
            several pictures, 500 for animations.
        limits: of the colours, in MPa, mm or m/s; default: those of the values shown, from 0 if
            none are negative.
        view: direction from the body to the eye, (3,); default: z for plane solids, else from the
            front, right and above. What is up in the system is up: against gravity, else y.
    """

    quantity: str = "von_mises"
    cut: str | None = None
    exaggerate: float = 1.0
    still: bool = False
    edges: bool = True
    scene: bool = False
    size: int | None = None
    limits: tuple[float, float] | None = None
    view: tuple[float, float, float] | None = None


@arguments(look="appearance")
def picture(
    run, solid: str | Sequence[str], target, appearance: Appearance | None = None,
    at: float | Sequence[float] | None = None,
) -> Path:  # fmt: skip
    """A picture of solids at one time, or at several next to each other with the same colours.

    Args:
        run: folder of the run.
        solid: its name, or several names.
        target: the PNG file.
        appearance: how it is drawn.
        at: times in s, of which the nearest saved ones are taken; default: the last.

    Raises:
        InputError: no fields, no working OpenGL, an invalid appearance.
    """
    layout = drawn(run, solid, appearance, at)
    layout.save(Path(target))
    layout.close()
    return Path(target)


@arguments(look="appearance")
def drawn(
    run, solid: str | Sequence[str], appearance: Appearance | None = None,
    at: float | Sequence[float] | None = None,
) -> Layout:  # fmt: skip
    """The figure that ``picture`` saves."""
    several = np.size(at) > 1 if at is not None else False
    film = _Film(run, solid, appearance or Appearance(), SEVERAL if several else SIZE)
    chosen = [-1] if at is None else [film.nearest(t) for t in np.atleast_1d(at)]
    shots = [film.shot(k % len(film.times)) for k in chosen]
    layout = film.layout(shots, len(shots))
    layout.show([film.draw(s) for s in shots], [film.title(s) for s in shots])
    film.close()
    return layout


@arguments(look="appearance")
def animation(
    run, solid: str | Sequence[str], target, appearance: Appearance | None = None,
    seconds: float = 6.0, frames: int | None = None,
) -> Path:  # fmt: skip
    """An animated GIF of the saved times, with the same colours throughout.

    Args:
        run, solid, appearance: see ``picture``.
        target: the GIF file.
        seconds: length of the animation.
        frames: most frames, chosen evenly; default: all saved times.
    """
    from PIL import Image

    film = _Film(run, solid, appearance or Appearance(), SMALL)
    count = len(film.times)
    chosen = np.unique(np.linspace(0, count - 1, min(count, frames or count)).round().astype(int))
    shots = [film.shot(k) for k in chosen]
    layout = film.layout(shots, 1)
    images = []
    for shot in shots:
        layout.show([film.draw(shot)], [film.title(shot)])
        images.append(Image.fromarray(layout.pixels()))
    layout.close()
    film.close()
    return files.save_gif(images, target, seconds, colors=256)


def draw(run: Path, drawn: Sequence[Path] = ()) -> list[Path]:
    """Pictures of ``fem-clearance plot`` of each solid: ``NAME_von_mises.png`` (at the largest
    stress and at the end; unless ``drawn`` already), ``NAME.gif`` (its motion, with the other
    bodies) and, if it moves by a tenth of its size, ``NAME_still.gif`` (its deformation).

    Without OpenGL there is only a warning.
    """
    found = names(run)
    if found and not opengl_works():
        logger.warning("no pictures of %s: %s.", ", ".join(found), IN_PARAVIEW)
        return []
    written = []
    for name in found:
        target = run / folder.FIGURES / f"{name}_von_mises.png"
        end = series(run, name)[-1][0]
        if target not in drawn:
            written.append(picture(run, name, target, at=sorted({largest(run, name)[0], end})))
        if len(series(run, name)) > 1:
            moving = run / folder.FIGURES / f"{name}.gif"
            written.append(animation(run, name, moving, Appearance(scene=True), frames=FRAMES))
            if travel(run, name) > MOVES:
                alone = moving.with_name(f"{name}_still.gif")
                written.append(animation(run, name, alone, still(run, name), frames=FRAMES))
    return written


def still(run, solid: str) -> Appearance:
    """Appearance of a moving body without its rigid motion and with visible deformation."""
    start, *moved = _nodes(run, solid)
    most = max((np.abs(deformation(start, x)).max() for x in moved), default=0.0)
    # round-off of positions is not deformation
    if most < 1e-9 * _size(start):
        return Appearance(still=True)
    return Appearance(still=True, exaggerate=exaggeration(DEFORMED * _size(start), most))


def exaggeration(wanted: float, largest: float) -> float:
    """A factor with one digit, at least 1, by which the largest displacement (m) is drawn about as
    large as wanted (m)."""
    factor = wanted / largest
    digit = 10 ** np.floor(np.log10(factor))
    return float(max(1.0, np.floor(factor / digit) * digit))


def travel(run, solid: str) -> float:
    """Largest distance of a body's middle from its start, by the body's size."""
    start, *moved = _nodes(run, solid)
    ways = [np.linalg.norm(x.mean(axis=0) - start.mean(axis=0)) for x in moved]
    return max(ways, default=0.0) / _size(start)


def _size(x: np.ndarray) -> float:
    """Diagonal of the bounding box of points, m."""
    return float(np.linalg.norm(np.ptp(x, axis=0)))


def _nodes(run, solid: str) -> list[np.ndarray]:
    """Nodes without displacement, and at each saved time."""
    data = [read_vtu(path) for _, path in series(run, solid)]
    return [data[0]["points"] - data[0]["displacement"], *(d["points"] for d in data)]


def upward(run) -> Sequence[float]:
    """What is up in a run."""
    path = Path(run) / folder.SCENE
    up = json.loads(path.read_text("utf-8"))["up"] if path.exists() else None
    return up or (0.0, 1.0, 0.0)


def directions(up, plane: bool, view=None) -> tuple[np.ndarray, np.ndarray]:
    """Direction to the eye, and right and up direction of a picture, rows; vectors of length 1.

    Args:
        up: what is up in space, (3,).
        plane: whether the bodies are plane.
        view: see ``Appearance``.
    """
    up = np.asarray(up, float)
    front = np.array((0.0, 0.0, 1.0) if abs(up[2]) < 0.9 else (0.0, -1.0, 0.0))
    front = front - front @ up * up
    if view is None:
        view = (0.0, 0.0, 1.0) if plane else np.cross(up, front) + 0.8 * up + 1.6 * front
    view = checks.vector("Appearance: view", view)
    if not view.any():
        raise InputError("Appearance: view must point somewhere, it is (0, 0, 0).")
    view = view / np.linalg.norm(view)
    right = np.cross(up if abs(view @ up) < 0.99 else -front, view)
    right /= np.linalg.norm(right)
    return view, np.array([right, np.cross(view, right)])


class _Shot(NamedTuple):
    """One instant: nodes and values of each solid, and the surface of the other bodies."""

    t: float
    solids: list[tuple[np.ndarray, np.ndarray]]
    others: Any


class _Film:
    """Draws instants of a run with the same view and colours."""

    def __init__(self, run, solid: str | Sequence[str], appearance: Appearance, size: int):
        checks.choice("Appearance: quantity", appearance.quantity, tuple(QUANTITIES))
        checks.choice("Appearance: cut", appearance.cut, (None, "x", "y", "z"))
        checks.number("Appearance: exaggerate", appearance.exaggerate)
        if appearance.still and appearance.scene:
            raise InputError(
                "Appearance: bodies kept still have no scene; give one of still and scene."
            )
        self.names = [solid] if isinstance(solid, str) else list(solid)
        self.quantity = QUANTITIES[appearance.quantity]
        self.run, self.appearance, self.size = run, appearance, appearance.size or size
        self.bodies = [
            Body(run, n, self.quantity, appearance.exaggerate, appearance.still,
                 coarse=appearance.cut is not None)
            for n in self.names
        ]  # fmt: skip
        self.times = np.array([t for t, _ in self.bodies[0].series])
        if not opengl_works():
            raise InputError(IN_PARAVIEW + ".")
        plane = all(b.plane for b in self.bodies)
        self.view, self.axes = directions(upward(run), plane, appearance.view)
        #: of the cut, towards the eye
        self.normal = None
        if appearance.cut:
            axis = np.eye(3)["xyz".index(appearance.cut)]
            self.normal = axis if axis @ self.view >= 0 else -axis

    def nearest(self, t: float) -> int:
        return int(np.abs(self.times - t).argmin())

    def shot(self, k: int) -> _Shot:
        grey = others(self.run, self.times[k], self.names) if self.appearance.scene else None
        return _Shot(self.times[k], [b.at(k) for b in self.bodies], grey)

    def title(self, shot: _Shot) -> str:
        factor = self.appearance.exaggerate
        parts = [] if len(self.times) == 1 and shot.t == 0 else [f"t = {shot.t:.4g} s"]
        if factor != 1:
            what = "deformation" if self.appearance.still else "displacement"
            parts.append(f"{what} \u00d7 {factor:g}")
        return ", ".join(parts) or " "

    def layout(self, shots: list[_Shot], count: int) -> Layout:
        """Set colours and view for some shots; returns a layout for ``count`` of them."""
        values = np.concatenate([v for s in shots for _, v in s.solids])
        low = 0.0 if values.min() >= 0 and self.quantity.component is None else values.min()
        high = values.max() if values.max() > low else low + 1.0
        self.limits = self.appearance.limits or (low, high)
        clouds = [x[_kept(x, self.normal)] for s in shots for x, _ in s.solids]
        x = np.concatenate(clouds + [s.others.points for s in shots if s.others is not None])
        seen, depth = x @ self.axes.T, x @ self.view
        extent = np.ptp(seen, axis=0)
        self.reach = 2 * _size(x)
        self.middle = middle(seen) @ self.axes + middle(depth) * self.view
        least = SHAPES[self.appearance.exaggerate != 1]
        shape = float(np.clip(extent[0] / max(extent[1], 1e-9 * self.reach), least, SHAPES[2]))
        self.half = 0.52 * max(extent[1], extent[0] / shape)
        self.pixels = (int(self.size * min(1.0, shape)), int(self.size * min(1.0, 1 / shape)))
        return Layout(count, self.pixels, *self.quantity.scale(*self.limits), self.axes)

    @cached_property
    def plotter(self):
        result = offscreen.plotter(self.pixels)
        result.camera_position = [
            self.middle + self.reach * self.view, self.middle, self.axes[1],
        ]  # fmt: skip
        result.camera.parallel_scale = self.half
        return result

    def draw(self, shot: _Shot) -> np.ndarray:
        """A shot's pixels, (height, width, 3)."""
        plotter = self.plotter
        plotter.clear_actors()
        once = {"reset_camera": False, "render": False}
        flat = abs(self.view[2]) == 1 and all(b.plane for b in self.bodies)
        light = {"lighting": False} if flat else {"ambient": 0.55, "diffuse": 0.55}
        for body, (x, values) in zip(self.bodies, shot.solids, strict=True):
            if self.normal is None:
                surface, edges = body.surface(x, values)
            else:
                surface, edges = body.cut(x, values, self.normal)
            actor = plotter.add_mesh(
                surface, scalars="shown", clim=self.limits, cmap=MAP, show_scalar_bar=False,
                **once, smooth_shading="Normals" in surface.point_data, **light,
            )  # fmt: skip
            _behind(actor)
            if self.appearance.edges:
                plotter.add_mesh(edges, color="black", line_width=1.5, **once)
        if shot.others is not None:
            # in a plane picture grey bodies must not cover the coloured ones
            grey = shot.others.translate(-self.reach * self.view * flat)
            actor = plotter.add_mesh(grey, color="#b8b8b8", **once, **light)
            _behind(actor)
            sharp = grey.extract_feature_edges(30)
            if sharp.n_points:
                plotter.add_mesh(sharp, color="#606060", line_width=1.0, **once)
        return offscreen.pixels(plotter)

    def close(self) -> None:
        self.plotter.close()


def _kept(x: np.ndarray, normal: np.ndarray | None) -> np.ndarray:
    """Points that remain after a cut through the middle."""
    if normal is None:
        return np.ones(len(x), bool)
    return (x - middle(x)) @ normal <= 1e-9 * np.ptp(x)


def _behind(actor) -> None:
    """Draw a surface a little behind the lines that lie in it."""
    actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
    actor.mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(1.0, 1.0)

"""Pictures of a run's mechanism: ``results.scene(...)``."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ...errors import InputError
from .. import files
from ..offscreen import NO_OPENGL, opengl_works
from . import images, instants, lens
from .assembly import draw
from .contacts import lubricated, outward
from .ground import ENDLESS
from .mechanism import Mechanism
from .stage import Stage
from .view import View, direction

COLORED = ("bodies", "von_mises", "pressure")


#: radius shown by a lens, by the size of the item, for some types
_WIDE = {"rod_guide": 4.5, "clearance_translational": 1.4}


class Scene:
    """The mechanism of a run in motion, ready to be drawn.

    Args:
        motion: ``results.motion``.
        results: the run's channels, for contact forces and paths of probes.
        fields: folder of the run's fields, with the files of solids and films.
        title: of pages.
        up: upward direction in pictures, a vector; default: that of the case, else opposite to
            gravity.
        view: ``"own"``, ``"front"``, ``"back"``, ``"side"``, ``"top"``, ``"iso"`` or a vector from
            the mechanism to the eye.
        clearance_scale: factor by which clearances are enlarged: ``"auto"`` (to about a third of
            the bearing's radius; the caption states the factor), a number (1: to scale), or numbers
            by name of the joint.
        motion_scale: factor by which displacements are enlarged, for motions too small to be
            visible; ``"auto"``: as far as necessary.
        color: ``"bodies"``: a colour for each body; ``"von_mises"``: stress on beams and solids;
            ``"pressure"``: bodies are pale next to the oil films, which always show their pressure.
        forces: draw contact forces.
        traces: draw the paths of probes: all, none, or those named.
        layers: draw links of a plane mechanism side by side, as real ones are.
        hide: names of bodies and items that are omitted.

    Raises:
        InputError: an unknown choice; nothing to draw.
    """

    def __init__(
        self, motion, results=None, *, fields: Path | None = None, title: str = "mechanism",
        up=None, view=None, clearance_scale: Any = "auto", motion_scale: float | str = 1.0,
        color: str = "bodies", forces: bool = True, traces: bool | Sequence[str] = True,
        layers: bool = True, hide: Sequence[str] = (),
    ):  # fmt: skip
        if color not in COLORED:
            raise InputError(f"color {color!r}: it must be one of {', '.join(COLORED)}.")
        if not len(motion.time):
            raise InputError("nothing has been recorded of this run's motion.")
        self.mechanism = Mechanism(
            motion, up, _scales(motion, clearance_scale), _factor("motion_scale", motion_scale)
        )
        known = {*self.mechanism.bodies, *(i["name"] for i in self.mechanism.items)}
        for name in hide:
            if name not in known:
                raise InputError(f"hide: there is no {name!r}; there are {', '.join(known)}.")
        probes = [i["name"] for i in self.mechanism.items if i["type"] == "probe"]
        wanted = probes if traces is True else [] if traces is False else list(traces)
        hidden = {*hide, *(p for p in probes if p not in wanted)}
        self.results, self.title, self.towards = results, title, direction(self.mechanism, view)
        self.drawing, parts = draw(
            self.mechanism, results, fields, color, self.towards, layers, hidden
        )
        self.parts = [p for p in parts if forces or p.kind != "force"]
        if not self.parts:
            raise InputError("there is nothing to draw: no body has a shape, no joint a place.")

    # --- what is seen ---------------------------------------------------------------------------
    @property
    def times(self) -> np.ndarray:
        """Recorded instants, s."""
        return self.mechanism.motion.time

    @property
    def caption(self) -> str:
        """What is not true to scale, or not drawn, in words."""
        m, words = self.mechanism, []
        scales = set(m.scale.values())
        if len(scales) == 1:
            words = [f"clearance × {scales.pop():g}"]
        elif scales:
            words = ["clearance of " + ", ".join(f"{n} × {s:g}" for n, s in m.scale.items())]
        if m.wear:
            words.append("wear × " + ", ".join(f"{s:,.0f}" for s in m.wear.values()))
        if unseen := [i["name"] for i in m.items if i.get("wears")]:
            words.append(f"wear of {', '.join(unseen)} not drawn")
        if m.motion_scale != 1:
            words.append(f"motion × {m.motion_scale:g}")
        return ",  ".join(words)

    @property
    def hardly_moves(self) -> bool:
        """Whether the motion is hardly visible: less than 3 % of the mechanism's extent."""
        return 1e-6 * self.mechanism.extent < self.mechanism.moved < 0.03 * self.mechanism.extent

    @property
    def paint(self):
        """The colour scale, if parts are coloured by a quantity."""
        return next((p.paint for p in self.parts if p.paint is not None), None)

    @property
    def paints(self) -> list:
        """All colour scales."""
        return list(dict.fromkeys(p.paint for p in self.parts if p.paint is not None))

    @property
    def clock(self) -> tuple[float, str, int]:
        """Factor, unit and decimals of times."""
        return instants.clock(float(self.times[-1] - self.times[0]))

    def instant(self, at: float | None) -> int:
        """Number of the recorded instant nearest to a time, s; default: a characteristic one."""
        if at is None:
            return instants.telling(self.mechanism, self.results)
        return instants.nearest(self.times, float(at))

    @cached_property
    def frame(self) -> View:
        """The frame of the whole motion."""
        view = View(self.mechanism.up, self.towards)
        seen = [p for p in self.parts if p.kind != "trace"]
        # parts that are much longer than the mechanism, as a belt, may extend beyond the picture
        most = ENDLESS * self.mechanism.size
        short = [p for p in seen if callable(p.mesh) or p.mesh.length < most]
        last = len(self.times) - 1
        ks = np.unique(np.linspace(0, last, min(24, last + 1)).astype(int))
        view.fit(short or seen, ks.tolist(), range(last + 1))
        return view

    def _stage(self, size: int, view: View | None = None) -> Stage:
        if not opengl_works():
            raise InputError(f"{NO_OPENGL}; write a page for a browser instead.")
        return Stage(self.parts, view or self.frame, size)

    def stamp(self, k: int) -> str:
        """The time of an instant, in words."""
        scale, unit, digits = self.clock
        return f"t = {scale * self.times[k]:.{digits}f} {unit}"

    # --- pictures -------------------------------------------------------------------------------
    def image(
        self, at: float | None = None, lens: str | bool | None = None, size: int = 1000
    ) -> Image.Image:
        """One picture, of Pillow.

        Args:
            at: time, s; default: a characteristic instant.
            lens: name of an item that is magnified next to the picture; ``True``: the first one
                with clearance.
            size: pixels of the longer side.
        """
        k = self.instant(at)
        stage = self._stage(size)
        try:
            stage.show(k)
            image = stage.image()
            words = 0.022 * max(stage.pixels)
            image, moved = images.headed(image, self._words(k, lens), words)
            if lens:
                image = self._lens(image, stage, self._item(lens), k, moved)
        finally:
            stage.close()
        return image if self.paint is None else images.color_bar(image, self.paint, words)

    def _words(self, k: int, lens) -> str:
        words = [self.stamp(k)]
        for item in self.mechanism.items:
            if item["name"] in self.mechanism.scale and (said := self._carried(item, k)):
                words.append(said)
                break
        if self.caption and not lens:
            words.append(self.caption)
        return ",  ".join(words)

    def _carried(self, item: dict, k: int) -> str:
        """The force in a joint with clearance, in words; empty if nothing was recorded."""
        found = outward(self.drawing, item)
        if found is None:
            return ""
        size = float(np.linalg.norm(found[0][k]))
        if not lubricated(item):
            return f"contact {newtons(size)}" if size > 0 else "no contact"
        touching = self.drawing.channel(item, "contact_force")
        what = "film" if touching is None or not touching[k] else "film and contact"
        return f"{what} {newtons(size)}"

    def _item(self, name: str | bool) -> dict:
        found = [i for i in self.mechanism.items if i["name"] == name]
        if name is True:
            found = [i for i in self.mechanism.items if i["name"] in self.mechanism.scale]
        if not found or not [*self.drawing.frames(found[0])]:
            places = [i["name"] for i in self.mechanism.items if [*self.drawing.frames(i)]]
            what = "a clearance" if name is True else repr(name)
            raise InputError(f"lens: there is no item {what}; there are {', '.join(places)}.")
        return found[0]

    def _lens(self, image, stage: Stage, item: dict, k: int, moved):
        m, frames = self.mechanism, [*self.drawing.frames(item)]
        frame = frames[-1] if item["type"] == "clearance_translational" else frames[0]
        sizes = item.get("sizes") or {}
        names = ("bearing_radius", "socket_radius", "hole_radius", "height")
        radius = max(sizes.get(n) or 0.0 for n in names)
        round_ = "bearing_radius" in sizes
        axis = m.axis(item, k) if round_ else None
        if axis is not None and axis @ self.towards < 0:
            axis = -axis
        scale = m.scale.get(item["name"])
        words = item["name"] + (f", clearance × {scale:g}" if scale else "")
        if item["name"] in m.wear:
            words += f"\nwear × {m.wear[item['name']]:,.0f}"
        at = m.pose(frame)(k)[:3, 3]
        wide = _WIDE.get(item["type"], 1.75) * radius or 3 * self.drawing.knuckle
        return lens.beside(image, stage, at, wide, axis, words, self._in_front(item), moved=moved)

    def _in_front(self, item: dict) -> list[str]:
        """Names of what may be in front of an item: all bodies and joints except its own."""
        near = {item["name"], *map(self.drawing.body_of, self.drawing.frames(item))}
        return [p.name for p in self.parts if p.name not in near and p.kind != "ground"]

    def picture(
        self, path, at: float | None = None, lens: str | bool | None = None, size: int = 1000
    ) -> Path:
        """Write one picture (PNG).

        Args:
            path: the file.
            at: time, s; default: an instant with a large contact force at which joints are far
                apart.
            lens: name of an item that is magnified next to the picture; ``True``: the first one
                with clearance.
            size: pixels of the longer side.

        Raises:
            InputError: no such item, no OpenGL, a file that cannot be written.
        """
        return files.save_png(self.image(at, lens, size), path)

    def strip(self, path, count: int = 5, size: int = 1600, below: Scene | None = None) -> Path:
        """Write pictures of several instants side by side (PNG): of the last turn of a driven body,
        else of the whole run.

        Args:
            path: the file.
            count: number of pictures.
            size: pixels of the whole width.
            below: another scene of the run for a second row, such as one with enlarged motion.

        Raises:
            InputError: no OpenGL, a file that cannot be written.
        """
        rows = [self] if below is None else [self, below]
        words = [[row.caption] if row.caption else [] for row in rows]
        if below is not None and self.mechanism.motion_scale == 1:
            words[0].append("motion × 1")
        sheets = [
            row._strip(count, size, ",  ".join(w)) for row, w in zip(rows, words, strict=True)
        ]
        return files.save_png(images.stacked(sheets), path)

    def _strip(self, count: int, size: int, words: str) -> Image.Image:
        """Several instants side by side, with text above and the colour bar."""
        ks = instants.several(self.mechanism, count)
        shots = self.shots(ks, max(400, size // 2))
        sheet = images.beside(shots, [self.stamp(k) for k in ks], size)
        if words:
            sheet, _ = images.headed(sheet, words, 15)
        return sheet if self.paint is None else images.color_bar(sheet, self.paint, 16)

    def shots(self, ks: Sequence[int], size: int) -> list[Image.Image]:
        """Pictures of some instants, by number, without text."""
        stage = self._stage(size)
        try:
            found = []
            for k in ks:
                stage.show(k)
                found.append(stage.image())
            return found
        finally:
            stage.close()

    def animation(
        self, path, seconds: float = 5.0, fps: float = 15.0, size: int = 640, stamped: bool = True
    ) -> Path:
        """Write the whole run as ``.gif`` or ``.mp4``.

        Args:
            path: the file.
            seconds: length of the animation.
            fps: most pictures per second; there are no more than recorded instants.
            size: pixels of the longer side.
            stamped: write the time on each picture.

        Raises:
            InputError: another type of file, no OpenGL, no package that writes MP4.
        """
        from .animation import write

        return write(self, path, seconds, fps, size, stamped)

    def page(self, path, seconds: float = 5.0, count: int = 60) -> Path:
        """Write a page for any browser (``.html``), in which the mechanism can be played and
        rotated, and parts hidden and queried.

        Args:
            path: the file.
            seconds: duration of the motion at normal speed.
            count: most instants in the page.

        Raises:
            InputError: the file cannot be written.
        """
        from .page import write

        return write(self, path, seconds, count)

    def plotter(self, at: float | None = None, size: int = 1000):
        """A PyVista plotter with all parts in place, for further use (off screen; for interactive
        use in Jupyter call ``pyvista.set_jupyter_backend``)."""
        stage = self._stage(size)
        stage.show(self.instant(at))
        return stage.plotter

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        """For notebooks: the page, and a picture for viewers that do not run scripts."""
        from .page import framed

        bundle = {"text/plain": repr(self), "text/html": framed(self)}
        if opengl_works():
            buffer = io.BytesIO()
            self.image(size=800).save(buffer, "PNG", optimize=True)
            bundle["image/png"] = base64.b64encode(buffer.getvalue()).decode()
        return bundle

    def __repr__(self) -> str:
        m = self.mechanism
        return f"Scene({len(m.bodies)} bodies, {len(m.items)} items, {len(self.times)} instants)"


def newtons(force: float) -> str:
    """A force in words."""
    return f"{force:,.0f} N" if force >= 100 else f"{force:.3g} N"


def _scales(motion, wanted):
    if wanted == "auto":
        return wanted
    if isinstance(wanted, dict):
        names = [i["name"] for i in motion.scene["items"]]
        for name in wanted:
            if name not in names:
                raise InputError(
                    f"clearance_scale: there is no item {name!r}; there are {', '.join(names)}."
                )
        return wanted
    return _factor("clearance_scale", wanted, ", or one a joint")


def _factor(what: str, wanted, more: str = ""):
    """A positive factor or ``"auto"``."""
    if wanted == "auto":
        return wanted
    try:
        value = float(wanted)
    except (TypeError, ValueError):
        value = np.nan
    if not 0 < value < np.inf:
        raise InputError(f"{what} {wanted!r}: it must be 'auto' or a positive factor{more}.")
    return value

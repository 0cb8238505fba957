"""A PyVista plotter in which parts are shown and moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyvista as pv
from PIL import Image

from ..offscreen import pixels, plotter
from .drawing import INK, Part
from .view import View


class Stage:
    """Parts in a plotter.

    Args:
        parts: to be shown.
        view: with a known frame.
        size: pixels of the picture's longer side.
        window: a plotter with a window; default: one off screen.
    """

    def __init__(self, parts: Sequence[Part], view: View, size: int = 1000, window=None):
        self.parts, self.view = parts, view
        scale = size / view.span.max()
        self.pixels = tuple(max(2 * round(s * scale / 2), 160) for s in view.span)
        self.plotter = window or plotter(self.pixels)
        self._light()
        self.aim()
        self._shown: list[tuple[pv.PolyData, list] | None] = [None] * len(parts)

    def _light(self) -> None:
        v, p = self.view, self.plotter
        p.remove_all_lights()
        key = v.towards + 0.45 * v.over - 0.5 * v.right
        fill = v.towards + 0.8 * v.right + 0.2 * v.over
        for way, power in ((key, 0.6), (v.towards, 0.28), (fill, 0.22)):
            p.add_light(pv.Light(position=v.centre + v.reach * way, focal_point=v.centre,
                                 intensity=power, light_type="scene light"))  # fmt: skip

    def aim(self, centre=None, half: float | None = None, towards=None) -> None:
        """Point the camera at the whole frame (default), or at a point, with half the visible
        height, m, and the direction to the eye."""
        v, c = self.view, self.plotter.camera
        centre = v.centre if centre is None else np.asarray(centre, float)
        towards = v.towards if towards is None else towards
        if half is None:
            wide = v.span[0] * self.pixels[1] / self.pixels[0]
            half = max(v.span[1], wide) / 2
        c.focal_point = centre
        c.position = centre + v.reach * towards
        c.up, c.parallel_scale = v.up, half

    def show(self, k: int) -> None:
        """Move all parts to their places at instant number ``k``."""
        self.plotter.suppress_rendering = True  # add_silhouette would draw each time
        for n, part in enumerate(self.parts):
            mesh, held = part.at(k), self._shown[n]
            if held is not None:
                if mesh is held[0]:
                    continue
                if mesh is not None and _alike(mesh, held[0]):
                    _update(held[0], mesh)
                    self._visible(held[1], True)
                    continue
                if mesh is None:
                    self._visible(held[1], False)
                    continue
                for actor in held[1]:
                    self.plotter.remove_actor(actor, render=False)
            if mesh is not None:
                mesh = mesh.copy()
                self._shown[n] = (mesh, self._add(part, mesh))
        self.plotter.suppress_rendering = False

    @staticmethod
    def _visible(actors, on: bool) -> None:
        for actor in actors:
            actor.SetVisibility(on)

    def _add(self, part: Part, mesh: pv.PolyData) -> list:
        options: dict[str, Any] = dict(
            ambient=0.36, diffuse=0.76, specular=0.12, specular_power=12, lighting=part.lit,
            smooth_shading="Normals" in mesh.point_data, reset_camera=False, render=False,
            show_scalar_bar=False, line_width=part.width,
        )  # fmt: skip
        if part.paint is not None and part.paint.name in mesh.point_data:
            paint = part.paint
            options |= dict(scalars=paint.name, clim=(paint.low, paint.high), cmap=paint.map)
        elif "rgb" in mesh.point_data:
            options |= dict(scalars="rgb", rgb=True)
        else:
            options["color"] = part.color
        actors = [self.plotter.add_mesh(mesh, **options)]
        if part.outline and mesh.n_faces:
            mapper = actors[0].mapper
            mapper.SetResolveCoincidentTopologyToPolygonOffset()
            mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(3.0, 6.0)
            actors.append(
                self.plotter.add_silhouette(
                    mesh, color=INK, line_width=part.outline, feature_angle=40
                )
            )
        return actors

    def name_of(self, mesh) -> str | None:
        """Name of the body or item to which a mesh of the plotter belongs."""
        for part, held in zip(self.parts, self._shown, strict=True):
            if held is not None and held[0] is mesh:
                return part.name
        return None

    def hide(self, names: Sequence[str], on: bool = True) -> None:
        """Hide parts of some bodies or items, or show them again."""
        for part, held in zip(self.parts, self._shown, strict=True):
            if held is not None and part.name in names:
                self._visible(held[1], not on)

    def image(self) -> Image.Image:
        """The present picture."""
        return Image.fromarray(pixels(self.plotter)[..., :3])

    def close(self) -> None:
        """Free the plotter."""
        self.plotter.close()


def _alike(a: pv.PolyData, b: pv.PolyData) -> bool:
    return a.n_points == b.n_points and a.n_cells == b.n_cells and a.n_lines == 0


def _update(held: pv.PolyData, mesh: pv.PolyData) -> None:
    held.points = mesh.points
    for name in mesh.point_data:
        held.point_data[name] = mesh.point_data[name]

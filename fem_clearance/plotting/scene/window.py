"""A PyVista window with a moving mechanism."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import Any

from ...errors import InputError
from ..offscreen import NO_OPENGL, opengl_works
from .numbers import told
from .scene import Scene
from .stage import Stage
from .view import direction

#: views by the keys that show them
KEYS = {"1": "own", "2": "front", "3": "side", "4": "top", "5": "iso"}
#: pause between pictures while it plays, ms
PAUSE = 40
HELP = "space: play or pause   + -: faster, slower   1 to 5: views   click: what it is"


class Window:
    """The plotter, its widgets, and the actions of keys.

    Args:
        scene: to be shown.
        seconds: duration of the motion at normal speed.
        off_screen: without a window, for tests.
    """

    def __init__(self, scene: Scene, seconds: float, off_screen: bool = False):
        import pyvista

        self.scene, self.seconds = scene, seconds
        self.plotter = pyvista.Plotter(off_screen=off_screen, title=scene.title, lighting="none")
        self.plotter.set_background("white")
        self.plotter.enable_parallel_projection()
        self.plotter.enable_anti_aliasing("msaa")
        self.stage = Stage(scene.parts, scene.frame, window=self.plotter)
        self.last, self.at, self.playing, self.speed = len(scene.times) - 1, 0.0, False, 1.0
        self.slider = None
        self.found: str | None = None
        self.plotter.add_axes()
        self.plotter.add_text(HELP, position="lower_left", font_size=8, color="#56616f")
        for n, name in enumerate(dict.fromkeys(p.name for p in scene.parts if p.kind == "body")):
            self._tick(n, name)
        if self.last and not off_screen:
            self.slider = self.plotter.add_slider_widget(
                self.go, (0, self.last), value=0, title="instant", fmt="%.0f",
                pointa=(0.55, 0.08), pointb=(0.95, 0.08),
            )  # fmt: skip
        self.plotter.add_key_event("space", self.play)
        self.plotter.add_key_event("plus", lambda: self.faster(2.0))
        self.plotter.add_key_event("minus", lambda: self.faster(0.5))
        for key, view in KEYS.items():
            self.plotter.add_key_event(key, lambda view=view: self.look(view))
        self.go(0)

    def _tick(self, number: int, name: str) -> None:
        """A box that shows or hides a body."""
        color, y = self.scene.drawing.colors.get(name, "#8d99a6"), 60 + 26 * number
        self.plotter.add_checkbox_button_widget(
            lambda on: self.stage.hide([name], not on), value=True, position=(12, y), size=18,
            color_on=color,
        )  # fmt: skip
        self.plotter.add_text(name, position=(38, y), font_size=9, color="#1d2430")

    def go(self, k: float) -> None:
        """Show an instant by its number."""
        self.at = float(k) % (self.last + 1)
        self.stage.show(int(self.at))
        words = self.scene.stamp(int(self.at))
        if self.scene.caption:
            words += f"\n{self.scene.caption}"
        self.plotter.add_text(words, name="time", font_size=11, color="#1d2430")
        self.tell()

    def play(self) -> None:
        """Play, or pause."""
        self.playing = not self.playing

    def faster(self, factor: float) -> None:
        """Change the speed by a factor."""
        self.speed *= factor

    def look(self, view: str) -> None:
        """Set a view by name."""
        self.stage.aim(towards=direction(self.scene.mechanism, view))
        self.plotter.render()

    def tick(self, step: int = 0) -> None:
        """Advance the motion; called every ``PAUSE`` ms."""
        if self.playing and self.last:
            self.go(self.at + 1e-3 * PAUSE * self.speed * (self.last + 1) / self.seconds)
            if self.slider is not None:
                self.slider.GetRepresentation().SetValue(int(self.at))
            self.plotter.render()

    def picked(self, mesh) -> None:
        """Show name and channels of what has been clicked."""
        name = self.stage.name_of(mesh)
        if name is not None:
            self.found = name
            self.tell()

    def tell(self) -> None:
        """Write name and channels, at this instant, of what has been clicked."""
        if self.found is not None:
            self.plotter.add_text(self.words(), name="picked", position="upper_right", font_size=11,
                                  color="#1d2430")  # fmt: skip

    def words(self) -> str:
        """Name and channels of what has been clicked, in lines."""
        rows = self.channels.get(self.found or "", [])
        k = int(self.at)
        lines = [f"{r['name']}  {r['values'][k]:.4g} {r['unit']}".rstrip() for r in rows]
        return "\n".join([self.found or "", *lines])

    @cached_property
    def channels(self) -> dict[str, list[dict[str, Any]]]:
        """Channels of bodies and items at all instants, read at the first click."""
        return told(self.scene, range(self.last + 1))

    def open(self) -> None:
        """Show the window until it is closed."""
        self.plotter.enable_mesh_picking(
            self.picked, show=False, show_message=False, left_clicking=True
        )
        self.plotter.add_timer_event(max_steps=10**9, duration=PAUSE, callback=self.tick)
        self.playing = self.last > 0
        self.plotter.show()


def show(scene: Scene, seconds: float) -> None:
    """Open a window.

    Args:
        scene: to be shown.
        seconds: duration of the motion at normal speed.

    Raises:
        InputError: no screen, or no working OpenGL.
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        raise InputError("there is no screen here; write a page for a browser: view --html FILE.")
    if not opengl_works():
        raise InputError(f"{NO_OPENGL}; write a page for a browser instead: view --html FILE.")
    Window(scene, seconds).open()

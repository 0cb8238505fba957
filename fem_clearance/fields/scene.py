"""The description of a mechanism for pictures: bodies with their shapes, items with their
portraits, and the frames that move with them. It is written once per run to ``scene.json``, which
can be read without the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..model.frame import Frame, RigidFrame
from ..model.item import Item
from ..model.portrait import BodyPortrait, Portrait, portrait_of

#: version of the layout of ``scene.json`` and ``frames.h5``
VERSION = 1


class SceneBuilder:
    """Describes a system for pictures.

    Args:
        system: the assembled system.
        recorded: name of each channel as the run records it, by the name the system gives it.

    Attributes:
        frames: frames whose poses are recorded, each once.
        beams: beams whose centre lines are recorded.
        scene: content of ``scene.json``, see docs/recording.md.
    """

    def __init__(self, system, recorded: Mapping[str, str]):
        self.frames: list[Frame] = []
        self._names: list[str] = []
        self._places: dict[tuple, int] = {}
        self._recorded = recorded
        self.beams: list[Any] = []
        self._bodies: dict[int, dict[str, Any]] = {}
        bodies, items = [], []
        for item in (system.ground, *system.items):
            portrait = portrait_of(item)
            if isinstance(portrait, BodyPortrait):
                self._bodies[id(item)] = self._body(item, portrait)
                bodies.append(self._bodies[id(item)])
            else:
                items.append((item, portrait))
        things = [self._item(item, portrait) for item, portrait in items]
        self.scene: dict[str, Any] = {
            "version": VERSION,
            "up": upward(system),
            "frames": [
                {"name": name, "body": f.body.name, "turns": f.kind.turns}
                for name, f in zip(self._names, self.frames, strict=True)
            ],
            "bodies": bodies,
            "items": things,
        }  # fmt: skip

    def _frame(self, frame: Frame | None, name: str) -> int | None:
        """Number of a frame, which is added to the recorded ones."""
        if frame is None:
            return None
        about = (frame.offset, frame.weights, frame.position, frame.basis)
        key = (id(frame.body), frame.kind, *(x.tobytes() for x in about))
        if key not in self._places:
            self._places[key] = len(self.frames)
            self.frames.append(frame)
            self._names.append(name)
        return self._places[key]

    def _body(self, body: Item, portrait: BodyPortrait) -> dict[str, Any]:
        if portrait.type == "beam":
            self.beams.append(body)
        return {
            "name": body.name,
            "type": portrait.type,
            "frame": self._frame(portrait.frame, body.name),
            "shape": portrait.shape,
            "given": portrait.shape is not None,
            "attached": [],
            **portrait.data,
        }

    def _item(self, item: Item, portrait: Portrait) -> dict[str, Any]:
        frames = {"i": portrait.i, "j": portrait.j}
        numbers = {s: self._frame(f, f"{item.name}.{s}") for s, f in frames.items()}
        for side, frame in frames.items():
            body = None if frame is None else self._bodies.get(id(frame.body))
            if frame is not None and body is not None:
                point = frame.offset.tolist() if isinstance(frame.kind, RigidFrame) else None
                about = {"item": item.name, "frame": numbers[side], "point": point}
                body["attached"].append(about)
        axis = portrait.axis
        if axis is not None and portrait.i is not None:
            axis = np.linalg.solve(portrait.i.basis, axis)
        start = f"{item.name}."
        return {
            "name": item.name,
            "type": portrait.type,
            "frame_i": numbers["i"],
            "frame_j": numbers["j"],
            "axis": None if axis is None else np.asarray(axis, float).tolist(),
            "sizes": {name: float(x) for name, x in portrait.sizes.items()},
            "channels": {
                own.removeprefix(start): name
                for own, name in self._recorded.items()
                if own.startswith(start)
            },
            **portrait.data,
        }


def upward(system) -> list[float] | None:
    """Direction that points up in pictures: the system's ``up``, else opposite to gravity."""
    up = -system.gravity if system.up is None else system.up
    size = np.linalg.norm(up)
    return (up / size + 0.0).tolist() if size > 0 else None

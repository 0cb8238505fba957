"""A bearing from an analysis without time: bore, enlarged journal or ball, oil film coloured by its
pressure, and load."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...io.vtk import entries, read_vtu
from .scene import Scene, newtons

#: series of files that analyses of bearings write
FILM, LINER = "film", "liner"
#: rotation of the journal for the arrow that shows its sense of rotation, rad
TURN = 0.1


class Numbers(dict[str, np.ndarray]):
    """Channels by name, with their times."""

    time = np.array([0.0, 1.0])


class Bearing(Scene):
    """A scene of one bearing; made by ``bearing``."""

    load = 0.0

    def stamp(self, k: int) -> str:
        return f"load {newtons(self.load)}"


def bearing(fields: Path, title: str = "bearing", **choices: Any) -> Bearing | None:
    """The bearing whose film an analysis wrote into a folder of fields; ``None`` without one.

    Args:
        fields: the folder.
        title: of pages.
        choices: as of ``Scene``.
    """
    if not entries(fields / f"{FILM}.pvd"):
        return None
    data = read_vtu(fields / entries(fields / f"{FILM}.pvd")[-1][1])
    if "eccentricity" not in data or "force" not in data:
        return None
    load = -np.resize(data["force"].ravel(), 3)  # in equilibrium with the film's force
    numbers = Numbers({f"load.{x}": np.full(2, load[n]) for n, x in enumerate("xyz")})
    motion = _motion(data, _outer(fields))
    found = Bearing(motion, numbers, fields=fields, title=title, **choices)
    found.load = float(np.linalg.norm(load))
    return found


def _outer(fields: Path) -> float | None:
    """Outer radius of the liner, m, if there is one."""
    found = entries(fields / f"{LINER}.pvd")
    if not found:
        return None
    data = read_vtu(fields / found[-1][1])
    return float(np.hypot(*(data["points"] - data.get("displacement", 0.0)).T[:2]).max())


def _motion(data, outer: float | None) -> SimpleNamespace:
    """Poses and items of a housing on the ground and a journal or ball in it at two instants; at
    the second one a journal is rotated slightly in its sense of rotation."""
    x, e = data["points"], np.zeros(3)
    given = data["eccentricity"].ravel()
    e[: len(given)] = given
    far, off = np.linalg.norm(x, axis=1), np.hypot(*x[:, :2].T)  # from the centre, the axis
    ball = bool(np.ptp(off) > 1e-3 * far.max())
    clearance = float(data["clearance"].item())
    name = "ball" if ball else "journal"
    film = {"series": FILM, "side": "i", "axes": np.eye(3).tolist(), "origin": [0.0, 0.0, 0.0],
            "turning": False}  # fmt: skip
    item: dict[str, Any] = {"name": "bearing", "frame_i": 0, "frame_j": 1, "channels": {},
                            "films": [film]}  # fmt: skip
    if ball:
        radius = float(far.max())
        sizes = {"socket_radius": radius, "ball_radius": radius - clearance}
        item |= {"type": "clearance_spherical", "axis": None}
    else:
        radius = float(off.max())
        sizes = {"bearing_radius": radius, "length": float(np.ptp(x[:, 2])),
                 "start": float(x[:, 2].min())}  # fmt: skip
        item |= {"type": "film", "axis": [0.0, 0.0, 1.0]}
    item["sizes"] = {**sizes, "clearance": clearance}
    items = [item, {"name": "load", "type": "force", "frame_i": 1, "frame_j": None, "axis": None,
                    "sizes": {}, "channels": {n: f"load.{n}" for n in "xyz"}}]  # fmt: skip
    speed = float(data["speed"].item()) if "speed" in data else 0.0
    if speed and not ball:
        items.append({"name": "speed", "type": "driver", "frame_i": 0, "frame_j": 1,
                      "axis": [0.0, 0.0, 1.0], "sizes": {}, "channels": {}})  # fmt: skip
    bodies = [{"name": "ground", "type": "ground", "frame": 0, "shape": None, "attached": []},
              {"name": name, "type": "rigid", "frame": 1, "shape": None,
               "attached": []}]  # fmt: skip
    if outer is not None:
        bodies.append({"name": "bearing.liner", "type": "solid", "frame": None, "series": LINER,
                       "shape": None, "attached": []})  # fmt: skip
        item["sizes"]["liner_radius"] = outer
    c, s = np.cos(TURN), np.sign(speed) * np.sin(TURN)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return SimpleNamespace(
        time=Numbers.time, position=np.tile([np.zeros(3), e], (2, 1, 1)), beams={},
        triad=np.array([[np.eye(3), np.eye(3)], [np.eye(3), turned]]),
        scene={"version": 1, "up": None, "bodies": bodies, "items": items,
               "frames": [{"name": "ground", "body": "ground"}, {"name": name, "body": name}]},
    )  # fmt: skip

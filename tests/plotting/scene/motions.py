"""Motions of closed forms: a slider-crank with a loose pin, a pendulum in a socket."""

from types import SimpleNamespace

import numpy as np

CRANK, COUPLER = 0.05, 0.12
BEARING, CLEARANCE = 0.01, 0.0005
#: distance of the journal from its bearing in units of the clearance
PRESSED = 1.0


class Channels(dict):
    """Channels by name, as ``Results`` gives them."""

    @property
    def time(self):
        return self["time"]


def about_z(angles: np.ndarray) -> np.ndarray:
    c, s = np.cos(angles), np.sin(angles)
    turn = np.zeros((len(angles), 3, 3))
    turn[:, 0, 0], turn[:, 0, 1], turn[:, 1, 0], turn[:, 1, 1], turn[:, 2, 2] = c, -s, s, c, 1
    return turn


class Builder:
    """Collects frames, bodies and items."""

    def __init__(self, time):
        self.time, self.frames, self.bodies, self.items = np.asarray(time, float), [], [], []
        self.position, self.triad = [], []
        self.body("ground", self.still((0, 0, 0)), type="ground")

    def still(self, at):
        return np.tile(np.asarray(at, float), (len(self.time), 1))

    def frame(self, body, position, triad=None):
        self.frames.append({"name": f"{body}{len(self.frames)}", "body": body})
        self.position.append(np.asarray(position, float))
        eye = np.tile(np.eye(3), (len(self.time), 1, 1))
        self.triad.append(eye if triad is None else triad)
        return len(self.frames) - 1

    def body(self, name, position, triad=None, type="rigid", shape=None):
        frame = self.frame(name, position, triad)
        self.bodies.append({"name": name, "type": type, "frame": frame, "shape": shape,
                            "given": shape is not None, "attached": []})  # fmt: skip
        return frame

    def item(self, name, type, i, j=None, axis=None, sizes=None, channels=()):
        self.items.append({"name": name, "type": type, "frame_i": i, "frame_j": j, "axis": axis,
                           "sizes": sizes or {},
                           "channels": {c: f"{name}.{c}" for c in channels}})  # fmt: skip

    def motion(self, up=(0, 1, 0)):
        return SimpleNamespace(
            time=self.time, position=np.stack(self.position, 1), triad=np.stack(self.triad, 1),
            beams={}, scene={"version": 1, "up": up, "frames": self.frames, "bodies": self.bodies,
                             "items": self.items},
        )  # fmt: skip


def slider_crank(count=21, ratio=PRESSED):
    """Two turns; the journal is pressed against the bearing by ``ratio`` clearances, towards +x at
    first and round the bearing as the crank turns; channels say so."""
    t = np.linspace(0, 0.02, count)
    b = Builder(t)
    angle = 2 * np.pi * t / 0.01
    turn = about_z(angle)
    pin = CRANK * np.column_stack([np.cos(angle), np.sin(angle), 0 * t])
    e = ratio * CLEARANCE * np.column_stack([np.cos(angle), np.sin(angle), 0 * t])
    tilt = -np.arcsin(pin[:, 1] / COUPLER)
    end = pin + COUPLER * np.column_stack([np.cos(tilt), np.sin(tilt), 0 * t])
    end[:, 1] = 0.0
    bearing = end - e * (1, 0, 0) - e * (0, 1, 0)
    lean = np.arctan2(bearing[:, 1] - pin[:, 1], bearing[:, 0] - pin[:, 0])
    b.body("crank", pin / 2, turn)
    b.body("coupler", (pin + bearing) / 2, about_z(lean))
    b.body("slider", end)
    z = [0, 0, 1]
    b.item("O", "revolute", b.frame("ground", b.still((0, 0, 0))),
           b.frame("crank", 0 * pin, turn), z)  # fmt: skip
    b.item("drive", "driver", b.items[-1]["frame_i"], b.items[-1]["frame_j"], z)
    b.item("A", "revolute", b.frame("crank", pin, turn), b.frame("coupler", pin, about_z(lean)), z)
    b.item("guide", "prismatic", b.frame("ground", b.still(end[0])), b.frame("slider", end),
           [1, 0, 0])  # fmt: skip
    b.item(
        "joint", "clearance_revolute", b.frame("coupler", bearing, about_z(lean)),
        b.frame("slider", end), z,
        {"bearing_radius": BEARING, "journal_radius": BEARING - CLEARANCE, "clearance": CLEARANCE},
        ("normal_force",),
    )  # fmt: skip
    b.item("pin", "probe", b.frame("coupler", pin, about_z(lean)))
    channels = Channels({"time": t, "joint.normal_force": 100 + 50 * np.cos(angle)})
    return b.motion(), channels


def pendulum(count=11):
    """Half a metre, swinging by a third of a right angle; its ball pressed into a socket."""
    t = np.linspace(0, 1.0, count)
    b = Builder(t)
    angle = np.pi / 6 * np.cos(2 * np.pi * t)
    down = np.column_stack([np.sin(angle), -np.cos(angle), 0 * t])
    e = CLEARANCE * down
    b.body("arm", e + 0.25 * down, about_z(angle))
    b.item(
        "joint", "clearance_spherical", b.frame("ground", b.still((0, 0, 0))),
        b.frame("arm", e, about_z(angle)), None,
        {"socket_radius": BEARING, "ball_radius": BEARING - CLEARANCE, "clearance": CLEARANCE},
        ("normal_force",),
    )  # fmt: skip
    b.item("tip", "probe", b.frame("arm", e + 0.5 * down, about_z(angle)))
    return b.motion(), Channels({"time": t, "joint.normal_force": 5 + 0 * t})


def small(made, scale):
    """A motion and its channels ``scale`` times as large."""
    motion, channels = made
    motion.position = scale * motion.position
    for item in motion.scene["items"]:
        item["sizes"] = {name: scale * value for name, value in item["sizes"].items()}
    return motion, channels

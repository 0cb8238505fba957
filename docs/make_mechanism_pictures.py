"""Pictures of the cases' mechanisms, for pictures.md and the README.

python docs/make_mechanism_pictures.py            all
python docs/make_mechanism_pictures.py heavy_top  these only
"""

import sys
import tempfile
import time
from pathlib import Path

from fem_clearance import cases
from fem_clearance.plotting.scene.steady import bearing

TARGET = Path(__file__).parent / "figures" / "mechanisms"
SIZE = 760
#: changes of each case's parameters, what the picture shows, and what else is drawn
SHOWN = {
    "slider_crank_revolute": (
        {"t_end": 0.024, "output.fields_every": 2e-4}, {}, {"lens": "joint"}, ("strip", "gif")
    ),
    "slider_crank_translational": (
        {"t_end": 0.03, "output.fields_every": 5e-4}, {}, {"lens": "guide"}, ()
    ),
    "flexible_slider_crank": (
        {"output.fields_every": 1e-3}, {"color": "von_mises"}, {"at": 0.032}, ()
    ),
    "double_pendulum": (
        {"arm.model": "rigid", "t_end": 0.6, "output.fields_every": 0.01}, {}, {"lens": "joint"},
        (),
    ),
    "spatial_four_bar": (
        {"link.model": "rigid", "t_end": 1.2, "output.fields_every": 0.03}, {}, {"lens": "joint"},
        (),
    ),
    "four_bar_wear": (
        {"wear_periods": 2, "turns": 3, "output.fields_every": 0.01}, {},
        {"lens": "joint", "at": 0.6}, (),
    ),
    "double_four_bar": ({"t_end": 2.0, "output.fields_every": 0.05}, {}, {}, ()),
    "sliding_pendulum": ({"t_end": 1.0, "output.fields_every": 0.01}, {}, {"lens": "joint"}, ()),
    "flexible_pendulum": (
        {"t_end": 1.2, "output.fields_every": 0.02}, {"color": "von_mises"}, {}, ("strip",)
    ),
    "heavy_top": ({"t_end": 0.5, "output.fields_every": 0.01}, {}, {}, ()),
    "spur_gear_pair": ({"output.fields_every": 1e-4}, {}, {}, ()),
    "stick_slip_oscillator": ({"t_end": 20, "output.fields_every": 0.2}, {}, {}, ()),
    "twisting_column": (
        {"t_end": 0.15, "output.fields_every": 3e-3}, {"color": "von_mises"}, {}, ()
    ),
    "quick_return": (
        {
            "film.cells": "32x6", "crank.length": 0.06, "pinion.speed": 25.0, "viscosity": 0.3,
            "dt": 5e-5, "output.fields_every": 5e-3,
        }, {}, {"lens": "bearing.D"}, ("strip",),
    ),
}  # fmt: skip


#: analyses of bearings: changes of their parameters
STEADY: dict[str, dict] = {
    "journal_bearing": {}, "spherical_bearing": {},
    "ehd_bearing": {"clearance": 2e-5, "speed": 1e3},
}  # fmt: skip


def draw_bearing(name: str, folder: Path) -> None:
    """Run an analysis and draw its bearing."""
    cases.get(name).simulation(STEADY[name], output=folder).run()
    shown = bearing(folder / "fields")
    assert shown is not None
    shown.picture(TARGET / f"{name}.png", at=0.0, size=SIZE)


def draw(name: str, folder: Path) -> None:
    """Run a case and draw it."""
    tic = time.monotonic()
    changes, choices, options, more = SHOWN[name]
    results = cases.get(name).simulation(changes, output=folder, progress=False).run()
    scene = results.scene(**choices)
    scene.picture(TARGET / f"{name}.png", size=SIZE, **options)
    if "strip" in more:
        scene.strip(TARGET / f"{name}_strip.png", size=1200)
    if "gif" in more:
        scene.animation(TARGET / f"{name}.gif", seconds=4.0, fps=10, size=420)
    print(f"{name}: {time.monotonic() - tic:.0f} s", flush=True)


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for case in sys.argv[1:] or [*SHOWN, *STEADY]:
        with tempfile.TemporaryDirectory() as place:
            (draw if case in SHOWN else draw_bearing)(case, Path(place) / case)

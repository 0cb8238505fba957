"""Figure of wear.md: the worn surfaces of the four-bar mechanism's joint after one and two periods.

python docs/make_wear_figures.py (a minute)
python docs/make_wear_figures.py --turns (two minutes: how many turns a wear period stands for)
"""

import sys
from pathlib import Path

import numpy as np

from fem_clearance import cases
from fem_clearance.cases.four_bar_wear import STEADY
from fem_clearance.contact.wear.periods import kept
from fem_clearance.plotting import style

FIGURES = Path(__file__).parent / "figures"
ENLARGED = 40.0  # depths beside the radius of 10 mm
BODIES = ("bearing", "journal")


def run(**settings):
    """The case, run: its system and its joint with clearance."""
    simulation = cases.get("four_bar_wear").simulation(settings, output=None, progress=False)
    simulation.run()
    (joint,) = [item for item in simulation.system.items if item.name == "joint"]
    return simulation.system, joint


def worn(periods):
    """Depths of bearing and journal after so many wear periods, m, (2, bins)."""
    system, joint = run(wear_periods=periods + 1, turns=3, dt=2e-5)
    return joint.worn_depths(system)


def turns_of_a_period(rule):
    """Turns that the first wear period stands for, by a rule of the approach speed."""
    system, joint = run(wear_periods=2, turns=4, dt=1e-5, approach_speed=rule)
    ((_, repeat),) = kept(system.state, joint.name, "repeat")
    return STEADY * float(repeat[0])


@style.styled
def figure(depths):
    """Depths over the angle, and the outline of either body with depths enlarged."""
    figure, axes = style.subplots(2, 2, figsize=(7.6, 5.4), width_ratios=(2, 1.1))
    angle = np.linspace(0, 360, depths[0].shape[-1], endpoint=False)
    around = np.radians(np.append(angle, 0))
    for (curve, shape), k in zip(axes, range(2), strict=True):
        sign = 1 if k == 0 else -1
        shape.plot(*style.circle(10.0), color="0.6", lw=0.8, ls="--")
        for n, depth in enumerate(depths):
            label = f"after period {n + 1}"
            curve.plot(angle, 1e6 * depth[k], lw=1.2, label=label)
            r = 10.0 + sign * ENLARGED * 1e3 * np.append(depth[k], depth[k][0])
            shape.plot(r * np.cos(around), r * np.sin(around), lw=1.2)
        curve.set(ylabel=f"depth of the {BODIES[k]} [µm]", xlim=(0, 360))
        curve.set_ylim(bottom=0)
        curve.set_xticks(range(0, 361, 60))
        shape.set_aspect("equal")
        shape.set_title(f"{BODIES[k]}, depths times {ENLARGED:.0f}", fontsize=10)
        shape.set_axis_off()
    axes[0, 0].legend(loc="upper left")
    axes[1, 0].set_xlabel("angle on the body [deg]")
    return figure


if __name__ == "__main__":
    if "--turns" in sys.argv:
        for rule in ("phase", "first_touch"):
            print(f"{rule}: {turns_of_a_period(rule):.0f} turns")
        sys.exit()
    found = [worn(1), worn(2)]
    for n, depth in enumerate(found):
        print(f"after period {n + 1}: deepest", *(f"{b} {1e6 * d.max():.1f} um"
              for b, d in zip(BODIES, depth, strict=True)))  # fmt: skip
    figure(found).savefig(FIGURES / "wear_profiles.png", dpi=130)

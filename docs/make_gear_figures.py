"""The dynamic factor of the gear pair of Tian et al. (2015) over its speed: gears_speed.png.

python docs/make_gear_figures.py [FOLDER]

FOLDER (runs/gear_speeds) is that of the sweep, made if it is not there: 36 speeds, some two
minutes on one rank, less under mpirun -n N.
"""

import sys
from csv import DictReader
from pathlib import Path

import numpy as np

from fem_clearance.cases import spur_gear_pair
from fem_clearance.gears import equivalent_mass
from fem_clearance.plotting import style
from fem_clearance.program.cli import main

TARGET = Path(__file__).parent / "figures" / "gears_speed.png"
NATURAL = np.sqrt(
    spur_gear_pair.MEAN / equivalent_mass(spur_gear_pair.mesh(), spur_gear_pair.INERTIAS)
) / (2 * np.pi)  # Hz
#: mesh frequency by the natural one: close together at resonances
PARTS = np.concatenate(
    [np.linspace(0.15, 0.3, 6), np.linspace(0.31, 0.36, 6), np.linspace(0.38, 0.9, 10),
     np.linspace(0.92, 1.08, 9), np.linspace(1.12, 1.5, 5)]
)  # fmt: skip

#: those of the table in gears.md
SHOWN = (0.21, 0.24, 0.33, 0.438, 0.496, 0.611, 0.9, 1.0, 1.08, 1.215, 1.5)


@style.styled
def draw(parts, factor):
    figure, (ax,) = style.new()
    ax.plot(parts, factor, ".-")
    for k in (1, 2, 3):
        ax.axvline(1 / k, color="0.6", lw=0.8, ls=":")
    ax.set_xlabel("mesh frequency / natural frequency")
    ax.set_ylabel("largest / mean mesh force")
    return figure


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/gear_speeds")
    per_part = 60 * NATURAL / spur_gear_pair.TEETH[0]
    speeds = ",".join(f"{per_part * p:.0f}" for p in PARTS)
    code = main(["sweep", "spur_gear_pair", "--vary", f"pinion.rpm={speeds}", "--out", str(folder)])
    if code == 0:
        with open(folder / "table.csv", newline="") as file:
            rows = [(float(r["pinion.rpm"]), float(r["dynamic_factor"])) for r in DictReader(file)]
        rpm, factor = np.transpose(rows)
        for part in SHOWN:
            print(f"{part:.3g}: {factor[np.argmin(abs(rpm / per_part - part))]:.2f}")
        figure = draw(rpm / per_part, factor)
        style.save(figure, TARGET)
    sys.exit(code)

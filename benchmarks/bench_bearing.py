"""Plain journal bearing against ROSS (P6): CPU time at equal error.

    python benchmarks/bench_bearing.py [--ross PYTHON] [--rounds 3] [--page docs/comparison.md]

P6: L/D 1/2, eccentricity ratios .6 and .9, Reynolds' condition, constant viscosity, the film
starting at the largest gap. Both codes find the place that carries a given load, and its eight
stiffness and damping coefficients. The error is that of the load at that place, against
Butenschoen's table (1976).

ROSS's dependencies are its own: ``--ross`` names the Python of an environment that has
ross-rotordynamics; without it, and without ROSS beside fem_clearance, only our half runs. ROSS
knows pads only and loses a term of its equation on one of exactly 360 degrees: its pad is of 359.9,
its gap where the film starts.
"""

import argparse
import json
import os
import statistics
import sys
import time
import warnings
from pathlib import Path

import harness
import numpy as np

TABLE = Path(__file__).parents[1] / "tests" / "literature" / "data" / "butenschoen_1976.json"
R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
LENGTH, RATIOS = R, (0.6, 0.9)
#: cells (ROSS: points) round the bearing and along
OURS = ((24, 6), (32, 8), (48, 12), (64, 16), (96, 24))
THEIRS = ((20, 10), (40, 20), (80, 20), (160, 40))


def reference():
    """Load in N and attitude in degrees at each eccentricity ratio."""
    table = json.loads(TABLE.read_text())
    at = table["B_over_D"].index(0.5)
    unit = LENGTH * 2 * R * MU * SPEED / (C / R) ** 2
    rows = [table["eps_rotation"].index(e) for e in RATIOS]
    return {
        e: (table["So_rotation"][k][at] * unit, table["beta_deg"][k][at])
        for e, k in zip(RATIOS, rows, strict=True)
    }


def timed(function, rounds):
    """Median CPU seconds, after a call that may compile, and the result."""
    result, spent = function(), []
    for _ in range(rounds):
        tic = time.process_time()
        result = function()
        spent.append(time.process_time() - tic)
    return statistics.median(spent), result


def ours(rounds):
    """Rows: ratio, cells, CPU seconds in all, without set-up, error."""
    from fem_clearance.lubrication import (
        Bearing,
        Coefficients,
        Place,
        equilibrium,
        plain_bearing,
    )

    rows = []
    for ratio, (load, angle) in reference().items():
        away = np.radians(180 - angle)  # the journal then sits along x
        direction = load * np.array([-np.cos(away), -np.sin(away)])
        for cells in OURS:

            def made(cells=cells):
                return Bearing(
                    plain_bearing(R, LENGTH, C, MU, sliding_speed=SPEED * R, cells=cells, crowd=0.8,
                                  starts_at_largest_gap=True)
                )  # fmt: skip

            def found(bearing=None, direction=direction):
                film = equilibrium(bearing or made(), direction, SPEED)
                return Coefficients.of(film, errors=False)

            whole, _ = timed(found, rounds)
            bearing = made()
            alone, _ = timed(lambda bearing=bearing: found(bearing), rounds)
            film = made().solve(Place(e=(ratio * C, 0, 0), Omega=(0, 0, SPEED)))
            rows.append((ratio, cells, whole, alone, np.hypot(*film.force[:2]) / load - 1))
    return rows


def theirs(rounds):
    """Rows of ROSS: ratio, points, CPU seconds, error of the load."""
    warnings.simplefilter("ignore")
    from ross.bearings.plain_journal import PlainJournal

    oil = {
        "liquid_viscosity1": MU, "liquid_viscosity2": MU, "temperature1": 313.15,
        "temperature2": 333.15, "liquid_density": 860.0, "liquid_specific_heat": 1950.0,
        "liquid_thermal_conductivity": 0.15,
    }  # fmt: skip

    def solve(load, angle, points):
        # the pad begins at 0: the largest gap lies there if the load points there
        a = np.radians(180 - angle)
        bearing = PlainJournal(
            n=0, pad_axial_length=LENGTH, journal_diameter=2 * R, radial_clearance=C, n_pads=1,
            pad_arc=np.radians(359.9), oil_supply_temperature=313.15, speed=[SPEED],
            fxs_load=load * np.cos(a), fys_load=load * np.sin(a), lubricant=oil, oil_flow_v=1e-2,
            thermal_type=None, total_ex_film=points[0], total_ez_film=points[1], total_ey_film=10,
            total_ey_pad=10,
        )  # fmt: skip
        return float(bearing.equilibrium_pos[0])

    rows = []
    for ratio, (load, angle) in reference().items():
        for points in THEIRS:
            spent, place = timed(lambda a=(load, angle, points): solve(*a), rounds)
            # the load that it finds at the ratio, by two more solutions
            more = solve(1.05 * load, angle, points)
            slope = np.log(1.05) / (more - place)
            rows.append((ratio, points, spent, float(np.exp(slope * (ratio - place)) - 1)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ross", help="Python that has ROSS")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=Path, help="write the table into this page")
    parser.add_argument("--only-ross", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only_ross:
        harness.hand_over(theirs(options.rounds))
        return
    mine = ours(options.rounds)
    arguments, python = ("--only-ross", "--rounds", options.rounds), options.ross or sys.executable
    try:
        other = harness.alone(__file__, *arguments, python=python)
    except RuntimeError as error:
        other = []
        print("ROSS is not there; give --ross PYTHON.", str(error).splitlines()[-1:])
    text = table(mine, other)
    print(text)
    harness.keep("bearing", {"ours": mine, "ross": other})
    if options.page:
        harness.write_into(options.page, "bench_bearing", text)


def table(mine, other):
    """Both codes by eccentricity ratio, and the load of the machine."""
    lines = [
        "| eccentricity ratio | code | mesh | CPU (ms) | without set-up (ms) | error of the load |",
        "|---|---|---|---|---|---|",
    ]
    for ratio, cells, whole, alone, error in mine:
        lines.append(
            f"| {ratio} | fem_clearance | {cells[0]}x{cells[1]} | {1e3 * whole:.0f} | "
            f"{1e3 * alone:.0f} | {100 * error:+.2f} % |"
        )
    for ratio, points, spent, error in other:
        lines.append(
            f"| {ratio} | ROSS | {points[0]}x{points[1]}x10 | {1e3 * spent:.0f} | | "
            f"{100 * error:+.2f} % |"
        )
    load = f"Load of the machine (runs waiting for 2 cores): {os.getloadavg()[0]:.1f}."
    return "\n".join([*lines, "", load])


if __name__ == "__main__":
    main()

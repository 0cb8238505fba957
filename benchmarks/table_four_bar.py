"""Four-bar mechanism of Bai, Zhang and Sun (2014): what the approach speed does to its force.

    python benchmarks/table_four_bar.py [--turns 3] [--wear]

Prints the tables of docs/revolute.md: largest force of the last two turns, its crank angle and the
mean force for both assemblies, all readings of the law and both rules of the approach speed
(docs/contact.md), at the case's step; and the largest force over the step, fixed and adaptive,
with the number of accepted steps, also for a least approach speed of 1 mm/s. With ``--wear`` the
rows of docs/wear.md that say how both rules wear in three periods.
"""

import argparse

import numpy as np

from fem_clearance import cases

RULES = ("phase", "first_touch")
VARIANTS = {
    "phase": {},
    "phase, least 1 mm/s": {"approach_floor": 1e-3},
    "first_touch": {"approach_speed": "first_touch"},
}
LAWS = ("corr", "n1", "lit15")
STEPS = (2e-5, 1e-5, 5e-6, 2.5e-6)
TOLERANCES = (1e-4, 1e-5)


def run(turns, **values):
    """Summary of a run; the names of settings as Python writes them."""
    values = {"turns": turns, "output.fields_every": 0} | values
    return cases.get("four_bar_wear").simulation(values, progress=False).run().summary


def laws(turns):
    print("| assembly | law | " + " | ".join(f"{rule}: peak, N | at, deg | mean, N"
                                              for rule in RULES) + " |")  # fmt: skip
    print("|" + "---|" * (2 + 3 * len(RULES)))
    for branch in (1, -1):
        for law in LAWS:
            cells = []
            for rule in RULES:
                s = run(turns, branch=branch, law=law, approach_speed=rule)
                cells += [f"{s['peak_force']:.0f}", f"{s['peak_angle_deg']:.2f}",
                          f"{s['mean_force']:.1f}"]  # fmt: skip
            print(f"| {branch:+d} | `{law}` | {' | '.join(cells)} |", flush=True)


def steps(turns, branch):
    kinds = [(f"{1e6 * h:g} us", {"dt": h}) for h in STEPS]
    kinds += [(f"adaptive, {t:.0e}", {"adaptive": True, "contact_tolerance": t})
              for t in TOLERANCES]  # fmt: skip
    print(f"| assembly {branch:+d} | " + " | ".join(name for name, _ in kinds) + " |")
    print("|" + "---|" * (1 + len(kinds)))
    for name, variant in VARIANTS.items():
        cells = []
        for _, values in kinds:
            s = run(turns, branch=branch, **variant, **values)
            cells.append(f"{s['peak_force']:.1f} ({s['steps']})")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def wear():
    print("| approach speed, step | after 2, mm | after 3, mm | peak in 2, kN | in 3, kN "
          "| contact lost in 3 |\n|" + "---|" * 6)  # fmt: skip
    for rule in RULES:
        for h in STEPS[:3]:
            values = {"turns": 4, "wear_periods": 3, "dt": h, "approach_speed": rule}
            values["output.fields_every"] = 0
            results = cases.get("four_bar_wear").simulation(values, progress=False).run()
            widest = results.summary["max_clearance"]
            cells = [f"{1e3 * x:.4f}" for x in widest[1:]]
            force, periods = results["joint.normal_force"], []
            for period in (2, 3):
                late = (results.time > 0.4 * period - 0.2) & (results.time <= 0.4 * period)
                periods.append((force[late], np.diff(results.time, prepend=0)[late]))
            cells += [f"{f.max() / 1e3:.2f}" for f, _ in periods]
            lost = np.sum(periods[1][1][periods[1][0] == 0]) / np.sum(periods[1][1])
            print(f"| `{rule}`, {1e6 * h:g} us | {' | '.join(cells)} | {100 * lost:.1f} % |",
                  flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--wear", action="store_true")
    options = parser.parse_args()
    if options.wear:
        return wear()
    turns = options.turns
    laws(turns)
    for branch in (-1, 1):
        print()
        steps(turns, branch)


if __name__ == "__main__":
    main()

"""What holding velocities on their constraints costs a step: index 3 against the stabilised form.

    python benchmarks/constraints.py [--only "heavy top" ...] [--repeat 5] [--integrator bathe]
    python benchmarks/constraints.py --adaptive
    python benchmarks/constraints.py --energy

Each problem takes fixed steps with both, in turn; printed are the least CPU time of a step, us, the
ratio, and the iterations and tangents a step. ``--adaptive``: the four-bar with clearance in
adaptive steps, by ``contact_tolerance``. ``--energy``: what adaptive and as many fixed steps make
of the energy of a spatial slider-crank.
"""

import argparse
import time

import numpy as np
import problems as p

import fem_clearance as fc
from fem_clearance import cases


def case(name, **changes):
    """System of a case."""
    chosen = cases.get(name)
    return lambda: chosen.model(chosen.resolve(changes)).system


#: name: system, step, steps
PROBLEMS = {
    "four-bar, clearance": (case("four_bar_wear", law="lit15"), 1e-5, 2000),
    "slider-crank, clearance": (case("slider_crank_revolute"), 1e-6, 2000),
    "slider-crank, ideal": (case("slider_crank_revolute", **{"joint.kind": "ideal"}), 1e-5, 2000),
    "heavy top": (case("heavy_top"), 5e-4, 2000),
    "spatial four-bar": (case("spatial_four_bar"), 2e-5, 1000),
    "P2, rigid arms": (p.rigid_arms, 5e-6, 4000),
    "P2, 2 x 6 cables": (p.flexible_arms, 1e-5, 1000),
}


#: integrators with their constraints held in a form
INTEGRATORS = {
    "generalized_alpha": lambda form: fc.GeneralizedAlpha(0.8, form),
    "bathe": lambda form: fc.Bathe(constraints=form),
}


def run(make, h, steps, integrator):
    """CPU time (us), iterations and tangents of a step."""
    stepper = fc.Stepper(make(), integrator, dt=h, t_end=1.1 * steps * h)
    stepper.start()
    newton = stepper.newton
    while stepper.t < 0.1 * steps * h:  # begins to run
        stepper.advance(steps, 0.1 * steps * h)
    before, done = (newton.iterations, newton.tangents), stepper.steps
    tic = time.process_time()
    while stepper.t < stepper.t_end:
        stepper.advance(steps)
    spent, done = time.process_time() - tic, stepper.steps - done
    counts = [b - a for a, b in zip(before, (newton.iterations, newton.tangents), strict=True)]
    stepper.destroy()
    return 1e6 * spent / done, *(n / done for n in counts)


def adaptive(t_end=0.2):
    """Steps, tangents, CPU time and the largest force in the second turn of the four-bar."""
    print("| contact_tolerance | form | steps | rejected | tangents | CPU, s | peak, N |")
    print("|---|---|---|---|---|---|---|")
    for tolerance in (1e-4, 1e-5, 1e-6):
        for form in ("position", "stabilised"):
            stepper = fc.Stepper(
                case("four_bar_wear", law="lit15", branch=-1)(), fc.GeneralizedAlpha(0.8, form),
                t_end=t_end, contact_tolerance=tolerance,
            )  # fmt: skip
            stepper.start()
            force, peak = stepper.channels.names.index("joint.normal_force"), 0.0
            tic = time.process_time()
            while stepper.t < t_end:
                stepper.advance()
                if stepper.t > t_end / 2:
                    peak = max(peak, float(stepper.channels.values[force]))
            spent = time.process_time() - tic
            counts = stepper.steps, stepper.rejected_steps, stepper.newton.tangents
            row = tolerance, form, *counts, f"{spent:.1f}", f"{peak:.1f}"
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
            stepper.destroy()


def energy(t_end=5.0):
    """Change of the energy at the end and the largest, J."""
    print("| integrator | steps | adaptive, J | fixed, J |\n|---|---|---|---|")
    for integrator in (
        fc.GeneralizedAlpha(0.8), fc.GeneralizedAlpha(0.8, "stabilised"), fc.GeneralizedAlpha(1.0),
        fc.Bathe(),
    ):  # fmt: skip
        changes, options = [], {"tolerance": 1e-7}
        for _ in range(2):
            stepper = fc.Stepper(p.spatial_slider_crank(), integrator, t_end=t_end, **options)
            stepper.start()
            rows = [stepper.channels["energy.total"]]
            while stepper.t < t_end:
                stepper.advance()
                rows.append(stepper.channels["energy.total"])
            changes.append(np.array(rows) - rows[0])
            options = {"dt": t_end / stepper.steps}
            stepper.destroy()
        text = " | ".join(f"{z[-1]:.1e}, {np.abs(z).max():.1e}" for z in changes)
        print(f"| {integrator} | {len(changes[0]) - 1} | {text} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=list(PROBLEMS))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--integrator", choices=INTEGRATORS, default="generalized_alpha")
    parser.add_argument("--adaptive", action="store_true")
    parser.add_argument("--energy", action="store_true")
    options = parser.parse_args()
    if options.adaptive or options.energy:
        return adaptive() if options.adaptive else energy()
    make = INTEGRATORS[options.integrator]
    print("| problem | positions, us | stabilised, us | ratio | iterations | tangents |")
    print("|---|---|---|---|---|---|")
    for name in options.only:
        pairs = [
            [run(*PROBLEMS[name], make(form)) for form in ("position", "stabilised")]
            for _ in range(options.repeat)
        ]
        one, other = (min(each) for each in zip(*pairs, strict=True))
        counts = " | ".join(f"{a:.2f}, {b:.2f}" for a, b in zip(one[1:], other[1:], strict=True))
        print(f"| {name} | {one[0]:.0f} | {other[0]:.0f} | {other[0] / one[0]:.2f} | {counts} |",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

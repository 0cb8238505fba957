"""What holding velocities on their constraints costs a step: index 3 against the stabilised form.

    python benchmarks/constraints.py [--only "heavy top" ...] [--repeat 5]

Each problem takes fixed steps with both, in turn; printed are the least CPU time of a step, us, the
ratio, and the iterations and tangents a step.
"""

import argparse
import time

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


def run(make, h, steps, form):
    """CPU time (us), iterations and tangents of a step."""
    stepper = fc.Stepper(make(), fc.GeneralizedAlpha(0.8, form), dt=h, t_end=1.1 * steps * h)
    stepper.start()
    newton = stepper.newton
    while stepper.t < 0.1 * steps * h:  # begins to run
        stepper.advance()
    before, done = (newton.iterations, newton.tangents), stepper.steps
    tic = time.process_time()
    while stepper.t < stepper.t_end:
        stepper.advance()
    spent, done = time.process_time() - tic, stepper.steps - done
    counts = [b - a for a, b in zip(before, (newton.iterations, newton.tangents), strict=True)]
    stepper.destroy()
    return 1e6 * spent / done, *(n / done for n in counts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=list(PROBLEMS))
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print("| problem | positions, us | stabilised, us | ratio | iterations | tangents |")
    print("|---|---|---|---|---|---|")
    for name in options.only:
        pairs = [
            [run(*PROBLEMS[name], form) for form in ("position", "stabilised")]
            for _ in range(options.repeat)
        ]
        one, other = (min(each) for each in zip(*pairs, strict=True))
        counts = " | ".join(f"{a:.2f}, {b:.2f}" for a, b in zip(one[1:], other[1:], strict=True))
        print(f"| {name} | {one[0]:.0f} | {other[0]:.0f} | {other[0] / one[0]:.2f} | {counts} |",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

"""Table 1 of Tian et al. (2009): generalized-alpha against Bathe's scheme, 20 s of a soft pendulum.

    python benchmarks/table1.py [--t-end 20] [--model ancf] [--integrators alpha bathe ...]

A beam of 1 m (0.02 m square, 6e7 Pa, 6000 kg/m^3, nu = 0.3, 5 elements) swings down from the
horizontal under 9.81 m/s^2; fixed steps of 1, 4, 10 and 50 ms. For each: CPU time; how many
steps had to be cut, and where 1/64 of a step would not do; the tip's distance from a run with steps
of 0.125 ms after 1 s and its mean over the whole run; the largest error of the total energy, as a
part of the potential energy that the pendulum can lose. The paper's times are of 2009, with one CPU
of 1.5 GHz; it says "not converge" where none is given.
"""

import argparse
import time

import harness
import numpy as np

import fem_clearance as fc

STEPS = (1e-3, 4e-3, 1e-2, 5e-2)
#: name: integrator and the paper's times for STEPS, s
INTEGRATORS = {
    "bathe": (fc.Bathe(), (3995.8, 1029.5, 667.3, 248.2)),
    "bathe, positions": (fc.Bathe(constraints="position"), (None,) * 4),
    "alpha 1.0": (fc.GeneralizedAlpha(1.0), (2004.8, 527.37, None, None)),
    "alpha 0.8": (fc.GeneralizedAlpha(0.8), (2058.1, 512.5, 349.8, None)),
    "alpha 0.5": (fc.GeneralizedAlpha(0.5), (2042.5, 518.9, 376.9, 152.19)),
    "alpha 0.2": (fc.GeneralizedAlpha(0.2), (2055.2, 517.1, 391.5, 187.17)),
    "alpha 0.8, stabilised": (fc.GeneralizedAlpha(0.8, "stabilised"), (None,) * 4),
}
FINE, EVERY = 1.25e-4, 0.05
LENGTH, WIDTH, DENSITY, GRAVITY = 1.0, 0.02, 6000.0, 9.81
FALL = DENSITY * WIDTH**2 * LENGTH * GRAVITY * LENGTH  # twice the weight times half the length, J


def pendulum(model, elements=5):
    system = fc.System(gravity=(0, -GRAVITY, 0))
    material = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=DENSITY)
    options = {} if model == "cable" else {"poisson": "split", "section_model": "plane"}
    beam = system.add(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(WIDTH, WIDTH), material, elements,
                model=model, **options)
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


def run(integrator, h, t_end, model, elements=5):
    """Tip and energy every EVERY seconds, CPU time, and the stepper where the run ended."""
    stepper = fc.Stepper(pendulum(model, elements), integrator, dt=h, t_end=t_end, smallest=h / 64)
    stepper.start()
    rows, spent, grid = [], 0.0, 0
    try:
        while True:
            if stepper.t >= grid * EVERY - 1e-9:
                c = stepper.channels
                rows.append([c[n] for n in ("tip.x", "tip.y", "tip.z", "energy.total")])
                grid += 1
            if stepper.t >= t_end:
                break
            tic = time.process_time()
            stepper.advance()
            spent += time.process_time() - tic
    except fc.StepFailed:
        pass
    return np.array(rows), spent, stepper


def measure(name, h, t_end, model, reference):
    """One entry of the table."""
    rows, spent, stepper = run(INTEGRATORS[name][0], h, t_end, model)
    away = np.linalg.norm(rows[:, :3] - reference[: len(rows), :3], axis=1)
    at_one = round(1 / EVERY)
    return {
        "integrator": name, "h": h, "cpu_s": spent, "ended_s": stepper.t,
        "cut_steps": stepper.rejected_steps,
        "iterations_per_step": stepper.newton.iterations / max(stepper.steps, 1),
        "tip_error_1s": float(away[at_one]) if len(away) > at_one else None,
        "tip_error_mean": float(away.mean()),
        "energy_error": float(np.abs(rows[:, 3] - rows[0, 3]).max() / FALL),
    }  # fmt: skip


def line(entry, paper):
    """A line of the printed table."""
    end = "-" if entry["ended_s"] >= entry["t_end"] else f"{entry['ended_s']:.2f} s"
    one = entry["tip_error_1s"]
    return (
        f"| {entry['integrator']:22} | {entry['h']:5g} | {entry['cpu_s']:7.2f} | {paper or '-':>7} "
        f"| {entry['iterations_per_step']:5.1f} | {entry['cut_steps']:4d} | {end:>7} "
        f"| {'-' if one is None else f'{one:.1e}':>7} | {entry['tip_error_mean']:.1e} "
        f"| {entry['energy_error']:.1e} |"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--t-end", type=float, default=20.0, help="s")
    parser.add_argument("--model", default="ancf", choices=("ancf", "quadratic", "cable"))
    parser.add_argument("--integrators", nargs="*", default=[*INTEGRATORS], choices=[*INTEGRATORS])
    options = parser.parse_args()
    reference = run(fc.GeneralizedAlpha(0.8), FINE, options.t_end, options.model)[0]
    print("| integrator | step, s | CPU, s | paper, s | iterations | cut | fails at "
          "| tip at 1 s, m | tip, mean, m | energy |\n|" + "---|" * 10)  # fmt: skip
    results = []
    for name in options.integrators:
        for h, paper in zip(STEPS, INTEGRATORS[name][1], strict=True):
            entry = measure(name, h, options.t_end, options.model, reference)
            entry |= {"paper_cpu_s": paper, "t_end": options.t_end, "model": options.model}
            results.append(entry)
            print(line(entry, paper), flush=True)
    harness.keep("table1", results, dated=True)


if __name__ == "__main__":
    main()

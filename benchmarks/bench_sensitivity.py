"""Derivatives of runs: how exact they are, and what they cost.

    python benchmarks/bench_sensitivity.py [exact | cost | cells | worn | adaptive | steps]

Costs are CPU times as multiples of that of the run itself, without building and starting it.
"""

import logging
import sys
import time
from contextlib import ExitStack
from math import inf
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.lubrication import Guembel
from fem_clearance.sensitivity.adjoint import backward
from fem_clearance.sensitivity.recording import RecordingStepper
from fem_clearance.sensitivity.tangent import forward

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.sensitivity import models, test_worn_joints  # noqa: E402

TIP = ["tip.x", "tip.y"]
#: what it is, model, parameters, outputs, settings, relative change for differences of runs
EXACT = (
    ("beam, 6 elements", models.beam, models.BEAM, TIP, {"t_end": 0.1, "dt": 1e-3}, 3e-3),
    (
        "journal in oil, 24 x 4", models.journal(Guembel()), models.JOURNAL,
        ["journal.x", "journal.y"], {"t_end": 1e-3, "dt": 2e-5}, 1e-3,
    ),
    ("clearance joint, fixed steps", models.pendulum, models.PENDULUM, TIP,
     {"t_end": 0.03, "dt": 1e-3}, 1e-4),
    ("clearance joint, adaptive", models.pendulum, models.PENDULUM, TIP,
     {"t_end": 0.03, "tolerance": 1e-8, "contact_tolerance": 1e-5}, 1e-3),
)  # fmt: skip
PENDULUM = {"constraints": "position", "dt": 1e-4, "t_end": 0.1, "joint.kind": "lubricated"}
PENDULUM |= {"arm.model": "rigid"}
#: tries of each time, of which the least counts
TRIES = 3


def p1(p):
    """P1: the flexible pendulum of Tian et al. (2009), 20 thin beams."""
    material = fc.StVenantKirchhoff(E=p["E"], nu=0.3, rho=p["rho"])
    system, section = fc.System(), fc.Rectangle(0.02, 0.02)
    beam = system.add(fc.Beam((0, 0, 0), (p["length"], 0, 0), section, material, 20, model="cable"))
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


def of_case(**settings):
    return lambda by: fc.Sensitivity(
        cases.get("double_pendulum"), at=PENDULUM | settings, by=by, of=TIP
    )


#: what it is, its sensitivity by some parameters, the parameters
COSTS = (
    (
        "P1, 20 beams",
        lambda by: fc.Sensitivity(
            p1, at={"E": 6e7, "rho": 6e3, "length": 1.0}, by=by, of=TIP, t_end=1.0, dt=1e-3
        ),
        ["E", "rho", "length"],
    ),
    ("lubricated pendulum, closed form", of_case(), ["viscosity", "arm.rho"]),
    (
        "lubricated pendulum, Reynolds", of_case(**{"joint.film": "reynolds"}),
        ["viscosity", "arm.rho"],
    ),
)  # fmt: skip


def seconds(work):
    """CPU time of some work, the least of some tries, and what it returned last."""
    spent = []
    for _ in range(TRIES):
        tic = time.process_time()
        result = work()
        spent.append(time.process_time() - tic)
    return min(spent), result


def exact():
    print("difference of adjoint and forward, and of forward and differences of runs (largest,")
    print("relative to the largest derivative of an output)")
    for name, model, at, of, settings, part in EXACT:
        settings = {"newton_tolerance": 1e-13, **settings}
        s = fc.Sensitivity(model, at=at, of=of, **settings)
        f, a = s.forward(histories=False), s.adjoint()
        found = models.differences(model, at, of, part, **settings)
        largest = np.abs(f.scaled).max(axis=1, keepdims=True)
        both = (np.abs(a.scaled - f.scaled) / largest).max()
        runs = (np.abs(found * f.parameters - f.scaled) / largest).max()
        steps, kept = len(s.run().stepper.record), s.run().stepper.record
        memory = sum(z.nbytes for z in {id(k.end): k.end for k in kept}.values()) / steps / 1e3
        print(
            f"{name:30} {len(at)} parameters, {steps:4d} steps: {both:.0e}, {runs:.0e}; "
            f"{memory:.0f} kB a state"
        )


def taken(s):
    """CPU time of the steps of a run, which keeps every channel of each, and how many."""
    stepper = fc.Stepper.of(s._build(s.at), *s._run)
    stepper.start()
    stepper.march.watch(None)
    tic = time.process_time()
    while stepper.t < stepper.t_end:
        stepper.advance(inf)
    spent = time.process_time() - tic
    stepper.destroy()
    return spent, stepper.steps


def recorded(s):
    """The same of a run whose steps are kept."""
    stepper = s._begin(s._build(s.at))
    stepper.start()
    tic = time.process_time()
    for _ in stepper.run():
        pass
    spent = time.process_time() - tic
    stepper.destroy()
    return spent


def counted(s):
    """Let a sensitivity count the models that it builds; where the count is."""
    build, built = s._build, []

    def counting(values):
        built.append(values)
        return build(values)

    s._build = counting
    return built


def cost():
    print(
        "CPU times as multiples of that of a run (ms, us a step) and, in brackets, what they should"
    )
    print("be at most: keeping its states; with that all of the forward and of the adjoint method,")
    print("two outputs, without preparation; of this the models built and started for a parameter")
    print("(ms for each, ms in all), and both methods with it")
    for name, make, names in COSTS:
        for count in (1, len(names)):
            s = make(names[:count])
            s.forward(histories=False), s.adjoint()  # forms are compiled
            run, steps = min(taken(s) for _ in range(TRIES))
            keep = min(recorded(s) for _ in range(TRIES))
            build, _ = seconds(lambda: s._begin(s._build(s.at)).start())  # noqa: B023
            whole, r, built = s.run(), s.sizes_at(s.at), counted(s)
            spent, found = [], None
            for _ in range(TRIES):
                if found is not None:
                    found.close()
                found = ExitStack()
                tic = time.process_time()
                linear = found.enter_context(s._linear(whole, s.by))
                spent.append(time.process_time() - tic)
            ready, models = min(spent), len(built) / TRIES / count
            rows = s._own(whole)
            f, _ = seconds(lambda: forward(linear, rows, (), r))  # noqa: B023
            a, _ = seconds(lambda: backward(linear, rows))  # noqa: B023
            found.close()
            s.forget()
            both = [(keep + z) / run for z in (f, a)]
            print(
                f"{name:33} {count} parameters, run {1e3 * run:.0f} ms, "
                f"{1e6 * run / steps:.0f} us: "
                f"{keep / run:.1f}; {both[0]:.1f} ({3.5 + 0.5 * count:.1f}), {both[1]:.1f} (4.0); "
                f"{models:.0f} models (4) of {1e3 * build:.0f} ms, {1e3 * ready:.0f} ms; "
                f"{both[0] + ready / run:.1f}, {both[1] + ready / run:.1f}"
            )


def by_cells():
    print(
        "derivatives with respect to every number of every cell, two outputs: numbers, CPU time a"
    )
    print("step, as multiples of a run and of the adjoint method with one parameter")
    for name, make, names in COSTS:
        s = make(names[:1])
        s.adjoint(), s.cells()  # forms are compiled
        run, steps = min(taken(s) for _ in range(TRIES))
        adjoint, _ = seconds(s.adjoint)
        spent, found = seconds(s.cells)
        count = sum(z.size for z in found.numbers.values())
        s.forget()
        print(
            f"{name:33} {count} numbers, {1e3 * spent / steps:.2f} ms a step: "
            f"{1 + spent / run:.0f} runs, {spent / adjoint:.1f} adjoints"
        )


def worn():
    print("a worn joint, by four parameters, over two wear periods: CPU time a step, forwards and")
    print("by the adjoint method")
    for bins in (90, 720):

        def build(p, bins=bins):
            return test_worn_joints.spinning(p, bins=bins, repeat=1e4)

        how = test_worn_joints.settings(build, 2.5 * test_worn_joints.PERIOD)
        s = fc.Sensitivity(build, at=test_worn_joints.AT, of="joint.ey", **how)
        steps, found = len(s.run().stepper.record), []
        for work in (lambda s=s: s.forward(histories=False), s.adjoint):
            tic = time.process_time()
            work()
            found.append(1e3 * (time.process_time() - tic) / steps)
        print(f"{bins} bins, {steps} steps: {found[0]:.0f}, {found[1]:.0f} ms")


#: case, settings, parameter, output, ends of runs
ADAPTIVE = (
    ("spatial_four_bar", {}, "crank.moment", "B.y", (6.9e-3, 8e-3, 16e-3)),
    ("double_pendulum", {"arm.model": "rigid"}, "arm.rho", "tip.y", (0.03,)),
    (
        "double_pendulum",
        {"arm.model": "rigid", "tolerance": 1e-9, "contact_tolerance": 1e-6},
        "arm.rho", "tip.y", (0.03,),
    ),
)  # fmt: skip


def adaptive():
    print("adaptive runs with impacts: derivative times the parameter, and central differences")
    print("over parts of the parameter, with onsets and steps of the two runs")
    for name, settings, by, of, ends in ADAPTIVE:
        for t_end in ends:
            at = {**settings, "t_end": t_end, "newton_tolerance": 1e-12}
            s = fc.Sensitivity(cases.get(name), at=at, by=by, of=of)
            f, a = s.forward(histories=False), s.adjoint()
            value = f.parameters[0]
            print(
                f"{name}, {of} by {by}, to {t_end:g} s, {_onsets(s.run())}: "
                f"{f.scaled[0, 0]:.6g} m, adjoint - forward {a.scaled[0, 0] - f.scaled[0, 0]:.0e} m"
            )
            for part in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
                found, said = [], []
                for side in (1, -1):
                    recorded = s.run([value * (1 + side * part)])
                    found.append(recorded.outputs[0])
                    said.append(_onsets(recorded))
                slope = (found[0] - found[1]) / (2 * part)
                print(f"  {part:g}: {slope:.6g} m ({'; '.join(said)})")


class Repeated(RecordingStepper):
    """A stepper that takes the steps of another run again: what its controller proposed and judged
    is said beforehand, and onsets are located anew.

    Attributes:
        said: proposals (step, whether it reached the time to be hit) and judgements (accepted, next
            step), in turn; the first run writes them.
        again: whether they are read.
    """

    said: list
    again = False

    def start(self):
        super().start()
        self.march.possible, self.march.c.kept = False, 0  # each step is judged in Python
        self.event_set.instant = INSTANT
        for each in self.event_set.contacts:
            each.instant = INSTANT
        control, said = self.control, iter(self.said)
        propose, judge = control.next, control.accept

        def following(left):
            if self.again:
                h, whole = next(said)
                return left if whole else h
            h = propose(left)
            self.said.append((h, h == left))
            return h

        def accepted(error, h):
            if self.again:
                ok, control.h = next(said)
                return ok
            ok = judge(error, h)
            self.said.append((ok, control.h))
            return ok

        control.next, control.accept = following, accepted


#: time within which onsets are located, s, so that differences are not hidden by it
INSTANT = 1e-12


def steps():
    print("rigid double pendulum: derivative of tip.y by arm.rho, times the density, and")
    print("central differences of runs with the same steps, and of runs that choose their steps")
    for t_end in (0.05, 0.07):
        at = {"arm.model": "rigid", "t_end": t_end, "newton_tolerance": 1e-12}
        at |= {"tolerance": 1e-9, "contact_tolerance": 1e-6}
        s = fc.Sensitivity(cases.get("double_pendulum"), at=at, by="arm.rho", of="tip.y")
        begin, rho, said = s._begin, s.at["arm.rho"], []

        def repeating(again, begin=begin, s=s, said=said):
            def made(system):
                stepper = Repeated.of(system, *s._run)
                stepper.stops, stepper.said, stepper.again = s.stops, said, again
                return stepper

            return made

        s._begin = repeating(False)
        s.run()
        s._begin = begin
        found = {"derivative": s.forward(histories=False).scaled[0, 0]}
        onsets = _onsets(s.run())
        for what, make in (("same steps", repeating(True)), ("own steps", begin)):
            s._begin = make
            for part in (1e-2, 1e-3):
                ends = [s.run([rho * (1 + side * part)]).outputs[0] for side in (1, -1)]
                found[f"{what}, {part:g}"] = (ends[0] - ends[1]) / (2 * part)
        print(f"to {t_end:g} s, {onsets}:", ", ".join(f"{k} {z:.3e}" for k, z in found.items()))


def _onsets(recorded):
    onsets = sum(e.kind == "onset" for e in recorded.stepper.events)
    return f"{onsets} onsets, {len(recorded.stepper.record)} steps"


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    for work in sys.argv[1:] or ("exact", "cost"):
        {
            "exact": exact,
            "cost": cost,
            "cells": by_cells,
            "worn": worn,
            "adaptive": adaptive,
            "steps": steps,
        }[work]()

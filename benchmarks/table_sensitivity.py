"""Derivatives of all cases by a parameter of each kind that they have.

    python benchmarks/table_sensitivity.py [case ...]
    python benchmarks/table_sensitivity.py --page docs/sensitivity.md

For each case that runs through time the first part of a run; analyses without time are refused,
with the sentence that says what to use instead. Kinds of parameters are geometry, material, law (of
joints, contacts, friction, films), start and load (drivers too). ``order`` is that at which the
remainder of the linear prediction falls over two decades of changes of the parameter, from
``window`` (relative to its value) down; it is 2 where the outputs are smooth. A remainder at
round-off of the outputs, where the outputs are linear in the parameter, has no order. ``adjoint``
is the largest difference of the adjoint and the forward method, by the largest derivative of the
output. Costs are CPU times of the two methods by that of the run itself, preparation and all.
"""

import argparse
import logging
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import fem_clearance as fc
from fem_clearance import cases

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.harness import write_into  # noqa: E402

#: part of the largest output's size that is round-off of runs, whose constraints are of index 3
NOISE = 1e-12


class Run(NamedTuple):
    """The first part of a run of a case, and what it is derived by."""

    case: str
    #: a parameter of each kind
    by: dict[str, str]
    of: tuple[str, ...]
    t_end: float
    #: of fixed steps, s
    dt: float
    settings: dict = {}
    #: largest relative change of a parameter; of some by name
    window: float = 1e-2
    windows: dict[str, float] = {}
    #: of a case without parameters: owner and number of a cell, by the name of a parameter
    numbers: dict[str, tuple[str, str]] = {}
    #: words of the sentence by which it is refused
    refused: str = ""

    @property
    def label(self) -> str:
        """Case and settings."""
        return " ".join([self.case, *(f"{k}={v}" for k, v in self.settings.items())])

    def sensitivity(self, names) -> fc.Sensitivity:
        """By some of the parameters."""
        at = {"t_end": self.t_end, "adaptive": False, "dt": self.dt, "newton_tolerance": 1e-12}
        if self.numbers:
            own = numbers_of(self.model({}), self.numbers)
            return fc.Sensitivity(
                self.model, at={n: own[n][0] for n in names}, of=list(self.of), t_end=self.t_end,
                dt=self.dt, newton_tolerance=1e-12,
            )  # fmt: skip
        return fc.Sensitivity(
            cases.get(self.case), at={**at, **self.settings}, by=names, of=list(self.of),
        )  # fmt: skip

    def model(self, values) -> fc.System:
        """The system with other numbers of its cells."""
        case = cases.get(self.case)
        system = case.model(case.resolve(self.settings)).system
        for name, view in numbers_of(system, self.numbers).items():
            view[0] = values.get(name, view[0])
        return system


def numbers_of(system: fc.System, wanted: dict[str, tuple[str, str]]) -> dict[str, np.ndarray]:
    """Views of the first number that a cell has of each name, which a run begins with."""
    problem, found = system.assemble(), {}
    for c, rows in zip(problem.components, problem.parameters(problem.start), strict=True):
        for name, (owner, number) in wanted.items():
            if owner in c.owners and number in c.kind.parameters:
                cell = int(np.flatnonzero(c.owner == c.owners.index(owner))[0])
                found[name] = rows[cell, c.kind.columns(number)]
    return found


class Measured(NamedTuple):
    """What is found of a run.

    Attributes:
        adjoint: largest difference of both methods, by the largest derivative of the output.
        forward, backward: CPU times of the methods by that of the run.
        orders: of each parameter's remainder, the least of all outputs; NaN: linear.
        kinks: what ``check`` says of each.
    """

    adjoint: float
    forward: float
    backward: float
    orders: dict[str, float]
    kinks: dict[str, str]


def spent(work):
    """CPU time of some work, and what it returns."""
    tic = time.process_time()
    found = work()
    return time.process_time() - tic, found


def measured(run: Run) -> Measured:
    """Both methods, and Taylor's test by each parameter."""
    names = list(run.by.values())
    s = run.sensitivity(names)
    s.forward(histories=False), s.adjoint()  # forms are compiled
    s.forget()
    alone, _ = spent(s.run)
    forwards, f = spent(lambda: s.forward(histories=False))
    backwards, a = spent(s.adjoint)
    largest = np.abs(f.scaled).max(axis=1, keepdims=True)
    adjoint = float(np.nanmax(np.abs(a.scaled - f.scaled) / np.where(largest > 0, largest, 1.0)))
    orders, kinks = {}, {}
    for name in names:
        test = run.sensitivity([name]).check(largest=run.windows.get(name, run.window))
        orders[name] = order(test, f.values)
        kinks[name] = "; ".join(note for note in test.notes if "kink" in note)
    return Measured(adjoint, 1 + forwards / alone, 1 + backwards / alone, orders, kinks)


def order(test, values: np.ndarray) -> float:
    """Of the remainder over the whole window, the least of all outputs; NaN where there is nothing
    but round-off."""
    largest = max(np.abs(values).max(), np.abs(test.changes).max())
    floor, found = np.full(len(values), NOISE * largest), []
    for left, noise in zip(test.remainders.T, floor, strict=True):
        above = np.flatnonzero(left > noise)
        if len(above) > 1:
            parts = test.parts[above[[0, -1]]]
            found.append(np.log(left[above[0]] / left[above[-1]]) / np.log(parts[0] / parts[1]))
    return float(min(found, default=np.nan))


RIGID = {"arm.model": "rigid"}
TIP = ("tip.x", "tip.y")
RUNS = (
    Run("heavy_top", {"material": "mass of the top"}, ("centre.x", "centre.z"), 0.02, 2e-4,
        numbers={"mass of the top": ("top", "mass")}),
    Run("double_four_bar", {"material": "mass of a rod"}, ("B0.x", "B0.y"), 0.5, 5e-3,
        numbers={"mass of a rod": ("rod0", "mass")}),
    Run("flexible_pendulum", {"material": "beam.E"}, TIP, 0.1, 1e-3),
    Run("twisting_column", {"material": "column.E", "start": "spin"}, ("energy.strain",),
        0.01, 1e-3),
    Run("flexible_slider_crank",
        {"geometry": "coupler.width", "material": "coupler.E", "load": "crank.speed"},
        ("middle.y",), 1e-3, 1e-4, {"coupler.elements": 2}),
    Run("double_pendulum",
        {"geometry": "joint.ball_radius", "material": "arm.rho", "law": "joint.restitution"},
        TIP, 0.03, 2e-5, RIGID, windows={"joint.ball_radius": 1e-6, "arm.rho": 1e-3}),
    Run("double_pendulum",
        {"geometry": "joint.ball_radius", "material": "arm.E", "law": "joint.restitution"},
        TIP, 0.0292, 1e-5, {"arm.elements": 2}, 1e-4,
        windows={"joint.ball_radius": 1e-7, "joint.restitution": 3e-5}),
    Run("double_pendulum",
        {"geometry": "joint.socket_radius", "material": "arm.rho", "law": "viscosity"},
        TIP, 0.05, 1e-3, RIGID | {"joint.kind": "lubricated"}, 1e-3),
    Run("spatial_four_bar",
        {"geometry": "joint.ball_radius", "material": "link.rho", "law": "joint.restitution",
         "load": "crank.moment"}, ("B.y",), 7e-3, 1e-5, {}, 1e-3,
        windows={"joint.ball_radius": 2e-7, "joint.restitution": 0.05, "crank.moment": 1e-5}),
    Run("spatial_four_bar", {"material": "link.rho", "load": "crank.moment"}, ("B.y",), 0.05,
        1e-3, {"joint.kind": "ideal"}),
    Run("sliding_pendulum",
        {"law": "restitution", "start": "start.angle_deg", "load": "excitation.force"},
        ("slider.y", "pendulum.angle"), 0.02, 1e-5, {"excitation.force": 1.0}, 1e-3),
    Run("sliding_pendulum", {"law": "viscosity", "start": "start.angle_deg"},
        ("slider.y", "pendulum.angle"), 0.02, 1e-4, {"force": "lubricated"}),
    Run("slider_crank_revolute",
        {"geometry": "clearance", "law": "joint.restitution", "load": "crank.rpm"},
        ("slider.x",), 1e-3, 2e-6, {}, 1e-3),
    Run("slider_crank_revolute", {"material": "coupler.E", "load": "crank.rpm"}, ("slider.x",),
        1e-3, 2e-5, {"joint.kind": "ideal", "coupler.model": "quadratic"}),
    Run("slider_crank_translational",
        {"geometry": "clearance", "material": "slider.inertia", "law": "friction",
         "load": "crank.rpm"}, ("slider.x",), 5e-3, 5e-6, {}, 0.1,
        windows={"clearance": 1e-4, "crank.rpm": 1e-5}),
    Run("slider_crank_translational", {"geometry": "clearance", "law": "viscosity"},
        ("slider.x", "slider.angle"), 2e-3, 1e-4, {"joint.kind": "lubricated"}),
    Run("four_bar_wear", {"load": "crank.rpm"}, ("energy.kinetic", "joint.worn_volume"), 1e-3,
        1e-5, {}, 1e-3),
    Run("four_bar_wear", {"geometry": "ground.length", "load": "crank.rpm"},
        ("energy.kinetic",), 0.01, 1e-4, {"joint.kind": "ideal"}),
    Run("split_bearing", {"load": "load"}, ("energy.strain",), 6e-6, 2e-6,
        {"shell.cells": 2}, refused="has a memory"),
    Run("stick_slip_oscillator", {"material": "mass", "law": "mu_d", "load": "belt.speed"},
        ("block.x",), 0.3, 2e-3, {}, 1e-3),
    Run("stick_slip_oscillator",
        {"material": "mass", "law": "mu_d", "load": "belt.speed"}, ("block.x",), 0.5, 1e-3,
        {"friction": "smooth"}, 1e-3),
    Run("stick_slip_oscillator",
        {"material": "mass", "law": "mu_s", "load": "normal_force"}, ("block.x",), 0.5, 1e-3,
        {"friction": "lugre"}, 1e-3),
    Run("spur_gear_pair", {"law": "stiffness.scale"}, ("transmission_error",), 5e-4, 1e-5,
        {"stiffness": "chaari"}),
    Run("quick_return",
        {"geometry": "crank.length", "material": "rod.E", "law": "bearing.stiffness",
         "load": "pinion.speed"}, ("rod_tip.y",), 1e-4, 1e-5, {"bearings": "spring"}, 1e-3),
)  # fmt: skip
#: cases without time: a parameter of each
STEADY = {
    "journal_bearing": "clearance", "ehd_bearing": "clearance", "thermal_bearing": "clearance",
    "spherical_bearing": "clearance", "pin_in_lug": "clearance",
}  # fmt: skip


def rows(run: Run) -> list[str]:
    """Rows of the table, one for each parameter."""
    names = run.by.items()
    try:
        found = measured(run)
    except fc.InputError as error:
        assert run.refused and run.refused in str(error), error
        return [f"| {run.label} | {', '.join(run.by.values())} | refused: {error} | | | |"]
    assert not run.refused, f"{run.label} is no longer refused"
    result = []
    for kind, name in names:
        z = found.orders[name]
        size = "linear" if np.isnan(z) else f"{z:.2f}"
        window = run.windows.get(name, run.window)
        note = " (kink)" if found.kinks[name] else ""
        result.append(
            f"| {run.label} | {kind}: `{name}` | {window:g} to {window / 100:g} | {size}{note} | "
            f"{found.adjoint:.0e} | {found.forward:.1f}, {found.backward:.1f} |"
        )
    return result


HEAD = (
    "| case | parameter | window | order | adjoint | cost forward, adjoint |",
    "|---|---|---|---|---|---|",
)


def refusal(name: str) -> str:
    """What is said of a case without time."""
    try:
        fc.Sensitivity(cases.get(name), by=STEADY[name], of="load")
    except fc.InputError as error:
        return str(error)
    raise AssertionError(f"{name} is no longer refused")


def main(names: list[str]) -> str:
    """The table of these cases, or of all."""
    lines = [*HEAD]
    print(*lines, sep="\n", flush=True)
    for run in RUNS:
        if names and run.case not in names:
            continue
        try:
            found = rows(run)
        except Exception as e:
            found = [f"FAILED {run.label}: {type(e).__name__} {e}"]
        print(*found, sep="\n", flush=True)
        lines += found
    rest = [n for n in STEADY if not names or n in names]
    found = [f"| {n} | `{STEADY[n]}` | refused: {refusal(n)} | | | |" for n in rest]
    print(*found, sep="\n", flush=True)
    lines += found
    return "\n".join(lines)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--page", type=Path, help="write the table of all cases into this page")
    options = parser.parse_args()
    if options.page and options.cases:
        parser.error("a page has the table of all cases")
    table = main(options.cases)
    if options.page:
        write_into(options.page, "table_sensitivity", table)

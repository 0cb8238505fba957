"""Kernels in lanes beside those that take cell by cell, for every kind of the cases.

    python benchmarks/table_lanes.py [--cells 24] [--only CASE ...] [--compile]
    python benchmarks/table_lanes.py --steps [--page docs/performance.md]

Each kind of the runs of table_ledger.py, of the bearings' states and of a few solids is evaluated
for so many cells like its own, at numbers that scatter round those at the start. A row gives CPU
times (least of many, both in turn) of a form cell by cell, the ratio of lanes to it, and how far
apart both are by what round-off of the cells' numbers makes of the scalar one. ``--compile``: also
the time of compiling both, in an empty cache. ``--steps``: CPU time of whole steps of films and
beams in lanes by that without, in processes of their own, in turn. The environment variable
FEM_CLEARANCE_LANES sets the number of lanes.
"""

import argparse
import logging
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import bench_films
import harness
import numpy as np
import problems
import table_ledger

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance._backend import MPI
from fem_clearance.cases.pin_in_lug import Lug
from fem_clearance.core import forms
from fem_clearance.core.blocked import in_lanes
from fem_clearance.core.compiled.build import native
from fem_clearance.core.compiled.shared import pointer
from fem_clearance.core.evaluation import Batches, DofMap
from fem_clearance.core.kind import Kind
from fem_clearance.core.lanes import processor
from fem_clearance.core.state import State
from fem_clearance.lubrication import Bearing
from fem_clearance.meshes import block

FORMS = ("residual", "tangent", "observe", "work")
#: as many cells as any kind is in lanes for
MANY = 10**6
#: cases without time
STATES = ("journal_bearing", "ehd_bearing", "pin_in_lug", "spherical_bearing", "thermal_bearing")
#: edges, cells along them and degree of blocks
SOLIDS = (
    ((1, 1, 1), (3, 2, 2), 1),
    ((1, 1, 1), (3, 2, 2), 2),
    ((1, 1), (5, 3), 1),
    ((1, 1), (5, 3), 2),
)


class Sample(NamedTuple):
    """A form of a kind for some cells.

    Attributes:
        numbers: packed coefficients, cells x numbers.
        x: coordinates, cells x numbers.
        size: outputs of a cell.
    """

    kind: Kind
    name: str
    scalar: forms.Compiled
    lanes: forms.Compiled
    numbers: np.ndarray
    x: np.ndarray
    size: int

    def batch(self, form: forms.Compiled, numbers=None, x=None):
        """A function that evaluates the form, at the sample's numbers or others, and returns cells
        x outputs."""
        state = np.ravel(self.numbers if numbers is None else numbers).copy()
        where = np.arange(state.size, dtype=np.int32).reshape(self.numbers.shape)
        x = self.x if x is None else x
        cells: Any = SimpleNamespace(
            count=len(where), coordinates=lambda lanes: (in_lanes(x, lanes), None), tables=()
        )
        module = native(MPI.COMM_SELF)
        batches = Batches([(cells, form, DofMap(in_lanes(where, form.lanes)), self.size)], module)
        address = pointer(module.ffi, state)

        def evaluate(keep=state) -> np.ndarray:  # kept alive: the address is that of its numbers
            return batches.evaluate(address).reshape(-1, self.size)

        return evaluate

    def apart(self) -> float:
        """The largest difference of both in units of what round-off of the numbers makes of the
        scalar one; infinity where one alone is a number."""
        rng = np.random.default_rng(0)
        exact = self.batch(self.scalar)().copy()
        found = self.batch(self.lanes)()
        if not np.array_equal(np.isfinite(exact), np.isfinite(found)):
            return np.inf
        noise = 1e-15 * np.abs(exact).max(axis=1, keepdims=True)
        for _ in range(8):
            near = [z * (1 + 4e-16 * rng.choice([-1, 1], z.shape)) for z in (self.numbers, self.x)]
            noise = noise + np.abs(self.batch(self.scalar, *near)() - exact)
        # cells of a kind are alike: what round-off does to one it may do to all
        noise = np.maximum(noise, np.nanmax(noise, axis=0, keepdims=True, initial=0.0))
        with np.errstate(invalid="ignore"):
            return float(np.nanmax(np.abs(found - exact) / (noise + 1e-300), initial=0.0))

    def times(self) -> tuple[float, float]:
        """CPU seconds of one evaluation, scalar and in lanes."""
        both = [self.batch(self.scalar), self.batch(self.lanes)]
        least = [np.inf, np.inf]
        repeat = max(1, int(2e-4 / max(_took(both[0], 1), 1e-7)))
        for _ in range(40):
            for k, evaluate in enumerate(both):
                least[k] = min(least[k], _took(evaluate, repeat))
        return least[0], least[1]


def _took(evaluate, repeat: int) -> float:
    tic = time.process_time()
    for _ in range(repeat):
        evaluate()
    return (time.process_time() - tic) / repeat


def state_of(built) -> State:
    """Of what a case without time builds: a system, a film, or a film in its liner."""
    if isinstance(built, Lug):
        return built.system.state
    return (
        Bearing(built.film, built.liner).state if hasattr(built, "film") else Bearing(built).state
    )


def states(names: list[str] | None = None) -> Iterator[State]:
    """One of each run of the cases, of the cases without time, and of blocks of solids."""
    for run in table_ledger.RUNS:
        if not names or run.case in names:
            case = cases.get(run.case)
            yield case.model(case.resolve(run.settings)).system.state
    for name in STATES:
        if not names or name in names:
            case = cases.get(name)
            yield state_of(case.built(case.resolve({})))
    for size, counts, degree in SOLIDS:
        if not names or "solid" in names:
            system = fc.System()
            mesh = block(size, counts, degree=degree)
            plane = {"state": "plane_strain"} if len(size) == 2 else {}
            system.add(fc.Solid(mesh, problems.STEEL, clamped="x0", **plane))
            yield system.state


def samples(names: list[str] | None = None, cells: int = 24) -> Iterator[Sample]:
    """Every form of every kind once; forms that have no lanes left out."""
    met, rng = set(), np.random.default_rng(3)
    for state in states(names):
        for k, c in enumerate(state.components):
            if c.kind in met or not c.count:
                continue
            met.add(c.kind)
            one, many = (forms.kernels(c.kind, MPI.COMM_SELF, n) for n in (1, MANY))
            rows = np.arange(cells) % c.count
            for name in FORMS:
                scalar, lanes = getattr(one, name), getattr(many, name)
                if scalar is None or lanes.lanes == 1:
                    continue
                size = {"tangent": c.dofs**2, "observe": len(c.observables)}.get(name, c.dofs)
                numbers = scattered(state, k, scalar, rows, rng)
                yield Sample(c.kind, name, scalar, lanes, numbers, c.geometry()[rows], size)


def scattered(state: State, k: int, form: forms.Compiled, rows, rng) -> np.ndarray:
    """Packed coefficients of some cells of a component: coordinates scatter by 1e-5 and a part of
    1e-4, or of 1e-2 in every other cell (which closes contacts), rates and accelerations by 0.1 and
    10."""
    c, problem = state.components[k], state.problem
    where = c.dof_map(
        form.coefficients, problem.local_unknowns[k], problem.offsets[k], problem.total,
        problem.globals_at,
    )  # fmt: skip
    state.globals[:3] = 0.01, 1e3, 1e6
    state.globals[6] = 1e3
    numbers = state.array[where][rows]
    total = problem.total
    wide = np.where(np.arange(len(rows)) % 2, 1e-2, 1e-4)[:, None]
    for start, part, least in ((0, wide, 1e-5), (1, 0, 0.1), (2, 0, 10.0), (3, wide, 1e-5)):
        here = (where[rows] >= start * total) & (where[rows] < (start + 1) * total)
        unit = np.ones(total) * problem.unit
        scale = np.where(here, unit[where[rows] % total], 0.0)
        noise = rng.standard_normal((2, *numbers.shape))
        numbers = numbers * np.where(here, 1 + part * noise[0], 1.0) + least * scale * noise[1]
    return numbers


def compiling(sample: Sample) -> tuple[float, float]:
    """CPU seconds to compile all forms of a kind, scalar and in lanes, in an empty cache."""
    kept, took = dict(forms._kernels), []
    for cells in (1, MANY):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            forms._kernels.clear()
            tic = sum(os.times()[:4])  # the compiler's too
            forms.kernels(sample.kind, MPI.COMM_SELF, cells)
            took.append(sum(os.times()[:4]) - tic)
    forms._kernels.update(kept)
    return took[0], took[1]


#: whole steps: what steps, how many
STEPS = {
    "rigid 48x8": 20, "rigid 96x16": 20, "20 quadratic": 300, "5 quadratic": 500, "20 cable": 500,
    "5 cable": 1000,
}  # fmt: skip


def step(name: str) -> float:
    """CPU seconds of a step, least of three runs: of a film of bench_films.py, or a pendulum of so
    many elements."""
    least = np.inf
    for _ in range(3):
        count, model = name.split()
        film = name in bench_films.CASES
        system = bench_films.rotor(name) if film else problems.pendulum(int(count), model)
        stepper = fc.Stepper(system, dt=2e-5 if film else 1e-3, t_end=10.0)
        stepper.start()
        for _ in range(5):
            stepper.advance()
        tic = time.process_time()
        for _ in range(STEPS[name]):
            stepper.advance()
        least = min(least, (time.process_time() - tic) / STEPS[name])
        stepper.destroy()
    return least


def steps(page: Path | None, rounds: int = 2) -> None:
    """Print what whole steps take, and write it into a page."""
    lines = ["| | without lanes (µs in a step) | in lanes, ratio |", "|---|---|---|"]
    print("\n".join(lines))
    for name in STEPS:
        took = [np.inf, np.inf]
        for _ in range(rounds):
            for k, number in enumerate(("1", "")):
                os.environ[processor.VARIABLE] = number
                took[k] = min(took[k], harness.alone(__file__, "--one", name))
        lines.append(f"| {name} | {1e6 * took[0]:.0f} | {took[1] / took[0]:.2f} |")
        print(lines[-1], flush=True)
    if page:
        harness.write_into(page, "table_lanes", "\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--cells", type=int, default=24)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--page", type=Path, help="write the table of --steps into this page")
    options = parser.parse_args()
    if options.one:
        harness.hand_over(step(options.one))
        return
    if options.steps:
        steps(options.page)
        return
    print(f"{processor.lanes()} lanes, {options.cells} cells\n")
    print("| kind | form | cell by cell, us | lanes | apart |" + " compiled |" * options.compile)
    print("|---" * (5 + options.compile) + "|")
    known: dict[Kind, str] = {}
    for sample in samples(options.only, options.cells):
        scalar, lanes = sample.times()
        row = f"| {sample.kind.label} | {sample.name} | {1e6 * scalar:.2f} | {lanes / scalar:.2f} "
        row += f"| {sample.apart():.1g} |"
        if options.compile:
            if sample.kind not in known:
                a, b = compiling(sample)
                known[sample.kind] = f" {a:.1f} s, {b / a:.2f} |"
                row += known[sample.kind]
            else:
                row += " |"
        print(row, flush=True)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    main()

"""Kernels that take several cells at once: the numbers of those that take one, in any order of the
cells, and functions beside NumPy's and SciPy's."""

import importlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import ufl
from scipy import special

import fem_clearance as fc
from fem_clearance._backend import MPI
from fem_clearance.core import forms
from fem_clearance.core.blocked import in_blocks, in_lanes
from fem_clearance.core.compiled.build import native
from fem_clearance.core.compiled.shared import pointer
from fem_clearance.core.evaluation import Batches, DofMap
from fem_clearance.core.kind import Kind
from fem_clearance.core.lanes import choice, processor
from fem_clearance.core.observables import Observable
from fem_clearance.errors import InputError

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "table_lanes.py"
several = pytest.mark.skipif(processor.lanes() == 1, reason="this processor has no vectors")


def script():
    """benchmarks/table_lanes.py, which walks the kinds of all cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPT.parent)
        return importlib.import_module(SCRIPT.stem)


TABLE = script()
#: cases whose kinds compile in seconds
QUICK = {"flexible_pendulum", "stick_slip_oscillator", "journal_bearing"}
CASES = [*dict.fromkeys(run.case for run in TABLE.table_ledger.RUNS), *TABLE.STATES, "solid"]


@several
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in CASES]
)
def test_every_kind_of_every_case_has_the_scalar_kernels_numbers(name):
    """Residual, tangent, observables and work at numbers that scatter; the last block is not full.
    What round-off of the cells' numbers makes of the scalar kernel's tells how far off is right."""
    found = {}
    for sample in TABLE.samples([name], cells=2 * processor.lanes() + 3):
        found[sample.kind.label, sample.name] = sample.apart()
    assert found
    assert max(found.values()) < 2, {k: z for k, z in found.items() if z > 1}


@dataclass(frozen=True)
class Functions(Kind):
    """Every function and comparison that a form may hold, of a cell's x and y."""

    parameters = {"x": (), "y": (), "n": ()}  # noqa: RUF012

    def fields(self):
        return {"u": ()}

    def expressions(self, c):
        x, y, n = (c.par(k) for k in ("x", "y", "n"))
        both, either = ufl.And(x > 0, y > 0), ufl.Or(x > 0, y > 0)
        return {
            "arithmetic": 3 - 2 * x / (1 + y * y) - y / 3,
            "integers": ufl.conditional(x > 0, 1, 0) + 2,
            "square": x**2, "cube": x**3, "fourth": x**4, "inverse": x**-1,
            "root": ufl.sqrt(abs(x)), "inverse_root": abs(x) ** -0.5,
            "three_halves": abs(x) ** 1.5, "five_halves": abs(x) ** 2.5, "power": abs(x) ** n,
            "exp": ufl.exp(x), "ln": ufl.ln(abs(x)), "sin": ufl.sin(x), "cos": ufl.cos(x),
            "tan": ufl.tan(x), "asin": ufl.asin(x / 4), "acos": ufl.acos(x / 4),
            "atan": ufl.atan(x), "sinh": ufl.sinh(x), "cosh": ufl.cosh(x), "tanh": ufl.tanh(x),
            "erf": ufl.erf(x), "atan2": ufl.atan2(x, y), "sign": ufl.sign(x), "abs": abs(x),
            "least": ufl.min_value(x, y), "largest": ufl.max_value(x, y),
            "and": ufl.conditional(both, x, y), "or": ufl.conditional(either, x, y),
            "not": ufl.conditional(ufl.Not(both), x, y),
            "equal": ufl.conditional(ufl.eq(x, y), 1.0, x), "other": ufl.conditional(
                ufl.ne(x, y), 1.0, x),
            "at_least": ufl.conditional(ufl.ge(x, y), x, 2 * y),
            "at_most": ufl.conditional(ufl.le(x, y), x, 2 * y),
            "guarded": ufl.conditional(x > 0, ufl.sqrt(x), 0.0),
            "nested": ufl.conditional(x > 0, ufl.conditional(y > 0, 1.0, 2.0), 3.0),
        }  # fmt: skip

    def observables(self, c):
        return {k: Observable(e, "", "") for k, e in self.expressions(c).items()}


def exact(x, y, n):
    """The same by NumPy and SciPy."""
    both, either, size = (x > 0) & (y > 0), (x > 0) | (y > 0), np.abs(x)
    with np.errstate(invalid="ignore"):
        return {
            "arithmetic": 3 - 2 * x / (1 + y * y) - y / 3, "integers": np.where(x > 0, 3.0, 2.0),
            "square": x**2, "cube": x**3, "fourth": x**4, "inverse": 1 / x, "root": np.sqrt(size),
            "inverse_root": size**-0.5, "three_halves": size**1.5, "five_halves": size**2.5,
            "power": size**n, "exp": np.exp(x), "ln": np.log(size), "sin": np.sin(x),
            "cos": np.cos(x), "tan": np.tan(x), "asin": np.arcsin(x / 4),
            "acos": np.arccos(x / 4), "atan": np.arctan(x), "sinh": np.sinh(x),
            "cosh": np.cosh(x), "tanh": np.tanh(x), "erf": special.erf(x),
            "atan2": np.arctan2(x, y), "sign": np.sign(x), "abs": size, "least": np.minimum(x, y),
            "largest": np.maximum(x, y), "and": np.where(both, x, y), "or": np.where(either, x, y),
            "not": np.where(~both, x, y), "equal": np.where(x == y, 1.0, x),
            "other": np.where(x != y, 1.0, x), "at_least": np.where(x >= y, x, 2 * y),
            "at_most": np.where(x <= y, x, 2 * y), "guarded": np.sqrt(np.maximum(x, 0)),
            "nested": np.where(x > 0, np.where(y > 0, 1.0, 2.0), 3.0),
        }  # fmt: skip


def evaluated(form, size, numbers):
    """Outputs of a form of points for their packed numbers."""
    state = numbers.ravel().copy()
    where = np.arange(state.size, dtype=np.int32).reshape(numbers.shape)
    x = np.zeros((len(numbers), 3))
    cells = SimpleNamespace(
        count=len(numbers), coordinates=lambda lanes: (in_lanes(x, lanes), None), tables=()
    )
    module = native(MPI.COMM_SELF)
    batch = Batches([(cells, form, DofMap(in_lanes(where, form.lanes)), size)], module)
    return batch.evaluate(pointer(module.ffi, state)).reshape(-1, size).copy()


@several
def test_functions_are_those_of_the_c_library():
    kind = Functions()
    kernels = forms.kernels(kind, MPI.COMM_SELF, 100)
    form, names = kernels.observe, [*kernels.observables]
    assert form.lanes == processor.lanes()
    rng = np.random.default_rng(0)
    x, y = rng.uniform(-3, 3, (2, 4 * processor.lanes() + 3))
    x[:3] = y[:3]
    n = rng.uniform(0.5, 3, x.shape)
    found = evaluated(form, len(names), np.stack([x, y, n], axis=1))
    for name, values in exact(x, y, n).items():
        assert found[:, names.index(name)] == pytest.approx(values, rel=4e-15, abs=1e-15), name


@several
def test_a_number_that_is_none_stays_in_its_lane():
    kernels = forms.kernels(Functions(), MPI.COMM_SELF, 100)
    names, count = [*kernels.observables], 2 * processor.lanes()
    numbers = np.tile([0.5, 0.7, 1.5], (count, 1))
    clean = evaluated(kernels.observe, len(names), numbers)
    numbers[1, 0] = np.nan
    found = evaluated(kernels.observe, len(names), numbers)
    others = np.arange(count) != 1
    assert np.array_equal(found[others], clean[others])
    assert np.isnan(found[1, names.index("exp")])
    # as fmin and fmax of C, which leave out what is no number
    assert found[1, names.index("least")] == found[1, names.index("largest")] == 0.7


@several
def test_numbers_of_a_cell_do_not_depend_on_the_others():
    """Bit for bit: in another order, alone, among more."""
    form = forms.kernels(Functions(), MPI.COMM_SELF, 100).observe
    size = len(Functions().observables(forms.Symbols(Functions())))
    rng = np.random.default_rng(1)
    numbers = rng.uniform(0.1, 2, (5 * processor.lanes() + 1, 3))
    whole = evaluated(form, size, numbers)
    order = rng.permutation(len(numbers))
    assert np.array_equal(evaluated(form, size, numbers[order]), whole[order])
    for part in (slice(0, 1), slice(3, 7), slice(7, None)):
        assert np.array_equal(evaluated(form, size, numbers[part]), whole[part])
    assert len(evaluated(form, size, numbers[:0])) == 0


def test_blocks():
    """Blocks x numbers x lanes; the last cell again where there is none."""
    rows = np.arange(10).reshape(5, 2)
    assert in_blocks(rows, 4).tolist() == [[[0, 2, 4, 6], [1, 3, 5, 7]], [[8] * 4, [9] * 4]]


@several
def test_few_cells_are_taken_one_by_one():
    for count, expected in ((3, 1), (4, processor.lanes())):
        system = fc.System()
        beam = fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL, elements=count)
        system.add(fc.SphericalJoint(system.ground.at((0, 0, 0)), system.add(beam).start))
        beams = next(c for c in system.state.components if c.kind.cell == "interval")
        assert beams.residual.lanes == beams.tangent.lanes == beams.observe.lanes == expected
    assert choice.lanes("point", 7) == 1
    assert choice.lanes("point", 8) == processor.lanes()


PENDULUM = """
import fem_clearance as fc
system = fc.System()
rubber = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), rubber, elements=6))
system.add(fc.SphericalJoint(system.ground.at((0, 0, 0)), beam.start))
stepper = fc.Stepper(system, dt=1e-3, t_end=1.0)
stepper.start()
for _ in range(100):
    stepper.advance()
lanes = {c.residual.lanes for c in system.state.components if c.kind.cell == "interval"}
print(*lanes, *map(float.hex, stepper.state.q[stepper.state.locate(beam.end.refs[0].numbers)]))
"""


def test_the_variable_chooses_lanes_and_motion_stays():
    """Without lanes, and with each number of them that this processor has, each in a process: the
    same motion to the tolerance of Newton's method."""
    ends = {}
    for lanes in processor.possible():
        done = subprocess.run(
            [sys.executable, "-c", PENDULUM], capture_output=True, text=True, check=True,
            env={**os.environ, processor.VARIABLE: str(lanes)},
        )  # fmt: skip
        number, *end = done.stdout.split()
        assert int(number) == lanes
        ends[lanes] = np.array([float.fromhex(z) for z in end])
    assert 1 in ends
    for end in ends.values():
        assert end == pytest.approx(ends[1], abs=1e-9)


def test_the_variable_is_checked(monkeypatch):
    processor.lanes.cache_clear()
    try:
        for wrong in ("3", "many", "-1"):
            monkeypatch.setenv(processor.VARIABLE, wrong)
            with pytest.raises(InputError, match=f"FEM_CLEARANCE_LANES={wrong}: kernels have 1"):
                processor.lanes()
    finally:
        processor.lanes.cache_clear()

"""Functions of time from Python functions, tables and CSV files."""

import math

import numpy as np
import pytest
import ufl
from scipy.interpolate import CubicSpline

import fem_clearance as fc
from fem_clearance.functions import Table, Traced, rate, shape, value

TIMES = np.linspace(0, 1, 12)
#: a Python function and its derivative, by NumPy or math on numbers
CASES = {
    "arithmetic": (lambda t: 2 + 10 * t - t**2, lambda t: 10 - 2 * t),
    "numpy": (
        lambda t: 0.1 * np.sin(5 * t) + np.float64(3) * np.exp(-t),
        lambda t: 0.5 * math.cos(5 * t) - 3 * math.exp(-t),
    ),
    "ufl": (
        lambda t: ufl.sin(2 * t) / (1 + t),
        lambda t: 2 * math.cos(2 * t) / (1 + t) - math.sin(2 * t) / (1 + t) ** 2,
    ),
    "cases": (lambda t: np.where(t < 0.5, t**3, 0.125), lambda t: 3 * t**2 if t < 0.5 else 0.0),
    "constant": (lambda t: 5, lambda t: 0.0),
}


@pytest.mark.parametrize("name", CASES)
def test_python_functions(name):
    """Values as Python gives them, rates as differentiated by hand."""
    function, slope = CASES[name]
    traced = Traced(function)
    for t in (0.0, 0.3, 0.7, 1.4):
        plain = float(ufl.as_ufl(float(function(t)) if name != "ufl" else function(t))(()))
        assert value(traced, t) == pytest.approx(plain, abs=1e-14)
        assert rate(traced, t) == pytest.approx(slope(t), abs=1e-13)


def test_numbers_of_a_python_function_are_parameters():
    """Others compile nothing."""
    one, two = (shape("a", "b", lambda t, w=w: w * np.sin(2 * w * t), "c") for w in (3.0, 7.0))
    assert one == two and one.pack()["function"].tolist() != two.pack()["function"].tolist()
    assert one != shape("a", "b", lambda t: 3.0 * np.cos(6.0 * t), "c")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda t: math.sin(t), "line .*in the place of those of math.*functions.Table"),
        (lambda t: 1 if t < 1 else 2, "numpy.where"),
        (lambda t: np.interp(t, [0, 1], [0, 1]), "interp of the time is not known"),
        (lambda: 3, "takes 0 positional arguments"),
        (lambda t: None, "must return a scalar expression of UFL, got None"),
        (lambda t: (t, t), "must return a scalar"),
        (3.0, "needs its angle as a function of time, .* or a lambda, got 3.0"),
    ],
)
def test_functions_that_cannot_be(function, said):
    system = fc.System()
    with pytest.raises(fc.InputError, match=said):
        fc.RotationDriver(
            system.ground, fc.RigidBody(1, (1, 1, 1)).center, axis=(0, 0, 1), angle=function
        )


@pytest.mark.parametrize("rates", [(None, None), (0.0, 2.5)])
def test_tables_are_cubic_splines(rates):
    """Against SciPy's, between points, at them and at both ends."""
    table = Table(TIMES, np.sin(3 * TIMES), rates)
    ends = [(1, r) if r is not None else "not-a-knot" for r in rates]
    spline = CubicSpline(TIMES, np.sin(3 * TIMES), bc_type=tuple(ends))
    for t in (0.0, 0.04, TIMES[5], 0.77, 1.0):
        assert value(table, t) == pytest.approx(float(spline(t)), abs=1e-14)
        assert rate(table, t) == pytest.approx(float(spline(t, 1)), abs=1e-12)
    assert shape("a", "b", table, "c") == shape("a", "b", Table(TIMES, TIMES**2), "c")


def test_csv(tmp_path):
    path = tmp_path / "measured.csv"
    rows = [f"{t:.6f}; {k}; {np.sin(t) * 1e3:.9f}" for k, t in enumerate(TIMES)]
    path.write_text("\n".join(["# of a test", "time; number; lift [mm]", *rows]))
    table = Table.read(path, "time", "lift [mm]", scale=1e-3)
    np.testing.assert_allclose(table.times, TIMES, atol=1e-6)
    assert value(table, 0.5) == pytest.approx(math.sin(0.5), abs=1e-5)
    thinned = Table.read(path, 0, 2, every=2)
    np.testing.assert_allclose(thinned.times, TIMES[[0, 2, 4, 6, 8, 10, 11]], atol=1e-6)
    for arguments, said in (
        (("time", "lift"), "no column 'lift'; it has time, number, lift"),
        ((0, 7), "no column 7: it has 3"),
    ):
        with pytest.raises(fc.InputError, match=said):
            Table.read(path, *arguments)
    path.write_text("0,1\n1,2\n2,x\n")
    with pytest.raises(fc.InputError, match="line 3 of its data: no numbers"):
        Table.read(path)
    with pytest.raises(fc.InputError, match="none.csv cannot be read: No such file"):
        Table.read(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("times", "values", "said"),
    [
        ([0, 1, 2], [0, 1, 2], "must have 4 to 100 points, got 3"),
        (np.arange(101), np.arange(101), r"got 101; take every n-th of them"),
        ([0, 1, 1, 2], [0, 1, 2, 3], r"1 s follows 1 s \(point 3\)"),
        ([0, 1, 2, 3], [0, 1, np.nan, 3], "values must be finite, point 3 is nan"),
        ([0, 1, 2, 3], [0, 1, 2], "has 4 times and 3 values"),
        ([0, 1, 2, 3], "abcd", "values must be"),
        # a ramp into rest with one point: the cubic of the last interval swings far out
        ([0, 1, 1.01, 5], [0, 1, 1, 1], "last two points the spline leaves the range"),
    ],
)
def test_tables_that_cannot_be(times, values, said):
    with pytest.raises(fc.InputError, match=said):
        Table(times, values)


def driven(angle):
    system = fc.System(gravity=(0, 0, 0))
    wheel = system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1), name="wheel"))
    pin = system.add(fc.RevoluteJoint(system.ground, wheel.center, axis=(0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), angle, name="motor"))
    return system


def test_driven_by_a_lambda():
    """Torque of the motor: moment of inertia times the angular acceleration, 0.1 x 18 cos 6t of
    sin^2 3t; the driver's rate at the start is the wheel's."""
    run = fc.Simulation(
        driven(lambda t: np.sin(3 * t) ** 2), dt=1e-3, t_end=0.5, progress=False
    ).run()
    np.testing.assert_allclose(run["motor.angle"], np.sin(3 * run.time) ** 2, atol=1e-5)
    np.testing.assert_allclose(run["motor.torque"], 1.8 * np.cos(6 * run.time), atol=2e-3 * 1.8)


def test_a_run_stays_within_its_table():
    table = Table(TIMES, np.sin(3 * TIMES) ** 2, (0.0, None))
    run = fc.Simulation(driven(table), dt=1e-2, t_end=1.0, progress=False).run()
    spline = CubicSpline(TIMES, np.sin(3 * TIMES) ** 2, bc_type=((1, 0.0), "not-a-knot"))
    np.testing.assert_allclose(run["motor.angle"], spline(run.time), atol=1e-5)
    with pytest.raises(fc.InputError, match="motor: the table goes from 0 to 1 s, the run from 0"):
        fc.Simulation(driven(table), dt=1e-2, t_end=1.1, progress=False).run()


def test_loads_take_python_functions():
    """A force on a free mass: its speed is the integral of 6 t."""
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(2.0, (1, 1, 1), name="ball", free=True))
    system.add(fc.Force(ball, (1.0, 0, 0), lambda t: 6 * t, name="push"))
    run = fc.Simulation(system, dt=1e-2, t_end=1.0, progress=False).run()
    assert run["ball.vx"][-1] == pytest.approx(1.5, rel=1e-3)

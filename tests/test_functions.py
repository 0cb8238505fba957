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


def test_a_table_with_an_expression_of_its_own():
    """It is that expression, twice sin(3 t), and no longer the table."""

    class Doubled(Table):
        def expression(self, t, p):
            return 2 * super().expression(t, p)

    function, plain = (kind(TIMES, np.sin(3 * TIMES)) for kind in (Doubled, Table))
    assert value(function, 0.3) == pytest.approx(2 * value(plain, 0.3), rel=1e-14)
    assert rate(function, 0.3) == pytest.approx(2 * rate(plain, 0.3), rel=1e-12)
    found = shape("a", "b", function, "c")
    assert found != shape("a", "b", plain, "c")
    assert found.pack()["function"].tolist() == list(plain.numbers)


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
        ([0, 1, 2], [0, 1, 2], "must have at least 4 points, got 3"),
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


# --- long tables ----------------------------------------------------------------------------------
def measured(points: int, end: float = 1.0):
    """A record as of a sensor: three tones and noise, at rest at its start."""
    t = np.linspace(0, end, points)
    noise = np.random.default_rng(3).normal(size=points)
    tones = np.sin(3 * t) ** 2 + 0.2 * np.sin(11 * t) ** 2 * np.cos(40 * t)
    return t, tones + 1e-6 * noise * t**2


class Whole:
    """A table as a part of a function of one's own: all of its points are in the form."""

    def __init__(self, table):
        self.table, self.numbers = table, table.numbers

    def expression(self, t, p):
        return self.table.expression(t, p)


def test_tables_of_all_lengths_share_what_is_compiled():
    short, long = Table(TIMES, TIMES**2), Table(*measured(20_000))
    assert shape("a", "b", long, "c") == shape("a", "b", short, "c")
    assert shape("a", "b", Whole(short), "c") != shape("a", "b", short, "c")
    with pytest.raises(fc.InputError, match="20000 points: as a part of another function .* 100"):
        Whole(long)


@pytest.mark.parametrize("points", [12, 20_000])
def test_driven_by_a_table_of_any_length(points):
    """Angle and torque follow SciPy's spline and its derivatives: moment of inertia 0.1 kg m^2.

    What integrates the angle sees the function at ends of steps only, so that it is exact.
    """
    t, y = (TIMES, np.sin(3 * TIMES) ** 2) if points == 12 else measured(points)
    table = Table(t, y, (0.0, None))
    spline = CubicSpline(t, y, bc_type=((1, 0.0), "not-a-knot"))
    run = fc.Simulation(driven(table), dt=1e-3, t_end=1.0, progress=False).run()
    np.testing.assert_allclose(run["motor.angle"], spline(run.time), rtol=0, atol=1e-12)
    for time in (0.0, 0.123456, 0.98765):
        assert value(table, time) == pytest.approx(float(spline(time)), abs=1e-14)
        assert rate(table, time) == pytest.approx(float(spline(time, 1)), abs=1e-12)
    if points == 12:
        torque = 0.1 * spline(run.time, 2)
        np.testing.assert_allclose(run["motor.torque"], torque, atol=5e-3 * np.abs(torque).max())


def test_a_table_moves_as_one_that_is_compiled_whole():
    """The same 12 points by way of conditions in the form: positions, torques, energies."""
    table = Table(TIMES, np.sin(3 * TIMES) ** 2, (0.0, None))
    runs = [
        fc.Simulation(driven(angle), dt=2e-3, t_end=1.0, progress=False).run()
        for angle in (table, Whole(table))
    ]
    # the table's run has steps of its own only where it bends twice within one: nowhere here
    np.testing.assert_array_equal(*(run.time for run in runs))
    for name in ("motor.angle", "motor.torque", "wheel.x", "energy.kinetic", "energy.balance"):
        one, other = (run[name] for run in runs)
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * np.abs(other).max(initial=1))


def pushed(table):
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(2.0, (1, 1, 1), name="ball", free=True))
    system.add(fc.Force(ball, (1.0, 0, 0), table, name="push"))
    return system


def test_steps_do_not_pass_over_a_pulse():
    """Half a sine of 3 N and 20 ms in a record of 10 s, in which adaptive steps grow to a second:
    its impulse over the mass of 2 kg, by SciPy's integral of the spline."""
    t = np.linspace(0, 10, 20_001)
    inside = (t > 7.3) & (t < 7.32)
    y = np.where(inside, 3 * np.sin(np.pi * (t - 7.3) / 0.02), 0.0)
    run = fc.Simulation(
        pushed(Table(t, y, name="record")), t_end=10.0, tolerance=1e-9, progress=False
    ).run()
    speed = float(CubicSpline(t, y).integrate(0, 10)) / 2
    assert speed == pytest.approx(3 * 0.02 * 2 / np.pi / 2, rel=1e-3)  # of half a sine
    assert run["ball.vx"][-1] == pytest.approx(speed, rel=1e-3)
    assert np.diff(run.time).max() > 0.5 and len(run.time) < 500


def test_fixed_steps_pass_over_one_bend_at_most():
    """A pulse between two points of the grid; the grid is met all the same."""
    t = np.linspace(0, 1, 1001)
    y = np.where((t > 0.51) & (t < 0.59), np.sin(np.pi * (t - 0.51) / 0.08) ** 2, 0.0)
    run = fc.Simulation(pushed(Table(t, y)), dt=0.1, t_end=1.0, progress=False).run()
    assert run["ball.vx"][-1] == pytest.approx(0.04 / 2, rel=0.1)  # the integral is 0.08 / 2
    for k in range(11):
        assert np.abs(run.time - 0.1 * k).min() < 1e-12


def test_stops_of_a_table():
    """None along a straight line, a few a period along a smooth one, all of a zigzag."""
    t = np.linspace(0, 1, 1001)
    assert len(Table(t, 3 * t - 1).stops) == 0
    assert 4 <= len(Table(t, np.sin(2 * np.pi * t)).stops) <= 8
    assert len(Table(t, (-1.0) ** np.arange(1001), rates=(0, 0)).stops) >= 990


def test_all_loads_take_tables():
    """Resultants of a torque, a line load and a pressure on several facets follow the table."""
    t, y = measured(2000)
    table, spline = Table(t, y), CubicSpline(t, y)
    system = fc.System(gravity=(0, 0, 0))
    steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
    section = fc.Rectangle(0.02, 0.02)
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), section, steel, 2, model="quadratic"))
    system.add(fc.FixedJoint(system.ground, beam.start))
    mesh = fc.meshes.block((0.2, 0.3), (1, 2), degree=1)
    rubber = fc.NeoHookean(E=1e6, nu=0.3, rho=1100.0)
    block = system.add(
        fc.Solid(mesh, rubber, degree=1, state="plane_strain", clamped="y0", name="block")
    )
    system.add(fc.Torque(beam.end, (0, 0, 2.0), table, name="twist"))
    system.add(fc.LineLoad(beam, (0, 3.0, 0), table, name="wind"))
    gas = fc.Pressure(block.facets("x0"), 40.0, table, follower=False, name="gas")
    system.add(gas)
    run = fc.Simulation(system, dt=2e-2, t_end=0.2, progress=False).run()
    for name, size in (("twist.z", 2.0), ("wind.y", 3.0), ("gas.x", 40 * 0.3)):
        np.testing.assert_allclose(run[name], size * spline(run.time), rtol=0, atol=1e-12 * size)
    assert [name for name, _ in fc.functions.tables(system.items)] == ["twist", "wind", "gas"]


def test_statics_stay_within_a_table():
    with pytest.raises(fc.InputError, match="motor: the table goes from 0 to 1 s, the run from 0"):
        fc.Statics(driven(Table(TIMES, TIMES**2)), time=1.5).solve()


def test_numbers_of_a_table_are_not_assigned():
    system = driven(Table(TIMES, TIMES**2))
    with pytest.raises(fc.InputError, match="motor: its function is a table"):
        system.state.assign("motor", function=(0, 1, 0, 0, 0))

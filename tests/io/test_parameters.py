"""Parameters: what is read, what is refused, and case.toml."""

import math
import tomllib

import pytest

import fem_clearance as fc
from fem_clearance.io import toml
from fem_clearance.io.toml import shortest
from fem_clearance.runs.parameters import Every, Parameter, Values, assignment

MODULUS = Parameter("arm.E", 2.07e11, "Pa", "Young's modulus")


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (MODULUS, "6e7", 6e7),
        (MODULUS, 7, 7.0),
        (MODULUS, " 1 ", 1.0),
        (Parameter("n", 6), "12", 12),
        (Parameter("n", 6), "1e1", 10),
        (Parameter("on", False), "True", True),
        (Parameter("on", False), "off", False),
        (Parameter("on", False), True, True),
        (Parameter("kind", "dry", choices=("dry", "ideal")), "ideal", "ideal"),
        (Parameter("spin", [0, 0, 1]), "1, 2,3", [1.0, 2.0, 3.0]),
        (Parameter("spin", [0, 0, 1]), "[1e3]", [1000.0]),
        (Parameter("spin", (0, 0, 1)), (1, 2, 3), [1.0, 2.0, 3.0]),
        (Parameter("every", None, type=Every), "10", 10),
        (Parameter("every", None, type=Every), "10.0", 10.0),
    ],
)
def test_reads(parameter, text, value):
    result = parameter.read(text)
    assert result == value
    assert type(result) is type(value)


SPEED = Parameter("speed", 1.0, "rad/s", aliases={"rpm": math.pi / 30})


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (MODULUS, "210GPa", 2.1e11),
        (MODULUS, "210 MPa", 2.1e8),
        (MODULUS, "30 ksi", 30e3 * 4.4482216152605 / 0.0254**2),  # pound-force by square inch
        (Parameter("clearance", 1e-4, "m"), "20 um", 2e-5),
        (Parameter("clearance", 1e-4, "m"), "0.5 µm", 5e-7),
        (Parameter("viscosity", 0.04, "Pa s"), "40 cP", 0.04),
        (Parameter("viscosity", 0.04, "Pa s"), "0.3 Pa s", 0.3),
        (SPEED, "300 rpm", 300 * math.pi / 30),
        (SPEED, "2 rad/s", 2.0),
        (SPEED, "360 deg/s", 2 * math.pi),
        (Parameter("rpm", 300.0, "1/min"), "10 rev/s", 600.0),
        (Parameter("rpm", 300.0, "1/min"), "450 1/min", 450.0),
        (Parameter("angle", 1.0, "deg"), "0.5 rad", 90 / math.pi),
        (Parameter("frequency", 5.0, "Hz"), "3 kHz", 3e3),
        (Parameter("damping", 1.0, "N s/m"), "2 N s/mm", 2e3),
        (Parameter("ratio", 0.3), "5 %", 0.05),
        (Parameter("spin", [0.0, 0.0, 1.0], "rad/s"), "[0, 60 rpm, 1]", [0, 2 * math.pi, 1]),
    ],
)
def test_values_with_units(parameter, text, value):
    """By the definitions of the units."""
    assert parameter.read(text) == pytest.approx(value, rel=1e-14)


def test_nothing_for_a_unit():
    word = Parameter("drive", "speed", None, None)
    assert f"{word.unit:8}{word.text}" == " " * 8
    with pytest.raises(fc.InputError, match="parameter drive: unit must be a text, got 3"):
        Parameter("drive", "speed", 3)


def test_an_alias_has_its_own_unit():
    assert SPEED.under("rpm", "5 rev/s") == pytest.approx(10 * math.pi)
    assert SPEED.under("rpm", 300) == pytest.approx(10 * math.pi)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (MODULUS, "20 mm", "must be in Pa or a unit like it, got '20 mm'"),
        (MODULUS, "210 GPaa", "'GPaa' is not a unit that is known; give a value in Pa"),
        (MODULUS, "2.5.3", "must be a number in Pa, got '2.5.3'"),
        (MODULUS, "1e4:5e4:3", "must be a number in Pa, got '1e4:5e4:3'"),
        (Parameter("ratio", 0.3), "0.3m", "must be a plain number, got '0.3m'"),
        (Parameter("elements", 6), "6 mm", "must be a plain number"),
        (Parameter("ratio", 0.3), "20 deg", "must be a plain number"),
        (SPEED, "50 Hz", "must be in rad/s or a unit like it, got '50 Hz'"),
        (Parameter("rpm", 300.0, "1/min"), "5 Hz", "in 1/min or a unit like it"),
        (Parameter("frequency", 5.0, "Hz"), "300 rpm", "in Hz or a unit like it"),
        (MODULUS, "nan", "finite"),
        (MODULUS, "-inf", "finite"),
        (MODULUS, math.inf, "finite"),
        (MODULUS, True, "number"),
        (MODULUS, "steel", "must be a number in Pa, got 'steel'"),
        (Parameter("n", 6), "2.5", "whole number"),
        (Parameter("on", False), "2", "true or false"),
        (Parameter("kind", "dry", choices=("dry", "ideal")), "idael", "did you mean 'ideal'"),
        (Parameter("kind", "dry", choices=("dry", "ideal")), 3, "must be a word"),
        (Parameter("spin", [0, 0, 1]), "1, x", "number"),
        (Parameter("spin", [0, 0, 1]), 4.0, "list of numbers"),
    ],
)
def test_refuses(parameter, value, message):
    with pytest.raises(fc.InputError, match=message.replace("(", r"\(")) as error:
        parameter.read(value)
    assert parameter.name in str(error.value)


def test_assignment():
    assert assignment("arm.E = 6e7") == ("arm.E", "6e7")
    for text in ("arm.E", "=3", "arm.E="):
        with pytest.raises(fc.InputError, match="key=value"):
            assignment(text)


@pytest.mark.parametrize("value", [0.1, 2.07e11, 1e-5, -3.0, 1 / 3, 6e7, 0.0, 123456.0])
def test_shortest_text_reads_back(value):
    assert float(shortest(value)) == value


def test_case_file_reads_back(tmp_path):
    parameters = [
        Parameter("stiffness", "fourier", text="of the teeth"),
        Parameter("stiffness.fillet", True),  # a key and a table at once: needs quotes
        Parameter("arm.E", 2.07e11, "Pa"),
        Parameter("arm.elements", 6),
        Parameter("whole", 1e5),
        Parameter("spin", [0.0, 1e-7, 3.0]),
        Parameter("title", 'a "quoted" \\ name, µm'),
        Parameter("unset", None),
        Parameter("steps", 10, type=Every),
    ]
    values = Values(parameters, {p.name: p.default for p in parameters})
    path = tmp_path / "case.toml"
    path.write_text(toml.write("gears", values), encoding="utf-8")
    tomllib.loads(path.read_text(encoding="utf-8"))
    case, read = toml.read(path)
    assert case == "gears"
    assert read == {k: v for k, v in values.items() if v is not None}
    assert all(type(read[k]) is type(values[k]) for k in read)


@pytest.mark.parametrize(
    ("text", "message"),
    [("arm.E = 3", "which case"), ("case = ", "not a case file"), ("case = 3", "which case")],
)
def test_case_file_refused(tmp_path, text, message):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(fc.InputError, match=message):
        toml.read(tmp_path / "a.toml")

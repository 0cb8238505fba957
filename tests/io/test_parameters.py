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


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (MODULUS, "210GPa", "give it in Pa, e.g. 2.1e11"),
        (MODULUS, "210 MPa", "give it in Pa, e.g. 2.1e8"),
        (MODULUS, "210ksi", "give it in Pa, e.g. 2.07e11"),
        (Parameter("ratio", 0.3), "0.3m", "as a plain number"),
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

"""Outputs of a history: values by closed forms, derivatives by differences of the values."""

import numpy as np
import pytest

from fem_clearance import InputError
from fem_clearance.sensitivity.derivatives import Derivatives
from fem_clearance.sensitivity.outputs import At, Function, History, Integral, Peak, outputs


def history(t, c):
    return History(np.asarray(t, float), {"tip.x": np.asarray(c, float)})


UNEVEN = np.array([0.0, 0.1, 0.25, 0.45, 0.5, 0.8])
MOVED = np.array([1.0, 1.5, 2.5, 2.2, 1.0, -0.5])
MEAN = Function(
    lambda z: [z["tip.x"].mean(), z.t @ z["tip.x"]],
    lambda z: {
        "tip.x": [np.full(len(z.t), 1 / len(z.t)), z.t],
        "t": [np.zeros(len(z.t)), z["tip.x"]],
    },
)


@pytest.mark.parametrize(
    "output",
    [
        At("tip.x"), At("tip.x", [0.1, 0.5]), Integral("tip.x"), Integral("tip.x", 3),
        Peak("tip.x"), Peak("tip.x", least=True), MEAN,
    ],
    ids=lambda o: type(o).__name__,
)  # fmt: skip
def test_weights_are_derivatives_of_the_value(output):
    """Central differences of the value by each recorded value and each instant."""
    by_value, by_time = [], []
    for k in range(len(UNEVEN)):
        d = np.zeros(len(UNEVEN))
        d[k] = 1e-6
        ends = [output.rows(history(UNEVEN, MOVED + s * d)) for s in (1, -1)]
        by_value.append([(a.value - b.value) / 2e-6 for a, b in zip(*ends, strict=True)])
        if not isinstance(output, At):  # which asks for given times
            ends = [output.rows(history(UNEVEN + s * d, MOVED)) for s in (1, -1)]
            by_time.append([(a.value - b.value) / 2e-6 for a, b in zip(*ends, strict=True)])
    for i, row in enumerate(output.rows(history(UNEVEN, MOVED))):
        for found, (where, weights) in ((by_value, row.channels["tip.x"]), (by_time, row.times)):
            full = np.zeros(len(UNEVEN))
            full[where] = weights
            if found:
                assert full == pytest.approx(np.array(found)[:, i], abs=1e-8)


def test_values():
    """A parabola's vertex, a line's mean square by the trapezoidal rule, single instants."""
    t = np.linspace(0, 1, 8)
    parabola = history(t, 3 - (t - 0.4) ** 2)
    assert Peak("tip.x").rows(parabola)[0].value == pytest.approx(3, rel=1e-14)
    assert Peak("tip.x", least=True).rows(parabola)[0].value == pytest.approx(3 - 0.36)
    line = history([0.0, 1.0, 3.0], [0.0, 1.0, 3.0])
    assert Integral("tip.x").rows(line)[0].value == 4.5
    assert Integral("tip.x", 2).rows(line)[0].value == 0.5 + 2 * 5
    assert [r.value for r in At("tip.x", [1.0, 3.0]).rows(line)] == [1.0, 3.0]


def test_words_of_the_shell():
    at, most, square = outputs(["tip.x", "tip.x:max", "tip.x:integral2"])
    assert (at, most, square) == (At("tip.x"), Peak("tip.x"), Integral("tip.x", 2))
    with pytest.raises(InputError, match=r"one of :end, :max"):
        outputs("tip.x:largest")
    with pytest.raises(InputError, match="of must contain At"):
        outputs([3])


def test_what_cannot_be():
    with pytest.raises(InputError, match=r"no step ends at this time"):
        At("tip.x", 0.3).rows(history(UNEVEN, MOVED))
    with pytest.raises(InputError, match=r"did you mean 'tip.x'"):
        At("tip.xx").rows(history(UNEVEN, MOVED))
    with pytest.raises(InputError, match="power"):
        Integral("tip.x", 0.5)
    wrong = Function(lambda z: 1.0, lambda z: {"tip.x": [1.0]})
    with pytest.raises(InputError, match=r"not 1 x 6"):
        wrong.rows(history(UNEVEN, MOVED))


def test_table(tmp_path):
    d = Derivatives(
        ("tip.x",), ("E", "c"), np.array([2.0]), np.array([[0.5, -3.0]]), np.array([4.0, 0.0]),
        np.array([4.0, 0.1]),
    )  # fmt: skip
    assert d.scaled.tolist() == [[2.0, pytest.approx(-0.3)]]
    lines = d.to_csv(tmp_path / "sensitivity.csv").read_text().splitlines()
    assert lines[0] == "output,value,parameter,parameter_value,derivative,scaled"
    assert lines[1] == "tip.x,2.0,E,4.0,0.5,2.0"
    assert "-3" in repr(d)

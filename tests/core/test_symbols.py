"""Vectors in forms: sums and parts."""

import pytest
import ufl

from fem_clearance.extend import indicator, total, triple


def test_total():
    """The sum of vectors, and of one scalar, from any iterable; of nothing there is none."""
    forces = [ufl.as_vector([1.0, 2.0]), ufl.as_vector([3.0, 5.0]), ufl.as_vector([10.0, 20.0])]
    assert [total(forces)[k](()) for k in range(2)] == [14.0, 27.0]
    assert total(iter([ufl.as_ufl(4.0)]))(()) == 4.0
    with pytest.raises(ValueError, match="not enough values"):
        total([])


def test_triple():
    numbers = ufl.as_vector([float(n) for n in range(6)])
    assert [triple(numbers)[k](()) for k in range(3)] == [0.0, 1.0, 2.0]
    assert [triple(numbers, 2)[k](()) for k in range(3)] == [2.0, 3.0, 4.0]


def test_indicator():
    for depth, value in ((1e-9, 1.0), (0.0, 0.0), (-1.0, 0.0)):
        assert indicator(ufl.gt(ufl.as_ufl(depth), 0))(()) == value

"""Four elastic tilting pads that expand, around a journal that takes no heat, beside the theory of
Fillon, Bligoud and Frene (1992), J. Tribology 114(3), and what they measured, both read from
diagrams to 1 K (benchmarks/table_fillon.py has the data)."""

import pytest

from benchmarks.table_fillon import FILLON, FourPads, hottest

#: K, of the theory; and by how much it is missed, with the reason in docs/thermal.md
AIM, MISSED = 4.0, {4000: 0.3}


@pytest.mark.slow
@pytest.mark.parametrize("rpm", [1000, 2000, 3000, 4000])
def test_hottest_pad(rpm):
    measured, theory = FILLON[rpm]
    state = FourPads().at(rpm)
    assert hottest(state) == pytest.approx(theory, abs=AIM + MISSED.get(rpm, 0.0))
    assert hottest(state) < measured
    left = sum(film.warm.journal_heat for film in state.films)
    assert abs(left) < 1e-3 * state.power_loss

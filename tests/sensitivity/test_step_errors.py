"""Derivatives that the error of the time steps spoils: friction whose reversals steps pass over,
compared with a closed form, and what ``check`` says of them."""

from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import lubrication
from fem_clearance.sensitivity.derivatives import Derivatives
from fem_clearance.sensitivity.taylor import taylor
from tests.sensitivity import models

X0, N, V0 = 0.05, 10.0, 1e-3


def block(p):
    """A block of 1 kg on a spring, with dry friction."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(X0, 0, 0), name="block"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    system.add(
        fc.SpringDamper(
            system.ground.at((-1, 0, 0)), body.center, stiffness=p["k"], free_length=1.0
        )
    )
    system.add(
        fc.FrictionElement(
            system.ground.at((X0, 0, 0)), body.center, (1, 0, 0), normal_force=N, name="rub",
            friction=fc.SmoothCoulomb(p["mu"], v0=V0),
        )
    )  # fmt: skip
    return system


def closed(k, mu, t):
    """Half periods about +- mu N / k (Coulomb's friction)."""
    w, x, side = np.sqrt(k), X0, 1.0
    while t > np.pi / w:
        x, side, t = -x + 2 * side * mu * N / k, -side, t - np.pi / w
    return (x - side * mu * N / k) * np.cos(w * t) + side * mu * N / k


@pytest.mark.parametrize(("dt", "error"), [(1e-3, 0.31), (2e-5, 0.0)])
def test_friction_that_reverses_within_a_step(dt, error):
    """dx/dk after one reversal. Steps across which the friction reverses at once give a derivative
    that is wrong by a third, and say so; steps that resolve tanh(v / v0) one that is right to the
    influence of v0, without a word."""
    at, t = {"k": 400.0, "mu": 0.2}, 0.26
    s = fc.Sensitivity(block, at=at, by="k", of="block.x", t_end=t, dt=dt)
    d = s.forward(histories=False)
    right = (closed(400.004, 0.2, t) - closed(399.996, 0.2, t)) / 0.008
    assert d.values[0] == pytest.approx(closed(400.0, 0.2, t), rel=1e-2)
    notes = [n for n in d.notes if "rub: friction reverses at 0.157" in n and "decrease dt" in n]
    assert bool(notes) == bool(error)
    assert all(len(n) <= 400 for n in notes)
    assert 1 - d.jacobian[0, 0] / right == pytest.approx(error, abs=0.05 if error else 1e-3)


@pytest.mark.parametrize(("tolerance", "error"), [(1e-7, (0.005, 0.1)), (1e-9, (0.0, 0.005))])
def test_adaptive_steps_over_reversals(tolerance, error):
    """dx/dk after two reversals: the run is right to 1e-5 m with each tolerance."""
    at, t = {"k": 400.0, "mu": 0.2}, 0.4
    s = fc.Sensitivity(block, at=at, by="k", of="block.x", t_end=t, tolerance=tolerance)
    d = s.forward(histories=False)
    right = (closed(400.004, 0.2, t) - closed(399.996, 0.2, t)) / 0.008
    assert d.values[0] == pytest.approx(closed(400.0, 0.2, t), abs=1e-5)
    assert error[0] <= abs(d.jacobian[0, 0] / right - 1) <= error[1]
    assert any("decrease tolerance" in note for note in d.notes) == (tolerance == 1e-7)


def remainders(function, slope, lowest=-np.inf):
    """Notes of the check of a number's derivative at 1 in the direction 1."""

    def run(x):
        if x[0] < lowest:
            raise fc.InputError("beyond a bound")
        return SimpleNamespace(counts={}, event_steps=[], outputs=np.array([function(x[0])]))

    base = Derivatives(
        ("z",), ("x",), run([1.0]).outputs, np.array([[slope]]), np.ones(1), np.ones(1)
    )  # fmt: skip
    return taylor(base, np.ones(1), run, 0.1).notes


def curve(x):
    """Of slope 1.02 at 1."""
    return x + 0.01 * x**2


def test_only_kinks_are_called_kinks():
    """Functions in place of runs: a derivative that is wrong by one percent where both sides agree,
    that of the other side, and one of which the other side cannot be computed."""
    (note,) = remainders(curve, 1.01 * 1.02)
    assert note.startswith("runs with changes in this and in the opposite direction agree")
    assert "differs by 0.0099 of the computed one" in note
    assert "decrease tolerance" in note
    assert not remainders(curve, 1.02)
    assert "it has a kink" in remainders(lambda x: abs(x - 1) + x, 0.0)[0]
    assert "it has a kink" in remainders(curve, 1.01 * 1.02, lowest=1.0)[0]


def test_one_line_for_an_output():
    """Of 90 outputs those are printed of which the derivatives leave most, after one sentence on
    all that have a kink."""
    kinked = np.arange(90) % 20 == 7
    names = tuple(f"out{k}" for k in range(90))

    def run(x):
        values = np.where(kinked, abs(x[0] - 1), 0.1 * (x[0] - 1) ** 2) + x[0]
        return SimpleNamespace(outputs=values, counts={}, event_steps=[])

    base = Derivatives(
        names, ("p",), run([1.0]).outputs, np.ones((90, 1)), np.ones(1), np.ones(1)
    )  # fmt: skip
    test = taylor(base, np.ones(1), run, 0.1)
    (note,), lines = test.notes, repr(test).splitlines()
    assert note.startswith("the remainder of out7, out27, out47, out67, out87 is of first order")
    assert lines[0] == note and len(lines) == 1 + 1 + 12 + 1
    assert [line.split()[0] for line in lines[2:7]] == ["out7", "out27", "out47", "out67", "out87"]
    assert "78 outputs" in lines[-1]


@pytest.mark.parametrize("cavitation", [lubrication.Guembel(), lubrication.Reynolds()])
def test_power_of_half_sommerfeld_films_is_named(cavitation):
    """Whose shear jumps at an edge that derivatives do not follow; pressures have none."""
    s = fc.Sensitivity(
        models.journal(cavitation), at=models.JOURNAL, t_end=2e-4, dt=1e-4,
        of=["bearing.power_loss", "power.film", "bearing.max_pressure"],
    )  # fmt: skip
    for d in (s.forward(histories=False), s.adjoint()):
        said = [note.partition(":")[0] for note in d.notes if "shear of a film" in note]
        both = ["bearing.power_loss", "power.film"]
        assert said == both * isinstance(cavitation, lubrication.Guembel)


def test_outputs_that_scatter():
    """A jump off the line as large at each change."""
    (note,) = remainders(lambda x: curve(x) + 0.01 * (x != 1), 1.02)
    assert "remainder of z decreases with an order below 1 (from 0.0)" in note

"""Derivatives of runs of fixed steps: against differences of whole runs, and both ways."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Full, Guembel, Reynolds
from tests.integrators.conftest import BDF2
from tests.sensitivity import models

TIP = ["tip.x", "tip.y", "tip.vy"]


@pytest.fixture(scope="module")
def beam():
    s = fc.Sensitivity(
        models.beam, at=models.BEAM, of=TIP, t_end=0.05, dt=1e-3, newton_tolerance=1e-12
    )
    return s, s.forward()


def test_beam_taylor(beam):
    """What the derivatives leave of computed changes is of second order over two decades, along
    all parameters at once: material, damping, section and length of the elements."""
    s, d = beam
    test = s.check({"E": 0.3, "rho": -0.2, "damping": 0.5, "length": 0.1, "width": -0.2})
    assert test.orders == pytest.approx(2.0, abs=0.1)
    assert test.notes == ()
    assert np.all(test.changes[0] > 100 * test.remainders[-1])
    assert d.jacobian.shape == (3, 5)


def test_adjoint_is_forward(beam):
    s, d = beam
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)
    assert s.adjoint().values.tolist() == d.values.tolist()


def test_histories(beam):
    """The derivative of a channel over time ends with that of its end, and begins with that of the
    model: the tip starts at the length."""
    _, d = beam
    history = d.histories["tip.x", "length"]
    assert len(history) == len(d.t) == 51
    assert history[0] == pytest.approx(1.0, rel=1e-9)
    assert history[-1] == pytest.approx(d.jacobian[0, 3], rel=1e-12)


def test_outputs_over_time():
    """Integrals, peaks, instants and a function of the history: both ways and by differences of
    runs of fourth order."""
    middle = fc.Function(
        lambda z: z["tip.y"] @ z["tip.x"] / len(z.t),
        lambda z: {"tip.y": z["tip.x"] / len(z.t), "tip.x": z["tip.y"] / len(z.t)},
    )
    of = [fc.Integral("tip.y", 2), fc.Peak("tip.y", least=True), fc.At("tip.y", 0.02), middle]
    s = fc.Sensitivity(
        models.beam, at=models.BEAM, by=["E", "length"], of=of, t_end=0.05, dt=1e-3,
        newton_tolerance=1e-12,
    )  # fmt: skip
    forward, adjoint = s.forward(histories=False), s.adjoint()
    assert adjoint.jacobian == pytest.approx(forward.jacobian, rel=1e-9)
    for k, name in enumerate(forward.by):
        d = 3e-4 * models.BEAM[name]
        found = np.zeros(4)
        for step, factor in ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12)):
            x = forward.parameters.copy()
            x[k] += step * d
            found += factor / d * s.run(x).outputs
        assert found == pytest.approx(forward.jacobian[:, k], rel=1e-6)


@pytest.mark.parametrize(
    "cavitation", [Full(), Guembel(), Reynolds()], ids=lambda c: type(c).__name__
)
def test_film(cavitation):
    """A journal in oil, by viscosity and clearance: differences of runs of fourth order."""
    of = ["journal.x", "journal.y", "journal.vx", "journal.vy"]
    settings = {"t_end": 2e-4, "dt": 2e-5, "newton_tolerance": 1e-13}
    model = models.journal(cavitation)
    s = fc.Sensitivity(model, at=models.JOURNAL, of=of, **settings)
    d = s.forward()
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-11)
    found = models.differences(model, models.JOURNAL, of, 1e-3, **settings)
    assert d.jacobian == pytest.approx(found, rel=2e-8)


def test_contact_on_a_grid(caplog):
    """With an onset between points of the grid the derivative is that of the computed run, by
    differences of runs, and it says so. Parts of 1e-5: the outputs have a kink nearby."""
    of = ["tip.x", "tip.y"]
    settings = {"t_end": 0.02, "dt": 1e-4, "newton_tolerance": 1e-13}
    s = fc.Sensitivity(models.pendulum, at=models.PENDULUM, of=of, **settings)
    d = s.forward()
    assert any("exact for these steps" in note for note in d.notes)
    assert "joint touches at 0.01428 s" in caplog.text
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)
    found = models.differences(models.pendulum, models.PENDULUM, of, 1e-5, **settings)
    assert d.jacobian == pytest.approx(found, rel=2e-6)


def test_steps_cut_for_a_contact():
    """Fixed steps that contacts cut put velocities on their constraints; parameters of the law
    change no length, so differences of runs see the same steps."""
    of = ["tip.x", "tip.y"]
    settings = {"t_end": 0.03, "dt": 1e-3, "newton_tolerance": 1e-13}
    s = fc.Sensitivity(models.pendulum, at=models.PENDULUM, of=of, **settings)
    d = s.forward()
    assert {step.left for step in s.run().stepper.record} > {1.0}
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)
    found = models.differences(models.pendulum, models.PENDULUM, of, 1e-4, **settings)
    assert d.jacobian == pytest.approx(found, rel=1e-7)


def test_driven_beam():
    """A beam turned by a driver whose rate and amplitude are parameters: differences of runs."""
    of = ["tip.x", "tip.y", "driver.power"]
    at = {"amplitude": 0.3, "frequency": 2.0, "E": 6e7}
    settings = {"t_end": 0.05, "dt": 1e-3, "newton_tolerance": 1e-13}
    s = fc.Sensitivity(models.driven_beam, at=at, of=of, **settings)
    d = s.forward()
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-8)
    found = models.differences(models.driven_beam, at, of, 1e-3, **settings)
    assert d.scaled == pytest.approx(found * d.parameters, rel=1e-5, abs=1e-9)


def test_solid():
    """By the length too, with which the nodes of a solid are numbered otherwise; MUMPS."""
    at = {"E": 1e7, "density": 1000.0, "length": 1.0}
    of, settings = ["energy.kinetic"], {"t_end": 0.01, "dt": 2e-3, "newton_tolerance": 1e-13}
    s = fc.Sensitivity(models.bar, at=at, of=of, **settings)
    d = s.forward()
    assert s.run().stepper.newton.linear_solver == "mumps"
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-10)
    found = models.differences(models.bar, at, of, 1e-3, **settings)
    assert d.jacobian == pytest.approx(found, rel=1e-7)


def test_condensed_solid():
    """A load on its facets moves a condensed rod in proportion; its responses follow E."""
    at = {"pull": 1e6, "E": 2e11}
    settings = {"of": "energy.kinetic", "t_end": 1e-4, "dt": 1e-5}
    d = fc.Sensitivity(models.condensed, at=at, by="pull", **settings).forward()
    assert d.scaled[:, 0] == pytest.approx(2 * d.values, rel=1e-6)  # it goes as its square
    with pytest.raises(fc.InputError, match="changes the responses of a condensed solid"):
        fc.Sensitivity(models.condensed, at=at, by="E", **settings).adjoint()


@pytest.mark.parametrize("steps", ["fixed", "adaptive"])
def test_an_integrator_of_ones_own(steps):
    """Three-point backward differences, whose coefficients depend on the step before: differences
    of runs of fixed steps; both ways, with instants that adaptive steps end at."""
    of = ["tip.x", "tip.y", fc.At("tip.y", [0.01, 0.025])]
    settings = {"t_end": 0.05, "newton_tolerance": 1e-12, "integrator": BDF2("position")}
    settings |= {"dt": 1e-3} if steps == "fixed" else {"tolerance": 1e-6}
    s = fc.Sensitivity(models.beam, at=models.BEAM, of=of, **settings)
    d = s.forward()
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-8)
    if steps == "fixed":
        found = models.differences(models.beam, models.BEAM, of[:2], 3e-4, **settings)
        assert d.scaled[:2] == pytest.approx(found * d.parameters, abs=1e-6)

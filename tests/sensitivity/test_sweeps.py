"""Steps taken by the compiled sweep, and states kept by the compiled loop, are those of Python."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Full
from fem_clearance.sensitivity import linear_run
from fem_clearance.sensitivity.recording import RecordingStepper
from tests.sensitivity import models

FILM = models.journal(Full())


@pytest.mark.parametrize(
    ("model", "at", "of", "settings"),
    [
        (models.beam, models.BEAM, ["tip.x", fc.At("tip.vy", 0.01)], {"t_end": 0.02, "dt": 1e-3}),
        (FILM, models.JOURNAL, ["journal.x", "journal.vy"], {"t_end": 1e-4, "dt": 2e-5}),
        (models.bounce, {"height": 0.15, "speed": 1.0}, "ball.y", {"t_end": 0.2}),
        (
            models.driven_wall,
            {"gap": 0.05, "speed": 1.0, "wall": 0.5},
            "ball.x",
            {"t_end": 0.06, "tolerance": 1e-6},
        ),
    ],
    ids=["beam", "film", "bounce", "driven wall"],
)
def test_against_python(model, at, of, settings, monkeypatch):
    """Of a beam, of a film (whose forces know the start of the step), and behind an onset, whose
    instants depend on the parameters and the time."""
    s = fc.Sensitivity(model, at=at, of=of, newton_tolerance=1e-12, **settings)
    found = s.forward(histories=False), s.adjoint()
    with s._linear(s.run(), s.by) as run:
        assert sum(map(run.plain, range(len(run.steps)))) >= 4
    monkeypatch.setattr(linear_run, "sweepable", lambda problem: False)
    for mine, other in zip(found, (s.forward(histories=False), s.adjoint()), strict=True):
        assert mine.jacobian == pytest.approx(other.jacobian, rel=1e-9, abs=1e-12)


def test_kept_states(monkeypatch):
    """A ball that bounces: steps of one call after the other are those of single ones, each with
    all that is kept of it."""
    settings = {"at": {"height": 0.15}, "of": "ball.y", "t_end": 0.2}
    mine = fc.Sensitivity(models.bounce, **settings).run()
    start = RecordingStepper.start

    def alone(stepper):
        start(stepper)
        stepper.march.possible = False

    monkeypatch.setattr(RecordingStepper, "start", alone)
    other = fc.Sensitivity(models.bounce, **settings).run()
    assert mine.history.t.tolist() == other.history.t.tolist()
    assert mine.history.channels["ball.y"].tolist() == other.history.channels["ball.y"].tolist()
    for a, b in zip(mine.stepper.record, other.stepper.record, strict=True):
        for name in ("h", "h_old", "left", "kind", "onset", "apart", "agreed"):
            assert getattr(a, name) == getattr(b, name), name
        for name in ("start", "end", "after"):
            assert np.array_equal(getattr(a, name), getattr(b, name)), name
        for name in ("before", "now"):
            for x, y in zip(getattr(a, name), getattr(b, name), strict=True):
                assert np.array_equal(x, y), name
        assert a.address == a.end.ctypes.data

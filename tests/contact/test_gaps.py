"""Watching contacts: the compiled functions do what those in Python do."""

from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core import loop
from fem_clearance.core.kind import GAP_MEMORY, Kind
from fem_clearance.timestepping.gaps import Gaps

COUNT = 200


class Watched(Kind):
    """Contacts with numbers of their own between those that are watched."""

    gap = ("depth", "rate", "acceleration")
    parameters = dict.fromkeys(
        ("stiffness", "touching", "approach", "active", "floor", "by_phase", "other"), ()
    )


@pytest.fixture
def pair():
    """Two sets of the same contacts, with random motions, and the compiled functions' entry."""
    random = np.random.default_rng(5)
    observed, parameters = random.normal(size=(COUNT, 5)), np.abs(random.normal(size=(COUNT, 11)))
    parameters[:, [1, 5]] = random.integers(0, 2, (COUNT, 2))  # touching, by_phase
    parameters[:, 7:] = 0.0  # what is kept
    component = SimpleNamespace(
        kind=Watched(), owners=["joint"], owner=np.zeros(COUNT, int),
        observables=dict.fromkeys(("force", "acceleration", "depth", "rate", "power")),
        parameters=parameters, residual=object(),
    )  # fmt: skip
    problem = SimpleNamespace(gravity=np.zeros(3))
    both: list = []
    for _ in range(2):
        seen, numbers = observed.copy(), parameters.copy()
        state = SimpleNamespace(components=[component], parameters=[numbers], problem=problem)
        channels = SimpleNamespace(observed=[seen], state=state)
        gaps = Gaps(channels, 0, 0, 1e-9)
        both.append((gaps, seen, numbers))
    module = loop.native()
    table = module.ffi.new("fc_gaps[]", 1)
    both[1][0].show(table[0], module.ffi)
    return both, module.lib, table, module.ffi.new("int *")


def test_compiled_and_python_agree(pair):
    (python, *_), (compiled, *_) = both = pair[0]
    lib, table, ended = pair[1:]
    names = "before", "now", "free", "touching", "approach", "active", *GAP_MEMORY
    random = np.random.default_rng(6)

    def same():
        for name in names:
            assert np.array_equal(getattr(python, name), getattr(compiled, name)), name

    began = 0
    for h in (0.5, 0.1, 2.0, 1e-3, 0.2, 0.4):
        python.remember()
        lib.fc_gaps_remember(table, 1)
        same()
        python.prepare(h)
        lib.fc_gaps_prepare(table, 1, h)
        same()
        motion = random.normal(size=both[0][1].shape)
        for _, seen, _ in both:
            seen[:] = motion
        python.read()
        count = lib.fc_gaps_read(table, 1, ended)
        python.find(), compiled.find()
        assert count == python.count_new() == len(python.new) and python.new == compiled.new
        assert ended[0] == python.count_ended()
        began += count
        for limit, pressed in ((0.0, 0.0), (0.05, 0.0), (1e9, 0.5)):
            found = lib.fc_gaps_resolution(table, 1, h, 0.1, limit, pressed)
            expected = python.resolution(h, 0.1, limit, pressed)
            assert (found.worst, found.which, found.hidden) == expected
        python.follow()
        lib.fc_gaps_follow(table, 1)
        same()
    assert began > 50


@pytest.mark.parametrize("loop", ["python", "native"])
@pytest.mark.parametrize("speed", [0.0, 0.2])
def test_contact_that_exists_at_the_start(loop, speed):
    """A ball that overlaps its socket by round-off, at rest (its depth does not change) or closing:
    contact began at the start, with the speed that the ball has there."""
    system = fc.System(gravity=(0, 0, 0), loop=loop)
    ball = system.add(
        fc.RigidBody(1.0, (1, 1, 1), position=(1e-3 * (1 + 1e-10), 0, 0), velocity=(speed, 0, 0))
    )
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)), ball.center, socket_radius=0.011, ball_radius=0.01,
            stiffness=1.0, name="joint",
        )
    )  # fmt: skip
    for steps in ({"dt": 1e-6}, {}):
        stepper = fc.Stepper(system, t_end=5e-6, **steps)
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
        if steps:
            assert [e.time for e in stepper.events] == [0.0]
            assert stepper.events[0].speed == pytest.approx(speed, rel=1e-9)

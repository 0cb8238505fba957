"""Watching contacts: the compiled functions against the same rules in Python."""

from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.compiled.build import native
from fem_clearance.core.mixins import GAP_HISTORY, ContactGap
from fem_clearance.timestepping.contact_events import BLURRED, ContactEvents

COUNT = 200


class Watched(ContactGap):
    """Contacts with numbers of their own between those that are watched."""

    gap = ("depth", "rate", "acceleration")
    parameters = dict.fromkeys(
        ("stiffness", "touching", "approach", "active", "floor", "by_phase", "other"), ()
    )


class Readable(ContactEvents):
    """The same contacts, followed in Python."""

    def read(self) -> None:
        """Take the present values from the channels."""
        self.now[:] = np.transpose(self.observed)

    def count_new(self) -> int:
        """How many contacts began in the step."""
        return int(np.sum(self.free & (self.now[:, 0] > 0)))

    def count_ended(self) -> int:
        """How many contacts ended in the step."""
        return int(np.sum((self.free == 0) & ~(self.now[:, 0] > 0)))

    def remember(self) -> None:
        """The present state is the start of the next step."""
        self.before[:] = self.now
        self.free[:] = self.touching == 0

    def prepare(self, h: float) -> None:
        """Give free contacts that could begin within ``h`` (with a margin for their acceleration)
        the speed at which they would if their motion went on."""
        for k in np.flatnonzero(self.free):
            depth, rate, acceleration = map(float, self.before[k])
            if depth + h * (rate + abs(acceleration) * h) > 0:
                steady = rate > 0 and abs(acceleration) * h <= 0.5 * rate
                square = max(rate**2 - 2 * acceleration * depth, 0.0)
                coming = np.sqrt(square) if steady else rate
                self.approach[k] = max(coming, self.floor[k])

    def follow(self) -> None:
        """After an accepted step: while free, the approach speed follows the motion; contact
        freezes it, or it is renewed by phases: it is then the largest size of the rate in this
        phase (compression or restitution) and in the one before."""
        for k, (depth, rate, _) in enumerate(self.now.tolist()):
            self.touching[k] = float(depth > 0)
            self.active[k] = 1.0
            if not depth > 0:
                self.approach[k] = max(rate, self.floor[k])
                self.peak[k] = self.direction[k] = 0.0
                continue
            direction = 1.0 if rate > 0 else -1.0
            if not self.direction[k]:
                self.entry[k] = self.peak[k] = self.approach[k]
            elif self.by_phase[k] and direction != self.direction[k]:
                self.approach[k], self.peak[k] = max(self.peak[k], self.floor[k]), 0.0
            self.direction[k] = direction
            self.peak[k] = max(self.peak[k], abs(rate))
            if self.by_phase[k]:
                self.approach[k] = max(self.approach[k], abs(rate))
            if self.approach[k] <= self.floor[k]:
                self.slow[k] = 1.0

    def resolution(
        self, h: float, noise: float, limit: float, pressed: float
    ) -> tuple[float, int, float]:
        worst, which, hidden = 0.0, -1, 0.0
        if pressed and not self.bears:
            return worst, which, hidden
        each = zip(self.before, self.now, self.touching, self.scales(), strict=True)
        for k, ((start, _, old), (depth, _, acceleration), touching, speed) in enumerate(each):
            steady = start > 0 and abs(depth - start) < pressed * depth
            if (depth > 0 or touching) and not steady:
                change = max(abs(acceleration - old) - noise, 0.0)
                value, blurred = h / 12 * change / speed, h / 12 * noise / speed
                if blurred >= limit:
                    value = min(value, limit * max(0.5, value / (BLURRED * blurred)))
                if value > worst:
                    worst, which, hidden = value, k, blurred
        return worst, which, hidden

    def scales(self) -> np.ndarray:
        """Speeds by which errors of the contacts are judged, m/s: the rate, the approach speed, and
        the speed at which this contact began, whichever is largest."""
        speeds = np.maximum(np.abs(self.now[:, 1]), self.approach)
        return np.maximum(speeds, self.entry * (self.direction != 0))


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
    for form in (Readable, ContactEvents):
        seen, numbers = observed.copy(), parameters.copy()
        state = SimpleNamespace(components=[component], parameters=[numbers], problem=problem)
        channels = SimpleNamespace(observed=[seen], state=state)
        gaps = form(channels, 0, 0, 1e-9)
        both.append((gaps, seen, numbers))
    module = native()
    table = module.ffi.new("fc_gaps[]", 1)
    both[1][0].show(table[0], module.ffi)
    return both, module.lib, table, module.ffi.new("int *")


def test_compiled_and_python_agree(pair):
    (python, *_), (compiled, *_) = both = pair[0]
    lib, table, ended = pair[1:]
    names = "before", "now", "free", "touching", "approach", "active", *GAP_HISTORY
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


@pytest.mark.parametrize("speed", [0.0, 0.2])
def test_contact_that_exists_at_the_start(speed):
    """A ball that overlaps its socket by round-off, at rest (its depth does not change) or closing:
    contact began at the start, with the speed that the ball has there."""
    system = fc.System(gravity=(0, 0, 0))
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

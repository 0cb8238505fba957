"""Small systems whose motion is known, and a run over fixed steps."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.core.blocks import Block
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.roles import TRANSLATION, Algebraic, Internal
from fem_clearance.extend import Coefficients, Integrator, Past


@dataclass(frozen=True)
class BDF2(Integrator):
    """An integrator of a user's: backward differences of second order with variable steps."""

    constraints: str | None = None
    history = {"q_1": Past(derivative=0), "v_1": Past(derivative=1)}

    def coefficients(self, h, h_old, stage=0):
        w = h / h_old
        c0, c1, c2 = (1 + 2 * w) / (1 + w) / h, -(1 + w) / h, w * w / (1 + w) / h
        v0 = {"v": -c1 / c0, "v_1": -c2 / c0}
        q0 = {name: factor / c0 for name, factor in v0.items()}
        return Coefficients(
            c0 * c0, c0, q0 | {"q": -c1 / c0, "q_1": -c2 / c0}, v0,
            {"q_1": {"q": 1.0}, "v_1": {"v": 1.0}},
        )  # fmt: skip


@dataclass(frozen=True)
class OscillatorKind(Kind):
    """a + k q = 0 for a coordinate; p' + k p = 0 for an internal variable p (the rate of a dummy
    coordinate); s = k q for an algebraic unknown s."""

    parameters = {"stiffness": ()}

    def fields(self):
        return {"q": (1,), "p": (1,), "s": (1,)}

    def residual(self, c):
        (q, _, s), (_, p, _), (a, rate, _), (w, u, z) = (
            [part[0] for part in c.split(each)] for each in (c.q, c.v, c.a, c.test)
        )
        k = c.par("stiffness")
        return ((a + s) * w + (rate + k * p) * u + (s - k * q) * z) * c.dx()


class Oscillator:
    """An oscillator of angular frequency sqrt(stiffness), a decay and an algebraic force."""

    prefix, free, name, position = "oscillator", True, None, np.zeros(3)

    def __init__(self, stiffness, q=1.0, v=0.0, p=1.0):
        self.q = Block("oscillator", "q", [q], rates=v)
        self.p = Block("oscillator", "p", [0.0], Internal(TRANSLATION), rates=p)
        self.s = Block("oscillator", "s", [stiffness * q], Algebraic())
        self.stiffness = stiffness

    def build(self, builder):
        for block in (self.q, self.p, self.s):
            builder.add_block(block)
        refs = [self.q.all, self.p.all, self.s.all]
        kind = OscillatorKind()
        builder.add_cell(kind, Cell(self.name, refs, kind.pack(stiffness=self.stiffness)))


@pytest.fixture
def oscillate():
    """States after each of some steps: q, v and the decaying p."""

    def run(integrator, stiffness, h, steps, v=0.0):
        system = fc.System()
        item = system.add(Oscillator(stiffness, v=v))
        stepper = fc.Stepper(system, integrator, dt=h, t_end=steps * h, newton_tolerance=1e-13)
        stepper.start()
        # exact, where the start leaves (h/50)^2 of its change
        stepper.state.a[[item.q.numbers[0], item.p.numbers[0]]] = -stiffness
        rows = [(1.0, v, 1.0)]
        while stepper.t < stepper.t_end:
            stepper.advance()
            state = stepper.state
            rows.append((state.q[item.q.numbers[0]], state.v[item.q.numbers[0]],
                         state.v[item.p.numbers[0]]))  # fmt: skip
        return stepper, np.array(rows)

    return run


@pytest.fixture
def mass_on_a_rod():
    """A mass point of 2 kg on a massless rod of 0.5 m, pushed from the horizontal: its position,
    velocity and the force of the rod at the end, and the same by scipy (DOP853, 1e-13)."""
    mass, length, speed, gravity = 2.0, 0.5, 1.0, 9.81

    def run(integrator, h, t_end, **options):
        system = fc.System(gravity=(0, -gravity, 0), **options)
        body = system.add(
            fc.RigidBody(mass, (1, 1, 1), position=(length, 0, 0), velocity=(0, speed, 0))
        )
        # the joint holds the centre, so the body itself does not turn
        system.add(fc.DistanceJoint(system.ground.at((0, 0, 0)), body.center, name="rod"))
        stepper = fc.Stepper(system, integrator, dt=h, t_end=t_end, newton_tolerance=1e-12)
        stepper.start()
        while stepper.t < t_end:
            stepper.advance()
        state, numbers = stepper.state, body.refs[0].numbers
        force = stepper.channels["rod.tension"]
        return [state.q[numbers], state.v[numbers], np.array([force])]

    def exact(t_end):
        def rates(t, y):
            return [y[1], -gravity / length * np.cos(y[0])]

        angle, rate = solve_ivp(
            rates, (0, t_end), [0, speed / length], method="DOP853", rtol=1e-13, atol=1e-13
        ).y[:, -1]
        along = np.array([np.cos(angle), np.sin(angle), 0])
        across = np.array([-np.sin(angle), np.cos(angle), 0])
        force = mass * (length * rate**2 - gravity * np.sin(angle))  # tension
        return [length * along, length * rate * across, np.array([force])]

    return run, exact


@pytest.fixture
def heavy_top(reference, spinning_top):
    """Errors of position (m) and pivot force (N) at a time that the reference tabulates."""
    data = reference("heavy_top.json")

    def errors(integrator, h, t_end, **options):
        c = spinning_top(integrator, h, t_end, **options).channels
        state = data["check_states"][str(t_end)]
        position = [c[f"top.{x}"] for x in "xyz"] - np.array(state["x"])
        force = [c[f"pivot.reaction.{x}"] for x in "xyz"] - np.array(state["reaction"])
        return np.array([np.linalg.norm(position), np.linalg.norm(force)])

    return errors

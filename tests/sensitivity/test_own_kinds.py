"""Derivatives through kinds of a user's own: contacts whose forces do not read ``active``, laws
that change at foreseen times and remember it, and contact whose force is cut off at zero."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import ufl
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance import extend

SPEED = 0.3
TAUT = {"m": 2.0, "k": 800.0, "length": 1.03}
TORN = {"m": 2.0, "k": 800.0, "limit": 1.01}


@dataclass(frozen=True)
class StringKind(extend.PairKind):
    """k (l - L) times ``pulls``."""

    feeds_energy = False

    def extension(self, c):
        i, j = self.poses(c)
        return ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r)) - c.par("length")

    def pulls(self, c):
        raise NotImplementedError

    def residual(self, c):
        x = self.extension(c)
        return self.pulls(c) * c.par("stiffness") * x * c.along(x) * c.dx()

    def observables(self, c):
        x = self.extension(c)
        energy = self.pulls(c) * c.par("stiffness") * x**2 / 2
        rate = c.rate(x)
        return {
            "energy": extend.Observable(energy, "J", "energy", "energy.strain"),
            **extend.internal({"depth": x, "rate": rate, "acceleration": c.second_rate(rate)}),
        }


@dataclass(frozen=True)
class ThreadKind(StringKind, extend.ContactGap):
    """While it is taut; ``active`` is not read."""

    gap: ClassVar = ("depth", "rate", "acceleration")
    own_parameters: ClassVar = {
        "stiffness": (), "length": (), **dict.fromkeys(extend.WATCHED, ()),
    }  # fmt: skip

    def pulls(self, c):
        return extend.indicator(ufl.gt(self.extension(c), 0))


@dataclass(frozen=True)
class LongThreadKind(ThreadKind):
    cell: ClassVar = "interval"


@dataclass(frozen=True)
class CordKind(StringKind, extend.ForeseeableChange):
    """Until it tears at a given length."""

    own_parameters: ClassVar = {"stiffness": (), "length": (), "limit": (), "whole": ()}

    def pulls(self, c):
        return c.par("whole")

    def left(self, parameters, observed):
        limit = self.column(parameters, "limit") - self.column(parameters, "length")
        return limit - observed["depth"]

    def time_to_change(self, parameters, observed):
        left, rate = self.left(parameters, observed), observed["rate"]
        coming = (self.column(parameters, "whole") > 0) & (left > 0) & (rate > 0)
        return np.where(coming, left / np.where(coming, rate, 1.0), np.inf)

    def update(self, parameters, observed):
        self.column(parameters, "whole")[self.left(parameters, observed) <= 1e-9] = 0.0


@dataclass(frozen=True)
class CellwiseCordKind(CordKind):
    cellwise: ClassVar = True


@dataclass(frozen=True)
class ListedCordKind(CordKind):
    remembers: ClassVar = False


class String(extend.Pair):
    prefix = label = "string"

    def __init__(self, i, j, kind, numbers):
        super().__init__(i, j, "string")
        self.kind, self.numbers = kind, numbers

    def build(self, builder):
        kind = self.kind(self.i.kind, self.j.kind)
        frames = self.i.parameters(), self.j.parameters()
        numbers = kind.pack_pair(*frames, **self.numbers)
        ends = None if kind.cell == "point" else np.array([[[0.0, 0, 0], [1.0, 0, 0]]])
        refs = [*self.i.refs, *self.j.refs]
        builder.add_cell(kind, extend.Cell(self.name, refs, numbers, ends))


def truck(kind, numbers):
    """A truck, 1 m from the wall that a string is tied to, which rolls away from it."""

    def build(p):
        system = fc.System(gravity=(0, 0, 0))
        body = fc.RigidBody(p["m"], (1,) * 3, position=(1, 0, 0), velocity=(SPEED, 0, 0), name="b")
        system.add(body)
        system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
        own = {"stiffness": p["k"], **numbers(p)}
        system.add(String(system.ground.at((0, 0, 0)), body.center, kind, own))
        return system

    return build


def thrown_back(kind=ThreadKind, **settings):
    """Of a truck that a thread throws back; x = 2 L - 1 - v (t - pi sqrt(m / k))."""
    model = truck(kind, lambda p: {"length": p["length"], **extend.watched()})
    return fc.Sensitivity(model, at=TAUT, of=["b.x", "b.vx"], t_end=0.4, **settings)


def test_contact_that_does_not_read_active():
    """A thread that is longer by 1 is reached and left later by 1 / v: dx/dL = 2, dv/dL = 0."""
    s = thrown_back(contact_tolerance=1e-6)
    d, (m, k, _) = s.forward(), TAUT.values()
    assert d.jacobian[:, 2] == pytest.approx([2.0, 0.0], abs=1e-6)
    half = SPEED * np.pi * np.sqrt(m / k) / 2
    assert d.jacobian[:, :2] * (m, k) == pytest.approx(
        np.array([[half, -half], [0.0, 0.0]]), abs=1e-3
    )
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9, abs=1e-12)
    cells = s.cells()["string", "length"].ravel()
    assert cells == pytest.approx(d.jacobian[:, 2], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("tolerance", "part"), [(1e-4, 0.0107), (1e-6, 0.0019)])
def test_release_at_a_kink(tolerance, part):
    """The speed after it is v, of whatever mass. The step in which a contact ends is not located;
    its force has a kink there."""
    error = abs(thrown_back(contact_tolerance=tolerance, by=["m"]).forward().jacobian[1, 0])
    assert error * TAUT["m"] / SPEED == pytest.approx(part, rel=0.1)


def torn(m, k, limit, t):
    """Place and speed after the cord has torn."""
    w, d = np.sqrt(k / m), limit - 1
    v = np.sqrt(SPEED**2 - (w * d) ** 2)
    return np.array([limit + v * (t - np.arcsin(w * d / SPEED) / w), v])


@pytest.mark.parametrize("kind", [CellwiseCordKind, ListedCordKind])
@pytest.mark.parametrize("settings", [{"dt": 1e-3}, {}], ids=str)
def test_cord_that_tears(kind, settings):
    """A foreseen step that ends close before the change, and a number that jumps there."""
    model = truck(kind, lambda p: {"length": 1.0, "limit": p["limit"], "whole": 1.0})
    s = fc.Sensitivity(model, at=TORN, of=["b.x", "b.vx"], t_end=0.1, **settings)
    values = np.array([*TORN.values()])
    right = np.array([
        (torn(*(values + d), 0.1) - torn(*(values - d), 0.1)) / (2 * d.sum())
        for d in np.diag(1e-6 * values)
    ]).T * values  # fmt: skip
    d = s.forward()
    assert d.jacobian * values == pytest.approx(right, rel=3e-4 if not settings else 5e-5)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)


def test_memory_names_its_remedy():
    model = truck(CordKind, lambda p: {"length": 1.0, "limit": p["limit"], "whole": 1.0})
    with pytest.raises(fc.InputError, match="set cellwise = True in the class") as refused:
        fc.Sensitivity(model, at=TORN, of="b.x", t_end=0.1).forward()
    assert len(str(refused.value)) <= 400


def test_contacts_on_cells_that_are_not_points():
    with pytest.raises(fc.InputError, match="string: .* has contacts on cells that are not points"):
        thrown_back(LongThreadKind).forward()


@dataclass(frozen=True)
class Impact(fc.NormalLaw):
    """K d^n and a damper that grows to ``most`` at 10 um; the sum does not pull."""

    n: float = 1.5
    most: float = 400.0
    parameters: ClassVar[tuple[str, ...]] = ("K", "n", "most")

    def values(self, contact):
        return {"K": contact.stiffness, "n": self.n, "most": self.most}

    @staticmethod
    def force(depth, rate, approach, p):
        x = ufl.min_value(depth / 1e-5, 1.0)
        return p.K * extend.power(depth, p.n) + p.most * x**2 * (3 - 2 * x) * rate

    @staticmethod
    def energy(depth, p):
        return p.K * extend.power(depth, p.n + 1) / (p.n + 1)


def rebound(n):
    """Speed of a ball of 1 kg after its impact at 0.2 m/s."""

    def motion(_, y):
        x = np.clip(y[0] / 1e-5, 0, 1)
        force = 1e9 * max(y[0], 0) ** n + 400 * x**2 * (3 - 2 * x) * y[1]
        return [y[1], -max(force, 0)]

    found = solve_ivp(motion, (0, 2e-3), (1e-14, 0.2), rtol=1e-11, atol=1e-14, max_step=2e-6)
    return found.y[1, -1]


@pytest.mark.parametrize(("tolerance", "error"), [(None, 0.11), (1e-6, 0.008)])
def test_force_cut_off_at_zero(tolerance, error):
    """The derivative by the exponent is spoilt by the kink where the ball lets go."""

    def model(p):
        system = fc.System(gravity=(0, 0, 0))
        ball = system.add(fc.RigidBody(1.0, (1,) * 3, velocity=(0.2, 0, 0), name="ball"))
        system.add(
            fc.SphericalClearance(
                system.ground.point((0, 0, 0)), ball.center, socket_radius=0.01,
                ball_radius=0.0095, normal=Impact(n=p["n"]), stiffness=1e9, name="joint",
            )
        )  # fmt: skip
        return system

    settings = {} if tolerance is None else {"contact_tolerance": tolerance}
    d = fc.Sensitivity(model, at={"n": 1.5}, of="ball.vx", t_end=4.5e-3, **settings).forward()
    right = (rebound(1.50015) - rebound(1.49985)) / 3e-4
    assert d.jacobian[0, 0] / right - 1 == pytest.approx(error, rel=0.15)
    assert bool([n for n in d.notes if "joint: the contact force has a kink" in n]) == (error > 0.1)
    assert all(len(n) <= 400 for n in d.notes)


@pytest.mark.parametrize("n", [1.0, 1.5])
def test_kinks_are_told_from_forces_that_fade(n):
    """Rebounds on a linear spring and on one of Hertz, which end at many places of a step."""
    said = []
    for speed in np.linspace(0.1, 0.2, 5):

        def model(p):
            system = fc.System(gravity=(0, 0, 0))
            ball = system.add(fc.RigidBody(1.0, (1,) * 3, velocity=(p["v"], 0, 0), name="ball"))
            system.add(
                fc.SphericalClearance(
                    system.ground.point((0, 0, 0)), ball.center, socket_radius=0.01,
                    ball_radius=0.0095, normal=fc.Hertz(exponent=n), name="joint",
                    stiffness=1e9 if n > 1 else 1e7,
                )
            )  # fmt: skip
            return system

        d = fc.Sensitivity(model, at={"v": speed}, of="ball.vx", t_end=7.5e-3).forward()
        assert d.values[0] < -0.9 * speed
        said.append(any("has a kink" in note for note in d.notes))
    assert all(said) if n == 1 else not any(said)

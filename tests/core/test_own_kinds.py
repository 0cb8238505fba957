"""Mistakes in a kind of one's own that used to run in silence, or to end in an internal error."""

import logging
from dataclasses import dataclass

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.extend import (
    TRANSLATION,
    Block,
    Internal,
    Observable,
    Pair,
    PairKind,
    multipliers,
)


@dataclass(frozen=True)
class RodKind(PairKind):
    """(|r|^2 - l^2) / 2 = 0."""

    own_fields = {"lam": (1,)}
    own_parameters = {"length": ()}
    feeds_energy = False

    def parts(self, c):
        """Multiplier, its test function, the constraint."""
        i, j = self.poses(c)
        e = j.r - i.r
        phi = (ufl.dot(e, e) - c.par("length") ** 2) / 2
        return c.split(c.q)[2][0], c.split(c.test)[2][0], phi

    def residual(self, c):
        lam, _, phi = self.parts(c)
        return c.along(lam * phi) * c.dx()


class NoEquation(RodKind):
    def residual(self, c):
        lam, _, phi = self.parts(c)
        return lam * c.along(phi) * c.dx()


class NoForce(RodKind):
    def residual(self, c):
        _, test, phi = self.parts(c)
        return test * phi * c.dx()


class Nothing(RodKind):
    def residual(self, c):
        pass


class NotIntegrated(RodKind):
    def residual(self, c):
        lam, _, phi = self.parts(c)
        return c.along(lam * phi)


class NoField(RodKind):
    own_fields = {}


class Misnamed(RodKind):
    def residual(self, c):
        return c.along(c.par("lenght") * self.parts(c)[0]) * c.dx()


class BareObservable(RodKind):
    def observables(self, c):
        return {"force": self.parts(c)[0]}


class WrongUnit(RodKind):
    def observables(self, c):
        return {"energy": Observable(self.parts(c)[0], "N", "energy", "energy.strain")}


class WrongTotal(RodKind):
    def observables(self, c):
        return {"energy": Observable(self.parts(c)[0], "J", "energy", "energy.stain")}


class Rod(Pair):
    prefix = label = "rod"

    def __init__(self, frame_i, frame_j, kind, size=1, length=None, **more):
        super().__init__(frame_i, frame_j, "rod")
        usual = float(np.linalg.norm(self.gap)) if length is None else length
        self.kind, self.size, self.numbers = kind, size, {"length": usual} | more

    def build(self, builder):
        kind = self.kind(self.i.kind, self.j.kind)
        numbers = {n: x for n, x in self.numbers.items() if x is not None}
        parameters = kind.pack_pair(self.i.parameters(), self.j.parameters(), **numbers)
        blocks = [multipliers(self.name, "force", self.size, TRANSLATION)]
        self.add_to(builder, kind, parameters, blocks)


def fall(kind, start=(0.5, 0, 0), **options):
    """A mass point on a rod from the origin, released at rest."""
    system = fc.System(gravity=(0, -9.81, 0))
    bob = system.add(fc.RigidBody(2.0, (1, 1, 1), position=start, name="bob"))
    system.add(Rod(system.ground.at((0, 0, 0)), bob.center, kind, **options))
    return fc.Simulation(system, dt=1e-3, t_end=0.2).run()


def test_a_right_one_swings():
    """m v^2 / 2 = m g times the drop."""
    motion = fall(RodKind)
    speed = np.hypot(motion["bob.vx"], motion["bob.vy"])
    assert speed**2 / 2 == pytest.approx(-9.81 * motion["bob.y"], abs=2e-5)


@pytest.mark.parametrize(
    ("kind", "options", "sentence"),
    [
        (NoEquation, {}, r"rod.force: this multiplier has no equation, .* write c.along\(lam"),
        (Nothing, {}, r"a residual must be a form, got NoneType: .* by c.dx\(\), and return it"),
        (NoField, {}, "IndexError: tuple index out of range; c.split gives one entry for each fie"),
        (NoForce, {}, r"rod.force: this multiplier has no force, .* write c.along\(lam \* phi\)"),
        (NotIntegrated, {}, r"a residual must be a form, got \w+: multiply c.along.* by c.dx\(\)"),
        (Misnamed, {}, r"no parameter 'lenght' \(did you mean 'length'\?\); it has i, j, length"),
        (BareObservable, {}, r"observable 'force' must be Observable\(expression, unit, descr"),
        (WrongUnit, {}, "observable 'energy' adds to energy.strain and must be in J, not 'N'"),
        (WrongTotal, {}, r"has the total 'energy.stain' \(did you mean 'energy.strain'\?\)"),
        (RodKind, {"size": 2}, "its cells have 26 unknowns, but its fields 25; give a block"),
        (RodKind, {"mass": 1.0}, "missing: none; unknown: mass"),
        (RodKind, {"length": None, "l": 0.5}, "missing: none; unknown: l"),
        (RodKind, {"length": 0.6}, "rod is violated at the start by 0.055, in the unit of its eq"),
    ],
)  # fmt: skip
def test_mistakes_end_in_a_sentence(kind, options, sentence):
    with pytest.raises(fc.InputError, match=sentence) as caught:
        fall(kind, **options)
    assert len(str(caught.value)) <= 400


def test_a_length_of_zero_names_its_joint():
    class Long(RodKind):
        def residual(self, c):
            i, j = self.poses(c)
            length = ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r))
            return c.along(self.parts(c)[0] * (length - c.par("length"))) * c.dx()

    with pytest.raises(fc.InputError, match="equations of rod give no finite numbers: a length"):
        fall(dataclass(frozen=True)(Long), start=(0, 0, 0))


@dataclass(frozen=True)
class ElementKind(PairKind):
    """k (l - l_0) and what ``added`` says, with ``told`` times the energy k (l - l_0)^2 / 2."""

    own_parameters = {"stiffness": (), "free": (), "more": (), "told": ()}
    feeds_energy = False

    tells: bool = True
    added: str = ""

    def length(self, c):
        i, j = self.poses(c)
        return ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r))

    def residual(self, c):
        length = self.length(c)
        rate, more = c.rate(length), c.par("more")
        force = c.par("stiffness") * (length - c.par("free"))
        if self.added == "viscous":
            force += more * rate
        elif self.added == "dry":
            force += more * ufl.conditional(ufl.gt(rate, 0), 1.0, -1.0)
        return force * c.along(length) * c.dx()

    def observables(self, c):
        energy = c.par("stiffness") / 2 * (self.length(c) - c.par("free")) ** 2
        stored = Observable(c.par("told") * energy, "J", "energy", "energy.strain")
        return {"energy": stored} if self.tells else {}


@dataclass(frozen=True)
class WeightKind(PairKind):
    """A mass at frame j, another that moves by the distance of the frames, which has centrifugal
    forces, and perhaps the potential energy of the weight."""

    own_parameters = {"mass": ()}
    feeds_energy = False

    tells: bool = True

    def residual(self, c):
        i, j = self.poses(c)
        length = ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r))
        a, along = c.second_rate(j.velocity), c.second_rate(c.rate(length))
        work = ufl.dot(a - c.gravity, c.along(j.r)) + along * c.along(length)
        return c.par("mass") * work * c.dx()

    def observables(self, c):
        potential = -c.par("mass") * ufl.dot(c.gravity, self.poses(c)[1].r)
        stored = Observable(potential, "J", "potential", "energy.potential")
        return {"potential": stored} if self.tells else {}


@dataclass(frozen=True)
class TorsionKind(PairKind):
    """A moment k phi about the third axis of frame i, by virtual rotations."""

    own_parameters = {"stiffness": ()}
    feeds_energy = False

    def angle(self, c):
        i, j = self.poses(c)
        return ufl.atan2(ufl.dot(j.e(1), i.e(2)), ufl.dot(j.e(1), i.e(1)))

    def residual(self, c):
        i, j = self.poses(c)
        turn = c.power(ufl.dot(j.omega - i.omega, i.e(3)))
        return c.par("stiffness") * self.angle(c) * turn * c.dx()

    def observables(self, c):
        energy = c.par("stiffness") / 2 * self.angle(c) ** 2
        return {"energy": Observable(energy, "J", "energy", "energy.strain")}


@dataclass(frozen=True)
class DashpotKind(PairKind):
    """A spring and a dashpot in series; the deflection z has an equation for its value, or none."""

    own_fields = {"z": (1,)}
    equation: bool = False

    def residual(self, c):
        i, j = self.poses(c)
        length, z = ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r)), c.split(c.v)[2][0]
        force = 800.0 * (length - 1.0 - z)
        left = force * c.split(c.test)[2][0] if self.equation else 0.0
        return (force * c.along(length) + left) * c.dx()


class Element(Pair):
    prefix = label = "element"
    triads_needed = (False, False)

    def __init__(self, frame_i, frame_j, kind, numbers, *blocks, **options):
        super().__init__(frame_i, frame_j, "mine")
        self.kind, self.numbers, self.blocks, self.options = kind, numbers, blocks, options

    def build(self, builder):
        kind = self.kind(self.i.kind, self.j.kind, **self.options)
        triad = np.eye(3) if self.kind is TorsionKind else None
        poses = self.i.parameters(triad), self.j.parameters(triad)
        self.add_to(builder, kind, kind.pack_pair(*poses, **self.numbers), self.blocks)


def elastic(told=1.0, added="", speed=0.0):
    """A body of 2 kg, 1 m away, on an element of 800 N/m, which holds it at a place beside its
    centre if it does not move."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(2.0, (1, 1, 1), position=(1, 0, 0), velocity=(speed, 0, 0), free=True)
    )
    more = {"": 0.0, "dry": 5.0, "viscous": 500.0}[added]  # N, N s/m
    numbers = {"stiffness": 800.0, "free": 1.0, "more": more, "told": told}
    at, options = body.point((0, 0, 0) if speed else (0.1, 0.2, 0.05)), {"tells": told != 0}
    ground = system.ground.at((0, 0, 0))
    system.add(Element(ground, at, ElementKind, numbers, added=added, **options))
    return system


@pytest.mark.parametrize(
    ("told", "added", "warned"),
    [
        (1.0, "", False), (1.0, "viscous", False), (1.0, "dry", False),
        (0.0, "", True), (-1.0, "", True), (2.0, "", True), (1.1, "", True),
        (0.0, "viscous", True), (0.0, "dry", True),
    ],
)  # fmt: skip
def test_forces_without_their_energy_are_warned_of(told, added, warned, caplog):
    """A force of positions alone dissipates nothing: its power is that of an energy, or the motion
    in one of two directions gains what nothing loses."""
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        elastic(told, added).assemble()
    said = [r.getMessage() for r in caplog.records]
    assert len(said) == warned and all(len(s) <= 400 for s in said), said
    assert all(s.startswith("mine: the forces of ElementKind") for s in said)


def test_what_is_warned_of_is_wrong():
    """A body at 0.3 m/s stretches a spring in a quarter of a period, 20 rad/s: m v^2 / 2 = 0.09 J
    would count as dissipated without its energy, and nothing does with it."""
    lost = {}
    for told in (0.0, 1.0):
        run = fc.Simulation(elastic(told, speed=0.3), dt=1e-4, t_end=np.pi / 40).run()
        lost[told] = run["energy.dissipated"][-1]
    assert lost[0.0] == pytest.approx(0.09, rel=1e-3)
    assert lost[1.0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("tells", "gravity", "warned"),
    [(True, 9.81, False), (False, 9.81, True), (False, 0.0, False)],
)
def test_forces_of_inertia_are_not_taken_for_a_source(tells, gravity, warned, caplog):
    """Of a mass only the weight is, without its potential energy."""
    system = fc.System(gravity=(0, 0, -gravity))
    body = system.add(fc.RigidBody(2.0, (1, 1, 1), position=(1, 0, 0), free=True))
    at = body.point((0.1, 0, 0))
    system.add(Element(system.ground.at((0, 0, 0)), at, WeightKind, {"mass": 0.5}, tells=tells))
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        system.assemble()
    assert len(caplog.records) == warned, caplog.text


def test_moments_are_tried_along_rotations(caplog):
    """Virtual rotations do not see how directors leave their lengths and angles, energies do."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(2.0, (1, 1, 1), free=True))
    ground = system.ground.point((0, 0, 0))
    system.add(Element(ground, body.center, TorsionKind, {"stiffness": 10.0}))
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        system.assemble()
    assert not caplog.records, caplog.text


@pytest.mark.parametrize("equation", [False, True])
def test_internal_variables_without_a_rate_are_named(equation):
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(2.0, (1, 1, 1), position=(1, 0, 0)))
    z = Block("mine", "z", np.zeros(1), Internal())
    ground = system.ground.at((0, 0, 0))
    system.add(Element(ground, body.center, DashpotKind, {}, z, equation=equation))
    with pytest.raises(fc.InputError, match="mine.z: this internal variable has no equation") as e:
        system.assemble()
    assert len(str(e.value)) <= 400

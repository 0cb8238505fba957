"""Mistakes in a kind of one's own that used to run in silence, or to end in an internal error."""

from dataclasses import dataclass

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.extend import TRANSLATION, Observable, Pair, PairKind, multipliers


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
        (Nothing, {}, "rod.force: this multiplier has no equation"),
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

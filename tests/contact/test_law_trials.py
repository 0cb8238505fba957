"""Laws of a user are tried when a joint is given them: sign and finiteness of what they return."""

import logging
from dataclasses import dataclass

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.contact.laws import trial
from fem_clearance.contact.laws.normal import hysteretic
from fem_clearance.extend import power


class Spring(fc.NormalLaw):
    """K d."""

    parameters = ("K",)

    def values(self, contact):
        return {"K": contact.stiffness}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth


class Pulling(Spring):
    """With the wrong sign."""

    @staticmethod
    def force(depth, rate, approach, p):
        return -p.K * depth


class Adhesive(Spring):
    """50 N less: it pulls at small depths."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth - 50.0


class Meant(Adhesive):
    """The same on purpose."""

    pulls = True


class Bare(Spring):
    """Not finite where the surfaces are apart."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth**1.5


class Root(Spring):
    """Its slope is not finite at the onset."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * ufl.sqrt(abs(depth))


class Powered(Spring):
    """As it should be."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, 1.5)


class Stored(Powered):
    """With its energy, K d^2.5/2.5."""

    @staticmethod
    def energy(depth, p):
        return p.K * power(depth, 2.5) / 2.5


class Turned(Stored):
    """With the wrong sign."""

    @staticmethod
    def energy(depth, p):
        return -p.K * power(depth, 2.5) / 2.5


class Double(Stored):
    """Without the factor 1/2.5."""

    @staticmethod
    def energy(depth, p):
        return p.K * power(depth, 2.5)


class Weaker(Stored):
    """The energy of another force."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K / 4 * power(depth, 1.5)


class Stiffening(Spring):
    """K d (1 + (d/s)^2), s = 1 mm, with an energy whose second term is four times too large."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * depth * (1 + (depth / 1e-3) ** 2)

    @staticmethod
    def energy(depth, p):
        return p.K * (depth**2 / 2 + depth**4 / 1e-6)


class Branched(Stored):
    """A quarter of the force on the way back, as of hysteresis by the sign of the rate."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, 1.5) * ufl.conditional(ufl.gt(rate, 0), 1.0, 0.25)


@dataclass(frozen=True)
class Driving(fc.FrictionLaw):
    """A negative coefficient."""

    mu: float = 0.1
    parameters = ("mu",)

    @staticmethod
    def coefficient(speed, p):
        return -p.mu * ufl.tanh(speed)


def joint(law, friction=None):
    """With a clearance of 0.5 mm."""
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0.2, 0, 0), name="ball"))
    return fc.SphericalClearance(
        system.ground.point((0, 0, 0)), ball.center, socket_radius=0.010, ball_radius=0.0095,
        normal=law, friction=friction, stiffness=1e6, name="joint",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("law", "friction", "said"),
    [
        (Spring(), None, ""),
        (Powered(), None, ""),
        (Meant(), None, ""),
        (Pulling(), None, "joint: Pulling.force is -0.5 N at a depth of 5e-07 m at rest"),
        (Adhesive(), None, "joint: Adhesive.force is -49.5 N at a depth of 5e-07 m at rest"),
        (Spring(), Driving(), "joint: Driving.coefficient is negative, -0.0001"),
    ],
    ids=lambda z: type(z).__name__,
)
def test_what_would_pull_is_warned_of(law, friction, said, caplog):
    """K = 1e6 N/m at a thousandth of the clearance, 0.5 um; a coefficient 0.1 tanh(v) at 1 mm/s."""
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        joint(law, friction)
    assert len(caplog.records) == bool(said), caplog.text
    assert said in caplog.text and all(len(r.getMessage()) <= 400 for r in caplog.records)


@pytest.mark.parametrize(
    ("law", "energy", "work"),
    [
        (Stored(), None, None),
        (Branched(), None, None),
        (Turned(), "-7.07e-11", "7.07e-11"),
        (Double(), "1.77e-10", "7.07e-11"),
        (Weaker(), "7.07e-11", "1.77e-11"),
    ],
    ids=lambda z: type(z).__name__,
)
def test_the_energy_is_the_work_of_the_force(law, energy, work, caplog):
    """By hand: 1e6 (5e-7)^2.5 / 2.5 = 7.071e-11 J at a thousandth of the clearance."""
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        joint(law)
    said = (
        f"joint: {type(law).__name__}.energy is {energy} J at a depth of 5e-07 m, where the work "
        f"of its force at rest is {work} J; the difference would count as dissipated or fed in: "
        "correct one of them"
    )
    assert [r.getMessage() for r in caplog.records] == ([said] if energy else [])


def test_energies_are_compared_at_the_depth_of_the_clearance(caplog):
    """At 0.5 mm, K = 1e6 N/m: 0.125 J + 0.0625 J instead of 0.015625 J."""
    joint(Stiffening())
    [said] = [r.getMessage() for r in caplog.records]
    assert "Stiffening.energy is 0.188 J at a depth of 0.0005 m" in said and "0.141 J" in said


@pytest.mark.parametrize(("law", "depth"), [(Bare(), "-5e-05 m"), (Root(), "0 m")], ids=str)
def test_what_is_not_finite_is_refused(law, depth):
    with pytest.raises(fc.InputError) as caught:
        joint(law)
    name, said = type(law).__name__, str(caught.value)
    assert f"{name}.force, or its derivative, is not finite at a depth of {depth};" in said
    assert "test_law_trials.py, line " in said and "write power(depth, n)" in said


def test_choices_of_numpy_are_answered_by_those_of_ufl():
    class Chosen(Spring):
        @staticmethod
        def force(depth, rate, approach, p):
            return np.where(depth > 0, p.K * depth, 0.0)

    hint = r"write ufl.conditional\(condition, a, b\) in the place of np.where\.$"
    with pytest.raises(fc.InputError, match=hint):
        joint(Chosen())


def test_force_and_slope():
    """K d^(3/2) and its derivative, by hand."""
    for depth in (1e-5, -1e-5):
        force, slope = (f(Powered(), {"K": 1e9}, depth) for f in (trial.force_at, trial.slope_at))
        assert force == pytest.approx(1e9 * 1e-5**1.5)
        assert slope == pytest.approx(np.sign(depth) * 1.5e9 * 1e-5**0.5)


def test_names_that_are_misspelt_are_refused():
    """Helpers of a law's own may have any name beside the methods that they are like."""
    for wrong, right in (("Force", "force"), ("enegry", "energy"), ("value", "values")):
        said = rf"Own.{wrong}: a law has no such method, did you mean '{right}'\? Begin the names"
        with pytest.raises(TypeError, match=said):
            type("Own", (fc.NormalLaw,), {wrong: staticmethod(lambda *z: 0.0)})

    class Helped(Spring):
        @staticmethod
        def forces(depth, p):
            return p.K * depth

        @staticmethod
        def force(depth, rate, approach, p):
            return Helped.forces(depth, p)

    class More(Helped):
        @staticmethod
        def forces(depth, p):
            return p.K * depth / 2

    assert trial.force_at(More(), {"K": 2.0}, 1.0) == 2.0


def test_what_is_missing_is_named():
    class Empty(fc.NormalLaw):
        def values(self, contact):
            return {}

    class Unnamed(Spring):
        parameters = ()

    class Base(Spring):
        parameters = ("K", "c")

        def values(self, contact):
            return {"c": 1.0, **super().values(contact)}

    class Fewer(Base):
        parameters = ("K",)

    class First(Spring):
        def values(self, contact):
            return {name: 1.0 for name in self.parameters}

    class Second(First):
        parameters = ("K", "c")

        def values(self, contact):
            return {**super().values(contact), "c": 2.0}

    class Rough(fc.FrictionLaw):
        pass

    for law, friction, said in (
        (Empty(), None, r"Empty must define force\(depth, rate, approach, p\)\.$"),
        (Unnamed(), None, r"gives a number 'K' that is no parameter: write parameters = \('K',\)"),
        (
            Fewer(),
            None,
            r"Fewer.values gives a number 'c' that is no parameter: .* = \('K', 'c',\)",
        ),
        (Spring(), Rough(), r"Rough must define coefficient\(speed, p\)\.$"),
    ):
        with pytest.raises(fc.InputError, match=said) as caught:
            joint(law, friction)
        assert "test_law_trials.py, line " in str(caught.value)
    assert joint(Base()) and joint(Second())


@pytest.mark.parametrize(
    ("law", "depends"),
    [
        (Spring, False), (Meant, False), (fc.Hertz, False), (fc.KelvinVoigt, False),
        (fc.HuntCrossley, True), (fc.TaylorTwoTerms, True), (fc.ExactRestitution, True),
    ],
)  # fmt: skip
def test_whether_a_law_has_hysteresis_follows_from_its_force(law, depends):
    """So that a law without it is not said to have used the least approach speed."""
    assert hysteretic(law) is depends


def test_wrong_declarations_are_refused():
    with pytest.raises(TypeError, match="Own.force: write @staticmethod before it, and no self"):

        class Own(Spring):
            def force(self, depth, rate, approach, p):
                return p.K * depth

    class Plain(Spring):
        e: float = 0.5

    with pytest.raises(TypeError, match=r"Plain takes no argument 'e'; write @dataclass"):
        Plain(e=0.7)


def test_a_contact_without_solution_is_named():
    """A law that jumps with the rate, in a contact that lasts: Newton's method cannot settle."""

    class Jumping(Spring):
        @staticmethod
        def force(depth, rate, approach, p):
            return p.K * depth * ufl.conditional(ufl.ge(rate, 0), 1.0, 0.25)

    system = fc.System(gravity=(9.81, 0, 0))
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), free=True, name="ball"))
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)), ball.center, socket_radius=0.010, ball_radius=0.0095,
            normal=Jumping(), stiffness=1e6, name="joint",
        )
    )  # fmt: skip
    with pytest.raises(fc.StepFailed, match="a softer law of joint without jumps"):
        fc.Simulation(system, t_end=0.3).run()

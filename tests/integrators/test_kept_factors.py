"""Stabilised steps with kept factors: the same motion as with new ones each time."""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.bodies.solids.condensed import CondensedSolid
from fem_clearance.core.blocks import Block
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.roles import Multiplier
from fem_clearance.meshes.structured import hollow_cylinder

from .test_stabilised import STABILISED, crank_and_rocker, run, top


def fields(stepper):
    """Coordinates and multipliers, rates, accelerations."""
    state = stepper.state
    return [state.everything(z) for z in (state.q, state.v, state.a)]


def differ(stepper, other):
    """Largest differences of these by the largest of each."""
    pairs = zip(fields(stepper), fields(other), strict=True)
    return [np.abs(a - b).max() / np.abs(b).max() for a, b in pairs]


@pytest.mark.parametrize("make", [top, crank_and_rocker], ids=["top", "loop"])
def test_kept_factors_change_nothing(make):
    """Against factors of each pose; they serve several steps on the average."""
    made = []

    def forgetful(stepper):
        stepper.scheme.velocities.forget()

    def frugal(stepper):
        made.append(stepper.scheme.velocities.w.since == 1)

    options = {"dt": 5e-4, "t_end": 0.1, "newton_tolerance": 1e-12}
    kept, new = (run(make(), STABILISED[0], watch, **options) for watch in (frugal, forgetful))
    assert np.mean(made) < 0.35
    assert max(differ(kept, new)[:2]) < 1e-10
    assert differ(kept, new)[2] < 1e-8


def test_forces_by_velocities_cost_no_tangents():
    """A damper of the loop sees the velocities that are taken off: the solution is corrected by the
    tangent as it is. Against constraints on positions alone."""
    counts = []
    for form in ("position", "stabilised"):
        integrator = fc.GeneralizedAlpha(0.8, form)
        stepper = run(crank_and_rocker(), integrator, dt=2e-4, t_end=0.2)
        counts.append((stepper.newton.tangents, stepper.newton.iterations))
    (tangents, iterations), (more_tangents, more_iterations) = counts
    assert more_tangents < 1.6 * tangents
    assert more_iterations < 1.5 * iterations


@pytest.mark.parametrize("adaptive", [False, True])
def test_resumed_runs_are_the_same(adaptive):
    """To the last bit: the factors in use are those of the same pose."""
    options = {"t_end": 0.05, "dt": 5e-4, "adaptive": adaptive}
    first = fc.Stepper(crank_and_rocker(), STABILISED[0], **options)
    first.start()
    while first.t < 0.02:
        first.advance()
    snapshot = deepcopy(first.snapshot())
    second = fc.Stepper(crank_and_rocker(), STABILISED[0], **options)
    second.restore(snapshot)
    for stepper in (first, second):
        while stepper.t < stepper.t_end:
            stepper.advance()
    for one, other in zip(fields(first), fields(second), strict=True):
        assert np.array_equal(one, other)


def soft_ring(name="ring"):
    """A condensed solid: the nodes of its bore follow its amplitudes."""
    return CondensedSolid(
        hollow_cylinder(0.05, 0.1, 0.1, (12, 1), degree=2),
        fc.LinearElastic(E=1e6, nu=0.3, rho=1000),
        clamped="rim", facets="bore", inertia=True, name=name, state="plane_strain",
        thickness=0.1,
    )  # fmt: skip


def bar_in_a_ring(spin=0.0, **options):
    """A bar swings on a shaft in a soft ring, with a spin at the start."""
    system = fc.System(gravity=(0, -9.81, 0), **options)
    ring = system.add(soft_ring())
    shaft = system.add(fc.RigidBody(5.0, (1e-2, 1e-2, 1e-2), name="shaft"))
    system.add(fc.Attachment(ring.facets("bore"), shaft.center, name="hold"))
    bar = system.add(
        fc.RigidBody(1.0, (1e-2, 0.1, 0.1), position=(0.5, 0, 0), velocity=(0, 0.5 * spin, 0),
                     angular_velocity=(0, 0, spin), name="bar")
    )  # fmt: skip
    system.add(fc.RevoluteJoint(shaft.center, bar.at((0, 0, 0)), axis=(0, 0, 1), name="pin"))
    return system


def test_a_condensed_solid():
    """As with constraints on positions alone."""
    ends = []
    for form in ("position", "stabilised"):
        integrator = fc.GeneralizedAlpha(0.8, form)
        stepper = run(bar_in_a_ring(), integrator, dt=1e-4, t_end=0.1, newton_tolerance=1e-10)
        ends.append([stepper.channels[n] for n in ("bar.x", "bar.y", "bar.vy", "shaft.y")])
        off = np.abs(stepper.scheme.velocities.violation()).max(initial=0.0)
        assert form == "position" or off < 1e-13
    assert ends[1] == pytest.approx(ends[0], rel=1e-3)
    assert abs(ends[0][1]) > 0.01


# --- a mass matrix that changes -------------------------------------------------------------------
@dataclass(frozen=True)
class BeadKind(Kind):
    """A bead on the wire y = x^2/2 whose mass is 1 + k x^2 kg, under gravity g: Lagrange's
    equations of T = (1 + k x^2) (x'^2 + y'^2)/2 in x and y."""

    parameters = {"k": (), "g": ()}

    def fields(self):
        return {"r": (2,), "lam": (1,)}

    def residual(self, c):
        ((x, y), lam), ((vx, vy), _), ((ax, ay), _), ((wx, wy), z) = (
            c.split(each) for each in (c.q, c.v, c.a, c.test)
        )
        k = c.par("k")
        mass = 1 + k * x**2
        along = mass * ax + 2 * k * x * vx * vx - k * x * (vx**2 + vy**2)
        up = mass * ay + 2 * k * x * vx * vy + c.par("g")
        held = lam[0] * (wy - x * wx) + z[0] * (y - x**2 / 2)
        return (along * wx + up * wy + held) * c.dx()


class Bead:
    prefix, free, name, position = "bead", True, None, np.zeros(3)

    def __init__(self, x, k, g):
        self.r = Block("bead", "", [x, x**2 / 2])
        self.lam = Block("bead", "lam", np.zeros(1), Multiplier(of="bead.wire"))
        self.numbers = {"k": k, "g": g}

    def build(self, builder):
        builder.add_block(self.r)
        builder.add_block(self.lam)
        kind = BeadKind()
        builder.add_cell(
            kind, Cell(self.name, [self.r.all, self.lam.all], kind.pack(**self.numbers))
        )


@pytest.mark.parametrize("integrator", STABILISED, ids=["alpha", "bathe"])
def test_a_mass_that_changes(integrator):
    """Against SciPy's solution of A x'' + A'/2 x'^2 + g x = 0, A = (1 + k x^2) (1 + x^2): order 2.
    No step is lost, though factors are kept with a mass of another place."""
    k, g, start, end = 3.0, 9.81, 0.8, 1.5

    def rates(t, y):
        x, v = y
        inertia = (1 + k * x**2) * (1 + x**2)
        slope = 2 * k * x * (1 + x**2) + 2 * x * (1 + k * x**2)
        return [v, -(slope / 2 * v**2 + g * x) / inertia]

    exact = solve_ivp(rates, (0, end), [start, 0.0], rtol=1e-12, atol=1e-13).y[:, -1]
    errors = []
    for h in (1e-2, 5e-3, 2.5e-3):
        system = fc.System()
        bead = system.add(Bead(start, k, g))
        stepper = run(system, integrator, dt=h, t_end=end, newton_tolerance=1e-11)
        assert stepper.rejected_steps == 0
        x = bead.r.numbers[0]
        errors.append(np.abs([stepper.state.q[x] - exact[0], stepper.state.v[x] - exact[1]]))
        assert np.abs(stepper.scheme.velocities.violation()).max() < 1e-14
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert order == pytest.approx(2, abs=0.15), errors

"""Friction with memory between two elastic solids in space: any direction, any rotation.

The forms take minutes to compile the first time.
"""

from copy import deepcopy

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.contact.facets.cuts import Cutting
from fem_clearance.contact.facets.pair_friction import RememberingPairKind
from fem_clearance.diagnostics import tangent_error

from .test_pair_friction import LUGRE, MU, G
from .two_solids import SOFT

STICK = fc.SurfaceStick(MU, 0.2)
TURN = Rotation.from_rotvec((0.4, -1.1, 0.7)).as_matrix()
EYE = np.eye(3)
MASS = 1000 * 0.03 * 0.02 * 0.01


def blocks(friction, gravity=(0, 0, 0), turn=EYE, held="z0", **upper):
    """A small block on a larger one, whose meshes do not match, all of it turned."""
    system = fc.System(gravity=turn @ gravity)
    low = meshes.block((0.1, 0.08, 0.02), (4, 3, 1), center=(0, 0, -0.01)).moved(rotation=turn)
    up = meshes.block((0.03, 0.02, 0.01), (3, 2, 1), center=(-0.01, -0.008, 0.005))
    given = {"degree": 1, "free": True}
    low = system.add(fc.Solid(low, SOFT, clamped=held, name="low", **given))
    up = system.add(fc.Solid(up.moved(rotation=turn), SOFT, name="up", **given, **upper))
    for solid in (low, up):
        system.add(fc.SolidProbe(solid, name=f"{solid.name}_all"))
    contact = fc.SurfaceContact(
        up.facets("z0"), low.facets("z1"), law=fc.Winkler(1e11), friction=friction, name="c"
    )
    system.add(contact)
    return system, low, up


def downhill(degrees, way):
    """Gravity on a slope that falls along ``way``, rad from x."""
    a = np.radians(degrees)
    return G * np.array([np.sin(a) * np.cos(way), np.sin(a) * np.sin(way), -np.cos(a)])


def vector(channels, name, at=Ellipsis):
    return np.array([np.asarray(channels[f"{name}{x}"])[at] for x in "xyz"])


def go(system, t_end=0.02, **options):
    integrator = fc.GeneralizedAlpha(0.6)
    return fc.Simulation(
        system, integrator, dt=1e-4, t_end=t_end, progress=False, **options
    ).run()  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("way", [0.6, 2.2])
@pytest.mark.parametrize("friction", [STICK, LUGRE], ids=["stick", "lugre"])
def test_block_slides(friction, way):
    """At 30 degrees with g (sin a - mu cos a) straight downhill, whichever way that is."""
    results = go(blocks(friction, downhill(30, way))[0], 0.03)
    rate = G * (np.sin(np.pi / 6) - friction.mu_d * np.cos(np.pi / 6))
    late = results.time > 0.01
    p = vector(results, "up_all.p") / MASS
    gained = np.polyfit(results.time[late], p[:, late].T, 1)[0]
    down = np.array([np.cos(way), np.sin(way)])
    assert gained[:2] @ down == pytest.approx(rate, rel=1e-3)
    assert gained[:2] @ (-down[1], down[0]) == pytest.approx(0, abs=1e-3 * rate)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [EYE, TURN], ids=["as it is", "turned"])
def test_block_stays(turn):
    """On a slope of 10 degrees from equilibrium it does not move; friction is the component of its
    weight, in every frame."""
    gravity = downhill(10, 0.6)
    found = fc.Statics(blocks(STICK, gravity, turn)[0], steps=2).solve()
    assert turn.T @ vector(found, "c.force.", -1) == pytest.approx(MASS * gravity, rel=1e-6)
    assert found["c.stuck_area"][-1] == pytest.approx(0.03 * 0.02, rel=1e-6)
    results = go(blocks(STICK, gravity, turn)[0], initial=found.last)
    place = vector(results, "up_all.")
    assert np.abs(place - place[:, :1]).max() < 1e-14
    assert np.abs(vector(results, "up_all.p")).max() / MASS < 1e-10
    assert np.ptp(results["energy.total"]) < 1e-8 * MASS * G * 0.01


def loaded(turn):
    """A state with nodes that stick, slip and are free, with what they remember, turned as a whole
    and paired there; the residual of the contact, and the numbers of either solid."""
    system, low, up = blocks(STICK, turn=EYE, held={})
    state, rng = system.state, np.random.default_rng(2)
    numbers = [z.displacement(np.arange(len(z.nodes))).numbers.reshape(-1, 3) for z in (low, up)]
    at = [rng.uniform(-1, 1, (2, *z.nodes.shape)) for z in (low, up)]
    for each, solid, (now, change) in zip(numbers, (low, up), at, strict=True):
        before = solid.nodes + 1e-5 * now
        for values, place in ((state.q_n, before), (state.q, before + 3e-7 * change)):
            values[each] = place @ turn.T - solid.nodes
        state.v[each] = 1e-2 * change @ turn.T
    for block in state.problem.blocks:
        if block.owner == "c":
            scale = {"load": 1e6, "mu": 0.0}.get(block.what, 1e-6)
            drawn = 0.3 * (block.what == "mu") + scale * rng.uniform(-1, 1, (2, len(block.numbers)))
            state.q[block.numbers], state.q_n[block.numbers] = drawn
    state.globals[6] = 1e3  # 1 / step
    c = next(i for i, z in enumerate(state.components) if "c" in z.owners)
    component, rows = state.components[c], state.parameters[c]
    X, Y = (
        z.nodes[s.cells[k]] + state.q_n[n][s.cells[k]]
        for z, n, s, k in zip((up, low), numbers[::-1], (up.facets("z0"), low.facets("z1")),
                              np.indices((6, 12)).reshape(2, -1), strict=True)
    )  # fmt: skip
    component.kind.pair(rows, X, Y)
    found = np.zeros(state.total)
    residual = state.evaluate(c, component.residual, component.dofs)
    np.add.at(found, state.problem.local_unknowns[c], residual)
    return state, found, numbers


@pytest.mark.slow
def test_rotated_as_a_whole():
    """A rigid rotation of both solids turns the tractions and changes nothing that is remembered;
    forces on the two are opposite."""
    (_, one, numbers), (_, two, _) = map(loaded, (EYE, TURN))
    for each in numbers:
        assert np.abs(one[each]).max() > 0.1
        assert two[each] @ TURN == pytest.approx(one[each], abs=1e-9 * np.abs(one[each]).max())
    whole = sum(one[each].sum(axis=0) for each in numbers)
    assert whole == pytest.approx(0, abs=1e-12 * np.abs(one[numbers[0]]).max())
    rest = np.setdiff1d(np.arange(len(one)), np.concatenate([z.ravel() for z in numbers]))
    assert two[rest] == pytest.approx(one[rest], abs=1e-9 * np.abs(one[rest]).max())


@pytest.mark.slow
def test_tangent():
    """Against central differences."""
    assert tangent_error(loaded(TURN)[0], step=1e-10) < 1e-5


@pytest.mark.slow
def test_what_two_blocks_keep():
    """Linear momentum to round-off through an oblique impact with spin, energy never above that of
    the start; a run resumed within the impact is the same to the last bit."""

    def made():
        system, *_ = blocks(
            fc.SurfaceStick(0.2, 0.1), held={}, velocity=(0.3, 0.2, -0.5),
            angular_velocity=(0.0, 0.0, 20.0),
        )  # fmt: skip
        return fc.Stepper(system, fc.GeneralizedAlpha(1.0), dt=2e-6, t_end=2e-4)

    def momenta():
        first.channels.read()
        return sum(vector(first.channels, f"{n}_all.p") for n in ("low", "up"))

    first, second = made(), made()
    first.start()
    before, energy, force = momenta(), [first.channels["energy.total"]], []
    while first.t < 2e-4 - 1e-12:
        if first.t < 3e-5:
            kept = deepcopy(first.snapshot())
        first.advance()
        energy.append(first.channels["energy.total"])
        force.append(first.channels["c.friction_force"])
    assert max(force) > 1.0
    assert momenta() == pytest.approx(before, abs=1e-13 * np.abs(before).max())
    assert max(energy) <= energy[0] * (1 + 1e-12)
    second.restore(kept)
    assert second.t < 4e-5
    while second.t < 2e-4 - 1e-12:
        second.advance()
    for name in ("q", "v", "a"):
        one, two = (z.state.everything(getattr(z.state, name)) for z in (first, second))
        assert np.array_equal(one, two)


def test_memory_goes_with_the_facets():
    """Whatever is kept is carried by the rotation of the first facet and seen by the axes of the
    other: R^T Q is the same for a rigid rotation of both, for one of the first alone R^T, and the
    same if the first is stretched, which is no rotation."""
    cutting = Cutting("quadrilateral", 1, "triangle", 1, 2)
    kind = RememberingPairKind(cutting, fc.Winkler, fc.SurfaceStick)
    X = np.array([[[-1.0, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]]])
    Y = np.array([[[-2.0, -2, -0.01], [3, -2, -0.01], [0, 3, -0.01]]])
    turn = Rotation.from_rotvec((0, 0, 0.3)).as_matrix()
    stretch = np.array([[1.2, 0.1, 0], [0.1, 0.9, 0], [0, 0, 1]])  # symmetric

    def carried(x, y):
        row = np.zeros((1, kind.width))
        kind.column(row, "X")[:] = X.reshape(1, -1)
        kind.column(row, "sides")[:] = -1, 1
        kind.column(row, "thickness")[:] = 1
        kind.pair(row, x, y)
        found = kind.at_points(row, "carried").reshape(-1, 3, 2)
        assert np.all(found == found[0])
        return found[0]

    axes = carried(X, Y)
    assert axes == pytest.approx(EYE[:, :2], abs=1e-14)  # right-handed with the other's normal
    assert carried(X @ TURN.T, Y @ TURN.T) == pytest.approx(axes, abs=1e-14)
    assert carried(X @ turn.T, Y) == pytest.approx(turn.T @ axes, abs=1e-14)
    assert carried(X, Y @ turn.T) == pytest.approx(turn @ axes, abs=1e-14)
    assert carried(X @ stretch, Y) == pytest.approx(axes, abs=1e-14)
    assert carried(X @ stretch @ TURN.T, Y @ TURN.T) == pytest.approx(axes, abs=1e-14)

"""Hard contact of two elastic solids: patch test, closed forms, and the limit of penalties."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.diagnostics import tangent_error
from fem_clearance.statics.linearised import Linearised

from .two_solids import (
    HALF_WIDTH,
    PRESSURE,
    SOFT,
    check_uniform,
    cylinders,
    stack,
    stack_in_space,
)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("cells", [(5, 7), (7, 5)])
def test_patch(cells, degree):
    """A uniform pressure passes between meshes that do not match: sigma_yy is the same at each
    node, and the pressure at each node of the facets, to 1e-10; the surfaces lie on each other."""
    held = {"x0": "x", "y0": "y"}, {"x0": "x"}
    system, low, up, contact = stack(cells, degree, held=held, law=fc.Hard(), with_contact=True)
    system.add(fc.Pressure(up.facets("y1"), PRESSURE, follower=False))
    results = fc.Statics(system, steps=1, tolerance=1e-12).solve()
    check_uniform(results, system, (low, up), 1, 0.1 * 0.02, (1e-10, 1e-10))
    assert system.state.q[contact.block.numbers] == pytest.approx(PRESSURE, rel=1e-10)
    assert contact.pressures(system)[1] == pytest.approx(PRESSURE, rel=1e-10)
    assert results.summary["stable"] is True
    places = [z.nodes + z.at_nodes(system.state.q) for z in (low, up)]
    heights = [
        y[z.facets(n).nodes, 1] for y, z, n in zip(places, (low, up), ("y1", "y0"), strict=True)
    ]
    assert np.ptp(np.concatenate(heights)) < 1e-14


@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_patch_in_space(cell):
    """The same of 2 x 2 facets, quadrilaterals or triangles, on 3 x 3."""
    system, low, up = stack_in_space(cell, fc.Hard(), 1)
    system.add(fc.Pressure(up.facets("z1"), PRESSURE, follower=False))
    results = fc.Statics(system, steps=1, tolerance=1e-12).solve()
    check_uniform(results, system, (low, up), 2, 0.01, (1e-10, 1e-10))


def levered(law, pull, cells=8):
    """A block that is pressed on another of the same mesh and pulled up at its side, Pa; heights of
    its bottom and of what lies below, and what else there is."""
    held = {"x0": "x", "y0": "y"}, {"x0": "x"}
    system, low, up, contact = stack((cells, cells), 1, held=held, law=law, with_contact=True)
    system.add(fc.Pressure(up.facets("y1"), PRESSURE, follower=False))
    system.add(fc.Traction(up.facets("x1"), (0, pull, 0)))
    results = fc.Statics(system, steps=2, tolerance=1e-12).solve()
    at, below = (
        (z.nodes + z.at_nodes(system.state.q))[z.facets(n).nodes, :2]
        for z, n in ((up, "y0"), (low, "y1"))
    )
    assert results["c.normal_force"][-1] == pytest.approx((0.1 * PRESSURE - 0.05 * pull) * 0.02)
    assert results.summary["stable"] is True
    return system, contact, at, below


def test_limit_of_penalties():
    """Of a pressure that is not uniform: penalties that are ten times as stiff are ten times as
    near, and the limit is ``Hard``."""
    hard = levered(fc.Hard(), 1e5)[2][:, 1]
    apart = [np.abs(levered(fc.Winkler(k), 1e5)[2][:, 1] - hard).max() for k in (1e13, 1e14)]
    assert 0.7e-7 < apart[0] < 2e-7  # 1e6 Pa / 1e13 Pa/m
    assert apart[1] / apart[0] == pytest.approx(0.1, rel=0.1)


def test_lifting_off():
    """On one side nodes lift off; the others lie on what is below in the mean: how far single ones
    are below it falls with the size of the facets."""
    deepest = []
    for cells in (8, 32):
        system, contact, at, below = levered(fc.Hard(), 4e5, cells)
        pressure = system.state.q[contact.block.numbers]
        touches = pressure > 0
        assert 0.8 < np.mean(touches) < 1
        gap = at[:, 1] - np.interp(at[:, 0], below[:, 0], below[:, 1])
        assert gap[~touches].max() > 1e-6
        assert np.all(contact.pressures(system)[1] >= 0)
        deepest.append(-gap.min())
    assert deepest[1] < deepest[0] / 4
    # nodes that are apart follow the bodies, and the energy knows nothing of them
    linear = Linearised(system.state)
    K = linear.dense(linear.potential)
    assert np.abs(K - K.T).max() < 1e-12 * np.abs(K).max()
    rows = contact.block.numbers[~touches]
    alone = K[rows].copy()
    alone[np.arange(len(rows)), rows] = 0
    assert np.all(alone == 0)
    assert np.any(linear.dense(linear.K)[rows] != K[rows])


@pytest.mark.slow
def test_hertz_line_of_two_cylinders():
    """Half width and peak of Hertz's pressure within 1 % (Johnson, Contact Mechanics, 1985, section
    4.2), no node pulls, and no stiffness is chosen."""
    system, contact, load = cylinders(fc.Hard())
    results = fc.Statics(system, steps=4).solve()
    pressure = contact.pressures(system)[1]
    peak = 2 * load / (np.pi * HALF_WIDTH)
    assert results["c.normal_force"][-1] == pytest.approx(load / 2, rel=1e-5)
    assert results["c.area"][-1] == pytest.approx(HALF_WIDTH, rel=0.01)
    assert pressure.max() == pytest.approx(peak, rel=0.01)
    at_nodes = np.maximum(system.state.q[contact.block.numbers], 0.0)
    assert at_nodes.max() == pytest.approx(peak, rel=0.01)
    assert results.summary["stable"] is True
    assert results.summary["newton_iterations"] < 100


@pytest.mark.parametrize("degree", [1, 2])
def test_tangent(degree):
    """Against central differences, nodes in contact and free."""
    system, low, up, contact = stack((3, 4), degree, law=fc.Hard(), with_contact=True, free=True)
    state, rng = system.state, np.random.default_rng(2)
    state.q[:] += 1e-5 * rng.standard_normal(state.total) * state.problem.dynamic
    state.q[contact.block.numbers] = 1e6 * rng.uniform(-1, 1, len(contact.block.numbers))
    system.channels.read()
    assert 0.0 < system.channels["c.area"] < 0.1 * 0.02
    assert tangent_error(state, step=1e-9) < 1e-5


def test_refused():
    held = {"x0": "x", "y0": "y"}, {"x0": "x"}
    system, low, up, _ = stack((3, 4), 1, held=held, law=fc.Hard(), with_contact=True)
    system.add(fc.Pressure(up.facets("y1"), PRESSURE, follower=False))
    fc.Statics(system, steps=1).solve()
    stepper = fc.Stepper(system, initial=system.equilibrium, dt=1e-6, t_end=1e-5)
    stepper.start()
    with pytest.raises(fc.StepFailed, match="hard contact of facets is available in Statics only"):
        stepper.advance()
    wear = fc.SurfaceWear(fc.Archard(1e-4, 1e9), repeat=1)
    for changes in ({"friction": fc.SurfaceStick(0.1)}, {"wear": wear}):
        with pytest.raises(fc.InputError, match="neither friction nor wear"):
            fc.SurfaceContact(up.facets("y0"), low.facets("y1"), law=fc.Hard(), **changes)
    blocks = [
        fc.Solid(meshes.simplices(meshes.block((1, 1, 1), (1, 1, 1), center=(0, 0, z))), SOFT,
                 degree=2, name=f"b{z}", free=True) for z in (0, 1)
    ]  # fmt: skip
    system = fc.System()
    for each in blocks:
        system.add(each)
    contact = fc.SurfaceContact(blocks[1].facets("z0"), blocks[0].facets("z1"), law=fc.Hard())
    with pytest.raises(fc.InputError, match="no quadrature at the nodes"):
        system.add(contact)

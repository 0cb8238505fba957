"""Forces and torques on the frames of bodies, and probes there.

What their virtual power does to the unknowns behind a frame is held against differences of the
frame's place and triad written in NumPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc

from ..bodies.elements import LENGTH, STEEL, B, Element, H
from ..bricks import Brick
from ..forces import TURN, Bench, residuals_only

VECTOR = np.array([3.0, -4.0, 5.0])
FUNCTION, TIME = fc.functions.Polynomial((1.0, 2.0)), 0.3
FACTOR = 1 + 2 * TIME


def work_rows(system, state, name="LoadKind"):
    """What the load alone does to the unknowns: rows with it less rows without."""
    rows = state.residual().copy()
    for z, numbers in zip(system.state.components, state.parameters, strict=True):
        if type(z.kind).__name__ == name:
            z.kind.column(numbers, "vector")[:] = 0.0
    return rows - state.residual()


@pytest.mark.parametrize("follower", [False, True])
@pytest.mark.parametrize("make", [fc.Force, fc.Torque])
def test_loads_on_a_rigid_body(make, follower):
    """In space, or turning with the body from its direction at the start; power."""
    found = Bench()
    place = np.array([0.3, 0.1, -0.2])
    found.add(make(found.b.at(TURN @ place), VECTOR, FUNCTION, follower=follower, name="f"))
    found.assemble()
    found.state.globals[0] = TIME
    found.move(found.b, (0.1, 0, 0.2), (0.3, -0.2, 0.5), (1, 2, 3), (0.4, -0.6, 0.8))
    point, velocity = found.carried(found.b, place)
    load = FACTOR * VECTOR
    if follower:
        load = FACTOR * found.pose(found.b)[1] @ found.b.axes.T @ VECTOR
    force, moment = found.wrench(found.b, point)
    wanted = (load, 0 * load) if make is fc.Force else (0 * load, load)
    np.testing.assert_allclose([force, moment], wanted, atol=1e-12)
    rate = velocity if make is fc.Force else found.pose(found.b)[3]
    see = found.channels
    assert see["f.power"] == pytest.approx(load @ rate)
    np.testing.assert_allclose([see[f"f.{x}"] for x in "xyz"], load)


def at_rest(element, q, x):
    """Place and triad of the section at x: its normal, and two axes that turn with the mean of
    both directors' turns, weighed by their second moments."""
    at = element.lines(q, [x])
    if "d2" not in at:
        return at["r"][0], at["t"][0] / np.linalg.norm(at["t"][0])
    d2, d3 = at["d2"][0], at["d3"][0]
    e1 = np.cross(d2, d3)
    e1 /= np.linalg.norm(e1)
    share = B**2 / (B**2 + H**2)  # I_y, of y^2, by the sum of both
    e2 = share * d2 / np.linalg.norm(d2) + (1 - share) * np.cross(d3, e1) / np.linalg.norm(d3)
    e2 /= np.linalg.norm(e2)
    return at["r"][0], np.stack([e1, e2, np.cross(e1, e2)], 1)


def turned(before, after):
    """Rotation vector between two triads, or two directions (without spin)."""
    if before.ndim == 1:
        return np.cross(before, after)
    return Rotation.from_matrix(after @ before.T).as_rotvec()


@pytest.mark.parametrize("x", [0.0, 0.37, 1.0])
@pytest.mark.parametrize("model", ["quadratic", "ancf", "cable"])
@pytest.mark.parametrize("make", [fc.Force, fc.Torque])
def test_loads_on_a_beam(make, model, x):
    """At a node and inside an element: each unknown gets the load times how it moves the frame."""
    section = fc.Rectangle(B, B if model == "cable" else H)
    beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), section, STEEL, 1, model=model, name="b", free=True)
    element = Element.__new__(Element)
    system = element.system = fc.System(gravity=(0, 0, 0))
    element.beam = system.add(beam)
    system.add(make(beam.at_length(x * LENGTH), VECTOR, FUNCTION, name="f"))
    system.add(fc.Probe(beam.at_length(x * LENGTH), name="p"))
    with residuals_only():
        state = system.state
    element.fields = beam.kind.node_fields
    at = np.array([[state.locate(node[f].numbers) for f in element.fields] for node in beam.nodes])
    random = np.random.default_rng(5)
    q = state.q[at] + 0.03 * random.uniform(-1, 1, at.shape)
    v = random.uniform(-1, 1, at.shape)
    state.q[at], state.v[at], state.globals[0] = q, v, TIME
    h, found, wanted = 1e-6, None, np.zeros_like(q)
    for k in range(q.size):
        ends = []
        for way in (1, -1):
            z = q.copy()
            z.flat[k] += way * h
            ends.append(at_rest(element, z, x))
        change = ends[0][0] - ends[1][0] if make is fc.Force else turned(ends[1][1], ends[0][1])
        wanted.flat[k] = -FACTOR * VECTOR @ change / (2 * h)
    see = system.channels
    see.read()
    ends = [at_rest(element, q + way * h * v, x) for way in (1, -1)]
    velocity = (ends[0][0] - ends[1][0]) / (2 * h)
    omega = turned(ends[1][1], ends[0][1]) / (2 * h)
    rate = velocity if make is fc.Force else omega
    assert see["f.power"] == pytest.approx(FACTOR * VECTOR @ rate, rel=1e-6)
    place = at_rest(element, q, x)[0]
    np.testing.assert_allclose([see[f"p.{n}"] for n in "xyz"], place, atol=1e-12)
    np.testing.assert_allclose([see[f"p.v{n}"] for n in "xyz"], velocity, atol=1e-8)
    if model != "cable":
        np.testing.assert_allclose([see[f"p.omega_{n}"] for n in "xyz"], omega, rtol=1e-6)
    found = work_rows(system, state)[at]
    np.testing.assert_allclose(found, wanted, atol=1e-7 * np.abs(wanted).max())


def test_fixed_end_of_a_cable():
    """Its tangent stays across two axes of the other frame: a couple lam e x t on the cable."""
    found = Bench.__new__(Bench)
    system = found.system = fc.System(gravity=(0, 0, 0))
    beam = system.add(fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, B), STEEL, 1,
                              model="cable", name="line", free=True))  # fmt: skip
    found.a = found.b = system.add(fc.RigidBody(1.3, (0.2, 0.3, 0.4), name="b", free=True))
    system.add(fc.FixedJoint(found.b.at((0, 0, 0)), beam.start, name="j"))
    state = found.assemble()
    node = beam.nodes[0]
    r, slope = (state.locate(node[n].numbers) for n in ("r", "slope"))
    state.q[r], state.q[slope] = (0.01, 0.02, -0.01), state.q[slope] + (0.02, 0.1, -0.07)
    turn = Rotation.from_rotvec((0.1, -0.2, 0.15)).as_matrix()
    state.q[found.numbers(found.b)[3:]] = turn.T.ravel()
    free = state.residual().copy()
    size = np.linalg.norm(state.q[slope])
    t = state.q[slope] / size
    kind, cell = next((k, c) for k, cells in system.cells.items() for c in cells if c.owner == "j")
    axes = turn @ cell.parameters[kind.columns("i")][3:].reshape(3, 3).T
    np.testing.assert_allclose(axes[:, 2], turn @ (1, 0, 0), atol=1e-12)
    np.testing.assert_allclose(free[found.block("j.moment")], axes[:, :2].T @ t, atol=1e-12)
    np.testing.assert_allclose(free[found.block("j.force")], state.q[r], atol=1e-12)
    lam = np.array([2.0, -3.0])
    state.q[found.block("j.moment")] = lam
    rows = state.residual() - free
    couple = lam @ axes[:, :2].T
    np.testing.assert_allclose(rows[slope], (couple - couple @ t * t) / size, atol=1e-12)
    moment = found.wrench(found.b, np.zeros(3))[1]
    np.testing.assert_allclose(moment, -np.cross(couple, t), atol=1e-12)
    system.channels.read()
    moment = [system.channels[f"j.moment.{n}"] for n in "xyz"]
    np.testing.assert_allclose(moment, np.cross(couple, t), atol=1e-12)


def test_force_on_a_node_of_a_solid():
    """It acts on the node's displacement, wherever that is."""
    brick = Brick(lambda z: z.system.add(
        fc.SpringDamper(z.b.center, z.solid.at(z.places[3]), 200.0, 3.0, 0.05, name="spring")
    ))  # fmt: skip
    bare = Brick().rows
    ri, _, vi, _ = brick.pose(brick.b)
    rj, vj = brick.now[3], brick.v[3]
    length = np.linalg.norm(rj - ri)
    u = (rj - ri) / length
    tension = 200 * (length - 0.05) + 3 * u @ (vj - vi)
    force = bare - brick.rows
    np.testing.assert_allclose(force[3], -tension * u, rtol=1e-9)
    np.testing.assert_allclose(brick.wrench(brick.b, ri)[0], tension * u, rtol=1e-9)

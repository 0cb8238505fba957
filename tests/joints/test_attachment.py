"""Attachments of facets to frames: tangents, balance of forces and work, invariance, joints on a
solid, bad input."""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.bodies.solids.condensed import CondensedSolid
from fem_clearance.diagnostics import tangent_error

STEEL = fc.StVenantKirchhoff(E=1e4, nu=0.3, rho=1000)
KINDS = ("averaged", "rigid")


def solid(system, cell="hexahedron", degree=2, **options):
    """A block of 0.4 x 0.2 (x 0.1) m of as few cells as there can be, away from the origin."""
    plane = cell in ("triangle", "quadrilateral")
    size = (0.4, 0.2) if plane else (0.4, 0.2, 0.1)
    center = (0.5, 0.3, 0.0) if plane else (0.5, 0.3, 0.2)
    mesh = meshes.block(size, (1,) * len(size), center=center, degree=degree)
    if cell in ("triangle", "tetrahedron"):
        mesh = meshes.simplices(mesh)
    state = {"state": "plane_strain", "thickness": 0.1} if plane else {}
    return system.add(
        fc.Solid(mesh, STEEL, degree=mesh.degree, name="solid", free=True, **state, **options)
    )


def body(system, at=(0.9, 0.4, 0.1)):
    return system.add(
        fc.RigidBody(1.3, (0.2, 0.3, 0.4), position=at, orientation=(0.3, -0.5, 0.7), free=True,
                     name="body")
    )  # fmt: skip


def disturb(system):
    """Everything of the assembled system moved at random, frames not quite orthonormal, but no cell
    turned inside out."""
    state = system.state
    random, n = np.random.default_rng(3), state.local
    state.q[:n] += 0.005 * random.standard_normal(n)
    state.v[:n], state.a[:n] = random.standard_normal((2, n)) * state.problem.dynamic[:n]
    return state


# --- tangents -------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "cell, degree",
    [("hexahedron", 2), ("hexahedron", 1), ("tetrahedron", 2), ("quadrilateral", 2),
     ("triangle", 1)],
)  # fmt: skip
def test_tangent_with_an_own_frame(kind, cell, degree):
    system = fc.System()
    system.add(fc.Attachment(solid(system, cell, degree).facets("x1"), kind=kind))
    assert tangent_error(disturb(system)) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("on", ["body", "beam", "ground"])
def test_tangent_on_another_frame(kind, on):
    system = fc.System()
    facets = solid(system, degree=1).facets("x1")
    if on == "beam":
        beam = fc.Beam((0.7, 0.3, 0.2), (1, 0.4, 0.4), fc.Rectangle(0.1, 0.1), STEEL, 1, free=True)
        frame = system.add(beam).start
    else:
        frame = body(system).point((0.1, -0.2, 0.3)) if on == "body" else system.ground
    system.add(fc.Attachment(facets, frame, kind=kind))
    assert tangent_error(disturb(system)) < 1e-6


# --- balance of forces and of work ----------------------------------------------------------------
def rows_of(state, label):
    """Unknowns (with fixed ones) by local number: forces that the components of a label exert."""
    state.residual()
    total = np.zeros(state.total)
    for k, (c, mine) in enumerate(zip(state.components, state.problem.local_unknowns, strict=True)):
        if label in c.kind.label:
            np.add.at(total, mine.ravel(), state.evaluate(k, c.residual, c.dofs).ravel())
    return total


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cell, degree", [("hexahedron", 2), ("quadrilateral", 2)])
def test_forces_and_powers_balance(kind, cell, degree):
    """Whatever the deformation (of nodes that are held rigidly: none) and the multipliers: no net
    force, no net moment, and the channels are the forces on the frame."""
    system = fc.System()
    rod, frame = solid(system, cell, degree), body(system)
    held = system.add(fc.Attachment(rod.facets("x1"), frame.point((0.1, -0.2, 0.3)), kind=kind,
                                    name="end"))  # fmt: skip
    state = disturb(system)
    spin = Rotation.from_rotvec((0, 0, 0.4) if rod.dimension == 2 else (0.3, -0.5, 0.2))
    r, d = (state.locate(ref.numbers) for ref in frame.refs)
    state.q[d] = (spin.as_matrix() @ frame.axes).T.ravel()  # a rigid body's directors are a triad
    omega = np.array((0, 0, 3.0)) if rod.dimension == 2 else np.array((1.0, 2.0, 3.0))
    state.v[d] = np.cross(omega, state.q[d].reshape(3, 3)).ravel()
    on = state.locate(rod.block.numbers).reshape(-1, rod.dimension)
    places = np.zeros((len(on), 3))
    places[rod.slot] = rod.nodes
    if kind == "rigid":
        nodes = rod.facets("x1").nodes
        local = (rod.nodes[nodes] - frame.position) @ frame.axes
        moved = state.q[r] + local @ state.q[d].reshape(3, 3) - rod.nodes[nodes]
        state.q[on[rod.slot[nodes]]] = moved[:, : rod.dimension]
    forces = rows_of(state, "attachment")
    pull = np.zeros((len(on), 3))
    pull[:, : rod.dimension] = -forces[on]
    places[:, : rod.dimension] += state.q[on]
    if rod.dimension == 2:
        places[:, 2] = 0
    directors, pulls = state.q[d].reshape(3, 3), -forces[d].reshape(3, 3)
    force = -forces[r]
    size = np.abs(pull).max()
    assert np.allclose(pull.sum(axis=0) + force, 0, atol=1e-12 * size)
    moment = np.cross(places, pull).sum(axis=0) + np.cross(directors, pulls).sum(axis=0)
    moment += np.cross(state.q[r], force)
    free = slice(2, 3) if rod.dimension == 2 else slice(0, 3)  # the plane gives the rest
    assert np.allclose(moment[free], 0, atol=1e-12 * size)
    channels = system.channels
    channels.read()
    shown = [channels[f"end.reaction.{x}"] for x in "xyz"]
    assert np.allclose(shown, force, atol=1e-12 * size)
    point = held.frame.offset @ directors
    about = np.cross(directors, pulls).sum(axis=0) - np.cross(point, force)
    assert np.allclose([channels[f"end.moment.{x}"] for x in "xyz"], about, atol=1e-12 * size)
    power = force @ state.v[r] + np.sum(pulls.ravel() * state.v[d])
    assert channels["end.power"] == pytest.approx(power, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_no_work_is_lost_between_frame_and_solid(kind):
    """A torque on the massless frame of a rod that swings: frame and attachment exchange the power
    at once, and the work of the torque is the energy gained."""
    system = fc.System()
    rod = solid(system, degree=2)
    start = system.add(fc.Attachment(rod.facets("x0"), kind=kind, name="start"))
    end = system.add(fc.Attachment(rod.facets("x1"), kind=kind, name="end"))
    system.add(fc.SphericalJoint(system.ground, start.frame))
    system.add(
        fc.Torque(end.frame, (1.0, 2.0, 3.0), fc.functions.Harmonic(1.0, 5.0, 0.5), name="torque")
    )
    scheme = fc.GeneralizedAlpha(1.0, constraints="stabilised")
    stepper = fc.Stepper(system, scheme, dt=2e-4, t_end=0.02, newton_tolerance=1e-11)
    stepper.start()
    names, rows = ("energy.total", "torque.power", "end.power"), []
    while stepper.t < 0.02:
        rows.append([stepper.t, *(stepper.channels[n] for n in names)])
        stepper.advance()
    t, energy, torque, end_power = np.array(rows).T
    largest = np.abs(torque).max()
    assert largest > 1.0
    assert np.abs(torque + end_power).max() < 1e-7 * largest
    work = np.r_[0, np.cumsum(np.diff(t) * (torque[1:] + torque[:-1]) / 2)]
    assert np.abs(energy - energy[0] - work).max() < 1e-4 * np.abs(work).max()


# --- invariance -----------------------------------------------------------------------------------
def swinging(turn=None, by=(0, 0, 0), kind="averaged", comm=None, cells=(4, 2, 1)):
    """A rod on a pin with a body pinned to its top; everything turned and moved."""
    turn = np.eye(3) if turn is None else turn
    place = lambda x: turn @ np.asarray(x, float) + by  # noqa: E731
    system = fc.System(gravity=turn @ (0, -9.81, 0), comm=comm)
    mesh = meshes.block((0.4, 0.05, 0.05), cells, center=(0.2, 0, 0), degree=2).moved(by, turn)
    material = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    rod = system.add(
        fc.Solid(mesh, material, degree=mesh.degree, name="rod", velocity=turn @ (0, 0, 0.5))
    )
    pin = system.add(fc.Attachment(rod.facets("x0"), kind=kind, name="pin"))
    top = system.add(fc.Attachment(rod.facets("y1"), kind="averaged", name="top"))
    bob = system.add(
        fc.RigidBody(0.5, (1e-3, 2e-3, 2e-3), position=place((0.4, -0.1, 0)), orientation=turn,
                     name="bob")
    )  # fmt: skip
    axis, foot = turn @ (0, 0, 1), place((0.4, 0.025, 0))
    system.add(fc.UniversalJoint(system.ground, pin.frame, axis, turn @ (0, 1, 0)))
    system.add(fc.RevoluteJoint(top.at(foot), bob.at(foot), axis, name="hinge"))
    system.add(fc.Probe(top.frame, name="probe"))
    return system


def history(system, steps=20, h=1e-3):
    stepper = fc.Stepper(system, dt=h, t_end=steps * h, newton_tolerance=1e-11)
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    vectors = ("top.frame.{}", "top.reaction.{}", "top.moment.{}", "probe.omega_{}", "probe.a{}",
               "hinge.reaction.{}", "pin.reaction.{}")  # fmt: skip
    values = [[stepper.channels[n.format(x)] for x in "xyz"] for n in vectors]
    scalars = [stepper.channels[n] for n in ("energy.strain", "energy.kinetic", "top.power")]
    return np.array(values), np.array(scalars)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_motion_in_another_place_and_direction(kind):
    turn, by = Rotation.from_rotvec((0.4, -0.8, 1.1)).as_matrix(), np.array((0.3, -0.1, 0.2))
    vectors, scalars = history(swinging(kind=kind))
    turned, same = history(swinging(turn, by, kind=kind))
    turned[0] -= by
    sizes = np.abs(vectors).max(axis=1, keepdims=True)
    assert np.abs(turned @ turn - vectors).max(initial=0, where=sizes > 0) < 1e-6 * sizes.max()
    assert np.all(np.abs(turned @ turn - vectors) < 1e-6 * sizes)
    assert np.allclose(same, scalars, rtol=1e-7)


@pytest.mark.mpi
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_motion_on_several_ranks(kind, comm):
    """Facets of one attachment lie on several ranks."""
    system = swinging(kind=kind, comm=comm)
    vectors, scalars = history(system)
    attached = sum(c.count for c in system.state.components if "attachment" in c.kind.label)
    assert comm.size == 1 or sum(n > 0 for n in comm.allgather(attached)) > 1
    alone, same = history(swinging(kind=kind, comm=MPI.COMM_SELF))
    assert np.all(np.abs(vectors - alone) < 1e-7 * np.abs(alone).max(axis=1, keepdims=True))
    assert np.abs(vectors[0] - alone[0]).max() < 1e-9
    assert np.allclose(scalars, same, rtol=1e-7)


# --- what can end on a solid ----------------------------------------------------------------------
def test_a_clearance_joint_between_two_solids():
    """A ball in a socket, both on solids: it falls freely and hits the socket's bottom."""
    system = fc.System()
    material = fc.StVenantKirchhoff(E=1e8, nu=0.3, rho=1000)
    frames = []
    for name, x in (("upper", 0.0), ("lower", 0.4)):
        mesh = meshes.block((0.1, 0.1, 0.1), (1, 1, 1), center=(x, 0, 0), degree=1)
        part = system.add(fc.Solid(mesh, material, degree=mesh.degree, name=name,
                                   clamped=["x0"] if name == "upper" else []))  # fmt: skip
        side = "x1" if name == "upper" else "x0"
        frames.append(system.add(fc.Attachment(part.facets(side), name=f"{name}_end")))
    system.add(
        fc.SphericalClearance(
            frames[0].at((0.2, 0, 0)), frames[1].at((0.2, 0, 0)), socket_radius=0.02,
            ball_radius=0.018, normal=fc.LankaraniNikravesh(restitution=0.9),
            materials=(material, material), name="joint",
        )
    )  # fmt: skip
    stepper = fc.Stepper(system, t_end=0.05, tolerance=1e-6)
    stepper.start()
    while stepper.t < 0.05 and not stepper.events:
        stepper.advance()
    assert stepper.events[0].time == pytest.approx(np.sqrt(2 * 0.002 / 9.81), rel=1e-2)
    for _ in range(20):
        stepper.advance()
    force, solids = stepper.channels["joint.normal_force"], stepper.channels["energy.strain"]
    assert force > 0 and solids > 0
    pulls = [
        np.array([stepper.channels[f"{n}_end.reaction.{x}"] for x in "xyz"])
        for n in ("upper", "lower")
    ]
    assert np.linalg.norm(pulls[1]) == pytest.approx(force, rel=1e-6)
    assert np.allclose(pulls[0], -pulls[1], atol=1e-6 * force)


# --- input ----------------------------------------------------------------------------------------
BAD = {
    "needs a set of facets": lambda s, r, b: fc.Attachment(r, b),
    "kind must be one of averaged, rigid": lambda s, r, b: fc.Attachment(r.facets("x0"), b,
                                                                         kind="stiff"),
    "the mesh has no facets marked 'end'": lambda s, r, b: fc.Attachment(r.facets("end"), b),
    "to itself": lambda s, r, b: fc.Attachment(r.facets("x0"), r.at((0.2, 0.1, 0.05))),
    "needs a triad": lambda s, r, b: fc.Attachment(
        r.facets("x0"), fc.Solid(r.mesh, STEEL,
        degree=r.mesh.degree, name="other").at((-0.2, 0.1, 0.05))),
    "frame must be such as": lambda s, r, b: fc.Attachment(r.facets("x0"), 3.0),
    "which is not in the system": lambda s, r, b: s.add(
        fc.Attachment(r.facets("x0"), fc.RigidBody(1.0, (1, 1, 1), name="other"))),
    "facets 'x0' of other, which is not in the system": lambda s, r, b: s.add(
        fc.Attachment(fc.Solid(r.mesh, STEEL, degree=r.mesh.degree, name="other").facets("x0"), b)),
    "4 of the 4 nodes of the facets 'x0' are held by first already": lambda s, r, b: [
        s.add(fc.Attachment(r.facets("x0"), b, kind="rigid", name="first")),
        s.add(fc.Attachment(r.facets("x0"), name="second"))],
    "2 of the 6 nodes of the facets 'y1' are held by": lambda s, r, b: s.add(
        fc.Attachment(r.facets("y1"), kind="rigid", name="second")),
    "are held by the clamp of solid already": lambda s, r, b: s.add(
        fc.Attachment(r.facets("x1"), b, name="first")),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_bad_input(message):
    system = fc.System()
    mesh = meshes.block((0.4, 0.2, 0.1), (2, 1, 1))
    rod = system.add(fc.Solid(mesh, STEEL, degree=mesh.degree, name="solid", clamped=["x1"]))
    with pytest.raises(fc.InputError, match=message):
        BAD[message](system, rod, body(system))


def test_facets_along_a_line_have_no_rotation():
    """A plane solid's do not need one about their line; those of one in space do."""
    system = fc.System()
    thin = meshes.block((1.0, 1e-6, 1.0), (1, 1, 1))
    with pytest.raises(fc.InputError, match="lie along a line"):
        fc.Attachment(fc.Solid(thin, STEEL, degree=thin.degree).facets("x1"))
    system.add(fc.Attachment(solid(system, "quadrilateral").facets("x1")))


def test_few_responses_cannot_follow_a_frame():
    system = fc.System()
    mesh = meshes.block((1, 1, 1), (1, 1, 1))
    rod = CondensedSolid(
        mesh, STEEL, degree=mesh.degree, clamped="x0", facets="x1", responses=6, name="rod"
    )
    system.add(rod)
    with pytest.raises(fc.InputError, match="rod keeps 6 responses, too few for 4 nodes"):
        system.add(fc.Attachment(rod.facets("x1"), kind="rigid"))


def test_a_solid_attached_to_nothing_held_is_loose():
    system = fc.System()
    rod = system.add(fc.Solid(meshes.block((1, 1, 1), (1, 1, 1)), STEEL, degree=1, name="rod"))
    system.add(fc.Attachment(rod.facets("x1"), name="end"))
    with pytest.raises(fc.InputError, match="rod is not connected to the ground"):
        system.assemble()

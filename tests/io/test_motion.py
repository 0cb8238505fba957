"""What a run records for the eye: poses at its field steps, and what moves with them."""

import numpy as np
import pytest
import ufl
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import fem_clearance as fc
from fem_clearance.fields.writer import FieldWriter
from fem_clearance.io.vtk import read_vtu
from fem_clearance.meshes import block
from fem_clearance.model.frame import (
    InteriorFrame,
    LineFrame,
    NodeFrame,
    PointFrame,
    RigidFrame,
    SectionFrame,
    shortest_turn,
)

from ..scenes import swinging

STEEL = fc.StVenantKirchhoff(E=2e8, nu=0.3, rho=7800)
Z = (0, 0, 1)
KINDS = [
    RigidFrame(),
    SectionFrame(),
    PointFrame(),
    NodeFrame(size=3),
    NodeFrame(size=2),
    InteriorFrame(fields=("r", "d2", "d3") * 3),
    InteriorFrame(fields=("r", "slope", "d2", "d3") * 2),
    InteriorFrame(fields=("r", "slope") * 2),
    LineFrame(fields=("r", "slope")),
    LineFrame(fields=("r", "slope") * 2),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: f"{k.label}{k.size}")
def test_numbers_of_a_pose_are_those_of_the_form(kind):
    """Against the UFL expression that joints are made of, evaluated by UFL."""
    random = np.random.default_rng(3)
    q, p = random.normal(size=kind.size), random.normal(size=kind.numbers)
    basis = Rotation.from_rotvec(random.normal(size=3)).as_matrix()
    r, triad = kind.place(q, p, basis)
    pose = kind.pose(None, ufl.as_vector(q.tolist()), ufl.as_vector([*p.tolist(), 0.0]))

    def numbers(vector):
        return [float(vector[k](())) for k in range(3)]

    np.testing.assert_allclose(r, numbers(pose.r), rtol=1e-13, atol=1e-13)
    if pose.triad:
        for k in (1, 2, 3):
            np.testing.assert_allclose(triad[:, k - 1], numbers(pose.e(k)), rtol=1e-12, atol=1e-12)
        assert kind.turns
    elif isinstance(kind, LineFrame):
        np.testing.assert_allclose(triad[:, 0], numbers(pose.tangent), rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(triad.T @ triad, np.eye(3), atol=1e-14)
        assert np.linalg.det(triad) > 0 and kind.turns
    else:
        np.testing.assert_array_equal(triad, basis)
        assert not kind.turns


def test_the_shortest_turn():
    """About the common normal by the angle between them; also straight back."""
    a, b = np.array([1.0, 0, 0]), np.array([0.6, 0.8, 0])
    wanted = Rotation.from_rotvec([0, 0, np.arctan2(0.8, 0.6)]).as_matrix()
    np.testing.assert_allclose(shortest_turn(a, b), wanted, atol=1e-15)
    back = shortest_turn(a, -a)
    np.testing.assert_allclose(back @ a, -a, atol=1e-15)
    assert np.linalg.det(back) == pytest.approx(1) and np.allclose(back @ back.T, np.eye(3))


# --- closed forms ---------------------------------------------------------------------------------
def test_a_pendulum():
    """sin(a/2) = k cd(w t, k^2), k = sin(a0/2), w^2 = 3 g / 2 l: the exact swing of a rod."""
    motion = swinging().run().motion
    np.testing.assert_allclose(motion.time, np.linspace(0, 2, 51), atol=1e-12)
    k, w = np.sin(0.5), np.sqrt(1.5 * 9.81)
    sn, *_ = ellipj(ellipk(k**2) - w * motion.time, k**2)
    angle = 2 * np.arcsin(k * sn)
    along = np.column_stack([np.sin(angle), -np.cos(angle), 0 * angle])
    names = [f["name"] for f in motion.scene["frames"]]
    rod, tip = names.index("rod"), names.index("tip.i")
    np.testing.assert_allclose(motion.position[:, rod], along / 2, atol=2e-5)
    np.testing.assert_allclose(motion.position[:, tip], along, atol=4e-5)
    np.testing.assert_allclose(motion.triad[:, rod, :, 0], along, atol=4e-5)
    np.testing.assert_allclose(motion.triad[:, rod, :, 2], np.tile(Z, (51, 1)), atol=1e-12)
    np.testing.assert_array_equal(motion.position[:, names.index("ground")], 0.0)


def test_a_free_top():
    """Torque-free, moments (A, A, C): its axis goes round the angular momentum L at |L| / A, and it
    turns about its axis at (1/C - 1/A) L . axis besides (Euler)."""
    A, C, spin = 2.0, 1.0, np.array([3.0, 0.0, 5.0])
    system = fc.System(gravity=(0, 0, 0))
    system.add(
        fc.RigidBody(
            1.0, (A, A, C), angular_velocity=spin, velocity=(1, 2, 3), free=True, name="top"
        )
    )
    motion = fc.Simulation(system, dt=2e-4, t_end=1.0, progress=False).run().motion
    momentum = np.array([A, A, C]) * spin
    for t, r, triad in zip(motion.time, motion.position[:, 1], motion.triad[:, 1], strict=True):
        own = Rotation.from_rotvec([0, 0, (1 / C - 1 / A) * momentum[2] * t])
        wanted = (Rotation.from_rotvec(momentum / A * t) * own).as_matrix()
        np.testing.assert_allclose(triad, wanted, atol=2e-6)
        np.testing.assert_allclose(r, (t, 2 * t, 3 * t), atol=1e-9)


# --- channels -------------------------------------------------------------------------------------
def chain(model: str):
    """A bar that hangs in two beams and a cable, with probes at nodes and between them."""
    system = fc.System()
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), STEEL, 3, model=model,
                              name="beam"))  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start, name="pivot"))
    places = {"node": beam.node(1), "inside": beam.at_length(0.45), "end": beam.end}
    for name, frame in places.items():
        system.add(fc.Probe(frame, name=name))
    bob = system.add(fc.RigidBody(shape=fc.shapes.Sphere(0.05), density=7800, position=(1, 0, 0),
                                  name="bob"))  # fmt: skip
    system.add(fc.SphericalJoint(beam.end, bob.center, name="hook"))
    system.add(fc.Probe(bob.at((1, 0.05, 0.02)), name="paint"))
    return system


@pytest.mark.parametrize("model", ["quadratic", "ancf", "cable"])
def test_frames_are_where_probes_say(model):
    results = fc.Simulation(chain(model), dt=2e-3, t_end=0.1, fields_every=1, progress=False).run()
    motion = results.motion
    np.testing.assert_array_equal(motion.time, results.time)
    places = [f["name"] for f in motion.scene["frames"]]
    items = {i["name"]: i for i in motion.scene["items"]}
    for name in ("node", "inside", "end", "paint"):
        k = items[name]["frame_i"]
        assert places[k].endswith((f"{name}.i", "hook.i"))
        wanted = np.column_stack([results[items[name]["channels"][x]] for x in "xyz"])
        assert np.ptp(wanted, axis=0).max() > 0.01
        np.testing.assert_allclose(motion.position[:, k], wanted, atol=1e-12)
    line = motion.beams["beam"]
    assert line.r.shape == (51, 7, 3)
    np.testing.assert_allclose(line.r[:, -1], motion.position[:, items["end"]["frame_i"]], atol=0)
    if model == "quadratic":  # whose second place is the node in the middle of an element
        triad = motion.triad[:, items["inside"]["frame_i"]]
        np.testing.assert_allclose(np.linalg.det(triad), 1.0, atol=1e-12)
    across = np.einsum("nkx,nkx->nk", line.d2, line.d3)
    np.testing.assert_allclose(np.linalg.norm(line.d2, axis=2), 1, atol=2e-2)
    np.testing.assert_allclose(across, 0, atol=2e-2)


def test_solids_and_attachments():
    system = fc.System()
    bar = system.add(fc.Solid(block((1, 0.1, 0.1), (4, 1, 1), center=(0.5, 0, 0)), STEEL,
                              clamped=["x0"], name="bar"))  # fmt: skip
    end = system.add(fc.Attachment(bar.facets("x1"), name="end"))
    system.add(fc.Probe(bar.at((1, 0.05, 0.05)), name="corner"))
    system.add(fc.Probe(end.at((1.1, 0, 0)), name="flag"))
    results = fc.Simulation(system, dt=2e-3, t_end=0.02, fields_every=1, progress=False).run()
    motion = results.motion
    items = {i["name"]: i for i in motion.scene["items"]}
    for name in ("corner", "flag"):
        wanted = np.column_stack([results[f"{name}.{x}"] for x in "xyz"])
        assert np.ptp(wanted[:, 1]) > 1e-4
        np.testing.assert_allclose(motion.position[:, items[name]["frame_i"]], wanted, atol=1e-12)
    assert not motion.scene["frames"][items["corner"]["frame_i"]]["turns"]
    bodies = {b["name"]: b for b in motion.scene["bodies"]}
    assert bodies["bar"]["type"] == "solid" and bodies["bar"]["frame"] is None
    assert bodies["end.frame"]["type"] == "frame"
    assert items["end"]["solid"] == "bar" and items["end"]["center"] == pytest.approx((1, 0, 0))


def test_held_coordinates_keep_their_values():
    """A massless frame in its plane has known coordinates: z of its origin, its third axis."""
    system = fc.System(gravity=(0, 0, 0))
    frame = system.add(fc.MasslessFrame((1, 0, 5), plane=True, name="frame"))
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(1, 0, 5), name="body",
                                   velocity=(0, 1, 0), angular_velocity=(0, 0, 1)))  # fmt: skip
    system.add(fc.RevoluteJoint(system.ground, body.at((0, 0, 5)), Z, name="pivot"))
    system.add(fc.FixedJoint(body.center, frame.center, name="seat"))
    motion = fc.Simulation(system, dt=1e-2, t_end=0.5, progress=False).run().motion
    k = [f["name"] for f in motion.scene["frames"]].index("frame")
    assert np.ptp(motion.position[:, k, 1]) > 0.4
    np.testing.assert_array_equal(motion.position[:, k, 2], 5.0)
    np.testing.assert_array_equal(motion.triad[:, k, :, 2], np.tile(Z, (51, 1)))
    np.testing.assert_allclose(motion.triad[-1, k, :, 0], (np.cos(0.5), np.sin(0.5), 0), atol=1e-5)


def test_statics_have_a_pose_at_each_load():
    """A bar that hangs on a spring: it sinks by f m g / k, f the load factor."""
    system = fc.System(gravity=(0, -10, 0))
    bar = system.add(fc.RigidBody(2.0, (1, 1, 1), name="bar"))
    system.add(fc.PrismaticJoint(system.ground, bar.center, (0, 1, 0), name="guide"))
    system.add(fc.SpringDamper(system.ground.point((0, 1, 0)), bar.center, 400.0, name="spring"))
    results = fc.Statics(system, steps=4).solve()
    motion = results.motion
    np.testing.assert_array_equal(motion.time, results.factor)
    assert len(motion) >= 5
    np.testing.assert_allclose(motion.position[:, 1, 1], -0.05 * motion.time, atol=1e-12)


def test_a_clamped_beam_is_recorded_and_drawn(tmp_path):
    """Whose first node has known coordinates: it stays where it was, as do its surface and what its
    section carries (the weight of the whole, N and N m)."""
    system = fc.System(gravity=(0, -10, 0))
    bar, steel = fc.Rectangle(0.02, 0.02), fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
    beam = system.add(fc.Beam((1, 0, 0), (2, 0, 0), bar, steel, 4, free=True, name="beam"))
    for fixed in beam.nodes[0].values():
        fixed.fixed[:] = True
    results = fc.Statics(system, steps=2).solve()
    line = results.motion.beams["beam"]
    np.testing.assert_array_equal(line.r[:, 0], np.tile((1, 0, 0), (len(line.r), 1)))
    weight = 10 * 7800 * bar.area
    assert line.r[-1, -1, 1] == pytest.approx(-weight / (8 * steel.E * bar.I_y), rel=2e-2)
    values = system.state.everything(system.state.q)
    assert beam.section_forces(values)["M_z"][0] == pytest.approx(-weight / 2, rel=2e-2)
    FieldWriter(system, tmp_path, 1).record(0.0)
    assert read_vtu(tmp_path / "shape_000000.vtu")["points"][:, 0].min() == pytest.approx(1.0)

"""What a run records for the eye: poses at its field steps, and what moves with them."""

import json
import shutil
from itertools import pairwise

import h5py
import numpy as np
import pytest
import ufl
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import fem_clearance as fc
from fem_clearance.errors import InputError
from fem_clearance.fields import motion as motion_module
from fem_clearance.fields.motion import CHUNK, FrameFile, Motion, read
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
from fem_clearance.runs.recorder import Recorder

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
def swinging(start=1.0, **options):
    """A rigid rod of 1 m that hangs on a pivot, released at rest ``start`` rad from below."""
    turned = np.array([[np.sin(start), np.cos(start), 0], [-np.cos(start), np.sin(start), 0], Z])
    system = fc.System()
    rod = system.add(
        fc.RigidBody(
            1.0, (1e-3, 1 / 12, 1 / 12), position=turned[:, 0] / 2, orientation=turned, name="rod"
        )
    )
    system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), Z, name="pivot"))
    system.add(fc.Probe(rod.at(turned[:, 0]), name="tip"))
    return fc.Simulation(system, dt=1e-3, t_end=2.0, progress=False, **options)


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


# --- files ----------------------------------------------------------------------------------------
def same(a: Motion, b: Motion) -> None:
    """Both motions are the same, to the last bit."""
    assert json.loads(json.dumps(a.scene)) == json.loads(json.dumps(b.scene))
    for name in ("time", "position", "triad"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.beams.keys() == b.beams.keys()


def test_on_disk_as_in_memory(tmp_path):
    memory, disk = swinging().run(), swinging(output=tmp_path / "run").run()
    same(memory.motion, disk.motion)
    same(memory.motion, fc.Results.open(tmp_path / "run").motion)
    assert json.loads((tmp_path / "run/scene.json").read_text()) == disk.motion.scene
    arrays = read(tmp_path / "run/fields/frames.h5")
    assert {n: x.shape for n, x in arrays.items()} == {
        "time": (51,), "position": (51, 4, 3), "triad": (51, 4, 3, 3)
    }  # fmt: skip


def test_resumed_it_goes_on_from_the_checkpoint(tmp_path):
    """The run ends early, its last field row lies beyond no checkpoint: what follows is as if it
    had not stopped."""
    with pytest.raises(fc.LimitReached):
        swinging(output=tmp_path, max_steps=700).run()
    left = fc.Results.open(tmp_path).motion
    assert left.time[-1] == pytest.approx(0.7) and len(left) == 19
    resumed = swinging(output=tmp_path).run(resume=True).motion
    regular = resumed.time[abs(resumed.time - 0.7) > 1e-9]
    np.testing.assert_allclose(regular, np.linspace(0, 2, 51), atol=1e-9)
    whole = swinging().run().motion
    rows = [np.argmin(abs(resumed.time - t)) for t in whole.time]
    np.testing.assert_array_equal(resumed.position[rows], whole.position)


def test_rows_after_a_checkpoint_are_dropped(tmp_path):
    row = {"time": np.array(0.0), "position": np.ones((2, 3))}
    file = FrameFile(tmp_path / "frames.h5", row, None)
    for t in range(2 * CHUNK):
        file.add({"time": np.array(float(t)), "position": np.full((2, 3), t)})
    file.flush()
    # a reader at any time, and one that finds what a killed run has left
    assert read(tmp_path / "frames.h5")["time"].tolist() == list(range(2 * CHUNK))
    (tmp_path / "left.h5").write_bytes((tmp_path / "frames.h5").read_bytes())
    file.close()
    FrameFile(tmp_path / "left.h5", row, 6.0).close()  # that of the checkpoint itself stays
    assert read(tmp_path / "left.h5")["time"][-1] == 6.0
    again = FrameFile(tmp_path / "left.h5", row, 4.5)
    again.add({"time": np.array(5.0), "position": np.full((2, 3), -1.0)})
    again.close()
    found = read(tmp_path / "left.h5")
    assert found["time"].tolist() == [0, 1, 2, 3, 4, 5]
    assert found["position"][:, 0, 0].tolist() == [0, 1, 2, 3, 4, -1]


def test_a_torn_row_does_not_count(tmp_path):
    """Killed while a block is written: some arrays have rows that others lack."""
    row = {"time": np.array(0.0), "position": np.ones((2, 3))}
    file = FrameFile(tmp_path / "frames.h5", row, None)
    for t in range(4):
        file.add(row | {"time": np.array(float(t))})
    file.close()
    with pytest.raises(InputError, match="other frames than this run"):  # of a changed model
        FrameFile(tmp_path / "frames.h5", {**row, "position": np.ones((3, 3))}, 2.0)
    with h5py.File(tmp_path / "frames.h5", "r+") as torn:
        torn["position"].resize(2, axis=0)
    assert {len(x) for x in read(tmp_path / "frames.h5").values()} == {2}


def test_a_checkpoint_has_all_rows_before_it(tmp_path, monkeypatch):
    """Killed long after the last block was written, but just after a checkpoint, a run goes on as
    if nothing had happened: here from a copy of its folder."""
    monkeypatch.setattr(motion_module, "WAIT", 1e9)
    monkeypatch.setattr(Recorder, "due", property(lambda self: self.steps == 499))

    def look(stepper):
        if stepper.steps == 500 and not (tmp_path / "copy").exists():
            shutil.copytree(tmp_path / "run", tmp_path / "copy")

    whole = swinging(output=tmp_path / "run", on_step=look).run()
    assert len(Motion.open(tmp_path / "copy")) == 13  # of 0.499 s; a block has 16
    again = swinging(output=tmp_path / "copy").run(resume=True)
    same(again.motion, whole.motion)


def test_none_are_recorded_where_none_are_asked_for(tmp_path):
    results = swinging(fields_every=0).run()
    with pytest.raises(InputError, match="no poses of bodies; a run through time records them"):
        results.motion  # noqa: B018
    run = swinging(fields_every=0, output=tmp_path / "run").run()
    assert not (tmp_path / "run/scene.json").exists()
    with pytest.raises(InputError, match="holds no poses of bodies"):
        run.motion  # noqa: B018


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda run: (run / "scene.json").write_text("{"), "scene.json is damaged"),
        (lambda run: (run / "fields/frames.h5").write_bytes(b"no"), "frames.h5 is damaged"),
        (
            lambda run: (run / "scene.json").write_text(
                (run / "scene.json").read_text().replace('{"name": "pivot.j", ', '{"x": 1}, {', 1)
            ),
            "other frames than scene.json",
        ),
    ],
)
def test_damaged_files(tmp_path, spoil, said):
    swinging(output=tmp_path / "run").run()
    spoil(tmp_path / "run")
    with pytest.raises(InputError, match=said):
        Motion.open(tmp_path / "run")


@pytest.mark.parametrize("name", ["scene.json", "fields/frames.h5"])
@pytest.mark.parametrize(
    "damage", [lambda x: b"", lambda x: x[: len(x) // 2], lambda x: bytes(len(x)),
               lambda x: np.random.default_rng(1).bytes(len(x))],
)  # fmt: skip
def test_files_that_are_torn(tmp_path, name, damage):
    """One sentence, also of a run that would go on; without the file it does."""
    with pytest.raises(fc.LimitReached):
        swinging(output=tmp_path, max_steps=700).run()
    path = tmp_path / name
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=f"{path.name} is damaged"):
        Motion.open(tmp_path)
    if path.name == "frames.h5":
        with pytest.raises(InputError, match="goes on without its earlier poses once"):
            swinging(output=tmp_path).run(resume=True)
        path.unlink()
    motion = swinging(output=tmp_path).run(resume=True).motion
    assert motion.time[-1] == 2.0 and len(motion) == (33 if path.name == "frames.h5" else 52)


def test_an_earlier_scene_goes_with_its_run(tmp_path):
    swinging(output=tmp_path).run()
    swinging(output=tmp_path, fields_every=0).run()
    assert not (tmp_path / "scene.json").exists() and not (tmp_path / "fields").exists()


@pytest.mark.parametrize("every", [0.1, 250])
def test_how_often(every):
    time = swinging(fields_every=every).run().motion.time
    step = every if isinstance(every, float) else every * 1e-3
    np.testing.assert_allclose(time, np.arange(0, 2 + step / 2, step), atol=1e-9)


def test_a_run_that_goes_on_from_another_has_as_many():
    system = swinging().system
    first = fc.Simulation(system, dt=1e-3, t_end=1.0, progress=False).run()
    second = fc.Simulation(system, dt=1e-3, t_end=3.0, initial=first.last, progress=False).run()
    assert second.motion.time[0] == 1.0 and second.motion.time[-1] == 3.0
    assert 50 <= len(second.motion) <= 52
    assert all(b - a <= 0.04 + 1e-9 for a, b in pairwise(second.motion.time))


@pytest.mark.mpi
def test_the_same_on_any_number_of_ranks(shared_tmp_path, comm):
    """Poses of a run on all ranks as of one on this rank alone, on disk and in memory."""

    def run(comm, **options):
        system = fc.System(comm=comm)
        arms = []
        for k in range(3):
            arms.append(system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(k + 0.5, 0, 0),
                                                name=f"arm{k}")))  # fmt: skip
            before = arms[k - 1].at((k, 0, 0)) if k else system.ground
            system.add(fc.SphericalJoint(before, arms[k].at((k, 0, 0)), name=f"joint{k}"))
        return fc.Simulation(system, dt=1e-3, t_end=0.1, progress=False, **options).run().motion

    from fem_clearance._backend import MPI

    alone = run(MPI.COMM_SELF)
    for motion in (run(comm), run(comm, output=shared_tmp_path / "run")):
        assert motion.scene == alone.scene
        np.testing.assert_allclose(motion.time, alone.time, atol=1e-14)
        np.testing.assert_allclose(motion.position, alone.position, atol=1e-9)
        np.testing.assert_allclose(motion.triad, alone.triad, atol=1e-9)
        assert len(motion) == 51 and np.ptp(motion.position) > 0.01

"""Files of a motion: as in memory, resumed, torn, damaged; the same on any number of ranks."""

import json
import shutil
from itertools import pairwise

import h5py
import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import InputError
from fem_clearance.fields import motion as motion_module
from fem_clearance.fields.motion import CHUNK, FrameFile, Motion, read
from fem_clearance.runs.recorder import Recorder

from ..scenes import swinging


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
    swinging(output=tmp_path, fields_every=0, overwrite=True).run()
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


@pytest.mark.parametrize("text", ["[1, 2]", '{"frames": [], "items": []}'])
def test_a_scene_of_another_make(tmp_path, text):
    """The sentence names scene.json, not the frames that are whole."""
    swinging(output=tmp_path).run()
    (tmp_path / "scene.json").write_text(text)
    with pytest.raises(InputError, match=r"scene\.json is damaged"):
        Motion.open(tmp_path)

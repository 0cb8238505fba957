"""Everything that describes itself can be drawn, between two bodies and on the ground."""

from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.fields.motion import Line
from fem_clearance.fields.scene import SceneBuilder
from fem_clearance.plotting.scene.assembly import DRAWN
from fem_clearance.plotting.scene.scene import Scene

from ...io.test_portraits import PAIRS, STEEL, Y, Z
from ...scenes import two_bodies


def at_rest(system) -> SimpleNamespace:
    """The motion of a system that stays where it starts, at two instants."""
    built = SceneBuilder(system, {})
    position = np.array([f.position for f in built.frames])
    triad = np.array([f.basis for f in built.frames])
    beams = {}
    for beam in built.beams:
        x = np.linspace(beam.start.position, beam.end.position, 5)
        axes = np.tile(np.eye(3), (len(x), 1, 1))
        beams[beam.name] = Line(*(np.stack([a, a]) for a in (x, axes[:, 1], axes[:, 2])))
    twice = [np.stack([a, a]) for a in (position, triad)]
    return SimpleNamespace(
        time=np.array([0.0, 1.0]), position=twice[0], triad=twice[1], beams=beams, scene=built.scene
    )


def drawn(system, **choices) -> dict[str, list]:
    """Parts of each name; all of them are finite, in space, at both instants."""
    scene, found = Scene(at_rest(system), **choices), {}
    for part in scene.parts:
        for k in (0, 1):
            mesh = part.at(k)
            if mesh is not None:
                assert mesh.n_points and np.isfinite(mesh.points).all(), part.name
                found.setdefault(part.name, []).append(mesh)
    size = scene.frame.span
    assert np.isfinite(size).all() and (size > 0).all()
    return found


@pytest.mark.parametrize("kind", PAIRS)
def test_between_two_bodies(kind):
    system, first, second = two_bodies()
    system.add(PAIRS[kind](first, second)).name = "it"
    found = drawn(system)
    assert {"first", "second"} <= set(found)
    silent = ("prismatic", "cylindrical", "fixed", "point_on_line", "driver")
    if kind in DRAWN and kind not in silent:  # those are drawn on the ground
        assert "it" in found


@pytest.mark.parametrize("kind", PAIRS)
def test_on_the_ground(kind):
    system, _, second = two_bodies()
    place = SimpleNamespace(center=system.ground.point((1, 2, 3)))
    system.add(PAIRS[kind](place, second)).name = "it"
    found = drawn(system)
    if kind in DRAWN and kind != "driver":
        assert "it" in found


class Own:
    """An item of a user's that does not describe itself."""

    prefix = "own"

    def __init__(self, *frames):
        self.name, self.i, self.j = None, frames[0], [*frames, None][1]

    def build(self, builder):
        pass


def test_items_that_do_not_describe_themselves():
    """A ball at the only frame; a bar from frame to frame, and balls there."""
    system, first, second = two_bodies(gap=(1, 0, 0))
    system.add(Own(first.center, second.center)).name = "two"
    system.add(Own(second.center)).name = "one"
    found = drawn(system)
    assert len(found["two"]) == 6 and len(found["one"]) == 2  # at two instants
    assert np.reshape(found["two"][0].bounds, (3, 2))[0] == pytest.approx((1, 2), abs=1e-6)


def test_springs_dampers_and_bars():
    system, first, second = two_bodies(gap=(1, 0, 0))
    system.add(fc.SpringDamper(first.center, second.center, 5.0, 2.0, name="both"))
    system.add(fc.SpringDamper(first.center, second.center, 0.0, 2.0, name="damper"))
    system.add(fc.DistanceJoint(first.center, second.center, name="rod"))
    system.add(fc.SpringDamper(system.ground.point((0, 2, 3)), first.center, 5.0, name="wall"))
    found = drawn(system)
    ends = np.reshape(found["rod"][0].bounds, (3, 2))
    assert ends[0] == pytest.approx((1, 2), abs=1e-6)  # from centre to centre
    assert len(found["both"]) == 6 and len(found["damper"]) == 4  # coil; pot and rod; twice
    assert len(found["wall"]) == 6  # coil, wall, hatching


def test_beams_and_massless_frames():
    system = fc.System(gravity=(0, 0, -9.81))
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.03), STEEL, 2, name="bar"))
    system.add(fc.FixedJoint(system.ground, beam.start, name="wall"))
    found = drawn(system)
    box = np.reshape(found["bar"][0].bounds, (3, 2))
    np.testing.assert_allclose(box, [(0, 1), (-0.01, 0.01), (-0.015, 0.015)], atol=1e-6)
    assert "wall" in found


def test_a_ball_that_flies_alone():
    system = fc.System()
    system.add(fc.RigidBody(shape=fc.shapes.Sphere(0.1), density=1000, name="ball", free=True))
    found = drawn(system)
    assert np.ptp(found["ball"][0].points, axis=0) == pytest.approx((0.2, 0.2, 0.2), rel=5e-3)


def test_axes_are_those_of_the_joint():
    """Pins and journals lie along the axis, wherever bodies are turned to."""
    for kind, axis in (("revolute", Z), ("clearance_revolute", Y), ("clearance_cylindrical", Z)):
        system, first, second = two_bodies()
        system.add(PAIRS[kind](first, second)).name = "it"
        pin = drawn(system)["it"][-1]
        along = (pin.points - pin.center) @ axis
        across = np.linalg.norm((pin.points - pin.center) - along[:, None] * axis, axis=1)
        # a cylinder about the axis: all points at its rim or on its flat ends
        assert across.max() == pytest.approx(np.quantile(across, 0.9), rel=1e-3), kind
        assert np.abs(along).max() == pytest.approx(np.abs(along).min(), rel=1e-3), kind


@pytest.mark.parametrize(("length", "seen"), [(0.5, True), (30.0, False)])
def test_a_belt_has_no_rails(length, seen):
    """A block of 0.8 m on a spring of 1 m beside something that slides, short or endless."""
    system = fc.System(gravity=(0, 0, 0), up=Y)
    shape = fc.shapes.Box(length, 0.1, 1.0)
    belt = system.add(fc.RigidBody(1.0, (1, 1, 1), shape=shape, name="belt"))
    system.add(fc.PrismaticJoint(system.ground, belt.center, axis=(1, 0, 0), name="rails"))
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), shape=fc.shapes.Slider(0.8, 0.5, 0.5)))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=(1, 0, 0), name="guide"))
    system.add(fc.SpringDamper(system.ground.point((-1, 0, 0)), block.center, stiffness=1.0))
    found = drawn(system)
    assert ("rails" in found) == seen and "guide" in found

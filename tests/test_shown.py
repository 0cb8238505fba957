"""How systems, bodies, joints and meshes show themselves, in a line and in a notebook."""

import inspect
import re

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import markup


def pendulum(**names):
    system = fc.System(gravity=(0, -9.81, 0))
    rod = system.add(fc.RigidBody(2.0, (0.001, 0.1, 0.1), position=(0.5, 0, 0), **names))
    system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=(0, 0, 1), name="pin"))
    system.add(fc.Probe(rod.at((1, 0, 0)), name="tip"))
    return system


def cells(text):
    """Parameters and values of the tables in a text."""
    return dict(re.findall(r"<tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td></tr>", text))


def test_a_system_in_a_line():
    """A body has 12 natural coordinates that 6 conditions tie; a revolute joint leaves 1 of 6."""
    system = pendulum(name="rod")
    text = "1 body, 2 joints, loads and probes; 12 coordinates, 11 multipliers"
    assert repr(system) == f"<System: {text}>"
    assert "no unknowns" in repr(fc.System()) and "0 bodies" in fc.System()._repr_html_()


def test_a_system_as_a_tree():
    """Bodies, then the others, with frames, unknowns and parameters; what users name is text."""
    shown = pendulum(name="rod <b>")._repr_html_()
    assert "gravity (0, -9.81, 0) m/s^2" in shown
    assert "rod &lt;b&gt;: RigidBody, 12 coordinates, 6 multipliers" in shown and "<b>" not in shown
    assert "pin: RevoluteJoint, 5 multipliers" in shown and "tip: Probe<" in shown
    assert shown.index("bodies (1)") < shown.index("joints, loads and probes (2)")
    found = cells(shown)
    assert found["mass"] == "2" and found["inertia"] == "(0.001, 0.1, 0.1)"
    assert found["frame_i"] == "ground" and found["frame_j"] == "rod &lt;b&gt; at (0, 0, 0) m"
    assert found["frame"] == "rod &lt;b&gt; at (1, 0, 0) m" and "velocity" not in found


def test_what_condensed_facets_and_films_have():
    """Unknowns of parts (``bearing.pressure``) count as the joint's, internal ones as such."""
    system = fc.System(gravity=(0, 0, 0))
    shaft = system.add(fc.RigidBody(1.0, (1, 1, 1), name="shaft", free=True))
    system.add(fc.FrictionElement(
        system.ground, shaft.center, axis=(1, 0, 0), normal_force=1.0,
        friction=fc.LuGre(0.2, 0.1), name="brake",
    ))  # fmt: skip
    assert "brake: FrictionElement, 1 internal variables" in system._repr_html_()


def test_an_item_shows_what_it_was_made_with():
    system = pendulum(name="rod")
    rod, pin = system.items[0], system.items[1]
    assert (
        repr(pin)
        == "<RevoluteJoint 'pin': frame_i=ground, frame_j=rod at (0, 0, 0) m, axis=(0, 0, 1)>"
    )
    assert repr(rod) == (
        "<RigidBody 'rod': mass=2, inertia=(0.001, 0.1, 0.1), position=(0.5, 0, 0)>"
    )
    joint = fc.SphericalClearance(
        system.ground, rod.at((1, 0, 0)), socket_radius=0.02, ball_radius=0.018,
        normal=fc.Hertz(), stiffness=1e9,
    )  # fmt: skip
    found = cells(joint._repr_html_())
    assert found["socket_radius"] == "0.02" and found["normal"].startswith("Hertz(")
    assert found["stiffness"] == "1e+09" and "film" not in found
    assert repr(joint).startswith("<SphericalClearance: frame_i=ground, frame_j=rod at (1, 0, 0) m")


def test_the_outermost_class_tells_the_parameters():
    """Of a joint of one's own that hands others on to the class it is made of."""

    class Hinge(fc.RevoluteJoint):
        def __init__(self, frame_i, frame_j, colour):
            super().__init__(frame_i, frame_j, axis=(0, 0, 1), name="hinge")
            self.colour = colour

    system = pendulum(name="rod")
    hinge = Hinge(system.ground, system.items[0].at((0, 0, 0)), colour="red")
    assert list(markup.parameters(hinge)) == ["frame_i", "frame_j", "colour"]


def test_a_copy_in_another_system_names_its_own_bodies():
    first, second = pendulum(name="rod"), fc.System()
    rod, pin, _ = first.items
    mine = second.add(rod)
    copied = second.add(pin)
    assert copied.j.body is mine and copied._given["frame_j"].body is mine


def test_signatures_stay():
    """Documentation and editors read them."""
    parameters = inspect.signature(fc.RigidBody).parameters
    assert list(parameters)[:3] == ["mass", "inertia", "position"]


def test_every_item_shows_itself():
    """All public bodies, joints, loads and probes."""
    public = [getattr(m, n) for m in (fc, fc.lubrication, fc.gears) for n in m.__all__]
    classes = [c for c in public if inspect.isclass(c) and hasattr(c, "prefix")]
    assert len(classes) > 30
    for c in classes:
        assert issubclass(c, markup.Shown), c


def test_meshes():
    """A block of 2 x 1 x 1 cells has 3 x 2 x 2 nodes and 10 facets on its surface."""
    mesh = fc.meshes.block((2.0, 1.0, 1.0), (2, 1, 1))
    text = repr(mesh)
    assert "nodes 12" in text and "cells 2 x hexahedron" in text and "size 2 x 1 x 1 m" in text
    found = cells(mesh._repr_html_())
    assert found["nodes"] == "12"
    assert sum(int(n) for n in re.findall(r"\((\d+)\)", found["facets"])) == 10
    solid = fc.Solid(mesh, fc.NeoHookean(E=1e6, nu=0.3, rho=1000.0), name="block")
    assert repr(solid.facets("x1")) == "facets 'x1' of block"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"), (np.float64(1e-9), "1e-09"), (np.eye(3) * 2, "diag(2, 2, 2)"), (True, "True"),
        (np.zeros((4, 4)), "array of 4 x 4"), ([1.5, "a"], "(1.5, a)"), ({"a": 1}, "a: 1"),
        (len, "len"), (dict, "dict"), (object(), "object"), ("x" * 200, "x" * 200),
        (tuple(range(99)), "(0, 1, 2, 3, 4"), (None, "None"),
    ],
)  # fmt: skip
def test_values(value, text):
    assert markup.text(value).startswith(text) and len(markup.text(value)) <= 200

"""Adding items to a system: names, ownership, items that cannot be built."""

from dataclasses import dataclass

import pytest

import fem_clearance as fc
from fem_clearance.extend import Cell, Observable, SingleKind


def body(**options):
    return fc.RigidBody(1.0, (1, 1, 1), position=(1, 0, 0), **options)


def test_the_same_items_in_two_systems():
    """Each has its own: a run of either is that of a system alone, and what the body itself tells
    is of the system that it is in."""
    first, second = fc.System(), fc.System(gravity=(0, -1.62, 0))
    arm = first.add(body(name="arm"))
    joint = first.add(fc.RevoluteJoint(first.ground, arm.at((0, 0, 0)), axis=(0, 0, 1)))
    weight = second.add(body(free=True, name="first"))  # so that the numbers differ
    other_arm, other_joint = second.add(arm), second.add(joint)
    assert other_arm is not arm and other_arm.name == "arm" and other_joint.j.body is other_arm
    assert other_joint.i.body is second.ground and joint.j.body is arm
    for system, g in ((first, 9.81), (second, 1.62)):
        alone = fc.System(gravity=(0, -g, 0))
        same = alone.add(body(name="arm"))
        alone.add(fc.RevoluteJoint(alone.ground, same.at((0, 0, 0)), axis=(0, 0, 1)))
        own = [x for x in system.items if x is not weight]
        found = fc.Simulation(system, dt=1e-2, t_end=0.5, progress=False).run()
        reference = fc.Simulation(alone, dt=1e-2, t_end=0.5, progress=False).run()
        assert found["arm.x"] == pytest.approx(reference["arm.x"], rel=1e-12, abs=1e-12)
        place = system.state.q[own[0].refs[0].numbers]
        assert place[0] == pytest.approx(found["arm.x"][-1])


def test_new_items_on_bodies_of_another_system():
    """A joint that is new, between a body that is here as a copy and the ground here."""
    first, second = fc.System(), fc.System()
    arm = first.add(body(name="arm"))
    second.add(arm)
    joint = second.add(fc.RevoluteJoint(second.ground, arm.at((0, 0, 0)), axis=(0, 0, 1)))
    assert joint in second.items and joint.j.body is second.bodies[0] is not arm
    with pytest.raises(fc.InputError, match="arm has already been added"):
        second.add(arm)
    with pytest.raises(fc.InputError, match="connects arm, which is not in the system: add that"):
        fc.System().add(joint)


def test_copies_have_names_of_their_own_system():
    first, second = fc.System(), fc.System()
    second.add(body(name="body1"))
    arm = first.add(body())
    copy = second.add(arm)
    assert copy.name not in ("body1", None) and len({x.name for x in second.items}) == 2
    assert arm.name is not None and first.items == [arm]


@pytest.mark.parametrize("kind", ["solid", "condensed", "beam"])
def test_bodies_with_meshes_in_two_systems(kind):
    steel = fc.LinearElastic(2e11, 0.3, 7800)
    mesh = fc.meshes.block((1, 0.1, 0.1), (2, 1, 1))
    make = {
        "solid": lambda: fc.Solid(mesh, steel, clamped="x0", name="b"),
        "condensed": lambda: fc.CondensedSolid(mesh, steel, clamped="x0", facets=["x1"], name="b"),
        "beam": lambda: fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.1), steel, 2, name="b"),
    }[kind]

    def loaded(system, item):
        item = system.add(item)
        if kind == "beam":
            system.add(fc.FixedJoint(system.ground, item.start))
            system.add(fc.Force(item.end, (0, 1e3, 0)))
        else:
            system.add(fc.Traction(item.facets("x1"), (0, 1e5, 0)))
        fc.Statics(system).solve()
        return system.state.q[: system.state.size].copy()

    first, second = fc.System(gravity=(0, 0, 0)), fc.System(gravity=(0, 0, 0))
    item = make()
    found = loaded(first, item)
    assert loaded(second, item) == pytest.approx(found, rel=1e-9, abs=1e-15)
    assert second.bodies[0] is not item and first.bodies == [item]


def test_a_name_that_is_free():
    system = fc.System()
    system.add(body(name="body2"))
    names = [system.add(body()).name for _ in range(2)]
    assert len({"body2", *names}) == 3


class Half:
    """Registers a cell and a block, then fails."""

    prefix, name = "half", None

    def __init__(self, like):
        self.like = like

    def build(self, builder):
        self.like.build(builder)
        builder.connect(self.like)
        builder.feeds("half")
        builder.guess(print)
        self.half_built = True
        raise fc.InputError("no more of this")


def test_an_item_that_cannot_be_built_leaves_nothing():
    system = fc.System(gravity=(0, 0, 0))
    system.add(body(name="b", free=True))

    def registered():
        return {n: len(z) for n, z in vars(system.parts).items()}

    before, item = registered(), Half(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01),
                                              fc.LinearElastic(2e11, 0.3, 7800), 2))  # fmt: skip
    item.like.name = "beam"
    with pytest.raises(fc.InputError, match="no more of this"):
        system.add(item)
    assert registered() == before and item.name is None and not hasattr(item, "half_built")
    assert len(fc.Simulation(system, dt=0.1, t_end=1, progress=False).run()) == 11


@pytest.mark.parametrize(
    "name, why",
    [
        ("", "made of printable characters, not of blanks alone"),
        (" ", "made of printable characters, not of blanks alone"),
        ("a\nb", "made of printable characters"),
        ("a/b", "nor hold a slash"),
        (".a", "must not begin with a dot"),
        ("energy", "must not be 'energy', which a run's folder and results call their own"),
        ("time", "must not be 'time'"),
        ("energy.total", "must not be 'energy'"),
        (7, "must be a text"),
    ],
)
def test_names_that_files_and_channels_cannot_bear(name, why):
    system = fc.System()
    with pytest.raises(fc.InputError, match=rf"^RigidBody: name .*{why}"):
        system.add(body(name=name))
    assert not system.items


def test_names_in_two_parts_are_told_apart():
    """ "arm.1" and "arm.2" are two bodies, with channels and shares of the energy of their own."""
    system = fc.System(gravity=(0, 0, 0))
    for name, speed in (("arm.1", 1.0), ("arm.2", 2.0), ("an arm", 3.0)):
        system.add(body(name=name, velocity=(speed, 0, 0), free=True))
    results = fc.Simulation(system, dt=0.1, t_end=0.1, progress=False).run()
    found = [results[f"{name}.vx"][-1] for name in ("arm.1", "arm.2", "an arm")]
    assert found == pytest.approx([1.0, 2.0, 3.0])


@dataclass(frozen=True)
class TellingKind(SingleKind):
    """Observes one number, by any name."""

    channel: str = "x"

    def observables(self, c):
        return {self.channel: Observable(self.pose(c).r[0], "m", "place")}


class Told:
    prefix = "told"

    def __init__(self, like, name, channel):
        self.name, self.i, self.channel = name, like.center, channel

    def build(self, builder):
        kind = TellingKind(self.i.kind, self.channel)
        parameters = kind.pack_single(self.i.parameters())
        builder.add_cell(kind, Cell(self.name, self.i.refs, parameters))


def test_channels_of_one_name_are_refused():
    """An item "tip.v" with a channel "x" beside an item "tip" with one "v.x" were added up."""
    system = fc.System(gravity=(0, 0, 0))
    one = system.add(body(name="b", free=True))
    system.add(Told(one, "c", "x.y"))
    system.add(Told(one, "c.x", "y"))
    with pytest.raises(fc.InputError, match="'c' and 'c.x' both have a channel 'c.x.y': give one"):
        fc.Simulation(system, dt=0.1, t_end=1, progress=False).run()


def test_a_name_that_was_given_automatically():
    system = fc.System()
    automatic = system.add(body()).name
    with pytest.raises(fc.InputError, match=f"'{automatic}' has already been given automatically"):
        system.add(body(name=automatic))
    assert system.add(body()).name not in (automatic, None)

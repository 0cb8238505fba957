"""Adding items to a system: names, ownership, items that cannot be built."""

from dataclasses import dataclass

import pytest

import fem_clearance as fc
from fem_clearance.extend import Cell, Observable, SingleKind


def body(**options):
    return fc.RigidBody(1.0, (1, 1, 1), position=(1, 0, 0), **options)


def test_a_body_belongs_to_one_system():
    item, first, second = body(name="b"), fc.System(), fc.System()
    first.add(item)
    with pytest.raises(fc.InputError, match="b is part of another system; make a new one"):
        second.add(item)
    assert not second.items and len(second.blocks) == 1


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

    def build(self, system):
        self.like.build(system)
        system.connect(self.like)
        raise fc.InputError("no more of this")


def test_an_item_that_cannot_be_built_leaves_nothing():
    system = fc.System(gravity=(0, 0, 0))
    system.add(body(name="b", free=True))

    def registered():
        cells = {kind: len(z) for kind, z in system.cells.items()}
        lists = system.items, system.bodies, system.blocks, system._links, system._after
        return cells, [len(z) for z in lists]

    before, item = registered(), Half(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01),
                                              fc.LinearElastic(2e11, 0.3, 7800), 2))  # fmt: skip
    item.like.name = "beam"
    with pytest.raises(fc.InputError, match="no more of this"):
        system.add(item)
    assert registered() == before and item.name is None
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

    def build(self, system):
        kind = TellingKind(self.i.kind, self.channel)
        parameters = kind.pack_single(self.i.parameters())
        system.add_cell(kind, Cell(self.name, self.i.refs, parameters))


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
    with pytest.raises(fc.InputError, match=f"'{automatic}' is the name that System.add has given"):
        system.add(body(name=automatic))
    assert system.add(body()).name not in (automatic, None)

"""Adding items to a system: names, ownership, items that cannot be built."""

import pytest

import fem_clearance as fc


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

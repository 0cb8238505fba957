"""On several ranks each runs the whole model, and derives its share: the same as on one rank."""

import pytest

import fem_clearance as fc
from tests.sensitivity import models
from tests.sensitivity.test_memory import AT, sticking

pytestmark = pytest.mark.mpi


@pytest.mark.parametrize(
    ("model", "at", "of", "settings"),
    [
        (models.beam, models.BEAM, ["tip.x", "tip.y"], {"t_end": 0.02, "dt": 1e-3}),
        (sticking, AT, ["block.x", "block.vx", "rail.energy"], {"t_end": 0.02, "dt": 1e-3}),
    ],
    ids=["beam", "sticking"],
)
def test_ranks_share(comm, model, at, of, settings):
    """More parameters than ranks, and fewer outputs: forwards and backwards. The numbers are those
    that a rank finds by itself."""
    s = fc.Sensitivity(model, at=at, of=of, **settings)
    d, a = s.forward(), s.adjoint()
    assert s.run().stepper.state.comm.size == 1
    for found in (d, a):
        for other in comm.allgather(found.jacobian):
            assert (other == found.jacobian).all()
    assert a.scaled == pytest.approx(d.scaled, rel=1e-9, abs=1e-12)
    assert {p for _, p in d.histories} == {*at}
    by = [*at][comm.rank % len(at)]
    one = s._forward(s.run(), [by], False)[0]  # no rank waits for another in this
    assert d.jacobian[:, [d.by.index(by)]] == pytest.approx(one.jacobian, rel=1e-9)


def test_what_one_rank_raises_all_do(comm):
    """A number of the last rank's share that changes what the model consists of."""

    def build(p):
        system = models.pendulum({**models.PENDULUM, "clearance": p["clearance"]})
        if p["bodies"] >= 1:
            system.add(fc.RigidBody(1.0, (0.1,) * 3, position=(0, 1, 0), name="more", free=True))
        return system

    at = {"clearance": 1e-3, "bodies": 1.0}
    s = fc.Sensitivity(build, at=at, of="tip.y", t_end=1e-3, dt=1e-4)
    with pytest.raises(fc.InputError, match="bodies changes what the model consists of"):
        s.forward()


def test_a_communicator_of_all_ranks(comm):
    """A model that insists on all ranks."""

    def build(p):
        system = fc.System(gravity=(0, p["g"], 0), comm=comm)
        system.add(fc.RigidBody(1.0, (0.1,) * 3, name="body", free=True))
        return system

    s = fc.Sensitivity(build, at={"g": -9.81}, of="body.y", t_end=1e-3, dt=1e-4)
    if comm.size == 1:
        assert s.forward().jacobian[0, 0] == pytest.approx(0.5e-6, rel=1e-6)
        return
    with pytest.raises(fc.InputError, match=r"write System\(...\) without comm"):
        s.forward()

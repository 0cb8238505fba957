"""What a rank alone knows is said by rank 0, once."""

import logging

import pytest

import fem_clearance as fc
from fem_clearance import lubrication
from fem_clearance.io.relay import relayed

pytestmark = pytest.mark.mpi


def warnings_of(comm, caplog):
    """Warnings that each rank has said, on all ranks."""
    said = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    return comm.allgather(said)


@pytest.mark.parametrize("rough", [0, 1])
def test_a_film_warns_on_whatever_rank_it_lies(comm, caplog, rough):
    """Two shafts in bearings; one film is thinner than its surfaces are rough."""
    system = fc.System(gravity=(0, 0, 0))
    for k in range(2):
        shaft = fc.RigidBody(1.0, (1e-3,) * 3, position=(k + 6e-5, 0, 0), name=f"shaft{k}")
        center = system.add(shaft).center
        film = lubrication.ShortBearing(0.015, 0.014, 1e-4, viscosity=0.04)
        roughness = 5e-5 if k == rough else 1e-6
        system.add(lubrication.CylindricalFilm(
            system.ground.at((k, 0, 0)), center, (0, 0, 1), film=film, roughness=roughness,
            name=f"film{k}",
        ))  # fmt: skip
    fc.Simulation(system, dt=1e-4, t_end=3e-4, progress=False).run()
    assert all(comm.allgather(sum(c.count for c in system.state.components)))
    first, *others = warnings_of(comm, caplog)
    assert first == [
        f"film{rough}: the film is thinner than the surfaces are rough, 4e-05 m of 5e-05 m: "
        "asperities touch."
    ]
    assert not any(others)


def test_what_all_ranks_know_is_said_once(comm, caplog):
    logger = logging.getLogger("fem_clearance.test")
    level = logging.getLogger("fem_clearance").level
    with relayed(comm) as relay:
        logger.warning("%s: %d of them", "film", comm.rank)  # the same film on each rank
        logger.warning("%s: %d of them", f"film of rank {comm.rank}", 1)
        logger.info("%s is no warning", comm.rank)
        assert relay.pending == (comm.rank > 0)
        relay.tell()
        assert not relay.pending
        logger.warning("%s: %d of them", f"film of rank {comm.rank}", 2)
        logger.warning("in the end, %s", comm.rank)
    first, *others = warnings_of(comm, caplog)
    assert first == [
        "film: 0 of them", *(f"film of rank {k}: 1 of them" for k in range(comm.size)),
        "film of rank 0: 2 of them", *(f"in the end, {k}" for k in range(comm.size)),
    ]  # fmt: skip
    assert not any(others)
    assert logging.getLogger("fem_clearance").level == level

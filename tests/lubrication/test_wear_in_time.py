"""Wear of a bore under its film in a running system, against Archard's law with Greenwood and
Tripp's pressure by quadrature (test_wear_under_film.py), and against wear from state to state."""

from mpi4py import MPI

import numpy as np
import pytest
import ufl
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.lubrication import (
    CylindricalFilm,
    Liner,
    ShortBearing,
    equilibrium,
    plain_bearing,
    wear_under_film,
)

from .test_wear_under_film import LAW, SIGMA, SLOW, C, L, R, angles, bearing, pressure

E = SLOW.e[0]


def held(repeat=1.0, dt=0.005, t_end=1.0, comm=None, **wear):
    """A journal that is held where its asperities touch; it slides by 20 R t^2. Joint and run."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    shaft = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(E, 0, 0), name="shaft"))
    pin = system.add(fc.RevoluteJoint(system.ground.point((E, 0, 0)), shaft.center, axis=(0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), lambda t: 20 * t**2))
    joint = CylindricalFilm(
        system.ground.point((0, 0, 0)), shaft.center, (0, 0, 1), film=bearing(), name="film",
        wear=fc.SurfaceWear(LAW, repeat=repeat, **wear),
    )  # fmt: skip
    system.add(joint)
    return joint, fc.Simulation(system, dt=dt, t_end=t_end, progress=False), system


def test_depth_at_every_node():
    """So little that no pressure changes: k p s / H, of second order in the step; the volume is
    that of the depths, and k s/H times the load on the asperities."""
    errors = []
    for dt in (0.01, 0.005):
        joint, run, system = held(1e-4, dt)
        results = run.run()
        depth, film = joint.worn_profile(system).depth, joint.film
        h = C - E * np.cos(angles(film))
        exact = [1e-20 * pressure(z) * R * 20 if z < 5 * SIGMA else 0.0 for z in h]
        errors.append(np.abs(depth / max(exact) - exact / max(exact)).max())
    assert errors[1] < 2e-3 and errors[0] / errors[1] > 3.5
    areas = film.surface.areas()
    assert results["film.worn_depth"][-1] == pytest.approx(depth.max(), rel=1e-12)
    volume = results["film.worn_volume"][-1]
    assert volume == pytest.approx(areas @ depth / 1e-4, rel=1e-9)
    load = results["film.asperity_force"][0]
    assert volume == pytest.approx(1e-16 * load * R * 20, rel=5e-3)
    assert results["film.min_film"][[0, -1]] == pytest.approx(C - E, rel=1e-6)


def test_journal_that_wears_itself_free():
    """dw/ds = k/H p(h + w), by SciPy, until little more than half of the load on the asperities is
    left; the energy that they lose is dissipated."""
    joint, run, system = held(200.0)
    results = run.run()
    way = R * 20
    exact = solve_ivp(lambda s, w: [2e-14 * pressure(C - E + w[0])], (0, way), [0.0], rtol=1e-6,
                      atol=1e-13).y[0, -1]  # fmt: skip
    assert exact > 0.5 * SIGMA
    assert joint.worn_profile(system).depth.max() == pytest.approx(exact, rel=0.01)
    load = results["film.asperity_force"]
    assert load[-1] < 0.55 * load[0] and np.all(np.diff(load[1:]) < 0)
    # the mean surfaces overlap less by the depth that has worn, where they are closest
    assert results["film.min_film"][-1] == pytest.approx(C - E + exact, abs=0.01 * SIGMA)
    assert results["film.asperity_energy"][-1] < 0.5 * results["film.asperity_energy"][0]
    _, plain, _ = held(1e-9)
    free = plain.run()
    assert results["energy.balance"][-1] == pytest.approx(free["energy.balance"][-1], rel=1e-4)


def test_fast_wear_shortens_steps():
    """No step takes off more than 5 % of the roughness."""
    _, run, _ = held(2e4, dt=0.02, t_end=0.1)
    worn = run.run()["film.worn_depth"]
    assert worn[-1] > 0.5 * SIGMA and np.diff(worn).max() <= 0.05 * SIGMA * (1 + 1e-9)


def test_periods_and_liner():
    """Wear of a period is applied in the next one, 1000 times; a liner that wears through ends the
    run."""
    joint, run, system = held(1e3, t_end=0.6, period=0.4, renewal=0.1)
    results = run.run()
    depth = results["film.worn_depth"]
    early = results.time < 0.4 - 1e-9
    assert not depth[early].any() and depth[-1] > 0
    load, way = results["film.asperity_force"][0], R * 20 * 0.4**2
    areas = joint.film.surface.areas()
    found = areas @ joint.worn_profile(system).depth
    assert found == pytest.approx(1e-13 * load * way, rel=0.02)
    _, run, _ = held(200.0, liner=0.2e-6)
    with pytest.raises(fc.StepFailed, match="through its liner"):
        run.run()


@pytest.mark.slow
def test_a_run_that_goes_on():
    """From the state at the end of a run: the same depths as in one run."""
    joint, run, system = held(200.0, t_end=0.4)
    last = run.run().last
    first = joint.worn_profile(system).depth.copy()
    more = fc.Simulation(system, dt=0.005, t_end=0.8, initial=last, progress=False)
    more.run()
    parts = joint.worn_profile(system).depth
    joint, run, system = held(200.0, t_end=0.8)
    run.run()
    assert parts.max() > 1.5 * first.max()
    np.testing.assert_allclose(parts, joint.worn_profile(system).depth, rtol=2e-3, atol=1e-12)


@pytest.mark.slow
def test_start_and_stop_under_a_load():
    """A journal that speeds up from rest and stops within 2 s, against wear from equilibrium to
    equilibrium. Measured: 1.8 % more (the film is squeezed while the journal sinks), 8 % in 1 s,
    -1 % in 4 s."""
    film, load, T = bearing(cells=(48, 2)), (0.0, -400.0), 2.0
    part = 0.5 * np.linspace(0, 1, 25) ** 1.5
    time = np.concatenate([part, 1 - part[::-1][1:]])
    slow = wear_under_film(film, LAW, T * time, 20 * (1 - np.cos(2 * np.pi * time)), 1.0, load=load)
    system = fc.System(gravity=(0, 0, 0))
    rest = equilibrium(film, load, 1e-3).place.e
    shaft = system.add(fc.RigidBody(0.5, (1e-3,) * 3, position=rest, name="shaft"))
    housing = system.ground.point((0, 0, 0))
    system.add(fc.PlanarJoint(housing, shaft.center, axis=(0, 0, 1)))
    turn = lambda t: 20 * t - 20 * T * ufl.sin(2 * np.pi * t / T) / (2 * np.pi)  # noqa: E731
    system.add(fc.RotationDriver(housing, shaft.center, (0, 0, 1), turn))
    system.add(fc.Force(shaft.center, (*load, 0.0)))
    joint = CylindricalFilm(housing, shaft.center, (0, 0, 1), film=film, name="film",
                            wear=fc.SurfaceWear(LAW))  # fmt: skip
    system.add(joint)
    results = fc.Simulation(system, dt=0.01, t_end=T, progress=False).run()
    assert results["film.worn_volume"][-1] == pytest.approx(slow.volume, rel=0.04)
    fast = results["film.asperity_force"][100]
    assert fast < 0.05 * 400 < results["film.asperity_force"][0]
    deepest = angles(film)[np.argmax(joint.worn_profile(system).depth)]
    assert deepest == pytest.approx(angles(film)[np.argmax(slow.profile.depth)], abs=0.05)


@pytest.mark.mpi
def test_on_several_ranks():
    joint, run, system = held(200.0, dt=0.02, t_end=0.4)
    found, profile = run.run()["film.worn_volume"][-1], joint.worn_profile(system)
    alone, run, own = held(200.0, dt=0.02, t_end=0.4, comm=MPI.COMM_SELF)
    assert run.run()["film.worn_volume"][-1] == pytest.approx(found, rel=1e-9)
    if system.comm.rank == 0:
        wanted = alone.worn_profile(own).depth
        np.testing.assert_allclose(profile.depth, wanted, rtol=1e-8, atol=1e-9 * wanted.max())
    else:
        assert profile is None


def test_bad_input():
    system = fc.System()
    frames = system.ground.point((0, 0, 0)), fc.RigidBody(1.0, (1e-3,) * 3).center
    smooth = plain_bearing(R, L, C, 0.02, sliding_speed=0.5, cells=(32, 2))
    mesh = fc.meshes.hollow_cylinder(R, 25e-3, L, (16, 2, 1))
    law = fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=8800)
    liner = Liner(fc.CondensedSolid(mesh, law, clamped="rim", facets="bore", direction="normal",
                                    responses=4))  # fmt: skip
    wear = {"wear": fc.SurfaceWear(LAW)}
    for options, words in (
        ({"film": smooth, **wear}, "only the pressure of asperities wears"),
        ({"film": ShortBearing(R, L, C, 0.02), **wear}, "only the pressure of asperities wears"),
        ({"film": bearing(), "wear": LAW}, "wear must be SurfaceWear"),
        ({"film": bearing(), "liner": liner, **wear}, "wear of elastic surfaces"),
        ({"film": bearing(), "roughness": 1e-6, **wear}, "no warning below a roughness"),
    ):
        with pytest.raises(fc.InputError, match=words):
            CylindricalFilm(*frames, (0, 0, 1), **options)
    joint = CylindricalFilm(*frames, (0, 0, 1), film=bearing())
    with pytest.raises(fc.InputError, match="does not wear"):
        joint.worn_profile(system)

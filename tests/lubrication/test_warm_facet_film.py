"""Warm films on facets of a slider: the exact adiabatic wedge, and the balance of heat."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.lubrication import Adiabatic, Conducting, Full, GuideFilm, Reynolds

from .thermal import H_IN, H_OUT, OIL, RC, B, U, W, Wedge

#: so stiff that the slider stays as it is
RIGID = fc.StVenantKirchhoff(E=2e16, nu=0.3, rho=7800.0)
HEIGHT = 0.05


def slider(n, thermal, cavitation=None, waisted=False, comm=None, **film):
    """A slider on the ground over a rail that carries the oil into its wedge."""
    mesh = meshes.block((B, HEIGHT, W), (n, 1, 2))
    x, y = mesh.points[:, 0], mesh.points[:, 1]
    lean = (H_IN - H_OUT) / B
    middle = (H_IN + H_OUT) / 2
    under = lean * (2 * np.abs(x) - B / 2) if waisted else -lean * x
    mesh.points[:, 1] += np.where(y < 0, under, 0.0)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    block = system.add(fc.Solid(mesh, RIGID, degree=1, clamped="y1", name="block"))
    rail = system.add(fc.RigidBody(1e12, (1e12,) * 3, velocity=(U, 0, 0), free=True, name="rail"))
    ends = {"open": lambda z: np.abs(np.abs(z[:, 0]) - B / 2) < 1e-9}
    system.add(
        GuideFilm(rail.center, block.facets("y0"), (1, 0, 0), (0, 1, 0), side="lower",
                  gap=HEIGHT + 2 * middle, lubricant=OIL, sliding_speed=U, clearance=H_OUT,
                  cavitation=cavitation or Full(), thermal=thermal, name="film", **ends | film)
    )  # fmt: skip
    return system


def steady(system, time=0.03):
    return fc.Simulation(system, dt=5e-4, t_end=time, progress=False).run()


def test_exact_wedge():
    """The hottest oil, the load and the heat of the exact solution (thermal.py, whose values are
    those of references/thermal_wedge_exact); order 2; power = heat = what the oil takes."""
    exact, errors = Wedge(), []
    for n in (8, 16):
        results = steady(slider(n, Adiabatic(supply=323.0)))
        last = {name: results[f"film.{name}"][-1] for name in
                ("max_temperature", "normal_force", "heat", "oil_heat", "power_loss")}  # fmt: skip
        rise = last["max_temperature"] - 323.0
        errors.append([rise / exact.T(B) - 1, last["normal_force"] / (W * exact.load) - 1,
                       last["heat"] / (RC * exact.Q * exact.T(B) * W) - 1])  # fmt: skip
        assert last["heat"] == pytest.approx(last["power_loss"], rel=1e-6)
        assert last["oil_heat"] == pytest.approx(last["heat"], rel=1e-6)
    coarse, fine = np.abs(errors)
    assert np.all(fine < [1.5e-3, 7e-3, 1e-3]), errors
    assert np.log2(coarse / fine).min() > 1.8, errors


def test_what_cannot_be_warm():
    with pytest.raises(fc.InputError, match="must be Adiabatic"):
        slider(4, Conducting(supply=323.0))
    with pytest.raises(fc.InputError, match="without grooves"):
        slider(4, Adiabatic(supply=323.0, grooves={"a": ("x0",)}))
    with pytest.raises(fc.InputError, match="given at all of its nodes"):
        slider(1, Adiabatic(supply=323.0))
    with pytest.raises(fc.InputError, match="of hexahedra"):
        plane = fc.Solid(meshes.block((B, HEIGHT), (4, 1)), RIGID, degree=1, state="plane_strain",
                         thickness=W, clamped="y1")  # fmt: skip
        GuideFilm(fc.System().ground.point((0, 0, 0)), plane.facets("y0"), (1, 0, 0), (0, 1, 0),
                  side="lower", gap=HEIGHT + 2 * H_IN, lubricant=OIL,
                  thermal=Adiabatic(supply=323.0))  # fmt: skip


@pytest.mark.slow
def test_heat_balances_in_a_broken_film():
    """The rail carries the oil into a gap that opens behind its narrowest place: the oil that
    Reynolds' condition adds there is fresh, and heat = power = what the oil takes."""
    results = steady(slider(12, Adiabatic(supply=323.0), Reynolds(), waisted=True))
    last = {n: results[f"film.{n}"][-1] for n in ("heat", "oil_heat", "power_loss")}
    assert last["heat"] == pytest.approx(last["power_loss"], rel=1e-6)
    assert last["oil_heat"] == pytest.approx(last["heat"], rel=1e-6)


@pytest.mark.mpi
def test_same_on_two_ranks(comm):
    found = []
    for c in (comm, comm.Split(comm.rank)):
        results = steady(slider(4, Adiabatic(supply=323.0), comm=c), 2e-3)
        found.append([results[f"film.{n}"][-1] for n in ("max_temperature", "normal_force")])
    assert found[0] == pytest.approx(found[1], rel=1e-9)

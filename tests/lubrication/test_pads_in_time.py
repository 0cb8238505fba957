"""Thrust bearings and tilting pads between bodies of a running system: closed forms, the bearings
alone, and forces of films at a motion that is given by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.io.vtk import read_vtu
from fem_clearance.lubrication import (
    Adiabatic,
    Bearing,
    Constantinescu,
    FilmProbe,
    Full,
    PivotedPad,
    Place,
    PointPivot,
    SteppedPad,
    TaperedPad,
    ThrustBearing,
    ThrustFilm,
    TiltingPad,
    TiltingPadBearing,
    TiltingPadFilm,
)
from fem_clearance.plotting.scene.scene import Scene

from .thermal import H_IN, H_OUT, OIL, Wedge
from .thermal import B as LONG
from .thermal import U as FAST
from .thermal import W as WIDE

MU, B, U, FAR, H, W = 0.03, 0.05, 10.0, 1000.0, 2e-5, 0.1
PAD = {"inner": 0.04, "outer": 0.08, "arc": 0.7}


def settled(bearing, load, speed, at, dt, t_end, side=1, swap=False, **more):
    """A collar that turns and is pressed against pads, from a distance; ``swap``: the pads are on
    the body that moves. Results of the run."""
    system = fc.System(gravity=(0, 0, 0))
    axis, ground = np.array((0.0, 0.0, side)), system.ground.at((0, 0, 0))
    sign = -1 if swap else 1
    body = system.add(
        fc.RigidBody(5.0, (0.1,) * 3, position=-sign * at * axis,
                     angular_velocity=sign * speed * axis, name="body")
    )  # fmt: skip
    system.add(fc.CylindricalJoint(ground, body.center, axis))
    system.add(fc.RotationDriver(ground, body.center, axis, lambda t: sign * speed * t))
    frames = (body.center, ground) if swap else (ground, body.center)
    system.add(ThrustFilm(*frames, axis, bearing=bearing, name="thrust"))
    system.add(fc.Force(body.center, sign * load * axis))
    return fc.Simulation(system, dt=dt, t_end=t_end, progress=False, **more).run()


@pytest.mark.parametrize(
    ("pad", "shape", "w", "side", "swap"),
    [
        (TaperedPad, {"depth_at_start": 1.1886 * H, "part": 1.0}, 0.16025, 1, False),
        (TaperedPad, {"depth_at_start": 1.1886 * H, "part": 1.0}, 0.16025, -1, True),
        (SteppedPad, {"step": 0.866 * H, "part": 0.7182}, 0.20626, 1, False),
    ],
)
def test_sliders_settle(pad, shape, w, side, swap):
    """The best taper and step carry w mu U B^2 / h^2 (Rayleigh): the film that the load leaves is
    20 um. The collar on the other side, and pads that move instead, change nothing."""
    bearing = ThrustBearing(
        pad(FAR - W / 2, FAR + W / 2, B / FAR, **shape), 1, 1.5 * H, MU, sliding_speed=U,
        cells=(64, 2), pressures={"start": 0.0, "end": 0.0},
    )  # fmt: skip
    load = w * MU * U * B**2 / H**2 * W
    results = settled(bearing, load, U / FAR, 1.3 * H, 5e-4, 0.1, side, swap)
    film = results["thrust.film1.min_film"]
    assert film[0] == pytest.approx(1.3 * H, rel=1e-3) and film[-1] == pytest.approx(H, rel=1e-3)
    assert results["thrust.normal_force"][-1] == pytest.approx(load, rel=1e-6)
    power = -results["thrust.torque"][-1] * U / FAR
    assert power == pytest.approx(results["thrust.film1.power_loss"][-1], rel=1e-6)


def test_files_and_pictures(tmp_path):
    """The films of fixed and of tilting pads are written and the mechanism can be drawn; thickness
    in the files is that of the channel."""
    for pad in (TaperedPad(**PAD, depth_at_start=2e-5), PivotedPad(**PAD, mass=0.2, inertia=2e-5)):
        bearing = ThrustBearing(pad, 3, 3e-5, MU, sliding_speed=6.0, cells=(12, 6))
        folder = tmp_path / type(pad).__name__
        results = settled(bearing, 2e3, 100.0, 4e-5, 2e-4, 2e-3, output=folder)
        files = sorted(folder.rglob("thrust.film2_*.vtu"))
        h = read_vtu(files[-1])["film_thickness"]
        assert h.min() == pytest.approx(results["thrust.film2.min_film"][-1], rel=1e-6)
        assert Scene(results.motion, results, fields=files[-1].parent).drawing


@pytest.mark.parametrize("swap", [False, True])
def test_pivoted_pads_settle(swap):
    """Three pads tilt and carry the load as in the bearing alone."""
    pad = PivotedPad(**PAD, mass=0.2, inertia=2e-5)
    bearing = ThrustBearing(pad, 3, 3e-5, MU, sliding_speed=6.0, cells=(12, 6))
    alone = bearing.equilibrium(2e3, 100.0)
    results = settled(bearing, 2e3, 100.0, 4e-5, 2e-4, 0.25, swap=swap, newton_tolerance=1e-12)
    for k in (1, 2, 3):
        film = f"thrust.film{k}."
        assert results[film + "min_film"][-1] == pytest.approx(alone.least, rel=2e-4)
        assert -3 * results[film + "torque"][-1] == pytest.approx(alone.torque, rel=2e-4)
        assert results[film + "normal_force"][-1] == pytest.approx(2e3 / 3, rel=2e-5)
        assert 3 * results[film + "power_loss"][-1] == pytest.approx(alone.power_loss, rel=4e-4)
    # the start, which short trial steps find, is less exact
    to_films, film = results["power.to_films"], results["power.film"]
    assert to_films[0] == pytest.approx(film[0], rel=1e-6)
    np.testing.assert_allclose(to_films[1:], film[1:], rtol=1e-9)


def test_leaning_collar():
    """Pads of a collar that leans and moves anyhow: forces are the sum of those of the films alone,
    each at its own motion, in the axes of a bearing that is turned in space."""
    pad = TaperedPad(**PAD, depth_at_start=3e-5)
    bearing = ThrustBearing(
        pad, 3, 5e-5, MU, sliding_speed=6.0, cells=(8, 4), turbulence=Constantinescu()
    )
    turn = Rotation.from_rotvec((0.4, -0.7, 0.3)).as_matrix()
    axis, first = turn[:, 2], turn[:, 0]
    system = fc.System(gravity=(0, 0, 0))
    place, w = np.array((0.3, -0.2, 0.1)), turn @ (0.01, -0.02, 100.0)
    collar = system.add(
        fc.RigidBody(5.0, (0.1,) * 3, position=place - 6e-5 * axis, velocity=turn @ (0, 0, 1e-3),
                     angular_velocity=w, free=True, name="collar")
    )  # fmt: skip
    film = ThrustFilm(system.ground.at(place), collar.center, axis, bearing=bearing, first=first,
                      name="thrust")  # fmt: skip
    system.add(film)
    probe = system.add(FilmProbe(film, (0.06, 0.01, 0.0), side="film1", name="probe"))
    results = fc.Simulation(system, dt=1e-6, t_end=2e-5, progress=False).run()
    values = system.state.everything(system.state.q)
    blocks = {b.what: values[b.numbers] for b in system.blocks + [b for b, _ in system.parts.after]
              if b.owner == "thrust"}  # fmt: skip
    # the place, from the body's own numbers
    d = -(turn.T @ (np.array([results[f"collar.{x}"][-1] for x in "xyz"]) - place))[2]
    assert 5e-5 - blocks["e"][2] == pytest.approx(d, abs=1e-12)
    at = Place(*(tuple(blocks[n]) for n in ("e", "t", "V", "Omega")))
    assert at.Omega == pytest.approx((0.01, -0.02, 100.0), abs=3e-3)
    films = [bearing.film(k) for k in range(3)]
    for k, turned in enumerate(films):  # one pad, seen from a third of a turn further each
        back = Rotation.from_rotvec((0, 0, -2 * np.pi * k / 3)).as_matrix()
        np.testing.assert_allclose(
            turned.surface.nodes @ back.T, films[0].surface.nodes, atol=1e-12
        )
        np.testing.assert_allclose(turned.depths(), films[0].depths(), atol=1e-12)
    alone = [Bearing(z).solve(at) for z in films]
    force, moment = (sum(getattr(z, n) for z in alone) for n in ("force", "moment"))
    np.testing.assert_allclose(blocks["force"], force, rtol=1e-6, atol=1e-6 * abs(force).max())
    np.testing.assert_allclose(blocks["moment"], moment, rtol=1e-6, atol=1e-6 * abs(moment).max())
    shown = [results[f"thrust.force.{x}"][-1] for x in "xyz"]
    np.testing.assert_allclose(turn.T @ shown, force, rtol=1e-5, atol=1e-5 * abs(force).max())
    nearest = alone[0].pressure[probe.node]
    assert results["probe.pressure"][-1] == pytest.approx(nearest, rel=1e-6)


# --- warm pads -----------------------------------------------------------------------------------
def warm_slider(n):
    return ThrustBearing(
        TaperedPad(FAR - WIDE / 2, FAR + WIDE / 2, LONG / FAR, depth_at_start=H_IN - H_OUT,
                   part=1.0), 1, 1.3 * H_OUT, OIL, sliding_speed=FAST, cells=(n, 2),
        cavitation=Full(), pressures={"start": 0.0, "end": 0.0}, thermal=Adiabatic(323.0),
    )  # fmt: skip


def test_warm_slider():
    """The exact adiabatic wedge (thermal.py) under its load: film, exit temperature and flow to
    second order; its heat is the power of the collar; stiffness by differences; it settles there
    in a run."""
    exact, errors = Wedge(), []
    for n in (16, 32, 64):
        bearing = warm_slider(n)
        state = bearing.equilibrium(exact.load * WIDE, FAST / FAR)
        end = state.film.bearing.film.surface.sets["end"]
        rise = state.film.warm.temperature[end].mean() - 323.0
        errors.append([state.least / H_OUT - 1, rise / exact.T(LONG) - 1,
                       state.flow["end"] / WIDE / exact.Q - 1])  # fmt: skip
        heat = state.film.warm.oil_heat
        assert heat == pytest.approx(state.power_loss, rel=1e-9)
        assert heat == pytest.approx(state.torque * FAST / FAR, rel=1e-9)
    errors = np.abs(errors)
    assert np.all(np.log2(errors[:-1] / errors[1:]) > 1.9) and errors[-1].max() < 3e-4
    d = 1e-4
    up, down = (bearing.equilibrium(exact.load * WIDE * (1 + s * d), FAST / FAR).least
                for s in (1, -1))  # fmt: skip
    slope = 2 * d * exact.load * WIDE / (down - up)
    assert state.stiffness == pytest.approx(slope, rel=1e-5)
    results = settled(warm_slider(32), exact.load * WIDE, FAST / FAR, 1.2 * H_OUT, 5e-4, 0.1)
    assert results["thrust.film1.min_film"][-1] == pytest.approx(H_OUT, rel=2e-3)
    assert results["thrust.film1.oil_heat"][-1] == pytest.approx(heat, rel=2e-3)


def test_warm_pads_with_a_gap():
    """Hot oil is carried over: T_in - T_s = lambda q_out (T_out - T_s) / q_in, from the flows at
    the edges; a pad on a pivot has the same temperatures at any speed under one load."""
    part = 0.7
    bearing = ThrustBearing(
        TaperedPad(**PAD, depth_at_start=3e-5), 6, 3e-5, OIL, sliding_speed=12.0, cells=(24, 12),
        cavitation=Full(), thermal=Adiabatic(323.0, {"gap": ["start", "end"]}, part),
    )  # fmt: skip
    state = bearing.equilibrium(2e3, 200.0)
    solver, warm = state.film.bearing, state.film.warm
    nodes, out = solver.film.given()["end"], solver._flow(solver.state.residual())
    edge = solver.film.surface.sets["end"]
    hot = float(out[nodes] @ warm.temperature[nodes]) / out[nodes].sum() - 323.0
    assert len(edge) - len(nodes) <= 2  # corners belong to the sides
    mixed = part * hot * out[nodes].sum() / -out[solver.film.given()["start"]].sum()
    assert warm.grooves["gap"] - 323.0 == pytest.approx(mixed, rel=0.03)
    assert 6 * warm.oil_heat == pytest.approx(state.power_loss, rel=1e-9)
    tilting = ThrustBearing(
        PivotedPad(**PAD), 6, 3e-5, OIL, sliding_speed=12.0, cells=(16, 8), thermal=Adiabatic(323.0)
    )
    rise = [tilting.equilibrium(2e3, w).film.warm.temperature.max() - 323.0 for w in (100.0, 300.0)]
    assert rise[0] == pytest.approx(rise[1], rel=1e-4) and rise[0] > 2.0


# --- tilting pads of a journal --------------------------------------------------------------------
def pads(**more):
    return TiltingPad(np.pi / 4, np.radians(75), 0.012, preload=0.4, mass=0.6, inertia=2e-4,
                      **more).evenly(4)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("axis", [(0, 0, 1), (0, -1, 0)])
def test_tilting_pads_settle(axis):
    """A rotating journal that is let go ends in the equilibrium of the bearing alone, along any
    axis."""
    R, C, speed, load = 0.05, 1e-4, 300.0, np.array([500.0, -3000.0])
    bearing = TiltingPadBearing(R, 0.05, C, MU, pads(), sliding_speed=R * speed, cells=(12, 4))
    alone = bearing.equilibrium(load, speed)
    axes = fc.model.frame.triad_about(np.array(axis, float), (1, 0, 0))
    system = fc.System(gravity=(0, 0, 0))
    housing = system.ground.at((0, 0, 0))
    shaft = system.add(
        fc.RigidBody(5.0, (0.01,) * 3, name="shaft", angular_velocity=speed * axes[:, 2])
    )
    system.add(fc.PlanarJoint(housing, shaft.center, axis=axis))
    system.add(fc.RotationDriver(housing, shaft.center, axis, lambda t: speed * t))
    system.add(
        TiltingPadFilm(housing, shaft.center, axis, bearing=bearing, first=(1, 0, 0), name="pads",
                       tilts=0.5 * alone.tilts)
    )  # fmt: skip
    system.add(fc.Force(shaft.center, axes[:, :2] @ load))
    results = fc.Simulation(
        system, dt=1e-4, t_end=0.05, newton_tolerance=1e-12, progress=False
    ).run()
    e = axes.T @ [results[f"shaft.{x}"][-1] for x in "xyz"]
    assert e[:2] == pytest.approx(alone.e, abs=1e-3 * C)
    for k, film in enumerate(alone.films):
        found = results[f"pads.film{k + 1}.min_film"][-1]
        assert found == pytest.approx(film.thickness.min(), rel=3e-3)
    loss = sum(results[f"pads.film{k}.power_loss"][-1] for k in (1, 2, 3, 4))
    assert loss == pytest.approx(alone.power_loss, rel=1e-3)
    to_films, film = results["power.to_films"], results["power.film"]
    np.testing.assert_allclose(to_films[1:], film[1:], rtol=1e-9)
    assert to_films[0] == pytest.approx(film[0], rel=1e-6)  # as trial steps have found it


def test_bad_input():
    ground, body = fc.System().ground.at((0, 0, 0)), fc.RigidBody(1.0, (1e-3,) * 3)
    thrust = ThrustBearing(PivotedPad(**PAD), 3, 3e-5, MU)
    light = TiltingPadBearing(0.05, 0.05, 1e-4, MU, [TiltingPad(0.0, 1.0, 0.01)])
    soft = TiltingPadBearing(
        0.05, 0.05, 1e-4, MU, pads(pivot=PointPivot(0.02, 0.021, 1e11)), cells=(4, 2)
    )
    for make, words in (
        (lambda: ThrustFilm(ground, body.center, (0, 0, 1), bearing=3.0), "bearing must be"),
        (lambda: ThrustFilm(ground, body.center, (0, 0, 1), bearing=thrust), "mass="),
        (lambda: TiltingPadFilm(ground, body.center, (0, 0, 1), bearing=thrust), "bearing must"),
        (lambda: TiltingPadFilm(ground, body.center, (0, 0, 1), bearing=light), "mass="),
        (lambda: TiltingPadFilm(ground, body.center, (0, 0, 1), bearing=soft), "rigid pivots"),
        (lambda: ThrustBearing(TaperedPad(**PAD, depth_at_start=1e-5), 3, 3e-5, MU,
                               thermal=3.0), "thermal must be Adiabatic"),
        (lambda: PivotedPad(**PAD, mass=-1.0), "mass"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=words):
            make()
    fixed = ThrustBearing(TaperedPad(**PAD, depth_at_start=1e-5), 3, 3e-5, MU, cells=(4, 2))
    for at, words in (((0, 0, 1e-5), "from the collar to the pads"), ((1e-3, 0, -1e-5), "beside")):
        system = fc.System()
        body = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=at))
        film = ThrustFilm(system.ground.at((0, 0, 0)), body.center, (0, 0, 1), bearing=fixed)
        with pytest.raises(fc.InputError, match=words):
            system.add(film)

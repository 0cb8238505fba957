"""Pressure and content of films over time: channels at nodes, and fields on the whole surface."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.io.vtk import entries, read_vtu
from fem_clearance.lubrication import (
    JFO,
    Asperities,
    CylindricalFilm,
    FilmProbe,
    Full,
    Groove,
    ShortBearing,
    plain_bearing,
)

R, L, C, MU, SUPPLY, SPEED = 15e-3, 30e-3, 1e-4, 0.04, 2e5, 200.0


def bearing(place=(0.0, 0.0), speed=0.0, **options):
    """A journal that is held in place and turned in a bearing with a ring in the middle; ``film``:
    what else its film has."""
    more = options.pop("film", {})
    grooves = options.pop("grooves", [Groove(0.0, 2 * np.pi, SUPPLY, 0.006)])
    film = plain_bearing(R, L, C, MU, sliding_speed=R * 100, grooves=grooves, **options)
    film = replace(film, **more)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(*place, 0), angular_velocity=(0, 0, speed),
                     name="journal")
    )  # fmt: skip
    pin = system.add(fc.RevoluteJoint(system.ground.at((*place, 0)), journal.center, (0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(speed)))
    joint = system.add(
        CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                        first=(1, 0, 0), name="film")
    )  # fmt: skip
    return system, joint


def test_pressure_beside_a_ring():
    """Journal in the middle, at rest: the pressure falls linearly from the ring to the ends."""
    system, joint = bearing(cells=(24, 10), cavitation=Full())
    probes = [
        system.add(FilmProbe(joint, (0.0, R, z), name=f"at{k}"))
        for k, z in enumerate((0.0, 0.007, -0.013))
    ]
    results = fc.Simulation(system, dt=1e-4, t_end=1e-3, progress=False).run()
    for k, probe in enumerate(probes):
        assert np.allclose(probe.place[:2], (0.0, R))
        part = min(1.0, (L / 2 - abs(probe.place[2])) / (L / 2 - 0.003))
        assert results[f"at{k}.pressure"] == pytest.approx(SUPPLY * part, rel=1e-5)
        assert results[f"at{k}.film_thickness"] == pytest.approx(C, rel=1e-9)
    assert abs(probes[1].place[2] - 0.007) < 2e-3 and "at0.content" not in results


@pytest.mark.parametrize("least", [0.0, 0.5 * C])
def test_content_between_rough_surfaces(tmp_path, least):
    """A film that is still whole holds what is open between normally distributed heights; below
    ``least`` the transition's least/2 (1 + (h/least)^2). Probe, field and the film's own channel
    say so."""
    sigma, ratio = 5e-6, 0.95
    rough = {"asperities": Asperities(sigma, 1e11), "least": least}
    system, joint = bearing((ratio * C, 0.0), cells=(48, 6), cavitation=JFO(), film=rough)
    film = joint.film
    system.add(FilmProbe(joint, (R, 0, 0.004), name="near"))
    results = fc.Simulation(
        system, dt=1e-6, t_end=1e-6, output=tmp_path, fields_every=1, progress=False
    ).run()
    angle = np.arctan2(*film.surface.nodes.T[1::-1])
    x = C / sigma * (1 - ratio * np.cos(angle))
    h = sigma * (x * norm.cdf(x) + norm.pdf(x))
    assert h.min() > 1.05 * sigma * x.min()
    oil = np.where(h < least, least / 2 * (1 + (h / max(least, 1e-9)) ** 2), h)
    assert (least > 0) == (oil.min() > h.min())
    near = np.argmin(abs(angle) + abs(film.surface.nodes[:, 2] - 0.004))
    assert results["near.content"][0] == pytest.approx(oil[near], rel=1e-9)
    data = read_vtu(tmp_path / "fields" / entries(tmp_path / "fields" / "film.pvd")[0][1])
    np.testing.assert_allclose(data["content"], oil, rtol=1e-9)
    np.testing.assert_allclose(data["filled"], 1.0, rtol=1e-12)
    whole = (oil * film.surface.areas()).sum()
    assert results["film.content"][0] == pytest.approx(whole, rel=2e-3)


def test_probes_know_the_transition_that_a_joint_gives_its_film():
    system = fc.System()
    film = plain_bearing(R, L, C, MU, cells=(8, 2), cavitation=JFO())
    journal = system.add(fc.RigidBody(1.0, (1e-3,) * 3))
    joint = system.add(
        fc.CylindricalClearance(
            system.ground, journal.center, (0, 0, 1), bearing_radius=R, journal_radius=R - C,
            length=L, stiffness=1e9, film=film,
        )
    )  # fmt: skip
    probe = system.add(FilmProbe(joint, (R, 0, 0)))
    assert film.least == 0 and probe.film.least == pytest.approx(0.05 * C)


def test_content_over_time(tmp_path):
    """A broken film that empties: what probes and fields say at the nodes is one, the oil in the
    gap never more than the gap, and its sum over the surface is the film's content (closed form of
    what the gap could hold: 2 pi R L c)."""
    hole = [Groove(2.5, 0.4, 0.0, 0.01)]
    system, joint = bearing((0.6 * C, 0.0), SPEED, cells=(48, 8), cavitation=JFO(), grooves=hole)
    probes = {
        f"at{k}": system.add(FilmProbe(joint, (R * np.cos(a), R * np.sin(a), z), name=f"at{k}"))
        for k, (a, z) in enumerate(((0.5, 0.0), (-1.5, 0.004), (-0.3, 0.0)))
    }
    results = fc.Simulation(
        system, dt=2e-4, t_end=0.02, output=tmp_path, fields_every=100, progress=False
    ).run()
    t, name = entries(tmp_path / "fields" / "film.pvd")[-1]
    assert t == pytest.approx(results.time[-1])
    data = read_vtu(tmp_path / "fields" / name)
    h, content = data["film_thickness"], data["content"]
    for probe, at in probes.items():
        node = at.node
        for channel in ("pressure", "film_thickness", "content"):
            assert results[f"{probe}.{channel}"][-1] == pytest.approx(data[channel][node], rel=1e-9)
        x = at.place
        assert h[node] == pytest.approx(C - 0.6 * C * x[0] / R, rel=1e-9)
    assert data["filled"] == pytest.approx(content / h, rel=1e-12)
    assert content.max() <= h.max() * (1 + 1e-9) and data["filled"].min() < 0.9
    assert np.all((data["pressure"] < 1e-6 * data["pressure"].max()) | (data["filled"] > 1 - 1e-6))
    total = (content * joint.film.surface.areas()).sum()
    assert results["film.content"][-1] == pytest.approx(total, rel=1e-3)
    assert results["film.content"][0] == pytest.approx(2 * np.pi * R * L * C, rel=2e-2)
    assert total < 0.97 * 2 * np.pi * R * L * C


def test_fields_of_pads(tmp_path):
    """Films on the faces of a slider: the sum of the written pressure is the film's force."""
    case = cases.get("slider_crank_translational")
    results = case.simulation(
        {"joint.kind": "lubricated", "clearance": 1e-4, "viscosity": 0.04, "t_end": 2e-3,
         "drive": "constant_speed", "output.fields_every": 1},
        output=tmp_path, progress=False,
    ).run()  # fmt: skip
    sums = {}
    for side in ("upper", "lower"):
        t, name = entries(tmp_path / "fields" / f"guide.{side}.pvd")[-1]
        data = read_vtu(tmp_path / "fields" / name)
        p, cells = data["pressure"], data["connectivity"].reshape(-1, 4)
        area = 0.1 * 0.05 / len(cells)
        sums[side] = area * p[cells].mean(axis=1).sum()
        force = results[f"guide.{side}.normal_force"][-1]
        assert t == pytest.approx(results.time[-1])
        assert sums[side] == pytest.approx(force, rel=1e-6, abs=1e-9)
    assert max(sums.values()) > 1.0


def test_bad_input():
    system, joint = bearing(cells=(24, 6))
    other = system.add(fc.Probe(joint.j, name="other"))
    for args, words in (
        ((other, (R, 0, 0)), "'other' has no film"),
        (("film", (R, 0, 0)), "'film' has no film; give the joint itself"),
        ((joint, (0, 0, 0)), "from the nearest node of the film"),
        ((joint, (R, 0)), "at"),
    ):
        with pytest.raises(fc.InputError, match=words):
            FilmProbe(*args)
    with pytest.raises(fc.InputError, match="no film on its side 'upper'"):
        FilmProbe(joint, (R, 0, 0), side="upper")


@pytest.mark.parametrize("closed", [False, True])
def test_a_pierced_film_says_so(closed):
    """A journal that is driven through its film: a failed step with the reason and the remedy."""
    options = {"sliding_speed": R * 100}
    film = plain_bearing(R, L, C, MU, cells=(24, 4), **options)
    if closed:
        film = ShortBearing(R, L, C, MU, **options)
    system = fc.System(gravity=(0, 0, 0))
    foot = system.ground.at((0, 0, 0))
    journal = system.add(fc.RigidBody(1.0, (1e-3,) * 3, velocity=(0.1, 0, 0), name="journal"))
    system.add(fc.PrismaticJoint(foot, journal.center, axis=(1, 0, 0)))
    system.add(fc.TranslationDriver(foot, journal.center, (1, 0, 0), fc.functions.Linear(0.1)))
    system.add(CylindricalFilm(foot, journal.center, (0, 0, 1), film=film, name="film"))
    stepper = fc.Stepper(system, dt=2e-4, t_end=1.0)
    stepper.start()
    with pytest.raises(fc.StepFailed, match=r"surfaces touch.*CylindricalClearance\(film=...\)"):
        while stepper.t < stepper.t_end:
            stepper.advance()
    # cells read their thickness inside, not at the nodes
    assert stepper.t == pytest.approx(C / 0.1, rel=1e-6 if closed else 5e-3)

"""Bearings without time are drawn from the film that their analysis wrote."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.plotting.scene.steady import bearing


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    out = tmp_path_factory.mktemp("journal") / "run"
    changes = {"film.cells": "32x6", "eccentricity_ratio": 0.5, "clearance": 1e-4}
    return out, fc.cases.get("journal_bearing").simulation(changes, output=out).run()


def test_load_bore_and_journal(journal):
    out, results = journal
    scene = bearing(out / "fields", clearance_scale=20)
    film = np.array([results["load_x"][0], results["load_y"][0], 0.0])  # on the journal
    (load,) = [p for p in scene.parts if p.name == "load"]
    way = load.place(0)[:3, 0] / np.linalg.norm(load.place(0)[:3, 0])
    np.testing.assert_allclose(way, -film / np.linalg.norm(film), atol=1e-9)
    assert scene.stamp(0) == f"load {np.linalg.norm(film):.3g} N"
    # the case's bore of 30 mm, the journal half of 20 clearances off its middle
    item = scene.mechanism.items[0]
    assert item["sizes"]["bearing_radius"] == pytest.approx(0.015)
    shaft = [p for p in scene.parts if p.name == "bearing" and p.kind == "joint"][-1].at(0)
    middle = np.reshape(shaft.bounds, (3, 2)).mean(axis=1)
    assert middle[0] == pytest.approx(20 * 0.5e-4, rel=1e-3)
    assert np.ptp(shaft.points[:, 0]) / 2 == pytest.approx(0.015 - 20e-4, rel=1e-3)
    (oil,) = [p for p in scene.parts if p.kind == "film"]
    mesh = oil.at(0)
    assert mesh["pressure"].max() <= 1e-3 * results["max_pressure"][0] * (1 + 1e-6)
    turned = scene.mechanism.motion.triad[1, 1]
    assert turned[1, 0] > 0  # speed = +100 rad/s


def test_a_liner_is_held_by_the_housing(tmp_path):
    changes = {"film.cells": "16x4", "liner.cells": "16x2x1", "liner": "full"}
    case = fc.cases.get("ehd_bearing")
    case.simulation(changes, output=tmp_path / "run").run()
    scene = bearing(tmp_path / "run" / "fields", color="von_mises")
    (liner,) = [p for p in scene.parts if p.name == "bearing.liner"]
    mesh = liner.at(0)
    assert liner.paint.name in mesh.point_data
    outer = scene.mechanism.items[0]["sizes"]["liner_radius"]
    assert np.hypot(*mesh.points[:, :2].T).max() == pytest.approx(outer, rel=1e-3)
    assert outer > 0.016
    housing = next(p for p in scene.parts if p.kind == "ground").at(0)
    assert housing.points[:, 1].max() > 1.2 * outer


def test_a_ball_in_its_socket(tmp_path):
    case = fc.cases.get("spherical_bearing")
    case.simulation({"film.cells": 8}, output=tmp_path / "run").run()
    scene = bearing(tmp_path / "run" / "fields")
    assert scene.mechanism.items[0]["type"] == "clearance_spherical"
    assert scene.mechanism.items[0]["sizes"]["socket_radius"] == pytest.approx(0.02)
    # the ball moves along +x with the load, against the film
    (load,) = [p for p in scene.parts if p.name == "load"]
    assert load.place(0)[0, 0] == pytest.approx(np.linalg.norm(load.place(0)[:3, 0]), rel=1e-3)


def test_other_folders_hold_none(tmp_path):
    assert bearing(tmp_path) is None

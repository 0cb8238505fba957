"""Tables of bearing coefficients: written and read, in ROSS's files, and made of films."""

import json
import tomllib

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    Coefficients,
    PointPivot,
    ShortBearing,
    TiltingPad,
    TiltingPadBearing,
    coefficient_table,
    equilibrium,
    plain_bearing,
)

X = np.array([50.0, 100.0, 300.0])
K = 1e6 * np.array([[[2.0, 0.3], [-0.5, 1.5]], [[1.6, 0.6], [-0.8, 1.2]], [[1 / 3, 1], [-2, 0.9]]])
C = 1e3 * np.array([[[4.0, -0.5], [-0.3, 5]], [[3.0, -0.4], [-0.2, 4]], [[2.0, -0.1], [-0.1, 3]]])


def same(a, b):
    assert np.array_equal(a.frequencies, b.frequencies) and a.speed == b.speed
    assert np.array_equal(a.stiffness, b.stiffness) and np.array_equal(a.damping, b.damping)


@pytest.mark.parametrize("ending", ["csv", "toml", "json"])
@pytest.mark.parametrize("speed", [None, 314.1592653589793])
def test_written_and_read(tmp_path, ending, speed):
    """All digits come back."""
    table = fc.CoefficientTable(X, K, C, speed)
    path = tmp_path / f"bearing.{ending}"
    table.write(path, node=3, tag="left")
    same(fc.CoefficientTable.read(path), table)


#: as ROSS 1.4 to 2 writes it (BearingElement.save), shortened: cross terms of both signs, zeros
ROSS = """
[BearingElement_Bearing0]
cxx = [ 200.0, 190.0,]
cxy = [ 0.0, 0.0,]
cyx = [ 0.0, 0.0,]
cyy = [ 150.0, 140.0,]
czz = [ 0.0, 0.0,]
frequency = [ 0.0, 200.0,]
kxx = [ 1000000.0, 900000.0,]
kxy = [ 5.0, 6.0,]
kyx = [ -7.0, -8.0,]
kyy = [ 800000.0, 700000.0,]
mxx = [ 0.0, 0.0,]
n = 0
tag = "Bearing0"
color = "#355d7a"

[DiskElement_one]
m = 32.0
n = 2
"""


def test_file_of_ross(tmp_path, caplog):
    path = tmp_path / "rotor.toml"
    path.write_text(ROSS)
    table = fc.CoefficientTable.read(path)
    assert table.frequencies.tolist() == [0.0, 200.0] and table.speed is None
    assert table.stiffness.tolist() == [[[1e6, 5.0], [-7.0, 8e5]], [[9e5, 6.0], [-8.0, 7e5]]]
    assert table.damping.tolist() == [[[200.0, 0], [0, 150.0]], [[190.0, 0], [0, 140.0]]]
    assert not caplog.text
    path.write_text(ROSS.replace("mxx = [ 0.0, 0.0,]", "mxx = [ 1.0, 0.0,]"))
    fc.CoefficientTable.read(path, tag="Bearing0")
    assert "added masses mxx are left out" in caplog.text
    # constants, and y as x where nothing is said
    path.write_text("[BearingElement_a]\nkxx = 3.0\ncxx = 2.0\nfrequency = [1.0, 2.0]\n")
    table = fc.CoefficientTable.read(path)
    assert table.stiffness.tolist() == [[[3.0, 0], [0, 3.0]]] * 2


def test_what_ross_needs(tmp_path):
    """The names of ``BearingElement.__init__``; one list of the length of ``frequency`` each."""
    fc.CoefficientTable(X, K, C).write(tmp_path / "b.toml", node=4, tag="drive end")
    data = tomllib.loads((tmp_path / "b.toml").read_text())
    (name, entry), = data.items()  # fmt: skip
    assert name == "BearingElement_drive end" and entry.pop("n") == 4
    assert entry.pop("tag") == "drive end"
    assert {len(z) for z in entry.values()} == {3}
    assert set(entry) == {"frequency"} | {a + b + c for a in "kc" for b in "xy" for c in "xy"}
    assert entry["kxy"] == K[:, 0, 1].tolist() and entry["cyx"] == C[:, 1, 0].tolist()
    fc.CoefficientTable(X, K, C).write(tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_text())["BearingElement_bearing"]["n"] == 0


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_ross_reads_it(tmp_path, ending):
    ross = pytest.importorskip("ross")
    path = tmp_path / f"b.{ending}"
    fc.CoefficientTable(X, K, C, 100.0).write(path, node=2, tag="b")
    element = ross.BearingElement.load(path)
    assert element.n == 2 and element.tag == "b"
    for k, x in enumerate(X):
        assert element.K(x)[:2, :2] == pytest.approx(K[k], rel=1e-9)
        assert element.C(x)[:2, :2] == pytest.approx(C[k], rel=1e-9)
    element.save(tmp_path / f"again.{ending}")
    again = fc.CoefficientTable.read(tmp_path / f"again.{ending}")
    assert again.stiffness == pytest.approx(K) and again.damping == pytest.approx(C)


R, L, GAP, MU, LOAD = 15e-3, 15e-3, 2e-4, 0.04, (0.0, -50.0)


def test_table_of_films():
    """Each row is the coefficients at its speed; a journal on the table behaves so."""
    speeds = [100.0, 200.0, 400.0]
    for film in (
        ShortBearing(R, L, GAP, MU),
        plain_bearing(R, L, GAP, MU, cells=(24, 4), sliding_speed=3.0),
    ):
        table = coefficient_table(film, LOAD, speeds)
        for k, speed in enumerate(speeds):
            found = Coefficients.of(equilibrium(film, LOAD, speed), errors=False)
            assert table.stiffness[k] == pytest.approx(found.stiffness, rel=1e-5)
            assert table.damping[k] == pytest.approx(found.damping, rel=1e-5)
        whirls = coefficient_table(film, LOAD, 200.0, whirl=[50.0, 100.0])
        assert whirls.speed == 200.0 and whirls.frequencies.tolist() == [50.0, 100.0]
        assert whirls.stiffness[0] == pytest.approx(table.stiffness[1], rel=1e-5)
        assert np.array_equal(whirls.damping[0], whirls.damping[1])
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(5.0, (1, 1, 1), angular_velocity=(0, 0, 200.0)))
    system.add(
        fc.BearingCoefficients(
            system.ground, body.center, axis=(0, 0, 1), first=(1, 0, 0), speeds=table.frequencies,
            stiffness=table.stiffness, damping=table.damping,
        )
    )  # fmt: skip
    values = fc.eigenmodes(system, 12, damped=True).eigenvalues
    for wanted in Coefficients(table.stiffness[1], table.damping[1]).eigenvalues(5.0):
        alike = complex(wanted.real, abs(wanted.imag))  # of a pair the upper one is given
        assert np.abs(values - alike).min() < 1e-5 * abs(wanted)


def test_tilting_pads_by_whirl_frequency():
    """Their coefficients change with the frequency of whirl; the speed's own is synchronous."""
    pads = TiltingPad(
        angle=-np.pi / 2, arc=1.0, thickness=0.012, preload=0.3, mass=0.4, inertia=1e-4,
        pivot=PointPivot(radius=0.02, seat=0.025, modulus=1.1e11),
    ).evenly(5)  # fmt: skip
    bearing = TiltingPadBearing(0.05, 0.05, 1e-4, 0.03, pads, sliding_speed=15.0, cells=(12, 4))
    table = coefficient_table(bearing, (0, -5e3), 300.0, whirl=[150.0, 300.0])
    one = coefficient_table(bearing, (0, -5e3), 300.0)
    assert table.stiffness[1] == pytest.approx(one.stiffness[0], rel=1e-6)
    assert abs(table.stiffness[0, 1, 1] / table.stiffness[1, 1, 1] - 1) > 1e-3


def test_bad_input(tmp_path):
    for make, words in (
        (lambda: fc.CoefficientTable([2.0, 1.0], K[:2], C[:2]), "increase"),
        (lambda: fc.CoefficientTable(X, K[:2], C), "stiffness must be finite matrices"),
        (lambda: fc.CoefficientTable(X, K, C * np.nan), "damping must be finite matrices"),
        (lambda: fc.CoefficientTable(X, K, C).write(tmp_path / "b.xlsx"), "suffix"),
        (lambda: fc.CoefficientTable.read(tmp_path / "none.toml"), "cannot be read"),
        (lambda: coefficient_table(ShortBearing(R, L, GAP, MU), LOAD, [1.0, 2.0], whirl=[1.0]),
         "a single speed"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=words):
            make()
    for name, text, words in (
        ("a.toml", "kxx = [", "damaged"),
        ("b.toml", "[DiskElement_one]\nm = 3.0", "has 0 bearings"),
        ("c.toml", ROSS + ROSS.replace("Bearing0]", "other]").split("[Disk")[0], "has 2 bearings"),
        ("d.toml", ROSS.replace("cxx = [ 200.0, 190.0,]", "cxx = [ 200.0,190.0,1.0]"), "2 values"),
        ("e.toml", ROSS.replace("kyx = [ -7.0, -8.0,]", 'kyx = "many"'), "must be numbers"),
        ("f.csv", "frequency,kxx\n1.0,2.0\n", "has no 'cxx'"),
        ("g.csv", "frequency,kxx,cxx\n1.0,2.0\n", "more or fewer values"),
        ("h.csv", "", "has no 'frequency'"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(fc.InputError, match=words):
            fc.CoefficientTable.read(tmp_path / name)

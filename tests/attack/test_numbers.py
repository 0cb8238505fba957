"""Numbers at the ends of the range, keys of any text, cells given twice: a sentence, or numbers."""

import signal
import tomllib

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases, meshes
from fem_clearance.io import toml
from fem_clearance.meshes.mesh import Mesh
from fem_clearance.runs.parameters import Parameter, Values

from ..conftest import shell

pytestmark = pytest.mark.slow

EXTREMES = ("1e308", "-1e308", "1e154", "1e-154", "1e-300", "5e-324", "1e400", "nan", "inf",
            "9" * 5000, "0", "-1", "\u00b2")  # fmt: skip
#: quick cases and the steps of their runs
CASES = {
    "heavy_top": {"t_end": "0.01", "dt": "1e-3"},
    "stick_slip_oscillator": {"t_end": "0.01", "dt": "1e-3"},
    "sliding_pendulum": {"t_end": "1e-3", "dt": "1e-4"},
    "slider_crank_revolute": {"t_end": "1e-4", "dt": "1e-5"},
}


class Hangs(BaseException):
    """A run takes longer than any of these may."""


@pytest.fixture
def clock():
    """Ends what hangs (compiling a form with friction takes a minute)."""

    def late(*_):
        raise Hangs

    before = signal.signal(signal.SIGALRM, late)
    yield signal.alarm
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", CASES)
def test_extreme_numbers(here, capfd, attack, clock, name):
    parameters = cases.get(name).resolve().parameters.values()
    for p in parameters:
        if p.type in (bool, str):
            continue
        for value in EXTREMES:
            given = {**CASES[name], p.name: value}
            words = " ".join(f"{k}={v}" for k, v in given.items())
            with attack("an extreme number", f"{name}: {p.name} = {value[:20]}"):
                capfd.readouterr()
                clock(240)
                try:
                    code = shell(f"run {name} --out run --quiet --force --set {words}")
                except Hangs:
                    pytest.fail("hangs")
                finally:
                    clock(0)
                said = capfd.readouterr().err
                assert code in (0, 2, 3) and "Traceback" not in said, said
                assert len(said) < 1000, said[:1000]
                if code == 0:
                    results = fc.Results.open(here / "run")
                    assert all(np.isfinite(results[n]).all() for n in results.names)


KEYS = ("\u00b5", "a b", 'a"b', "a'b", "a\\b", "a.b", "a..b", ".a", "a.", "#a", "[a]", "a,b",
        "\u4e2d.\u6587", "true", "1", "-", "a:b", "t", "case.x", "x" * 200)  # fmt: skip
TEXTS = ("", "\u00b5m", 'a "quoted" \\ word', "line\nline", "\x00", "\x7f", "# no comment", "'''",
         '"""', "\U0001f642", "\u2028")  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_case_files_are_read_back(here, attack, key):
    """By Python's own TOML reader too."""
    for text in TEXTS:
        with attack("a case file", f"{key!r} = {text!r}"):
            p = [Parameter(key, text, "m\nm", "a\ntext"), Parameter(f"{key}.more", 1.0)]
            values = Values(p, {z.name: z.default for z in p})
            path = here / "case.toml"
            path.write_text(toml.write("mine", values), encoding="utf-8")
            tomllib.loads(path.read_text(encoding="utf-8"))
            assert toml.read(path) == ("mine", dict(values))


def test_keys_given_twice(here, capfd, attack):
    for what, text in {
        "plain": "t_end = 1\nt_end = 2\n",
        "quoted": 'output.every = 1\n"output.every" = 2\n',
        "table": "output.every = 1\n[output]\nevery = 2\n",
    }.items():
        (here / "mine.toml").write_text('case = "heavy_top"\n' + text)
        with attack("a key twice", what):
            assert shell("run mine.toml --out run") == 2
            assert "mine.toml" in capfd.readouterr().err
    for arguments in ("--set t_end=1 --t-end 2", "--set dt=1e-3 --dt 1e-3", "--set dt=1 dt=2"):
        with attack("a key twice", arguments):
            assert shell(f"run heavy_top --out run {arguments}") == 2
            assert "is set twice" in capfd.readouterr().err
    assert not (here / "run").exists()


def test_overflow_in_a_run(here, capfd, attack):
    """A pull that grows without bound ends the run before any row is infinite: a speed of 1e155
    m/s has no energy in numbers."""
    (here / "mine.py").write_text(
        """
import ufl
import fem_clearance as fc

class Burst:
    numbers = (1.0,)
    def expression(self, t, p):
        return p[0] * ufl.exp(8e3 * t)

def build(p):
    system = fc.System(gravity=(0, 0, 0), comm=p.comm)
    speed = (p["speed"], 0, 0)
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=speed, free=True, name="ball"))
    system.add(fc.Force(ball.center, (1, 0, 0), Burst()))
    return system

case = fc.Case("mine", "overflow", build, [fc.Parameter("speed", 0.0, "m/s", "at the start")],
               settings={"t_end": 0.1, "dt": 1e-3, "adaptive": False})
"""
    )
    with attack("an overflow", "in a run"):
        assert shell("run mine.py --out run --quiet --force") == 3
        assert "is no finite number" in capfd.readouterr().err
        results = fc.Results.open(here / "run")
        assert all(np.isfinite(results[n]).all() for n in results.names)
    with attack("an overflow", "at the start"):  # 1e200 squared is no number
        assert shell("run mine.py --out other --quiet --set speed=1e200") in (2, 3)
        assert not (here / "other").exists()


def test_cells_given_twice(attack):
    mesh = meshes.block((1, 1, 1), (2, 2, 2))
    for what, cells in {
        "as it is": np.vstack([mesh.cells, mesh.cells[3:4]]),
        "all": np.vstack([mesh.cells, mesh.cells]),
    }.items():
        tried = attack("a mesh", f"a cell twice, {what}")
        with tried, pytest.raises(fc.InputError, match="given more than once"):
            Mesh(mesh.cell, mesh.points, cells)

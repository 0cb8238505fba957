"""Hostile names: refused where they are given, escaped in every page, never outside the folder."""

import os
import re
import subprocess
import sys
from functools import partial
from html.parser import HTMLParser

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.io.rows import Derived
from fem_clearance.io.vtk import read_vtu
from fem_clearance.program.cli import main

from ..conftest import shell

pytestmark = pytest.mark.slow

REFUSED = (
    "../../x", "..", ".", ".x", "a/b", "/tmp/x", "a\\b", "", " ", "a\0b", "a\nb", "a\x1b[31m",
    "\x7f", "\ud800", "a\u2028b", "a\u202eb", "\ufeff", "x" * 300, "fields", "energy", "time",
    "events", "shape", "figures", "checkpoint", "energy.total", 3, b"x", ("a",),
    "<script>alert(1)</script>",
)  # fmt: skip
STRANGE = (
    "<script>", "<!--<script>", "<img src=x onerror=alert(1)>", "]]>", '"quoted"', "'single'",
    "a&b", "&lt;", "$^$", "{0}", "%s", "${title}", "\u00e9\u00fc\u4e2d", "a b", "a=b", "-x", "*",
    "~", "a:b", "CON", "\U0001f642", "a.b", "ball.x",
)  # fmt: skip


def body(name):
    return fc.RigidBody(1.0, (1, 1, 1), name=name, free=True)


def block(name):
    soft = fc.LinearElastic(E=1e6, nu=0.3, rho=1000.0)
    return fc.Solid(meshes.block((1, 1, 1), (1, 1, 1)), soft, name=name, clamped="x0")


@pytest.mark.parametrize("make", [body, block], ids=["body", "solid"])
def test_names_of_items(here, attack, make):
    for name in REFUSED:
        with attack("a hostile name", f"{make.__name__} {name!r:.40}"):
            with pytest.raises(fc.InputError, match="name"):
                fc.System().add(make(name))
            assert not os.listdir(here)


def test_other_names(here, attack):
    """Of cases, parameters, channels."""
    system = fc.System()
    system.add(body("ball"))
    for name in REFUSED:
        makes = {
            "case": partial(fc.Case, name, "", lambda p: None),
            "parameter": partial(fc.Parameter, name, 1.0),
            "derived channel": partial(
                fc.Simulation, system, t_end=1.0,
                derived=[Derived(name, "m", "", lambda c: 0.0)],
            ),
            "renamed channel": partial(fc.Simulation, system, t_end=1.0, rename={"ball": name}),
        }  # fmt: skip
        harmless = {"case", "parameter", "derived channel", "renamed channel"}
        if isinstance(name, str) and (len(name) > 200 or name[:1] == "." or set(name) & set("/\\")):
            harmless = {"parameter"}  # a key, no file
        elif not isinstance(name, str) or not name.strip() or not name.isprintable():
            harmless = set()
        for what, make in makes.items():
            if what in harmless:
                continue
            tried = attack("a hostile name", f"{what} {name!r:.40}")
            with tried, pytest.raises(fc.InputError, match="name|called"):
                make()
    assert not os.listdir(here)


class Page(HTMLParser):
    """What a browser would find: elements and scripts."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.tags, self.inside = 0, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.scripts += tag == "script"


def test_strange_names_in_every_page(here, attack, capfd):
    """A run whose folder, case, body and channels are called so: its pages hold no elements but
    ours, its files are read back."""
    for k, name in enumerate(STRANGE):
        with attack("a strange name", repr(name)):
            system = fc.System(gravity=(0, -9.81, 0))
            system.add(
                fc.RigidBody(shape=fc.shapes.Sphere(0.1), density=1000, name=name, free=True)
            )
            if k % 6 == 1:  # their pictures take their time
                system.add(block(f"{name}_s"))
            folder = here / "runs" / name
            run = fc.Simulation(
                system, dt=1e-3, t_end=2e-3, output=folder, fields_every=1e-3, progress=False
            )
            run.run()
            names = fc.Results.open(folder).names
            assert any(n.startswith(f"{name}.") for n in names)
            shapes = read_vtu(folder / "fields" / "shape_000001.vtu")
            assert name in shapes["names"]
            assert main(["plot", str(folder), "--quiet"]) == 0
            assert main(["report", str(folder), "--html", "r.html", "--quiet"]) == 0
            assert main(["view", str(folder), "--html", "v.html"]) == 0
            report = Page((here / "r.html").read_text(encoding="utf-8"))
            assert report.scripts == 0 and "alert" not in report.tags
            view = (here / "v.html").read_text(encoding="utf-8")
            assert Page(view).scripts == 1 and view.count("<script") == 1
            assert "<!--" not in view and view.count("</script>") == 1
    assert set(os.listdir(here)) == {"runs", "r.html", "v.html"}


@pytest.mark.parametrize("name", ["<script>", "a\nb", "\udcff", "x" * 250, "$^$"])
def test_folders(here, attack, name):
    """Of runs: whatever the file system bears; never a traceback."""
    with attack("a strange folder", repr(name[:20])):
        command = [sys.executable, "-m", "fem_clearance"]
        run = ["run", "heavy_top", "--dt", "1e-3", "--t-end", "2e-3", "--out", os.fsencode(name)]
        for arguments in (run, ["plot", os.fsencode(name)], ["report", os.fsencode(name)]):
            done = subprocess.run([*command, *arguments, "--quiet"], capture_output=True, cwd=here)
            assert done.returncode in (0, 2, 3), done.stderr
            assert b"Traceback" not in done.stderr, done.stderr


def test_case_of_a_file(here, attack, capfd):
    """A case's name is the default folder of its runs."""
    for name in ("../../x", "/tmp/x", "a/b"):
        (here / "mine.py").write_text(
            f"import fem_clearance as fc\ncase = fc.Case({name!r}, '', lambda p: None)\n"
        )
        with attack("a hostile name", f"case of a file {name!r}"):
            assert shell("run mine.py") == 2
            assert re.search("name of a case", capfd.readouterr().err)
            assert os.listdir(here) == ["mine.py"]


def test_points_of_probes(attack, here):
    """Their names are parts of channels."""
    system = fc.System()
    slider = system.add(body("slider"))
    frame = slider.at((0, 0, 0))
    for name in ("a/b", "../x", "a\0"):
        tried = attack("a hostile name", f"point of a probe {name!r}")
        with tried, pytest.raises(fc.InputError, match="name"):
            fc.GuideProbe(
                system.ground.point((0, 0, 0)), {name: ("upper", frame)}, axis=(1, 0, 0),
                across=(0, 1, 0), gap=1.0,
            )  # fmt: skip
    assert np.all(frame.position == 0)

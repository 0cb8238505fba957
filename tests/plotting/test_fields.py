"""Pictures of the moving bodies: the page for a browser, and PyVista off screen."""

import base64
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.fields.writer import COLLECTION
from fem_clearance.io.vtk import entries, read_vtu
from fem_clearance.plotting import fields


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("view") / "run"
    changes = {"arm.model": "rigid", "dt": 1e-3, "t_end": 0.1, "output.fields_every": 0.02}
    cases.get("double_pendulum").simulation(changes, output=path, progress=False).run()
    return path


def test_page_holds_every_shape(run, tmp_path):
    page = tmp_path / "page.html"
    fields.page(run, page)
    text = page.read_text()
    assert "http" not in re.sub(r"https?://www.w3.org\S*", "", text)  # needs nothing from elsewhere
    data = json.loads(re.search(r"const data = (\{.*\});", text).group(1))
    files = entries(run / "fields" / COLLECTION)
    assert data["times"] == [t for t, _ in files] and len(files) == 6
    points = np.frombuffer(base64.b64decode(data["points"]), "<f4").reshape(6, data["count"], 3)
    for k, (_, name) in enumerate(files):
        np.testing.assert_allclose(points[k], read_vtu(run / "fields" / name)["points"], atol=1e-7)
    assert len(data["faces"]) == len(data["body"]) == 12 and set(data["body"]) == {0, 1}
    assert data["up"] == 1


#: runs the page's script with a canvas that counts polygons
MOCK = """
const html = require("fs").readFileSync(process.argv[1], "utf8");
let fills = 0, next = null;
const pen = new Proxy({}, {get: (o, k) => k in o ? o[k] : () => { if (k === "fill") fills++; },
                           set: (o, k, v) => { o[k] = v; return true; }});
const element = () => ({getContext: () => pen, addEventListener() {},
                        clientWidth: 800, clientHeight: 500});
const elements = {};
global.document = {getElementById: i => elements[i] ??= element()};
global.window = {devicePixelRatio: 1, addEventListener() {}};
global.requestAnimationFrame = f => { next = f; };
global.atob = s => Buffer.from(s, "base64").toString("binary");
eval(html.match(/<script>([^]*)<\\/script>/)[1].replace('"use strict";', ""));
fills = 0;
next(1e6);
console.log(fills, elements.time.value, elements.play.textContent);
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no JavaScript here")
def test_page_plays(run, tmp_path):
    fields.page(run, tmp_path / "page.html")
    command = ["node", "-e", MOCK, str(tmp_path / "page.html")]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.strip() == "12 t = 0.020000 s Pause"


def test_pyvista_draws_off_screen(run, tmp_path):
    if not fields.opengl_works():
        pytest.skip("no OpenGL here")
    from PIL import Image

    fields.window(run, off_screen=True, screenshot=tmp_path / "a.png")
    picture = np.asarray(Image.open(tmp_path / "a.png").convert("RGB")).reshape(-1, 3)
    assert len(np.unique(picture, axis=0)) > 10


def test_messages(run, tmp_path, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(fc.InputError, match="no screen"):
        fields.window(run)
    monkeypatch.setattr(fields, "opengl_works", lambda: False)
    with pytest.raises(fc.InputError, match="apt-get install libgl1"):
        fields.window(run, off_screen=True)
    with pytest.raises(fc.InputError, match="holds no shapes"):
        fields.page(tmp_path, tmp_path / "a.html")
    with pytest.raises(fc.InputError, match="cannot be written"):
        fields.page(run, tmp_path / "no" / "a.html")

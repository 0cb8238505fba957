"""Files that are written: pictures show bodies where they are, pages hold what moves."""

import base64
import gzip
import json
import re
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

import fem_clearance as fc
from fem_clearance.plotting.offscreen import opengl_works
from fem_clearance.plotting.scene import animation, page, window
from fem_clearance.plotting.scene import scene as scenes
from fem_clearance.plotting.scene.scene import Scene

from .motions import CLEARANCE, CRANK, pendulum, slider_crank, small

opengl = pytest.mark.skipif(not opengl_works(), reason="no OpenGL here")


@pytest.fixture(scope="module")
def scene():
    return Scene(*slider_crank(), title="slider-crank")


def near(pixel, color: str) -> bool:
    """Whether a pixel has the hue of a colour, whatever the light."""
    wanted = np.array([int(color[n : n + 2], 16) for n in (1, 3, 5)], float)
    found = np.asarray(pixel, float)
    share = found @ wanted / (np.linalg.norm(found) * np.linalg.norm(wanted))
    return share > 0.995


@opengl
def test_bodies_are_seen_where_they_are(scene):
    """The middle of each link, projected by hand, has the link's colour; a corner is white."""
    k, size = 4, 700
    stage = scene._stage(size)
    stage.show(k)
    image = np.asarray(stage.image())
    view, m = scene.frame, scene.mechanism
    for name in ("crank", "coupler"):
        middle = m.body(name)(k) @ [0, 0, 0, 1]
        x, y = view.pixel(middle[:3] + 2e-3 * m.normal, stage.pixels)
        assert near(image[int(y), int(x)], scene.drawing.colors[name]), name
        # by hand: right and up of the picture from the frame's lower left
        right = (middle[:3] @ view.right - view.low[0]) / (view.high - view.low)[0]
        assert x == pytest.approx(right * stage.pixels[0], abs=2)
    assert (image[2, 2] == 255).all()
    before = image
    stage.show(12)  # everything moves on the same plotter
    assert np.abs(np.asarray(stage.image()).astype(int) - before).max() > 100
    stage.show(k)
    assert np.abs(np.asarray(stage.image()).astype(int) - before).max() < 3
    stage.close()


@pytest.mark.parametrize("made", [slider_crank, pendulum])
@pytest.mark.parametrize("scale", [1e-6, 1e3])
def test_mechanisms_of_any_size_are_drawn_alike(made, scale):
    """Parts have the same boxes, by the scale: micrometres as well as kilometres."""
    one, other = (Scene(*m, clearance_scale=5) for m in (made(), small(made(), scale)))
    assert len(one.parts) == len(other.parts)
    near = 1e-5 * one.mechanism.extent
    for mine, theirs in zip(one.parts, other.parts, strict=True):
        for k in (0, 3):
            a, b = (_placed(part, k) for part in (mine, theirs))
            # an edge about as sharp as those that split points may fall on either side
            assert len(a) == pytest.approx(len(b), rel=0.03), mine.name
            for ends in (np.min, np.max):
                box, other_box = (ends(x, axis=0, initial=0) for x in (a, b / scale))
                np.testing.assert_allclose(other_box, box, rtol=0, atol=near, err_msg=mine.name)


def _placed(part, k: int) -> np.ndarray:
    """Points of a part where it is drawn, none if it is not."""
    mesh = part.mesh(k) if callable(part.mesh) else part.mesh
    pose = np.eye(4) if part.place is None else part.place(k)
    if mesh is None or pose is None:
        return np.zeros((0, 3))
    return mesh.points @ pose[:3, :3].T + pose[:3, 3]


@opengl
def test_pictures_of_micrometres_are_those_of_metres(tmp_path):
    """Pixel by pixel, apart from edges that round-off moves by one."""
    made = slider_crank(), small(slider_crank(), 1e-6)
    scene, other = (Scene(*m, clearance_scale=5) for m in made)
    one, two = (
        np.asarray(Image.open(s.picture(tmp_path / f"{k}.png", at=0.004, size=400)).convert("RGB"))
        for k, s in enumerate((scene, other))
    )
    assert one.shape == two.shape
    differ = np.abs(one.astype(int) - two).max(axis=2)[40:] > 30  # the stamp names a time
    assert differ.mean() < 0.01


@opengl
def test_picture_strip_and_lens(scene, tmp_path):
    plain = Image.open(scene.picture(tmp_path / "a.png", at=0.004, size=500))
    assert max(plain.size) == pytest.approx(500, abs=30)
    lens = Image.open(scene.picture(tmp_path / "b.png", at=0.004, lens="joint", size=500))
    assert lens.width > plain.width + 150
    shown = np.asarray(lens.convert("RGB"))[:, plain.width :].reshape(-1, 3)
    brass = sum(near(p, "#e0b457") for p in shown[::17])
    assert brass > 50  # the bush, magnified
    strip = Image.open(scene.strip(tmp_path / "c.png", count=4, size=800))
    assert strip.width == pytest.approx(800, abs=12)
    with pytest.raises(fc.InputError, match="there is no item 'hinge'; there are O"):
        scene.picture(tmp_path / "d.png", lens="hinge")
    with pytest.raises(fc.InputError, match="cannot be written"):
        (tmp_path / "file").write_text("")
        scene.picture(tmp_path / "file" / "d.png", size=200)


@opengl
def test_animations(scene, tmp_path):
    gif = Image.open(scene.animation(tmp_path / "a.gif", seconds=1.0, fps=8, size=240))
    # pauses are hundredths of a second
    assert (
        gif.n_frames == 8
        and gif.info["duration"] == pytest.approx(125, abs=10)
        and gif.info["loop"] == 0
    )
    few = Image.open(scene.animation(tmp_path / "b.gif", seconds=9.0, fps=8, size=240))
    assert few.n_frames == len(scene.times)
    for bad, words in (({"seconds": 0.0}, "positive"), ({"fps": -1.0}, "positive")):
        with pytest.raises(fc.InputError, match=words):
            scene.animation(tmp_path / "c.gif", **bad)
    with pytest.raises(fc.InputError, match="is a .gif or .mp4"):
        scene.animation(tmp_path / "c.avi")


@opengl
def test_films(scene, tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    import imageio.v3 as iio

    film = iio.imread(scene.animation(tmp_path / "a.mp4", seconds=1.0, fps=8, size=240))
    assert len(film) == 8 and film.shape[1] % 2 == film.shape[2] % 2 == 0
    assert film.std() > 10


def test_what_is_missing_is_said(scene, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(fc.InputError, match=r"MP4 needs imageio-ffmpeg .*write .gif"):
        animation.write(scene, tmp_path / "a.mp4")
    monkeypatch.setattr(scenes, "opengl_works", lambda: False)
    with pytest.raises(fc.InputError, match="apt-get install libgl1.*a page for a browser"):
        scene.picture(tmp_path / "a.png")
    bundle = scene._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}  # a page needs no OpenGL
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(fc.InputError, match="no screen"):
        window.show(scene, 1.0)


# --- the page -----------------------------------------------------------------------------------
def unpacked(text: str):
    """Head and arrays of a page, as its script reads them."""
    raw = gzip.decompress(base64.b64decode(re.search(r'atob\("([^"]*)"\)', text)[1]))
    length = int.from_bytes(raw[:4], "little")
    head, rest = json.loads(raw[4 : 4 + length]), raw[4 + length :]
    return head, lambda place, kind: np.frombuffer(rest[place[0] : place[1]], kind)


def test_page_holds_what_moves(scene, tmp_path):
    text = scene.page(tmp_path / "a.html", seconds=3.0, count=11).read_text(encoding="utf-8")
    assert "http" not in text  # needs nothing from elsewhere
    head, array = unpacked(text)
    assert head["title"] == "slider-crank" and head["seconds"] == 3.0
    np.testing.assert_allclose(head["times"], scene.times[::2])
    assert list(head["views"]) == ["view", "front", "side", "top", "iso"]
    names = {p["name"] for p in head["parts"]}
    assert {"crank", "coupler", "slider", "O", "A", "guide", "joint", "pin"} <= names
    crank = next(p for p in head["parts"] if p["name"] == "crank")
    moves = array(crank["M"], "<f4").reshape(-1, 4, 4)  # by columns
    place = scene.mechanism.body("crank")
    np.testing.assert_allclose(moves, [place(k).T for k in range(0, 21, 2)], atol=1e-6)
    mesh = crank["meshes"][0]
    x = array(mesh["x"], "<f4").reshape(-1, 3)
    assert np.ptp(x[:, 0]) > CRANK and array(mesh["f"], "<u4").max() < len(x)
    assert array(mesh["l"], "<u4").max() < len(x) and len(array(mesh["n"], "i1")) >= x.size
    force = head["channels"]["joint"][0]
    assert force["name"] == "normal_force"
    np.testing.assert_allclose(force["values"], scene.results["joint.normal_force"][::2], rtol=1e-4)


def test_page_is_safe_and_small(tmp_path):
    motion, channels = pendulum()
    text = page.text(Scene(motion, channels, title="</script><img src=x>"))
    assert "<img" not in text and text.count("</script>") == 1
    assert len(text) < 200_000
    inside = page.framed(Scene(motion, channels))
    assert inside.startswith("<iframe srcdoc=") and "<script" not in inside
    with pytest.raises(fc.InputError, match="cannot be written"):
        Scene(motion, channels).page(tmp_path / "no" / "a.html")


#: runs the page's script with a browser that only counts what it is told to draw
MOCK = """
const html = require("fs").readFileSync(process.argv[1], "utf8");
let triangles = 0, lines = 0, next = null;
const constants = {TRIANGLES: 4, LINES: 1};
const gl = new Proxy({}, {get: (o, k) => k in constants ? constants[k]
  : k == "drawElements" ? (mode, n) => { mode == 4 ? triangles++ : lines++; }
  : k == "getShaderParameter" ? () => true : k == k.toUpperCase() ? 0 : () => ({})});
class Element {
  constructor() { this.style = {}; this.children = []; this.value = "1"; }
  getContext() { return gl; }
  append(...x) { this.children.push(...x); }
  replaceChildren(...x) { this.children = x; }
  addEventListener() {}
  get clientWidth() { return 800; }
  get clientHeight() { return 500; }
}
const found = {};
global.document = {createElement: () => new Element(),
                   querySelector: q => found[q] ??= new Element()};
global.window = {devicePixelRatio: 1};
global.location = {hash: ""};
global.addEventListener = () => {};
global.requestAnimationFrame = f => { next = f; };
const script = html.match(/<script type="module">([^]*)<\\/script>/)[1];
const run = Object.getPrototypeOf(async function () {}).constructor;
new run(script)().then(() => {
  next(0);
  triangles = lines = 0;
  next(1000);
  const stamp = found["#stamp"].children[0], bodies = found["aside"].children.length;
  const button = found["#play"].textContent;
  console.log(JSON.stringify({triangles, lines, stamp, bodies, button}));
});
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no JavaScript here")
def test_page_plays(scene, tmp_path):
    scene.page(tmp_path / "a.html", seconds=21.0)
    command = ["node", "-e", MOCK, str(tmp_path / "a.html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["stamp"] == "t = 1.0 ms"  # a second after the start: the next of 21 instants
    assert told["button"] == "❚❚" and told["triangles"] > len(scene.parts) / 2
    names = {p.name for p in scene.parts}
    assert told["bodies"] == len(names) + 1  # and what one can do


# --- the window ---------------------------------------------------------------------------------
@opengl
def test_window(scene):
    seen = window.Window(scene, seconds=2.0, off_screen=True)
    seen.play()
    seen.tick()
    # 21 instants in 2 s, a picture every 40 ms
    assert seen.at == pytest.approx(21 / 2 * 0.04)
    seen.faster(2.0)
    seen.tick()
    assert seen.at == pytest.approx(3 * 21 / 2 * 0.04)
    seen.play()
    seen.tick()
    assert seen.at == pytest.approx(3 * 21 / 2 * 0.04)
    seen.look("front")
    direction = np.array(seen.plotter.camera.position) - seen.plotter.camera.focal_point
    np.testing.assert_allclose(direction / np.linalg.norm(direction), (0, 0, 1), atol=1e-9)
    mesh = seen.stage._shown[0][0]
    assert seen.stage.name_of(mesh) == scene.parts[0].name
    seen.picked(mesh)
    assert seen.words() == scene.parts[0].name  # which has no channels
    joint = next(held[0] for p, held in zip(scene.parts, seen.stage._shown, strict=True)
                 if p.name == "joint" and held is not None)  # fmt: skip
    seen.go(0)
    seen.picked(joint)
    assert seen.words() == "joint\nnormal_force  150"  # 100 + 50 cos(angle) N
    seen.go(5)  # a quarter of two turns in 20 steps: half a turn
    assert seen.words() == "joint\nnormal_force  50"
    seen.plotter.close()


@opengl
def test_in_a_notebook(scene):
    bundle = scene._repr_mimebundle_()
    assert bundle["text/plain"] == "Scene(4 bodies, 6 items, 21 instants)"
    assert bundle["text/html"].startswith("<iframe srcdoc=")
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")


def test_short_forces_lie_in_the_frame():
    """An impact that lasts for one of 51 instants, between those by which the bodies are framed."""
    motion, channels = pendulum(count=51)
    force = np.zeros(51)
    force[27] = 5.0
    channels["joint.normal_force"] = force
    motion.position[:], motion.triad[:] = motion.position[12], motion.triad[12]  # it hangs still
    motion.position[27, motion.scene["items"][0]["frame_j"]] = (CLEARANCE, 0, 0)  # pushed aside
    scene = Scene(motion, channels)
    (arrow,) = (p for p in scene.parts if p.kind == "force" and p.name == "joint")
    seen = arrow.at(27).points @ np.array([scene.frame.right, scene.frame.over]).T
    assert np.all(seen > scene.frame.low) and np.all(seen < scene.frame.high)
    assert arrow.at(26) is None

"""In a notebook: figures show once, objects as HTML, runs their progress. The demos run as such."""

import importlib.util
from pathlib import Path

import pytest

nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

MADE = """
import fem_clearance as fc

system = fc.System()
rod = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=(0, 0, 1)))
results = fc.Simulation(system, t_end=0.1).run()
"""


@pytest.fixture(scope="module")
def book():
    """What a notebook shows: of each cell its outputs."""
    cells = [
        MADE,
        "results.plot('rod.x')",
        "import matplotlib.pyplot as plt\nplt.plot([0, 1]);",
        "results.plot('rod.x')",
        "figure = results.plot('rod.x')",
        "results",
        "system",
        "rod",
    ]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MPLBACKEND", raising=False)
        nbclient.NotebookClient(made, timeout=300).execute()
    return [cell["outputs"] for cell in made.cells]


def shown(outputs):
    """Sorts of the data of each output."""
    return [set(o["data"]) for o in outputs if "data" in o]


def test_a_figure_shows_once(book):
    """One picture of a figure that is the value of its cell, whether pyplot is loaded or not; the
    user's own figures are shown by the notebook's backend as before."""
    pictures = [sum("image/png" in data for data in shown(outputs)) for outputs in book[1:5]]
    assert pictures == [1, 1, 1, 0]


def test_objects_show_as_html(book):
    for outputs, words in zip(book[5:], ("rod.x", "RevoluteJoint", "inertia"), strict=True):
        assert shown(outputs) == [{"text/plain", "text/html"}]
        assert words in outputs[0]["data"]["text/html"]
        assert outputs[0]["data"]["text/plain"].startswith("<")


def test_a_run_shows_its_progress(book):
    """The end of the bar: all of the time, and the number of steps."""
    text = "".join(o.get("text", "") for o in book[0])
    assert "100 %" in text and "t = 0.1/0.1 s" in text and "steps" in text


# --- the demos ----------------------------------------------------------------------------------
ROOT = Path(__file__).parents[1]
#: run with the quick tests; the others take longer
QUICK = ("double_pendulum", "own_law")


def converter():
    """What makes notebooks of the demos for the documentation."""
    path = ROOT / "docs" / "_ext" / "notebooks.py"
    spec = importlib.util.spec_from_file_location("demo_notebooks", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DEMOS = {demo.stem: demo for demo in converter().demos()}


@pytest.mark.parametrize("name", DEMOS)
def test_a_demo_as_a_notebook(name):
    """All of its lines, a title first; nothing asks how the script was called."""
    tools = converter()
    book, text = tools.notebook(DEMOS[name]), DEMOS[name].read_text("utf-8")
    nbformat.validate(book)
    assert book.cells[0].cell_type == "markdown" and book.cells[0].source.startswith("# ")
    assert "sys.argv" not in text and tools.seconds(DEMOS[name]) > 0
    code = [c.source for c in book.cells if c.cell_type == "code"]
    assert len(code) > 1
    kept = "".join("".join(c.source.split()) for c in book.cells)
    lines = [line for line in text.splitlines() if not line.startswith("# %%")]
    marked = "".join("".join(line.removeprefix("# ").split()) for line in lines)
    assert kept.replace("#", "") == marked.replace("#", "")
    compile("\n".join(code), name, "exec")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.slow) for n in DEMOS]
)
def test_a_demo_runs_as_a_notebook(name, tmp_path, monkeypatch):
    """It prints as many lines as the script and shows its picture."""
    monkeypatch.delenv("MPLBACKEND", raising=False)
    book = converter().notebook(DEMOS[name])
    nbclient.NotebookClient(
        book, timeout=1200, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [o for c in book.cells if c.cell_type == "code" for o in c.outputs]
    said = "".join(o["text"] for o in outputs if o.get("name") == "stdout")
    script = ROOT / "docs" / "figures" / "gallery" / f"{name}.txt"
    assert len(said.splitlines()) == len(script.read_text("utf-8").splitlines())
    pictures = sum("image/png" in o["data"] for o in outputs if "data" in o)
    assert pictures > 0

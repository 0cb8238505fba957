"""Figures leave matplotlib as it is: no backend is chosen, and a notebook shows them once."""

import os
import subprocess
import sys

import pytest

MADE = """
import numpy as np
import fem_clearance as fc
from fem_clearance.core.observation import Channel

t = np.linspace(0, 1, 11)
results = fc.Results([Channel("tip.x", "m", "x of the position")], np.column_stack([t, t]))
"""


def test_no_backend_is_chosen(tmp_path):
    """Neither by the package nor by drawing: matplotlib still looks for one when it is asked."""
    program = (
        MADE
        + """
import sys
import matplotlib
import fem_clearance.cases, fem_clearance.program.figures
from fem_clearance.plotting import curves

figure = results.plot("tip.x")
figure.savefig("a.pdf")
curves.draw(__import__("pathlib").Path("."), results)
assert "matplotlib.pyplot" not in sys.modules
assert matplotlib.get_backend(auto_select=False) is None
matplotlib.use("svg")  # the user's choice holds, and figures are drawn all the same
results.plot("tip.x").savefig("b.png")
assert matplotlib.get_backend() == "svg"
"""
    )
    clean = {k: v for k, v in os.environ.items() if k != "MPLBACKEND"}
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=clean)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "b.png").stat().st_size > 5000
    assert (tmp_path / "figures" / "tip.png").exists()


def test_a_notebook_shows_a_figure_once(monkeypatch):
    """One picture for a figure that is the value of its cell, with pyplot loaded or not; the
    user's own figures are shown by the notebook's backend as before."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.delenv("MPLBACKEND", raising=False)
    cells = [
        MADE,
        "results.plot('tip.x')",
        "import matplotlib.pyplot as plt\nplt.plot([0, 1]);",
        "results.plot('tip.x')",
        "figure = results.plot('tip.x')",
        "results",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbclient.NotebookClient(book, timeout=120).execute()
    outputs = [[set(o["data"]) for o in cell["outputs"] if "data" in o] for cell in book.cells]
    pictures = [sum("image/png" in data for data in found) for found in outputs]
    assert pictures == [0, 1, 1, 1, 0, 0]
    assert outputs[5] == [{"text/plain", "text/html"}]

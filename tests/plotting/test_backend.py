"""Figures leave matplotlib as it is: no backend is chosen (see also tests/test_notebooks.py)."""

import os
import subprocess
import sys

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

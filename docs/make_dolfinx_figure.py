"""Draws the hot bar of the page "DOLFINx", bent by its own heat: figures/dolfinx_hot_bar.png.

python docs/make_dolfinx_figure.py
"""

import os
import re
import tempfile
from pathlib import Path

import pyvista

from fem_clearance import _backend  # noqa: F401  (MPI first)

from dolfinx import fem, plot  # isort: skip

HERE = Path(__file__).parent
TARGET = HERE / "figures" / "dolfinx_hot_bar.png"
#: by what displacements are enlarged
ENLARGED = 10


def page() -> dict:
    """What the program of the page leaves behind."""
    text = (HERE / "dolfinx.md").read_text(encoding="utf-8")
    script = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S))
    names: dict = {"__name__": "dolfinx_page"}
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            exec(script, names)
        finally:
            os.chdir(here)
    return names


def main() -> None:
    names = page()
    u, heat = names["warm"], names["T"]
    fine = fem.Function(fem.functionspace(names["msh"], ("Lagrange", 2)))
    fine.interpolate(heat)
    bar = pyvista.UnstructuredGrid(*plot.vtk_mesh(u.function_space))
    bar["K above the reference"] = fine.x.array  # both spaces have the same nodes
    outline = bar.extract_surface(algorithm="dataset_surface").extract_feature_edges()
    bar["u"] = u.x.array.reshape(-1, 3)
    plotter = pyvista.Plotter(off_screen=True, window_size=(1000, 420))
    plotter.add_mesh(
        bar.warp_by_vector("u", factor=ENLARGED), scalars="K above the reference", cmap="inferno",
        clim=(0, 200), scalar_bar_args={"vertical": False, "position_y": 0.02, "width": 0.4,
                                          "position_x": 0.3, "height": 0.12, "n_labels": 3},
    )  # fmt: skip
    plotter.add_mesh(outline, color="grey", line_width=2)
    plotter.camera_position = [(0.2, 0.2, 0.75), (0.2, -0.02, 0.0), (0, 1, 0)]
    plotter.camera.zoom(2.0)
    plotter.screenshot(TARGET)
    print(TARGET.name)


if __name__ == "__main__":
    main()

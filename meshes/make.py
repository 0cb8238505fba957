"""Makes the mesh files of this folder: python meshes/make.py [folder].

Lengths in m. All are quadratic, with curved cells round the holes.
"""

import sys
from pathlib import Path

import numpy as np

from fem_clearance import meshes


def slider():
    """Slider block 0.1 x 0.05 x 0.03 m with a pin hole of radius 0.01 m along z."""
    return meshes.block_with_hole((0.1, 0.05, 0.03), 0.01, (16, 1, 2))


def liner():
    """Bearing liner: bore of radius 0.015 m, 0.01 m thick, 0.03 m long."""
    return meshes.hollow_cylinder(0.015, 0.025, 0.03, (24, 4, 2), grading=1.5)


def rod():
    """Connecting rod 0.01 m thick: holes of radius 0.012 m at the origin and of 0.008 m at
    x = 0.15 m, eyes in square blocks, a shank that tapers between them."""
    big = meshes.block_with_hole((0.04, 0.04, 0.01), 0.012, (16, 1, 2))
    small = meshes.block_with_hole((0.026, 0.026, 0.01), 0.008, (16, 1, 2)).moved(by=(0.15, 0, 0))
    big.facets["big_eye"], small.facets["small_eye"] = big.facets["hole"], small.facets["hole"]
    start, end = 0.02, 0.15 - 0.013

    def place(unit):
        x = start + (end - start) * unit[:, 0]
        height = np.interp(x, [start, end], [0.04, 0.026])
        return np.column_stack([x, (unit[:, 1] - 0.5) * height, (unit[:, 2] - 0.5) * 0.01])

    shank = meshes.structured((6, 4, 1), place, degree=2)
    whole = meshes.join(big, shank, small)
    kept = {name: whole.facets[name] for name in ("big_eye", "small_eye")}
    return meshes.Mesh(whole.cell, whole.points, whole.cells, kept, whole.degree)


def make(folder) -> list[Path]:
    """Write all files into a folder."""
    files = []
    for name, mesh in (
        ("slider", slider()),
        ("slider_tets", meshes.simplices(slider())),
        ("liner", liner()),
        ("rod", rod()),
    ):
        files.append(Path(folder) / f"{name}.msh")
        meshes.write(mesh, files[-1], name)
    return files


if __name__ == "__main__":
    for file in make(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent):
        print(file)

"""Pictures by PyVista without a window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache

import numpy as np

NO_OPENGL = "OpenGL does not work here (Debian: apt-get install libgl1 libegl1 libgl1-mesa-dri)"
#: the same, with what to do about fields of a run
IN_PARAVIEW = f"{NO_OPENGL}; open the .pvd files of the run's fields folder in ParaView instead"


@cache
def opengl_works() -> bool:
    """Whether VTK can draw; tested in another process, since VTK crashes without OpenGL."""
    script = "import pyvista as p; q = p.Plotter(off_screen=True); q.add_mesh(p.Sphere()); "
    script += "q.screenshot(None, return_img=True)"
    try:
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def plotter(size: tuple[int, int]):
    """A PyVista plotter for a white picture of (width, height) pixels without perspective."""
    import pyvista
    from vtkmodules.vtkCommonCore import vtkLogger

    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # "bad X server connection"
    result = pyvista.Plotter(off_screen=True, window_size=size)
    result.set_background("white")
    result.enable_anti_aliasing("ssaa")
    result.enable_parallel_projection()
    return result


def pixels(drawn) -> np.ndarray:
    """What a plotter shows, (height, width, 3)."""
    drawn.renderer.ResetCameraClippingRange()
    drawn.render()  # a screenshot alone shows the previous picture
    return drawn.screenshot(None, return_img=True)


def polygons(faces: np.ndarray | Sequence[Sequence[int]]) -> np.ndarray:
    """Faces, lines or cells, given by their points, in VTK's format: each preceded by its number of
    points."""
    if isinstance(faces, np.ndarray):
        return np.insert(faces, 0, faces.shape[1], axis=1).ravel()
    return np.concatenate([[len(f), *f] for f in faces])

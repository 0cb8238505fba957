"""Meshes of solids: structured ones, gmsh's files, gmsh models in memory.

Example:
    >>> from fem_clearance import meshes
    >>> meshes.block((1, 0.1, 0.1), cells=(10, 1, 1), degree=2)
    >>> meshes.read("rod.msh", scale=1e-3)
"""

from .bodies.gmsh_mesh import from_model, read, write
from .bodies.mesh import Mesh
from .bodies.mesh_tools import join, simplices
from .bodies.structured import block, block_with_hole, hollow_cylinder, structured

__all__ = [
    "Mesh",
    "block",
    "block_with_hole",
    "from_model",
    "hollow_cylinder",
    "join",
    "read",
    "simplices",
    "structured",
    "write",
]

"""Meshes of solids: structured ones, gmsh's files, gmsh models in memory.

Example:
    >>> from fem_clearance import meshes
    >>> meshes.block((1, 0.1, 0.1), cells=(10, 1, 1), degree=2)
    >>> meshes.read("rod.msh", scale=1e-3)
"""

from .gmsh_files import from_model, read, write
from .mesh import Mesh
from .structured import block, block_with_hole, hollow_cylinder, structured
from .tools import join, simplices

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

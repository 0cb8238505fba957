"""DOLFINx: its meshes, tags, Functions and files in multibody systems.

    from fem_clearance import dolfinx as fcd

    rod = fcd.mesh(msh, facet_tags, names={"foot": 1, "end": 2})
    body = system.add(fc.Solid(rod, steel, clamped="foot"))
    u = fcd.to_function(body, system.state, "displacement")

See the page "DOLFINx" of the documentation.
"""

from .field import Field
from .functions import to_function
from .mesh import DolfinxMesh, mesh
from .states import load, save
from .writer import Writer

__all__ = ["DolfinxMesh", "Field", "Writer", "load", "mesh", "save", "to_function"]

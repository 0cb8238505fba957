"""DOLFINx meshes with tags, and DOLFINx's own residual of a solid: the independent side."""

import numpy as np
import ufl
from dolfinx import fem, la
from dolfinx import mesh as dm

from fem_clearance._backend import MPI

NAMES = {"left": 1, "right": 2, "top": 3}


def bar(comm, cell="tetrahedron", cells=(4, 2, 2)):
    """A bar of 1 x 0.5 x 0.5 m with three tagged faces: DOLFINx's mesh and facet tags."""
    msh = dm.create_box(comm, [[0, -0.25, -0.25], [1, 0.25, 0.25]], cells, dm.CellType[cell])
    return msh, tagged(
        msh, lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[0], 1),
        lambda x: np.isclose(x[1], 0.25),
    )  # fmt: skip


def tagged(msh, *where):
    """Facet tags 1, 2, ... where functions of the places say so; the first one wins."""
    d = msh.topology.dim - 1
    tags: dict = {}
    for k, at in enumerate(where, 1):
        for facet in dm.locate_entities_boundary(msh, d, at):
            tags.setdefault(int(facet), k)
    facets = np.array(sorted(tags), np.int32)
    return dm.meshtags(msh, d, facets, np.array([tags[f] for f in facets], np.int32))


def left_over(residual, msh, tags, fixed=1):
    """Largest row of a weak form at nodes without the tag ``fixed``, and the largest sum of a held
    component: residual and reaction by DOLFINx's own assembly, the same on all ranks."""
    form = fem.form(residual)
    r = fem.assemble_vector(form)
    r.scatter_reverse(la.InsertMode.add)
    V = residual.arguments()[0].ufl_function_space()
    n, bs = V.dofmap.index_map.size_local, V.dofmap.bs
    held = np.zeros(n, bool)
    d = fem.locate_dofs_topological(V, msh.topology.dim - 1, tags.find(fixed))
    held[d[d < n]] = True
    rows = r.array[: n * bs].reshape(-1, bs)
    comm = msh.comm
    free = comm.allreduce(float(np.abs(rows[~held]).max(initial=0)), MPI.MAX)
    return free, comm.allreduce(rows[held].sum(axis=0))


def stvk(F, lam, mu):
    """First Piola-Kirchhoff stress of St. Venant and Kirchhoff's law, by hand; in plane strain."""
    one = ufl.Identity(F.ufl_shape[0])
    E = (F.T * F - one) / 2
    return F * (lam * ufl.tr(E) * one + 2 * mu * E)

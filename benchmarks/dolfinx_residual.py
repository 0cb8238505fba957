"""DOLFINx's own residual of a solid's weak form at our solution, as part of the applied force.

python benchmarks/dolfinx_residual.py
"""

import numpy as np
import ufl

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance._backend import MPI

from dolfinx import fem, la  # isort: skip
from dolfinx import mesh as dm  # isort: skip

#: cell, degree, degree of the rule of the strain energy
ELEMENTS = (
    ("tetrahedron", 1, 1),
    ("tetrahedron", 2, 4),
    ("hexahedron", 1, 3),
    ("hexahedron", 2, 5),
)
PULL = (0.0, -2e3, 1e3)


def residual(cell: str, degree: int, rule: int) -> tuple[int, float]:
    """Unknowns, and the largest row at free nodes over the applied force, of a bar of 1 x 0.5 x 0.5
    m under its weight and a traction on its end."""
    size = [[0, -0.25, -0.25], [1, 0.25, 0.25]]
    msh = dm.create_box(MPI.COMM_WORLD, size, [8, 4, 4], dm.CellType[cell])
    ends = [dm.locate_entities_boundary(msh, 2, lambda x, e=e: np.isclose(x[0], e)) for e in (0, 1)]
    order = np.argsort(np.concatenate(ends))
    marks = np.repeat([1, 2], [len(e) for e in ends]).astype(np.int32)
    tags = dm.meshtags(msh, 2, np.concatenate(ends)[order], marks[order])
    law = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    system = fc.System(gravity=(0, -9.81, 0))
    mesh = fcd.mesh(msh, tags, {"foot": 1, "end": 2})
    body = system.add(fc.Solid(mesh, law, degree=degree, clamped="foot", name="bar"))
    system.add(fc.Traction(body.facets("end"), PULL, name="pull"))
    fc.Statics(system, 1, tolerance=1e-12).solve()
    u = fcd.to_function(body, system.state)
    w = ufl.TestFunction(u.function_space)
    F = ufl.Identity(3) + ufl.grad(u)
    G = (F.T * F - ufl.Identity(3)) / 2
    P = F * (law.lam * ufl.tr(G) * ufl.Identity(3) + 2 * law.mu * G)
    form = ufl.inner(P, ufl.grad(w)) * ufl.dx(degree=rule)
    form += 9.81 * law.rho * w[1] * ufl.dx
    load = fem.Constant(msh, PULL)
    form -= ufl.dot(load, w) * ufl.Measure("ds", msh, subdomain_data=tags)(2)
    r = fem.assemble_vector(fem.form(form))
    r.scatter_reverse(la.InsertMode.add)
    held = fem.locate_dofs_topological(u.function_space, 2, tags.find(1))
    rows = r.array.reshape(-1, 3).copy()
    rows[held] = 0.0
    own = u.function_space.dofmap.index_map.size_local
    largest = msh.comm.allreduce(float(np.abs(rows[:own]).max(initial=0)), MPI.MAX)
    return system.state.size, largest / (9.81 * law.rho * 0.25)


def main() -> None:
    print("| cells | degree | unknowns | residual / force |\n|---|---|---|---|")
    for cell, degree, rule in ELEMENTS:
        unknowns, part = residual(cell, degree, rule)
        print(f"| {cell} | {degree} | {unknowns} | {part:.1e} |")


if __name__ == "__main__":
    main()

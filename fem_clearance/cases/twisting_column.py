"""A soft column that twists: 1 x 1 x 6 m, started with an angular velocity 105 sin(pi y / 2L) 1/s.

The benchmark of Bonet, Gil, Lee, Aguirre and Ortigosa (2015, Comput. Methods Appl. Mech. Eng. 283,
doi 10.1016/j.cma.2014.09.024): rubber, E = 17 MPa, rho = 1100 kg/m^3, its base clamped; or the same
column in free flight, where momentum and angular momentum stay what they were.
"""

import numpy as np

import fem_clearance as fc
from fem_clearance import meshes

from .parts.parameters import choice, count, number, quantity

LENGTH, WIDTH = 6.0, 1.0
MATERIALS = {"neo_hookean": fc.NeoHookean, "st_venant_kirchhoff": fc.StVenantKirchhoff}


def build(p):
    n = p["column.cells"]
    mesh = meshes.block(
        (WIDTH, LENGTH, WIDTH), (n, 6 * n, n), center=(0, LENGTH / 2, 0), degree=p["column.degree"]
    )
    if p["column.cell"] == "tetrahedron":
        mesh = meshes.simplices(mesh)

    def velocity(x):
        turning = p["spin"] * np.sin(np.pi * x[:, 1] / (2 * LENGTH))
        return np.column_stack([turning * x[:, 2], np.zeros(len(x)), -turning * x[:, 0]])

    system = fc.System(gravity=(0, 0, 0), up=(0, 1, 0), comm=p.comm)
    column = system.add(
        fc.Solid(
            mesh, MATERIALS[p["column.material"]](p["column.E"], p["column.nu"], p["column.rho"]),
            degree=p["column.degree"], clamped=["y0"] if p["base"] == "clamped" else [],
            free=True, velocity=velocity, lumped=p["column.lumped"], name="column",
        )
    )  # fmt: skip
    corner = column.at((WIDTH / 2, LENGTH, WIDTH / 2))
    system.add(fc.Probe(corner, name="tip"))
    system.add(fc.SolidProbe(column, name="momentum"))
    shifts = [_shift(x, float(start)) for x, start in zip("xyz", corner.position, strict=True)]
    return fc.Model(system, derived=shifts)


def _shift(axis, start):
    return fc.Derived(
        f"tip.u{axis}", "m", f"{axis} of the displacement", lambda q: q[f"tip.{axis}"] - start
    )


def figures(results, p):
    from fem_clearance.plotting.curves import energies, over_time

    yield "tip", over_time(results, ["tip.ux", "tip.uy", "tip.uz"])
    yield "energies", energies(results)
    yield "momentum", over_time(results, ["momentum.py", "momentum.Ly"])


case = fc.Case(
    "twisting_column",
    "a soft column with an initial twist: large rotations and strains",
    build,
    [
        choice("base", "clamped or free", "clamped", "free"),
        number("spin", 105.0, "rad/s", "angular velocity of the top"),
        count("column.cells", 2, "cells across; six times as many along"),
        choice("column.cell", "cells", "hexahedron", "tetrahedron"),
        choice("column.degree", "of the elements", 2, 1),
        choice("column.material", "elastic law", *MATERIALS),
        quantity("column.E", 1.7e7),
        quantity("column.nu", 0.3),
        quantity("column.rho", 1100.0),
        fc.Parameter("column.lumped", False, text="a diagonal mass matrix"),
    ],
    settings={"t_end": 0.3, "dt": 1e-3, "adaptive": False},
    figures=figures,
)  # fmt: skip

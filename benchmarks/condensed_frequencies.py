"""Natural frequencies of a condensed bush against the whole solid's.

A steel bush, bore 10 mm, rim 20 mm and clamped, plane strain: its lowest frequency with the bore
free, by static responses alone and with natural modes beside them.

    python benchmarks/condensed_frequencies.py
"""

import numpy as np

import fem_clearance as fc
from fem_clearance import meshes

STEEL = fc.LinearElastic(E=2e11, nu=0.3, rho=7800.0)
ROWS = (
    ("static responses alone", {"responses": 60, "modes": 0}),
    ("the same and modes by default", {"responses": 60}),
    ('`direction="normal"`, alone', {"responses": 60, "direction": "normal", "modes": 0}),
    ('`direction="normal"` and modes', {"responses": 60, "direction": "normal"}),
)


def lowest(kind, cells, **options) -> tuple[float, fc.Solid]:
    """The lowest natural frequency, kHz, and the body."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.hollow_cylinder(0.01, 0.02, 1.0, cells, degree=2)
    body = system.add(
        kind(mesh, STEEL, state="plane_strain", clamped="rim", name="bush", **options)
    )
    return float(np.abs(fc.eigenmodes(system, 1).eigenvalues[0]) / 2e3 / np.pi), body


def main() -> None:
    """Print the table."""
    print("| cells | kept | shapes | lowest frequency, kHz | error |")
    print("|---|---|---|---|---|")
    for cells in ((48, 3), (96, 8)):
        whole, body = lowest(fc.Solid, cells)
        size = f"{cells[0]} x {cells[1]}"
        print(f"| {size} | `Solid` | {(~body.fixed).sum()} unknowns | {whole:.3f} | |")
        for name, options in ROWS:
            found, body = lowest(fc.CondensedSolid, cells, facets="bore", inertia=True, **options)
            error = f"{100 * (found / whole - 1):+.1f} %"
            if abs(found / whole - 1) < 1e-8:
                error = "< 1e-8"
            print(f"| {size} | {name} | {len(body.stiffness)} | {found:.3f} | {error} |")


if __name__ == "__main__":
    main()

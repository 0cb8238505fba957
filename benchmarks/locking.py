"""Sag of a cantilever of solid elements by Timoshenko's, and what the elements cost.

    python benchmarks/locking.py

Prints a table: cells, element, tip by Timoshenko's, unknowns, CPU time of one residual and of one
tangent and its factors (the least of several). Compilation is not counted.
"""

import time

import numpy as np

import fem_clearance as fc
from fem_clearance.core.linear_solvers import Factors
from fem_clearance.statics.linearised import Linearised

E, NU, L, H, FORCE = 2e11, 0.3, 1.0, 0.1, 1e4
ELEMENTS = {
    "degree 1": {"degree": 1},
    "incompatible modes": {"incompatible_modes": True},
    "degree 2": {"degree": 2},
}


def least(work, times=5):
    """The least CPU time of some runs, s."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def run(cells, options):
    """Tip by Timoshenko's, unknowns, seconds of a residual and of a tangent with its factors."""
    steel = fc.StVenantKirchhoff(E=E, nu=NU, rho=7800)
    mesh = fc.meshes.block((L, H, H), cells, center=(L / 2, 0, 0))
    system = fc.System(gravity=(0, 0, 0))
    bar = system.add(fc.Solid(mesh, steel, clamped="x0", **options))
    system.add(fc.Traction(bar.facets("x1"), (0, -FORCE / H**2, 0)))
    system.add(fc.Probe(bar.at((L, H / 2, H / 2)), name="tip"))
    sag = H / 2 - fc.Statics(system).solve()["tip.y"][-1]
    bending = FORCE * L**3 / (3 * E * H**4 / 12)
    exact = bending + FORCE * L / (5 / 6 * steel.mu * H**2)
    state = system.state
    linear = Linearised(state)

    def factorise():
        A = linear.assemble(state.tangent(0.0, 0.0))
        factors = Factors(A)
        factors.solve(np.ones(state.size))
        factors.destroy()
        A.destroy()

    return sag / exact, state.size, least(state.residual), least(factorise)


def main():
    print("| cells | element | tip | unknowns | residual, ms | tangent and factors, ms |")
    print("|---|---|---|---|---|---|")
    for cells in ((10, 1, 1), (20, 2, 2), (40, 4, 4)):
        for name, options in ELEMENTS.items():
            tip, size, residual, tangent = run(cells, options)
            row = " x ".join(map(str, cells)), name, f"{tip:.3f}", f"{size}"
            print("|", " | ".join((*row, f"{1e3 * residual:.2f}", f"{1e3 * tangent:.1f}")), "|")


if __name__ == "__main__":
    main()

"""Factors and solves of chains: the package's own beside PETSc's LU in the same order.

    python benchmarks/table_factors.py [NAME ...]

CPU time in us, least of several, PETSc's in brackets, with the matrix of a running system.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import problems as p

import fem_clearance as fc
from fem_clearance._backend import PETSc
from fem_clearance.core.nodes import node_factors

#: name: system, step
PROBLEMS = {
    "5 quadratic beams": (lambda: p.pendulum(5, "quadratic"), 1e-3),
    "20 quadratic beams": (lambda: p.pendulum(20, "quadratic"), 1e-3),
    "20 ANCF beams": (lambda: p.pendulum(20, "ancf"), 1e-3),
    "5 cables": (lambda: p.pendulum(5), 1e-3),
    "20 cables": (lambda: p.pendulum(20), 1e-3),
    "200 cables": (lambda: p.pendulum(200), 1e-3),
    "P2, rigid arms": (p.rigid_arms, 5e-6),
    "spatial slider-crank": (p.spatial_slider_crank, 1e-3),
}


def least(work: Callable[[], object], times: int) -> float:
    """CPU time of a call in us, least of seven rounds."""
    best = float("inf")
    for _ in range(7):
        tic = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - tic) / times)
    return 1e6 * best


def row(name: str) -> str:
    """A line of the table."""
    make, h = PROBLEMS[name]
    stepper = fc.Stepper(make(), dt=h, t_end=100 * h)
    stepper.start()
    for _ in range(20):
        stepper.advance()
    A = stepper.newton.A
    own = node_factors(*A.getRowIJ()[:2], stepper.state.problem.module)
    assert own is not None
    x, b = A.createVecs()
    b.array[:] = np.random.default_rng(1).normal(size=b.local_size)
    factors, solves = [], []
    for mine in (True, False):
        pc = PETSc.PC().create()
        pc.setOperators(A)
        if mine:
            own.attach(pc)
        else:
            pc.setType("lu")
            pc.setFactorOrdering("natural")

        def again(pc=pc) -> None:
            A.stateIncrease()
            pc.setUp()

        factors.append(least(again, 300))
        solves.append(least(lambda pc=pc: pc.apply(b, x), 2000))
    size, _ = A.getSize()
    return (
        f"| {name} | {size} | {factors[0]:.3g} ({factors[1]:.3g}) | "
        f"{solves[0]:.3g} ({solves[1]:.3g}) |"
    )


def main() -> None:
    print("| | unknowns | factors | a solve |\n|---|---|---|---|")
    for name in sys.argv[1:] or PROBLEMS:
        print(row(name), flush=True)


if __name__ == "__main__":
    main()

"""Slider-crank with an elastic slider in a guide with clearance (P4): CPU time a step.

    python benchmarks/bench_slider.py [--steps 200] [--dt 2e-5]
    mpirun -n 2 python benchmarks/bench_slider.py

Crank .05 m (.30 kg), rod .12 m (.21 kg), 600 rpm; slider 50 x 50 x 20 mm of steel, trilinear
hexahedra, .5 mm of play a side; both faces touch their guide by a pressure of as much stiffness as
1e7 N/m a node. Fixed steps from the stretched position, velocities of ideal joints.
"""

import argparse
import json
import time

import numpy as np

import fem_clearance as fc
from fem_clearance import meshes

CRANK, ROD, PLAY, SPEED = 0.05, 0.12, 5e-4, 600 * 2 * np.pi / 60
SIZE, STEEL = (0.05, 0.05, 0.02), fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
MESHES = ((8, 8, 2), (12, 12, 4), (16, 16, 6))
AXIS = (0, 0, 1)


def model(cells):
    """System and its slider."""
    system = fc.System(gravity=(0, 0, 0))
    a = np.array([CRANK, 0, 0])
    b = a + [ROD, 0, 0]
    crank = system.add(
        fc.RigidBody(0.3, (1e-6, 6.3e-5, 6.3e-5), position=a / 2, name="crank",
                     velocity=(0, SPEED * CRANK / 2, 0), angular_velocity=(0, 0, SPEED))
    )  # fmt: skip
    rod = system.add(
        fc.RigidBody(0.21, (1e-6, 2.5e-4, 2.5e-4), position=(a + b) / 2, name="rod",
                     velocity=(0, SPEED * CRANK / 2, 0),
                     angular_velocity=(0, 0, -SPEED * CRANK / ROD))
    )  # fmt: skip
    pivot = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), AXIS, name="O"))
    system.add(fc.RotationDriver(pivot.i, pivot.j, AXIS, fc.Linear(SPEED), name="drive"))
    system.add(fc.RevoluteJoint(crank.at(a), rod.at(a), AXIS, name="A"))
    slider = system.add(
        fc.Solid(meshes.block(SIZE, cells, center=b), STEEL, name="slider",
                 damping=fc.Damping(1e-7))
    )  # fmt: skip
    end = system.add(fc.Attachment(slider.facets("x0"), name="pin"))
    system.add(fc.RevoluteJoint(rod.at(b), end.at(b), AXIS, name="B"))
    nodes = (cells[0] + 1) * (cells[2] + 1)
    stiffness = 1e7 * nodes / (SIZE[0] * SIZE[2])
    for side, facets in (("upper", "y1"), ("lower", "y0")):
        system.add(
            fc.GuideContact(
                system.ground.point(b), slider.facets(facets), (1, 0, 0), (0, 1, 0), side=side,
                gap=SIZE[1] + 2 * PLAY, law=fc.Winkler(stiffness, 0.1), name=side,
                resolution=4,
            )
        )  # fmt: skip
    return system, slider


def run(cells, dt, steps):
    system, slider = model(cells)
    stepper = fc.Stepper(system, dt=dt, t_end=dt * steps)
    stepper.start()
    stepper.advance()
    touched, tic, cpu = 0, time.perf_counter(), time.process_time()
    while stepper.t < stepper.t_end:
        stepper.advance()
        touched += (
            stepper.channels["upper.normal_force"] + stepper.channels["lower.normal_force"] > 0
        )
    wall, cpu = time.perf_counter() - tic, time.process_time() - cpu
    return {
        "solid_unknowns": 3 * len(slider.nodes), "unknowns": int(stepper.state.size),
        "ranks": system.comm.size, "steps": stepper.steps, "touching": int(touched),
        "wall_ms_a_step": 1e3 * wall / (stepper.steps - 1),
        "cpu_ms_a_step": 1e3 * cpu / (stepper.steps - 1),
    }  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--dt", type=float, default=2e-5)
    parser.add_argument("--meshes", type=int, default=3)
    options = parser.parse_args()
    from mpi4py import MPI

    for cells in MESHES[: options.meshes]:
        found = run(cells, options.dt, options.steps)
        if MPI.COMM_WORLD.rank == 0:
            print(json.dumps(found), flush=True)

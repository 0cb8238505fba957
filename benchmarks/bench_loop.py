"""The time loop against Exudyn: CPU time of a step, the same problems and steps in the same run.

    python benchmarks/bench_loop.py [--rounds 3] [--quick]

P1: flexible pendulum of 5 and 20 thin cable elements (Tian et al. 2009, table 1), steps of 1 ms.
P2: double pendulum, two arms of 6 such elements, a spherical clearance joint between them
(section 6.1, no friction), steps of 10 us.

Exudyn runs its fast build, EigenSparse, modified Newton, relative tolerance 1e-8 (and 1e-6 N: with
1e-8 N its steel cables do not converge); in P2 its built-in hollow sphere, with Hunt and Crossley's
law and the restitution that gives it the hysteresis of Lankarani and Nikravesh's. Runs alternate,
so that the load of the machine hits both; medians of the rounds are compared.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

import fem_clearance as fc

RUBBER = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
SOCKET, BALL, RESTITUTION, STIFFNESS = 0.02, 0.018, 0.9, 1.476e10


# --- fem_clearance --------------------------------------------------------------------------------
def pendulum(elements):
    system = fc.System()
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), RUBBER, elements, model="cable")
    )
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    return system, beam.end


def clearance():
    system = fc.System()
    places = ((0, 0, 0), (0.3, 0, 0), (0.3, 0, 0.3))
    first, second = (
        system.add(fc.Beam(a, b, fc.Rectangle(0.01, 0.01), STEEL, 6, model="cable"))
        for a, b in zip(places[:-1], places[1:], strict=True)
    )
    system.add(fc.SphericalJoint(system.ground, first.start))
    system.add(
        fc.SphericalClearance(
            first.end,
            second.start,
            socket_radius=SOCKET,
            ball_radius=BALL,
            radii="sum",
            normal=fc.LankaraniNikravesh(restitution=RESTITUTION),
            name="joint",
        )  # fmt: skip
    )
    system.add(fc.Probe(second.end, name="tip"))
    return system, second.end


def ours(model, h, steps, record=False):
    """CPU time of a step in us, Newton iterations a step, and the position of the tip."""
    system, tip = model()
    stepper = fc.Stepper(system, dt=h, t_end=steps * h)
    stepper.start()
    before, channels = stepper.newton.iterations, stepper.channels
    tic = time.process_time()
    while stepper.t < stepper.t_end:
        stepper.advance()
        if record:
            channels.values  # noqa: B018  (reads them)
    spent = time.process_time() - tic
    place = stepper.state.q[tip.refs[0].numbers]
    return 1e6 * spent / steps, (stepper.newton.iterations - before) / steps, place.tolist()


# --- Exudyn ---------------------------------------------------------------------------------------
def exudyn_pendulum(elements):
    mbs = new_system()
    nodes = exudyn_beam(mbs, (0, 0, 0), (1, 0, 0), elements, RUBBER, 0.02, pinned=True)
    return mbs, nodes[-1]


def exudyn_clearance():
    from exudyn import itemInterface as item  # noqa: N813

    mbs = new_system()
    places = ((0, 0, 0), (0.3, 0, 0), (0.3, 0, 0.3))
    first, second = (
        exudyn_beam(mbs, a, b, 6, STEEL, 0.01, pinned=k == 0)
        for k, (a, b) in enumerate(zip(places[:-1], places[1:], strict=True))
    )
    markers = [mbs.AddMarker(item.MarkerNodePosition(nodeNumber=n)) for n in (second[0], first[-1])]
    data = mbs.AddNode(
        item.NodeGenericData(initialCoordinates=[SOCKET - BALL, 0, 0, 0], numberOfDataCoordinates=4)
    )
    factor = 0.75 * (1 - RESTITUTION**2)
    mbs.AddObject(
        item.ObjectContactSphereSphere(
            markerNumbers=markers,
            nodeNumber=data,
            spheresRadii=[BALL, SOCKET],
            isHollowSphere1=True,
            contactStiffness=STIFFNESS,
            contactStiffnessExponent=1.5,
            impactModel=1,
            restitutionCoefficient=1 - factor / 1.5,
            minimumImpactVelocity=1e-3,
        )  # fmt: skip
    )
    return mbs, second[-1]


def new_system():
    sys.exudynFast = getattr(sys, "exudynFast", True)
    import exudyn

    exudyn.config.printToConsole = False
    return exudyn.SystemContainer().AddSystem()


def exudyn_beam(mbs, start, end, elements, material, width, pinned):
    from exudyn.beams import GenerateBeamElementsAlongLine
    from exudyn.itemInterface import ObjectANCFCable

    area = width**2
    template = ObjectANCFCable(
        massPerLength=material.rho * area, bendingStiffness=material.E * area**2 / 12,
        axialStiffness=material.E * area, useReducedOrderIntegration=1,
    )  # fmt: skip
    return GenerateBeamElementsAlongLine(
        mbs, list(start), list(end), elements, template, gravity=[0, -9.81, 0],
        groundConstraintsStart=[1, 1, 1, 0, 0, 0] if pinned else None,
    )["nodes"]  # fmt: skip


def exudyn(model, h, steps, tolerance=1e-8, absolute=1e-6):
    """CPU time of a step in us, Newton iterations a step, and the position of the tip."""
    mbs, tip = model()
    import exudyn as exu

    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, steps * h, 0
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.newton.useModifiedNewton = True
    integration.discontinuous.maxIterations = 1
    integration.discontinuous.ignoreMaxIterations = True
    integration.newton.relativeTolerance = tolerance
    integration.newton.absoluteTolerance = absolute
    tic = time.process_time()
    if not mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha):
        raise RuntimeError("Exudyn found no solution")
    spent = time.process_time() - tic
    iterations = mbs.sys["dynamicSolver"].it.newtonStepsCount / steps
    place = mbs.GetNodeOutput(tip, exu.OutputVariableType.Position)
    return 1e6 * spent / steps, iterations, [float(x) for x in place]


# --- comparison -----------------------------------------------------------------------------------
def compare(name, ours_model, exudyn_model, h, steps, rounds):
    """Medians of alternating runs, and what both found."""
    runs = {"exudyn": [], "fem_clearance": [], "fem_clearance, recording": []}
    ours(ours_model, h, 2)  # compiles the forms
    for _ in range(rounds):
        runs["exudyn"].append(exudyn(exudyn_model, h, steps))
        runs["fem_clearance"].append(ours(ours_model, h, steps))
        runs["fem_clearance, recording"].append(ours(ours_model, h, steps, record=True))
    result = {"problem": name, "h": h, "steps": steps, "rounds": rounds}
    for who, each in runs.items():
        result[who] = {
            "us_per_step": statistics.median(r[0] for r in each),
            "all_us_per_step": [r[0] for r in each],
            "iterations_per_step": each[0][1],
            "tip": each[0][2],
        }
    peer = result["exudyn"]["us_per_step"]
    for who in list(runs)[1:]:
        result[who]["times_faster"] = peer / result[who]["us_per_step"]
    print(f"{name:28}", end="")
    for who in runs:
        own = result[who]
        print(f"{own['us_per_step']:9.1f} us ({own['iterations_per_step']:.1f})", end="")
        print(f" x{own['times_faster']:5.2f}" if "times_faster" in own else "      ", end="")
    print()
    for who in list(runs)[:2]:
        place = " ".join(f"{x:.6f}" for x in result[who]["tip"])
        print(f"{'':28}{who}: tip at {steps * h:g} s {place}")
    return result


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps")
    options = parser.parse_args()
    try:
        import exudyn  # noqa: F401
    except ImportError:
        print("this benchmark needs Exudyn: pip install -e '.[bench]'")
        return
    scale = 10 if options.quick else 1
    print(
        f"{'CPU time a step (iterations)':28}{'exudyn':>18}{'fem_clearance':>27}{'recording':>25}"
    )
    results = [
        compare(f"P1, {n} elements", lambda n=n: pendulum(n), lambda n=n: exudyn_pendulum(n), 1e-3,
                5000 // scale, options.rounds)
        for n in (5, 20)
    ]  # fmt: skip
    results.append(
        compare(
            "P2, 2 x 6, contact", clearance, exudyn_clearance, 1e-5, 10000 // scale, options.rounds
        )
    )
    folder = Path(__file__).with_name("results")
    folder.mkdir(exist_ok=True)
    about = {
        "machine": platform.processor() or platform.machine(), "cores": os.cpu_count(),
        "load": os.getloadavg(), "exudyn": exudyn.__version__, "time": time.strftime("%F %T"),
    }  # fmt: skip
    path = folder / time.strftime("loop-%Y%m%d-%H%M%S.json")
    path.write_text(json.dumps({"about": about, "results": results}, indent=1))
    print(f"written to {path}")


if __name__ == "__main__":
    main()

"""The problems of the benchmarks, in fem_clearance and in Exudyn, and how each is run.

P1: flexible pendulum of Tian et al. (2009), table 1. P2: double pendulum with a spherical clearance
joint (section 6.1, no friction), second arm perpendicular; flexible or rigid arms.
"""

import sys
import time
from math import inf

import numpy as np

import fem_clearance as fc

RUBBER = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
SOCKET, BALL, RESTITUTION, STIFFNESS = 0.02, 0.018, 0.9, 1.476e10
#: joints and free end of the double pendulum, and width of its arms, m
PLACES, WIDTH = ((0, 0, 0), (0.3, 0, 0), (0.3, 0, 0.3)), 0.01
ARMS = tuple(zip(PLACES[:-1], PLACES[1:], strict=True))


# --- fem_clearance --------------------------------------------------------------------------------
def pendulum(elements, model="cable"):
    system = fc.System()
    options = {} if model == "cable" else {"poisson": "split", "section_model": "plane"}
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), RUBBER, elements, model=model,
                **options)
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


def flexible_arms():
    system = fc.System()
    first, second = (
        system.add(fc.Beam(a, b, fc.Rectangle(WIDTH, WIDTH), STEEL, 6, model="cable"))
        for a, b in ARMS
    )
    return _joined(system, (first.start, first.end), (second.start, second.end))


def rigid_arms():
    system = fc.System()
    ends = []
    for a, b in np.array(ARMS):
        arm = system.add(
            fc.RigidBody(shape=fc.shapes.Box(*np.abs(b - a) + WIDTH * (a == b)), density=STEEL.rho,
                         position=(a + b) / 2)
        )  # fmt: skip
        ends.append([arm.at(x) for x in (a, b)])
    return _joined(system, *ends)


def _joined(system, first, second):
    system.add(fc.SphericalJoint(system.ground, first[0]))
    system.add(
        fc.SphericalClearance(
            first[1],
            second[0],
            socket_radius=SOCKET,
            ball_radius=BALL,
            radii="sum",
            materials=(STEEL, STEEL),
            normal=fc.LankaraniNikravesh(restitution=RESTITUTION, approach_speed="first_touch"),
            name="joint",
        )
    )
    system.add(fc.Probe(second[1], name="tip"))
    return system


def spatial_slider_crank():
    """A crank of 0.08 m turns about x at 6 rad/s, a rod of 0.3 m moves a slider along x."""
    system = fc.System(gravity=(0, 0, -9.81))
    pivot, pin, end = np.array([0, 0.1, 0.12]), np.array([0, 0.1, 0.2]), np.array([0.2, 0, 0])
    across, along = np.cross((pin - end) / 0.3, (1, 0, 0)), (end - pin) / 0.3
    across /= np.linalg.norm(across)
    axes = np.column_stack([along, across, np.cross(along, across)])
    crank = system.add(
        fc.RigidBody(0.12, (1e-4, 1e-4, 1e-5), position=(pivot + pin) / 2, name="crank",
                     velocity=np.cross((6, 0, 0), (pin - pivot) / 2), angular_velocity=(6, 0, 0))
    )  # fmt: skip
    rod = system.add(
        fc.RigidBody(0.5, (4e-4, 4e-3, 4e-3), position=(pin + end) / 2, orientation=axes,
                     name="rod")
    )  # fmt: skip
    slider = system.add(fc.RigidBody(2.0, (1e-4,) * 3, position=end, name="slider"))
    system.add(fc.RevoluteJoint(system.ground, crank.at(pivot), axis=(1, 0, 0)))
    system.add(fc.SphericalJoint(crank.at(pin), rod.at(pin)))
    system.add(fc.UniversalJoint(rod.at(end), slider.at(end), across, (1, 0, 0)))
    system.add(fc.PrismaticJoint(system.ground, slider.at(end), axis=(1, 0, 0)))
    return system


def ours(system, h, steps, record=False):
    """CPU time of a step in us, iterations a step, the tip's last place; when ``record``ing, which
    keeps every channel of each step, also the joint's largest force. Counted are the steps
    taken, some more than asked for where the contact needs shorter ones (Exudyn's go on)."""
    stepper = fc.Stepper(system, dt=h, t_end=steps * h)
    stepper.start()
    before, channels = stepper.newton.iterations, stepper.channels
    if record:
        stepper.march.watch(None)
    has_joint = "joint.normal_force" in channels.names
    force = channels.names.index("joint.normal_force") if has_joint else 0
    peak = 0.0
    tic = time.process_time()
    while stepper.t < stepper.t_end:
        last = stepper.steps
        stepper.advance(inf)
        if record:
            rows = stepper.march.rows
            peak = max(peak, rows[:, 1 + force].max(initial=0.0))
            if stepper.steps - last > len(rows):  # the last step was one of its own
                peak = max(peak, channels.values[force])
    spent = time.process_time() - tic
    result = {
        "us_per_step": 1e6 * spent / stepper.steps,
        "iterations_per_step": (stepper.newton.iterations - before) / stepper.steps,
        "tip": [channels[f"tip.{x}"] for x in "xyz"],
    }
    stepper.destroy()
    return result | ({"peak_force": float(peak)} if record and has_joint else {})


# --- Exudyn ---------------------------------------------------------------------------------------
def exudyn_pendulum(elements):
    mbs = new_system()
    nodes = _cables(mbs, (0, 0, 0), (1, 0, 0), elements, RUBBER, 0.02, pinned=True)
    return mbs, ("node", nodes[-1]), None


def exudyn_flexible_arms():
    from exudyn import itemInterface as item  # noqa: N813

    mbs = new_system()
    first, second = (
        _cables(mbs, a, b, 6, STEEL, WIDTH, pinned=k == 0) for k, (a, b) in enumerate(ARMS)
    )
    markers = [mbs.AddMarker(item.MarkerNodePosition(nodeNumber=n)) for n in (second[0], first[-1])]
    return mbs, ("node", second[-1]), _hollow_sphere(mbs, markers)


def exudyn_rigid_arms():
    from exudyn import itemInterface as item  # noqa: N813
    from exudyn.utilities import InertiaCuboid

    mbs = new_system()
    bodies = []
    for a, b in np.array(ARMS):
        inertia = InertiaCuboid(STEEL.rho, [*np.abs(b - a) + WIDTH * (a == b)])
        bodies.append(
            mbs.CreateRigidBody(
                referencePosition=[*(a + b) / 2], inertia=inertia, gravity=[0, -9.81, 0]
            )
        )

    def marker(body, end):  # the end of a body that starts (-1) or ends (1) there
        (a, b), side = np.array(ARMS[body]), end
        return mbs.AddMarker(
            item.MarkerBodyRigid(bodyNumber=bodies[body], localPosition=[*side * (b - a) / 2])
        )

    origin = mbs.AddObject(item.ObjectGround())
    ground = mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=origin))
    mbs.AddObject(item.ObjectJointSpherical(markerNumbers=[ground, marker(0, -1)]))
    contact = _hollow_sphere(mbs, [marker(1, -1), marker(0, 1)])
    return mbs, ("marker", marker(1, 1)), contact


def new_system():
    sys.exudynFast = getattr(sys, "exudynFast", True)
    import exudyn

    exudyn.config.printToConsole = False
    return exudyn.SystemContainer().AddSystem()


def _cables(mbs, start, end, elements, material, width, pinned):
    """Numbers of the nodes of a line of cable elements."""
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


def _hollow_sphere(mbs, markers):
    """Exudyn's built-in contact, with Hunt and Crossley's law and the restitution that gives it the
    hysteresis of Lankarani and Nikravesh's."""
    from exudyn import itemInterface as item  # noqa: N813

    data = mbs.AddNode(
        item.NodeGenericData(initialCoordinates=[SOCKET - BALL, 0, 0, 0], numberOfDataCoordinates=4)
    )
    factor = 0.75 * (1 - RESTITUTION**2)
    return mbs.AddObject(
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
        )
    )


def exudyn_settings(h, steps, tolerance=1e-8, absolute=1e-6):
    """Settings of fixed steps ``h`` as the time loop of ``ours`` takes them."""
    import exudyn as exu

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
    return settings


def exudyn(problem, h, steps, record=False, tolerance=1e-8, absolute=1e-6):
    """As ``ours``; ``record``ing keeps the contact's force only."""
    import exudyn as exu
    from exudyn.itemInterface import SensorObject

    mbs, (kind, number), contact = problem
    sensor = None
    if record and contact is not None:
        sensor = mbs.AddSensor(
            SensorObject(objectNumber=contact, outputVariableType=exu.OutputVariableType.Force,
                         storeInternal=True, writeToFile=False)
        )  # fmt: skip
    mbs.Assemble()
    settings = exudyn_settings(h, steps, tolerance, absolute)
    if sensor is not None:
        settings.solution.sensors.writePeriod = h
    tic = time.process_time()
    if not mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha):
        raise RuntimeError("Exudyn found no solution")
    spent = time.process_time() - tic
    output = mbs.GetNodeOutput if kind == "node" else mbs.GetMarkerOutput
    result = {
        "us_per_step": 1e6 * spent / steps,
        "iterations_per_step": mbs.sys["dynamicSolver"].it.newtonStepsCount / steps,
        "tip": [float(x) for x in output(number, exu.OutputVariableType.Position)],
    }
    if sensor is not None:
        force = mbs.GetSensorStoredData(sensor)[:, 1:]
        result["peak_force"] = float(np.linalg.norm(force, axis=1).max())
    return result

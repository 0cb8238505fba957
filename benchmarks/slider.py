"""P4, a slider-crank with an elastic slider in a guide with clearance, in fem_clearance and Exudyn.

Crank .05 m (.30 kg) at 600 rpm, rod .12 m (.21 kg); slider 50 x 50 x 20 mm of steel, trilinear
hexahedra, pinned in the middle of its rear face; .5 mm of clearance a side; 1e7 N/m and 20 N s/m a
node of the faces that may touch. No gravity; from the stretched position with the velocities of
ideal joints. Same cells, densities, dampings, joints on frames that follow the mean of the
rear face.

What differs: Exudyn's slider is linear (its stiffness does not turn with it, which a tilt of .02
is small enough for; full floating frames of reference were slower), and touches by springs at its
nodes where ours integrates a pressure of the same stiffness over its facets.
"""

import numpy as np
import problems
from scipy.sparse import csr_matrix

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.statics.linearised import Linearised

CRANK, ROD, PLAY, SPEED = 0.05, 0.12, 5e-4, 600 * 2 * np.pi / 60
#: mass kg, moments of inertia kg m^2
BARS = {"crank": (0.3, (1e-6, 6.3e-5, 6.3e-5)), "rod": (0.21, (1e-6, 2.5e-4, 2.5e-4))}
SIZE, STEEL = (0.05, 0.05, 0.02), fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
RETARDATION = 1e-7  # of the steel, s
STIFFNESS, DAMPING = 1e7, 20.0  # of a node, N/m, N s/m
DEPTH = 1e-5  # at which the damping of our contact, proportional to the depth, is as large, m
MESHES = ((8, 8, 2), (12, 12, 4), (16, 16, 6))
AXIS = (0, 0, 1)
#: pins of crank and rod, and of rod and slider, at the start, m
A, B = np.array([CRANK, 0, 0]), np.array([CRANK + ROD, 0, 0])
FACES = {"upper": "y1", "lower": "y0"}


def velocities(name):
    """Of the middle, m/s, and about z, rad/s, at the start."""
    speed = SPEED * CRANK
    return (0, speed / 2, 0), SPEED if name == "crank" else -speed / ROD


def block(cells):
    return meshes.block(SIZE, cells, center=B + [SIZE[0] / 2, 0, 0])


def nodes_a_face(cells):
    return (cells[0] + 1) * (cells[2] + 1)


# --- fem_clearance --------------------------------------------------------------------------------
def ours(cells):
    """The system, its slider and its joint ``pin``."""
    system = fc.System(gravity=(0, 0, 0))
    crank, rod = (
        system.add(
            fc.RigidBody(*BARS[name], position=middle, name=name, velocity=velocities(name)[0],
                         angular_velocity=(0, 0, velocities(name)[1]))
        )
        for name, middle in (("crank", A / 2), ("rod", (A + B) / 2))
    )  # fmt: skip
    pivot = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), AXIS, name="O"))
    system.add(fc.RotationDriver(pivot.i, pivot.j, AXIS, fc.functions.Linear(SPEED), name="drive"))
    system.add(fc.RevoluteJoint(crank.at(A), rod.at(A), AXIS, name="A"))
    damping = fc.Damping(RETARDATION)
    slider = system.add(fc.Solid(block(cells), STEEL, degree=1, name="slider", damping=damping))
    end = system.add(fc.Attachment(slider.facets("x0"), name="end"))
    system.add(fc.RevoluteJoint(rod.at(B), end.at(B), AXIS, name="B"))
    system.add(fc.Probe(rod.at(B), name="pin"))
    stiffness = STIFFNESS * nodes_a_face(cells) / (SIZE[0] * SIZE[2])
    law = fc.Winkler(stiffness, DAMPING / (STIFFNESS * DEPTH))
    for side, facets in FACES.items():
        system.add(
            fc.GuideContact(
                system.ground.point(B), slider.facets(facets), (1, 0, 0), (0, 1, 0), side=side,
                gap=SIZE[1] + 2 * PLAY, law=law, name=side, resolution=4,
            )
        )  # fmt: skip
    return system, slider


# --- Exudyn ---------------------------------------------------------------------------------------
def matrices(cells):
    """Nodes of the slider, its stiffness and mass by node, and the nodes of its sets of facets."""
    system = fc.System(gravity=(0, 0, 0))
    slider = system.add(fc.Solid(block(cells), STEEL, degree=1, free=True))
    state = system.state
    linear, count = Linearised(state), len(slider.nodes)
    place = np.empty(state.size, int)
    place[slider.displacement(np.arange(count)).numbers.ravel()] = np.arange(state.size)
    found = []
    for values in (linear.K, linear.M):
        A = csr_matrix((values, (place[state.problem.coo_rows], place[state.problem.coo_cols])))
        A.sum_duplicates()
        A.data[abs(A.data) < 1e-13 * abs(A.data).max()] = 0.0
        A.eliminate_zeros()  # Exudyn multiplies by each entry that is stored
        found.append(A)
    sets = {name: slider.facets(name).nodes for name in ("x0", *FACES.values())}
    return slider.nodes, *found, sets


def shares(nodes):
    """Part of a face's area of each node of a regular face."""
    weight = np.ones(len(nodes))
    for x in nodes[:, 1:].T:
        weight[np.isclose(x, x.min()) | np.isclose(x, x.max())] /= 2
    return weight / weight.sum()


def exudyn(cells):
    """The system and the marker of the pin."""
    from exudyn import itemInterface as item  # noqa: N813

    mbs = problems.new_system()
    ground = mbs.AddObject(item.ObjectGround())
    (crank, crank_node), (rod, _) = (
        _bar(mbs, name, middle) for name, middle in (("crank", A / 2), ("rod", (A + B) / 2))
    )

    def marker(body, x):
        place = [float(x), 0, 0]
        return mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=place))

    def pin(i, j):
        free = [1, 1, 1, 1, 1, 0]
        mbs.AddObject(item.GenericJoint(markerNumbers=[i, j], constrainedAxes=free))

    pin(marker(ground, 0), marker(crank, -CRANK / 2))
    pin(marker(crank, CRANK / 2), marker(rod, -ROD / 2))
    still = mbs.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(item.NodePointGround()), coordinate=0)
    )
    angle = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=crank_node, coordinate=5))
    mbs.AddObject(
        item.ObjectConnectorCoordinate(
            markerNumbers=[still, angle], offset=SPEED, velocityLevel=True
        )
    )
    end = marker(rod, ROD / 2)
    pin(end, _slider(mbs, item, cells, still))
    return mbs, end


def _bar(mbs, name, middle):
    """Numbers of a rigid body and of its node."""
    import exudyn
    from exudyn.utilities import RigidBodyInertia

    mass, moments = BARS[name]
    velocity, turning = velocities(name)
    body = mbs.CreateRigidBody(
        referencePosition=[*middle], inertia=RigidBodyInertia(mass, np.diag(moments)),
        initialVelocity=[*velocity], initialAngularVelocity=[0, 0, turning],
        nodeType=exudyn.NodeType.RotationRxyz, returnDict=True,
    )  # fmt: skip
    return body["bodyNumber"], body["nodeNumber"]


def _slider(mbs, item, cells, still):
    """The elastic slider with its stops; marker of the frame of its rear face."""
    import exudyn

    places, K, M, sets = matrices(cells)

    def container(A):
        result = exudyn.MatrixContainer()
        result.SetWithSparseMatrix(A, *A.shape, useDenseMatrix=False)
        return result

    # without this function Exudyn finds the tangent by differences, hundreds of times slower; what
    # it returns is added to the tangent of K and C, and must hold no zeros
    nothing = container(1e-30 * K)

    nodes = [mbs.AddNode(item.NodePoint(referenceCoordinates=[*x])) for x in places]
    body = mbs.AddObject(
        item.ObjectGenericODE2(
            nodeNumbers=nodes, massMatrix=container(M), stiffnessMatrix=container(K),
            dampingMatrix=container(RETARDATION * K),
            jacobianUserFunction=lambda *_: nothing,
        )
    )  # fmt: skip
    for side, face in FACES.items():
        stops = {"limitStopsUpper": 1.0, "limitStopsLower": -1.0}
        stops |= {"limitStopsUpper": PLAY} if side == "upper" else {"limitStopsLower": -PLAY}
        for n in sets[face]:
            y = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=nodes[n], coordinate=1))
            data = mbs.AddNode(
                item.NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3)
            )
            mbs.AddObject(
                item.ObjectConnectorCoordinateSpringDamperExt(
                    markerNumbers=[still, y], nodeNumber=data, useLimitStops=True,
                    limitStopsStiffness=STIFFNESS, limitStopsDamping=DAMPING, **stops,
                )
            )  # fmt: skip
    rear = sets["x0"]
    return mbs.AddMarker(
        item.MarkerSuperElementRigid(
            bodyNumber=body, meshNodeNumbers=[int(n) for n in rear],
            weightingFactors=[*shares(places[rear])],
        )
    )  # fmt: skip

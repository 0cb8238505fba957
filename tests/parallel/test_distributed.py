"""Solids of which each rank holds a part: the motion, stress and states of those that all hold."""

from functools import partial

import basix.ufl
import numpy as np
import pytest
from dolfinx import fem
from dolfinx import mesh as dm

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance import meshes
from fem_clearance._backend import MPI, PETSc
from fem_clearance.bodies.solids import resultants
from fem_clearance.bodies.solids.whole import WholeSolid
from fem_clearance.core import bulk, linear_solvers
from fem_clearance.core.initial import SystemState
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.core.spread import fetch, places
from fem_clearance.core.state import State
from fem_clearance.fields.solids import text
from fem_clearance.lubrication import Full, GuideFilm, Liner

from ..dolfinx.models import NAMES, bar, tagged
from .models import RUBBER, of_bar, of_nodes, ran

#: of two solvers' round-off; equal to the last digits otherwise
NEAR = 1e-11
SIDES = {"axis": (1, 0, 0), "across": (0, 1, 0), "side": "lower"}

pytestmark = pytest.mark.mpi


def bent(comm, distributed, cell="hexahedron", degree=1, **options):
    """A bar that is clamped at one end, bent by its weight, a volume load and a pressure."""
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    solid = fc.Solid(
        of_bar(comm, distributed, cell), RUBBER, degree=degree, clamped="left", load=(0, 0, 300.0),
        name="bar", **options,
    )  # fmt: skip
    body = system.add(solid)
    system.add(fc.Pressure(body.facets("top"), 2e3, name="pressure"))
    system.add(fc.Probe(body.at((1, 0.25, 0.25)), name="tip"))
    return system, body


def swinging(comm, distributed):
    """A bar on a pin, with a heavy end that follows a rigid attachment; a point inside of it."""
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    body = system.add(fc.Solid(of_bar(comm, distributed), RUBBER, degree=1, name="bar"))
    held = system.add(fc.Attachment(body.facets("left"), name="held"))
    system.add(fc.RevoluteJoint(system.ground, held.frame, axis=(0, 0, 1), name="pin"))
    ball = system.add(fc.RigidBody(20.0, (1, 1, 1), position=(1.2, 0, 0), name="ball"))
    frame = ball.at((1, 0, 0))
    system.add(fc.Attachment(body.facets("right"), frame, kind="rigid", name="end"))
    system.add(fc.Probe(body.at((0.6, -0.25, 0)), name="inside"))
    system.add(fc.SolidProbe(body, name="all"))
    return system


def of_block(comm, distributed, low, size=(0.1, 0.05), cells=(8, 4)):
    """A plane block whose lower side is at ``low``."""
    corners = [[-size[0] / 2, low], [size[0] / 2, low + size[1]]]
    msh = dm.create_rectangle(comm, corners, cells, dm.CellType.quadrilateral)
    sides = [lambda x, y=y: np.isclose(x[1], y) for y in (low, low + size[1])]
    return fcd.mesh(msh, tagged(msh, *sides), {"y0": 1, "y1": 2}, distributed=distributed)


def sliding(comm, distributed):
    """A plane block, in plane stress, that falls on a guide with friction."""
    soft = fc.StVenantKirchhoff(E=2e8, nu=0.3, rho=1000.0)
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    block = system.add(
        fc.Solid(of_block(comm, distributed, -0.025 + 1e-5), soft, degree=1, state="plane_stress",
                 thickness=0.02, free=True, velocity=(0.5, -0.2, 0), name="block")
    )  # fmt: skip
    guide = system.ground.point((0, 0, 0))
    friction = fc.SmoothCoulomb(0.2, v0=1e-2)
    system.add(
        fc.GuideContact(guide, block.facets("y0"), **SIDES, gap=0.05, law=fc.Winkler(1e11),
                        friction=friction, name="contact")
    )  # fmt: skip
    return system


def sinking(comm, distributed):
    """The same on a film of oil, with incompatible modes."""
    soft = fc.StVenantKirchhoff(E=2e8, nu=0.3, rho=1000.0)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    block = system.add(
        fc.Solid(of_block(comm, distributed, -0.025), soft, degree=1, state="plane_strain",
                 thickness=0.02, free=True, incompatible_modes=True, name="block")
    )  # fmt: skip
    system.add(fc.Pressure(block.facets("y1"), 1e4, follower=False, name="load"))
    guide = system.ground.point((0, 0, 0))
    system.add(
        GuideFilm(guide, block.facets("y0"), **SIDES, gap=0.05 + 8e-5, lubricant=0.04,
                  cavitation=Full(), name="film")
    )  # fmt: skip
    return system


def colliding(comm, distributed):
    """Two plane blocks that collide."""
    soft = fc.StVenantKirchhoff(E=2e8, nu=0.3, rho=1000.0)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    same = {"state": "plane_strain", "thickness": 0.02, "free": True, "degree": 1}
    make = partial(of_block, comm, distributed)
    one = system.add(
        fc.Solid(make(-0.0505), soft, velocity=(0, 1.0, 0), angular_velocity=(0, 0, 2.0),
                 name="one", **same)
    )  # fmt: skip
    two = system.add(
        fc.Solid(make(0.0005, (0.08, 0.04), (7, 3)), soft, velocity=(0.4, -1.0, 0), name="two",
                 **same)
    )  # fmt: skip
    for solid in (one, two):
        system.add(fc.SolidProbe(solid, name=f"{solid.name}_all"))
    law = fc.Winkler(1e10)
    system.add(fc.SurfaceContact(two.facets("y0"), one.facets("y1"), law=law, name="contact"))
    return system


@pytest.mark.parametrize(("cell", "degree"), [("hexahedron", 1), ("tetrahedron", 2)])
def test_at_rest(comm, cell, degree):
    """Displacement, stress, energy, section forces and reaction as of the whole mesh."""
    found = []
    for distributed in (False, True):
        system, body = bent(comm, distributed, cell, degree)
        fc.Statics(system, 1, tolerance=1e-13).solve()
        fields = [fcd.to_function(body, system.state, n) for n in ("displacement", "stress")]
        section = resultants.section(system, body, lambda x: x[:, 0] > 0.5)
        held = resultants.clamping(system, body, "left")
        energy = system.channels["bar.strain_energy"]
        found.append((of_nodes(comm, *fields), np.concatenate([*section, *held]), energy))
    (whole, forces, energy), (part, forces_there, energy_there) = found
    assert np.abs(whole[:, 3:6]).max() > 0.005
    assert part[:, :6] == pytest.approx(whole[:, :6], abs=1e-12)
    assert part[:, 6:] == pytest.approx(whole[:, 6:], abs=NEAR * np.abs(whole[:, 6:]).max())
    assert forces_there == pytest.approx(forces, abs=NEAR * np.abs(forces).max())
    assert energy_there == pytest.approx(energy, rel=1e-12)
    # weight and the pressure on half a square metre, which becomes a little larger
    assert forces[7] == pytest.approx(9.81 * 250 + 2e3 * 0.5, rel=1e-3)


def test_functions(comm):
    """Modulus, expansion, load and clamp by Functions, whose values stay where they are."""
    found = []
    for distributed in (False, True):
        msh, tags = bar(comm, "tetrahedron", (5, 2, 2))
        line = fem.functionspace(msh, ("Lagrange", 1))
        vectors = fem.functionspace(msh, ("Lagrange", 2, (3,)))
        E, strain = fem.Function(line), fem.Function(line)
        E.interpolate(lambda x: 1e7 * (1 + x[0] + x[1]))
        strain.interpolate(lambda x: 1e-2 * x[1])
        pull, given = fem.Function(vectors), fem.Function(vectors)
        pull.interpolate(lambda x: 1e4 * np.stack([x[1], x[2], 0 * x[0]]))
        given.interpolate(lambda x: 1e-2 * np.stack([x[1], x[2], x[1] * x[2]]))
        rubber = fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000)
        system = fc.System(gravity=(0, -9.81, 0), comm=comm)
        mesh = fcd.mesh(msh, tags, NAMES, distributed=distributed)
        solid = fc.Solid(
            mesh, rubber, degree=2, clamped={"left": given}, thermal_strain=strain, name="bar"
        )
        body = system.add(solid)
        load = system.add(fc.Traction(body.facets("right"), pull, name="pull"))
        stepper, rows = ran(system, 2e-3, 3)
        pull.x.array[:] *= -1
        load.update(stepper)
        stepper.advance()
        found.append(of_nodes(comm, fcd.to_function(body, stepper.state)))
    whole, part = found
    assert np.abs(whole[:, 3:]).max() > 1e-3
    assert part == pytest.approx(whole, abs=1e-12)


def test_each_holds_a_part(comm):
    """Own cells are shared out; a rank holds those, and those behind tagged facets."""
    mesh = fcd.mesh(*bar(comm, "hexahedron", (24, 4, 4)), NAMES, distributed=True)
    assert comm.allreduce(len(mesh.own)) == 384
    behind = np.unique(np.concatenate([z[:, 0] for z in mesh.facets.values()]))
    assert len(mesh.cells) == len(np.union1d(mesh.own, behind))
    if comm.size > 1:
        assert len(mesh.cells) < 384
    ends = mesh.share(1)[1].ends
    for ghosts in (dm.GhostMode.none, dm.GhostMode.shared_facet):
        box = dm.create_box(
            comm, [[0, 0, 0], [1, 1, 1]], (7, 3, 3), dm.CellType.hexahedron, ghost_mode=ghosts
        )
        for degree in (1, 2):  # a rank holds all nodes that it owns
            spread = fcd.mesh(box, distributed=True).share(degree)[1]
            low = spread.ends[comm.rank - 1] if comm.rank else 0
            assert spread.own.stop - spread.own.start == spread.ends[comm.rank] - low
    assert ends[-1] == 25 * 5 * 5
    x, y = (fcd.mesh(*bar(c, "hexahedron", (24, 4, 4)), NAMES) for c in (comm, MPI.COMM_SELF))
    assert mesh.size == pytest.approx([1, 0.5, 0.5])
    assert mesh.spacing == pytest.approx(x.spacing, rel=1e-14)
    assert mesh.moments() == pytest.approx([0.25, 0.125, 0, 0], abs=1e-13)
    assert y.moments() == pytest.approx(mesh.moments(), abs=1e-13)


@pytest.mark.parametrize(
    ("model", "dt", "steps", "solver"),
    [
        (lambda comm, part: bent(comm, part)[0], 2e-3, 20, "mumps"),
        (lambda comm, part: bent(comm, part)[0], 2e-3, 3, "iterative"),
        (swinging, 2e-3, 15, "mumps"),
        (sliding, 2e-5, 30, "mumps"),
        (sinking, 1e-4, 12, "mumps"),
        (colliding, 2e-5, 40, "mumps"),
    ],
    ids=["bent", "multigrid", "swinging", "sliding", "sinking", "colliding"],
)
def test_same_motion(comm, model, dt, steps, solver, monkeypatch):
    """All channels at all times, to round-off of the largest of their kind; multigrid of several
    ranks on the distributed mesh is set up as of large solids, without stored products."""
    if solver == "iterative" and comm.size > 2:
        pytest.skip("the many messages of multigrid take minutes where ranks share cores")
    found = []
    for distributed in (False, True):
        monkeypatch.setattr(linear_solvers, "SCARCE", 0 if distributed else linear_solvers.SCARCE)
        stepper, rows = ran(model(comm, distributed), dt, steps, solver=solver)
        found.append(rows)
    if solver == "iterative":
        assert ("matptap_via" in stepper.newton._read) == (comm.size > 1)
        assert not PETSc.Options().hasName("matptap_via")
    names = np.array(stepper.channels.names)
    whole, part = found
    assert whole.shape == part.shape
    near = 1e-7 if solver == "iterative" else 1e-9
    for name, a, b in zip(names, whole.T, part.T, strict=True):
        # accelerations and forces, of which some cancel, are judged by the largest of their owner
        same = np.char.startswith(names, name.split(".")[0] + ".")
        scale = np.abs(whole[:, same]).max()
        assert b == pytest.approx(a, abs=near * scale + 1e-15), name
    for name in ("tip.y", "bar.strain_energy", "inside.y", "block.strain_energy", "one_all.y"):
        if name in names and solver == "mumps":
            k = int(np.flatnonzero(names == name)[0])
            assert part[:, k] == pytest.approx(whole[:, k], abs=1e-12 * np.abs(whole[:, k]).max())


def test_matrix_in_pieces(comm, monkeypatch):
    """The matrix of several ranks is the same however many rows are added up at once, and that of
    all entries at once."""
    monkeypatch.setattr(linear_solvers, "BETWEEN_SOLIDS", 0)  # PETSc's matrix
    found = []
    for pieces in (bulk.PIECES, 1, 70, 10**9):
        monkeypatch.setattr(bulk, "PIECES", pieces)
        monkeypatch.setattr(bulk, "PIECE", 1)
        state = State(swinging(comm, True).assemble())
        state.q[: state.local] = 1e-3 * np.sin(7.0 * state.numbers[: state.local])
        newton = NewtonSolver(state)
        newton.factors(1e4, 1e2)
        newton.build()
        found.append(newton.A)
    whole = state.problem.matrix()
    state.problem.fill(whole, state.problem.entries.scaled(state.tangent(1e4, 1e2), state.scale))
    first, *others = found
    for other in (*others, whole):
        other.axpy(-1.0, first)
        assert other.norm() <= 1e-14 * first.norm()
    assert first.norm() > 0


def test_states_on_other_ranks(comm):
    """A state is the same on any number of ranks, and another number goes on from it."""
    states = []
    for c in (comm, MPI.COMM_SELF):
        stepper, _ = ran(swinging(c, True), 2e-3, 5)
        states.append(SystemState.of(stepper.state, stepper.t))
    here, alone = states
    for name in ("q", "v"):
        a, b = getattr(here, name), getattr(alone, name)
        assert a == pytest.approx(b, abs=1e-9 * np.abs(b).max())
    assert np.abs(alone.v).max() > 0.05
    ends = []
    for start in states:  # this rank alone goes on from both
        system = swinging(MPI.COMM_SELF, True)
        stepper, rows = ran(system, 2e-3, 5, initial=start)
        ends.append(rows[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-7 * np.abs(ends[1]).max())


def test_goes_on_from_a_checkpoint(comm, shared_tmp_path):
    """A run that is stopped and resumed, and one in one go."""
    whole = fc.Simulation(bent(comm, True)[0], dt=2e-3, t_end=0.02, progress=False).run()
    folder = shared_tmp_path / "run"
    options = {"dt": 2e-3, "t_end": 0.02, "progress": False, "output": folder}
    with pytest.raises(fc.LimitReached):
        fc.Simulation(bent(comm, True)[0], **options, max_steps=4).run()
    system = bent(comm, True)[0]
    resumed = fc.Simulation(system, **options).run(resume=True)
    assert resumed["tip.y"] == pytest.approx(whole["tip.y"], abs=1e-12)
    assert len(resumed["tip.y"]) == 11


def test_facets_by_their_position(comm):
    """Facets that a function picks, as those with a tag: which they are, what each rank holds of
    their cells, and a bar that they hold and load; none found is an error on all ranks."""
    msh, tags = bar(comm, "hexahedron", (5, 2, 2))
    tagged_mesh = fcd.mesh(msh, tags, NAMES, distributed=True)
    plain = fcd.mesh(msh, tags, {"top": NAMES["top"]}, distributed=True)
    mesh = plain.marked(left=lambda x: x[:, 0] < 1e-9, right=lambda x: x[:, 0] > 1 - 1e-9)
    assert sorted(plain.facets) == ["top"]
    assert mesh.cells.tolist() == tagged_mesh.cells.tolist()
    for name, facets in tagged_mesh.facets.items():
        assert mesh.facets[name].tolist() == facets.tolist(), name
    shapes = []
    for one in (tagged_mesh, mesh, fcd.mesh(msh, tags, NAMES)):
        system = fc.System(gravity=(0, -9.81, 0), comm=comm)
        body = system.add(fc.Solid(one, RUBBER, degree=1, clamped="left", name="bar"))
        system.add(fc.Traction(body.facets("right"), (1e4, 0, 0), name="pull"))
        fc.Statics(system, 1, tolerance=1e-13).solve()
        shapes.append(of_nodes(comm, fcd.to_function(body, system.state)))
    assert np.abs(shapes[0][:, 3:]).max() > 1e-3
    assert shapes[1].tolist() == shapes[0].tolist()
    assert shapes[1] == pytest.approx(shapes[2], abs=1e-12)
    with pytest.raises(fc.InputError, match="'front' is empty"):
        plain.marked(front=lambda x: x[:, 2] > 1)


def test_modes(comm):
    """Frequencies of a bar with a clamp."""
    found = [
        fc.eigenmodes(bent(comm, distributed)[0], count=3).frequencies
        for distributed in (False, True)
    ]
    assert found[1] == pytest.approx(found[0], rel=1e-10)


def test_picture(comm):
    """Rank 0 draws all cells, each at its place, whatever the number of ranks."""
    system, body = bent(comm, True)
    state = system.state
    values, rates = (state.everything(z) for z in (state.q, state.v))
    whole = WholeSolid(body)
    names = ("stress", "second_piola_kirchhoff")
    tensors = {n: whole.collected(body.recover(state, n)) for n in names}
    if comm.rank == 0:
        assert len(whole.nodes) == 6 * 3 * 3
        assert len(whole.cells) == 20
        assert whole.mesh.moments() == pytest.approx([0.25, 0.125, 0, 0], abs=1e-13)
        assert len(whole.mesh.boundary()) == 4 * 10 + 2 * 4
        assert "displacement" in text(whole, values, rates, tensors)


def test_what_needs_the_whole_mesh(comm):
    """Refused in a sentence, on every rank."""
    mesh = of_bar(comm, True)
    solid = fc.Solid(mesh, RUBBER, degree=1, name="bar")
    refused = (
        lambda: fc.ReducedBody(solid, name="r"),
        lambda: Liner(solid, "right"),
    )
    for make in refused:
        with pytest.raises(fc.InputError, match="whole mesh on each rank"):
            make()
    with pytest.raises(fc.InputError, match="no node at"):
        solid.at((0.5, 0.1, 0.1))
    system = fc.System(comm=MPI.COMM_SELF)
    if comm.size > 1:
        with pytest.raises(fc.InputError, match="comm=msh.comm"):
            system.add(solid)


@pytest.mark.parametrize(("cell", "cells"), [("hexahedron", (5, 2, 2)), ("tetrahedron", (1, 1, 1))])
def test_mass_properties(comm, cell, cells):
    """Mass, centre and inertia of a block by its formulas, each cell counted once; also where ranks
    have no cells."""
    mesh = fcd.mesh(*bar(comm, cell, cells), NAMES, distributed=True)
    found = fc.MassProperties.of_mesh(mesh, 1000.0)
    x, y, z = 1.0, 0.5, 0.5
    assert found.mass == pytest.approx(1000.0 * x * y * z, rel=1e-13)
    assert found.center == pytest.approx([0.5, 0, 0], abs=1e-13)
    right = found.mass / 12 * np.diag([y**2 + z**2, x**2 + z**2, x**2 + y**2])
    assert found.inertia == pytest.approx(right, abs=1e-12 * found.mass)


def test_submesh(comm):
    """A part of a mesh of which ranks may own nodes without a cell there: as the part meshed alone;
    distributed it is refused in a sentence if there are such nodes."""
    shapes, sides = [], (lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[0], 1))
    two = dm.create_box(
        comm, [[0, -0.25, -0.25], [2, 0.25, 0.25]], (8, 2, 2), dm.CellType.hexahedron
    )
    half = dm.create_submesh(two, 3, dm.locate_entities(two, 3, lambda x: x[0] < 1 + 1e-9))[0]
    for msh in (bar(comm, "hexahedron", (4, 2, 2))[0], half):
        mesh = fcd.mesh(msh, tagged(msh, *sides), {"left": 1, "right": 2})
        system = fc.System(gravity=(0, -9.81, 0), comm=comm)
        body = system.add(fc.Solid(mesh, RUBBER, degree=2, clamped="left", name="bar"))
        fc.Statics(system, 1, tolerance=1e-13).solve()
        shapes.append(of_nodes(comm, fcd.to_function(body, system.state)))
    assert np.abs(shapes[0][:, 3:]).max() > 1e-3
    assert shapes[1] == pytest.approx(shapes[0], abs=1e-12)
    V = fem.functionspace(half, ("Lagrange", 1))
    topology, index = half.topology, V.dofmap.index_map
    with_cells = V.dofmap.list[: topology.index_map(3).size_local]
    bare = len(np.setdiff1d(np.arange(index.size_local), with_cells))
    spread = fcd.mesh(half, distributed=True)
    if comm.allreduce(bare):
        with pytest.raises(fc.InputError, match="create_submesh"):
            fc.Solid(spread, RUBBER, degree=1)
    else:
        fc.Solid(spread, RUBBER, degree=1)


def test_parts_that_do_not_touch(comm):
    """Two bodies in one mesh are found wherever the ranks' borders run."""
    one = meshes.block((1, 0.5, 0.5), (4, 2, 2), degree=1)
    points = np.concatenate([one.points, one.points + [2, 0, 0]])
    cells = np.concatenate([one.cells, one.cells + len(one.points)])
    if comm.rank:
        points, cells = points[:0], cells[:0]
    element = basix.ufl.element("Lagrange", "hexahedron", 1, shape=(3,))
    two = dm.create_mesh(comm, cells, element, points)
    with pytest.raises(fc.InputError, match="2 parts of 16, 16 cells"):
        fc.Solid(fcd.mesh(two, distributed=True), RUBBER, degree=1, name="two")


def test_a_rank_without_cells(comm):
    """One cell on any number of ranks."""
    msh, tags = bar(comm, "hexahedron", (1, 1, 1))
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    body = system.add(
        fc.Solid(fcd.mesh(msh, tags, NAMES, distributed=True), RUBBER, degree=1, clamped="left")
    )
    fc.Statics(system, 1, tolerance=1e-13).solve()
    found = resultants.clamping(system, body, "left")
    assert found.force == pytest.approx([0, 9.81 * 250, 0], rel=1e-9, abs=1e-6)
    assert comm.allreduce(len(body.mesh.own)) == 1


def test_rows_of_other_ranks(comm):
    """``fetch`` brings rows from their owners, ``places`` sorts over ranks."""
    count = 5 + comm.rank
    ends = np.cumsum(comm.allgather(count))
    own = 10.0 * (np.arange(count) + ends[comm.rank] - count)
    wanted = np.random.default_rng(comm.rank).permutation(ends[-1])
    assert fetch(comm, ends, wanted, own) == pytest.approx(10.0 * wanted)
    keys = np.random.default_rng(7).permutation(1000)[: ends[-1]]
    mine = keys[ends[comm.rank] - count : ends[comm.rank]]
    assert places(comm, mine).tolist() == np.searchsorted(np.sort(keys), mine).tolist()
    assert places(comm, np.zeros(1, int)) is None or comm.size == 1

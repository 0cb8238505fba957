"""gmsh's files and models. The numbering of nodes is written down here from gmsh's reference manual
(section "Node ordering"), independently of the tables the package uses."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.errors import InputError
from fem_clearance.meshes import cells as reference

FOLDER = Path(__file__).parents[2] / "meshes"
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)

HEX = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
TET = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
QUAD, TRI = [p for p in HEX if p[2] == 0], TET[:3]
HEX_EDGES = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7),
             (5, 6), (6, 7)]  # fmt: skip
HEX_FACES = [(0, 3, 2, 1), (0, 1, 5, 4), (0, 4, 7, 3), (1, 2, 6, 5), (2, 3, 7, 6), (4, 5, 6, 7)]
#: gmsh's type -> cell, degree, corners, sets of corners whose middles the further nodes are
GMSH = {
    2: ("triangle", 1, TRI, []),
    3: ("quadrilateral", 1, QUAD, []),
    4: ("tetrahedron", 1, TET, []),
    5: ("hexahedron", 1, HEX, []),
    9: ("triangle", 2, TRI, [(0, 1), (1, 2), (2, 0)]),
    10: ("quadrilateral", 2, QUAD, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1, 2, 3)]),
    11: ("tetrahedron", 2, TET, [(0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3)]),
    12: ("hexahedron", 2, HEX, [*HEX_EDGES, *HEX_FACES, tuple(range(8))]),
}


def places(kind):
    _, _, corners, middles = GMSH[kind]
    corners = np.array(corners, float)
    return np.concatenate([corners, *([corners[list(m)].mean(axis=0)] for m in middles)])


def file_2(path, nodes, elements, names=()):
    """Format 2.2: elements are (type, physical group, nodes from 1)."""
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat"]
    if names:
        lines += ["$PhysicalNames", f"{len(names)}", *names, "$EndPhysicalNames"]
    lines += ["$Nodes", f"{len(nodes)}"]
    lines += [f"{k} {x} {y} {z}" for k, (x, y, z) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", f"{len(elements)}"]
    for k, (kind, group, which) in enumerate(elements, 1):
        lines.append(f"{k} {kind} 2 {group} 1 " + " ".join(map(str, which)))
    path.write_text("\n".join([*lines, "$EndElements", ""]))
    return path


@pytest.mark.parametrize("kind", GMSH)
def test_order_of_nodes(tmp_path, kind):
    """One cell in gmsh's order: each node comes to its place in the reference cell."""
    cell, degree, *_ = GMSH[kind]
    nodes = places(kind)
    path = file_2(tmp_path / "one.msh", nodes, [(kind, 1, range(1, len(nodes) + 1))])
    mesh = meshes.read(path)
    assert (mesh.cell, mesh.degree) == (cell, degree)
    d = mesh.dimension
    found = mesh.points[mesh.cells[0], :d]
    assert np.allclose(found, reference.lattice(cell, degree), atol=1e-15)


FORMAT_4 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
4
2 7 "left side"
2 8 "joint"
3 1 "lower"
3 2 "upper"
$EndPhysicalNames
$Entities
1 0 2 2
1 0 0 0 0
3 0 0 0 0 1 1 1 7 0
4 0 0 1 1 1 1 1 -8 0
1 0 0 0 1 1 1 1 1 0
2 0 0 1 1 1 2 1 2 0
$EndEntities
$Nodes
3 12 10 21
3 1 0 8
10
11
12
13
14
15
16
17
0 0 0
1000 0 0
1000 1000 0
0 1000 0
0 0 1000
1000 0 1000
1000 1000 1000
0 1000 1000
2 4 1 2
18
19
0 0 2000 0.5 0.5
1000 0 2000 0.5 0.5
3 2 0 2
20
21
1000 1000 2000
0 1000 2000
$EndNodes
$Elements
5 6 1 6
0 1 15 1
1 10
3 1 5 1
2 10 11 12 13 14 15 16 17
3 2 5 1
3 14 15 16 17 18 19 20 21
2 3 3 2
4 10 13 17 14
5 14 17 21 18
2 4 3 1
6 14 15 16 17
$EndElements
"""


def test_format_4_and_parts(tmp_path):
    """Two cubes one on the other, in mm: names with spaces, numbers that do not start at 1, nodes
    with parameters, a group turned round (-8); each cube alone, both as one."""
    path = tmp_path / "two.msh"
    path.write_text(FORMAT_4)
    lower = fc.Solid(meshes.read(path, part="lower", scale=1e-3), STEEL, name="lower")
    upper = fc.Solid(meshes.read(path, part="upper", scale=1e-3), STEEL, name="upper")
    assert lower.volume == pytest.approx(1) and upper.volume == pytest.approx(1)
    assert lower.position == pytest.approx([0.5, 0.5, 0.5])
    assert upper.position == pytest.approx([0.5, 0.5, 1.5])
    for body, z in ((lower, 0.5), (upper, 1.5)):
        assert set(body.mesh.facets) == {"left side", "joint"}
        assert body.facets("joint").center == pytest.approx([0.5, 0.5, 1])
        assert body.facets("left side").area == pytest.approx(1)
        assert body.facets("left side").center == pytest.approx([0, 0.5, z])
    with pytest.raises(
        InputError, match="1 facets of the physical group 'joint' are not on the surf"
    ):
        meshes.read(path)
    with pytest.raises(InputError, match="no cells marked 'middle'; its parts are: lower, upper"):
        meshes.read(path, part="middle")
    text = FORMAT_4.replace("1 1 1 1 1 -8 0", "1 1 1 0 0").replace(
        "4 0 0 1 1 1 1 0 0", "4 0 0 1 1 1 1 0 0"
    )
    path.write_text(text)
    both = fc.Solid(meshes.read(path, scale=1e-3), STEEL)
    assert both.volume == pytest.approx(2) and both.facets("left side").area == pytest.approx(2)


def test_clockwise_plane_cells(tmp_path):
    """Which way round gmsh numbers plane cells depends on the drawing; they are turned."""
    path = file_2(
        tmp_path / "plate.msh", [p[::-1] for p in [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)]],
        [(3, 5, (1, 4, 3, 2)), (1, 9, (1, 2))], ['2 5 "plate"', '1 9 "low"'],
    )  # fmt: skip
    plate = fc.Solid(meshes.read(path), STEEL, state="plane_strain")
    assert plate.volume == pytest.approx(1)
    assert plate.facets("low").center == pytest.approx([0.5, 0, 0])


CUBE = [(5, 1, range(1, 9))]


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([(5, 1, range(1, 9)), (4, 1, (1, 2, 3, 5))], "mixes .* cells; all cells of a solid"),
        ([(17, 1, range(1, 21))], "hexahedra without inner nodes; generate it with"),
        ([(92, 1, range(1, 65))], "elements of gmsh's type 92"),
        ([(6, 1, (1, 2, 3, 5, 6, 7))], "elements of gmsh's type 6"),
        ([(1, 1, (1, 2))], "has no cells; generate the mesh of the model first"),
        ([(5, 1, (*range(1, 8), 99))], "has cells whose nodes are missing"),
        ([(5, 1, (5, 6, 7, 8, 1, 2, 3, 4))], "are inverted or flat"),
        ([*CUBE, (3, 2, (1, 2, 7, 8))], "1 facets of the physical group '2' are not on"),
    ],
)  # fmt: skip
def test_messages(tmp_path, elements, message):
    path = file_2(tmp_path / "bad.msh", HEX, elements)
    with pytest.raises(InputError, match=message):
        meshes.read(path)


def test_damaged_and_binary(tmp_path):
    path = file_2(tmp_path / "short.msh", HEX, CUBE)
    path.write_text(path.read_text()[:-40])
    with pytest.raises(InputError, match="short.msh is damaged"):
        meshes.read(path)
    if importlib.util.find_spec("gmsh") is None:
        path.write_bytes(b"$MeshFormat\n4.1 1 8\n\x01\x00\x00\x00\n$EndMeshFormat\n")
        with pytest.raises(InputError, match="only text files .* can be read without gmsh"):
            meshes.read(path)


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("plane", [False, True])
def test_written_and_read(tmp_path, plane, degree, cut):
    counts = (8, 2) if plane else (8, 2, 2)
    mesh = meshes.hollow_cylinder(1, 2, 3, counts, degree=degree)
    mesh = meshes.simplices(mesh) if cut else mesh
    meshes.write(mesh, tmp_path / "ring.msh")
    again = meshes.read(tmp_path / "ring.msh")
    assert np.array_equal(again.points, mesh.points) and np.array_equal(again.cells, mesh.cells)
    for name, facets in mesh.facets.items():
        assert np.array_equal(again.facets[name], np.unique(facets, axis=0))


@pytest.mark.parametrize(
    ("name", "volume", "areas"),
    [
        ("slider", 1.5e-4 - 3e-6 * np.pi, {"hole": 6e-4 * np.pi, "x1": 1.5e-3}),
        ("slider_tets", 1.5e-4 - 3e-6 * np.pi, {"hole": 6e-4 * np.pi, "x1": 1.5e-3}),
        ("liner", 1.2e-5 * np.pi, {"bore": 9e-4 * np.pi, "rim": 1.5e-3 * np.pi}),
        (
            "rod", 0.01 * (0.04**2 + 0.026**2 + 0.117 * 0.033 - np.pi * (0.012**2 + 0.008**2)),
            {"big_eye": 2.4e-4 * np.pi, "small_eye": 1.6e-4 * np.pi},
        ),
    ],
)  # fmt: skip
def test_our_files(name, volume, areas):
    """Volumes and areas of the files in meshes/ (16 quadratic cells make a circle to 2e-5)."""
    body = fc.Solid(meshes.read(FOLDER / f"{name}.msh"), STEEL, name=name)
    assert body.volume == pytest.approx(volume, rel=2e-5)
    for facets, area in areas.items():
        assert body.facets(facets).area == pytest.approx(area, rel=1e-4)


def test_files_are_what_the_script_makes(tmp_path):
    spec = importlib.util.spec_from_file_location("make", FOLDER / "make.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for file in script.make(tmp_path):
        new, old = meshes.read(file), meshes.read(FOLDER / file.name)
        assert np.array_equal(new.cells, old.cells)
        assert np.allclose(new.points, old.points, rtol=0, atol=1e-15)


def test_joined(tmp_path):
    a = meshes.block((1, 1, 1), (2, 2, 2), degree=2)
    both = meshes.join(a, a.moved(by=(1, 0, 0)))
    assert len(both.points) == 5 * 5 * 9 and not both.parts().any()
    assert len(both.facets["x0"]) == 4 and len(both.facets["y0"]) == 8
    with pytest.raises(InputError, match="join: .*block has hexahedron cells of degree 1"):
        meshes.join(a, meshes.block((1, 1, 1), (2, 2, 2)))


class StandIn:
    """Answers gmsh's calls for a quadratic triangle with a marked edge, its nodes out of order."""

    mesh = property(lambda self: self)

    def getNodes(self):
        nodes = places(9)
        order = [3, 1, 0, 5, 4, 2]
        return np.array(order, np.uint64) + 1, nodes[order].ravel(), np.zeros(0)

    def getPhysicalGroups(self):
        return [(1, 4), (2, 5)]

    def getPhysicalName(self, d, group):
        return {4: "low", 5: ""}[group]

    def getEntities(self):
        return [(0, 1), (1, 1), (1, 2), (2, 1)]

    def getPhysicalGroupsForEntity(self, d, entity):
        return {(1, 1): [4], (2, 1): [5]}.get((d, entity), [])

    def getElements(self, d, entity):
        return {
            (0, 1): ([15], [[1]], [[1]]),
            (1, 1): ([8], [[2]], [[1, 2, 4]]),
            (1, 2): ([8], [[3]], [[2, 3, 5]]),
            (2, 1): ([9], [[4]], [[1, 2, 3, 4, 5, 6]]),
        }[d, entity]


def test_a_model_in_memory():
    mesh = meshes.from_model(StandIn(), scale=2.0)
    plate = fc.Solid(mesh, STEEL, state="plane_strain")
    assert (mesh.cell, mesh.degree, set(mesh.facets)) == ("triangle", 2, {"low"})
    assert plate.volume == pytest.approx(2.0)
    assert plate.facets("low").center == pytest.approx([1, 0, 0])


# --- gmsh itself ----------------------------------------------------------------------------------
@pytest.fixture
def gmsh():
    module = pytest.importorskip("gmsh", exc_type=(ImportError, OSError))
    module.initialize(interruptible=False)
    module.option.setNumber("General.Terminal", 0)
    yield module
    module.finalize()


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("binary", [0, 1])
def test_a_gmsh_model(gmsh, tmp_path, order, binary):
    """A block with a pin hole from gmsh's geometry, in memory and through both kinds of file."""
    model = gmsh.model
    model.add("slider")
    box = model.occ.addBox(-50, -25, -15, 100, 50, 30)
    pin = model.occ.addCylinder(0, 0, -15, 0, 0, 30, 10)
    model.occ.cut([(3, box)], [(3, pin)])
    model.occ.synchronize()
    hole = [t for d, t in model.getEntities(2) if model.getType(d, t) == "Cylinder"]
    model.addPhysicalGroup(2, hole, name="hole")
    model.addPhysicalGroup(3, [t for _, t in model.getEntities(3)], name="slider")
    gmsh.option.setNumber("Mesh.MeshSizeMax", 8)
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 16)
    gmsh.option.setNumber("Mesh.Binary", binary)
    model.mesh.generate(3)
    model.mesh.setOrder(order)
    gmsh.write(str(tmp_path / "slider.msh"))
    memory = meshes.from_model(model, scale=1e-3)
    file = meshes.read(tmp_path / "slider.msh", scale=1e-3)
    assert memory.degree == order and len(memory.cells) == len(file.cells)
    for mesh in (memory, file):
        body = fc.Solid(mesh, STEEL)
        error = {1: 0.03, 2: 1e-3}[order]
        assert body.volume == pytest.approx(1.5e-4 - 3e-6 * np.pi, rel=error)
        assert body.facets("hole").area == pytest.approx(6e-4 * np.pi, rel=error)


def test_our_gmsh_model():
    """The file that meshes/housing.py made with gmsh: curved cells, a bore that is round."""
    housing = fc.Solid(meshes.read(FOLDER / "housing.msh"), STEEL)
    bore = housing.facets("bore")
    assert bore.area == pytest.approx(2 * np.pi * 0.015 * 0.03, rel=1e-4)
    assert bore.center == pytest.approx([0, 0, 0], abs=1e-6)
    assert np.hypot(*housing.nodes[bore.nodes][:, :2].T) == pytest.approx(0.015, rel=1e-3)

"""Makes housing.msh with gmsh: a pillow block whose bore is cut into it, in quadratic tetrahedra.

python meshes/housing.py [file]. Lengths in m. Facet sets: bore, foot.
"""

import sys
from pathlib import Path

import gmsh

BORE, OUTER, WIDTH, HEIGHT, FOOT = 0.015, 0.028, 0.03, 0.035, 0.09


def model():
    """The model in gmsh's memory, meshed."""
    cad = gmsh.model.occ
    ring = cad.addCylinder(0, 0, -WIDTH / 2, 0, 0, WIDTH, OUTER)
    pillar = cad.addBox(-OUTER, -HEIGHT, -WIDTH / 2, 2 * OUTER, HEIGHT, WIDTH)
    foot = cad.addBox(-FOOT / 2, -HEIGHT - 0.01, -WIDTH / 2, FOOT, 0.01, WIDTH)
    body, _ = cad.fuse([(3, ring)], [(3, pillar), (3, foot)])
    hole = cad.addCylinder(0, 0, -WIDTH / 2, 0, 0, WIDTH, BORE)
    (block,), _ = cad.cut(body, [(3, hole)])
    cad.synchronize()
    faces = gmsh.model.getBoundary([block], oriented=False)
    extent = {f[1]: gmsh.model.getBoundingBox(*f) for f in faces}
    bore = [k for k, b in extent.items() if max(b[3], b[4], -b[0], -b[1]) < 1.01 * BORE]
    foot = [k for k, b in extent.items() if b[4] < -HEIGHT - 0.009]
    gmsh.model.addPhysicalGroup(2, bore, name="bore")
    gmsh.model.addPhysicalGroup(2, foot, name="foot")
    gmsh.model.addPhysicalGroup(3, [block[1]], name="housing")
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.012)
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 16)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.model.mesh.optimize("HighOrder")


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("housing.msh")
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    model()
    gmsh.write(str(target))
    gmsh.finalize()
    print(target)

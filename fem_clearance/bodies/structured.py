"""Structured meshes of solids: blocks, hollow cylinders, blocks with a hole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .. import checks
from ..errors import InputError
from . import cells as reference
from .mesh import Mesh

#: facets of the reference cube by axis and end; of the square likewise
SIDES = {3: {(2, 0): 0, (1, 0): 1, (0, 0): 2, (0, 1): 3, (1, 1): 4, (2, 1): 5},
         2: {(1, 0): 0, (0, 0): 1, (0, 1): 2, (1, 1): 3}}  # fmt: skip


def structured(
    counts: Sequence[int],
    place: Callable[[np.ndarray], np.ndarray],
    *,
    degree: int = 1,
    closed: Sequence[bool] = (False, False, False),
    names: dict[tuple[int, int], str] | None = None,
    source: str = "mesh",
) -> Mesh:
    """Hexahedra (or, for two counts, quadrilaterals) of a unit cube bent into shape.

    Args:
        counts: cells along each direction of the cube.
        place: maps points of the unit cube (n, 2 or 3) to space, m, (n, 3).
        degree: of the geometry.
        closed: directions that meet their own beginning.
        names: of the facet sets, by direction and end (0 or 1).
        source: for messages.
    """
    counts = tuple(checks.count(f"{source}: cells", n) for n in counts)
    d = len(counts)
    for n, ring in zip(counts, closed, strict=False):
        if ring and n < 3:
            raise InputError(f"{source}: a closed ring needs at least 3 cells, got {n}.")
    cell = "hexahedron" if d == 3 else "quadrilateral"
    # nodes lie on a lattice: number them by their whole coordinates
    steps = np.rint(degree * reference.lattice(cell, degree)).astype(int)
    corner = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), -1).reshape(-1, d)
    whole = degree * corner[:, None] + steps
    sizes = [degree * n + (not ring) for n, ring in zip(counts, closed, strict=False)]
    numbers = np.ravel_multi_index(tuple((whole % sizes).transpose(2, 0, 1)), sizes)
    lattice = np.stack(np.unravel_index(np.arange(np.prod(sizes)), sizes), -1)
    points = place(lattice / (degree * np.array(counts)))
    facets = {}
    for (axis, end), name in (names or {}).items():
        mine = np.flatnonzero(corner[:, axis] == (counts[axis] - 1) * end)
        facets[name] = np.stack([mine, np.full_like(mine, SIDES[d][axis, end])], 1)
    return Mesh(cell, points, numbers, facets, degree, source)


def block(size, cells, *, center=(0, 0, 0), degree: int = 1) -> Mesh:
    """A block with edges along the axes; its sides are ``x0, x1, y0, y1`` (and ``z0, z1``).

    Args:
        size: m, (3,), or (2,) for a plane block.
        cells: along each edge.
        center: m, (3,).
        degree: of the geometry (and, by default, of the displacement).
    """
    size = np.atleast_1d(np.asarray(size, float))
    if size.shape not in ((2,), (3,)) or len(np.atleast_1d(cells)) != len(size):
        raise InputError(f"block: give 2 or 3 sizes and as many cells, got {size} and {cells}.")
    for s in size:
        checks.positive("block: size", s)
    middle = checks.vector("block: center", center)

    def place(unit):
        x = np.tile(middle, (len(unit), 1))
        x[:, : len(size)] += (unit - 0.5) * size
        return x

    names = {(k, e): f"{'xyz'[k]}{e}" for k in range(len(size)) for e in (0, 1)}
    return structured(cells, place, degree=degree, names=names, source="block")


def hollow_cylinder(
    inner_radius, outer_radius, length, cells, *, degree: int = 2, grading: float = 1.0
) -> Mesh:
    """A hollow cylinder about the z axis, closed round the circumference without a seam.

    Facet sets ``bore``, ``rim``, ``z0`` and ``z1``.

    Args:
        inner_radius, outer_radius, length: m.
        cells: round, along and through, (3,); or round and through of a plane ring, whose length
            is then the ``thickness`` of the solid.
        degree: of the geometry; 1 makes a polygon of the circle.
        grading: thickness of the outermost layer of cells over that of the innermost.
    """
    checks.positive("hollow cylinder: inner_radius", inner_radius)
    if outer_radius <= inner_radius:
        raise InputError(
            f"hollow cylinder: outer_radius = {outer_radius:g} m must exceed inner_radius = "
            f"{inner_radius:g} m."
        )
    checks.positive("hollow cylinder: length", length)
    checks.positive("hollow cylinder: grading", grading)
    plane = len(cells) == 2
    growth = np.log(grading)

    def place(unit):
        turn, through = 2 * np.pi * unit[:, 0], unit[:, -1]
        if abs(growth) > 1e-12:
            through = np.expm1(growth * through) / np.expm1(growth)
        r = inner_radius + (outer_radius - inner_radius) * through
        z = np.zeros_like(r) if plane else (unit[:, 1] - 0.5) * length
        return np.stack([r * np.cos(turn), r * np.sin(turn), z], 1)

    if plane:
        # round x through is left-handed: count through first
        return structured(
            (cells[1], cells[0]), lambda u: place(u[:, ::-1]), degree=degree,
            closed=(False, True), names={(0, 0): "bore", (0, 1): "rim"}, source="ring",
        )  # fmt: skip
    return structured(
        (cells[2], cells[0], cells[1]), lambda u: place(u[:, [1, 2, 0]]), degree=degree,
        closed=(False, True, False),
        names={(0, 0): "bore", (0, 1): "rim", (2, 0): "z0", (2, 1): "z1"}, source="hollow cylinder",
    )  # fmt: skip

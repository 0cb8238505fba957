"""Structured meshes of solids: blocks, hollow cylinders, blocks with a hole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

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
        closed: directions in which the end is joined to the beginning.
        names: of the facet sets, by direction and end (0 or 1).
        source: for messages.

    Example::

        def tapered(x):  # of the unit cube, (n, 3)
            thickness = 0.02 * (1 - 0.5 * x[:, 0])
            return np.column_stack([0.2 * x[:, 0], thickness * (x[:, 1] - 0.5), 0.01 * x[:, 2]])

        fc.meshes.structured((10, 2, 1), tapered)
    """
    checks.choice(f"{source}: degree", degree, (1, 2))
    cell, numbers, unit, corner = lattice(counts, degree=degree, closed=closed, source=source)
    d, facets = len(counts), {}
    for (axis, end), name in (names or {}).items():
        mine = np.flatnonzero(corner[:, axis] == (counts[axis] - 1) * end)
        facets[name] = np.stack([mine, np.full_like(mine, SIDES[d][axis, end])], 1)
    return Mesh(cell, place(unit), numbers, facets, degree, source)


def lattice(counts: Sequence[int], *, degree: int, closed: Sequence[bool], source: str):
    """Cells of a unit cube or square; see ``structured``.

    Returns:
        kind of cell; nodes of each cell; nodes in the unit cube, (n, 2 or 3); place of each cell
        among the others along each direction.
    """
    counts = checks.several(f"{source}: cells", counts)
    counts = tuple(checks.count(f"{source}: cells", n) for n in counts)
    d = len(counts)
    for n, ring in zip(counts, closed, strict=False):
        if ring and n < 3:
            raise InputError(f"{source}: a closed ring needs at least 3 cells, got {n}.")
    cell = "hexahedron" if d == 3 else "quadrilateral"
    # nodes are numbered by their whole coordinates
    inside = steps(cell, degree)
    corner = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), -1).reshape(-1, d)
    whole = degree * corner[:, None] + inside
    sizes = [degree * n + (not ring) for n, ring in zip(counts, closed, strict=False)]
    numbers = np.ravel_multi_index(tuple((whole % sizes).transpose(2, 0, 1)), sizes)
    places = np.stack(np.unravel_index(np.arange(np.prod(sizes)), sizes), -1)
    return cell, numbers, places / (degree * np.array(counts)), corner


def block(
    size: ArrayLike, cells: Sequence[int], *, center: ArrayLike = (0, 0, 0), degree: int = 1
) -> Mesh:
    """A block with edges along the axes; its sides are ``x0, x1, y0, y1`` (and ``z0, z1``).

    Args:
        size: m, (3,), or (2,) for a plane block.
        cells: along each edge.
        center: m, (3,).
        degree: of the geometry.
    """
    size = _sizes("block", size, cells)
    middle = checks.vector("block: center", center)

    def place(unit):
        x = np.tile(middle, (len(unit), 1))
        x[:, : len(size)] += (unit - 0.5) * size
        return x

    names = {(k, e): f"{'xyz'[k]}{e}" for k in range(len(size)) for e in (0, 1)}
    return structured(cells, place, degree=degree, names=names, source="block")


def _sizes(who: str, size: ArrayLike, cells: Sequence[int]) -> np.ndarray:
    """Checked sizes of a block, m, (2,) or (3,)."""
    sizes = checks.array(size)
    if sizes.shape not in ((2,), (3,)) or checks.array(cells).shape != sizes.shape:
        raise InputError(
            f"{who}: give 2 or 3 sizes and the same number of cells, got {checks.shown(size)} and "
            f"{cells}."
        )
    for s in sizes:
        checks.positive(f"{who}: size", s)
    return sizes


def hollow_cylinder(
    inner_radius: float,
    outer_radius: float,
    length: float,
    cells: Sequence[int],
    *,
    degree: int = 2,
    grading: float = 1.0,
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
    checks.positive("hollow cylinder: outer_radius", outer_radius)
    if outer_radius <= inner_radius:
        raise InputError(
            f"hollow cylinder: outer_radius = {outer_radius:g} m must exceed inner_radius = "
            f"{inner_radius:g} m."
        )

    def circle(radius):
        return lambda turn: radius * np.stack([np.cos(turn), np.sin(turn)], 1)

    return _round_a_hole(
        lambda turn: 2 * np.pi * turn, circle(inner_radius), circle(outer_radius), length, cells,
        degree, grading, ("bore", "rim"), "hollow cylinder",
    )  # fmt: skip


def block_with_hole(
    size: ArrayLike,
    radius: float,
    cells: Sequence[int],
    *,
    hole: ArrayLike = (0.0, 0.0),
    degree: int = 2,
    grading: float = 1.0,
) -> Mesh:
    """A block with a round hole along z, of cells that run round the hole.

    Facet sets ``hole``, ``x0, x1, y0, y1`` (and ``z0, z1``). The block's centre is the origin.

    Args:
        size: m, (3,), or (2,) for a plane block.
        radius: of the hole, m.
        cells: round (a multiple of 4: the corners are nodes), along and through, (3,); or round and
            through of a plane block.
        hole: x and y of the hole's axis, m.
        degree: of the geometry; 1 makes a polygon of the hole.
        grading: thickness of the outermost layer of cells over that of the innermost.
    """
    who = "block with a hole"
    size = _sizes(who, size, cells)
    radius = checks.positive(f"{who}: radius", radius)
    middle = checks.vector(f"{who}: hole", hole, 2)
    half = size[:2] / 2
    wall = (half - np.abs(middle)).min() - radius
    if wall <= 0:
        raise InputError(
            f"{who}: a hole of radius {radius:g} m at {tuple(middle.tolist())} m does not fit into "
            f"a block of {size[0]:g} x {size[1]:g} m."
        )
    if checks.count(f"{who}: cells round", cells[0]) % 4:
        raise InputError(
            f"{who}: the number of cells around the hole must be a multiple of 4, got {cells[0]}."
        )
    corners = half * [[1, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]]
    angles = np.unwrap([np.arctan2(y, x) for x, y in corners - middle])
    quarters = np.arange(5) / 4

    def bore(turn):
        angle = np.interp(turn, quarters, angles)
        return middle + radius * np.stack([np.cos(angle), np.sin(angle)], 1)

    def sides(turn):
        return np.stack([np.interp(turn, quarters, x) for x in corners.T], 1)

    mesh = _round_a_hole(
        lambda turn: turn, bore, sides, size[2] if len(size) == 3 else 1.0, cells, degree, grading,
        ("hole", "sides"), who,
    )  # fmt: skip
    near = 1e-9 * size.max()
    flat = {
        f"{'xy'[k]}{e}": lambda x, k=k, e=e: np.abs(x[:, k] - (2 * e - 1) * half[k]) < near
        for k in (0, 1)
        for e in (0, 1)
    }
    mesh.facets.pop("sides")
    return mesh.marked(**flat)


def _round_a_hole(
    angle, inner, outer, length, cells, degree, grading, names: tuple[str, str], source: str
) -> Mesh:
    """Cells between two closed curves round the z axis.

    Args:
        angle: argument of the curves for a fraction of the turn, from 0 to 1.
        inner, outer: places (n, 2) in m on the curves.
        length: along z, m.
        cells: round, along and through; or round and through.
        names: of the inner and the outer facets.
    """
    checks.positive(f"{source}: length", length)
    checks.positive(f"{source}: grading", grading)
    if checks.array(cells).shape not in ((2,), (3,)):
        raise InputError(
            f"{source}: give the numbers of cells around, along and through the wall, or "
            "around and through it."
        )
    growth = np.log(grading)

    def place(through, turn, along):
        if abs(growth) > 1e-12:
            through = np.expm1(growth * through) / np.expm1(growth)
        turn = angle(turn)
        xy = (1 - through)[:, None] * inner(turn) + through[:, None] * outer(turn)
        return np.column_stack([xy, (along - 0.5) * length])

    sets = {(0, 0): names[0], (0, 1): names[1]}
    if len(cells) == 2:
        return structured(
            (cells[1], cells[0]), lambda u: place(u[:, 0], u[:, 1], np.full(len(u), 0.5)),
            degree=degree, closed=(False, True), names=sets, source=source,
        )  # fmt: skip
    return structured(
        (cells[2], cells[0], cells[1]), lambda u: place(*u.T), degree=degree,
        closed=(False, True, False), names=sets | {(2, 0): "z0", (2, 1): "z1"}, source=source,
    )  # fmt: skip


def steps(cell: str, degree: int) -> np.ndarray:
    """Coordinates of the nodes in whole steps, ``degree`` of them along an edge."""
    return np.rint(degree * reference.lattice(cell, degree)).astype(int)

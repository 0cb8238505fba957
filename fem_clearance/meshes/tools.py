"""Meshes from meshes: cells cut into simplices, blocks joined."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from ..errors import InputError
from . import cells as reference
from .mesh import Mesh
from .structured import steps


def simplices(mesh: Mesh) -> Mesh:
    """Each hexahedron cut into six tetrahedra, each quadrilateral into two triangles (Kuhn).

    Nodes stay as they are, including those of curved cells. Cells must have been made by
    ``structured`` or be numbered as consistently, so that neighbours divide their common face along
    the same diagonal.

    Raises:
        InputError: a mesh of simplices, or one whose neighbours disagree.

    Example::

        len(fc.meshes.simplices(fc.meshes.block((0.1, 0.1, 0.1), (2, 1, 1))).cells)  # 12
    """
    if mesh.cell in reference.SIMPLICES:
        raise InputError(
            f"{mesh.source}: its {mesh.cell} cells are already simplices; use the mesh as it is."
        )
    d, cell = mesh.dimension, {2: "triangle", 3: "tetrahedron"}[mesh.dimension]
    place = {tuple(x): k for k, x in enumerate(steps(mesh.cell, mesh.degree))}
    table = []
    for way in permutations(range(d)):  # from the lowest corner to the highest, an axis at a time
        corners = np.zeros((d + 1, d), int)
        for k, axis in enumerate(way):
            corners[k + 1 :, axis] = 1
        if np.linalg.det(corners[1:]) < 0:
            corners[[1, 2]] = corners[[2, 1]]
        nodes = corners[0] + steps(cell, mesh.degree) @ (corners[1:] - corners[0])
        table.append([place[tuple(x)] for x in nodes])
    result = Mesh(
        cell, mesh.points, mesh.cells[:, table].reshape(-1, len(table[0])), {}, mesh.degree,
        mesh.source,
    )  # fmt: skip
    outer = result.boundary()
    if len(outer) != (d - 1) * len(mesh.boundary()):
        raise InputError(
            f"{mesh.source}: neighbouring cells would be divided along different diagonals."
        )
    sets = {}
    for name, facets in mesh.facets.items():
        whole = reference.nodes_of_facets(mesh.cell, 1, mesh.cells, facets)
        parts = np.array([*combinations(range(whole.shape[1]), d)])
        wanted = np.sort(whole[:, parts].reshape(-1, d), axis=1)
        found, _ = result.find_facets(wanted)
        sets[name] = np.unique(found, axis=0)
    return replace(result, facets=sets)


def thin(mesh: Mesh) -> bool:
    """Whether a body has at most three cells across and is thin: its volume (of plane ones, its
    area) over half its surface is below a tenth of its largest extent."""
    outer = mesh.surface()
    nodes = reference.nodes_of_facets(mesh.cell, 1, mesh.cells, outer)
    near = np.zeros(len(mesh.points), bool)
    near[nodes] = True
    near = mesh.any_rank(near)
    near[mesh.cells[near[mesh.cells].any(axis=1)]] = True  # and their cells' other nodes
    near = mesh.any_rank(near)
    if not all(mesh.of_ranks(bool(near[mesh.cells[mesh.own]].all()))):
        return False
    x = mesh.points[nodes]
    if mesh.dimension == 2:
        surface = np.linalg.norm(x[:, 1] - x[:, 0], axis=1)
    else:  # one triangle, or two of a quadrilateral numbered row by row
        corners = [(0, 1, 2), (3, 1, 2)][: x.shape[1] - 2]
        surface = sum(
            np.linalg.norm(np.cross(x[:, b] - x[:, a], x[:, c] - x[:, a]), axis=1) / 2
            for a, b, c in corners
        )
    volume = mesh.moments()[0]
    return bool(2 * volume / sum(mesh.of_ranks(np.sum(surface))) < 0.1 * mesh.size.max())


def join(*meshes: Mesh, tolerance: float = 1e-6) -> Mesh:
    """One mesh of several that meet in equal facets; their facet sets, less what lies inside.

    Args:
        meshes: of the same cells and degree.
        tolerance: distance of nodes that become one, relative to the cells' mean edge.

    Raises:
        InputError: other cells or another degree.

    Example::

        foot = fc.meshes.block((0.1, 0.02, 0.02), (5, 1, 1))
        web = fc.meshes.block((0.02, 0.1, 0.02), (1, 5, 1), center=(0, 0.06, 0))
        tee = fc.meshes.join(foot, web)
    """
    from scipy.spatial import cKDTree

    first = meshes[0]
    for m in meshes[1:]:
        if (m.cell, m.degree) != (first.cell, first.degree):
            raise InputError(
                f"join: all meshes must have the same cells, but {m.source} has {m.cell} cells "
                f"of degree {m.degree} and {first.source} {first.cell} cells of degree "
                f"{first.degree}."
            )
    starts = np.cumsum([0, *(len(m.points) for m in meshes)])
    points = np.concatenate([m.points for m in meshes])
    number = np.arange(len(points))
    for a, b in sorted(cKDTree(points).query_pairs(tolerance * first.spacing)):
        number[b] = min(number[a], number[b])
    used, number = np.unique(number, return_inverse=True)
    cells = np.concatenate([number[m.cells + at] for m, at in zip(meshes, starts, strict=False)])
    result = Mesh(first.cell, points[used], cells, {}, first.degree, "joined mesh")
    outer = {tuple(f) for f in result.boundary()}
    sets: dict[str, list] = {}
    at = 0
    for m in meshes:
        for name, facets in m.facets.items():
            moved = (facets + [at, 0]).tolist()
            sets.setdefault(name, []).extend(f for f in moved if tuple(f) in outer)
        at += len(m.cells)
    return replace(result, facets={name: np.array(f, int) for name, f in sets.items() if f})


def project(cell: str, degree: int, geometry: np.ndarray, points: np.ndarray, field: int):
    """Project points onto curved facets, by Newton's method on the nearest ones.

    Args:
        cell: of the facets.
        degree: of their geometry.
        geometry: its nodes, m, (k, nodes, 3).
        points: m, (n, 3).
        field: degree of the shape functions that are returned.

    Returns:
        facet of each point, (n,); values there of its shape functions, (n, nodes of the field);
        how far the point is from the facet, m, (n,).
    """
    from scipy.spatial import cKDTree

    near = min(6, len(geometry))
    _, candidates = cKDTree(geometry.mean(axis=1)).query(points, near)
    shapes = reference.lagrange(cell, degree)
    candidates = candidates.reshape(len(points), near)
    X = np.full((len(points) * near, geometry.shape[2] - 1), 0.5)
    nodes = geometry[candidates.ravel()]
    target = np.repeat(points, near, axis=0)
    for _ in range(20):
        table = shapes.tabulate(1, X)[..., 0]
        off = target - np.einsum("pn,pnx->px", table[0], nodes)
        t = np.einsum("dpn,pnx->pxd", table[1:], nodes)
        step = np.linalg.solve(
            np.einsum("pxd,pxe->pde", t, t), np.einsum("pxd,px->pd", t, off)[..., None]
        )[..., 0]
        X = np.clip(X + step, 0.0, 1.0)
        if np.abs(step).max() < 1e-13:
            break
    distance = np.linalg.norm(
        target - np.einsum("pn,pnx->px", shapes.tabulate(0, X)[0, ..., 0], nodes), axis=1
    ).reshape(-1, near)
    best = distance.argmin(axis=1)
    rows = np.arange(len(points))
    values = reference.lagrange(cell, field).tabulate(0, X)[0, ..., 0].reshape(*distance.shape, -1)
    return candidates[rows, best], values[rows, best], distance[rows, best]

"""Surfaces of films: meshes of quadrilaterals in the housing's frame, with named sets of nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ...meshes import cells as reference
from ...meshes.structured import lattice
from ...model.frame import triad_about

#: degree of the quadrature rule for areas
AREA = 4


@dataclass(frozen=True)
class Surface:
    """A surface that a film lies on.

    Attributes:
        points: nodes of the geometry in the housing's frame, m, (n, 3).
        cells: nodes of each cell in Basix's order, (m, nodes of a cell).
        sets: name -> nodes of the pressure, for ambient ends, grooves and holes.
        degree: of the geometry.
        source: for messages.
        coarser: the same surface with half as many cells in each direction where that is possible,
            its nodes among those of this one (``bearings/start.py``); ``None`` if there is none.
    """

    points: np.ndarray
    cells: np.ndarray
    sets: dict[str, np.ndarray] = field(default_factory=dict)
    degree: int = 1
    source: str = "film"
    coarser: Surface | None = field(default=None, repr=False, compare=False)

    @property
    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of the pressure: cells x 4, and which points of the geometry they are."""
        used, numbers = np.unique(self.cells[:, :4], return_inverse=True)
        return numbers.reshape(-1, 4), used

    @property
    def nodes(self) -> np.ndarray:
        """Places of the pressure's nodes, m, (n, 3)."""
        return self.points[self.corners[1]]

    def marked(self, **where: Callable[[np.ndarray], np.ndarray]) -> Surface:
        """The surface with further sets of nodes.

        Example:
            >>> surface.marked(hole=lambda x: np.hypot(x[:, 1], x[:, 2]) < 1e-3)

        Args:
            where: name -> function of the nodes' places (n, 3) in m that returns n answers.

        Raises:
            InputError: no such function, a set without nodes.
        """
        sets = {}
        for name, f in where.items():
            inside = f(self.nodes) if callable(f) else None
            if np.shape(inside) != (len(self.nodes),):
                raise InputError(
                    f"{self.source}: {name!r} must be a function of places (n, 3) in m that says "
                    "of each of the n whether it lies in the set."
                )
            sets[name] = np.flatnonzero(inside)
            if not len(sets[name]):
                raise InputError(
                    f"{self.source}: no node lies in {name!r}; it must be wider than a cell and "
                    "on the surface."
                )
        try:
            coarser = self.coarser and self.coarser.marked(**where)
        except InputError:  # a set that lies between its nodes
            coarser = None
        return replace(self, sets=self.sets | sets, coarser=coarser)

    def node_set(self, name: str, who: str) -> np.ndarray:
        """Nodes of a set.

        Raises:
            InputError: no such set.
        """
        if name not in self.sets:
            known = ", ".join(sorted(self.sets)) or "none"
            raise InputError(f"{who}: the film has no nodes marked {name!r}; there are: {known}.")
        return self.sets[name]

    def shares(self) -> np.ndarray:
        """Parts of the area of each cell that belong to its corners, m^2, (cells, 4), by a
        quadrature rule of degree ``AREA``."""
        points, weights = reference.quadrature("quadrilateral", AREA)
        slopes = reference.shape_functions("quadrilateral", self.degree, points)[1:]
        t = np.einsum("dpn,mnx->dmpx", slopes, self.points[self.cells])
        size = np.linalg.norm(np.cross(t[0], t[1]), axis=2) * weights
        return size @ reference.shape_functions("quadrilateral", 1, points)[0]

    def areas(self) -> np.ndarray:
        """Area that belongs to each pressure node, m^2."""
        numbers, _ = self.corners
        result = np.zeros(numbers.max() + 1)
        np.add.at(result, numbers, self.shares())
        return result


def halved(cells, least: tuple[int, ...]) -> tuple[int, ...] | None:
    """Half as many cells in each direction where they are even and enough are left; ``None`` where
    that changes nothing."""
    fewer = tuple(
        n // 2 if n % 2 == 0 and n // 2 >= few else n for n, few in zip(cells, least, strict=True)
    )
    return None if fewer == tuple(cells) else fewer


def neighbours(corners: np.ndarray) -> np.ndarray:
    """Pairs of nodes along the edges of quadrilaterals (cells, 4), there and back, (n, 2)."""
    there = corners[:, np.array(reference.entities("quadrilateral", 1))].reshape(-1, 2)
    return np.concatenate([there, there[:, ::-1]])


def counted_edges(corners: np.ndarray, cell: str) -> tuple[np.ndarray, np.ndarray]:
    """Edges of facets: their ends, (n, 2), and how many facets each belongs to: one on the rim.

    Args:
        corners: of each facet, (facets, corners).
        cell: kind of the facets.
    """
    pairs = np.array(reference.entities(cell, 1))
    ends = np.sort(corners[:, pairs].reshape(-1, 2), axis=1)
    return np.unique(ends, axis=0, return_counts=True)


def cylinder(
    radius: float,
    length: float,
    cells: Sequence[int] = (96, 16),
    *,
    degree: int = 2,
    arc: float | None = None,
    start: float = 0.0,
    crowd: float = 0.0,
    angles: ArrayLike = (),
    places: ArrayLike = (),
) -> Surface:
    """The bore of a bearing about the third axis, closed or an arc; ends ``z0`` and ``z1``.

    Args:
        radius, length: m.
        cells: round and along.
        degree: of the geometry.
        arc: angle of a partial bearing, rad; its edges are ``start`` and ``end``.
        start: angle of the first line of nodes from the first axis, rad.
        crowd: from 0 to below 1: crowds the lines round the start (of a full bearing), where they
            are 1 - crowd times as far apart as on average.
        angles, places: rad from the first axis, and m along the third from the middle, at which
            lines of nodes shall lie, as at the edges of grooves: the nearest lines move there.

    Raises:
        InputError: an arc of nothing or more than a turn, lengths or cells that cannot be, too few
            cells for such lines.
    """
    checks.positive("film: radius", radius)
    checks.positive("film: length", length)
    checks.within("film: crowd", crowd, 0.0, 0.99)
    if arc is not None and not 0 < arc < 2 * np.pi:
        raise InputError(f"film: arc must lie between 0 and 2 pi rad, got {arc:g}.")
    turned = np.mod(np.asarray(angles, float) - start + 1e-12, 2 * np.pi) - 1e-12
    lines = turned / (arc or 2 * np.pi)
    if crowd and arc is None:
        lines = _anomaly(turned, crowd)
    cells = checks.counts("film: cells", cells)
    around = moved_lines(lines, cells[0], arc is None)
    along = moved_lines(np.asarray(places, float) / length + 0.5, cells[1], False)
    return _cylinder(radius, length, cells, (around, along), degree, arc, start, crowd)


def _cylinder(radius, length, cells, moved, degree, arc, start, crowd) -> Surface:
    """As ``cylinder``, its lines of nodes moved round and along by what ``moved_lines`` says."""
    _, numbers, unit, _ = lattice(cells, degree=degree, closed=(arc is None, False), source="film")
    u, z = (np.interp(x, *map_) for x, map_ in zip(unit.T, moved, strict=True))
    angle = u * arc if arc else 2 * np.pi * u - crowd * np.sin(2 * np.pi * u)
    z = (z - 0.5) * length
    points = np.stack([radius * np.cos(start + angle), radius * np.sin(start + angle), z], 1)
    surface = Surface(points, numbers, {}, degree, "cylindrical film")
    place = unit[surface.corners[1]]
    ends = {"z0": place[:, 1] == 0, "z1": place[:, 1] == 1}
    if arc:
        ends |= {"start": place[:, 0] == 0, "end": place[:, 0] == 1}
    fewer = halved(cells, (8, 2))
    coarser = None
    if fewer is not None:
        coarser = _cylinder(radius, length, fewer, moved, degree, arc, start, crowd)
    return _with(surface, ends, coarser)


def slides_along(surface: Surface, name: str) -> bool:
    """Whether a journal that rotates slides along a set of nodes and not across it."""
    x, y, z = surface.nodes[surface.sets[name]].T
    extent = np.ptp(surface.points, axis=0).max()
    return bool(np.hypot(np.ptp(np.hypot(x, y)), np.ptp(z)) < 1e-6 * extent)


def _with(surface: Surface, sets: dict[str, np.ndarray], coarser: Surface | None) -> Surface:
    """With sets of nodes, each given by whether a node belongs to it."""
    return replace(
        surface, sets={n: np.flatnonzero(mine) for n, mine in sets.items()}, coarser=coarser
    )


def _anomaly(angle: np.ndarray, crowd: float) -> np.ndarray:
    """Part of the way round, 0 to 1, at which crowded lines have an angle (Kepler's equation)."""
    fine = np.linspace(0, 1, 1001)
    u = np.interp(angle, 2 * np.pi * fine - crowd * np.sin(2 * np.pi * fine), fine)
    for _ in range(4):
        off = 2 * np.pi * u - crowd * np.sin(2 * np.pi * u) - angle
        u = u - off / (2 * np.pi * (1 - crowd * np.cos(2 * np.pi * u)))
    return u


def moved_lines(wanted: np.ndarray, count: int, closed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Which places (0 to 1) along a direction move where, so that lines of nodes lie where they are
    asked for; in between places move along in proportion.

    Args:
        wanted: places of lines, 0 to 1.
        count: cells, spread evenly before.
        closed: whether the direction meets its own beginning.

    Returns:
        Places before and after, which increase.

    Raises:
        InputError: too few cells.
    """
    if not len(wanted):
        return np.array([0.0, 1.0]), np.array([0.0, 1.0])
    lines = np.sort(wanted if closed else [0.0, *wanted, 1.0])
    lines = lines[np.diff(lines, prepend=-1.0) > 1e-9]
    if len(lines) > count + (not closed):
        raise InputError(
            f"film: {count} cells are too few for edges of grooves at {len(lines)} places; give "
            "more."
        )
    own = np.round(lines * count)
    last = own[0] + count - 1 if closed else count
    for k in range(1, len(own)):
        own[k] = max(own[k], own[k - 1] + 1)
    for k in range(len(own) - 1, -1, -1):
        own[k] = min(own[k], last - (len(own) - 1 - k))
    if closed:
        own = np.concatenate([own[-1:] - count, own, own[:1] + count])
        lines = np.concatenate([lines[-1:] - 1, lines, lines[:1] + 1])
    return own / count, lines


def pad(
    length: float,
    width: float,
    cells: Sequence[int] = (64, 16),
    *,
    start: Sequence[float] = (0.0, 0.0),
) -> Surface:
    """A rectangle in the plane of the first two axes; edges ``x0``, ``x1``, ``y0`` and ``y1``.

    Args:
        length, width: along the first and the second axis, m.
        cells: likewise.
        start: its corner of least coordinates, m.
    """
    checks.positive("film: length", length)
    checks.positive("film: width", width)
    cells = checks.counts("film: cells", cells)
    _, numbers, unit, _ = lattice(cells, degree=1, closed=(False, False), source="film")
    points = np.zeros((len(unit), 3))
    points[:, :2] = np.asarray(start) + unit[:, :2] * (length, width)
    surface = Surface(points, numbers, {}, 1, "flat film")
    u, v = unit[surface.corners[1], :2].T
    edges = {"x0": u == 0, "x1": u == 1, "y0": v == 0, "y1": v == 1}
    fewer = halved(cells, (4, 2))
    coarser = pad(length, width, fewer, start=start) if fewer is not None else None
    return _with(surface, edges, coarser)


def sphere(radius: float, cells: int = 8, *, degree: int = 2) -> Surface:
    """A whole sphere: a cube's faces blown up, without poles. Set ``pole``: one node, on the third
    axis, where the pressure of a film that no edge bounds may be fixed.

    Args:
        radius: m.
        cells: along an edge of the cube; 6 cells^2 in all.
        degree: of the geometry.

    Example::

        lubrication.sphere(20e-3, cells=8)
    """
    checks.positive("film: radius", radius)
    _, numbers, unit, _ = lattice((cells, cells), degree=degree, closed=(False, False),
                                  source="film")  # fmt: skip
    u, v = np.tan(np.pi / 4 * (2 * unit[:, :2] - 1)).T
    one, patches = np.ones_like(u), []
    for k in range(3):  # the pair of faces across each axis; x_(k+1), x_(k+2), x_k
        for side in (1.0, -1.0):
            face = np.stack([u, side * v, side * one], 1)
            patches.append(np.roll(face, k + 1, axis=1))
    surface = _joined(patches, numbers, radius, degree, "spherical film")
    pole = np.argmax(surface.nodes[:, 2])
    fewer = halved((cells,), (2,))
    coarser = sphere(radius, fewer[0], degree=degree) if fewer is not None else None
    return replace(surface, sets={"pole": np.array([pole])}, coarser=coarser)


def cap(
    radius: float,
    angle: float = np.pi / 2,
    cells: Sequence[int] = (8, 8),
    *,
    axis: ArrayLike = (0, 0, 1),
    degree: int = 2,
    crowd: float = 0.0,
) -> Surface:
    """A spherical socket about an axis, without a pole; its edge is ``rim``.

    Args:
        radius: m.
        angle: from the axis to the rim, rad: pi/2 is a hemisphere.
        cells: along each edge of the square in the middle, and from there to the rim.
        axis: from the centre to the middle of the socket.
        degree: of the geometry.
        crowd: from 0 to below 1: crowds the cells round the axis, where they are 1 - crowd times
            as wide as on average.

    Raises:
        InputError: an angle of nothing or of the whole sphere, lengths or cells that cannot be.

    Example::

        lubrication.cap(radius=20e-3, angle=np.pi / 2, cells=(8, 8))
    """
    checks.positive("film: radius", radius)
    checks.within("film: crowd", crowd, 0.0, 0.99)
    if not 0 < angle < np.pi:
        raise InputError(f"film: angle of the cap must lie between 0 and pi rad, got {angle:g}.")
    axis = checks.direction("film: axis", axis)
    inner, outer = checks.counts("film: cells", cells, "(8, 8)")
    square = lattice((inner, inner), degree=degree, closed=(False, False), source="film")
    strip = lattice((inner, outer), degree=degree, closed=(False, False), source="film")
    # a disc of radius 1: a square with bulged edges, and four strips from it to the circle
    half = inner / (inner + outer)
    plane = [half * _bulged(2 * square[2][:, :2] - 1)]
    w, s = strip[2][:, :2].T
    turn = np.pi / 4 * (2 * w - 1)
    edge = half * _bulged(np.stack([np.ones_like(w), 2 * w - 1], 1))
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    side = (1 - s)[:, None] * edge + s[:, None] * ring
    for k in range(4):
        c, d = np.round([np.cos(k * np.pi / 2), np.sin(k * np.pi / 2)])
        plane.append(side @ np.array([[c, d], [-d, c]]))
    patches = []
    for p in plane:
        r = np.hypot(*p.T)
        theta = angle * r * (1 - crowd + crowd * r)
        direction = p / np.where(r > 0, r, 1.0)[:, None]
        patches.append(np.column_stack([np.sin(theta)[:, None] * direction, np.cos(theta)]))
    numbers = [square[1], *4 * [strip[1]]]
    surface = _joined(patches, numbers, radius, degree, "spherical film")
    low = np.cos(angle) * radius
    surface = surface.marked(rim=lambda x: x[:, 2] < low + 1e-9 * radius)
    fewer = halved((inner, outer), (2, 2))
    coarser = None
    if fewer is not None and inner * fewer[1] == outer * fewer[0]:  # else its nodes lie elsewhere
        coarser = cap(radius, angle, fewer, axis=axis, degree=degree, crowd=crowd)
    return replace(surface, points=surface.points @ triad_about(axis).T, coarser=coarser)


def _bulged(p: np.ndarray) -> np.ndarray:
    """The square (-1, 1)^2 with edges bulged half way towards the circle through its corners."""
    u, v = p.T
    round_ = np.stack([u * np.sqrt(1 - v**2 / 2), v * np.sqrt(1 - u**2 / 2)], 1)  # disc, radius 1
    return (p / np.sqrt(2) + round_) / 2 * np.sqrt(2)


def _joined(patches, numbers, radius, degree, source) -> Surface:
    """Patches of directions as one surface: places that are the same become one node."""
    numbers = numbers if isinstance(numbers, list) else len(patches) * [numbers]
    points = np.concatenate(patches)
    points = radius * points / np.linalg.norm(points, axis=1, keepdims=True)
    starts = np.cumsum([0, *(len(p) for p in patches[:-1])])
    cells = np.concatenate([n + k for n, k in zip(numbers, starts, strict=True)])
    _, first, same = np.unique(
        np.round(points / radius, 9) + 0.0, axis=0, return_index=True, return_inverse=True
    )
    return Surface(points[first], same.ravel()[cells], {}, degree, source)

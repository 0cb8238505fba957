"""Elastic liners: bores and journals of solids that yield under a film.

A liner lies in the film's axes, those of the housing, and is clamped to its body. The pressure
works on its displacements, while force and moment of the whole film reach the bodies through the
film's port; shear strains bores where that is asked for. Its mass belongs to the body, except
for condensed solids with inertia, which have their own in a mechanism (liner_inertia.py).
Its velocity is the change of its displacement over the step (backward Euler, whatever the
integrator).

A journal turns in the film's axes, in which its displacement nevertheless is that of a solid at
rest: a body of revolution yields to a pressure in every position alike, and as the energy of its
strain does not change with the position, the pressure on what has yielded exerts no moment about
the axis beyond that of the film on the round journal.
"""

from __future__ import annotations

from copy import copy

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import splu
from scipy.spatial import cKDTree

from ...bodies.solids.condensed import CondensedSolid
from ...bodies.solids.facets import FacetSet
from ...bodies.solids.solid import Solid
from ...core.blocks import Block, Ref
from ...core.roles import Condensed
from ...errors import InputError
from ...meshes import cells as reference
from ...meshes.tools import project
from ...model.frame import Frame
from .liner_inertia import add_inertia
from .surface import Surface, counted_edges

#: how far the film's nodes may lie off the bore, in edges of its facets
OFF = 0.1
#: how far a journal may be from a body of revolution: part of a facet's normal around the axis, and
#: distance of held nodes from others by the size of the body
ROUND = 1e-6


class Liner:
    """The bore of a solid, or the surface of a journal, as the bearing surface of a film.

    Example:
        >>> mesh = fc.meshes.hollow_cylinder(15e-3, 25e-3, 14e-3, (48, 8, 2))
        >>> bronze = fc.StVenantKirchhoff(E=130e9, nu=0.3, rho=8000)
        >>> liner = Liner(fc.Solid(mesh, bronze, clamped="rim"))
        >>> film = Film(liner.surface(), 2e-5, Lubricant(0.04), sliding_speed=15.0)
        >>> Bearing(film, liner).solve(Place(e=(1.8e-5, 0, 0), Omega=(0, 0, 1000.0)))

    Args:
        solid: a ``Solid`` (the film's cells are its facets: make the film on ``surface()``) or a
            ``CondensedSolid`` (films of any mesh on the bore). Joints and bearings use copies of
            it. With ``inertia=True`` the latter has inertia and weight of its own in the joints of
            a mechanism; the mass of all others belongs to the body that carries them.
        facets: name of the facet set: a closed ring of quadrilaterals about the third axis, which
            may have holes (supply); ``"rim"`` of a journal that is a hollow cylinder.
        shear: whether the shear stress of the oil also deforms the bore; the cells of the film must
            then be its facets, and a ``CondensedSolid`` needs ``direction="any"``.

    Raises:
        InputError: facets that are not quadrilaterals or not a closed ring, no clamp, or damping,
            except for a retardation together with ``inertia=True``.
    """

    def __init__(self, solid: Solid, facets: str = "bore", *, shear: bool = False):
        who = f"liner {solid.name}" if getattr(solid, "name", None) else "liner"
        if not isinstance(solid, Solid):
            raise InputError(f"{who}: it is a Solid or a CondensedSolid, got {solid!r}.")
        solid.mesh.whole(who)
        if reference.FACET[solid.mesh.cell] != "quadrilateral":
            raise InputError(
                f"{who}: films need facets that are quadrilaterals; make the mesh of hexahedra."
            )
        if not solid.fixed.any():
            raise InputError(f"{who}: hold it to its housing: give facet sets in clamped=.")
        self.inertia = isinstance(solid, CondensedSolid) and solid.inertia
        if solid.damping is not None and (not self.inertia or solid.damping.drag):
            raise InputError(
                f"{who}: a liner without inertia has no damping; leave damping= out, or give "
                "Damping(retardation=...) to a CondensedSolid with inertia=True."
            )
        if shear and isinstance(solid, CondensedSolid) and solid.direction != "any":
            raise InputError(
                f"{who}: its responses are those to pressures; for shear=True give the "
                "CondensedSolid direction='any'."
            )
        self.who, self.solid, self.name, self.shear = who, solid, facets, shear
        self.ends = self._ends()

    @property
    def facets(self) -> FacetSet:
        """The bearing surface."""
        return self.solid.facets(self.name)

    @property
    def outer_radius(self) -> float:
        """Of what lies round the bore, m."""
        return float(np.hypot(*self.solid.mesh.points.T[:2]).max())

    @property
    def geometry(self) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of the facets' geometry, m, and the cells of these."""
        mesh = self.solid.mesh
        table = reference.facet_nodes(mesh.cell, mesh.degree)
        cells = mesh.cells[self.facets.facets[:, :1], table[self.facets.facets[:, 1]]]
        used, cells = np.unique(cells, return_inverse=True)
        return mesh.points[used], cells.reshape(len(self.facets.cells), -1)

    def _ends(self) -> dict[str, np.ndarray]:
        """Corners of the facets' geometry on either end, and round holes."""
        points, cells = self.geometry
        edges, times = counted_edges(cells, "quadrilateral")
        loops = _loops(edges[times == 1])
        angle = np.arctan2(points[:, 1], points[:, 0])
        round_ = [k for k in loops if _goes_round(angle[k])]
        holes = [k for k in loops if not _goes_round(angle[k])]
        closed = len(round_) == 2
        if closed:
            round_.sort(key=lambda k: points[k, 2].mean())
            apart = points[round_[1], 2].min() - points[round_[0], 2].max()
            closed = apart > 1e-6 * np.ptp(points, axis=0).max()  # round-off of one plane is less
        if times.max() > 2 or not closed:
            raise InputError(
                f"{self.who}: its facets {self.name!r} are not a closed ring about the z axis with "
                f"two ends; the bore of a hollow cylinder is."
            )
        ends = {"z0": round_[0], "z1": round_[1]}
        return ends | ({"holes": np.concatenate(holes)} if holes else {})

    def surface(self) -> Surface:
        """The facets as the surface of a film, with the sets of nodes ``z0``, ``z1`` and, where the
        ring has holes, their edges ``holes``."""
        points, cells = self.geometry
        surface = Surface(points, cells, {}, self.solid.mesh.degree, self.who)
        _, used = surface.corners
        ends = {name: np.searchsorted(used, np.unique(loop)) for name, loop in self.ends.items()}
        return Surface(points, cells, ends, surface.degree, self.who)

    def check_journal(self) -> None:
        """Refuse what does not yield alike in every position of a turning journal.

        Raises:
            InputError: a solid that is no body of revolution about the third axis, or is clamped in
                some places around it or along some axes across it only.
        """
        if self.shear:
            raise InputError(
                f"{self.who}: the shear of the oil deforms bores only; leave out shear=True of the "
                "Liner of an elastic journal."
            )
        if self.inertia:
            raise InputError(
                f"{self.who}: an elastic journal cannot have inertia of its own, because it turns "
                "in the axes of the film; leave out inertia=True, and add its mass to its body."
            )
        mesh, solid = self.solid.mesh, self.solid
        outer = mesh.boundary()
        nodes = mesh.cells[outer[:, :1], reference.facet_nodes(mesh.cell, 1)[outer[:, 1]]]
        a, b, c = (mesh.points[nodes[:, k]] for k in range(3))
        x = mesh.points[nodes].mean(axis=1)
        normal = np.cross(b - a, c - a)
        around = np.einsum("kx,kx->k", normal, np.cross([0.0, 0.0, 1.0], _outward(x)))
        skew = np.abs(around).max() / np.linalg.norm(normal, axis=1).max()
        held = solid.fixed.any(axis=1)
        places = np.stack([np.hypot(*solid.nodes[:, :2].T), solid.nodes[:, 2]], axis=1)
        size = ROUND * np.ptp(mesh.points, axis=0).max()
        near = cKDTree(places[held]).query(places[~held])[0] if not held.all() else np.inf
        across = solid.fixed[:, 0] != solid.fixed[:, 1]
        if skew > ROUND or np.min(near) < size or across.any():
            raise InputError(
                f"{self.who}: an elastic journal that turns must be a body of revolution about the "
                "z axis, clamped all round and along both axes across it, because its deformation "
                "is computed in the axes of the film; use a round hollow cylinder clamped on facet "
                "sets that go all round."
            )

    def added(
        self, builder, surface: Surface, name: str, sign: int = 1,
        carrier: tuple[Frame, np.ndarray] | None = None,
    ) -> Lined:  # fmt: skip
        """Add a copy of the solid to a system, for one film on its ``surface``.

        Args:
            sign: 1 if its displacement along the normal opens the gap, as a bore's, -1 if it closes
                it, as a journal's.
            carrier: frame that the liner moves with, and the axes of the film at the start, by
                columns, (3, 3); ``None``: the liner has no inertia.

        Raises:
            InputError: the film's surface is not the liner's.
        """
        lined = Lined(self, surface, name, sign, carrier is not None and self.inertia)
        builder.add(lined.solid)
        if carrier is not None and isinstance(lined.solid, CondensedSolid) and self.inertia:
            add_inertia(builder, lined.solid, *carrier)
        return lined


class Lined:
    """A film's surface on a liner, in a system.

    Attributes:
        solid: the liner's copy in the system.
        degree: of the displacement on the film's cells.
        normal: whether cells read the displacement along the normal only.
        sign: 1 if the displacement along the normal opens the gap, -1 if it closes it.

    Raises:
        InputError: a film that does not lie on the liner's facets.
    """

    def __init__(
        self, liner: Liner, surface: Surface, name: str, sign: int = 1, carried: bool = False
    ):
        self.sign, self.shear = sign, liner.shear
        solid = self.solid = copy(liner.solid)
        solid.name, solid.massless = name, not carried
        if isinstance(solid, CondensedSolid):
            solid.carried = carried
        self.surface, self.facets = surface, solid.facets(liner.name)
        self._yield: Block | None = None
        points, cells = liner.geometry
        here, there = surface.points[surface.cells], points[cells]
        same = here.shape == there.shape and np.allclose(here, there, 0, 1e-9 * np.ptp(points))
        self.normal = not same
        self.degree = solid.degree if same else 1
        if self.shear and self.normal:
            raise InputError(
                f"{name}: with shear=True the film's cells must be the facets of the liner: "
                "make the film on liner.surface()."
            )
        if not same and not isinstance(solid, CondensedSolid):
            raise InputError(
                f"{name}: the film's cells must be the facets of a Solid: make the film on "
                "liner.surface(), or take a CondensedSolid."
            )
        #: film's nodes x displacements of the bore's nodes: displacement along the normal
        self.reading: csr_matrix | _Projection = (
            self._projected(name) if self.normal else self._at_corners()
        )

    def refs(self, builder, name: str) -> list[Ref]:
        """What the film's cells read of the liner."""
        if not self.normal:
            return [self.solid.displacement(self.facets.cells)]
        assert isinstance(self.solid, CondensedSolid)
        shapes = self.reading @ self._shapes()
        condensed = Condensed(master=self.solid.amplitudes, matrix=shapes)
        what = "yield" if self.sign > 0 else "journal_yield"
        self._yield = Block(name, what, np.zeros(len(shapes)), condensed)
        builder.add_block(self._yield)
        return [Ref(self._yield, self.surface.corners[0])]

    def nodal_refs(self) -> list[Ref]:
        """The same for each node of the film; after ``refs``."""
        if self._yield is None:
            return [self.solid.displacement(self._corners()[:, None])]
        return [Ref(self._yield, np.arange(len(self._yield.values))[:, None])]

    def matrix(self, state) -> csr_matrix:
        """What tells by how much the gap opens at the film's nodes from the state's unknowns,
        (nodes, local unknowns); on a single rank."""
        if isinstance(self.solid, CondensedSolid):
            numbers, part = self.solid.amplitudes.numbers, csr_matrix(self.reading @ self._shapes())
        else:
            assert isinstance(self.reading, csr_matrix)
            numbers = self.solid.displacement(self.facets.nodes[:, None]).numbers
            part = self.reading
        part = part.tocoo()
        cols = state.locate(np.ravel(numbers))[part.col]
        keep = cols < state.local  # the others are clamped
        place = part.row[keep], cols[keep]
        return csr_matrix((self.sign * part.data[keep], place), (part.shape[0], state.local))

    def _shapes(self) -> np.ndarray:
        """Displacements of the bore's nodes of each response of a condensed solid."""
        assert isinstance(self.solid, CondensedSolid)
        shapes = self.solid.responses[self.facets.nodes]
        return shapes.reshape(-1, shapes.shape[2])

    def _at_corners(self) -> csr_matrix:
        """Displacement of the film's nodes, which are corners of the facets."""
        nodes = np.searchsorted(self.facets.nodes, self._corners())
        outward = _outward(self.surface.nodes)
        n = len(nodes)
        rows, cols = np.repeat(np.arange(n), 3), (3 * nodes[:, None] + range(3)).ravel()
        return csr_matrix((outward.ravel(), (rows, cols)), (n, 3 * len(self.facets.nodes)))

    def _corners(self) -> np.ndarray:
        """Node of the solid at each node of the film, which is a corner of a facet."""
        numbers, used = self.surface.corners
        nodes = np.zeros(len(used), int)
        nodes[numbers] = self.facets.cells[:, :4]
        return nodes

    def _projected(self, who: str) -> _Projection:
        """Least squares of the bore's displacement among those bilinear on its facets, at the
        film's nodes. (Read node by node, a film's cells excite corners against middles.)"""
        facets, mesh, points = self.facets, self.solid.mesh, self.surface.nodes
        at, shares, distance = project("quadrilateral", mesh.degree, facets.geometry, points, 1)
        size = np.linalg.norm(facets.geometry[:, 1] - facets.geometry[:, 0], axis=1).mean()
        if distance.max() > OFF * size:
            raise InputError(
                f"{who}: the film's surface does not lie on the facets {facets.name!r}; a node is "
                f"{distance.max():.3g} m away from them."
            )
        used, corners = np.unique(facets.cells[:, :4], return_inverse=True)
        corners = corners.reshape(-1, 4)
        spots, weights = reference.quadrature("quadrilateral", 2 * self.solid.degree + 2)
        x, normal = facets.normals(spots)
        area = np.linalg.norm(normal, axis=2) * weights
        bilinear = reference.shape_functions("quadrilateral", 1, spots)[0]
        values = reference.shape_functions("quadrilateral", self.solid.degree, spots)[0]
        outward = _outward(x.reshape(-1, 3)).reshape(x.shape)
        mass = np.einsum("kp,pi,pj->kij", area, bilinear, bilinear)
        load = np.einsum("kp,pi,pj,kpx->kijx", area, bilinear, values, outward)
        bore = 3 * np.searchsorted(facets.nodes, facets.cells)[..., None] + range(3)
        M = _assembled(mass, corners, corners, (len(used), len(used)))
        B = _assembled(
            load.reshape(*load.shape[:2], -1), corners, bore.reshape(len(bore), -1),
            (len(used), 3 * len(facets.nodes)),
        )  # fmt: skip
        rows = np.repeat(np.arange(len(points)), 4)
        spread = csr_matrix((shares.ravel(), (rows, corners[at].ravel())), (len(points), len(used)))
        return _Projection(spread, M, B)


class _Projection:
    """A matrix M^-1 between two sparse ones, as a full one far too large for a fine film."""

    def __init__(self, spread: csr_matrix, mass: csr_matrix, load: csr_matrix):
        self.spread, self.load, self.mass = spread, load, splu(mass.tocsc())

    def __matmul__(self, columns: np.ndarray) -> np.ndarray:
        return self.spread @ self.mass.solve(np.asarray(self.load @ columns))


def _outward(x: np.ndarray) -> np.ndarray:
    """Directions from the third axis, (n, 3)."""
    across = x * (1.0, 1.0, 0.0)
    return across / np.linalg.norm(across, axis=1, keepdims=True)


def _assembled(entries: np.ndarray, rows: np.ndarray, cols: np.ndarray, shape) -> csr_matrix:
    """Sum of cells' matrices (k, i, j) with rows (k, i) and columns (k, j)."""
    i, j = (np.broadcast_to(z, entries.shape).ravel() for z in (rows[..., None], cols[:, None]))
    return csr_matrix((entries.ravel(), (i, j)), shape)


def _loops(edges: np.ndarray) -> list[np.ndarray]:
    """Closed loops of edges, as the nodes one after the other; open chains are left out."""
    beside: dict[int, list[int]] = {}
    for a, b in edges.tolist():
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    if any(len(other) != 2 for other in beside.values()):
        return []
    loops = []
    while beside:
        start = at = next(iter(beside))
        loop, before = [], -1
        while at in beside:
            loop.append(at)
            ahead = beside.pop(at)
            before, at = at, ahead[0] if ahead[0] != before else ahead[1]
        if at == start:
            loops.append(np.array(loop))
    return loops


def _goes_round(angle: np.ndarray) -> bool:
    """Whether a closed loop of angles goes round once."""
    steps = np.diff(np.append(angle, angle[0]))
    turned = float(np.sum((steps + np.pi) % (2 * np.pi) - np.pi))
    return abs(abs(turned) - 2 * np.pi) < 1e-6

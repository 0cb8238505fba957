"""Stiffness of a pair of teeth by finite elements: two elastic gears, and contact between them."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .. import cache, checks
from .._backend import MPI
from ..bodies.materials import StVenantKirchhoff
from ..bodies.solids.solid import Solid
from ..errors import InputError
from ..model.system import System
from .chaari import load_angle
from .geometry import GearMesh, SpurGear
from .mesh_stiffness import MeshStiffness
from .tooth_mesh import gear_mesh

logger = logging.getLogger(__name__)

STATES = ("plane_strain", "plane_stress")
#: to be raised with any change of the elements or the contact, so that stored results are not used
REVISION = 1


class ElasticTooth:
    """A gear held at its bore, and how the flank of one tooth gives way, linearly.

    Args:
        gear: the gear.
        E, nu: Pa.
        state: ``"plane_strain"`` or ``"plane_stress"``.
        spacing: of the cells along the flank, m.
        start: radius from which the flank touches, m.

    Raises:
        InputError: a gear without bore radius.
    """

    def __init__(self, gear: SpurGear, E, nu, state: str, spacing: float, start: float):
        from scipy.sparse import coo_array
        from scipy.sparse.linalg import splu

        if gear.bore_radius is None:
            raise InputError("FiniteElementStiffness needs the bore_radius of both gears.")
        if state == "plane_stress":  # in linear elasticity, plane strain of another material
            E, nu = E * (1 + 2 * nu) / (1 + nu) ** 2, nu / (1 + nu)
        self.gear = gear
        mesh = gear_mesh(gear, spacing, start)
        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        self.solid = system.add(
            Solid(
                mesh, StVenantKirchhoff(E=E, nu=nu, rho=7800), degree=2, state="plane_strain",
                thickness=gear.face_width, clamped="bore", name="gear",
            )
        )  # fmt: skip
        problem = system.assemble()
        stiffness = coo_array(
            (system.state.tangent(0.0, 0.0), (problem.coo_rows, problem.coo_cols)),
            shape=(problem.total, problem.total),
        ).tocsc()
        n = problem.local
        self.size, self._matrix = n, stiffness[:n, :n]
        self.solve = splu(self._matrix).solve
        flank = self.solid.facets("flank").nodes
        radius = np.hypot(*self.solid.nodes[flank, :2].T)
        order = np.argsort(radius)
        nodes = flank[order]
        places = self.solid.nodes[nodes, :2]
        #: unknowns of the flank's nodes from the fillet to the tip, (n, 2), and where they lie, m
        self.unknowns = self._numbers(nodes)
        self.radii = radius[order]
        self.lengths = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])

    def _numbers(self, nodes) -> np.ndarray:
        return self.solid.displacement(nodes[:, None]).numbers.reshape(-1, 2)

    def _loads(self, curvature: float, offsets: np.ndarray) -> tuple[np.ndarray, ...]:
        """Unit forces at points of the flank: on the unknowns (size, points); which points lie on
        the flank; direction of the load."""
        middle = np.interp(np.hypot(self.gear.base_radius, curvature), self.radii, self.lengths)
        there = (middle + offsets > 0) & (middle + offsets < self.lengths[-1])
        angle = load_angle(self.gear, curvature)
        load = -np.array([np.cos(angle), np.sin(angle)])
        columns = np.zeros((self.size, there.sum()))
        for k, s in enumerate(middle + offsets[there]):
            # three nodes of the edge it lies on
            first = min(2 * int((np.searchsorted(self.lengths, s) - 1) // 2), len(self.lengths) - 3)
            a, b = self.lengths[first], self.lengths[first + 2]
            x = 2 * (s - a) / (b - a) - 1
            weights = (x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2)
            for m, w in enumerate(weights):
                columns[self.unknowns[first + m], k] += w * load
        return columns, there, load

    def compliance(self, curvature: float, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of points of the flank, along the load.

        Args:
            curvature: radius of curvature at the middle of the contact, m.
            offsets: of the points along the flank, towards the tip, m.

        Returns:
            Displacements per force, m/N, (points, points), and which points lie on the flank.
        """
        columns, there, _ = self._loads(curvature, offsets)
        return columns.T @ self.solve(columns), there

    def middle(self, curvature: float, offsets: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """How far the tooth's middle gives way where the load meets it, m: along the load, of the
        gear held at its bore, and of the gear held everywhere inside its root circle.

        Args:
            curvature, offsets: as in ``compliance``, all points on the flank.
            forces: of the points, N.
        """
        from scipy.interpolate import LinearNDInterpolator
        from scipy.sparse.linalg import splu

        columns, _, along = self._loads(curvature, offsets)
        loads = columns @ forces
        nodes = self.solid.nodes[:, :2]
        numbers = self._numbers(np.arange(len(nodes)))
        outside = np.hypot(*nodes.T) > self.gear.root_radius * (1 + 1e-9)
        kept = np.sort(numbers[outside].ravel())
        held = np.zeros(self.size)
        held[kept] = splu(self._matrix[kept][:, kept].tocsc()).solve(loads[kept])
        place = np.array([0.0, self.gear.base_radius / np.cos(load_angle(self.gear, curvature))])
        near = np.hypot(*(nodes - place).T) < self.gear.module / 2
        return np.array([
            LinearNDInterpolator(nodes[near], u[numbers[near]] @ along)(place).item()
            for u in (self.solve(loads), held)
        ])  # fmt: skip


@lru_cache(maxsize=16)
def _tooth(gear, E, nu, state, spacing, start) -> ElasticTooth:
    return ElasticTooth(gear, E, nu, state, spacing, start)


def contact(compliance: np.ndarray, gap: np.ndarray, load: float) -> tuple[float, np.ndarray]:
    """Approach and forces of two bodies pressed together without friction.

    Solves C f + gap - approach >= 0, f >= 0, sum of f = load, complementary, by an active set.

    Args:
        compliance: C, m/N.
        gap: between the undeformed surfaces, m.
        load: N.

    Returns:
        Approach in m, forces of the points in N.

    Raises:
        InputError: the active set does not settle.
    """
    active = np.ones(len(gap), bool)
    for _ in range(200):
        n = active.sum()
        matrix = np.zeros((n + 1, n + 1))
        matrix[:n, :n] = compliance[np.ix_(active, active)]
        matrix[:n, n], matrix[n, :n] = -1.0, 1.0
        solution = np.linalg.solve(matrix, np.append(-gap[active], load))
        forces = np.zeros(len(gap))
        forces[active], approach = solution[:n], solution[n]
        penetrates = ~active & (compliance @ forces + gap - approach < -1e-15)
        pulls = forces < 0
        if not pulls.any() and not penetrates.any():
            return float(approach), forces
        active = (active | penetrates) & ~pulls
    raise InputError("FiniteElementStiffness: the contact of the flanks finds no solution.")


@dataclass(frozen=True)
class FiniteElementStiffness(MeshStiffness):
    """A pair's stiffness from plane finite elements of both gears and contact between the flanks.

    The gears are held at their bores; at some positions of the path of contact the flanks, curved
    like the involutes there, are pressed together by ``load``. The stiffness is load over approach,
    and a polynomial in the position between them. Other pairs in contact have no influence.
    Results are stored in the folder ``gears`` of ``fem_clearance.cache.folder()``.

    Args:
        E, nu: of both gears, Pa.
        load: force of the pair, N.
        state: plane strain (wide gears) or plane stress (narrow ones).
        spacing: of the cells along the flank, m.
        positions: number of positions.

    Raises:
        InputError: numbers that cannot be; when used, gears without bore radius.

    See docs/gears.md. Example::

        gears.FiniteElementStiffness(E=2.07e11, nu=0.3, load=5e3)
    """

    E: float
    nu: float
    load: float
    state: str = "plane_strain"
    spacing: float = 6e-5
    positions: int = 9

    def __post_init__(self):
        for name in ("E", "load", "spacing"):
            checks.positive(f"FiniteElementStiffness.{name}", getattr(self, name))
        checks.within("FiniteElementStiffness.nu", self.nu, 0.0, 0.49)
        checks.choice("FiniteElementStiffness.state", self.state, STATES)
        if checks.count("FiniteElementStiffness.positions", self.positions) < 4:
            raise InputError("FiniteElementStiffness.positions must be at least 4.")

    def _teeth(self, mesh: GearMesh) -> list[ElasticTooth]:
        result = []
        ends = np.array(mesh.curvatures(np.array([0.0, mesh.path_length])))
        for gear, least in zip((mesh.pinion, mesh.gear), ends.min(axis=1), strict=True):
            start = np.hypot(gear.base_radius, least) - 4 * self.spacing
            result.append(
                _tooth(gear, self.E, self.nu, self.state, self.spacing, round(float(start), 9))
            )
        return result

    def approach(self, mesh: GearMesh, s: float, load: float | None = None) -> tuple:
        """At one position of the path of contact.

        Returns:
            Approach of the gears in m; offsets of the points along the pinion's flank from the
            middle of the contact, m; their forces, N.
        """
        load = self.load if load is None else load
        x1, x2 = (float(x) for x in mesh.curvatures(s))
        bulge = (1 / x1 + 1 / x2) / 2
        half = np.sqrt(4 * load * (1 - self.nu**2) / (np.pi * mesh.face_width * self.E * bulge))
        count = int(np.ceil(1.6 * half / (self.spacing / 2)))
        offsets = self.spacing / 2 * np.arange(-count, count + 1)
        pinion, gear = self._teeth(mesh)
        first, there = pinion.compliance(x1, offsets)
        second, also = gear.compliance(x2, -offsets)
        both = there & also
        a, b = both[there], both[also]
        compliance = first[np.ix_(a, a)] + second[np.ix_(b, b)]
        approach, forces = contact(compliance, bulge * offsets[both] ** 2, load)
        return approach, offsets[both], forces

    def parts(self, mesh: GearMesh, s: float) -> dict[str, float]:
        """Where a pair gives way, m/N: ``pinion_tooth``, ``gear_tooth`` (as far as to the tooth's
        middle, with the gear held inside its root circle), ``pinion_body``, ``gear_body`` (what is
        added by a gear that is held at its bore only), ``contact`` (from one tooth's middle to the
        other's, the rest of the approach).

        Args:
            mesh: the gears.
            s: position on the path of contact, m.
        """
        approach, offsets, forces = self.approach(mesh, s)
        result, rest = {}, approach
        for name, tooth, x, way in zip(
            ("pinion", "gear"), self._teeth(mesh), mesh.curvatures(s), (1, -1), strict=True
        ):
            whole, held = tooth.middle(float(x), way * offsets, forces)
            result[f"{name}_tooth"], result[f"{name}_body"] = held, whole - held
            rest -= whole
        return {n: float(z) / self.load for n, z in (result | {"contact": rest}).items()}

    def table(self, mesh: GearMesh) -> tuple[np.ndarray, np.ndarray]:
        """Positions on the path of contact, m, and the pair's stiffness there, N/m."""
        return _table(self, mesh.pinion, mesh.gear, mesh.centre_distance, mesh.contact_ratio,
                      mesh.approach_length)  # fmt: skip

    def pair(self, mesh, s, count):
        positions, values = self.table(mesh)
        n = len(positions) - 1
        x = 2 * positions / mesh.path_length - 1
        series = np.polynomial.chebyshev.chebfit(x, values, n)
        return np.polynomial.chebyshev.chebval(2 * np.asarray(s) / mesh.path_length - 1, series)


@lru_cache(maxsize=64)
def _table(law: FiniteElementStiffness, pinion, gear, distance, ratio, approach_length):
    mesh = GearMesh(pinion, gear, distance, ratio)
    mesh.approach_length = approach_length
    n = law.positions
    # Chebyshev's points, the ends left out by a little: there the flanks have edges
    s = mesh.path_length * (1 - np.cos(np.pi * (np.arange(n) + 0.5) / n)) / 2

    def make():
        logger.info("computing the stiffness of the teeth by finite elements at %d positions", n)
        return {"s": s, "k": np.array([law.load / law.approach(mesh, float(z))[0] for z in s])}

    key = repr((REVISION, law, pinion, gear, distance, ratio, approach_length))
    found = cache.kept("gears", key, make)
    return found["s"], found["k"]

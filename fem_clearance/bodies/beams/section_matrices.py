"""Sections of beams given by their stiffness and mass matrices, as composite-section programs,
blade definitions and hand calculations have them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ..materials import Isotropic
from .sections import Section

#: places of the stresses xx, yy, zz, xy, xz, yz in the tensor
TENSOR = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])
#: round-off that is no entry of a matrix, by its largest one of the same unit
ROUNDING = 1e-9


class MatrixSection:
    """Base of sections given by matrices.

    Attributes:
        outline: corners for pictures and stresses, m, (n, 2).
    """

    outline: np.ndarray
    #: outline of a hole, as other sections have it
    inner_outline = None

    def at(self, arc_length: float) -> SectionMatrices:
        """The section at an arc length, m."""
        raise TypeError("a section given by matrices defines at()")

    def check_length(self, who: str, length: float) -> None:
        """Refuse a beam of this length, m, unless the section is known all along it."""

    def portrait(self) -> dict[str, Any]:
        """The section as ``scene.json`` has it."""
        return {"type": "polygon", "outline": self.outline.tolist(), "inner": None}


class SectionMatrices(MatrixSection):
    """A section by its 6x6 stiffness and mass matrices, whatever it is made of.

    The order is: shear along d2, shear along d3, axial; bending about d2, bending about d3,
    torsion. These are the axes (x, y, z) of BeamDyn and of most composite-section programs, with z
    along the beam. Forces and moments are referred to the beam's axis, which may lie anywhere in
    the section.

    Args:
        stiffness: 6x6, symmetric and positive definite: forces (N) and moments (N m) by stretch,
            shear, curvatures and twist; units N, N m, N m^2.
        mass: 6x6 for each metre of the beam: momentum and angular momentum by velocity and angular
            velocity; units kg/m, kg, kg m. A mass per length m whose centre lies at (y, z) along d2
            and d3 gives -m z in [0, 5], m y in [1, 5], m z in [2, 3] and -m y in [2, 4].
        outline: corners of the section (m, (n, 2), along d2 and d3) for pictures and stresses; by
            default a rectangle with the radii of gyration of the stiffness.
        recovery: stresses at the corners of the outline by the section forces, (n, 6, 6): for each
            corner the rows xx, yy, zz, xy, xz, yz (x along the beam, y along d2), Pa, and as
            columns the six forces and moments in the order above.

    Attributes:
        inertia: 3x3 matrix of the integrals of (1, y, z)(1, y, z)' over the mass, kg/m, kg, kg m.
        spin: polar inertia beyond the sum of those about d2 and d3, kg m (zero for a thin slice).

    Raises:
        InputError: matrices of another shape, not symmetric or not positive; a mass that is not
            that of a section (translations with different masses, tilted axes of inertia).
    """

    def __init__(
        self, stiffness: ArrayLike, mass: ArrayLike, *,
        outline: ArrayLike | None = None, recovery: ArrayLike | None = None,
    ):  # fmt: skip
        self.stiffness = _symmetric("stiffness", stiffness)
        self.mass = _symmetric("mass", mass)
        if np.linalg.eigvalsh(_scaled(self.stiffness))[0] < ROUNDING:
            raise InputError(
                "SectionMatrices: stiffness must be positive definite: every strain needs a "
                "resistance. The order is shear along d2, shear along d3, axial, bending about d2, "
                "bending about d3, torsion."
            )
        self.inertia, self.spin = _section_inertia(self.mass)
        self.outline = _default_outline(self.stiffness) if outline is None else _points(outline)
        self.recovery = None if recovery is None else checks.array(recovery)
        if self.recovery is not None and self.recovery.shape != (len(self.outline), 6, 6):
            raise InputError(
                f"SectionMatrices: recovery must be an array of shape ({len(self.outline)}, 6, 6), "
                "six stresses by six section forces for each corner of the outline, got "
                f"{self.recovery.shape}."
            )

    @classmethod
    def from_constants(
        cls, *, EA: float, GA: ArrayLike, EI: ArrayLike, GJ: float, rho_A: float, rho_I: ArrayLike,
        tension_centre: ArrayLike = (0, 0), shear_centre: ArrayLike = (0, 0),
        mass_centre: ArrayLike = (0, 0),
        outline: ArrayLike | None = None, recovery: ArrayLike | None = None,
    ) -> SectionMatrices:  # fmt: skip
        """A section by its engineering constants.

        Args:
            EA: axial stiffness, N.
            GA: shear stiffness along d2 and d3, N, shear factors included; one number for both.
            EI: bending stiffness about d2 and about d3 through the tension centre, N m^2; one
                number for both.
            GJ: torsional stiffness, N m^2.
            rho_A: mass per length, kg/m.
            rho_I: rotary inertia about d2 and about d3 through the mass centre, kg m; one number
                for both. The polar one is their sum.
            tension_centre, shear_centre, mass_centre: where axial forces do not bend, shear forces
                do not twist, and the mass has its centre: (y, z) from the axis along d2 and d3, m.
            outline, recovery: see ``SectionMatrices``.

        Raises:
            InputError: a constant that is not positive.
        """
        who = "SectionMatrices.from_constants"
        EA, GJ, rho_A = (
            checks.positive(f"{who}: {n}", x) for n, x in (("EA", EA), ("GJ", GJ), ("rho_A", rho_A))
        )
        GA, EI, rho_I = (
            [checks.positive(f"{who}: {n}", x)
             for x in checks.vector(f"{who}: {n}", [y, y] if np.isscalar(y) else y, 2)]
            for n, y in (("GA", GA), ("EI", EI), ("rho_I", rho_I))
        )  # fmt: skip
        strains = np.eye(6)  # at the centres, from those of the axis
        y, z = checks.vector(f"{who}: shear_centre", shear_centre, 2)
        strains[0, 5], strains[1, 5] = -z, y
        y, z = checks.vector(f"{who}: tension_centre", tension_centre, 2)
        strains[2, 3], strains[2, 4] = z, -y
        stiffness = strains.T @ np.diag([*GA, EA, *EI, GJ]) @ strains
        move = shift(-checks.vector(f"{who}: mass_centre", mass_centre, 2))
        own = np.diag([rho_A, rho_A, rho_A, *rho_I, sum(rho_I)])
        return cls(stiffness, move.T @ own @ move, outline=outline, recovery=recovery)

    @classmethod
    def of(cls, section: Section, material: Isotropic) -> SectionMatrices:
        """The matrices of a homogeneous section whose sections warp freely.

        The shear centre is taken to be the centroid, as ``Beam`` does.
        """
        E, G, rho = material.E, material.mu, material.rho
        ky, kz = section.shear_factors(material.nu)
        K = np.diag([
            ky * G * section.area, kz * G * section.area, E * section.area,
            E * section.I_z, E * section.I_y, G * section.saint_venant,
        ])  # fmt: skip
        M = rho * np.diag([*[section.area] * 3, section.I_z, section.I_y, 0.0])
        M[5, 5] = M[3, 3] + M[4, 4]
        K[3, 4] = K[4, 3] = -E * section.I_yz
        M[3, 4] = M[4, 3] = -rho * section.I_yz
        return cls(K, M, outline=section.outline)

    def moved(self, to: ArrayLike, angle: float = 0.0) -> SectionMatrices:
        """The same section referred to another axis.

        Args:
            to: where the new axis meets the section, (y, z) along the present d2 and d3, m.
            angle: by which the new d2 and d3 are turned from the present ones about the beam, rad.
        """
        place = checks.vector("SectionMatrices.moved: to", to, 2)
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        present = shift(place) @ np.kron(np.eye(2), turn)  # strains here, from those there
        recovery = self.recovery
        if recovery is not None:
            axes = turn[np.ix_([2, 0, 1], [2, 0, 1])]  # normal first, as stresses have it
            tensors = np.einsum("ia,nijk,jb->nabk", axes, recovery[:, TENSOR], axes)
            rows = tensors[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            recovery = rows @ np.linalg.inv(present.T)
        return SectionMatrices(
            present.T @ self.stiffness @ present, present.T @ self.mass @ present,
            outline=(self.outline - place) @ turn[:2, :2], recovery=recovery,
        )  # fmt: skip

    def __repr__(self) -> str:
        K, m = np.diag(self.stiffness), self.inertia[0, 0]
        return (
            f"SectionMatrices(shear {K[0]:.4g}, {K[1]:.4g} N, axial {K[2]:.4g} N, bending "
            f"{K[3]:.4g}, {K[4]:.4g} N m^2, torsion {K[5]:.4g} N m^2, mass {m:.4g} kg/m)"
        )

    @property
    def mass_centre(self) -> np.ndarray:
        """Centre of the mass, (y, z) from the axis, m."""
        mass = self.inertia[0, 0]
        return self.inertia[0, 1:] / mass if mass else np.zeros(2)

    def at(self, arc_length: float) -> SectionMatrices:
        """The section at an arc length, m; it is the same everywhere."""
        return self


def shift(place: np.ndarray) -> np.ndarray:
    """Strains (or velocities) of an axis from those of another that lies at ``place`` (y, z)."""
    y, z = -place
    result = np.eye(6)
    result[0, 5], result[1, 5], result[2, 3], result[2, 4] = -z, y, z, -y
    return result


def _symmetric(name: str, value: ArrayLike) -> np.ndarray:
    matrix = checks.array(value)
    if matrix.shape != (6, 6) or not np.isfinite(matrix).all():
        raise InputError(
            f"SectionMatrices: {name} must be a 6x6 matrix of finite numbers, got "
            f"{checks.shown(value)}."
        )
    if not np.allclose(matrix, matrix.T, rtol=1e-6, atol=ROUNDING * np.abs(matrix).max()):
        raise InputError(f"SectionMatrices: {name} must be symmetric.")
    return (matrix + matrix.T) / 2


def _scaled(matrix: np.ndarray) -> np.ndarray:
    """A matrix without units: its diagonal is 1, 0 or -1."""
    size = np.abs(np.diag(matrix)) ** 0.5
    inverse = np.divide(1.0, size, out=np.zeros(6), where=size > 0)
    return matrix * np.outer(inverse, inverse)


def _section_inertia(mass: np.ndarray) -> tuple[np.ndarray, float]:
    """Integrals over the section, and the polar inertia beyond those of a thin slice."""
    y, z, m = mass[1, 5], mass[2, 3], mass[0, 0]
    inertia = np.array(
        [[m, y, z], [y, mass[4, 4], -mass[3, 4]], [z, -mass[3, 4], mass[3, 3]]]
    )  # fmt: skip
    spin = mass[5, 5] - mass[3, 3] - mass[4, 4]
    expected = np.zeros((6, 6))
    expected[:3, :3] = m * np.eye(3)
    expected[0, 5], expected[1, 5], expected[2, 3], expected[2, 4] = -z, y, z, -y
    expected[:3, 3:], expected[3:, :3] = expected[:3, 3:], expected[:3, 3:].T
    expected[3:, 3:] = mass[3:, 3:]
    expected[3:5, 5] = expected[5, 3:5] = 0.0
    parts = ((slice(3), slice(3)), (slice(3), slice(3, 6)), (slice(3, 6), slice(3, 6)))
    rotary = np.abs(mass[3:, 3:]).max()
    sizes = abs(m), abs(m * rotary) ** 0.5, rotary
    for part, size in zip(parts, sizes, strict=True):
        if np.abs(mass - expected)[part].max() > 1e-6 * size:
            raise InputError(
                "SectionMatrices: mass is not that of a section. It needs one mass per length for "
                "all translations (the first three of the diagonal), the first moments -m z, m y, "
                "m z, -m y in [0, 5], [1, 5], [2, 3], [2, 4], and no product of inertia between "
                "torsion and bending ([3, 5] and [4, 5])."
            )
    if np.linalg.eigvalsh(_scaled(mass))[0] < -ROUNDING:
        raise InputError(
            "SectionMatrices: mass must not be negative for any motion; is the rotary inertia that "
            "about the axis, not about the mass centre?"
        )
    return inertia, float(spin)


def _default_outline(stiffness: np.ndarray) -> np.ndarray:
    y, z = np.sqrt(12 * np.diag(stiffness)[[4, 3]] / stiffness[2, 2]) / 2
    return np.array([[-y, -z], [y, -z], [y, z], [-y, z]])


def _points(outline: ArrayLike) -> np.ndarray:
    points = checks.array(outline)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3 or not np.isfinite(points).all():
        raise InputError(
            "SectionMatrices: outline must be at least three points (y, z), m, got "
            f"{checks.shown(outline)}."
        )
    return points

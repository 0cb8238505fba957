"""Mass, centre and inertia of the parts of a rigid body: shapes, meshes, discs, points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from ..meshes.mesh import Mesh
from .polyhedra import enclosed, of_point
from .shape_surfaces import surface_of


@dataclass(frozen=True)
class MassProperties:
    """Mass of a part of a rigid body; parts add up: ``rod + weight``.

    Args:
        mass: kg.
        center: centre of mass in space at the start, m.
        inertia: about the centre of mass along the fixed axes, kg m^2: moments (3,) or a symmetric
            tensor (3, 3); zero of a point.

    Example:
        >>> crank = MassProperties.of_mesh(mesh, density=7850) + MassProperties(0.2, (0.1, 0, 0))
        >>> system.add(RigidBody.of(crank, name="crank"))

    Raises:
        InputError: a mass that is not positive, numbers that are not finite.
    """

    mass: float
    center: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        put = object.__setattr__
        put(self, "mass", checks.positive("MassProperties: mass", self.mass))
        put(self, "center", checks.vector("MassProperties: center", self.center))
        put(self, "inertia", moments_or_tensor("MassProperties: inertia", self.inertia))

    def __add__(self, other: MassProperties) -> MassProperties:
        if not isinstance(other, MassProperties):
            return NotImplemented
        mass = self.mass + other.mass
        center = (self.mass * self.center + other.mass * other.center) / mass
        return MassProperties(mass, center, self.about(center) + other.about(center))

    def about(self, place: ArrayLike) -> np.ndarray:
        """Inertia about a place, along the fixed axes, kg m^2, (3, 3)."""
        return self.inertia + self.mass * of_point(self.center - checks.vector("place", place))

    @classmethod
    def of_shape(
        cls, shape: Any, density: float, center: ArrayLike = (0, 0, 0),
        axes: ArrayLike | None = None,
    ) -> MassProperties:  # fmt: skip
        """Of a shape such as ``shapes.Cylinder(radius, length)``.

        Args:
            shape: with ``volume`` and ``inertia(mass)``.
            density: kg/m^3.
            center: m.
            axes: the shape's own axes as columns (3, 3); default: the fixed ones.
        """
        if not checks.offers(shape, "volume", "inertia"):
            raise InputError(
                "MassProperties.of_shape needs a shape such as shapes.Box(0.1, 0.02, 0.02), got "
                f"{checks.shown(shape)}."
            )
        mass = checks.positive("MassProperties.of_shape: density", density) * shape.volume
        A = np.eye(3) if axes is None else checks.array(axes)
        if A.shape != (3, 3) or not np.allclose(A.T @ A, np.eye(3), atol=1e-8):
            raise InputError("MassProperties.of_shape: axes must be three unit vectors as columns.")
        tensor = np.asarray(shape.inertia(mass))
        tensor = np.diag(tensor) if tensor.ndim == 1 else tensor
        return cls(mass, center, A @ tensor @ A.T)

    @classmethod
    def of_mesh(
        cls, mesh: Any, density: float, thickness: float | None = None, scale: float = 1.0
    ) -> MassProperties:
        """Of a body whose mesh lies where it is at the start.

        Args:
            mesh: a ``meshes.Mesh`` of cells; or a closed surface: a data set of PyVista, a path
                of a file that PyVista reads, such as an STL.
            density: kg/m^3.
            thickness: of a plane mesh, m, half of it on either side of its plane.
            scale: of the mesh's coordinates, ``1e-3`` for a file in mm.

        Raises:
            InputError: a surface that is not closed or turned inside out, no mesh.
        """
        density = checks.positive("MassProperties.of_mesh: density", density)
        scale = checks.positive("MassProperties.of_mesh: scale", scale)
        if not isinstance(mesh, Mesh):
            volume, center, inertia = _inside(*_triangles(mesh, scale))
            return cls(density * volume, center, density * inertia)
        weights, x = mesh.quadrature(6, mesh.own)
        x, weights = x * scale, weights * scale**mesh.dimension
        if mesh.dimension == 2:
            if thickness is None:
                raise InputError("MassProperties.of_mesh: a plane mesh needs a thickness.")
            weights = weights * checks.positive("MassProperties.of_mesh: thickness", thickness)
        volume, first, second = (
            sum(mesh.of_ranks(z)) for z in (
                float(weights.sum()), np.einsum("mp,mpx->x", weights, x),
                np.einsum("mp,mpx,mpy->xy", weights, x, x),
            )
        )  # fmt: skip
        if mesh.dimension == 2:
            second[2, 2] += volume * float(thickness) ** 2 / 12  # type: ignore[arg-type]
        center = first / volume
        moments = density * (second - volume * np.outer(center, center))
        return cls(density * volume, center, np.trace(moments) * np.eye(3) - moments)

    @classmethod
    def disc(
        cls, mass: float, radius: float, thickness: float, axis: ArrayLike,
        center: ArrayLike = (0, 0, 0), unbalance: ArrayLike = (0, 0, 0),
    ) -> MassProperties:  # fmt: skip
        """A disc about a shaft, with unbalance.

        Args:
            mass: kg.
            radius, thickness: m.
            axis: of the disc.
            center: its middle, on the shaft, m.
            unbalance: mass times eccentricity as a vector at the start, kg m: the centre of mass
                lies ``unbalance / mass`` from the middle.

        Raises:
            InputError: an unbalance along the axis.
        """
        mass = checks.positive("MassProperties.disc: mass", mass)
        R = checks.positive("MassProperties.disc: radius", radius)
        L = checks.positive("MassProperties.disc: thickness", thickness)
        n = checks.direction("MassProperties.disc: axis", axis)
        U = checks.vector("MassProperties.disc: unbalance", unbalance)
        if abs(U @ n) > 1e-9 * np.linalg.norm(U):
            raise InputError("MassProperties.disc: the unbalance must be across the axis.")
        along, across = mass * R**2 / 2, mass * (3 * R**2 + L**2) / 12
        inertia = across * np.eye(3) + (along - across) * np.outer(n, n)
        return cls(mass, checks.vector("MassProperties.disc: center", center) + U / mass, inertia)


def moments_or_tensor(name: str, value: Any) -> np.ndarray:
    """The tensor (3, 3) of moments (3,) or a tensor, kg m^2; neither need be those of a body.

    Raises:
        InputError: something else.
    """
    tensor = checks.array(value)
    tensor = np.diag(tensor) if tensor.shape == (3,) else tensor
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all():
        raise InputError(
            f"{name} must be 3 principal moments or a 3x3 tensor, kg m^2, got "
            f"{checks.shown(value)}."
        )
    return tensor


def _triangles(mesh: Any, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and corners of a surface's triangles, (n, 3) each."""
    needed = "a meshes.Mesh, a closed surface of PyVista or the path of one"
    surface = surface_of("MassProperties.of_mesh", needed, mesh).triangulate()
    corners = surface.faces.reshape(-1, 4)[:, 1:]
    directed = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    there = {tuple(edge) for edge in directed}
    if len(there) < len(directed) or any((b, a) not in there for a, b in there):
        what = mesh if isinstance(mesh, str | Path) else "the surface"
        raise InputError(
            f"{what} is not closed, or its triangles are not oriented consistently: there are "
            "edges that do not lie between two of them; repair it before giving it a mass."
        )
    return np.asarray(surface.points, float) * scale, corners


def _inside(points: np.ndarray, corners: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """``polyhedra.moments`` inside a closed surface of triangles."""
    base = points.mean(axis=0)  # near the body: nothing cancels
    volume, center, inertia = enclosed(points[corners] - base)
    if volume <= 0:
        raise InputError(
            "the surface encloses no volume: it is flat or turned inside out; its normals must "
            "point outwards."
        )
    return volume, center + base, inertia

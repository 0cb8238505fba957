"""Rigid bodies in natural coordinates: origin at the centre of mass, three directors; and frames
without mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import Block
from ..core.component import Cell
from ..core.mixins import RigidDirectors
from ..core.observables import Observable, body_energies
from ..core.roles import DIRECTIONS, PLACES, ROTATION, Coordinate, Multiplier
from ..core.symbols import triple
from ..errors import InputError
from ..markup import Shown
from ..model.frame import Frame
from ..model.ground import RigidPoint
from ..model.portrait import BodyPortrait
from .mass import MassProperties, moments_or_tensor
from .shapes import Compound, Shape

#: pairs of directors whose products are held at 1 or 0
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
#: coordinates that are known if a frame stays in the x-y plane: z of origin, d1 and d2, all of d3
OUT_OF_PLANE = (2, 5, 8, 9, 10, 11)


def vectors(frame) -> list:
    """Origin and directors of a frame's twelve numbers."""
    return [triple(frame, 3 * k) for k in range(4)]


@dataclass(frozen=True)
class RigidKind(RigidDirectors):
    """Newton-Euler equations in natural coordinates.

    The kinetic energy of a body with position r + X_k d_k is quadratic with constant coefficients:
    mass m at the origin and Euler's tensor E_kl = integral of X_k X_l dm for the directors.
    """

    called = "rigid body"

    feeds_energy = False
    conservative = True

    rigid_directors = slice(3, 12)
    parameters = {"mass": (), "euler": (3, 3)}

    def fields(self):
        return {"frame": (12,), "orthonormality": (6,)}

    def residual(self, c):
        (q, lam), (a, _), (w, _) = (c.split(z) for z in (c.q, c.a, c.test))
        mass, euler = c.par("mass"), c.par("euler")
        (r_a, *d_a), (r_w, *d_w), (_, *d) = (vectors(z) for z in (a, w, q))
        form = mass * ufl.dot(r_a - c.gravity, r_w)
        form += sum(euler[k, m] * ufl.dot(d_a[m], d_w[k]) for k in range(3) for m in range(3))
        phi = [ufl.dot(d[i], d[j]) - float(i == j) for i, j in PAIRS]
        return (form + c.along(ufl.dot(lam, ufl.as_vector(phi)))) * c.dx()

    def observables(self, c):
        q, v = c.split(c.q)[0], c.split(c.v)[0]
        mass, euler = c.par("mass"), c.par("euler")
        r_v, *d_v = vectors(v)
        kinetic = mass / 2 * ufl.dot(r_v, r_v) + sum(
            euler[k, m] / 2 * ufl.dot(d_v[k], d_v[m]) for k in range(3) for m in range(3)
        )
        result = body_energies(kinetic, -mass * ufl.dot(c.gravity, triple(q)))
        for i, x in enumerate("xyz"):
            result[x] = Observable(q[i], "m", f"{x} of the centre of mass")
            result["v" + x] = Observable(v[i], "m/s", f"{x} velocity of the centre of mass")
        return result


class RigidBody(Shown):
    """A rigid body, given by mass and inertia (and a shape for pictures) or by shape and density.

    Args:
        mass: kg.
        inertia: about the centre of mass in the body's axes, kg m^2: principal moments (3,) or a
            symmetric tensor (3, 3).
        position: initial centre of mass, m.
        orientation: initial body axes as columns (3, 3), or a rotation vector (3,) in radians.
        velocity: initial velocity of the centre of mass, m/s.
        angular_velocity: initial, in the fixed axes, rad/s.
        shape: one of ``shapes``, or several in a list; default: pictures draw links from joint
            to joint.
        density: of the shape, kg/m^3, instead of mass and inertia.
        name: for messages and channels.
        free: whether the body may be connected to nothing.

    Channels: ``x y z`` (m) and ``vx vy vz`` (m/s) of the centre of mass.

    Raises:
        InputError: a mass or moment that is not positive, moments of inertia that no body can have,
            a shape with a density whose centre is not that of the body.
    """

    prefix = "body"
    #: coordinates that are known, and products of directors that need no multiplier for that reason
    known, needless = np.zeros(12, bool), np.zeros(len(PAIRS), bool)

    def __init__(
        self,
        mass: float | None = None,
        inertia: ArrayLike | None = None,
        *,
        position: ArrayLike = (0, 0, 0),
        orientation: ArrayLike | None = None,
        velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        shape: Any = None,
        density: float | None = None,
        name: str | None = None,
        free: bool = False,
    ):
        label = name or "rigid body"
        self.shape = _shape(label, shape)
        if density is not None:
            if self.shape is None or mass is not None or inertia is not None:
                raise InputError(f"{label}: give shape and density, or mass and inertia.")
            mass, inertia = _filled(label, self.shape, density)
        if mass is None or inertia is None:
            raise InputError(f"{label}: mass and inertia are both needed (or shape and density).")
        self.name: Any = name  # System.add gives one where there is none
        self.free = free
        self.mass = checks.positive(f"{label}: mass", mass)
        self.inertia = inertia_tensor(label, inertia)
        self.axes = _orientation(label, orientation)
        self._move(label, position, velocity, angular_velocity)

    @classmethod
    def of(
        cls, *parts: MassProperties, velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0), shape: Any = None, name: str | None = None,
        free: bool = False,
    ) -> RigidBody:  # fmt: skip
        """The body made of parts that are placed in space: mass, centre and inertia follow.

        Args:
            parts: such as ``MassProperties.of_mesh(mesh, density=7850)``.
            velocity, angular_velocity, shape, name, free: see the class; the body's axes are along
                the fixed ones at the start.

        Raises:
            InputError: no parts; points on a line, which have no inertia about it.
        """
        if not parts or not all(isinstance(part, MassProperties) for part in parts):
            raise InputError(
                f"{name or 'rigid body'}: RigidBody.of takes MassProperties, got "
                f"{checks.shown(parts)}."
            )
        whole = parts[0]
        for part in parts[1:]:
            whole = whole + part
        return cls(
            whole.mass, whole.inertia, position=whole.center, velocity=velocity,
            angular_velocity=angular_velocity, shape=shape, name=name, free=free,
        )  # fmt: skip

    def _move(self, label: str, position, velocity, angular_velocity) -> None:
        """Set where it is and how it moves at the start."""
        self.position = checks.vector(f"{label}: position", position)
        self.velocity = checks.vector(f"{label}: velocity", velocity)
        self.angular_velocity = checks.vector(f"{label}: angular_velocity", angular_velocity)

    @property
    def euler(self) -> np.ndarray:
        """Euler's tensor, the integral of X_k X_l dm, kg m^2."""
        return np.trace(self.inertia) / 2 * np.eye(3) - self.inertia

    @property
    def center(self) -> Frame:
        """Frame at the centre of mass."""
        return self.point((0, 0, 0))

    def point(self, X) -> Frame:
        """Frame at the point with body coordinates ``X`` (m)."""
        return RigidPoint(self, checks.vector(f"{self.name or 'rigid body'}: point", X))

    def at(self, position) -> Frame:
        """Frame at a point given by its initial position in space (m)."""
        place = checks.vector(f"{self.name or 'rigid body'}.at: position", position)
        return self.point(self.axes.T @ (place - self.position))

    def portrait(self) -> BodyPortrait:
        shape = None if self.shape is None else self.shape.portrait()
        edges, axes = brick(self)
        box = {"edges": edges.tolist(), "orientation": axes.tolist()}
        return BodyPortrait("rigid", self.center, shape, {"box": box})

    def build(self, builder) -> None:
        directors = self.axes.T
        rates = np.cross(self.angular_velocity, directors)
        place, turn = Coordinate(vectors=PLACES), Coordinate(ROTATION, vectors=DIRECTIONS)
        known, name = self.known, self.name
        r = Block(name, "r", self.position, place, rates=self.velocity, fixed=known[:3])
        d = Block(name, "d", directors, turn, rates=rates, fixed=known[3:])
        tied = Multiplier(ROTATION, of=f"{name}: orthonormality", inherent=True)
        lam = Block(name, "orthonormality", np.zeros(6), tied, fixed=self.needless)
        for block in (r, d, lam):
            builder.add_block(block, after=None)
        self.refs = [r.all, d.all]
        kind = RigidKind()
        parameters = kind.pack(mass=self.mass, euler=self.euler)
        builder.add_cell(kind, Cell(self.name, [*self.refs, lam.all], parameters))


def brick(body: RigidBody) -> tuple[np.ndarray, np.ndarray]:
    """The box of the same mass and inertia as a body: its edges, m, (3,), and their directions in
    the body's axes, by columns."""
    moments, axes = np.linalg.eigh(body.inertia)
    squares = 6 * (moments.sum() - 2 * moments) / body.mass
    return np.sqrt(np.maximum(squares, 1e-4 * squares.max())), axes


def _shape(label: str, value) -> Shape | None:
    """A shape as given, several as one."""
    if isinstance(value, list | tuple):
        value = Compound(value)
    if value is not None and not isinstance(value, Shape):
        raise InputError(
            f"{label}: shape must be one of shapes such as shapes.Rod(radius=0.01), got {value!r}."
        )
    return value


def _filled(label: str, shape: Shape, density) -> tuple[float, np.ndarray]:
    """Mass and inertia of a shape of uniform density."""
    mass = checks.positive(f"{label}: density", density) * shape.volume
    centre = shape.moments()[1]
    if np.linalg.norm(centre) > 1e-6 * shape.volume ** (1 / 3):
        raise InputError(
            f"{label}: the shape's centre of mass lies at {checks.listed(centre)} m in the body's "
            "axes, whose origin it must be; move the shape by its position=, the body by its own."
        )
    return mass, shape.inertia(mass)


def inertia_tensor(label: str, value) -> np.ndarray:
    """The checked tensor of moments (3,) or a tensor (3, 3)."""
    inertia = moments_or_tensor(f"{label}: inertia", value)
    if not np.allclose(inertia, inertia.T, atol=1e-9 * np.abs(inertia).max()):
        raise InputError(f"{label}: the inertia tensor must be symmetric.")
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] <= 0:
        raise InputError(
            f"{label}: moments of inertia must be positive, got {checks.listed(moments)}; give a "
            "slender rod its small but finite moment about the axis."
        )
    if moments[2] > (moments[0] + moments[1]) * (1 + 1e-9):
        raise InputError(
            f"{label}: no body has moments of inertia {checks.listed(moments)}: the largest must "
            "not exceed the sum of the other two."
        )
    return inertia


def _orientation(label: str, value) -> np.ndarray:
    if value is None:
        return np.eye(3)
    matrix = checks.array(value)
    if matrix.shape == (3,):
        from scipy.spatial.transform import Rotation  # half a second, seldom needed

        return Rotation.from_rotvec(checks.vector(f"{label}: orientation", value)).as_matrix()
    if (
        matrix.shape != (3, 3)
        or not np.allclose(matrix.T @ matrix, np.eye(3), atol=1e-8)
        or np.linalg.det(matrix) < 0
    ):
        raise InputError(
            f"{label}: orientation must be a rotation vector or a right-handed "
            "orthonormal 3x3 matrix (body axes as columns)."
        )
    return matrix


class MasslessFrame(RigidBody):
    """An origin and three directors without inertia; constraints must determine all of its motion.

    Args:
        position: initial origin, m.
        plane: whether it stays in its plane of constant z.
        velocity: initial velocity of the origin, m/s.
        angular_velocity: initial, in the fixed axes, rad/s.
        name: for messages and channels.
        free: whether the body with which it moves may be connected to nothing.

    Channels: ``x y z`` (m) and ``vx vy vz`` (m/s) of the origin.

    Raises:
        InputError: a value that is not a vector of three finite numbers.

    Example::

        hub = system.add(fc.MasslessFrame((0.5, 0, 0), name="hub"))
        system.add(fc.RevoluteJoint(body.at((0.5, 0, 0)), hub.center, axis=(0, 0, 1)))
        system.add(fc.DistanceJoint(hub.at((0.5, 0.1, 0)), beam.end))
    """

    prefix = "frame"
    shape, mass, euler = None, 0.0, np.zeros((3, 3))
    #: material of the surface that it represents, if any
    material: Any = None

    def __init__(
        self,
        position: ArrayLike,
        *,
        plane: bool = False,
        velocity: ArrayLike = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        name: str | None = None,
        free: bool = False,
    ):
        self.name, self.free = name, free
        self.axes = np.eye(3)
        self._move(name or "frame", position, velocity, angular_velocity)
        self.known, self.needless = np.zeros(12, bool), np.zeros(len(PAIRS), bool)
        if plane:
            self.known[list(OUT_OF_PLANE)] = True
            self.needless[:] = [2 in pair for pair in PAIRS]

    def portrait(self) -> BodyPortrait:
        return BodyPortrait("frame", self.center)

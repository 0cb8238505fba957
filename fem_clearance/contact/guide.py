"""A point on the surface of a guide: the contact that translational clearance joints are made of.

``s``: the point's three coordinates in the guide, along its axis, along its width, and across. The
surface on ``side`` (1 above, -1 below) of the guide's middle plane is at the height H(s_1, s_2)
above it; the penetration is

    depth = (side s_3 - H) / sqrt(1 + |grad H|^2)

(exact for flat surfaces, of first order in depth x curvature for others). Forces are functions of
``s`` and of its rate; their virtual work is ``dot(forces, c.along(s))``, so that forces on both
bodies, their moments and the rates of the laws come from the same expressions and cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import ufl

from .. import checks
from ..core.observables import Observable, hidden
from ..errors import InputError
from ..user_code import Law
from .clearance import NOTHING, ClearanceKind, across, law_symbols, touching
from .laws.normal import indicator
from .laws.stick import Return, at_start, in_force, left, returned, stretch
from .spatial import AXES

__all__ = ["Dent", "GuideSurface", "Parabolic", "Plane", "Sinusoidal"]


@dataclass(frozen=True)
class GuideSurface(Law):
    """Base of the shapes of a guide's surface: its distance from the middle plane beyond half of
    the guide's height.

    To add one: name the numbers it reads in ``parameters`` (each an attribute) and give ``height``;
    positive leaves more room. Its derivatives are derived.
    """

    scalars: ClassVar[tuple[str, ...]] = ("height",)

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the shape."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def height(x, y, p: SimpleNamespace) -> Any:
        """Height in m over places along the guide and across its width, m (UFL or NumPy)."""
        return 0.0 * x


@dataclass(frozen=True)
class Plane(GuideSurface):
    """A plane at half of the guide's height."""


@dataclass(frozen=True)
class Sinusoidal(GuideSurface):
    """amplitude cos(2 pi (x - start) / wavelength).

    Args:
        amplitude: m.
        wavelength: m.
        start: of a crest, along the guide, m.

    Raises:
        InputError: a number that is not finite, a wavelength that is not positive.
    """

    amplitude: float
    wavelength: float
    start: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("amplitude", "wavelength", "start")

    def __post_init__(self):
        checks.number("Sinusoidal.amplitude", self.amplitude)
        checks.positive("Sinusoidal.wavelength", self.wavelength)
        checks.number("Sinusoidal.start", self.start)

    @staticmethod
    def height(x, y, p):
        cosine = np.cos if isinstance(x, np.ndarray | float) else ufl.cos
        return p.amplitude * cosine(2 * np.pi * (x - p.start) / p.wavelength)


@dataclass(frozen=True)
class Parabolic(GuideSurface):
    """A parabola, (x - start)^2 / (2 radius): of that radius of curvature near ``start``.

    Args:
        radius: m; positive opens the guide away from ``start``.
        start: where its height is zero, along the guide, m.

    Raises:
        InputError: a number that is not finite, a radius of zero.
    """

    radius: float
    start: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("radius", "start")

    def __post_init__(self):
        if not checks.number("Parabolic.radius", self.radius):
            raise InputError("Parabolic.radius must not be zero.")
        checks.number("Parabolic.start", self.start)

    @staticmethod
    def height(x, y, p):
        return (x - p.start) ** 2 / (2 * p.radius)


@dataclass(frozen=True)
class Dent(GuideSurface):
    """A worn place, depth exp(-((x - place) / width)^2).

    Args:
        depth: m; negative for a bump.
        place: of its middle along the guide, m.
        width: m.

    Raises:
        InputError: a number that is not finite, a width that is not positive.
    """

    depth: float
    place: float
    width: float
    parameters: ClassVar[tuple[str, ...]] = ("depth", "place", "width")

    def __post_init__(self):
        checks.number("Dent.depth", self.depth)
        checks.number("Dent.place", self.place)
        checks.positive("Dent.width", self.width)

    @staticmethod
    def height(x, y, p):
        exponential = np.exp if isinstance(x, np.ndarray | float) else ufl.exp
        return p.depth * exponential(-(((x - p.place) / p.width) ** 2))


class Touch(NamedTuple):
    """How a point lies on a surface (UFL)."""

    depth: Any  # m
    normal: Any  # unit vector out of the guide's room, in the guide's axes
    gradient: Any  # of the depth: the normal, but for depth x curvature, which keeps energy
    rate: Any  # of the depth, m/s
    sliding: Any  # velocity along the surface, m/s


def touch(surface: type[GuideSurface], numbers, side, half, s, rate) -> Touch:
    """Depth, normal and velocities of a point at ``s`` that moves at ``rate`` in the guide.

    Args:
        surface: class of the surface's shape.
        numbers: its numbers.
        side: 1 above, -1 below the middle plane.
        half: half of the guide's height, m.
    """
    if issubclass(surface, Plane):  # the same, in forms of a fraction of the size
        normal = ufl.as_vector([0, 0, side])
        return Touch(side * s[2] - half, normal, normal, side * rate[2],
                     ufl.as_vector([rate[0], rate[1], 0]))  # fmt: skip
    x = ufl.variable(s)
    height = side * x[2] - half - surface.height(x[0], x[1], numbers)
    slope = ufl.diff(height, x)
    size = ufl.sqrt(ufl.dot(slope, slope))
    depth = height / size
    normal = slope / size
    gradient = ufl.diff(depth, x)
    return Touch(depth, normal, gradient, ufl.dot(gradient, rate), across(rate, normal))


@dataclass(frozen=True)
class GuideKind(ClearanceKind):
    """A point of body j on the surface of a guide, body i."""

    feeds_energy = False

    surface: type[GuideSurface] = Plane

    geometry: ClassVar[tuple[str, ...]] = ("side", "half")

    @property
    def label(self):
        return f"point on a guide ({self.i.label}, {self.j.label})"

    @property
    def own_parameters(self):
        shape = {f"surface.{n}": () for n in self.surface.parameters}
        return {**super().own_parameters, **shape}

    # --- geometry -------------------------------------------------------------------------------
    def place(self, c):
        """The point's coordinates in the guide, m."""
        i, j = self.poses(c)
        e = j.r - i.r
        return ufl.as_vector([ufl.dot(e, i.e(k)) for k in (1, 2, 3)])

    def touch(self, c, s, rate) -> Touch:
        """How the point at ``s``, which moves at ``rate``, lies on the surface."""
        numbers = law_symbols(c, self.surface, "surface")
        return touch(self.surface, numbers, c.par("side"), c.par("half"), s, rate)

    # --- friction -------------------------------------------------------------------------------
    def friction_on(self, c, s, at: Touch, load):
        """Friction on the guide along the surface, N, in the guide's axes."""
        if self.friction is None:
            return 0 * s
        return load * self.drag(c, AXES, at.sliding, at.normal)

    # --- forms ----------------------------------------------------------------------------------
    def residual(self, c):
        place = self.place(c)
        s, rate = c.shared(place), c.shared(c.rate(place))
        at = self.touch(c, s, rate)
        load = self.normal_force(c, at.depth, at.rate)
        force = load * at.gradient + self.friction_on(c, s, at, load)
        form = ufl.dot(force, c.along(place)) * c.dx()
        if self.remembers:
            here = touching(at.depth)
            form += self.bristle_residual(c, AXES, at.sliding, at.normal, here)
        return form

    def observables(self, c):
        s = self.place(c)
        at = self.touch(c, s, c.rate(s))
        load = self.normal_force(c, at.depth, at.rate)
        force = self.friction_on(c, s, at, load)
        size = ufl.sqrt(ufl.dot(force, force) + NOTHING)
        return {
            **self.common_observables(c, at.depth, at.rate, size),
            "gap": Observable(-at.depth, "m", "distance of the surfaces, negative in contact"),
            "sliding": Observable(at.sliding[0], "m/s", "sliding velocity along the guide"),
            "friction_loss": Observable(ufl.dot(force, at.sliding), "W", "power of friction"),
        }


@dataclass(frozen=True)
class StickingGuideKind(GuideKind):
    """The same with friction that sticks by return mapping.

    The anchor, three coordinates in the guide, goes with the point while the surfaces are apart.
    """

    @property
    def own_parameters(self):
        return {**super().own_parameters, "anchor": (3,), "mu": (), "slipping": (), "since": ()}

    def stuck(self, c, s, at: Touch, load) -> Return:
        """Return mapping of the place along the surface."""
        slide = across(s - c.par("anchor"), at.normal)
        numbers = self.numbers(c, "friction")
        return returned(slide, at.sliding, 0 * s, c.par("mu") * load, numbers)

    def friction_on(self, c, s, at: Touch, load):
        return self.stuck(c, s, at, load).force

    def observables(self, c):
        result = super().observables(c)
        s = self.place(c)
        at = self.touch(c, s, c.rate(s))
        load = self.normal_force(c, at.depth, at.rate)
        m, p = self.stuck(c, s, at, load), self.numbers(c, "friction")
        now, before = (across(z - c.par("anchor"), at.normal) for z in (s, at_start(c, s)))
        anchor = s - stretch(c, m, before, p)
        own = {
            **{f"anchor{k}": anchor[k] for k in range(3)},
            **{f"place{k}": s[k] for k in range(3)},
            "slipped": m.slips,
            "time": c.t,
        }
        kept = left(c, m, now, before, p)
        energy = indicator(ufl.gt(at.depth, 0)) * p.stiffness * ufl.dot(kept, kept) / 2
        return {
            **result,
            "slipping": Observable(c.par("slipping"), "1", "1 while it slips, 0 while it sticks"),
            "sticking_energy": Observable(
                energy, "J", "energy of the sticking spring", "energy.contact", False
            ),
            **hidden(own),
        }

    def accept(self, parameters, observed):
        free = observed["depth"] <= 0
        slips = (observed["slipped"] > 0.5) & ~free
        anchor = self.column(parameters, "anchor")
        for k in range(3):
            anchor[slips, k] = observed[f"anchor{k}"][slips]
            anchor[free, k] = observed[f"place{k}"][free]
        self.column(parameters, "slipping")[:] = slips
        self.column(parameters, "since")[:] = observed["time"]
        self.column(parameters, "mu")[:] = in_force(self, parameters, slips)

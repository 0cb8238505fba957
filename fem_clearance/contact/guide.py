"""Guides: the room between two surfaces, and the shapes of these."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from .. import checks
from ..core.observables import Observable
from ..errors import InputError
from ..model.frame import Frame
from .forms import as_parameters
from .placements.touch import Touch
from .surfaces.base import Surface

__all__ = ["Dent", "GuideSurface", "Parabolic", "Plane", "Sinusoidal"]


@dataclass(frozen=True)
class GuideSurface(Surface):
    """Base of the shapes of a guide's surface: its distance from the middle plane beyond half of
    the guide's height.

    To add one, name the numbers that it reads in ``parameters`` (each an attribute) and define
    ``height``; positive values widen the guide. Derivatives follow automatically.

    With s the point's coordinates along the guide, along its width and across, the surface on
    ``side`` (1 above, -1 below) of the middle plane is at the height H(s_1, s_2) above it.

    Example::

        class Step(fc.GuideSurface):
            # a guide that is wider by 0.1 mm beyond x = 0.2 m, over 10 mm

            @staticmethod
            def height(x, y, p):
                s = (x - 0.2) / 0.01
                return 0.5e-4 * (1 + s / (1 + s**2) ** 0.5)

        fc.GuideContact(ground, solid.facets("y1"), (1, 0, 0), (0, 1, 0), side="upper", gap=0.06,
                        surface=Step())
    """

    scalars: ClassVar[tuple[str, ...]] = ("height",)
    own: ClassVar[tuple[str, ...]] = ("side", "half")
    where: ClassVar[str] = "a guide"

    @classmethod
    def gap(cls, s, p):
        return p.half + cls.height(s[0], s[1], p) - p.side * s[2]

    @staticmethod
    def height(x, y, p: SimpleNamespace) -> Any:
        """Height in m over places along the guide and across its width, m (UFL or NumPy)."""
        return 0.0 * x

    @classmethod
    def observables(cls, c, frame, at, pressure, traction, degree):
        moment = c.par("thickness") * at.place[0] * pressure
        what = "of the pressure about the guide's middle"
        return {"moment": Observable({degree: moment}, "N m", what)}


@dataclass(frozen=True)
class Plane(GuideSurface):
    """A plane at half of the guide's height.

    Example::

        fc.GuideContact(ground, solid.facets("y1"), (1, 0, 0), (0, 1, 0), side="upper", gap=0.06,
                        surface=guides.Plane())  # the default
    """

    @classmethod
    def touch(cls, c, s, rate):
        # the same as of any surface, in forms of a fraction of the size
        side = c.par("side")
        normal, along = ufl.as_vector([0, 0, side]), ufl.as_vector([rate[0], rate[1], 0])
        return Touch(side * s[2] - c.par("half"), side * rate[2], normal, normal, along, place=s)


@dataclass(frozen=True)
class Sinusoidal(GuideSurface):
    """amplitude cos(2 pi (x - start) / wavelength).

    Args:
        amplitude: m.
        wavelength: m.
        start: of a crest, along the guide, m.

    Raises:
        InputError: a number that is not finite, a wavelength that is not positive.

    Example::

        guides.Sinusoidal(amplitude=1e-5, wavelength=0.05)
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

    Example::

        guides.Parabolic(radius=40.0, start=0.1)
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

    Example::

        guides.Dent(depth=2e-5, place=0.12, width=0.02)
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


#: sides of a guide: name -> sign of its outward direction
SIDES = {"upper": 1.0, "lower": -1.0}


class Guide:
    """The room between two surfaces, in the axes of a frame.

    Args:
        who: the joint, for messages.
        axis: along the guide, fixed in the frame; direction at the start.
        across: from the lower to the upper surface, at right angles to the axis.
        gap: distance of the surfaces, m.
        surfaces: shapes of the upper and the lower one, or one for both.

    Attributes:
        triad: axis, width and height by columns.
        surfaces: shapes by side.

    Raises:
        InputError: no axes, no gap, surfaces that cross within ten times their distance.
    """

    def __init__(self, who: str, axis, across, gap: float, surfaces):
        e1 = checks.axis(who, axis, "(1, 0, 0)")
        if across is None:
            raise InputError(f"{who} needs the direction across the guide, for example (0, 1, 0).")
        e3 = checks.direction(f"{who}: across", across)
        if abs(e1 @ e3) > 1e-6:
            raise InputError(f"{who}: across must be perpendicular to the axis.")
        e3 = e3 - (e1 @ e3) * e1
        e3 /= np.linalg.norm(e3)
        self.triad = np.column_stack([e1, np.cross(e3, e1), e3])
        self.gap = checks.positive(f"{who}: gap", gap)
        both = tuple(surfaces) if isinstance(surfaces, tuple | list) else (surfaces, surfaces)
        if len(both) != 2 or not all(isinstance(s, GuideSurface) for s in both):
            raise InputError(
                f"{who}: surfaces must be a pair of shapes such as (guides.Plane(), "
                f"guides.Plane()), got {surfaces!r}."
            )
        self.surfaces = dict(zip(SIDES, both, strict=True))
        x = np.linspace(-10 * gap, 10 * gap, 4001)
        room = gap + sum(self._height(side, x, 0.0 * x) for side in SIDES)
        if np.min(room) <= 0:
            raise InputError(
                f"{who}: the surfaces of the guide intersect near {x[np.argmin(room)]:.4g} m "
                "along it; use a larger gap or other shapes."
            )

    def _height(self, side: str, x, y):
        surface = self.surfaces[side]
        return surface.height(x, y, SimpleNamespace(**surface.values()))

    def portrait(self, frame: Frame) -> dict[str, Any]:
        """Directions in the guide's frame, and heights of shaped surfaces, (x, height) m, as
        ``scene.json`` has it."""
        triad = np.linalg.solve(frame.basis, self.triad)
        x = np.linspace(-10 * self.gap, 10 * self.gap, 401)
        heights = {
            side: np.column_stack([x, self._height(side, x, 0.0 * x)]).tolist()
            for side, surface in self.surfaces.items() if not isinstance(surface, Plane)
        }  # fmt: skip
        return {"across": triad[:, 2].tolist(), "surfaces": heights}

    def shape(self, side: str) -> type[GuideSurface]:
        """Class of the shape of one side, as kinds name it."""
        return type(self.surfaces[side])

    def numbers(self, side: str) -> dict[str, Any]:
        """Numbers of one side, as kinds name them."""
        shape = as_parameters("surface", self.surfaces[side].values())
        return {"side": SIDES[side], "half": self.gap / 2, **shape}

    def overlap(self, side: str, places) -> float:
        """How far points (in the guide's axes from its middle, m, (n, 3)) lie beyond a surface, m,
        negative inside of the guide."""
        x, y, z = np.asarray(places, float).reshape(-1, 3).T
        return float(np.max(SIDES[side] * z - self.gap / 2 - self._height(side, x, y)))


def too_high(who: str, height: float, gap: float) -> str:
    """What is said of a slider of a ``height`` (m) that does not fit into a ``gap`` (m)."""
    return (
        f"{who}: the slider ({height:g} m high) does not fit between the guide's surfaces, "
        f"{gap:g} m apart; the clearance must be positive."
    )

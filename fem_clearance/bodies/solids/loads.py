"""Pressures and tractions on the facets of solids, constant or varying with time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import ufl
from numpy.typing import ArrayLike

from ... import checks
from ...core.observables import Observable
from ...errors import InputError
from ...functions import Function, of_time, shape
from ...markup import Shown
from ...model.portrait import Portrait
from .elements import FacetKind
from .facets import FacetSet


@dataclass(frozen=True)
class SurfaceLoadKind(FacetKind):
    """Virtual work of a force per area, times a function of time, on the displacement.

    Without a function a force per undeformed area that keeps its direction has the potential
    -force . place.
    """

    called = "traction"

    function: Any = None  # Shape

    #: name of the parameter that is the load
    size = "vector"

    @property
    def own_parameters(self):
        return {self.size: (3,), **(self.function.parameters if self.function else {})}

    @property
    def dead_loads(self):  # type: ignore[override]
        return () if self.function else (self.size,)

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether the load has a potential."""
        return self.function is None

    @property
    def feeds_energy(self) -> bool:  # type: ignore[override]
        """Without a potential that ``energy.potential`` counts."""
        return not self.conservative

    def force(self, c):
        """Force per undeformed area at full load, N/m^2, three coordinates."""
        return c.par(self.size)

    def load(self, c):
        """Force by undeformed length (of a plane solid) or area, N/m or N/m^2."""
        force = c.par("thickness") * self.force(c)
        return self.function.at(c, c.t) * force if self.function else force

    def residual(self, c):
        test = self.in_space(c.split(c.test)[0])
        return -ufl.dot(self.load(c), test) * c.dx(self.surface_degree)

    def observables(self, c):
        d, load = self.surface_degree, self.load(c)
        power = {rule: -taken for rule, taken in c.taken(self.residual(c)).items()}
        result = {
            x: Observable({d: load[k]}, "N", f"{x} of the force") for k, x in enumerate("xyz")
        }
        result["power"] = Observable(power, "W", "power of the force")
        if self.conservative:
            potential = -ufl.dot(load, self.place(c))
            result["potential_energy"] = Observable(
                {d: potential}, "J", "potential energy of dead loads", "energy.potential", False
            )
        return result


@dataclass(frozen=True)
class PressureKind(SurfaceLoadKind):
    """A pressure against the outward normal: of the deformed facet (follower), or of the undeformed
    one."""

    called = "pressure"

    follower: bool = True
    size = "pressure"

    @property
    def own_parameters(self):
        return {**super().own_parameters, self.size: ()}

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        return self.function is None and not self.follower

    def force(self, c):
        return -c.par(self.size) * self.normal(c, deformed=self.follower)


class SurfaceLoad(Shown):
    """What pressure and traction share; use the named classes."""

    prefix = "load"

    def __init__(self, facets: FacetSet, function: Function | None, name: str | None):
        self.name = name
        self.who = name or self.prefix
        if not isinstance(facets, FacetSet):
            raise InputError(
                f"{self.who} acts on a facet set such as solid.facets('bore'), got {facets!r}."
            )
        self.i = facets
        self.shape = None
        if function is not None:
            self.shape = shape(
                self.who, "function", function, "functions.Harmonic(amplitude=1, frequency=5)"
            )

    def portrait(self) -> Portrait:
        steady = {"steady": self.shape is None}
        return Portrait(self.prefix, data=self.i.portrait() | self.i.spots() | steady)

    def _build(self, builder, kind: SurfaceLoadKind, size) -> None:
        own = self.shape.pack() if self.shape else {}
        self.i.add_to(builder, self.name or "", kind, **{kind.size: size}, **own)


class Pressure(SurfaceLoad):
    """A pressure on facets of a solid.

    Args:
        facets: such as ``solid.facets("bore")``.
        pressure: Pa, positive against the surface; or a function of time that gives it.
        function: of time, multiplies the pressure; default 1.
        follower: whether it stays normal to the deforming surface and acts on its present area, as
            a fluid's does; else on the undeformed area along the undeformed normal.
        name: for messages and channels.

    Channels: ``x y z`` resultant (N), ``power`` (W). A constant pressure that does not follow has a
    potential energy; one that follows has none in general (it depends on how the edges move).

    Raises:
        InputError: a pressure or function that is not a finite number or a function of time.
    """

    prefix = "pressure"

    def __init__(
        self,
        facets: FacetSet,
        pressure: float | Function,
        function: Function | None = None,
        *,
        follower: bool = True,
        name: str | None = None,
    ):
        given = of_time(pressure)
        if function is None and checks.offers(given, "expression"):
            pressure, function = 1.0, cast(Function, given)
        super().__init__(facets, function, name)
        self.pressure = checks.number(f"{self.who}: pressure", pressure)
        self.follower = bool(follower)

    def build(self, builder) -> None:
        kind = PressureKind(**self.i.kind_arguments, function=self.shape, follower=self.follower)
        self._build(builder, kind, self.pressure)


class Traction(SurfaceLoad):
    """A force per undeformed area on facets of a solid, in fixed directions.

    Args:
        facets: such as ``solid.facets("x1")``.
        vector: N/m^2.
        function: of time, multiplies the vector; default 1.
        name: for messages and channels.

    Channels: ``x y z`` resultant (N), ``power`` (W).

    Raises:
        InputError: a vector that is not three finite numbers.
    """

    prefix = "traction"

    def __init__(
        self,
        facets: FacetSet,
        vector: ArrayLike,
        function: Function | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(facets, function, name)
        self.vector = checks.vector(f"{self.who}: vector", vector)
        if facets.solid.dimension == 2 and self.vector[2]:
            raise InputError(f"{self.who}: a plane solid takes no force across its plane.")

    def build(self, builder) -> None:
        self._build(
            builder, SurfaceLoadKind(**self.i.kind_arguments, function=self.shape), self.vector
        )

"""Pressures and tractions on the facets of solids, constant or varying with time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import ufl

from ... import checks
from ...core.observables import Observable
from ...errors import InputError
from ...functions import Function, of_time, shape
from ...markup import Shown
from ...model.portrait import Portrait
from ..given import is_function
from .elements import FacetKind
from .facets import FacetSet
from .given import TakesFunctions, in_space, on_facets


@dataclass(frozen=True)
class SurfaceLoadKind(FacetKind, TakesFunctions):
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
        own = self.function.parameters if self.function else {}
        return {self.size: (3,), **own, **self.given_shapes}

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
        return self.space_vector(c, self.size)

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
        return {**super().own_parameters, self.size: (), **self.given_shapes}

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        return self.function is None and not self.follower

    def force(self, c):
        return -self.number(c, self.size) * self.normal(c, deformed=self.follower)


class SurfaceLoad(Shown):
    """The common part of ``Pressure`` and ``Traction``."""

    prefix = "load"
    _kind: ClassVar[type[SurfaceLoadKind]] = SurfaceLoadKind

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

    def _build(self, builder, **options) -> None:
        size = self._kind.size
        own = self.shape.pack() if self.shape else {}
        each: dict[str, np.ndarray] = {}
        given: tuple[tuple[str, Any], ...] = ()
        if is_function(self._load):
            element, each[size] = self._read()
            given = () if element is None else ((size, element),)
            builder.reads(lambda state: state.assign(self.name, **{size: self._read()[1]}))
        else:
            own |= {size: self._load}
        kind = self._kind(**self.i.kind_arguments, function=self.shape, given=given, **options)
        self.i.add_to(builder, self.name or "", kind, each=each, **own)

    def _read(self) -> tuple[Any, np.ndarray]:
        """The element of the Function that the load is, and a row of its values for each facet."""
        element, values = on_facets(self.i.solid.mesh, self.i.facets, self._load, self.who)
        if element is None:
            values = in_space(values)
        return element, values.reshape(len(values), -1)

    @property
    def _load(self) -> Any:
        """The load as it was given, which has the name of the kind's parameter."""
        return getattr(self, self._kind.size)

    def update(self, stepper: Any) -> None:
        """Take the present values of the load's Function for the steps to come; collective. At the
        start of every run they are taken anyway.

        Args:
            stepper: of the run, as ``on_step`` is handed.

        Raises:
            InputError: the load is no Function.
        """
        if not is_function(self._load):
            raise InputError(
                f"{self.name}: update reads a DOLFINx Function; set a number by "
                f"stepper.assign({self.name!r}, ...)."
            )
        stepper.assign(self.name, **{self._kind.size: self._read()[1]})


class Pressure(SurfaceLoad):
    """A pressure on facets of a solid.

    Args:
        facets: such as ``solid.facets("bore")``.
        pressure: Pa, positive against the surface; or a function of time that gives it, or (of a
            mesh that DOLFINx shares) a Function.
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
    _kind = PressureKind

    def __init__(
        self,
        facets: FacetSet,
        pressure: Any,
        function: Function | None = None,
        *,
        follower: bool = True,
        name: str | None = None,
    ):
        given = pressure if is_function(pressure) else of_time(pressure)
        if function is None and checks.offers(given, "expression"):
            pressure, function = 1.0, cast(Function, given)
        super().__init__(facets, function, name)
        self.pressure = pressure
        if not is_function(pressure):
            self.pressure = checks.number(f"{self.who}: pressure", pressure)
        elif pressure.ufl_shape:
            raise InputError(f"{self.who}: the Function of a pressure is scalar.")
        self.follower = bool(follower)

    def build(self, builder) -> None:
        self._build(builder, follower=self.follower)


class Traction(SurfaceLoad):
    """A force per undeformed area on facets of a solid, in fixed directions.

    Args:
        facets: such as ``solid.facets("x1")``.
        vector: N/m^2; or (of a mesh that DOLFINx shares) a Function of as many components as the
            solid has displacements.
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
        vector: Any,
        function: Function | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(facets, function, name)
        if is_function(vector):
            self.vector: Any = vector
            if vector.ufl_shape != (facets.solid.dimension,):
                raise InputError(
                    f"{self.who}: the Function has the shape {vector.ufl_shape}; a traction on "
                    f"this solid has {facets.solid.dimension} components."
                )
            return
        self.vector = checks.vector(f"{self.who}: vector", vector)
        if facets.solid.dimension == 2 and self.vector[2]:
            raise InputError(f"{self.who}: a plane solid takes no force across its plane.")

    def build(self, builder) -> None:
        self._build(builder)

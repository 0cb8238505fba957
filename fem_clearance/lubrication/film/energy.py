"""The energy equation of the oil between insulated walls, for films on surfaces and on facets.

With the film's flow q = h U/2 - h^3/(12 mu) grad p and the heat Phi = mu |U|^2/h + h^3/(12 mu)
|grad p|^2 of its shear, the temperature T mixed across the film obeys::

    rho c (h dT/dt + q . grad T) = Phi + div(k h grad T)

Not in the conservative form, on purpose: a uniform T solves it whatever div q is, and by the same
quadrature as Reynolds' equation the integral of q . grad T is the sum over the nodes of T times the
volume flow out of each, so that heat balances to round-off on every mesh. In a broken film oil and
heat both fill a part theta of the gap, which drops out. The oil that ``Reynolds`` leaves missing
comes with the supply's temperature, also at the ends of the film.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import basix.ufl
import ufl
from ufl import dot, grad

from ...contact.forms import law_symbols
from ...contact.laws.normal import indicator
from ...core.kind import Kind
from ...core.observables import Observable
from ...core.symbols import DistributedParameters
from .cavitation import Cavitation, Full
from .kind import VERTICES
from .lubricant import Density, Lubricant, warmed
from .temperature import TemperatureLaw

#: part of the rate unit below which the stabilisation treats a flow as zero
STILL = 1e-6
#: part of the unit of temperature below which a change within a cell counts as none
FLAT = 1e-2
#: part of the rate unit that draws a film without flow to the temperature of the supply
PIVOT = 1e-14
#: range beyond the bounds of its law within which the viscosity still changes, K
BEYOND = 20.0


@dataclass(frozen=True)
class EnergyEquation(Kind, DistributedParameters):
    """Energy equation of the oil in the cells of a film; the base class of warm films before that
    of the film, to whose fields it adds the temperature over the supply's, K.

    Args:
        lubricant, density, cavitation: classes of the laws.
        temperature: law of the viscosity by temperature.
        upwind: upwind scheme of first order; otherwise streamline upwind Petrov-Galerkin with
            discontinuity capturing.
        fed: whether the cells lie at the edge of a groove, whose temperature is an additional
            unknown.
        pooled: whether the cells lie in a groove, whose oil takes all the heat that is generated
            there and warms by what the film brings.
    """

    lubricant: type[Lubricant] = Lubricant
    density: type[Density] = Density
    cavitation: type[Cavitation] = Full
    temperature: type[TemperatureLaw] = TemperatureLaw
    upwind: bool = False
    fed: bool = False
    pooled: bool = False

    # --- given by the film ----------------------------------------------------------------------
    #: degree of the quadrature rule
    quadrature: ClassVar[int]
    #: (symbols, state): film thickness, m; density of the oil by the reference density
    thickness: ClassVar[Callable[..., Any]]
    packing: ClassVar[Callable[..., Any]]
    #: (symbols, test function): what the void that is carried along takes from Reynolds' equation
    _carried: ClassVar[Callable[..., Any]]

    @property
    def _warm(self) -> int:
        """Place of the temperature among the fields."""
        raise TypeError("a warm film defines _warm")

    def _pressed(self, c) -> tuple[Any, Any]:
        """Pressure and its complement, or ``None``."""
        raise TypeError("a warm film defines _pressed()")

    def _oil(self, c) -> tuple[Any, Any]:
        """Mass flow divided by the reference density, m^2/s, and the heat generated in a filled
        film, W/m^2."""
        raise TypeError("a warm film defines _oil()")

    # --- fields and parameters ------------------------------------------------------------------
    @property
    def label(self):
        return f"warm {super().label}"

    @property
    def parameters(self):  # type: ignore[override]
        names = ["oil.reference", "oil.heat", "oil.conductivity"]
        names += [f"temperature.{n}" for n in self.temperature.parameters]
        names += [f"thermal.{n}" for n in ("supply", "low", "high", "unit")]
        edges = {**dict.fromkeys(self._edges, (4,)), "carry_over": ()} if self.fed else {}
        return super().parameters | dict.fromkeys(names, ()) | edges

    @property
    def _edges(self) -> tuple[str, ...]:
        """Numbers at the corners of a cell at an edge: 1 at the edge that its groove feeds, and
        where the pressure is given and what ``Reynolds`` lacks is therefore no unknown."""
        return ("mask", "given") if self.cavitation.nodal else ("mask",)

    def distributed(self, cell):
        edges = dict.fromkeys(
            self._edges if self.fed else (), basix.ufl.element("Lagrange", cell, 1)
        )
        return super().distributed(cell) | edges

    def _warmths(self, cell) -> list:
        """Elements of the temperatures: of the oil and, of a cell at one, of its groove."""
        groove = [basix.ufl.element("DG", cell, 0)] * self.fed
        return [basix.ufl.element("Lagrange", cell, 1), *groove]

    def rise(self, c, state) -> Any:
        """Rise of the temperature above that of the supply, K."""
        return c.split(state)[self._warm]

    def _groove(self, c, state) -> Any:
        """Rise of the groove's temperature above that of the supply, K."""
        return c.split(state)[self._warm + 1]

    # --- the oil --------------------------------------------------------------------------------
    def _over_reference(self, c, T):
        """Temperature at which the laws are evaluated, relative to their reference, K, from the
        rise ``T`` above the supply, K. Beyond the bounds of the laws it levels off smoothly, so
        that every iterate of Newton's method has a viscosity."""
        low, high = c.par("thermal.low"), c.par("thermal.high")
        over, under = (indicator(ufl.gt(x, 0)) * x for x in (T - high, low - T))
        T += under - over + BEYOND * (over / (BEYOND + over) - under / (BEYOND + under))
        return c.par("thermal.supply") - c.par("oil.reference") + T

    def _numbers(self, c, law: str) -> SimpleNamespace:
        """Numbers of one of the laws."""
        return law_symbols(c, getattr(self, law), law)

    def _viscosity(self, c, rise):
        """Viscosity, Pa s, at a rise of temperature above the supply, K, and the pressure."""
        numbers, reference = self._numbers(c, "lubricant"), c.par("oil.reference")
        numbers.viscosity = warmed(
            self.temperature, self.density, reference + self._over_reference(c, rise), reference,
            numbers.viscosity, self._numbers(c, "temperature"), self._numbers(c, "density"),
        )  # fmt: skip
        return self.lubricant.at(self._pressed(c)[0], numbers)

    def viscosity(self, c):
        """Viscosity, Pa s."""
        return self._viscosity(c, self.rise(c, c.q))

    def _across_edge(self, c, mask: str, field):
        """By how much a field at an edge exceeds that on the cell's other side."""
        m, J = c.distributed[mask], ufl.Jacobian(c.mesh)
        return sum(dot(J[:, k], grad(m)) * dot(J[:, k], grad(field)) for k in range(2))

    def _lacking(self, c):
        """Oil that ``Reynolds`` lacks, m/s. Where the pressure is given it is as much as beside
        that edge: a film that is broken up to its end is fed all along it."""
        r = self._pressed(c)[1]
        return r - c.distributed["given"] * self._across_edge(c, "given", r) if self.fed else r

    def _warming(self, c):
        """Heat that warms the oil that ``Reynolds`` lacks from the supply's temperature, W/m^2."""
        return c.par("oil.heat") * self._lacking(c) * self.rise(c, c.q)

    def _taken(self, c):
        """Heat that the oil stores and carries away, W/m^2."""
        T, T_n = self.rise(c, c.q), self.rise(c, c.q_n)
        held = self.packing(c) * self.thickness(c) * c.per_step
        return c.par("oil.heat") * (held * (T - T_n) + dot(self._oil(c)[0], grad(T)))

    def _energy(self, c):
        """The energy equation; its rows are W once scaled by the unit of temperature."""
        T, s = self.rise(c, c.q), self.rise(c, c.test) / c.par("thermal.unit")
        flow, heat = self._oil(c)
        rc, J, K = c.par("oil.heat"), ufl.Jacobian(c.mesh), ufl.JacobianInverse(c.mesh)
        speeds, h = [dot(K[k, :], flow) for k in range(2)], self.thickness(c)
        missing = self._taken(c) - heat
        form = missing * s + c.par("oil.conductivity") * h * dot(grad(T), grad(s))
        form += PIVOT * rc * c.par("rate_unit") * T * s
        if self.upwind:
            for k, speed in enumerate(speeds):
                form += rc * abs(speed) / 2 * dot(J[:, k], grad(T)) * dot(J[:, k], grad(s))
        else:
            still = (STILL * c.par("rate_unit")) ** 2 + (h * c.per_step) ** 2
            size = ufl.sqrt(speeds[0] ** 2 + speeds[1] ** 2 + still)
            missing += self._warming(c) if self.cavitation.nodal else 0.0
            form += missing / (2 * size) * dot(flow, grad(s))
            form += self._captured(c, missing / rc, T, s, speeds, size)
        return form * c.dx(self.quadrature)

    def _captured(self, c, residual, T, s, speeds, size):
        """Diffusion across the flow where the equation, K m/s, is not satisfied, as at layers that
        the cells cannot resolve: without it SUPG overshoots there. Discontinuity capturing,
        Codina (1993), at most half of the flow; of second order elsewhere."""
        J, unit = ufl.Jacobian(c.mesh), c.par("thermal.unit")
        slopes, tests = ([dot(J[:, k], grad(z)) for k in range(2)] for z in (T, s))
        steep = ufl.sqrt(slopes[0] ** 2 + slopes[1] ** 2 + (FLAT * unit) ** 2)
        left = ufl.sqrt(residual**2 + (FLAT**2 * unit * size) ** 2)
        across = [(speeds[0] * z[1] - speeds[1] * z[0]) / size for z in (slopes, tests)]
        part = left * size / (left + size * steep)
        return c.par("oil.heat") / 2 * part * across[0] * across[1]

    def _along_edge(self, c, field):
        """Slope of a field along the edge that a groove feeds, by the cell's own coordinate."""
        m, J = c.distributed["mask"], ufl.Jacobian(c.mesh)
        return sum((1 - dot(J[:, k], grad(m)) ** 2) * dot(J[:, k], grad(field)) for k in range(2))

    def _at_edge(self, c, field):
        """A field at the edge that a groove feeds, carried across the cell; exact for bilinear
        ones."""
        return field + (1 - c.distributed["mask"]) * self._across_edge(c, "mask", field)

    def _through_edge(self, c):
        """Flow from the groove and to it, and at the vertices what the void takes from either, m/s:
        their integrals are the flows of Reynolds' equation at the edge's nodes."""
        m = c.distributed["mask"]
        along = dot(self._oil(c)[0], grad(m))
        void = self._carried(c, m) if self.cavitation.conserving else ufl.as_ufl(0.0)
        return _positive(-along), _positive(along), _positive(-void), _positive(void)

    def _mixing(self, c):
        """Heat exchanged between groove and film, W per K of the test functions: hot oil that is
        carried over mixes with fresh oil."""
        T, groove, rc = self.rise(c, c.q), self._groove(c, c.q), c.par("oil.heat")
        unit, m = c.par("thermal.unit"), c.distributed["mask"]
        s, s_groove = self._at_edge(c, self.rise(c, c.test)) / unit, self._groove(c, c.test) / unit
        edge, carry = self._at_edge(c, T), c.par("carry_over")
        given, taken, less, back = self._through_edge(c)
        along = dot(self._oil(c)[0], grad(edge))
        hot = taken * edge + indicator(ufl.gt(taken, 0)) * m * along
        form = rc * (given * groove - carry * hot) * s_groove - rc * given * (groove - edge) * s
        form += PIVOT * rc * c.par("rate_unit") * groove * s_groove
        form *= c.dx(self.quadrature)
        # what a node takes in has the groove's temperature, whatever that of its neighbours is
        slopes = self._along_edge(c, T) * self._along_edge(c, self.rise(c, c.test))
        form += rc * given * m / 3 * slopes / unit * c.dx(*VERTICES)
        if self.cavitation.conserving:
            form += rc * (carry * back * edge - less * groove) * s_groove * c.dx(*VERTICES)
        return form

    def residual(self, c):
        """That of the film, and the equations of the temperatures, W per K of their test
        functions."""
        form = super().residual(c) + self._energy(c)
        if self.cavitation.nodal:  # the oil that is missing comes at the supply's temperature
            s = self.rise(c, c.test) / c.par("thermal.unit")
            form += self._warming(c) * s * c.dx(*VERTICES)
        return form + self._mixing(c) if self.fed else form

    def observables(self, c):
        """Those of the film; heat generated in it, and the part that the oil takes up, W."""
        taken: dict[Any, Any] = {self.quadrature: self._taken(c)}
        if self.cavitation.nodal:
            taken[VERTICES] = self._warming(c)
        if self.fed:
            given = self._through_edge(c)[0]
            edge = self._at_edge(c, self.rise(c, c.q))
            taken[self.quadrature] -= c.par("oil.heat") * given * (self._groove(c, c.q) - edge)
        made: dict[Any, Any] = {self.quadrature: self._oil(c)[1]}
        what = "heat generated by shear and pressure flow in a filled film"
        return super().observables(c) | {
            "heat": Observable(made, "W", what),
            "oil_heat": self._oil_heat(made, taken),
        }

    def _oil_heat(self, made: dict[Any, Any], taken: dict[Any, Any]) -> Observable:
        """What the oil takes of the heat ``made``; the film's oil takes ``taken``. What warms the
        oil of a groove is what the film's has carried there, and has been counted."""
        what = "part of the heat that the oil stores and carries away"
        return Observable(made if self.pooled else taken, "W", what)


def _positive(x):
    return (x + abs(x)) / 2

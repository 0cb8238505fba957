"""Film cells: Reynolds' equation, and the forces of pressure and shear.

One functional in watts, of the pressure p and of all velocities W (of the journal, of the elastic
surfaces)::

    L = int p h' - h/2 grad p . U + h^3/(24 mu) |grad p|^2 - mu |U|^2/(2 h) dA

Its derivative by p is Reynolds' equation; its derivative by a velocity is the force that belongs
to it. L is linear and quadratic in p and W: so what the bodies lose is what the film dissipates,
on any mesh. Rough surfaces that nearly touch add to L, and thin the oil less (asperities.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix.ufl
import numpy as np
import ufl
from basix import CellType
from ufl import diff, dot, grad

from ...contact.forms import law_symbols
from ...contact.laws.normal import indicator
from ...core.mixins import DistributedParameters, RestrictedSparsity
from ...core.observables import Observable
from . import asperities
from .cavitation import Cavitation, Full
from .functional import driven, flows, functional, passing
from .lubricant import Density, Lubricant
from .thickness import CylinderGap, Gap, film_transition
from .turbulence import Turbulence, turbulent

#: quadrature for what lives at the nodes: complements and voids
VERTICES = (1, "vertex")
#: cells a second so slow that nothing is carried: keeps from dividing by zero. (A 1 that is taken
#: off again where something moves drowns speeds below 1e-16.)
RESTING = 1e-30


@dataclass(frozen=True)
class FilmKind(RestrictedSparsity, DistributedParameters):
    """Fields: pressure (and what complements it), displacements of elastic surfaces, the port's e,
    t, W.

    Args:
        shape: of the film.
        lubricant, density, cavitation: laws.
        elastic: of each elastic surface: degree of the displacement on the film's cells, whether
            cells know only that along the normal, and whether it opens the gap (1, of a bore) or
            closes it (-1, of a journal).
        shear: the oil shears the first of them, a bore whose displacement is a vector.
        recessed: the surface is deeper in places.
        rough: asperities touch where the surfaces are close, with oil in the valleys.
        transition: where the surfaces meet the film has one, see thickness.py.
        supplied: the pressure is given above ambient somewhere, and feeds power.
        grooved: nothing shears on some cells.
        turbulence: law; its base is that of a laminar film.
        restricted: recesses, at pressures that are unknown, feed power too.
    """

    feeds_energy = False
    transmits = True

    cell: str = "quadrilateral"
    geometry_degree: int = 1
    shape: type[Gap] = CylinderGap
    lubricant: type[Lubricant] = Lubricant
    density: type[Density] = Density
    cavitation: type[Cavitation] = Full
    elastic: tuple[tuple[int, bool, int], ...] = ()
    shear: bool = False
    recessed: bool = False
    rough: bool = False
    transition: bool = False
    supplied: bool = False
    grooved: bool = False
    turbulence: type[Turbulence] = Turbulence
    restricted: bool = False

    space_dimension = 3
    #: two points a direction are enough (four times as many move the eccentricity by 1e-6)
    quadrature = 3
    contact_quadrature = 5  # of asperities, whose contact may be narrow

    @property
    def parameters(self):  # type: ignore[override]
        laws = {z: getattr(self, z).parameters for z in ("lubricant", "density", "turbulence")}
        numbers: dict[str, tuple[int, ...]] = {
            **dict.fromkeys(("clearance", "thinnest", "pressure_unit", "rate_unit"), ()),
            **{f"{z}.{n}": () for z, names in laws.items() for n in names},
            **dict.fromkeys(asperities.PARAMETERS if self.rough else (), ()),
            **({"least": ()} if self.transition else {}),
            **({"sheared": ()} if self.grooved else {}),
            **({"oil.density": ()} if self.turbulent else {}),
        }
        if self.recessed or self.cavitation.conserving:
            # the recess in the place of pressures; in that of voids, 1 where the pressure is given
            numbers["reference"] = (self.element(CellType[self.cell]).dim,)
        nodes = basix.ufl.element("Lagrange", self.cell, 1).dim
        if self.cavitation.conserving:  # 1 at nodes of given pressure 0
            numbers["flooded"] = (nodes,)
        if self.supplied:  # the given pressures at the nodes, Pa; 0 where none is given
            numbers["supply"] = (nodes,)
        return numbers

    def distributed(self, cell):
        names = ["supply"] * self.supplied + ["flooded"] * self.cavitation.conserving
        own = dict.fromkeys(names, basix.ufl.element("Lagrange", cell, 1))
        return super().distributed(cell) | own

    @property
    def turbulent(self) -> bool:
        """Whether the local Reynolds number counts."""
        return self.turbulence is not Turbulence

    @property
    def label(self):
        return f"film ({self.shape.__name__}, {self.cavitation.__name__})"

    def element(self, cell):
        nodal = basix.ufl.element("Lagrange", cell, 1)
        parts = [nodal, nodal] if self.cavitation.complementary else [nodal]
        for degree, normal, _ in self.elastic:
            shape = {} if normal else {"shape": (3,)}
            parts.append(basix.ufl.element("Lagrange", cell, degree, **shape))
        port = [basix.ufl.element("DG", cell, 0, shape=(n,)) for n in (3, 2, 6)]
        return basix.ufl.mixed_element([*parts, *port])

    def sparsity(self):
        """What lives at the nodes couples with its own node, but for voids that are carried."""
        parts = self.element(CellType[self.cell]).sub_elements
        ends = np.cumsum([part.dim for part in parts])
        p, *others, e, t, W = np.split(np.arange(ends[-1]), ends[:-1])
        result = np.zeros((ends[-1], ends[-1]), bool)
        result[p] = result[W] = True
        for displacement in others[len(others) - len(self.elastic) :]:
            result[displacement] = True
        if self.cavitation.complementary:
            r, other = others[0], p if self.cavitation.nodal else others[0]
            if self.cavitation.nodal:
                result[r], result[:, r] = True, False
            result[other] = False
            result[other, p] = result[other, r] = result[r, r] = True
        return result

    def _parts(self, c, state):
        """Pressure, complement, displacements of the elastic surfaces, e, t, W."""
        parts = [*c.split(state)]
        e, t, W = parts[-3:]
        complement = parts[1] if self.cavitation.complementary else None
        return parts[0], complement, parts[-3 - len(self.elastic) : -3], e, t, W

    def _along(self, c, state):
        """By how much displacements (or test functions) open the gap; ``None`` without any."""
        if not self.elastic:
            return None
        moved = zip(self._parts(c, state)[2], self.elastic, strict=True)
        return sum(
            sign * (u if normal else dot(u, self.shape.normal(c.x)))
            for u, (_, normal, sign) in moved
        )

    def _surface_velocity(self, c) -> Any:
        """Of elastic surfaces, bodies without inertia, over the step, m/s: a number, by which the
        gap opens, or with ``shear`` a vector, (3,); ``None`` between rigid surfaces."""
        return c.per_step * (self._apart(c, c.q) - self._apart(c, c.q_n)) if self.elastic else None

    def _apart(self, c, state):
        """The same as ``_along``; with shear a vector that has what the bore moves along, too."""
        opening = self._along(c, state)
        if not self.shear:
            return opening
        u, n = self._parts(c, state)[2][0], self.shape.normal(c.x)
        return u + (opening - dot(u, n)) * n

    def distance(self, c, state=None):
        """Distance of the (mean) surfaces, m."""
        state = c.q if state is None else state
        _, _, _, e, t, _ = self._parts(c, state)
        h = c.par("clearance") - self.shape.closing(c.x, e, t)
        if self.recessed:
            h += self._parts(c, c.reference)[0]
        return h + self._along(c, state) if self.elastic else h

    def thickness(self, c, state=None):
        """Film thickness h, m: between rough surfaces its mean."""
        return self._thickness(c, state)[0]

    def _thickness(self, c, state=None):
        """Thickness, and its derivative by the distance of the surfaces."""
        d = self.distance(c, state)
        h, wetted = asperities.oil(d, c.par("asperities.roughness")) if self.rough else (d, 1)
        h, part = film_transition(h, c.par("least")) if self.transition else (h, 1)
        return h, wetted * part

    def viscosity(self, c):
        """Viscosity at the pressure, Pa s."""
        numbers = law_symbols(c, self.lubricant, "lubricant")
        return self.lubricant.at(self._parts(c, c.q)[0], numbers)

    def drawn(self, c) -> Any:
        """Mean velocity of the oil that the journal draws along, by the sliding velocity."""
        return 0.5

    def passing(self, c, h) -> tuple:
        """What a film of thickness h passes: the flow by the sliding velocity, m, and by the slope
        of the pressure, m^4/(N s) (a tensor in turbulent films); and the shear stress by the
        sliding velocity, Pa s/m."""
        if not self.turbulent:
            return passing(h, self.viscosity(c))
        return turbulent(*self._turbulence(c, h))

    def _turbulence(self, c, h) -> tuple:
        """Law of turbulence, its numbers, thickness, viscosity, sliding velocity and density."""
        p = law_symbols(c, self.turbulence, "turbulence")
        # a velocity that nothing is differentiated by: forces are those at given coefficients
        return self.turbulence, p, h, self.viscosity(c), self._sliding(c), c.par("oil.density")

    def wetted(self, c):
        """Part of the surfaces that the film's shear acts on."""
        part = self.cavitation.wetted(self._parts(c, c.q)[1], self.thickness(c))
        return c.par("sheared") * part if self.grooved else part

    def packing(self, c, state=None):
        """Density of the lubricant by that at ambient pressure."""
        pressure = self._parts(c, c.q if state is None else state)[0]
        return self.density.at(pressure, law_symbols(c, self.density, "density"))

    def _motion(self, c, W, surface):
        """Rate of the distance and sliding velocity for given velocities, m/s."""
        _, _, _, e, t, _ = self._parts(c, c.q)
        V, Omega = (ufl.as_vector([W[k] for k in range(i, i + 3)]) for i in (0, 3))
        rate, U = -self.shape.closing_rate(c.x, e, t, V, Omega), self.shape.sliding(c.x, V, Omega)
        if not self.shear or surface is None:
            return rate if surface is None else rate + surface, U
        n = self.shape.normal(c.x)
        along = surface - dot(surface, n) * n  # the film's nodes go with the bore, to another gap
        return rate + dot(surface, n) + dot(along, grad(self.distance(c))), U - along

    def _sliding(self, c):
        """Velocity of the journal along the bore, which moves too where it is sheared, m/s."""
        return self._motion(c, self._parts(c, c.q)[5], self._surface_velocity(c))[1]

    def _power(self, c, p, slope, W, surface, wetted=1.0):
        """L per area for given pressure, its gradient, velocities W and of the elastic surfaces."""
        h, opening = self._thickness(c)
        if not self.transition:  # no number without film: the step is rejected
            h = h / indicator(ufl.gt(h, c.par("thinnest")))
        rate, U = self._motion(c, W, surface)
        return functional(p, slope, self.passing(c, h), rate * opening, U, wetted)

    def _continuity(self, c, q):
        """Reynolds' equation with a test function, by quadrature: balance of mass by density at
        ambient pressure.

        A conserving film's void g flows with c = U/2, upwind along each edge of a cell: vertex
        quadrature of g c . grad q - 1/2 sum_k |c^k| dg/dX_k dq/dX_k, X the cell's own coordinates,
        is c^k g of the upwind end of each edge.
        """
        p, void, _, _, _, W = self._parts(c, c.q)
        surface = self._surface_velocity(c)
        rate, flow = flows(p, lambda P, G: self._power(c, P, G, W, surface))
        flux = dot(flow, grad(q))
        h, rho, rho_n = self.thickness(c), self.packing(c), self.packing(c, c.q_n)
        flux *= rho
        if not self.cavitation.conserving:
            squeeze = rho * rate + c.per_step * (rho - rho_n) * h
            return {self.quadrature: squeeze * q + flux}
        h_n, void_n = self.thickness(c, c.q_n), self._parts(c, c.q_n)[1]
        at_rest = steady(c)  # then the part that is filled stays
        squeeze = c.per_step * (rho * h - rho_n * h_n) + at_rest * rho * rate
        release = c.per_step * (void - void_n) + at_rest * rate * void / h
        U, J, total = self._carrying(c)
        K, carried = ufl.JacobianInverse(c.mesh), self._carried(c, q)
        for k in range(2):  # the void of a node is that of the cell behind it
            toward = dot(K[k, :], U)
            change = toward / 2 * q + abs(toward) / 4 * dot(J[:, k], grad(q))
            carried += at_rest * rate / h / total * dot(J[:, k], grad(void)) * change
        return {self.quadrature: squeeze * q + flux, VERTICES: carried - release * q}

    def _carrying(self, c):
        """Velocity that carries the void, m/s, the cell's tangents, and what its components along
        them add up to, 1/s, never zero."""
        U, K = self._sliding(c) * self.drawn(c), ufl.JacobianInverse(c.mesh)
        total = sum(abs(dot(K[k, :], U)) for k in range(2))
        return U, ufl.Jacobian(c.mesh), total + RESTING

    def _carried(self, c, q):
        """What the void that is carried along takes from Reynolds' equation, at the vertices."""
        return dot(self._void_flow(c), grad(q))

    def _void_flow(self, c):
        """Flow of the void, m^2/s; exact at the vertices."""
        p, void, _, _, _, W = self._parts(c, c.q)
        U, J, total = self._carrying(c)
        K, h, at_rest = ufl.JacobianInverse(c.mesh), self.thickness(c), steady(c)
        surface = self._surface_velocity(c)
        rate, _ = flows(p, lambda P, G: self._power(c, P, G, W, surface))
        flow, flooded = void * U, c.distributed["flooded"]
        _, conducts, _ = self.passing(c, h)
        for k in range(2):
            toward = dot(K[k, :], U)
            speed = abs(toward)
            flow -= speed / 2 * dot(J[:, k], grad(void)) * J[:, k]
            # no more leaves a flooded node than its own gap holds: if the gap opens behind it, the
            # film breaks at once
            sign, slope = ufl.sign(toward), dot(J[:, k], grad(p))
            excess = total * sign * dot(J[:, k], grad(h)) / 2 + at_rest * rate / 2
            excess -= sign * driven(conducts, K[k, :], K[k, :]) * slope
            spare = speed / total * indicator(ufl.gt(excess, 0)) * excess
            # whether the upwind end of the edge is flooded, from this end and the difference
            ahead = sign * dot(J[:, k], grad(flooded))
            source = flooded * (1 - abs(ahead)) + (abs(ahead) - ahead) / 2
            flow += spare * sign * source * J[:, k]
        return flow

    def _loads(self, c, rough: bool = False):
        """Virtual power of the forces on journal and elastic surfaces: of the pressure that acts
        and of shear, or of ``rough`` surfaces' asperities."""
        (p, *_, W), dW = self._parts(c, c.q), self._parts(c, c.test)[5]
        velocity = ufl.variable(W)
        moving = ufl.variable(self._surface_velocity(c)) if self.elastic else None
        if rough:
            degree = self.contact_quadrature
            acts = asperities.power(c, self.distance(c), *self._motion(c, velocity, moving))
        else:
            degree, part = self.quadrature, self.cavitation.acting(p)
            acts = self._power(c, part * p, part * grad(p), velocity, moving, self.wetted(c))
        form = dot(diff(acts, velocity), dW)
        if self.elastic:
            form += dot(diff(acts, moving), self._apart(c, c.test))
        return -form * c.dx(degree)

    def residual(self, c):
        (p, r, *_), (q, s, *_) = (self._parts(c, z) for z in (c.q, c.test))
        unit, flow = c.par("pressure_unit"), c.par("rate_unit")
        if self.cavitation.nodal:
            # Reynolds' equation in the complement's row, where it always has a pivot
            q, s = s * unit / flow, q * flow / unit
        form = sum(f * measure(c, rule) for rule, f in self._continuity(c, q).items())
        form += self._loads(c)
        if self.rough:
            form += self._loads(c, rough=True)
        if self.cavitation.conserving:
            size = 1 / c.par("clearance") + c.per_step / flow  # of voids that open in a step
            part = flow * unit * s / c.par("clearance")
            form += self.cavitation.function(p / unit, r * size) * part * c.dx(*VERTICES)
        elif r is not None:
            form += complemented(c, self.cavitation, (p, r), (q, s)) * c.dx(*VERTICES)
        return form

    def observables(self, c):
        void, W = (self._parts(c, c.q)[k] for k in (1, 5))
        # of the journal and, of a body without inertia, over the step
        now, before = (self._parts(c, z)[2] for z in (c.q, c.q_n))
        rates = [None] * (len(c.split(c.q)) - 3 - len(now))
        rates += [c.per_step * (u - u_n) for u, u_n in zip(now, before, strict=True)] + [None] * 2
        result, lost = {}, c.taken(self._loads(c), [*rates, W])
        if self.supplied:
            # with all pressures for a test function what supplies and recesses feed is left: the
            # rows of other nodes hold no flow, or these have no pressure
            supply = self._parts(c, c.q)[0] if self.restricted else c.distributed["supply"]
            fed = self._continuity(c, supply)
            lost = fed | {d: power + fed[d] for d, power in lost.items()}
            result["supply_power"] = Observable(
                fed, "W", "power that supplies feed: pressure times inflow", "power.supplies"
            )
        result["power_loss"] = Observable(lost, "W", "power the film turns into heat", "power.film")
        if self.rough:
            U = self._sliding(c)
            result |= asperities.observables(c, self.distance(c), U, self.contact_quadrature)
        if self.cavitation.conserving:
            held = self._parts(c, c.reference)[1]
            result["content"] = Observable(
                {self.quadrature: self.packing(c) * self.thickness(c), VERTICES: -void}, "m^3",
                "lubricant in the film, at ambient density",
            )  # fmt: skip
            result["inflow"] = Observable(
                self._continuity(c, held), "m^3/s", "net flow into the film where pressure is given"
            )
        return result


def complemented(c, cavitation: type[Cavitation], unknowns, tests):
    """What complements a pressure at a node, of Reynolds' equation and of its own row; unknowns and
    test functions: of the pressure, of the inflow."""
    (p, r), (q, s), unit, flow = unknowns, tests, c.par("pressure_unit"), c.par("rate_unit")
    return -r * q + flow * unit * cavitation.function(p / unit, r * (1 / flow)) * (s / flow)


def steady(c):
    """1 in a steady state, 0 in a step."""
    return indicator(ufl.le(c.per_step, 0))


def measure(c, rule):
    """Cell measure of a quadrature: a degree, or (degree, rule)."""
    return c.dx(*rule) if isinstance(rule, tuple) else c.dx(rule)

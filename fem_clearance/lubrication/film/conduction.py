"""Films whose heat goes into journal and bush: the energy equation by Galerkin's method across the
film as well (across.py).

Of the temperatures T_b, T_j and T_m of bush, journal and mean, T_i below, and the test functions
s_i that belong to them, with the flows that the journal draws, d, and that the pressure drives, g::

    int s_i [rho c (M_ij h dT_j/dt + (D_ij d + P_ij g) . grad T_j + X_ij div d T_j - Q_ij dh/dt T_j)
             + k/h S_ij T_j - Phi_i] + k h M_ij grad s_i . grad T_j dA = 0

The rows of the walls' temperatures are the heat that goes into them. div d is taken weakly, so that
what leaves at the film's nodes is what all rows together say. A broken film holds and carries its
part theta of all of this, and its heat is what the shear of journal and bush loses. What its void
carries is taken off at the points of the filled film's flow: at the nodes, where Reynolds' equation
has it, it would take more of what alternates across the flow than the oil brings.

The viscosity varies across the film: with phi = 1/mu, f = int phi dy, Y = int y phi dy / f, the
flow is h (1 - Y) U - h^3 int (y - Y)^2 phi dy grad p and the shear stress U / (h f), Dowson (1962);
the profiles of the velocities in the matrices D, P, X and Q are those of one viscosity.

A turbulent film has the viscosity of its mean temperature, its flow and shear are those of
turbulence.py, and so is what it conducts across; its eddies mix the heat of friction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix.ufl
import numpy as np
import ufl
from basix import CellType
from ufl import dot, grad

from ...contact.laws.normal import indicator
from ...core.observables import Observable
from .across import (
    CONDUCTION,
    CROSS,
    DRAW,
    DRIVE,
    MASS,
    PLACES,
    SHAPES,
    SQUEEZE,
    WEIGHTS,
)
from .energy import PIVOT, STILL
from .functional import driven
from .heat import WarmFilmKind
from .kind import VERTICES, measure, steady
from .turbulence import conducting

#: least part of a broken film that holds and carries heat: an empty one has a temperature
LEAST = 1e-3


@dataclass(frozen=True)
class ConductingFilmKind(WarmFilmKind):
    """A warm film with the temperatures of bush and journal over the supply's, K.

    Args:
        journal_varies: the journal's temperature is one of the film's nodes; else it is one number.
    """

    journal_varies: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        names = ("bush.cooling", "bush.outside")
        return super().parameters | dict.fromkeys(names, ())

    def _warmths(self, cell):
        nodal = basix.ufl.element("Lagrange", cell, 1)
        journal = nodal if self.journal_varies else basix.ufl.element("DG", cell, 0)
        return [*super()._warmths(cell), nodal, journal]

    def sparsity(self):
        result = super().sparsity()
        if self.cavitation.nodal:  # what is missing does not count in the walls' temperatures
            parts = self.element(CellType[self.cell]).sub_elements
            ends = np.cumsum([part.dim for part in parts])
            walls = slice(ends[self._warm + self.fed], ends[self._warm + self.fed + 2])
            result[walls, ends[0] : ends[1]] = False
        return result

    def across(self, c, state) -> tuple[Any, Any, Any]:
        """Temperatures of bush and journal and the mean over the supply's, K."""
        parts, at = c.split(state), self._warm + 1 + self.fed
        return parts[at], parts[at + 1], parts[self._warm]

    # --- what the film passes -------------------------------------------------------------------
    def _fluidities(self, c):
        """1 / viscosity at the places across the film, by weight; their sum, and the centre Y."""
        T, result = self.across(c, c.q), []
        for y, w in zip(PLACES, WEIGHTS, strict=True):
            here = sum(float(shape(y)) * z for shape, z in zip(SHAPES, T, strict=True))
            result.append(float(w) / self._viscosity(c, here))
        total = sum(result)
        centre = sum(float(y) * phi for y, phi in zip(PLACES, result, strict=True)) / total
        return result, total, centre

    def drawn(self, c):
        return super().drawn(c) if self.turbulent else 1 - self._fluidities(c)[2]

    def passing(self, c, h):
        if self.turbulent:
            return super().passing(c, h)
        phi, total, Y = self._fluidities(c)
        conducts = sum((float(y) - Y) ** 2 * f for y, f in zip(PLACES, phi, strict=True))
        return h * (1 - Y), h**3 * conducts, 1 / (h * total)

    def _conductivity(self, c):
        """Conductivity across the film, W/(m K)."""
        k = c.par("oil.conductivity")
        if not self.turbulent:
            return k
        numbers = self._turbulence(c, self.thickness(c))
        return conducting(*numbers, heat=c.par("oil.heat"), k=k)

    # --- heat -----------------------------------------------------------------------------------
    def _heats(self, c) -> list:
        """Heat of the film by test functions, W/m^2: bush, journal, mean; together what journal and
        bush lose."""
        h, U, slope = self.thickness(c), self._sliding(c), grad(self._parts(c, c.q)[0])
        part = self.wetted(c)
        if self.turbulent:
            _, conducts, shear = self.passing(c, h)
            return [0.0, 0.0, part * shear * dot(U, U) + driven(conducts, slope, slope)]
        phi, total, Y = self._fluidities(c)
        crossed = part if self.grooved else 1.0
        result: list[Any] = [0.0, 0.0, 0.0]
        for y, f in zip(PLACES, phi, strict=True):
            away = float(y) - Y
            heat = h**3 * away**2 * dot(slope, slope) + part * dot(U, U) / (h * total**2)
            heat += crossed * 2 * h * away * dot(slope, U) / total
            for i, shape in enumerate(SHAPES):
                result[i] += float(shape(y)) * f * heat
        return result

    def _filled(self, c):
        """Part of the gap that is filled with oil, ``LEAST`` at least."""
        if not self.cavitation.conserving:
            return 1.0
        part = 1 - self._parts(c, c.q)[1] / self.thickness(c)
        return part + indicator(ufl.lt(part, LEAST)) * (LEAST - part)

    def _drives(self, c):
        """What of the oil of a filled film the journal draws and the pressure drives, m^2/s."""
        drawn, conducts, _ = self.passing(c, self.thickness(c))
        rho, p = self.packing(c), self._parts(c, c.q)[0]
        return rho * drawn * self._sliding(c), -rho * conducts * grad(p)

    def _flows(self, c) -> tuple[Any, Any]:
        """The flows drawn and driven, m^2/s; of a film that conserves its oil, less those of the
        void."""
        draw, drive = self._drives(c)
        return draw - self._void_flow(c) if self.cavitation.conserving else draw, drive

    def _contents(self, c) -> tuple[Any, Any]:
        """The thickness of the oil before, m, by its density, and its rate, m/s."""
        p, *_, W = self._parts(c, c.q)
        rate = self._motion(c, W, self._surface_velocity(c))[0]
        h, h_n = self.thickness(c), self.thickness(c, c.q_n)
        rho, rho_n = self.packing(c), self.packing(c, c.q_n)
        if not self.cavitation.conserving:
            held = rho * rate + c.per_step * (rho - rho_n) * h
            return rho_n * h_n, held
        void, void_n = (self._parts(c, z)[1] for z in (c.q, c.q_n))
        still = steady(c)
        held = c.per_step * (rho * h - rho_n * h_n) + still * rho * rate
        lost = c.per_step * (void - void_n) + still * rate * void / h
        return rho_n * h_n - void_n, held - lost

    def _carried_heat(self, c, tests) -> Any:
        """What the oil stores and carries along and across, tested, W/m^2."""
        T, T_n = self.across(c, c.q), self.across(c, c.q_n)
        change, rc = [z - z_n for z, z_n in zip(T, T_n, strict=True)], c.par("oil.heat")
        (held, rate), (draw, drive), result = self._contents(c), self._flows(c), 0.0
        for i, s in enumerate(tests):
            result += s * (c.per_step * held * _row(MASS, i, change) + rate * _row(SQUEEZE, i, T))
            result += s * dot(draw, grad(_row(DRAW - CROSS, i, T)))
            if not isinstance(s, float):
                result -= _row(CROSS, i, T) * dot(draw, grad(s))
            result += s * dot(drive, grad(_row(DRIVE, i, T)))
        return rc * result

    def _energy(self, c):
        T, k = self.across(c, c.q), c.par("oil.conductivity")
        unit, heats = c.par("thermal.unit"), self._heats(c)
        tests = [s / unit for s in self.across(c, c.test)]
        h, part, rc = self.thickness(c), self._filled(c), c.par("oil.heat")
        across = self._conductivity(c)
        form = self._carried_heat(c, tests) + self._stabilised(c, heats[2], tests[2])
        for i, s in enumerate(tests):
            form += s * (part * across / h * _row(CONDUCTION, i, T) - heats[i])
            form += part * k * h * dot(grad(s), grad(_row(MASS, i, T)))
        form += PIVOT * rc * c.par("rate_unit") * T[2] * tests[2]
        form += self._upwinded(c, 0, T[0] - T[2], tests[0])  # where both differ, as in layers
        if not self.pooled:  # the oil of a groove gives no heat to the bush
            form += c.par("bush.cooling") * (T[0] - c.par("bush.outside")) * tests[0]
        result = form * c.dx(self.quadrature)
        for rule, heat in self._work_of_contents(c).items():
            result -= heat * tests[2] * measure(c, rule)
        return result

    def _work_of_contents(self, c) -> dict[Any, Any]:
        """Work of the pressure that becomes heat beside that of its flow, W/m^2, by quadrature: on
        voids that close where the film forms again, and on the content in a step."""
        if not self.cavitation.conserving:
            return {}
        p, *_, W = self._parts(c, c.q)
        h, opening = self._thickness(c)
        rate = opening * self._motion(c, W, self._surface_velocity(c))[0]
        held = c.per_step * (h - self.thickness(c, c.q_n)) - (1 - steady(c)) * rate
        return {self.quadrature: p * held, VERTICES: self._continuity(c, p)[VERTICES]}

    def _speeds(self, c, i: int) -> list:
        """Flow that carries the i-th temperature in its own row, along the cell's coordinates."""
        K, part = ufl.JacobianInverse(c.mesh), self._filled(c)
        draw, drive = (part * z for z in self._drives(c))
        flow = float(DRAW[i, i]) * draw + float(DRIVE[i, i]) * drive
        return [dot(K[k, :], flow) for k in range(2)]

    def _upwinded(self, c, i: int, T, s):
        """The i-th temperature's row, stabilised to first order in the temperature T."""
        J = ufl.Jacobian(c.mesh)
        return c.par("oil.heat") * sum(
            abs(z) / 2 * dot(J[:, k], grad(T)) * dot(J[:, k], grad(s))
            for k, z in enumerate(self._speeds(c, i))
        )

    def _stabilised(self, c, heat, s):
        """The stabilisation of the mean temperature's row along what carries it."""
        *_, W = self._parts(c, c.q)
        T, T_n = self.across(c, c.q), self.across(c, c.q_n)
        rc, h, part = c.par("oil.heat"), self.thickness(c), self._filled(c)
        if self.upwind:
            return self._upwinded(c, 2, T[2], s)
        draw, drive = (part * z for z in self._drives(c))
        flow = float(DRAW[2, 2]) * draw + float(DRIVE[2, 2]) * drive
        speeds, k = self._speeds(c, 2), self._conductivity(c)
        mass = part * self.packing(c)
        stored = mass * h * c.per_step * _row(MASS, 2, [a - b for a, b in zip(T, T_n, strict=True)])
        carried = dot(draw, grad(_row(DRAW, 2, T))) + dot(drive, grad(_row(DRIVE, 2, T)))
        # the oil that is drawn diverges with the gap where it fills it, and less where voids open
        rate, U = self._motion(c, W, self._surface_velocity(c))
        spread = part**4 * self.drawn(c) * dot(U, grad(h))
        passed = mass * (spread * _row(CROSS, 2, T) + rate * _row(SQUEEZE, 2, T))
        missing = rc * (stored + carried + passed) + part * k / h * _row(CONDUCTION, 2, T) - heat
        missing += self._warming(c) if self.cavitation.nodal else 0.0
        wall = part * float(CONDUCTION[2, 2]) / 2 * k / (h * rc)
        still = (STILL * c.par("rate_unit")) ** 2 + (mass * h * c.per_step) ** 2 + wall**2
        size = ufl.sqrt(speeds[0] ** 2 + speeds[1] ** 2 + still)
        captured = self._captured(c, missing / rc, T[2], s, speeds, size)
        return missing / (2 * size) * dot(flow, grad(s)) + captured

    # --- grooves --------------------------------------------------------------------------------
    def _at_groove(self, c) -> tuple[Any, Any, Any]:
        """The flows drawn and driven to a groove, m/s, and whether they come from it."""
        m, (draw, drive) = c.distributed["mask"], self._drives(c)
        draws, drives = (dot(z, grad(m)) for z in self._flows(c))
        return draws, drives, indicator(ufl.lt(dot(draw + drive, grad(m)), 0))

    def _entering(self, flows, T) -> list:
        """By what flows from a groove change where they bring the temperatures T of bush, journal
        and mean, K m/s: rows that add up to what they carry.

        Fresh oil knows nothing of the walls yet: the mean and the bush are the oil's, and what
        the parabola holds besides comes from the journal. By Galerkin's rows the parabola to a hot
        journal would have the bush jump to the journal's temperature, and beyond.
        """
        shares = [matrix.sum(axis=0) for matrix in (DRAW, DRIVE)]
        bush, journal, mean = (
            sum(float(part[i]) * to for to, part in zip(flows, shares, strict=True)) * z
            for i, z in enumerate(T)
        )
        return [-bush, journal + 2 * bush, mean]

    def _inlet(self, c, tests) -> Any:
        """What a groove's oil brings where it takes the place of the film's, tested, W/m^2; and the
        boundary's part of what passes across."""
        edge = [self._at_edge(c, z) for z in self.across(c, c.q)]
        tests = [s if isinstance(s, float) else self._at_edge(c, s) for s in tests]
        *flows, into = self._at_groove(c)
        brought = self._entering(flows, [self._groove(c, c.q) - z for z in edge])
        result = 0.0
        for i, s in enumerate(tests):
            result += s * (into * brought[i] + flows[0] * _row(CROSS, i, edge))
        return c.par("oil.heat") * result

    def _mixing(self, c):
        unit, rc, m = c.par("thermal.unit"), c.par("oil.heat"), c.distributed["mask"]
        form = self._inlet(c, [s / unit for s in self.across(c, c.test)])
        groove, test = self._groove(c, c.q), rc * self._groove(c, c.test) / unit
        (*flows, into), hot = self._at_groove(c), 0.0
        # as between insulated walls: what a node takes in has the groove's temperature
        slopes, tests = ([self._along_edge(c, z) for z in self.across(c, q)] for q in (c.q, c.test))
        entering = self._entering(flows, slopes)
        each: Any = sum(s * brought for s, brought in zip(tests, entering, strict=True))
        for to, z, matrix in zip(flows, self._flows(c), (DRAW, DRIVE), strict=True):
            cup = self._at_edge(c, _sums(matrix, self.across(c, c.q)))
            hot += to * cup + m * dot(z, grad(cup))
        form -= (into * sum(flows) * groove + c.par("carry_over") * (1 - into) * hot) * test
        form += PIVOT * c.par("rate_unit") * groove * test
        form *= c.dx(self.quadrature)
        return form - rc * into * m / 3 * each / unit * c.dx(*VERTICES)

    def observables(self, c):
        result = super().observables(c)
        heats, T = self._heats(c), self.across(c, c.q)
        what = "heat of the film: shear and pressure"
        made = self._work_of_contents(c)
        made[self.quadrature] = made.get(self.quadrature, 0.0) + sum(heats)
        result["heat"] = Observable(made, "W", what)
        carried: dict[Any, Any] = {self.quadrature: self._taken_by_oil(c, [1.0] * 3)}
        if self.cavitation.nodal:
            carried[VERTICES] = self._warming(c)
        result["oil_heat"] = self._oil_heat(made, carried)
        conducted = self._filled(c) * self._conductivity(c) / self.thickness(c)
        for i, name in enumerate(("bush", "journal")):
            into = heats[i] - conducted * _row(CONDUCTION, i, T)
            into -= self._taken_by_oil(c, [float(i == j) for j in range(3)])
            into = 0 * into if self.pooled else into
            what = f"of it, what goes into the {name}"
            result[f"{name}_heat"] = Observable({self.quadrature: into}, "W", what)
        return result

    def _taken_by_oil(self, c, tests) -> Any:
        """What the oil takes, with that of grooves, W/m^2."""
        taken = self._carried_heat(c, tests)
        return taken + self._inlet(c, tests) if self.fed else taken


def _sums(matrix: np.ndarray, values) -> Any:
    """The sum of a matrix times three values: temperatures by what carries them."""
    return sum(float(a) * z for a, z in zip(matrix.sum(axis=0), values, strict=True))


def _row(matrix: np.ndarray, i: int, values) -> Any:
    """Row i of a matrix times three values."""
    return sum(float(a) * z for a, z in zip(matrix[i], values, strict=True) if abs(a) > 1e-14)

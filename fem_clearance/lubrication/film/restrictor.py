"""Restrictors that feed recesses, whose pressure is then an unknown of the film.

A recess is so deep that its oil has one pressure p, which acts on the whole recess. The nodes of
the film in it share this unknown, whose row is the balance of the recess: what flows out of it over
the lands, and what it takes up as the surfaces move apart, is the flow Q(p) of the restrictor.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import ufl

from ... import checks
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...errors import InputError
from ...user_code import Law

#: part of the supply's pressure below which the flow of an orifice is linear in what it loses
LINEAR = 1e-6


@dataclass(frozen=True)
class Restrictor(Law):
    """Base of the laws: flow Q into a recess at a pressure.

    Example::

        class Valve(lubrication.Restrictor):
            # a membrane that keeps the flow near 2e-6 m^3/s up to a pressure of 3 MPa

            @staticmethod
            def flow_at(pressure, p):
                return 2e-6 * (1 - (pressure / 3e6) ** 4)

        lubrication.Groove(angle=0.0, width=0.5, length=10e-3, restrictor=Valve())
    """

    scalars: ClassVar[tuple[str, ...]] = ("flow_at",)
    needed: ClassVar[tuple[str, ...]] = ("flow_at",)

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the law, as forms name them."""
        return {f"restrictor.{name}": float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def flow_at(pressure, p: SimpleNamespace):
        """Flow into a recess, m^3/s, at a pressure there (UFL, Pa)."""
        raise TypeError("a restrictor defines flow_at()")


@dataclass(frozen=True)
class Capillary(Restrictor):
    """A capillary, or any laminar restrictor: Q = (p_s - p) / R.

    Args:
        supply: pressure p_s, Pa over ambient.
        resistance: R, Pa s/m^3; of a round tube 128 mu l / (pi d^4), see ``tube``.

    Raises:
        InputError: numbers that are not positive.

    See docs/hydrostatic.md. Example::

        lubrication.Capillary(supply=2e6, resistance=1e12)
    """

    supply: float
    resistance: float
    parameters: ClassVar[tuple[str, ...]] = ("supply", "resistance")

    def __post_init__(self):
        for name in self.parameters:
            checks.positive(f"Capillary: {name}", getattr(self, name))

    @classmethod
    def tube(cls, supply: float, diameter: float, length: float, viscosity: float) -> Capillary:
        """A round tube, by Hagen and Poiseuille.

        Args:
            supply: Pa over ambient.
            diameter, length: m.
            viscosity: of the oil in it, Pa s.
        """
        for name, value in (("diameter", diameter), ("length", length), ("viscosity", viscosity)):
            checks.positive(f"Capillary.tube: {name}", value)
        return cls(supply, 128 * viscosity * length / (np.pi * diameter**4))

    @staticmethod
    def flow_at(pressure, p):
        return (p.supply - pressure) / p.resistance


@dataclass(frozen=True)
class Orifice(Restrictor):
    """A sharp-edged orifice: Q = C_d A sqrt(2 (p_s - p) / rho), and back if p is above p_s.

    Args:
        supply: pressure p_s, Pa over ambient.
        diameter: of the orifice, m.
        mass_density: of the oil, kg/m^3.
        discharge: C_d.

    Raises:
        InputError: numbers that are not positive.

    See docs/hydrostatic.md. Example::

        lubrication.Orifice(supply=2e6, diameter=0.4e-3)
    """

    supply: float
    diameter: float
    mass_density: float = 870.0
    discharge: float = 0.6
    parameters: ClassVar[tuple[str, ...]] = ("supply", "diameter", "mass_density", "discharge")

    def __post_init__(self):
        for name in self.parameters:
            checks.positive(f"Orifice: {name}", getattr(self, name))

    @staticmethod
    def flow_at(pressure, p):
        lost = p.supply - pressure
        # the root has no slope at zero: there it is linear, and off by 1e-12 / 4 at all of p_s
        root = lost / (lost**2 + (LINEAR * p.supply) ** 2) ** 0.25
        return p.discharge * np.pi / 4 * p.diameter**2 * ufl.sqrt(2 / p.mass_density) * root


@dataclass(frozen=True)
class ConstantFlow(Restrictor):
    """A pump, or a flow divider, that feeds one recess whatever the pressure there.

    Args:
        flow: Q, m^3/s.

    Raises:
        InputError: a flow that is not positive.

    See docs/hydrostatic.md. Example::

        lubrication.ConstantFlow(2e-6)
    """

    flow: float
    parameters: ClassVar[tuple[str, ...]] = ("flow",)

    def __post_init__(self):
        checks.positive("ConstantFlow: flow", self.flow)

    @staticmethod
    def flow_at(pressure, p):
        return p.flow + 0.0 * pressure


@dataclass(frozen=True)
class RestrictorKind(Kind):
    """Fields: pressure of the recess and, of a film whose balance stands in its row, the inflow
    that complements it.

    Args:
        law: of the flow.
        nodal: whether there is such a field.
    """

    called = "restrictor of a recess"
    #: the film says so, see ``Builder.feeds``
    feeds_energy = False
    transmits = True

    law: type[Restrictor] = Restrictor
    nodal: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        law = {f"restrictor.{n}": () for n in self.law.parameters}
        return law | {"pressure_unit": (), "rate_unit": ()}

    def fields(self):
        return {"pressure": (), **({"inflow": ()} if self.nodal else {})}

    def _first(self, c, z):
        return c.split(z)[0] if self.nodal else z

    def flow(self, c):
        """Into the recess, m^3/s."""
        numbers = SimpleNamespace(**{n: c.par(f"restrictor.{n}") for n in self.law.parameters})
        return self.law.flow_at(self._first(c, c.q), numbers)

    def residual(self, c):
        # in a nodal film the balance stands in the complement's row (kind.py)
        if self.nodal:
            q = c.split(c.test)[1] * c.par("pressure_unit") / c.par("rate_unit")
        else:
            q = c.test
        return -self.flow(c) * q * c.dx()

    def observables(self, c):
        return {
            "pressure": Observable(self._first(c, c.q), "Pa", "pressure in the recess"),
            "flow": Observable(self.flow(c), "m^3/s", "flow through the restrictor"),
        }


def check_restrictors(film) -> None:
    """Refuse what feeds no recess, and recesses that meet each other or given pressures."""
    taken = {name: film.surface.sets[name] for name in film.pressures}
    for name, restrictor in film.restrictors.items():
        if not isinstance(restrictor, Restrictor):
            raise InputError(
                f"film: restrictors[{name!r}] must be Capillary(...), Orifice(...) or "
                f"ConstantFlow(...), got {restrictor!r}."
            )
        nodes = film.surface.node_set(name, "film: restrictors")
        for other, own in taken.items():
            if np.isin(nodes, own).any():
                raise InputError(
                    f"film: the recess {name!r} meets {other!r}, so that its pressure has no land "
                    "to fall over; leave at least one cell between them."
                )
        taken[name] = nodes
    if film.restrictors and film.thermal is not None:
        raise InputError(
            "film: a film with a temperature takes no restrictors yet, because the oil in a recess "
            "would need a temperature of its own; give pressures, or leave thermal out."
        )


def add_restrictors(builder, name: str, film, p: Block, r: Block | None) -> None:
    """Register the restrictors of a film; their channels are ``name.set.pressure`` and ``.flow``.

    Args:
        builder: to add to.
        name: of the film.
        film: whose they are.
        p, r: pressure, and what complements it at the nodes.
    """
    for key, restrictor in film.restrictors.items():
        node = np.array([film.surface.sets[key].min()])
        nodal = film.cavitation.nodal
        refs = [Ref(block, node) for block in (p, r if nodal else None) if block is not None]
        kind = RestrictorKind(type(restrictor), nodal)
        row = kind.pack(
            **restrictor.values(), pressure_unit=film.pressure_unit, rate_unit=film.rate_unit
        )
        builder.add_cell(kind, Cell(f"{name}.{key}", refs, row))

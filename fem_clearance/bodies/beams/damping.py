"""Kelvin-Voigt damping of beams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.kind import Kind
from ...core.observables import Observable
from ...core.symbols import total


@dataclass(frozen=True)
class ViscousKind(Kind):
    """Stresses of the rates of strain: the elastic law of a beam kind, linear at small strains,
    times the retardation time.

    Cells of their own beside the elastic ones, with the same unknowns. The power lost is twice the
    retardation time times the law's energy of the rates.
    """

    feeds_energy = False

    beam: Any = None  # BeamKind

    cell = "interval"

    @property
    def parameters(self):  # type: ignore[override]
        return {**self.beam.parameters, "retardation": ()}

    @property
    def label(self):
        return f"damping of {self.beam.label}"

    def element(self, cell):
        return self.beam.element(cell)

    def residual(self, c):
        return total(
            c.power(c.par("retardation") * x) * c.dx(d) for d, x in self.beam.viscous(c).items()
        )

    def observables(self, c):
        lost = {d: 2 * c.par("retardation") * x for d, x in self.beam.viscous(c).items()}
        return {
            "damping_loss": Observable(
                lost, "W", "power lost by Kelvin-Voigt damping", "power.damping"
            )
        }

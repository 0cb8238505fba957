"""Four warm tilting pads, by the theory and the measurements of Fillon, Bligoud and Frene (1992),
J. Tribology 114(3): the figures of docs/thermal.md, "Warm tilting pads".

    python benchmarks/table_fillon.py [speeds] [mixing] [assumptions] [theory]

``speeds``: the hottest pad at four speeds, of pads that are rigid, or deform and expand;
``mixing``: by how much hot oil goes on from pad to pad; ``assumptions``: what others change;
``theory``: the straight line through the authors' own temperatures.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import (
    Conducting,
    Expansion,
    Exponential,
    HeatedSolid,
    Lubricant,
    Shaft,
    TiltingPad,
    TiltingPadBearing,
    tilting_pad_mesh,
)
from fem_clearance.lubrication.bearings.tilting import PadsState

#: rpm -> highest temperature of the pads, deg C: measured, and by the authors' own theory, both
#: digitised from diagrams to 1 K. Bearing and oil: Kim, Palazzolo and Gadangi (1994), Tribology
#: Transactions 37(4), as typed in the tests of ROSS (test_fluid_film_literature.py), whose heat
#: transfer at the back of pads is 735.9 W/(m^2 K)
FILLON = {1000: (49.5, 43.7), 2000: (59.5, 53.4), 3000: (67.5, 63.2), 4000: (76.5, 72.9)}
#: of the journal by Kim et al., deg C
JOURNAL = 49.0
#: flow of fresh oil that Kim et al. state for the bearing, m^3/s
SUPPLY_FLOW = 6.30901964e-4
#: 0 deg C, K
ZERO = 273.15


@dataclass(frozen=True)
class FourPads:
    """The bearing and what is assumed of it; SI units, but temperatures in deg C.

    Args:
        journal: temperature, or ``Shaft()``: that without net heat.
        yields: pads deform under the pressure, pads and journal expand.
        cells: of each film, around and along.
        carry_over, supply_flow: how the oil mixes between the pads.
        supply: temperature of the fresh oil and around the pads.
        back, sides: heat transfer of the pads, W/(m^2 K).
        viscosity: at 40 deg C, Pa s.
        clearance: machined clearance, m.
        reference: temperature at which the clearance is given; default: that of the supply.
        upwind: of the films' temperatures.
    """

    journal: float | Shaft = Shaft()  # noqa: RUF009  (frozen)
    yields: bool = True
    cells: Sequence[int] = (20, 8)
    carry_over: float = 1.0
    supply_flow: float | None = None
    supply: float = 40.0
    back: float = 735.9
    sides: float = 73.59
    viscosity: float = 0.0277
    clearance: float = 1.48e-4
    reference: float | None = None
    upwind: bool = True

    def bearing(self, speed: float) -> TiltingPadBearing:
        """Of a journal at that speed, rad/s."""
        arc, supply = np.radians(75), ZERO + self.supply
        oil = Lubricant(self.viscosity, temperature=Exponential(0.0341),
                        reference_temperature=ZERO + 40, mass_density=860.0,
                        specific_heat=1951.8, conductivity=0.149)  # fmt: skip
        R = 0.05 + self.clearance
        mesh = tilting_pad_mesh(R, arc, 0.02, 0.07, (10, 4, 3))
        cooled = dict.fromkeys(("start", "end", "z0", "z1"), (self.sides, supply))
        steel = Expansion(12e-6, E=2e11, nu=0.3, rests="pivot") if self.yields else None
        bush = HeatedSolid(mesh, 50.0, 3.6e6, cooled={"rim": (self.back, supply)} | cooled,
                           responses=30, expansion=steel)  # fmt: skip
        journal = self.journal if isinstance(self.journal, Shaft) else ZERO + self.journal
        warm = Conducting(
            supply, carry_over=self.carry_over, bush=bush, journal=journal, upwind=self.upwind,
            journal_expansion=12e-6 if self.yields else 0.0,
            reference=None if self.reference is None else ZERO + self.reference,
        )  # fmt: skip
        solid = None
        if self.yields:
            law = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
            solid = fc.CondensedSolid(mesh, law, facets="bore", clamped="pivot", responses=20,
                                      direction="normal")  # fmt: skip
        return TiltingPadBearing(
            R, 0.07, self.clearance, oil, TiltingPad(np.pi / 4, arc, 0.02, preload=0.47).evenly(4),
            sliding_speed=0.05 * speed, cells=self.cells, thermal=warm,
            solid=solid, supply_flow=self.supply_flow,
        )  # fmt: skip

    def at(self, rpm: float) -> PadsState:
        """Under the load of 10 kN between two pivots."""
        speed = rpm * np.pi / 30
        return self.bearing(speed).equilibrium((0.0, -1e4), speed)


def hottest(state: PadsState) -> float:
    """Highest temperature of the pads, deg C."""
    return max(film.warm.bush.max() for film in state.films) - ZERO


def speeds():
    print("| rpm | pads | journal [deg C] | loss [W] | smallest film [um] | hottest pad [deg C] | "
          "theory of the authors | measured |")  # fmt: skip
    for rpm, (measured, theory) in FILLON.items():
        for yields in (False, True):
            for journal in (JOURNAL, Shaft()):
                state = FourPads(journal, yields).at(rpm)
                pads = "deform and expand" if yields else "rigid"
                shaft = float(state.films[0].warm.journal[0]) - ZERO
                least = 1e6 * min(film.thickness.min() for film in state.films)
                print(f"| {rpm} | {pads} | {shaft:.1f} | {state.power_loss:.0f} | {least:.1f} | "
                      f"{hottest(state):.1f} | {theory} | {measured} |", flush=True)  # fmt: skip


#: how the oil mixes between the pads
MIXING = {
    "lambda = 1": FourPads(),
    "the same, 40x16 cells": FourPads(cells=(40, 16)),
    "lambda = 0.8": FourPads(carry_over=0.8),
    "lambda = 0": FourPads(carry_over=0.0),
    "lambda = 1, all of the supply": FourPads(supply_flow=SUPPLY_FLOW),
}


def mixing():
    print(f"| rpm | {' | '.join(MIXING)} | theory of the authors | measured |")
    for rpm, (measured, theory) in FILLON.items():
        found = [f"{hottest(pads.at(rpm)):.1f}" for pads in MIXING.values()]
        print(f"| {rpm} | {' | '.join(found)} | {theory} | {measured} |", flush=True)


#: what is assumed instead, one thing in each but the last; see also ``speeds`` and ``mixing``
ASSUMPTIONS = {
    "back of the pads cooled as their sides, 73.59 W/(m^2 K)": FourPads(back=73.59),
    "back of the pads at 40 deg C": FourPads(back=1e5),
    "clearance given at 20 deg C": FourPads(reference=20.0),
    "clearance 10 % larger": FourPads(clearance=1.1 * 1.48e-4),
    "viscosity 10 % lower": FourPads(viscosity=0.9 * 0.0277),
    "supply 1 K colder": FourPads(supply=39.0),
    "upwind=False": FourPads(upwind=False),
    "lambda = 0, journal and back of the pads at 40 deg C": FourPads(
        40.0, carry_over=0.0, back=1e5
    ),
}
#: the speeds at which they are compared
COMPARED = (1000, 4000)


def assumptions():
    print(f"| assumption | {' | '.join(f'{rpm} rpm' for rpm in COMPARED)} |")
    base = {rpm: hottest(FourPads().at(rpm)) for rpm in COMPARED}
    print(f"| hottest pad, deg C | {' | '.join(f'{T:.1f}' for T in base.values())} |", flush=True)
    for what, pads in ASSUMPTIONS.items():
        found = [f"{hottest(pads.at(rpm)) - base[rpm]:+.1f}" for rpm in COMPARED]
        print(f"| {what} | {' | '.join(found)} |", flush=True)
    for name, column in (("theory", 1), ("measured", 0)):
        apart = [f"{FILLON[rpm][column] - base[rpm]:+.1f}" for rpm in COMPARED]
        print(f"| {name} | {' | '.join(apart)} |", flush=True)


def theory():
    rpm = np.array([*FILLON])
    for name, column in (("theory", 1), ("measured", 0)):
        T = np.array([pair[column] for pair in FILLON.values()])
        slope, rest = np.polyfit(rpm, T, 1)
        off = np.abs(T - slope * rpm - rest).max()
        print(f"{name}: {rest:.1f} deg C + {1e3 * slope:.2f} K for each 1000 rpm, within "
              f"{off:.2f} K; 40 deg C at {(40 - rest) / slope:.0f} rpm")  # fmt: skip


if __name__ == "__main__":
    tables = {f.__name__: f for f in (speeds, mixing, assumptions, theory)}
    for name in sys.argv[1:] or tables:
        tables[name]()

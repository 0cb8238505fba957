"""Rows of the energy equation and forces of a warm film with given pressure, temperature and
motion, against integrals over the exact bore in NumPy; ``films.py`` has the geometry."""

from dataclasses import replace

import numpy as np
import pytest

from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Barus,
    DowsonHigginson,
    Exponential,
    Full,
    Streamers,
)
from fem_clearance.lubrication.film.cavitation import EMPTY
from fem_clearance.lubrication.film.thermal import UNIT

from .films import MU, TIME_STEP, C, Held, R, Stresses, bore, close, smooth

BETA, ALPHA, EXPANSION, SUPPLY, REFERENCE = 0.02, 2e-9, 4e-4, 330.0, 320.0
#: conducts as much as it carries
RHO, HEAT, K = 850.0, 1900.0, 1e5
OIL = Barus(MU, ALPHA, temperature=Exponential(BETA), reference_temperature=REFERENCE,
            density=DowsonHigginson(0.0, 0.0, expansion=EXPANSION), mass_density=RHO,
            specific_heat=HEAT, conductivity=K)  # fmt: skip


def warm(x):
    """Temperature over the supply's, K."""
    phi, z = np.arctan2(x[:, 1], x[:, 0]), x[:, 2] / 9e-3
    return 9 + 4 * np.cos(phi + 0.3) + 3 * np.sin(2 * phi) * (0.5 + z)


def before(x):
    return warm(x) - 0.03 * (1 + x[:, 0] / R)


def weight(x):
    return 1.5 + np.sin(np.arctan2(x[:, 1], x[:, 0])) + 40 * x[:, 2]


class Exact(Stresses):
    """Also the energy equation, with the laws of ``OIL``."""

    def __init__(self, filled=1.0, **more):
        super().__init__(**more)
        rise = warm(self.x)
        over = SUPPLY + rise - REFERENCE
        mu = MU * np.exp(-BETA * over) * np.exp(ALPHA * self.p)
        self.mu = mu[:, None]
        self.density = 1 - EXPANSION * over
        conducts = self.h**3 / (12 * mu)
        self.flow = self.density[:, None] * (
            self.h[:, None] * self.U / 2 - conducts[:, None] * self.slope
        )
        shear = mu * (self.U**2).sum(1) / self.h
        self.heat = shear / filled + conducts * (self.slope**2).sum(1)
        grad = self.gradient(warm)
        held = self.density * self.h * (rise - before(self.x)) / TIME_STEP
        self.stored, self.carried = RHO * HEAT * held, RHO * HEAT * (self.flow * grad).sum(1)
        self.conducted = K * self.h * (grad * self.gradient(weight)).sum(1)


def held(cavitation, **more):
    film = replace(bore(cavitation, OIL, thermal=Adiabatic(SUPPLY)), pressures={})
    item = Held(film, pressure=smooth, **more)
    at = item.at(item.item.temperatures["temperature"])
    item.state.q[at], item.state.q_n[at] = warm(item.places), before(item.places)
    item.state.globals[6] = 1 / TIME_STEP
    return item, at


@pytest.mark.parametrize("cavitation", [Full(), Streamers(), JFO()])
def test_energy_equation(cavitation):
    """What rows add up to with smooth test functions: stored, carried, conducted, heat; of JFO's
    film, filled by a half, twice the heat of shear."""
    filled, more = 1.0, {}
    if cavitation.conserving:

        def void(x):
            return 0.5 * C * (1 - 0.35 * x[:, 0] / R + 0.2 * x[:, 1] / R)

        more["other"] = void
    item, at = held(cavitation, **more)
    exact = Exact()
    if isinstance(cavitation, JFO) and not isinstance(cavitation, Streamers):
        filled = np.maximum(1 - void(exact.x) / exact.h, EMPTY)
        exact = Exact(filled=filled)
    rows = item.rows[at] * UNIT
    for s, of_places, conducted in (
        (np.ones_like(exact.h), np.ones(len(rows)), 0.0 * exact.h),
        (weight(exact.x), weight(item.places), exact.conducted),
    ):  # fmt: skip
        parts = (exact.stored * s, exact.carried * s, -exact.heat * s, conducted)
        close(np.array([rows @ of_places]), *(np.array([exact.per @ z]) for z in parts))


def test_forces():
    """Of pressure and shear, with the viscosity of pressure and temperature: force, and the moment
    that brakes the journal."""
    item, _ = held(Full())
    exact, seen = Exact(), [0, 1, 2, 5]
    close(item.force[seen], exact.total(exact.pressing)[seen], exact.total(exact.shear)[seen])

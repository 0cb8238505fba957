"""Rows and forces of a film that conducts, with given pressure, temperatures and motion, against
integrals in NumPy over the exact bore and, with ten points, across the film; ``films.py`` has the
geometry. The velocities across the film are those of Dowson (1962), with the viscosity at each
place; what they carry has the profiles 2y and 6y (1 - y); what passes across follows from the
conservation of volume."""

from dataclasses import replace

import numpy as np

from fem_clearance.lubrication import Conducting, Exponential, Full, Lubricant
from fem_clearance.lubrication.film.thermal import UNIT

from .films import MU, TIME_STEP, Held, R, Stresses, bore, close, smooth

BETA, SUPPLY = 0.02, 330.0
#: conducts about as much as it carries
RHO, HEAT, K = 850.0, 1900.0, 30.0
OIL = Lubricant(
    MU, temperature=Exponential(BETA), reference_temperature=SUPPLY, mass_density=RHO,
    specific_heat=HEAT, conductivity=K,
)  # fmt: skip
Y, WEIGHTS = np.polynomial.legendre.leggauss(10)
Y, WEIGHTS = (1 + Y) / 2, WEIGHTS / 2


def angle(x):
    return np.arctan2(x[:, 1], x[:, 0])


def mean(x):
    return 9 + 4 * np.cos(angle(x) + 0.3) + 3 * np.sin(2 * angle(x)) * (0.5 + x[:, 2] / 9e-3)


def bush(x):
    return 3 + 5 * np.sin(angle(x)) - 100 * x[:, 2]


def journal(x):
    return 12 + 2 * np.cos(angle(x) - 1) + 150 * x[:, 2]


def weight(x):
    return 1.5 + np.sin(angle(x)) + 40 * x[:, 2]


SHAPES = (1 - 4 * Y + 3 * Y**2, 3 * Y**2 - 2 * Y, 6 * Y - 6 * Y**2)
SLOPES = (-4 + 6 * Y, 6 * Y - 2, 6 - 12 * Y)
FIELDS = {"bush": bush, "journal": journal, "temperature": mean}


def before(field):
    return lambda x: field(x) - 0.03 * (1 + x[:, 0] / R)


class Exact(Stresses):
    """Also what passes the film and its heat, (places, points across)."""

    def __init__(self):
        super().__init__()
        h, U, slope = self.h[:, None], self.U[:, None], self.slope[:, None]
        T = sum(z(self.x)[:, None] * s for z, s in zip(FIELDS.values(), SHAPES, strict=True))
        fluid = np.exp(BETA * T) / MU
        total = fluid @ WEIGHTS
        centre = (fluid * Y) @ WEIGHTS / total
        away = Y - centre[:, None]
        stress = (h * away)[..., None] * slope + U / (self.h * total)[:, None, None]
        self.at_journal = (self.h * (1 - centre))[:, None] * self.slope
        self.at_journal += self.U / (self.h * total)[:, None]
        self.heat = (stress**2).sum(2) * fluid * h  # by the unit of y
        self.draw = (self.h * (1 - centre))[:, None] * self.U
        self.drive = -(self.h**3 * ((away**2 * fluid) @ WEIGHTS))[:, None] * self.slope


def held():
    film = replace(bore(Full(), OIL, thermal=Conducting(SUPPLY, journal=None)), pressures={})
    item = Held(film, pressure=smooth)
    at = {what: item.at(item.item.temperatures[what]) for what in FIELDS}
    for what, field in FIELDS.items():
        item.state.q[at[what]] = field(item.places)
        item.state.q_n[at[what]] = before(field)(item.places)
    item.state.globals[6] = 1 / TIME_STEP
    return item, at


def test_rows_and_forces():
    """Stored, carried along and across, conducted, heat: what the rows of bush, journal and mean
    add up to with a smooth weight. What passes across is by parts of the flow drawn, on a closed
    ring without slip along its ends; the rate of the gap drives the rest."""
    item, at = held()
    exact = Exact()
    h, per, s = exact.h, exact.per, weight(exact.x)
    values = {what: field(exact.x) for what, field in FIELDS.items()}
    grads = {what: exact.gradient(field) for what, field in FIELDS.items()}
    of_weight = exact.gradient(weight)
    cross, squeeze = 3 * Y**2 - 2 * Y**3 - Y**2, 3 * Y**2 - 2 * Y**3 - Y
    rows = item.rows
    for shape, slope, place in zip(SHAPES, SLOPES, at.values(), strict=True):
        terms = []
        for other, d_other, (name, value) in zip(SHAPES, SLOPES, values.items(), strict=True):
            change = (value - before(FIELDS[name])(exact.x)) / TIME_STEP
            mass, conducted = WEIGHTS @ (shape * other), WEIGHTS @ (slope * d_other)
            along = (exact.draw * grads[name]).sum(1) * (WEIGHTS @ (shape * other * 2 * Y))
            along += (exact.drive * grads[name]).sum(1) * (
                WEIGHTS @ (shape * other * 6 * Y * (1 - Y))
            )
            by_parts = value[:, None] * of_weight + s[:, None] * grads[name]
            across = -(exact.draw * by_parts).sum(1) * (WEIGHTS @ (shape * d_other * cross))
            across += s * exact.rate * value * (WEIGHTS @ (shape * d_other * squeeze))
            terms += [
                per @ (RHO * HEAT * s * mass * h * change),
                per @ (RHO * HEAT * (s * along + across)),
                per @ (K / h * s * conducted * value),
                per @ (K * h * mass * (of_weight * grads[name]).sum(1)),
            ]
        terms.append(-per @ (s * (exact.heat * shape @ WEIGHTS)))
        found = rows[place] @ weight(item.places) * UNIT
        close(np.array([found]), *(np.array([term]) for term in terms))
    seen = [0, 1, 2, 5]
    shear = exact.total(-exact.at_journal)
    close(item.force[seen], exact.total(exact.pressing)[seen], shear[seen])


def test_loss():
    """Heat of the film: that of all stresses across it."""
    item, _ = held()
    exact = Exact()
    close(np.array([item.channel("heat")]), np.array([exact.per @ (exact.heat @ WEIGHTS)]))

"""Films with a temperature that several files look at: a wedge with its exact solution, and two
pads with grooves between them.

The wedge: rho c Q T' = mu F with F = U^2/h + 12 (h U/2 - Q)^2/h^3 and mu = mu_0 exp(-beta T) is
exp(beta T) = 1 + beta mu_0/(rho c Q) int F dx; p' = 12 mu (h U/2 - Q)/h^3; Q by p(B) = 0."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from fem_clearance.lubrication import (
    Adiabatic,
    Bearing,
    Exponential,
    Film,
    FlatGap,
    Full,
    Lubricant,
    Place,
    Streamers,
    cylinder,
    joined,
    pad,
)

MU, BETA, U, B, H_IN, H_OUT, W = 0.04, 0.035, 20.0, 0.1, 100e-6, 50e-6, 0.01
OIL = Lubricant(
    MU, temperature=Exponential(BETA), reference_temperature=323.0, mass_density=850.0,
    specific_heat=2000.0, conductivity=0.0,
)  # fmt: skip
RC = 1.7e6


def solved(film, place):
    """A bearing and its film."""
    bearing = Bearing(film)
    return bearing, bearing.solve(place)


class Wedge:
    def __init__(self):
        s = (H_IN - H_OUT) / B

        def h(x):
            return H_IN - s * x

        def heated(x, Q):
            def f(z):
                return U**2 * np.log(z) + 12 * (U**2 / 4 * np.log(z) + U * Q / z - Q**2 / 2 / z**2)

            return (f(H_IN) - f(h(x))) / s

        def T(x, Q):
            return np.log1p(BETA * MU / (RC * Q) * heated(x, Q)) / BETA

        def slope(x, Q):
            return 12 * MU * np.exp(-BETA * T(x, Q)) * (h(x) * U / 2 - Q) / h(x) ** 3

        def end(Q):
            return quad(slope, 0, B, args=(Q,), epsabs=1e-3, epsrel=1e-12)[0]

        self.Q = brentq(end, H_OUT * U / 4, H_IN * U / 2 * 0.9, xtol=1e-18, rtol=1e-14)
        self.load = -quad(lambda x: slope(x, self.Q) * x, 0, B, epsrel=1e-12)[0]
        self.T = lambda x: T(x, self.Q)


def wedge(n, cavitation=None, oil=OIL, **more):
    def recess(x):
        return (H_IN - H_OUT) * (1 - x[:, 0] / B)

    thermal = Adiabatic(323.0, **more)
    return Film(
        pad(B, W, (n, 1)), H_OUT, oil, cavitation or Full(), {"x0": 0.0, "x1": 0.0},
        sliding_speed=U, gap=FlatGap(), recess=recess, thermal=thermal,
    )  # fmt: skip


RUN = Place(V=(U, 0.0, 0.0))


R, L, C, SPEED, ARC = 0.2, 0.263, 2e-4, 94.0, np.radians(176)
WARM_OIL = Lubricant(
    0.019, temperature=Exponential(0.03), reference_temperature=323.0, mass_density=855.0,
    specific_heat=1950.0, conductivity=0.15,
)  # fmt: skip
PRESSURES = dict.fromkeys(("z0", "z1", "start0", "end0", "start1", "end1"), 0.0)
GROOVES = {"left": ("end0", "start1"), "right": ("end1", "start0")}


def pads(cells, cavitation=None, oil=WARM_OIL, **more):
    halves = (cylinder(R, L, cells, arc=ARC, start=m - ARC / 2) for m in (np.pi / 2, 1.5 * np.pi))
    thermal = Adiabatic(323.0, **({"grooves": GROOVES} | more))
    return Film(joined(halves), C, oil, cavitation or Streamers(), PRESSURES,
                sliding_speed=R * SPEED, thermal=thermal)  # fmt: skip


LOADED = Place(e=(0.4 * C, -0.42 * C, 0.0), Omega=(0.0, 0.0, SPEED))


def carried_away(bearing, state):
    """Heat that leaves the oil of two pads, W, by the flow and temperature of each node: at the
    ends, and what of the hot oil at the grooves is not carried over."""
    film, thermal = bearing.film, bearing.film.thermal
    flow = bearing._flow(bearing.state.residual())
    rise, rc = state.warm.temperature - thermal.supply, film.lubricant.heat_capacity
    given = film.given()
    ends = np.concatenate([given[n] for n in ("z0", "z1")])
    total = rc * float(flow[ends] @ rise[ends])
    for name, sets in thermal.grooves.items():
        nodes = np.concatenate([given[n] for n in sets])
        out = np.maximum(flow[nodes], 0)
        total += rc * float(out @ rise[nodes])
        total -= rc * float((out - flow[nodes]).sum()) * (state.warm.grooves[name] - thermal.supply)
    return total

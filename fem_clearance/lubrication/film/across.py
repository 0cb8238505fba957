"""Shapes of temperature and flow across a film, and their integrals.

With y = 0 at the bush, 1 at the journal, the temperature is the parabola through both walls'
values whose third number is its mean::

    T = T_b (1 - 4y + 3y^2) + T_j (3y^2 - 2y) + T_m (6y - 6y^2)

The three shapes add up to 1, so that what is tested with each adds up to the heat balance. The
oil that the journal draws along has the profile 2y, that which the pressure drives 6y (1 - y); both
carry one unit of volume. Where what is drawn diverges (and what is driven converges) oil passes
across the film.
"""

import numpy as np
from numpy.polynomial import Polynomial

#: of bush, journal and mean
SHAPES = (Polynomial([1, -4, 3]), Polynomial([0, -2, 3]), Polynomial([0, 6, -6]))
#: profiles of the velocities
DRAWN, DRIVEN = Polynomial([0, 2]), Polynomial([0, 6, -6])
#: places across the film at which the viscosity is asked for, and their weights: Gauss's rule
PLACES, WEIGHTS = (z / 2 for z in np.polynomial.legendre.leggauss(3))
PLACES = PLACES + 0.5


def _integrals(function) -> np.ndarray:
    """Integrals across the film, rows by test functions, columns by shapes."""
    found = [[function(s, T).integ()(1.0) for T in SHAPES] for s in SHAPES]
    return np.array(found)


#: of what the oil holds
MASS = _integrals(lambda s, T: s * T)
#: of what the oil drawn and driven carries along
DRAW, DRIVE = (_integrals(lambda s, T, u=u: s * T * u) for u in (DRAWN, DRIVEN))
#: of what passes across, for a unit of divergence of the flow drawn and not driven
CROSS = _integrals(lambda s, T: s * T.deriv() * (DRIVEN - DRAWN).integ())
#: of what is conducted across
CONDUCTION = _integrals(lambda s, T: s.deriv() * T.deriv())
#: the same for a unit of the rate of the thickness, which what is driven makes up for
SQUEEZE = _integrals(lambda s, T: s * T.deriv() * (DRIVEN.integ() - Polynomial([0, 1])))

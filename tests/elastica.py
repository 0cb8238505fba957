"""The elastica in closed form, for tests of beams and of equilibria."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc


def elastica(load):
    """Tip (back, down) over the length of an inextensible cantilever under a dead force P across
    it, ``load`` = P L^2/E I: Bisshopp and Drucker (1945), in Legendre's integrals."""

    def arguments(angle):
        m = (1 + np.sin(angle)) / 2
        return m, np.arcsin(1 / np.sqrt(2 * m))

    def miss(angle):
        m, phi = arguments(angle)
        return ellipk(m) - ellipkinc(phi, m) - np.sqrt(load)

    angle = brentq(miss, 1e-9, np.pi / 2 - 1e-12)
    m, phi = arguments(angle)
    down = 1 - 2 * (ellipe(m) - ellipeinc(phi, m)) / np.sqrt(load)
    return 1 - np.sqrt(2 * np.sin(angle) / load), down

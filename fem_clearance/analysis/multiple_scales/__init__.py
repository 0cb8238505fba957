"""The sliding pendulum by multiple scales: Ebrahimi et al. (2017), section 3, corrected.

Derivation and errata: docs/multiple_scales.md. With u = -(y - y_rest) and theta both cases are

    u'' + w1^2 u + a1 u^2 + cubic u^3 + a2 u' + a3 u u' + a4 u^2 u'
        = a5 [(theta - theta^3/6) theta'' + theta'^2 (1 - theta^2/2)]           (9), (17)
    theta'' + w2^2 theta = a6 (theta - theta^3/6) u'' + a7 theta^3              (10), (18)

``dry`` and ``lubricated`` give the coefficients, ``Contact`` the motion, ``Resonance`` the response
to a harmonic force on the slider.
"""

from .coefficients import Coefficients, dry, lubricated
from .motion import Contact, Flight
from .resonance import Resonance, dry_flow, lubricated_flow

__all__ = [
    "Coefficients",
    "Contact",
    "Flight",
    "Resonance",
    "dry",
    "dry_flow",
    "lubricated",
    "lubricated_flow",
]

"""Films that fade where flat surfaces meet, so that dry contact can take over.

With the distance d of the surfaces and a least thickness b::

    h = d                      d >= b
    h = b/2 (1 + (d/b)^2)      0 < d < b
    h = b/2                    d <= 0

The pressure acts on the bodies with the factor dh/dd: all of it above b, less and less below, none
of it where the surfaces overlap (there nothing is squeezed). So h is positive whatever the
load, and since h has one derivative in Reynolds' equation and in the forces, what the bodies
lose is still what the film dissipates. It is to flat pads what transition.py is to bearings.
"""

from __future__ import annotations

import ufl

from ...contact.laws.normal import indicator


def faded(distance, least):
    """Thickness of the film for a distance of the surfaces, m (UFL)."""
    part = distance / least
    between = indicator(ufl.And(ufl.gt(part, 0), ufl.lt(part, 1)))
    above = indicator(ufl.ge(part, 1))
    return above * distance + (1 - above) * least / 2 + between * distance**2 / (2 * least)

"""Strains of beams with section directors, and their energy: over a section, or at one fibre.

A point of the beam lies at ``r(s) + y d2(s) + z d3(s)``, s the undeformed arc length.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import ufl
from ufl import dot

from ...core.symbols import total
from ...model.section_triad import length, normal

#: axial strain: Green's, or the stretch less one (Biot's) that geometrically exact beams use
STRAINS = ("green", "biot")

#: exponents of y and z in the moments that do not vanish -> parameter that holds them
MOMENTS = {
    (0, 0): "area", (2, 0): "I_y", (0, 2): "I_z",
    (4, 0): "I_yyyy", (2, 2): "I_yyzz", (0, 4): "I_zzzz",
}  # fmt: skip
#: its square is beyond the range of numbers
LARGE = 1e200
#: factors of the shear strain on the axis and of the rest (torsion), 1 where sections stay plane
FACTORS = ("shear_y", "shear_z", "torsion")


class Line(NamedTuple):
    """Slope dr/ds, directors and their derivatives at one point of a beam, UFL vectors."""

    t: Any
    d2: Any
    d3: Any
    t2: Any
    t3: Any

    def at(self, y, z):
        """Derivatives of the position by s, y and z at the fibre (y, z)."""
        return self.t + y * self.t2 + z * self.t3, self.d2, self.d3


# --- over a section -------------------------------------------------------------------------------
def section_strain(line: Line, strain: str) -> dict[str, dict]:
    """Components of strain, each a polynomial {(p, q): coefficient of y^p z^q}.

    Green's, or those of the geometrically exact beam (Simo and Vu-Quoc 1986): stretch along the
    section's normal less one, shear, curvatures and twist measured with unit directors. Strains of
    the section itself are Green's in both.
    """
    t, d2, d3, t2, t3 = line
    result = {
        "yy": {(0, 0): (dot(d2, d2) - 1) / 2},
        "zz": {(0, 0): (dot(d3, d3) - 1) / 2},
        "yz": {(0, 0): dot(d2, d3) / 2},
    }
    if strain == "green":
        return result | {
            "xx": {
                (0, 0): (dot(t, t) - 1) / 2, (1, 0): dot(t, t2), (0, 1): dot(t, t3),
                (2, 0): dot(t2, t2) / 2, (1, 1): dot(t2, t3), (0, 2): dot(t3, t3) / 2,
            },
            "xy": {(0, 0): dot(t, d2) / 2, (1, 0): dot(t2, d2) / 2, (0, 1): dot(t3, d2) / 2},
            "xz": {(0, 0): dot(t, d3) / 2, (1, 0): dot(t2, d3) / 2, (0, 1): dot(t3, d3) / 2},
        }  # fmt: skip
    n, l2, l3 = normal(d2, d3), length(d2), length(d3)
    return result | {
        "xx": {(0, 0): dot(t, n) - 1, (1, 0): dot(t2, n) / l2, (0, 1): dot(t3, n) / l3},
        "xy": {
            (0, 0): dot(t, d2) / (2 * l2), (1, 0): dot(t2, d2) / 2,
            (0, 1): dot(t3, d2) / (2 * l2 * l3),
        },
        "xz": {
            (0, 0): dot(t, d3) / (2 * l3), (1, 0): dot(t2, d3) / (2 * l2 * l3),
            (0, 1): dot(t3, d3) / 2,
        },
    }  # fmt: skip


def held(line: Line, number):
    """1, and no finite number where the centre line runs against the sections' normal: there an
    element has turned inside out, det F <= 0. Green's strains see a mirrored equilibrium there, and
    Biot's nothing special. ``number``: any positive one of the cell."""
    t, d2, d3, *_ = line
    infinite = LARGE * number * (LARGE * number)  # nor is its derivative by the number a constant
    return ufl.conditional(ufl.gt(dot(t, ufl.cross(d2, d3)), 0), 1.0, infinite)


def integrate(c, a: dict, b: dict, moments=MOMENTS):
    """Integral over the section of the product of two polynomials in y and z."""
    terms = []
    for (i, x), (j, y) in product(a.items(), b.items()):
        name = moments.get((i[0] + j[0], i[1] + j[1]))
        if name:
            terms.append(c.par(name) * x * y)
    return total(terms)


#: moments that weigh shear strains in ``split_law``: the factors are in them
SHEAR_Y = {(0, 0): "shear_area_y", (2, 0): "twist_y", (0, 2): "twist_z"}
SHEAR_Z = SHEAR_Y | {(0, 0): "shear_area_z"}


def full_law(c, strain: dict):
    """lam/2 tr(E)^2 + mu E:E over the section, J/m."""
    trace = dict(strain["xx"])
    trace[0, 0] = trace[0, 0] + strain["yy"][0, 0] + strain["zz"][0, 0]
    squares = {k: integrate(c, e, e) for k, e in strain.items()}
    normals = squares["xx"] + squares["yy"] + squares["zz"]
    shear = squares["xy"] + squares["xz"] + squares["yz"]
    return c.par("lam") / 2 * integrate(c, trace, trace) + c.par("mu") * (normals + 2 * shear)


def split_law(c, strain: dict):
    """E/2 (squares of normal strains) + 2 mu (squares of shear strains) over the section, plus the
    further terms of the full law on the axis, J/m."""
    E, mu = c.par("E"), c.par("mu")
    normals = [integrate(c, strain[k], strain[k]) for k in ("xx", "yy", "zz")]
    shear = integrate(c, strain["xy"], strain["xy"], SHEAR_Y)
    shear += integrate(c, strain["xz"], strain["xz"], SHEAR_Z)
    shear += integrate(c, strain["yz"], strain["yz"])
    axis = [strain[k][0, 0] for k in ("xx", "yy", "zz")]
    return E / 2 * sum(normals) + 2 * mu * shear + c.par("area") * _added(axis, E, mu, c.par("lam"))


def _added(axis, E, mu, lam):
    """Terms of the full law on the axis beyond E/2 (squares of normal strains)."""
    return lam / 2 * sum(axis) ** 2 + (mu - E / 2) * sum(e**2 for e in axis)


# --- at one fibre ---------------------------------------------------------------------------------
def green_strain(f1, f2, f3) -> dict:
    """Components of Green's strain from the columns of a deformation gradient."""
    return {
        "xx": (dot(f1, f1) - 1) / 2, "yy": (dot(f2, f2) - 1) / 2, "zz": (dot(f3, f3) - 1) / 2,
        "xy": dot(f1, f2) / 2, "xz": dot(f1, f3) / 2, "yz": dot(f2, f3) / 2,
    }  # fmt: skip


def fibre_split_law(e: dict, axis: dict, p):
    """``split_law`` per volume at a fibre with strains ``e``, ``axis`` those on the beam's axis.

    For sections whose centroid lies on the axis: products of the shear strain on the axis with that
    off the axis integrate to zero there and are left out.
    """
    shear = p.shear_y * axis["xy"] ** 2 + p.shear_z * axis["xz"] ** 2 + e["yz"] ** 2
    shear += p.torsion * ((e["xy"] - axis["xy"]) ** 2 + (e["xz"] - axis["xz"]) ** 2)
    normals = e["xx"] ** 2 + e["yy"] ** 2 + e["zz"] ** 2
    added = _added([axis[k] for k in ("xx", "yy", "zz")], p.E, p.mu, p.lam)
    return p.E / 2 * normals + 2 * p.mu * shear + added

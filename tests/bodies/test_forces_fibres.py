"""Damping of beams of any material, by fibres: the retardation time times the derivative by the
rates of the material's quadratic form at rest, of the rates of Green's strain, over the volume."""

import numpy as np
import pytest

import fem_clearance as fc

from .elements import (
    LENGTH,
    SHEAR,
    STEEL,
    TORSION,
    B,
    E,
    Element,
    H,
    biot_tensor,
    dot,
    gauss,
    size_of,
    split,
    whole,
)

LINE = [(0, 0, 0), (0.2, 0.03, 0.01), (0.4, 0.02, 0), (0.6, -0.05, -0.02)]


@pytest.mark.parametrize("law", ["neo-hookean", "biot"])
def test_damping_of_a_beam_curved_at_rest(law):
    material = STEEL if law == "biot" else fc.NeoHookean(E=E, nu=0.3, rho=900.0)
    options = {"shear": SHEAR, "torsion_constant": TORSION} if law == "biot" else {}
    element = Element(
        fc.Beam.along(fc.Spline(LINE), fc.Rectangle(B, H), material, 1, name="b", free=True,
                      damping=0.02, **options)
    )  # fmt: skip
    x, w = gauss(2)
    rest, h = element.lines(element.rest, x), 1e-5
    points, weights = fc.Rectangle(B, H).quadrature(4)

    def columns(at, y, z):
        return np.stack([at["t"] + y * at["t2"] + z * at["t3"], at["d2"], at["d3"]], axis=-1)

    def dissipation(v):
        ends = [element.lines(element.q + k * h * v, x) for k in (1, -1)]
        n0 = np.cross(rest["d2"], rest["d3"])
        n0 = n0 / size_of(n0)[:, None]
        total = 0.0
        for (y, z), area in zip(points, weights, strict=True):
            F0 = columns(rest, y, z)
            if law == "biot":

                def rate(_, y, z):
                    e = (biot_tensor(ends[0], y, z) - biot_tensor(ends[1], y, z)) / (2 * h)
                    along = dot(columns(rest, y, z)[:, :, 0], n0)
                    e[:, 0, :] /= along[:, None]
                    e[:, 1:, 0] /= along[:, None]
                    return e

                density = split(rate, None, y, z, SHEAR, 0.6)
            else:
                G = [columns(at, y, z) @ np.linalg.inv(F0) for at in ends]
                C = [np.swapaxes(g, 1, 2) @ g for g in G]
                density = whole((C[0] - C[1]) / (4 * h))
            total += area * LENGTH * 0.02 * w @ (np.linalg.det(F0) * density)
        return total

    element.check_damping(dissipation)

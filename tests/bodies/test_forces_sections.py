"""Section forces and stresses of beams: derivatives of the energy per length, written in NumPy, at
the Gauss points of an element, and the straight line through them."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.beams.forces import SectionForces, place_kind, place_rows
from fem_clearance.core.component import Cell

from .elements import (
    LAM,
    LAWS,
    LENGTH,
    MU,
    SHEAR,
    STEEL,
    B,
    E,
    Element,
    H,
    across_section,
    gauss,
    slopes,
    split,
    whole,
)  # fmt: skip

S = 0.37 * LENGTH


class Loaded(Element):
    """An element with ``SectionForces`` at S, and stresses at a fibre; disturbed."""

    def __init__(self, beam, fibre=None):
        cuts = [SectionForces(beam, S, name="cut")]
        cuts += [] if fibre is None else [Stress(beam, fibre)]
        super().__init__(beam, *cuts, gravity=(0, 0, 0))
        self.state.v[self.at] = 0.0
        self.system.channels.read()

    def found(self, names, prefix="cut"):
        return np.array([self.system.channels[f"{prefix}.{n}"] for n in names])


class Stress:
    """An item that records the stress at the first Gauss point of a beam's element."""

    prefix = "stress"

    def __init__(self, beam, fibre):
        self.beam, self.fibre, self.name, self.i = beam, np.atleast_2d(fibre), "stress", beam.start

    def build(self, builder):
        kind = place_kind(self.beam, stress=True)
        rows = place_rows(self.beam, kind, 0, gauss(2)[0][0], 1.0, self.fibre)
        builder.add_cell(kind, Cell("stress", self.beam.element_refs(0), rows, count=len(rows)))


def line_through(values, points):
    """At S of the best straight line through values at Gauss points."""
    x, w = gauss(points)
    mean = w @ values
    slope = w @ ((x - 0.5)[:, None] * values) / (w @ (x - 0.5) ** 2)
    return mean + (S / LENGTH - 0.5) * slope


NAMES = ("N", "Q_y", "Q_z", "M_t", "M_y", "M_z")


@pytest.mark.parametrize(("law", "curved"), [("biot", False), ("full", False), ("full", True)])
def test_section_forces(law, curved):
    """Force dW/dr', moment d2 x dW/dd2' + d3 x dW/dd3', along the section's triad. (A curved beam:
    one that is stretched at rest, so that its measure counts.)"""
    options, tensor, is_split = LAWS[law]
    beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, H), STEEL, 1, name="b", free=True,
                   **options)  # fmt: skip
    if curved:
        points = [(0, 0, 0), (0.2, 0.03, 0.01), (0.4, 0.02, 0), (0.6, -0.05, -0.02)]
        beam = fc.Beam.along(fc.Spline(points), fc.Rectangle(B, H), STEEL, 1, name="b", free=True,
                             **options)  # fmt: skip
    element = Loaded(beam)
    x, _ = gauss(2)
    at, rest = element.lines(element.q, x), element.lines(element.rest, x)
    results = []
    for k in range(2):
        here, there = ({n: z[k : k + 1] for n, z in y.items()} for y in (at, rest))

        def energy(z, here=here, there=there):
            moved = here | {n: z[m : m + 1] for m, n in enumerate(("t", "t2", "t3"))}
            total = 0.0
            for y, zz, area in zip(*across_section(), strict=True):
                if is_split:
                    total += area * split(tensor, moved, y, zz, SHEAR, 0.6)[0]
                    continue
                F, F0 = (
                    np.stack([p["t"] + y * p["t2"] + zz * p["t3"], p["d2"], p["d3"]], axis=-1)
                    for p in (moved, there)
                )
                G = F @ np.linalg.inv(F0)
                strain = (np.swapaxes(G, 1, 2) @ G - np.eye(3)) / 2
                total += area * np.linalg.det(F0)[0] * whole(strain)[0]
            return total

        # by the parameter of the cell's geometry: on a curved line, per length of that
        force, m2, m3 = slopes(energy, np.stack([here[n][0] for n in ("t", "t2", "t3")]), 1e-5)
        d2, d3 = here["d2"][0], here["d3"][0]
        moment = np.cross(d2, m2) + np.cross(d3, m3)
        e1 = np.cross(d2, d3)
        e1, e2 = e1 / np.linalg.norm(e1), d2 / np.linalg.norm(d2)
        triad = np.stack([e1, e2, np.cross(e1, e2)])
        results.append(np.r_[triad @ force, triad @ moment])
    wanted = results[0] + (S / beam.length - x[0]) / (x[1] - x[0]) * (results[1] - results[0])
    found = element.found(NAMES)
    size = np.repeat([np.abs(found[:3]).max(), np.abs(found[3:]).max()], 3)
    np.testing.assert_allclose(found / size, wanted / size, atol=1e-5)


@pytest.mark.parametrize("law", LAWS)
def test_stress_at_a_fibre(law):
    """Cauchy's stress F S F' / J in the section's axes (of Biot's strains, that of the undeformed
    area): each component the derivative of the energy by its strain."""
    options, tensor, is_split = LAWS[law]
    y, z = 0.3 * B, -0.2 * H
    beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, H), STEEL, 1, name="b", free=True,
                   **options)  # fmt: skip
    element = Loaded(beam, (y, z))
    at = element.lines(element.q, gauss(2)[0][:1])
    e, axis = tensor(at, y, z)[0], tensor(at, 0, 0)[0]
    if not is_split:
        stress = LAM * np.trace(e) * np.eye(3) + 2 * MU * e
    else:
        poisson = np.diag(LAM * np.trace(axis) + (2 * MU - E) * np.diag(axis))
        stress = E * np.diag(np.diag(e)) + poisson
        for k, factor in ((1, SHEAR[0]), (2, SHEAR[1])):
            both = 2 * MU * (factor * axis[0, k] + 0.6 * (e - axis)[0, k])
            stress[0, k] = stress[k, 0] = both
        stress[1, 2] = stress[2, 1] = 2 * MU * e[1, 2]
    if law != "biot":
        F = np.stack([at["t"] + y * at["t2"] + z * at["t3"], at["d2"], at["d3"]], axis=-1)[0]
        e1 = np.cross(F[:, 1], F[:, 2])
        e1, e2 = e1 / np.linalg.norm(e1), F[:, 1] / np.linalg.norm(F[:, 1])
        local = np.stack([e1, e2, np.cross(e1, e2)]) @ F
        stress = local @ stress @ local.T / np.linalg.det(F)
    names = ("xx", "yy", "zz", "xy", "xz", "yz")
    wanted = [stress["xyz".index(n[0]), "xyz".index(n[1])] for n in names]
    found = element.found(names, "stress")
    np.testing.assert_allclose(found, wanted, atol=1e-9 * np.abs(wanted).max())


def test_section_forces_of_a_cable():
    """EA strain along the tangent, EI times the curvature; the shear follows from the balance of
    moments, Q = dW/dr' - d(dW/dr'')/ds, axes turned with the tangent the shortest way."""
    beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, B), STEEL, 1, model="cable", name="b",
                   free=True)  # fmt: skip
    element = Loaded(beam, (0.3 * B, -0.2 * B))
    EA, EI = E * B * B, E * B**4 / 12

    def energy(z):
        t, n = z
        turn = np.linalg.norm(np.cross(t, n)) / (t @ t)
        return EA / 2 * (np.linalg.norm(t) - 1) ** 2 + EI / 2 * turn**2

    def state(x):
        at = element.lines(element.q, [x])
        return np.stack([at["t"][0], at["n"][0]])

    x, _ = gauss(4)
    results, h = [], 1e-4
    for place in x:
        force, _ = slopes(energy, state(place), 1e-5)
        ahead, behind = (slopes(energy, state(place + k * h), 1e-5)[1] for k in (1, -1))
        force = force - (ahead - behind) / (2 * h * LENGTH)
        t, n = state(place)
        tangent = t / np.linalg.norm(t)
        moment = EI * np.cross(t, n) / (t @ t)
        triad = turned_axes(tangent)
        results.append(np.r_[triad @ force, triad @ moment])
    wanted = line_through(np.array(results), 4)
    found = element.found(NAMES)
    size = np.repeat([np.abs(found[:3]).max(), np.abs(found[3:]).max()], 3)
    np.testing.assert_allclose(found / size, wanted / size, atol=1e-4)
    t, n = state(gauss(2)[0][0])
    tangent = t / np.linalg.norm(t)
    arm = (0.3 * B, -0.2 * B) @ turned_axes(tangent)[1:]
    strain = np.linalg.norm(t) - 1 - arm @ np.cross(np.cross(t, n) / (t @ t), tangent)
    assert element.found(["xx"], "stress")[0] == pytest.approx(E * strain)


def turned_axes(tangent):
    """Axes of space turned with x onto the tangent the shortest way."""
    x = np.array([1.0, 0, 0])
    v, c = np.cross(x, tangent), x @ tangent
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return (np.eye(3) + K + K @ K / (1 + c)).T

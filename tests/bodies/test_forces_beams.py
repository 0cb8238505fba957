"""Beams: rows of the residual against differences of energies written in NumPy."""

import numpy as np
import pytest

import fem_clearance as fc

from .elements import (
    GRAVITY,
    LAM,
    LAWS,
    LENGTH,
    LOAD,
    MU,
    RHO,
    SHEAR,
    STEEL,
    TORSION,
    B,
    E,
    Element,
    H,
    across_section,
    biot_tensor,
    dot,
    energy_of,
    gauss,
    kinetic,
    potential,
    size_of,
    slopes,
    split,
    whole,
)  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("model", "points"), [("quadratic", 2), ("ancf", 4)])
def test_beam_with_directors(model, points, law):
    """Elastic forces, inertia, weight and load; energies and their rates."""
    options, tensor, is_split = LAWS[law]
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, H), STEEL, 1, model=model, load=LOAD,
                name="b", free=True, damping=0.0, **options)
    )  # fmt: skip
    elastic = slopes(lambda q: energy_of(element, q, points, tensor, is_split), element.q)
    weight = slopes(lambda q: potential(element, q), element.q)
    size = np.abs(elastic).max()
    assert np.abs(weight).max() > 1e-4 * size
    np.testing.assert_allclose(element.rows, elastic + weight, atol=2e-7 * size)
    still = element.rows.copy()
    element.state.a[element.at] = element.a
    inertia = slopes(lambda a: kinetic(element, a), element.a)
    np.testing.assert_allclose(element.rows - still, inertia, atol=2e-7 * np.abs(inertia).max())
    element.system.channels.read()
    see = element.system.channels
    assert see["b.strain_energy"] == pytest.approx(
        energy_of(element, element.q, points, tensor, is_split)
    )
    assert see["energy.kinetic"] == pytest.approx(kinetic(element, element.v))
    assert see["energy.potential"] == pytest.approx(potential(element, element.q))


@pytest.mark.parametrize("law", LAWS)
def test_damping_of_a_beam_with_directors(law):
    """Retardation time x derivative by the rates of the law's form of the rates of strain."""
    options, tensor, is_split = LAWS[law]
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, H), STEEL, 1, name="b", free=True,
                damping=0.02, **options)
    )  # fmt: skip
    h = 1e-5

    def dissipation(v):
        x, w = gauss(2)
        ends = [element.lines(element.q + k * h * v, x) for k in (1, -1)]
        total = 0.0
        for y, z, area in zip(*across_section(), strict=True):

            def rate(at, y, z):
                return (tensor(ends[0], y, z) - tensor(ends[1], y, z)) / (2 * h)

            one = split(rate, None, y, z, SHEAR, 0.6) if is_split else whole(rate(None, y, z))
            total += area * LENGTH * 0.02 * w @ one
        return total

    element.check_damping(dissipation)


def cable_energy(element, q):
    """Stretch (4 Gauss points) and turn per reference length (2)."""
    total = 0.0
    for points, stiffness, bends in ((4, E * B * B, False), (2, E * B**4 / 12, True)):
        x, w = gauss(points)
        at = element.lines(q, x)
        strain = size_of(at["t"]) - 1
        if bends:
            strain = size_of(np.cross(at["t"], at["n"])) / dot(at["t"], at["t"])
        total += LENGTH * stiffness / 2 * w @ strain**2
    return total


def test_cable():
    """EA (abs(r') - 1)^2 / 2 + EI (abs(r' x r'') / abs(r')^2)^2 / 2; inertia, loads, damping."""
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, B), STEEL, 1, model="cable", load=LOAD,
                name="b", free=True, damping=0.02)
    )  # fmt: skip
    element.state.v[element.at] = 0.0
    elastic = slopes(lambda q: cable_energy(element, q), element.q)
    weight = slopes(lambda q: potential(element, q, B * B), element.q)
    size = np.abs(elastic).max()
    still = element.rows.copy()
    np.testing.assert_allclose(still, elastic + weight, atol=2e-7 * size)
    element.state.a[element.at] = element.a

    def moving(v):
        x, w = gauss(5)
        speed = element.lines(v, x)["r"]
        return RHO * B * B * LENGTH / 2 * w @ dot(speed, speed)

    inertia = slopes(moving, element.a)
    np.testing.assert_allclose(element.rows - still, inertia, atol=2e-7 * np.abs(inertia).max())
    element.state.a[element.at] = 0.0
    element.state.v[element.at] = element.v
    h = 1e-5

    def dissipation(v):
        total = 0.0
        for points, stiffness, bends in ((4, E * B * B, False), (2, E * B**4 / 12, True)):
            x, w = gauss(points)
            now, *ends = (element.lines(element.q + k * h * v, x) for k in (0, 1, -1))
            if not bends:
                rate = (size_of(ends[0]["t"]) - size_of(ends[1]["t"])) / (2 * h)
                total += LENGTH * 0.02 * stiffness / 2 * w @ rate**2
                continue
            bend = [np.cross(z["t"], z["n"]) / dot(z["t"], z["t"])[:, None]
                    for z in (now, *ends)]  # fmt: skip
            spin = np.cross(now["t"], (ends[0]["t"] - ends[1]["t"]) / (2 * h))
            spin = spin / dot(now["t"], now["t"])[:, None]
            # seen from axes that turn with the tangent, without spin about it
            rate = (bend[1] - bend[2]) / (2 * h) - np.cross(spin, bend[0])
            total += LENGTH * 0.02 * stiffness / 2 * w @ dot(rate, rate)
        return total

    wanted = slopes(dissipation, element.v, 1e-3)
    np.testing.assert_allclose(element.rows - still, wanted, atol=1e-6 * np.abs(wanted).max())
    element.system.channels.read()
    see = element.system.channels
    assert see["b.strain_energy"] == pytest.approx(cable_energy(element, element.q))
    assert see["b.damping_power"] == pytest.approx(2 * dissipation(element.v), rel=1e-6)


def test_curved_cable():
    """Strains are differences to the arc's: stretch over the stretch at rest, curvature vectors by
    the length at rest."""
    line = fc.Spline([(0, 0, 0), (0.2, 0.03, 0), (0.4, 0.02, 0), (0.6, -0.05, 0)])
    element = Element(
        fc.Beam.along(line, fc.Rectangle(B, B), STEEL, 1, model="cable", name="b", free=True)
    )
    length = element.beam.length

    def energy(q):
        total = 0.0
        for points, stiffness, bends in ((4, E * B * B, False), (2, E * B**4 / 12, True)):
            x, w = gauss(points)
            now, rest = element.lines(q, x), element.lines(element.rest, x)
            measure = size_of(rest["t"])
            strain = size_of(now["t"]) / measure - 1
            square = strain**2
            if bends:
                bend = [np.cross(z["t"], z["n"]) / dot(z["t"], z["t"])[:, None]
                        for z in (now, rest)]  # fmt: skip
                change = (bend[0] - bend[1]) / measure[:, None]
                square = dot(change, change)
            total += LENGTH * stiffness / 2 * w @ (measure * square)
        return total

    assert abs(length - LENGTH) > 1e-3
    weight = element.rows.copy()
    element.state.globals[3:6] = 0.0
    elastic = slopes(energy, element.q)
    np.testing.assert_allclose(element.rows, elastic, atol=2e-7 * np.abs(elastic).max())

    def potential(q):
        x, w = gauss(5)
        measure = size_of(element.lines(element.rest, x)["t"])
        return -LENGTH * RHO * B * B * w @ (measure * (element.lines(q, x)["r"] @ GRAVITY))

    heavy = slopes(potential, element.q)
    np.testing.assert_allclose(weight - element.rows, heavy, atol=1e-5 * np.abs(heavy).max())


@pytest.mark.parametrize("law", ["biot", "green", "neo-hookean"])
def test_beam_curved_at_rest(law):
    """By fibres: of a law in space, that of F = (derivatives now) (derivatives at rest)^-1 over the
    volume at rest; of the split law, strains are differences to those at rest by its length."""
    material = fc.NeoHookean(E=E, nu=0.3, rho=RHO) if law == "neo-hookean" else STEEL
    options = {"green": {"poisson": "full"}}.get(law, {})
    if law == "biot":
        options = {"shear": SHEAR, "torsion_constant": TORSION}
    line = fc.Spline([(0, 0, 0), (0.2, 0.03, 0.01), (0.4, 0.02, 0), (0.6, -0.05, -0.02)])
    element = Element(
        fc.Beam.along(line, fc.Rectangle(B, H), material, 1, name="b", free=True, **options)
    )
    x, w = gauss(2)
    rest = element.lines(element.rest, x)
    points, weights = fc.Rectangle(B, H).quadrature(4)

    def energy(q):
        now, total = element.lines(q, x), 0.0
        for (y, z), area in zip(points, weights, strict=True):
            F, F0 = (
                np.stack([at["t"] + y * at["t2"] + z * at["t3"], at["d2"], at["d3"]], axis=-1)
                for at in (now, rest)
            )
            volume = np.linalg.det(F0)
            if law == "biot":
                n0 = np.cross(rest["d2"], rest["d3"])
                n0 = n0 / size_of(n0)[:, None]
                g = dot(F0[:, :, 0], n0)

                def change(at, y, z, g=g, n0=n0):
                    e = biot_tensor(now, y, z) - biot_tensor(rest, y, z)
                    along = g if (y, z) != (0, 0) else dot(rest["t"], n0)
                    e[:, 0, :] /= along[:, None]
                    e[:, 1:, 0] /= along[:, None]
                    return e

                density = split(change, None, y, z, SHEAR, 0.6)
            else:
                G = F @ np.linalg.inv(F0)
                C = np.swapaxes(G, 1, 2) @ G
                J = np.linalg.det(G)
                density = whole((C - np.eye(3)) / 2)
                if law == "neo-hookean":
                    density = MU / 2 * (np.trace(C, axis1=1, axis2=2) - 3) - MU * np.log(J)
                    density = density + LAM / 2 * np.log(J) ** 2
            total += area * LENGTH * w @ (volume * density)
        return total

    element.state.globals[3:6] = 0.0
    elastic = slopes(energy, element.q)
    np.testing.assert_allclose(element.rows, elastic, atol=3e-7 * np.abs(elastic).max())
    element.system.channels.read()
    assert element.system.channels["b.strain_energy"] == pytest.approx(energy(element.q))
    # weight and inertia: places of the fibres
    element.state.globals[3:6] = GRAVITY
    element.state.a[element.at] = element.a
    fine, wf = gauss(4)
    at_rest = element.lines(element.rest, fine)

    def work(a, q):
        total = 0.0
        for (y, z), area in zip(points, weights, strict=True):
            F0 = np.stack([at_rest["t"] + y * at_rest["t2"] + z * at_rest["t3"], at_rest["d2"],
                           at_rest["d3"]], axis=-1)  # fmt: skip
            mass = RHO * area * LENGTH * wf * np.linalg.det(F0)
            at = [element.lines(z, fine) for z in (a, q)]
            speed, place = (k["r"] + y * k["d2"] + z * k["d3"] for k in at)
            total += mass @ (dot(speed, speed) / 2)
            total -= mass @ (place @ GRAVITY)
        return total

    whole_rows = slopes(lambda a: work(a, element.q), element.a)
    whole_rows += slopes(lambda q: work(element.a, q), element.q)
    size = np.abs(whole_rows).max()
    np.testing.assert_allclose(element.rows - elastic, whole_rows, atol=1e-4 * size)

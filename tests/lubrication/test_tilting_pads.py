"""Bearings with tilting pads: equilibrium, pivots, coefficients of the journal."""

import numpy as np
import pytest
import ufl
from scipy.integrate import quad

import fem_clearance as fc
from fem_clearance.lubrication import (
    Constantinescu,
    FlexurePivot,
    Full,
    LinePivot,
    Lubricant,
    Pivot,
    PointPivot,
    TiltingPad,
    TiltingPadBearing,
)

DEGREE = np.pi / 180

#: petrobras/ross at 631a249, ross/tests/data/fluid_film/tilt_5pad_isoviscous.json: five pads of 60
#: degrees, load on the pad at 270 degrees; by that project's own solver on 20 x 10 cells, good to
#: about 1 %, its stiffness taken before the last iterate. SI units.
FIVE = {
    "journal_radius": 0.1999996, "assembled": 1.94564e-4, "length": 0.263144, "preload": 0.3,
    "thickness": 0.149614636, "speed": 94.24777960769379, "load": 112814.90696191376,
    "viscosity": 0.01900527,
}  # fmt: skip
FOUND = {
    "eccentricity": 0.6180221076013335, "power_loss": 12395.590763128834,
    "tilts": (-1.2702639654883882e-4, 2.0682875877799445e-4, 5.268749336639169e-4),
    "h_min": (1.38650680816852e-4, 6.188546105419127e-5, 1.3849949175883682e-4),
    "K": (322066640.6874411, 2571076993.8805776), "C": (5415171.466894722, 19394951.76514255),
}  # fmt: skip


def test_five_pads():
    """Measured, on 20 x 10 cells: eccentricity 0.2 %, loss 0.7 %, tilts 0.4 %, thickness 0.4 %,
    damping 0.6 %, stiffness 3.2 %; on 40 x 20 cells: 0.02, 0.5, 0.3, 0.1, 0.4, 3.4 %."""
    clearance = FIVE["assembled"] / (1 - FIVE["preload"])
    pads = TiltingPad(
        54 * DEGREE, 60 * DEGREE, thickness=FIVE["thickness"], preload=FIVE["preload"]
    ).evenly(5)
    bearing = TiltingPadBearing(
        FIVE["journal_radius"] + clearance, FIVE["length"], clearance, FIVE["viscosity"], pads,
        sliding_speed=FIVE["speed"] * FIVE["journal_radius"], cells=(20, 10),
    )  # fmt: skip
    state = bearing.equilibrium((0, -FIVE["load"]), FIVE["speed"])
    e = state.e / FIVE["assembled"]
    assert e[0] == pytest.approx(0, abs=1e-6)
    assert -e[1] == pytest.approx(FOUND["eccentricity"], abs=5e-3)
    assert state.power_loss == pytest.approx(FOUND["power_loss"], rel=0.01)
    assert state.loaded.tolist() == [False, False, True, True, True]
    assert state.tilts[2:] == pytest.approx(FOUND["tilts"], rel=0.01)
    assert [film.thickness.min() for film in state.films[2:]] == pytest.approx(
        FOUND["h_min"], rel=0.01
    )
    np.testing.assert_allclose(state.force, (0, FIVE["load"]), atol=1e-6 * FIVE["load"])
    K, C = state.coefficients()
    assert np.diag(K) == pytest.approx(FOUND["K"], rel=0.04)
    assert np.diag(C) == pytest.approx(FOUND["C"], rel=0.01)
    assert abs(K[0, 1]) < 1e-6 * K[0, 0] and abs(C[0, 1]) < 1e-6 * C[0, 0]


# --- another bearing, whose full films have exact derivatives on a mesh -------------------------
R, C, MU, SPEED, LOAD = 0.05, 1e-4, 0.03, 300.0, np.array([375.0, -1000.0])
PIVOTS = {
    "rigid": Pivot(),
    "point": PointPivot(0.02, 0.021, 1.1e11),
    "line": LinePivot(0.02, 0.03, 0.05, 2e11),
    "flexure": FlexurePivot(2e4, 4e8),
}


def bearing(pivot, turns=1, **more):
    """Three pads, not symmetric about the load."""
    pads = [
        TiltingPad(turns * a, 1.6, 0.012, m, 0.5 + turns * (s - 0.5), pivot, mass=1.2, inertia=3e-3)
        for a, m, s in ((-2.0, 0.3, 0.5), (-0.3, 0.3, 0.55), (1.6, 0.35, 0.6))
    ]
    return TiltingPadBearing(R, 0.04, C, MU, pads, sliding_speed=R * SPEED, cells=(16, 4), **more)


@pytest.fixture(scope="module", params=PIVOTS)
def solved(request):
    pads = bearing(PIVOTS[request.param], cavitation=Full())
    return request.param, pads, pads.equilibrium(LOAD, SPEED, tolerance=1e-11)


def test_balance_of_pads(solved):
    """Journal and pads, from the films' forces: those on a journal displaced by tilt and deflection
    of the pad about its pivot, in space."""
    name, pads, state = solved
    force = np.zeros(2)
    for k, pad in enumerate(pads.pads):
        u = np.array([np.cos(pad.angle), np.sin(pad.angle)])
        q = np.array([-u[1], u[0]])
        pivot = (R + pad.thickness) * u
        centre = -pad.preload * C * u  # of curvature, turned about the pivot and displaced
        turned = pivot + (centre - pivot) + state.tilts[k] * np.array(
            [-(centre - pivot)[1], (centre - pivot)[0]]
        )  # fmt: skip
        relative = state.e - turned - state.deflections[k] * u
        film = state.films[k]
        np.testing.assert_allclose(film.place.e[:2], (relative @ u, relative @ q), atol=1e-9 * C)
        f = film.force[0] * u + film.force[1] * q
        force += f
        arm = R + pad.thickness + pad.preload * C
        moment = arm * (f @ q)  # of -f at the centre of curvature, about the pivot
        resists = 2e4 * state.tilts[k] if name == "flexure" else 0.0
        assert moment == pytest.approx(resists, abs=1e-8 * R * np.hypot(*LOAD))
        load, y = -f @ u, state.deflections[k]
        if name == "rigid":
            assert y == 0
        elif name == "flexure":
            assert load == pytest.approx(4e8 * y, abs=1e-7 * np.hypot(*LOAD))
        elif name == "point":  # Hertz (Johnson, Contact Mechanics, 4.23)
            radius = 1 / (1 / 0.02 - 1 / 0.021)
            wanted = (9 * load**2 / (16 * radius * 1.1e11**2)) ** (1 / 3)
            assert y == pytest.approx(wanted, rel=1e-5)
    np.testing.assert_allclose(force, -LOAD, atol=1e-8 * np.hypot(*LOAD))


def test_static_stiffness(solved):
    """With pads in equilibrium: the derivative of the load by the place, by central differences."""
    _, pads, state = solved
    step = 1e-4 * np.hypot(*LOAD)
    compliance = np.zeros((2, 2))
    for k, d in enumerate(np.eye(2) * step):
        there, back = (
            pads.equilibrium(LOAD + s * d, SPEED, start=state.e, tolerance=1e-11).e for s in (1, -1)
        )
        compliance[:, k] = (there - back) / (2 * step)
    K = state.coefficients(0.0).stiffness
    np.testing.assert_allclose(K @ compliance, np.eye(2), atol=1e-4)


def test_coefficients_at_a_frequency(solved):
    """Pad by pad: two springs in series at a frequency, the film and what the pad rests on (Lund
    1964). At a low frequency they are those of slow motion."""
    name, pads, state = solved
    for w in (200.0, 900.0):
        Z = np.zeros((2, 2), complex)
        for k, pad in enumerate(pads.pads):
            film = state.films[k]
            Q = np.array(
                [[np.cos(pad.angle), np.sin(pad.angle)], [-np.sin(pad.angle), np.cos(pad.angle)]]
            )
            z = film.stiffness[:2, :2] + 1j * w * film.damping[:2, :2]
            arm = R + pad.thickness + pad.preload * C
            resists = 2e4 if name == "flexure" else 0.0
            rest = {1: (resists - w**2 * 3e-3) / arm**2}
            if name != "rigid":
                y, h = state.deflections[k], 1e-4 * abs(state.deflections[k])
                slope = (pad.pivot.loaded(y + h)[0] - pad.pivot.loaded(y - h)[0]) / (2 * h)
                rest[0] = slope - w**2 * 1.2
            for axis in sorted(rest):  # one motion of the pad after the other
                z = z - np.outer(z[:, axis], z[axis]) / (z[axis, axis] + rest[axis])
            Z += Q.T @ z @ Q
        K, D = state.coefficients(w)
        np.testing.assert_allclose(K + 1j * w * D, Z, rtol=1e-4, atol=1e-5 * np.abs(Z).max())
    slow, low = state.coefficients(0.0), state.coefficients(1e-2)
    for a, b in zip(slow, low, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6 * np.abs(a).max())


def test_unloaded_pads_and_heavy_loads():
    """A ball on its seat carries no tension: under a heavy load away from it the third pad is
    unloaded, and what is left is the equilibrium of the other two."""
    load = 4 * LOAD
    state = bearing(PIVOTS["point"]).equilibrium(load, SPEED)
    assert state.loaded.tolist() == [True, True, False]
    np.testing.assert_allclose(state.force, -load, atol=1e-6 * np.hypot(*load))
    assert state.deflections[2] <= 0 and (state.deflections[:2] > 0).all()
    pads = bearing(PIVOTS["point"]).pads[:2]
    two = TiltingPadBearing(R, 0.04, C, MU, pads, sliding_speed=R * SPEED, cells=(16, 4))
    two = two.equilibrium(load, SPEED)
    np.testing.assert_allclose(two.e, state.e, atol=1e-6 * C)
    for w in (0.0, SPEED):
        for a, b in zip(state.coefficients(w), two.coefficients(w), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6 * np.abs(a).max())


def test_mirrored():
    """A mirrored bearing that turns the other way has a mirrored position."""
    one = bearing(Pivot()).equilibrium(LOAD, SPEED)
    other = bearing(Pivot(), -1).equilibrium(LOAD * (1, -1), -SPEED)
    np.testing.assert_allclose(other.e, one.e * (1, -1), atol=1e-6 * C)
    np.testing.assert_allclose(other.tilts, -one.tilts, rtol=1e-5)


def test_line_pivot():
    """The stiffness that Kirk and Reedy (1988) print for their deflection: pi E L / (2 (1 - nu^2)
    (-1/3 + ln(4 E L (D_seat - D) / (2.15^2 load))))."""
    R1, R2, L, E, nu, load = 0.02, 0.03, 0.05, 2e11, 0.3, 3e4
    pivot = LinePivot(R1, R2, L, E, nu)
    y = pivot.deflection(ufl.as_ufl(load))(())
    found = pivot.loaded(y)
    inside = 4 * E * L * 2 * (R2 - R1) / (2.15**2 * load)
    assert found[0] == pytest.approx(load)
    assert found[1] == pytest.approx(
        np.pi * E * L / (2 * (1 - nu**2) * (-1 / 3 + np.log(inside))), rel=1e-9
    )
    assert pivot.loaded(-1e-6) == (0.0, 0.0)


def test_inputs():
    for wrong, message in (
        (lambda: TiltingPad(0.0, 4.0, 0.01), "arc"),
        (lambda: TiltingPad(0.0, 1.0, 0.0), "thickness"),
        (lambda: TiltingPad(0.0, 1.0, 0.01, pivot=3), "must be a Pivot"),
        (lambda: PointPivot(0.02, 0.02, 1e11), "seat must be larger"),
        (lambda: LinePivot(0.02, np.inf, 0.05, 1e11), "seat must be finite"),
        (lambda: FlexurePivot(0.0), "rotation"),
        (lambda: TiltingPadBearing(R, R, C, MU, ()), "at least one TiltingPad"),
        (lambda: LinePivot(0.02, 0.021, 1e-3, 1e6).loaded(1.0), "law of its pivot ends"),
    ):
        with pytest.raises(fc.InputError, match=message):
            wrong()
    pads = bearing(Pivot())
    with pytest.raises(fc.InputError, match="must not be zero"):
        pads.equilibrium((0, 0), SPEED)


def pressure_of_long_pad(e, at, arc, U, mu, rho):
    """At angles, Pa, by SciPy's quadrature."""

    def h(a):
        return C - e[0] * np.cos(a) - e[1] * np.sin(a)

    def k(a):
        return 12 + 0.0136 * (rho * U * h(a) / mu) ** 0.9

    half = arc / 2
    parts = [quad(lambda a, n=n: k(a) * h(a) ** n, -half, half)[0] for n in (-2, -3)]
    q = U / 2 * parts[0] / parts[1]

    def slope(a):
        return R * k(a) * mu * (U / 2 * h(a) - q) / h(a) ** 3

    return np.array([quad(slope, -half, a, epsabs=1.0)[0] for a in at])


def test_turbulent_pads_by_quadrature():
    """Long pads: in the middle h U / 2 - h^3 p' / (k mu) is the same all along a pad, k by the
    local Reynolds number (1000 to 4000 here); the bearing is in equilibrium, and all but calm with
    hardly any density."""
    arc, U, mu, rho = 1.0, 60.0, 2e-3, 870.0
    pads = TiltingPad(np.pi / 4, arc, 0.012, 0.3).evenly(4)

    def solved(density, law, load=(300.0, -2e4)):
        bearing = TiltingPadBearing(
            R, 8 * R * arc, C, Lubricant(mu, mass_density=density), pads, sliding_speed=U,
            cells=(24, 8), cavitation=Full(), turbulence=law,
        )  # fmt: skip
        return bearing.equilibrium(load, U / R)

    state = solved(rho, Constantinescu())
    np.testing.assert_allclose(state.force, (-300.0, 2e4), atol=1e-3)
    for film in state.films:
        nodes = film.bearing.film.surface.nodes
        middle = np.abs(nodes[:, 2]) < 1e-9
        at = np.arctan2(nodes[middle, 1], nodes[middle, 0])
        e = film.place.e
        exact = pressure_of_long_pad(e, at, arc, U, mu, rho)
        found = film.pressure[middle]
        assert found == pytest.approx(exact, abs=0.01 * exact.max())
        reynolds = rho * U * film.thickness / mu
        assert reynolds.min() > 1000 and reynolds.max() < 4000
    light = (100.0, -5e3)
    calm, thin = solved(rho, None, light), solved(1e-6, Constantinescu(), light)
    assert thin.e == pytest.approx(calm.e, abs=1e-4 * C)
    assert thin.power_loss == pytest.approx(calm.power_loss, rel=1e-4)
    assert solved(rho, Constantinescu(), light).power_loss > 1.8 * calm.power_loss

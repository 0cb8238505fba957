"""Thrust bearings: closed forms of sliders without side flow, Fuller's leakage, similarity.

A slider without side flow is a sector of a very large ring with sealed sides.
"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Barus,
    Constantinescu,
    PivotedPad,
    SteppedPad,
    TaperedPad,
    ThrustBearing,
    ThrustPad,
    sector,
)

MU, B, U, FAR = 0.03, 0.05, 10.0, 1000.0
H = 2e-5


def slider(pad, width=0.1, sealed=True, cells=(64, 2), **shape):
    edges = {"pressures": {"start": 0.0, "end": 0.0}} if sealed else {}
    size = {"inner": FAR - width / 2, "outer": FAR + width / 2, "arc": B / FAR}
    return ThrustBearing(
        pad(**size, **shape), 1, 1.5 * H, MU, sliding_speed=U, cells=cells, **edges
    )


def carried(bearing, load, width=0.1):
    """The state, and its load by mu U B^2 / h^2, h the smallest thickness."""
    state = bearing.equilibrium(load, U / FAR)
    return state, load / (MU * U * B**2 / state.least**2 * width)


def unit(part, width=0.1):
    """A load, N."""
    return part * MU * U * B**2 / H**2 * width


def test_best_taper():
    """Of all sliders with one taper the ratio of thicknesses 2.1886 carries most: 0.16025 mu U
    B^2/h^2."""
    state, factor = carried(slider(TaperedPad, depth_at_start=1.1886 * H, part=1.0), unit(0.16025))
    assert state.least == pytest.approx(H, rel=5e-4)
    assert factor == pytest.approx(0.16025, rel=1e-3)
    best = minimize_scalar(
        lambda a: slider(TaperedPad, depth_at_start=a * H, part=1.0).equilibrium(
            unit(0.15), U / FAR
        ).least * -1, bounds=(0.8, 1.7), method="bounded", options={"xatol": 1e-3},
    ).x  # fmt: skip
    assert 1 + best * H / slider(TaperedPad, depth_at_start=best * H, part=1.0).equilibrium(
        unit(0.15), U / FAR
    ).least == pytest.approx(2.1886, abs=0.01)


def test_rayleigh_step():
    """Ratio 1.8660, step at 0.7182 of the length: 0.20626 mu U B^2/h^2."""
    state, factor = carried(slider(SteppedPad, step=0.866 * H, part=0.7182), unit(0.20626))
    assert state.least == pytest.approx(H, rel=1e-4)
    assert factor == pytest.approx(0.20626, rel=1e-4)
    assert state.film.pressure.max() == pytest.approx(2 * state.load / (0.1 * B), rel=1e-4)


def centre_of_pressure(ratio):
    """Of a slider, part of its length from the leading edge; by quadrature of Reynolds' equation,
    with the load by mu U B^2 / h^2."""
    h = lambda x: ratio - (ratio - 1) * x  # noqa: E731
    k = quad(lambda x: h(x) ** -2, 0, 1)[0] / quad(lambda x: h(x) ** -3, 0, 1)[0]
    p = lambda x: quad(lambda z: 6 * (h(z) - k) / h(z) ** 3, 0, x)[0]  # noqa: E731
    load = quad(p, 0, 1)[0]
    return quad(lambda x: x * p(x), 0, 1)[0] / load, load


@pytest.mark.parametrize("offset", [0.54, 0.5777, 0.64])
def test_pivoted_slider(offset):
    """The pad tilts until its centre of pressure is its pivot: 0.5777 of its length for the ratio
    2.1886; the collar pushed nearer, thickness and load scale as h^-2."""
    ratio = brentq(lambda a: centre_of_pressure(a)[0] - offset, 1.05, 6)
    if offset == 0.5777:
        assert ratio == pytest.approx(2.1886, abs=0.01)
    state, factor = carried(slider(PivotedPad, offset=offset), unit(0.15))
    h = state.film.thickness
    assert h.max() / h.min() == pytest.approx(ratio, rel=2e-2)
    assert factor == pytest.approx(centre_of_pressure(ratio)[1], rel=5e-3)
    at_pivot = state.least * (1 + (ratio - 1) * (1 - offset))
    assert state.stiffness == pytest.approx(2 * state.load / at_pivot, rel=1e-2)


@pytest.mark.parametrize("width, leakage", [(1.0, 0.44), (2.0, 0.69)])
def test_side_leakage(width, leakage):
    """Fuller's (1984) factors for the load of a slider with side flow, by that without: 0.44 for
    a square one, 0.69 for one twice as wide as long."""
    state, factor = carried(
        slider(TaperedPad, width * B, False, (48, 24), depth_at_start=1.1886 * H, part=1.0),
        unit(0.16025 * leakage, width * B), width * B,
    )  # fmt: skip
    assert state.least == pytest.approx(H, rel=0.02)
    assert factor == pytest.approx(0.16025 * leakage, rel=0.03)


PAD = {"inner": 0.04, "outer": 0.08, "arc": 0.7}


def test_similar_states_and_stiffness():
    """Without a length of its own a bearing of pivoted pads has least ~ (speed/load)^(1/2), the
    same shape of film, and the stiffness 2 load / h at the pivot; power balance, opposite flows."""
    bearing = ThrustBearing(PivotedPad(**PAD), 8, 3e-5, MU, sliding_speed=6.0, cells=(24, 12))
    first, second = bearing.equilibrium(1e3, 100.0), bearing.equilibrium(2e4, 200.0)
    assert second.least == pytest.approx(first.least * np.sqrt(2 / 20), rel=1e-5)
    assert second.tilt == pytest.approx(first.tilt * np.sqrt(2 / 20), rel=1e-5)
    for state, speed in ((first, 100.0), (second, 200.0)):
        assert state.power_loss == pytest.approx(state.torque * speed, rel=1e-9)
        assert -state.film.force[2] * 8 == pytest.approx(state.load, rel=1e-8)
        x, y = bearing.pad.pivot
        t = np.array([-state.tilt[1], state.tilt[0]])
        h = 3e-5 - state.film.place.e[2] + t @ (x, y)
        assert state.stiffness == pytest.approx(2 * state.load / h, rel=1e-5)
        # the centre of pressure is the pivot
        surface = bearing.solver.film.surface
        weight = state.film.pressure * surface.areas()
        at = weight @ surface.nodes[:, :2] / weight.sum()
        assert at == pytest.approx((x, y), abs=2e-4)
    d = 1e-4
    up, down = (bearing.equilibrium(1e3 * (1 + s * d), 100.0) for s in (1, -1))
    t = [np.array([-z.tilt[1], z.tilt[0]]) @ bearing.pad.pivot - z.film.place.e[2]
         for z in (up, down)]  # fmt: skip
    assert first.stiffness == pytest.approx(-2e3 * d / (t[0] - t[1]), rel=1e-5)


def test_fixed_pads():
    """Stiffness by differences; oil is conserved; more pads carry more; a flat pad carries
    nothing."""
    pad = TaperedPad(**PAD, depth_at_start=2e-5)
    bearing = ThrustBearing(
        pad, 6, 3e-5, MU, sliding_speed=6.0, cells=(24, 12), cavitation=JFO(),
        turbulence=Constantinescu(),
    )  # fmt: skip
    state, d = bearing.equilibrium(2e3, 100.0), 1e-4
    up, down = (bearing.equilibrium(2e3 * (1 + s * d), 100.0).least for s in (1, -1))
    assert state.stiffness == pytest.approx(-4e3 * d / (up - down), rel=1e-5)
    assert sum(state.flow.values()) == pytest.approx(0.0, abs=1e-9 * state.flow["end"])
    assert state.flow["start"] < 0 < state.flow["outer"]
    flat = ThrustBearing(ThrustPad(**PAD), 6, 3e-5, MU, sliding_speed=6.0, cells=(8, 4))
    with pytest.raises(fc.StepFailed, match="no thickness at which the pads carry"):
        flat.equilibrium(2e3, 100.0)


def test_viscosity_that_grows_with_pressure():
    thick = [
        ThrustBearing(PivotedPad(**PAD), 8, 1e-5, oil, sliding_speed=6.0, cells=(16, 8))
        .equilibrium(5e4, 100.0).least
        for oil in (MU, Barus(MU, alpha=2e-8))
    ]  # fmt: skip
    assert 1.01 < thick[1] / thick[0] < 1.5


def test_sector():
    surface = sector(0.04, 0.08, 0.7, (8, 4), start=0.2, angles=(0.5,))
    assert surface.areas().sum() == pytest.approx(0.35 * (0.08**2 - 0.04**2), rel=1e-5)
    angle = np.arctan2(surface.nodes[:, 1], surface.nodes[:, 0])
    assert np.abs(angle - 0.5).min() < 1e-12
    assert set(surface.sets) == {"start", "end", "inner", "outer"}
    assert np.hypot(*surface.nodes[surface.sets["outer"], :2].T) == pytest.approx(0.08)


def test_bad_input():
    for make, words in (
        (lambda: ThrustPad(0.08, 0.04, 0.7), "outer must be larger"),
        (lambda: ThrustPad(0.04, 0.08, 7.0), "arc must lie"),
        (lambda: TaperedPad(**PAD, depth_at_start=0.0), "depth_at_start"),
        (lambda: SteppedPad(**PAD, step=1e-5, part=1.5), "part"),
        (lambda: PivotedPad(**PAD, offset=1.5), "offset"),
        (lambda: PivotedPad(**PAD, pivot_radius=0.1), "pivot_radius"),
        (lambda: ThrustBearing(3.0, 1, 1e-5, MU), "pad must be"),
        (lambda: ThrustBearing(ThrustPad(**PAD), 9, 1e-5, MU), "do not fit"),
        (lambda: ThrustBearing(ThrustPad(**PAD), 8, 1e-5, MU).equilibrium(1.0, 0.0), "speed"),
    ):
        with pytest.raises(fc.InputError, match=words):
            make()

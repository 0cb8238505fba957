"""Dead load, weight and kinetic energy of beams that are curved at rest, by hand."""

import numpy as np
import pytest

import fem_clearance as fc

from .elements import GRAVITY, LENGTH, LOAD, RHO, STEEL, B, Element, H, dot, gauss, size_of, slopes
from .test_forces_fibres import LINE


@pytest.mark.parametrize("model", ["quadratic", "cable"])
def test_load_and_energies_of_a_curved_beam(model):
    """The load acts on the centre line per length at rest, the weight on the volume at rest (of a
    cable: the line); a cable has no section that moves by itself."""
    section, cable = fc.Rectangle(B, B if model == "cable" else H), model == "cable"
    beams = [
        fc.Beam.along(fc.Spline(LINE if not cable else [(x, y, 0) for x, y, _ in LINE]), section,
                      STEEL, 1, model=model, name="b", free=True, load=load)
        for load in ((0, 0, 0), LOAD)
    ]  # fmt: skip
    free, element = (Element(beam) for beam in beams)
    x, w = gauss(24)
    rest = element.lines(element.rest, x)
    length = LENGTH * w * size_of(rest["t"])

    def pulled(q):
        return -length @ (element.lines(q, x)["r"] @ LOAD)

    wanted = slopes(pulled, element.q)
    found = element.rows - free.rows
    np.testing.assert_allclose(found, wanted, atol=2e-5 * np.abs(wanted).max())
    now, moving = element.lines(element.q, x), element.lines(element.v, x)
    fibres = [((0.0, 0.0), B * B)] if cable else list(zip(*section.quadrature(4), strict=True))
    weight = kinetic = 0.0
    for (y, z), area in fibres:
        volume = size_of(rest["t"])
        place, speed = now["r"], moving["r"]
        if not cable:
            F = np.stack([rest["t"] + y * rest["t2"] + z * rest["t3"], rest["d2"], rest["d3"]], -1)
            volume = np.linalg.det(F)
            place, speed = (k["r"] + y * k["d2"] + z * k["d3"] for k in (now, moving))
        mass = RHO * area * LENGTH * w * volume
        weight -= mass @ (place @ GRAVITY)
        kinetic += mass @ dot(speed, speed) / 2
    see = element.system.channels
    see.read()
    assert see["energy.potential"] == pytest.approx(weight + pulled(element.q), rel=1e-5)
    assert see["energy.kinetic"] == pytest.approx(kinetic, rel=1e-4)

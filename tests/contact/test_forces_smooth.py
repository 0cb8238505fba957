"""Guides without friction: the normal force alone, on corners and on facets."""

import numpy as np
import pytest

import fem_clearance as fc

from .test_forces_facets import Touching
from .test_forces_guides import SURFACES, corners, flat, guide


@pytest.mark.parametrize("surface", ["flat", "wavy"])
def test_corners_without_friction(surface):
    shape, height = SURFACES[surface]
    options = {} if shape is None else {"surfaces": (shape, fc.guides.Plane())}
    found = guide(**options)
    force, moment, _, touching, ri = corners(
        found, {1: height, -1: flat}, friction=lambda sliding: 0 * sliding
    )
    assert touching > 1
    found.check(ri, force, moment, rel=1e-7)
    see = found.channels
    sizes = sum(abs(see[n]) for n in see.names if n.endswith("friction_force"))
    assert sizes == pytest.approx(0, abs=1e-20 * np.linalg.norm(force))


def test_facets_without_friction():
    found = Touching()
    found.check(found.pressure, 0 * found.slide)

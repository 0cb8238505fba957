"""A straight beam of steel, 2 m long with a square section, and what a clamped one does."""

import pytest

import fem_clearance as fc

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
SQUARE, L = fc.Rectangle(0.02, 0.02), 2.0
EI = STEEL.E * SQUARE.I_y
MODELS = ["cable", "quadratic", "ancf"]
SLOW_ANCF = pytest.param("ancf", marks=pytest.mark.slow)  # long compilation
#: enough for 0.5 % with every model (ANCF locks in shear when coarse)
ELEMENTS = {"cable": 6, "quadratic": 6, "ancf": 40}


def straight(model, elements=None, section=SQUARE, **options):
    elements = elements or ELEMENTS[model]
    return fc.Beam((0, 0, 0), (L, 0, 0), section, STEEL, elements, model=model, **options)


def clamped(beam, *items, **options):
    """Results of a beam clamped at its start; probe ``tip`` and joint ``clamp``."""
    return solved(beam, *items, **options)[0]


def solved(beam, *items, steps=1, **options):
    """These results, and the coordinates by global number."""
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    system.add(fc.FixedJoint(system.ground, beam.start, name="clamp"))
    for item in items:
        system.add(item)
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=steps, **options).solve()
    return results, system.state.everything(system.state.q)

"""An elastic pin in the hole of an elastic plate of the same material, without friction.

The half angle of the contact and the peak of its pressure under a load, in plane strain; in a large
plate Persson's (1964) closed form holds (docs/deformable_contact.md). Half of both is meshed, by
symmetry; the rim of the plate is held, and the load acts on a small hole in the pin's middle.
"""

from typing import NamedTuple

import numpy as np

from .._backend import MPI
from ..bodies.materials import StVenantKirchhoff
from ..bodies.solids.loads import Traction
from ..bodies.solids.solid import Solid
from ..contact.facets.contact import Winkler
from ..contact.facets.pair_contact import FacetPairContact
from ..core.observation import Channel
from ..io.vtk import vtu
from ..model.system import System
from ..runs.case import Case
from ..runs.parameters import Parameter
from ..runs.statics import Statics
from ..runs.steady import SteadyResults
from . import figures
from .parts.parameters import count, positive, quantity, within
from .parts.pin_meshes import half_ring

#: radius of the hole in the pin's middle by the radius of the pin
CORE = 0.05
#: numbers of cells radially, and around where they are coarse
RADIAL, COARSE = 20, 18
#: penalty stiffness, relative to the modulus over the size of a facet
STIFFNESS = 20.0


class Lug(NamedTuple):
    """One half of pin and plate, in contact."""

    system: System
    pin: Solid
    plate: Solid
    contact: FacetPairContact


def reach_of(p) -> float:
    """Angle with a fine mesh, rad: somewhat more than that of Hertz's line contact, which is too
    wide for conformal contact."""
    return min(1.3 * hertz_half_width(p) / p["radius"], 0.75 * np.pi)


def hertz_half_width(p) -> float:
    """Half the width of Hertz's line contact, m."""
    return p["radius"] * np.sqrt(8 * p["load"] / (np.pi * p["clearance"] * plane_modulus(p)))


def plane_modulus(p) -> float:
    """E / (1 - nu^2), Pa."""
    return p["E"] / (1 - p["nu"] ** 2)


def build(p):
    R, clearance, E = p["radius"], p["clearance"], p["E"]
    reach, n = reach_of(p), p["contact.cells"]
    steel = StVenantKirchhoff(E, p["nu"], 7800.0)  # in equilibrium the density has no effect
    system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    held = {"front": "y", "back": "y"}
    mesh = half_ring(
        R, p["plate.radii"] * R, reach, (RADIAL, n, COARSE), 2 * np.log(p["plate.radii"])
    )
    plate = system.add(
        Solid(mesh, steel, state="plane_strain", clamped={**held, "rim": "xy"}, name="plate")
    )
    own = R - clearance
    mesh = half_ring(CORE * own, own, reach, (RADIAL, n + n // 6, COARSE + 3), -4.0)
    # moved into contact
    mesh = mesh.moved((clearance * (1 + 1e-4), 0, 0))
    pin = system.add(Solid(mesh, steel, state="plane_strain", clamped=held, name="pin"))
    traction = p["load"] / 2 / pin.facets("bore").area
    system.add(Traction(pin.facets("bore"), (traction, 0, 0)))
    law = Winkler(STIFFNESS * E * n / (reach * R))
    contact = FacetPairContact(
        pin.facets("rim"), plate.facets("bore"), law=law, reach=max(2 * clearance, 0.1 * R),
        name="contact",
    )  # fmt: skip
    system.add(contact)
    return Lug(system, pin, plate, contact)


def analyse(lug, p):
    system, pin, plate, contact = lug
    found = Statics(system, steps=p["steps"]).solve()
    pressures = contact.pressures(system)
    assert pressures is not None  # there is one rank
    places, pressure = pressures
    numbers = {
        Channel("load", "N/m", "force per length of the pin"): 2 * found["contact.force.x"][-1],
        Channel("half_angle_deg", "deg", "half the angle of the contact"): float(
            np.degrees(found["contact.area"][-1] / p["radius"])
        ),
        Channel("peak_pressure", "Pa", "largest pressure"): float(pressure.max()),
        Channel("E_star", "Pa", "E / (1 - nu^2)"): plane_modulus(p),
        Channel("clearance", "m", "difference of the radii"): p["clearance"],
    }
    order = np.argsort(np.arctan2(places[:, 1], places[:, 0]))
    lines = np.column_stack([np.arange(len(order) - 1), np.arange(1, len(order))])
    text = vtu(places[order], lines, 3, {"pressure": pressure[order]}, {}, {})
    counters = {
        "newton_iterations": found.summary["newton_iterations"], "unknowns": system.state.size,
        "cells": len(plate.cells) + len(pin.cells),
    }  # fmt: skip
    return SteadyResults({}, numbers, {"contact": text}, counters)


case = Case(
    "pin_in_lug",
    "an elastic pin in a plate of the same material: angle and pressure, against Persson (1964)",
    build,
    [
        positive("load", 2e6, "N/m", "force per length of the pin"),
        positive("radius", 0.01, "m", "of the hole"),
        quantity("clearance", 1e-5),
        quantity("E", 2e11),
        quantity("nu", 0.3, check=within(-0.99, 0.49)),
        Parameter("plate.radii", 20.0, text="radius of the plate by that of the hole",
                  check=within(1.5, 100.0)),
        count("contact.cells", 42, "facets of half the contact"),
        count("steps", 4, "load steps"),
    ],
    figures=figures.of("pin_in_lug"),
    analyse=analyse,
)  # fmt: skip

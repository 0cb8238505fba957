"""A journal that hammers on a split bearing: two elastic shells, pressed together at their joint by
the bolts of the cap, and a journal with clearance that an alternating force throws from one shell
to the other.

Plane strain. The lower shell lies in a rigid housing; dowels hold the cap along x, and bolts press
it down by a dead force on its back. If the force on the cap exceeds that of the bolts, the joint
opens.
"""

from dataclasses import dataclass

import numpy as np
import ufl

import fem_clearance as fc

from .parts.parameters import count, positive, quantity
from .parts.pin_meshes import half_ring


@dataclass(frozen=True)
class Tightened(fc.functions.Constant):
    """Rises smoothly from 0 to ``value`` in ``duration``, s."""

    duration: float = 1.0

    def expression(self, t, p):
        x = ufl.min_value(t / p[1], 1.0)
        return p[0] * (10 * x**3 - 15 * x**4 + 6 * x**5)


@dataclass(frozen=True)
class Hammer(fc.functions.Harmonic):
    """A sine of ``amplitude`` and ``frequency`` (Hz) from ``start`` (s) on."""

    start: float = 0.0

    def expression(self, t, p):
        return ufl.conditional(t < p[3], 0.0, p[0] * ufl.sin(2 * np.pi * p[1] * (t - p[3])))


def build(p):
    radius, clearance = p["radius"], p["clearance"]
    material = fc.StVenantKirchhoff(p["E"], 0.3, p["rho"])
    system = fc.System(gravity=(0, 0, 0), up=(0, 1, 0), comm=p.comm)
    n = p["shell.cells"]
    mesh = half_ring(radius, radius + p["shell.thickness"], np.pi / 2, (2, n, n), 0.3)
    same = {
        "state": "plane_strain", "thickness": p["width"],
        "damping": fc.Damping(retardation=p["damping"]),
    }  # fmt: skip
    held = {"front": "x", "back": "x"}
    cap = system.add(fc.Solid(mesh, material, clamped=held, free=True, name="cap", **same))
    turned = mesh.moved(rotation=np.diag([-1.0, -1.0, 1.0]))
    base = system.add(fc.Solid(turned, material, clamped="rim", name="base", **same))
    stiffness = fc.Winkler(p["stiffness"])
    for side, mine, other in (("right", "front", "back"), ("left", "back", "front")):
        contact = fc.SurfaceContact(
            cap.facets(mine), base.facets(other), law=stiffness, name=f"joint_{side}"
        )
        system.add(contact)
    tight = Tightened(1.0, p["ramp"])
    bolts = (0, -p["preload"] / cap.facets("rim").area, 0)
    system.add(fc.Traction(cap.facets("rim"), bolts, tight, name="bolts"))
    inertia = p["mass"] * radius**2 / 2
    disc = fc.shapes.Disc(radius - clearance, p["width"])
    journal = system.add(
        fc.RigidBody(p["mass"], (inertia, inertia, inertia), shape=disc, name="journal")
    )
    system.add(fc.PlanarJoint(system.ground, journal.center, axis=(0, 0, 1), name="plane"))
    surface = fc.CylinderSurface(journal.center, radius=radius - clearance)
    for shell in (cap, base):
        contact = fc.SurfaceContact(
            shell.facets("bore"), surface, law=fc.Winkler(p["stiffness"]), name=f"on_{shell.name}"
        )
        system.add(contact)
    blow = Hammer(1.0, p["frequency"], start=p["ramp"])
    system.add(fc.Force(journal.center, (0, p["load"], 0), blow, name="blow"))
    system.add(fc.Probe(journal.center, name="journal_centre"))
    system.add(fc.SolidProbe(cap, name="cap_motion"))
    sums = ["joint_right.normal_force", "joint_left.normal_force"]
    whole = fc.Derived(
        "joint.normal_force", "N", "force in the joint", lambda q: q[sums[0]] + q[sums[1]]
    )
    area = fc.Derived(
        "joint.area", "m^2", "joint in contact",
        lambda q: q["joint_right.area"] + q["joint_left.area"],
    )  # fmt: skip
    return fc.Model(system, derived=[whole, area])


def summary(results, events):
    """Forces; those in the joint from the time at which the bolts are tight."""
    force = results["bolts.y"]
    tight = force <= force.min() * (1 - 1e-9)
    joint, area = results["joint.normal_force"][tight], results["joint.area"][tight]
    cap = results["on_cap.normal_force"]
    return {
        "peak_force_on_cap": float(cap.max()),
        "peak_force_on_base": float(results["on_base.normal_force"].max()),
        "blows_on_cap": int(np.sum((cap[1:] > 0) & (cap[:-1] <= 0))),
        "least_joint_force": float(joint.min(initial=np.inf)),
        "open_part": float(np.mean(area == 0)) if len(area) else 0.0,
    }


case = fc.Case(
    "split_bearing",
    "a journal that hammers on a split bearing, whose joint bolts hold together",
    build,
    [
        positive("radius", 0.02, "m", "of the bore"),
        quantity("clearance", 4e-5),
        positive("shell.thickness", 0.004, "m", "of the shells"),
        quantity("width", 0.02, "of the bearing"),
        quantity("E", 1.1e11),
        quantity("rho", 8800.0),
        quantity("damping", 2e-6),
        positive("preload", 2e4, "N", "force of the bolts on the cap"),
        positive("ramp", 5e-4, "s", "time in which the bolts are tightened"),
        quantity("load", 5e3, "amplitude of the force on the journal"),
        positive("frequency", 400.0, "Hz", "of this force"),
        positive("mass", 0.2, "kg", "of the journal"),
        positive("stiffness", 2e13, "Pa/m", "of the contacts"),
        count("shell.cells", 10, "cells round a quarter of a shell"),
    ],
    settings={"t_end": 6e-3, "dt": 2e-6, "adaptive": False},
    summary=summary,
    units={
        "peak_force_on_cap": "N", "peak_force_on_base": "N", "least_joint_force": "N",
    },
)  # fmt: skip

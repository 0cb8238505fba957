"""Slider-crank with clearance between slider and guide (Flores, Leine and Glocker 2010).

Crank, rod and slider lie along the guide at the start, with the slider centred; the crank rotates
at 150 rad/s, with the velocities of a slider without clearance. The guide's axis is x; gravity acts
across it. Contact: K = 1e9 N/m^1.5, restitution 0.4 (docs/translational.md).
"""

from typing import Any

import numpy as np

import fem_clearance as fc
from fem_clearance.contact.translational import SIDES
from fem_clearance.lubrication import GuideFilm, pad_film

from ..contact.laws.pair_data import sphere_stiffness
from ..timestepping.events import ONSET
from . import figures
from .parts.bars import AXIS, crank_on_ground, crank_speed, link
from .parts.films import CAVITATION, cavitation, film_cells, lubricant_of, oil
from .parts.joints import no_strain_energy
from .parts.parameters import (
    APPROACH_SPEED,
    cells,
    cells_of,
    choice,
    hysteresis,
    non_negative,
    positive,
    quantity,
    restitution,
)

#: length m, mass kg, moment of inertia kg m^2 about the middle: Table 1
CRANK, ROD = (0.153, 0.038, 7.4e-5), (0.306, 0.038, 5.9e-4)
SLIDER = (0.076, 2.7e-6)  # mass kg, moment of inertia kg m^2 (as printed, far below a block's)
HALF_LENGTH, HALF_HEIGHT = 0.05, 0.025  # of the slider, m
SPEED = 150.0  # of the crank, rad/s
STIFFNESS = 1e9  # of a corner, N/m^1.5
ALONG: dict[str, Any] = {"axis": (1, 0, 0), "across": (0, 1, 0)}
#: a flexible slider is of steel, with a hole for the pin, m
DENSITY, NU, HOLE = 7800.0, 0.3, 0.01
PIN_LENGTH = 0.02  # of a pin with clearance, m
#: clearance at which the guide is as wide as the slider's diagonal, m
TURNS = np.hypot(HALF_LENGTH, HALF_HEIGHT) - HALF_HEIGHT


def build(p):
    if not p["clearance"] < TURNS:
        raise p.error(
            "clearance",
            f"at {TURNS:.4g} m or more the slider can turn over in its guide; use a smaller "
            "clearance.",
        )
    if not p["pin.clearance"] < HOLE:
        raise p.error("pin.clearance", f"it must be less than the radius of the hole, {HOLE:g} m.")
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    speed = crank_speed(p)
    a = np.array([CRANK[0], 0, 0])
    b = a + [ROD[0], 0, 0]
    crank, pivot = crank_on_ground(system, CRANK, speed)
    at_a = speed * CRANK[0]
    rod = system.add(link("rod", ROD, a, at_a / 2, -at_a / ROD[0]))
    if p["drive"] == "constant_speed":
        drive = fc.RotationDriver(pivot.i, pivot.j, AXIS, fc.functions.Linear(speed), name="drive")
        system.add(drive)
    system.add(fc.RevoluteJoint(crank.at(a), rod.at(a), AXIS, name="A"))
    make = _flexible if p["slider.model"] == "flexible" else _rigid
    pin, rename, derived = make(system, p, rod.at(b), b)
    for name, frame in (("crank", crank.center), ("rod", rod.center), ("slider", pin)):
        system.add(fc.AngleProbe(pivot.i, frame, AXIS, name=f"{name}_angle"))
    rename |= {f"{n}_angle.angle": f"{n}.angle" for n in ("crank", "rod", "slider")}
    return fc.Model(system, rename, derived)


def _rigid(system, p, rod, at):
    """Add a rigid slider in its guide; returns the frame of its pin, names and derived channels."""
    mass, inertia = SLIDER[0], p["slider.inertia"]
    block = fc.shapes.Slider(2 * HALF_LENGTH, 2 * HALF_HEIGHT, p["slider.width"])
    slider = system.add(fc.RigidBody(mass, (inertia,) * 3, position=at, shape=block, name="slider"))
    if _pin(system, p, rod, slider.center):
        system.add(fc.PlanarJoint(system.ground, slider.center, AXIS, name="plane"))
    guide = system.add(
        fc.TranslationalClearance(
            system.ground.point(at), slider.center, **ALONG, length=2 * HALF_LENGTH,
            height=2 * HALF_HEIGHT, gap=2 * (HALF_HEIGHT + p["clearance"]),
            normal=fc.ExactRestitution(**hysteresis(p)), stiffness=STIFFNESS,
            friction=_friction(p), film=_film(p), approach_floor=1e-3, name="guide",
        )
    )  # fmt: skip
    films = [f"guide.{side}" for side in SIDES] if p["joint.kind"] == "lubricated" else []
    sums = [
        _sum(side, [f"{n}.normal_force" for n in (*(f"guide.{c}" for c in guide.corners), *films)
                    if n.startswith(f"guide.{side}")])
        for side in SIDES
    ]  # fmt: skip
    return slider.center, {}, [no_strain_energy("crank, rod and slider are rigid"), *sums]


def _pin(system, p, rod, slider) -> bool:
    """Add the joint of rod and slider; returns whether it has clearance, and so fixes no plane."""
    if p["pin.kind"] == "ideal":
        system.add(fc.RevoluteJoint(rod, slider, AXIS, name="B"))
        return False
    steel = fc.StVenantKirchhoff(2.07e11, NU, DENSITY)
    mu, journal = p["friction"], HOLE - p["pin.clearance"]
    system.add(
        fc.RevoluteClearance(
            slider, rod, AXIS, bearing_radius=HOLE, journal_radius=journal,
            length=PIN_LENGTH, normal=fc.ExactRestitution(**hysteresis(p)),
            stiffness=sphere_stiffness(HOLE, journal, steel, steel),
            friction=fc.SmoothCoulomb(mu, v0=1e-3) if mu else None, materials=(steel, steel),
            approach_floor=0.1 if p["slider.model"] == "flexible" else 1e-3, name="B",
        )
    )  # fmt: skip
    return True


def _film(p):
    """Film on each face of a lubricated rigid slider; ``None`` of a dry one."""
    if p["joint.kind"] == "dry":
        return None
    return pad_film(
        2 * HALF_LENGTH, p["slider.width"], p["clearance"], lubricant_of(p),
        sliding_speed=crank_speed(p) * CRANK[0], cells=cells_of(p["film.cells"]),
        cavitation=CAVITATION[p["cavitation"]](),
    )  # fmt: skip


def _flexible(system, p, rod, at):
    """Add an elastic slider of the same mass in plane stress, with the inertia of its shape; the
    pin holds its hole on average. Returns as ``_rigid``."""
    lubricated = p["joint.kind"] == "lubricated"
    if lubricated and p["integrator"] == "central_difference":
        raise p.error(
            "joint.kind",
            "films need implicit steps; use another integrator than central_difference.",
        )
    if lubricated and p["cavitation"] == "jfo":
        raise p.error("cavitation", "films on an elastic slider accept full, guembel or reynolds.")
    if p["friction.law"] != "smooth" and p["integrator"] == "central_difference":
        raise p.error(
            "friction.law", "with explicit steps an elastic slider needs friction.law=smooth."
        )
    size = np.array([2 * HALF_LENGTH, 2 * HALF_HEIGHT])
    mesh = fc.meshes.block_with_hole(size, HOLE, cells_of(p["slider.cells"]))
    area = size.prod() - np.pi * HOLE**2
    slider = system.add(
        fc.Solid(
            mesh.moved(at), **_plane(p["slider.E"], p["integrator"] == "central_difference"),
            thickness=SLIDER[0] / (DENSITY * area), damping=fc.Damping(p["slider.damping"]),
            name="slider",
        )
    )  # fmt: skip
    pin = system.add(fc.Attachment(slider.facets("hole"), name="pin"))
    _pin(system, p, rod, pin.at(at))
    ground, gap = system.ground.point(at), 2 * (HALF_HEIGHT + p["clearance"])
    law = fc.Winkler(p["slider.contact_stiffness"], p["slider.contact_damping"])
    for side, facets in (("upper", "y1"), ("lower", "y0")):
        surfaces, place = (ground, slider.facets(facets)), {**ALONG, "side": side, "gap": gap}
        system.add(
            fc.GuideContact(*surfaces, **place, law=law, friction=_friction(p, surface=True),
                            name=f"surface_{side}")
        )  # fmt: skip
        if lubricated:
            system.add(
                GuideFilm(*surfaces, **place, lubricant=lubricant_of(p),
                          sliding_speed=crank_speed(p) * CRANK[0],
                          cavitation=CAVITATION[p["cavitation"]](), name=f"film_{side}")
            )  # fmt: skip
    corners = {
        f"{side}_{end}": (side, slider.at(at + [x * HALF_LENGTH, y * HALF_HEIGHT, 0]))
        for side, y in SIDES.items()
        for end, x in (("rear", -1), ("front", 1))
    }
    system.add(fc.GuideProbe(ground, corners, **ALONG, gap=gap, name="guide"))
    kinds = ("surface", "film") if lubricated else ("surface",)
    sums = [_sum(side, [f"{kind}_{side}.normal_force" for kind in kinds]) for side in SIDES]
    return pin.frame, {"pin.frame": "slider"}, sums


def _plane(E: float, explicit: bool) -> dict:
    """Plane stress; for explicit steps, which admit no unknown stretch across the plane, as plane
    strain of a material with the same stiffness in the plane, with lumped masses."""
    if not explicit:
        return {"material": fc.StVenantKirchhoff(E, NU, DENSITY), "state": "plane_stress"}
    alike = E * (1 + 2 * NU) / (1 + NU) ** 2
    material = fc.StVenantKirchhoff(alike, NU / (1 + NU), DENSITY)
    return {"material": material, "state": "plane_strain", "lumped": True}


def _friction(p, surface: bool = False):
    """Friction on the guide, of corners or of a surface."""
    mu = p["friction"]
    if not mu:
        return None
    if p["friction.law"] == "smooth":
        return fc.SmoothCoulomb(mu, v0=1e-3)
    if p["friction.law"] == "lugre":
        return fc.LuGre(mu, mu, stiffness=1e5, damping=50.0, v_s=1e-2, damping_speed=1e-2)
    if surface:
        return fc.SurfaceStick(mu)
    return fc.TrueStick(mu, stiffness=1e7, damping=0.4 * np.sqrt(1e7 * SLIDER[0]))


def _sum(side: str, names: list[str]) -> fc.Derived:
    """Force on a side of the guide from channels."""
    return fc.Derived(
        f"contact.{side}", "N", f"normal force on the {side} surface of the guide",
        lambda channels: sum(channels[n] for n in names),
    )  # fmt: skip


def summary(results, events):
    """The first contact, and the largest forces."""
    first = next((e for e in events if e.kind == ONSET and e.owner.startswith("guide.")), None)
    found = {
        "first_contact_time": first.time if first else None,
        "first_contact_speed": first.speed if first else None,
        "first_contact_corner": first.owner.removeprefix("guide.") if first else None,
    }
    for side in SIDES:
        found[f"peak_force_{side}"] = float(results[f"contact.{side}"].max())
        for name in (f"guide.{side}.min_film", f"film_{side}.min_film"):
            if name in results:
                found[f"min_film_{side}"] = float(results[name].min())
    if "B.eccentricity" in results:
        found["pin_peak_force"] = float(results["B.normal_force"].max())
        found["pin_max_penetration"] = float(results["B.penetration"].max())
    return found


def derived_settings(values):
    """A flexible slider vibrates, and steps that resolve all vibrations would be far too short.
    Films react to errors of velocities, which constraints on positions alone do not remove."""
    if values["slider.model"] == "flexible":
        # the bearing surface of the pin has no mass: its vibrations need not be resolved
        coarse = {"contact_tolerance": 1e-2} if values["pin.kind"] == "dry" else {}
        return {"tolerance": 1e-7, "t_end": 0.02, **coarse}
    if values["joint.kind"] == "lubricated":
        return {"tolerance": 1e-8, "constraints": "stabilised"}
    return {}


case = fc.Case(
    "slider_crank_translational",
    "slider-crank with clearance between slider and guide (Flores, Leine and Glocker 2010)",
    build,
    [
        choice("joint.kind", "joint of slider and guide", "dry", "lubricated"),
        *oil(0.4, "of the lubricant of a lubricated guide"),
        film_cells("along the slider and across", "16x4"),
        cavitation("reynolds", " in a film"),
        quantity(
            "slider.width", 0.05, "of a rigid slider's lubricated faces, across the motion"
        ),
        choice("pin.kind", "joint of rod and slider", "ideal", "dry"),
        quantity("pin.clearance", 1e-4, "radial, of a dry pin"),
        choice("slider.model", "slider", "rigid", "flexible"),
        positive("slider.inertia", SLIDER[1], "kg m^2", "about its middle, of a rigid slider"),
        quantity("slider.E", 2.07e11, "Young's modulus of a flexible slider"),
        cells(
            "slider.cells", "16x2", "quadratic cells of a flexible slider,", "around and through"
        ),
        quantity("slider.damping", 1e-7, "retardation time of a flexible slider"),
        positive(
            "slider.contact_stiffness", None, "Pa/m",
            "of a flexible slider's faces; default from modulus and mesh",
        ),
        non_negative(
            "slider.contact_damping", 2.5, "s/m",
            "of its faces: 2.5 is the rigid slider's law at its first impact",
        ),
        quantity("clearance", 1e-3, "between slider and guide, on each side"),
        quantity("friction", 0.01, aliases={"joint.friction": 1.0}),
        choice("friction.law", "law of friction", "smooth", "lugre", "true_stick"),
        restitution(default=0.4),
        APPROACH_SPEED,
        choice(
            "drive", "crank: free after the start, or held at its speed", "free", "constant_speed"
        ),
        quantity("crank.rpm", SPEED * 30 / np.pi, "speed of the crank at the start"),
    ],
    settings={"t_end": 0.1, "tolerance": 1e-11},
    summary=summary,
    units={
        "first_contact_time": "s", "first_contact_speed": "m/s", "pin_peak_force": "N",
        "pin_max_penetration": "m",
    } | {f"{what}_{side}": unit for side in SIDES
         for what, unit in (("peak_force", "N"), ("min_film", "m"))},  # fmt: skip
    derived_settings=derived_settings,
    figures=figures.of("slider_guide"),
)  # fmt: skip

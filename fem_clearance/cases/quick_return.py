"""Quick-return mechanism driven through a pair of gears (Tian et al. 2015, section 5.2).

The pinion's shaft runs in the bearings A and D, the gear's in C and F; beyond F it carries the
crank, whose pin slides along a rod on a pivot E. All axes are along x. What the paper omits is
assumed here, see docs/quick_return.md.
"""

from typing import Any

import numpy as np

import fem_clearance as fc
from fem_clearance import gears

from . import figures
from .parts import shaft_bearings
from .parts.bars import bar
from .parts.joints import no_strain_energy, zero
from .parts.parameters import SECTION_MODEL, choice, non_negative, positive, quantity
from .parts.shaft_bearings import NU, RADIUS, RHO, WIDTH

#: table 2 of the paper, SI; ROD is the rod's radius
TEETH, MODULE, ANGLE, GEAR_MASS, GEAR_INERTIA = 28, 3.383e-3, np.radians(20), 1.84, 0.0018
SHAFT, ROD, LENGTH, ROD_RHO, OVERHANG, PIVOT = 0.268, 0.025, 1.0, 3641.5, 0.023, 0.59997
#: extremes of the Fourier and rectangular stiffness, N/m; modulus of the gears, Pa; damping ratio
LARGEST, SMALLEST, GEAR_E, DAMPING = 1.2e8, 0.72e8, 2.07e11, 0.1
CENTRES = TEETH * MODULE
X, Z = (1, 0, 0), (0, 0, 1)
#: from the centre of the pinion's shaft down to that of the gear's, m
DOWN = np.array([0, 0, -CENTRES])
#: from the middle of a bearing at the shaft's end to the crank
STUB = WIDTH / 2 + OVERHANG
#: the crank's centre B and the rod's pivot E
B = DOWN + [SHAFT / 2 + STUB, 0, 0]
E = B - [0, 0, PIVOT]
#: bearing -> place of its middle: those of the pinion's shaft, those of the gear's
PLACES = {
    "A": np.array([-SHAFT / 2, 0, 0]),
    "D": np.array([SHAFT / 2, 0, 0]),
    "C": DOWN - [SHAFT / 2, 0, 0],
    "F": DOWN + [SHAFT / 2, 0, 0],
}


def build(p):
    if PIVOT + p["crank.length"] > LENGTH or p["crank.length"] >= PIVOT:
        raise p.error(
            "crank.length",
            f"the pin would leave the rod, which is {LENGTH:g} m long from its pivot; use a "
            "shorter crank.",
        )
    system = fc.System(gravity=(0, 0, -p["gravity"]), up=Z, comm=p.comm)
    rename, derived, speed = {}, [], p["pinion.speed"]
    crank = _crank(system, p)
    _rod(system, p, crank)
    if p["coupled"]:
        _geared(system, p, crank)
        rename["mesh.mesh_force"] = "mesh_force"
        derived += [_orbit(n, x, y) for n in PLACES for x, y in (("x", "y"), ("y", "z"))]
        derived += _powers(p)
    else:
        pivot = system.add(fc.RevoluteJoint(system.ground, crank.at(B), X, name="crank_bearing"))
        system.add(
            fc.RotationDriver(pivot.i, pivot.j, X, fc.functions.Linear(-speed), name="drive")
        )
        why = "the crank is driven without gears"
        derived += [zero(f"journal.{n}.{x}", "m", why) for n in PLACES for x in "xy"]
        derived.append(zero("mesh_force", "N", why))
    system.add(
        fc.AngleProbe(system.ground, crank.at(B), (-1, 0, 0), initial=-np.pi / 2, name="crank")
    )
    system.add(fc.Probe(_pin(p, crank), name="pin"))
    derived += [
        fc.Derived("rod_tip.deflection", "m", "of the tip from the line from E to the pin", bent),
        fc.Derived(
            "rod_tip.deviation", "m", "of the tip from the rigid mechanism's, in ideal bearings",
            lambda c: deviation(c, p["pinion.speed"], p["crank.length"]),
        ),
    ]  # fmt: skip
    if p["rod.model"] == "rigid" and not p["coupled"]:
        derived.append(no_strain_energy("all bodies are rigid"))
    return fc.Model(system, rename, derived)


def _orbit(name: str, x: str, along: str) -> fc.Derived:
    """Displacement of a journal from the middle of its bearing."""
    start = float(PLACES[name]["xyz".index(along)])
    return fc.Derived(
        f"journal.{name}.{x}", "m", f"of the journal's centre from the bearing's, along {along}",
        lambda c: c[f"shaft.{name}.{along}"] - start,
    )  # fmt: skip


def _powers(p) -> list[fc.Derived]:
    """Powers that are lost, or fed in besides that of the drive."""

    def error(c):
        phase, cycles = 2 * np.pi * c["mesh.mesh_phase"], TEETH * p["pinion.speed"]
        return -c["mesh_force"] * p["transmission_error"] * cycles * np.cos(phase)

    def mesh_loss(c):
        return c["mesh.loss"] + (c["mesh.friction_loss"] if p["friction"] != "none" else 0.0)

    def rod(c):
        damped = p["rod.damping"] and p["rod.model"] != "rigid"
        return c["rod.damping_loss"] if damped else 0.0

    def bearings(c):
        return sum(shaft_bearings.taken(c, n, p) for n in PLACES)

    return [
        fc.Derived("power.transmission_error", "W", "that the gears' error feeds in", error),
        fc.Derived("power.mesh", "W", "lost in the mesh", mesh_loss),
        fc.Derived("power.bearings", "W", "that the shafts give to their bearings", bearings),
        fc.Derived("power.rod", "W", "lost in the rod's material", rod),
    ]


def bent(c):
    """Distance of the rod's tip from the line from E through the pin, positive towards +y."""
    return _off(c, c["pin.y"], c["pin.z"] - E[2])


def deviation(c, speed: float, length: float):
    """The same from the line through the place of the pin in the rigid mechanism with ideal
    bearings, m: the effect of all deformations and clearances."""
    angle = -np.pi / 2 + speed * c["time"]
    return _off(c, length * np.cos(angle), PIVOT - length * np.sin(angle))


def _off(c, y, z):
    """Distance of the tip from the line from E to a point at y, z from E, m."""
    return (c["rod_tip.y"] * z - (c["rod_tip.z"] - E[2]) * y) / np.hypot(y, z)


# --- crank and rod ------------------------------------------------------------------------------
def _crank(system, p):
    """The crank and the end of the shaft that carries it, from F to B: one rigid body, balanced,
    with a massless pin."""
    middle, stub = B - [STUB / 2, 0, 0], fc.shapes.Cylinder(RADIUS, STUB)
    mass, arm = RHO * stub.volume, p["crank.length"]
    # for pictures also the crank's disc and its pin, which passes through the rod
    disc = fc.shapes.Disc(arm + RADIUS, 0.4 * OVERHANG, X, position=(STUB / 2 - OVERHANG / 2, 0, 0))
    pin = fc.shapes.Cylinder(0.5 * RADIUS, 3 * ROD, position=(STUB / 2, 0, arm))
    return system.add(
        fc.RigidBody(
            mass, stub.inertia(mass), position=middle, shape=[stub, disc, pin],
            angular_velocity=(-p["pinion.speed"], 0, 0), name="crank_body",
        )
    )  # fmt: skip


def _pin(p, crank):
    return crank.at(B + [0, 0, p["crank.length"]])


def _rod(system, p, crank):
    """The rod on its pivot, with the velocity in the rigid mechanism."""
    top, pin, length = E + [0, 0, LENGTH], _pin(p, crank), p["crank.length"]
    rate = -p["pinion.speed"] * length / (PIVOT + length)
    motion: dict[str, Any] = {
        "velocity": (0, -rate * LENGTH / 2, 0), "angular_velocity": (rate, 0, 0), "name": "rod",
    }  # fmt: skip
    material = fc.StVenantKirchhoff(E=p["rod.E"], nu=NU, rho=ROD_RHO)
    rod = bar(
        system, p, "rod", E, top, fc.Circle(ROD), material, damping=p["rod.damping"],
        orientation=np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), **motion,
    )  # fmt: skip
    if p["rod.model"] == "rigid":
        system.add(fc.PointOnLine(rod.at(pin.position), pin, Z, name="slide"))
    else:
        system.add(fc.SlidingJoint(rod, pin, name="slide"))
    # the slider holds the rod out of plane
    system.add(fc.UniversalJoint(system.ground, rod.at(E), X, (0, 1, 0), name="pivot"))
    system.add(fc.Probe(rod.at(top), name="rod_tip"))


# --- gears, shafts and bearings -----------------------------------------------------------------
def _geared(system, p, crank):
    speed, bodies = p["pinion.speed"], []
    for name, at, turns, bearings in (
        ("pinion", np.zeros(3), speed, "AD"), ("gear", DOWN, -speed, "CF")
    ):  # fmt: skip
        shaft = _shaft(system, p, f"{name}_shaft", at, turns)
        across = GEAR_INERTIA / 2 + GEAR_MASS * width() ** 2 / 12
        hub = fc.shapes.Disc(1.5 * RADIUS, 1.4 * width(), X, bore=RADIUS)  # the mesh shows teeth
        body = system.add(
            fc.RigidBody(GEAR_MASS, (GEAR_INERTIA, across, across), position=at, shape=hub,
                         angular_velocity=(turns, 0, 0), name=name)
        )  # fmt: skip
        system.add(fc.FixedJoint(shaft.at(at), body.center, X, name=f"{name}_seat"))
        shaft_bearings.add(system, p, {n: (PLACES[n], shaft.at(PLACES[n])) for n in bearings})
        bodies.append((body, shaft))
    (pinion, _), (gear, shaft) = bodies
    system.add(fc.FixedJoint(shaft.at(PLACES["F"]), crank.at(PLACES["F"]), X, name="crank_seat"))
    system.add(
        fc.RotationDriver(system.ground, pinion.center, X, fc.functions.Linear(speed), name="drive")
    )
    pair = mesh()
    system.add(
        gears.GearPair(
            pinion.center, gear.center, X, mesh=pair, stiffness=stiffness(p), damping=DAMPING,
            mass=gears.equivalent_mass(pair, (GEAR_INERTIA,) * 2), friction=friction(p),
            load=p["friction.load"] if p["friction"] == "ehd" else None, backlash=p["backlash"],
            transmission_error=p["transmission_error"], speed=speed, name="mesh",
        )
    )  # fmt: skip


def width() -> float:
    """Face width of a steel disc of the base circle with the gear's mass, m."""
    return GEAR_MASS / (RHO * np.pi * (CENTRES / 2 * np.cos(ANGLE)) ** 2)


def mesh() -> gears.GearMesh:
    """Both gears, which are identical."""
    wheel = gears.SpurGear(TEETH, MODULE, ANGLE, width(), bore_radius=RADIUS)
    return gears.GearMesh(wheel, wheel, CENTRES)


def stiffness(p) -> gears.MeshStiffness:
    """The law of the mesh's stiffness."""
    if p["stiffness"] == "constant":
        return gears.ConstantStiffness(p["stiffness.constant"])
    if p["stiffness"] == "chaari":
        return gears.ChaariStiffness(GEAR_E, NU)
    if p["stiffness"] == "fe":
        return gears.FiniteElementStiffness(GEAR_E, NU, p["friction.load"])
    pair = mesh()
    double = pair.path_length / pair.base_pitch - 1  # part of the cycle with two pairs
    mean = SMALLEST + (LARGEST - SMALLEST) * double
    if p["stiffness"] == "rectangular":
        return gears.RectangularStiffness(LARGEST, mean)
    return gears.FourierStiffness(LARGEST, mean, p["fourier.order"])


def friction(p) -> gears.ToothFriction | None:
    """The law of the teeth's friction."""
    if p["friction"] == "none":
        return None
    if p["friction"] == "constant":
        return gears.ConstantFriction(p["friction.mu"])
    return gears.EHDFriction(p["oil.viscosity"], p["oil.roughness"], GEAR_E, NU)


def _shaft(system, p, name: str, at, turns: float) -> Any:
    if p["shaft.elements"] % 2 and p["shaft.model"] != "rigid":
        raise p.error(
            "shaft.elements",
            "it must be even, so that there is a node in the middle for the gears.",
        )
    half = np.array([SHAFT / 2, 0, 0])
    material = fc.StVenantKirchhoff(E=p["shaft.E"], nu=NU, rho=RHO)
    return bar(
        system, p, "shaft", at - half, at + half, fc.Circle(RADIUS), material,
        angular_velocity=(turns, 0, 0), name=name,
    )  # fmt: skip


# --- after a run --------------------------------------------------------------------------------
def summary(results, events):
    """Largest deflection of the rod's tip and the crank angle there; further extremes."""
    size = np.abs(results["rod_tip.deflection"])
    k = int(np.argmax(size))
    return {
        "max_tip_deflection": float(size[k]),
        "max_tip_deflection_angle_deg": float(results["crank.angle_deg"][k]),
        "max_tip_deviation": float(np.abs(results["rod_tip.deviation"]).max()),
        "max_mesh_force": float(np.abs(results["mesh_force"]).max()),
    }


def derived_settings(values):
    """The run lasts for the turns of the crank; warm films cavitate by Reynolds' condition."""
    warm = {"cavitation": "reynolds"} if values["thermal"] != "none" else {}
    return {"t_end": 2 * np.pi * values["turns"] / values["pinion.speed"]} | warm


case = fc.Case(
    "quick_return",
    "quick-return mechanism driven through gears on flexible shafts (Tian et al. 2015, 5.2)",
    build,
    [
        fc.Parameter(
            "coupled", True, text="driven through the gears, or the crank driven directly"
        ),
        choice(
            "stiffness", "law of the mesh's stiffness", "constant", "rectangular", "fourier",
            "chaari", "fe",
        ),
        positive("stiffness.constant", 1e8, "N/m", "where it is constant"),
        quantity("fourier.order", 15),
        choice(
            "friction", "of the teeth: none, a constant coefficient, or lubricated", "none",
            "constant", "ehd",
        ),
        quantity("friction.mu", 0.1),
        quantity("friction.load", 1000.0, "ehd, fe: force of the mesh"),
        quantity("oil.viscosity", 0.01, "ehd: of the teeth's oil"),
        quantity("oil.roughness", 7e-8, "ehd: rms of both flanks"),
        quantity("transmission_error", 1.8e-4),
        quantity("backlash", None),
        *shaft_bearings.PARAMETERS,
        quantity("pinion.speed", 100.0, "speed of the drive"),
        positive("crank.length", 0.0059997, "m", "from B to the pin"),
        choice("shaft.model", "both shafts", "ancf", "rigid"),
        quantity("shaft.E", 7e10),
        SECTION_MODEL,
        quantity("shaft.elements", 4, "of each shaft"),
        choice("rod.model", "the rod", "ancf", "rigid"),
        quantity("rod.E", 7e10),
        quantity("rod.elements", 12, "of the rod"),
        quantity("rod.damping", 0.0),
        non_negative("gravity", 0.0, "m/s^2", "along -z"),
        positive("turns", 1.0, "", "turns of the crank"),
    ],
    settings={"adaptive": False, "dt": 2e-5},
    summary=summary,
    units={
        "max_tip_deflection": "m", "max_tip_deflection_angle_deg": "deg",
        "max_tip_deviation": "m", "max_mesh_force": "N",
    },  # fmt: skip
    figures=figures.of("quick_return"),
    derived_settings=derived_settings,
)  # fmt: skip

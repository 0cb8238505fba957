"""A pair of rigid spur gears with the stiffness of its teeth (Tian et al. 2015, section 5.1)."""

from math import ceil

import numpy as np

import fem_clearance as fc
from fem_clearance import checks, gears

from . import figures
from .parts.parameters import choice, non_negative, positive, quantity, turning

#: table 1 of the paper; radii of the addendum and dedendum circles as printed
MODULE, ANGLE, WIDTH, CENTRES = 3.175e-3, np.radians(25), 3.175e-2, 8.89e-2
TEETH, INERTIAS, MASSES = (25, 31), (9.579e-4, 2.26e-3), (1.1766, 1.8209)
TIPS, ROOTS, BORES = (0.0428, 0.0523), (0.0357, 0.0452), (0.0085, 0.0108)
TORQUE, DAMPING, RATIO = 226.0, 0.1, 1.433
LARGEST, MEAN = 7.2e8, 5.568e8  # N/m
E, NU = 2.069e11, 0.3
AXIS = (0, 0, 1)


def teeth(number: int, tip: float | None = None) -> gears.SpurGear:
    """The pinion (0) or the gear (1); by default with full addenda, which exceed the printed tip
    radii."""
    reference = MODULE * TEETH[number] / 2
    return gears.SpurGear(
        TEETH[number], MODULE, ANGLE, WIDTH, tip_radius=tip,
        dedendum=(reference - ROOTS[number]) / MODULE, bore_radius=BORES[number],
    )  # fmt: skip


def mesh(approach: str = "printed") -> gears.GearMesh:
    """Both gears in mesh, with the contact ratio of the paper. The path of approach is half the
    path of contact, as printed, or that of the printed radii (errata)."""
    tips = TIPS if approach == "exact" else (None, None)
    return gears.GearMesh(teeth(0, tips[0]), teeth(1, tips[1]), CENTRES, RATIO, approach)


def stiffness(p) -> gears.MeshStiffness:
    """The law of the mesh's stiffness."""
    if p["stiffness"] == "constant":
        return gears.ConstantStiffness(MEAN)
    if p["stiffness"] == "rectangular":
        return gears.RectangularStiffness(LARGEST, MEAN)
    if p["stiffness"] == "fourier":
        return gears.FourierStiffness(LARGEST, MEAN, p["fourier.order"])
    if p["stiffness"] == "chaari":
        return gears.ChaariStiffness(E, NU, p["stiffness.fillet"], p["stiffness.scale"])
    if not p["stiffness.fillet"]:
        raise p.error(
            "stiffness.fillet", "finite elements always include the fillet; leave it at true."
        )
    return gears.FiniteElementStiffness(E, NU, load=force(p))


def friction(p) -> gears.ToothFriction:
    """The law of friction; ``none`` is a coefficient of 0, which has the same forms."""
    smoothing = p["friction.smoothing"]
    if p["friction"] == "ehd":
        return gears.EHDFriction(p["oil.viscosity"], p["oil.roughness"], E, NU, smoothing=smoothing)
    mu = p["friction.mu"] if p["friction"] == "constant" else 0.0
    return gears.ConstantFriction(mu, smoothing=smoothing)


def force(p) -> float:
    """Mean force of the mesh, N."""
    return p["pinion.torque"] / teeth(0).base_radius


def build(p):
    pair, law = mesh(p["approach"]), stiffness(p)
    speed, ratio = _speed(p), TEETH[0] / TEETH[1]
    system = fc.System(gravity=(0, 0, 0), up=(0, 1, 0), comm=p.comm)
    pinion = _gear(system, p, 0, np.zeros(3), speed)
    gear = _gear(system, p, 1, np.array([CENTRES, 0, 0]), -speed * ratio)
    radii = [g.base_radius for g in (pair.pinion, pair.gear)]
    weights = np.array([INERTIAS[0] * radii[1], -INERTIAS[1] * radii[0]])
    mean = weights @ (speed, -speed * ratio) / np.abs(weights).sum()
    system.add(
        gears.MeanRotationDriver(pinion, gear, AXIS, weights=weights, speed=mean, name="drive")
    )
    start = force(p) / float(law.total(pair, 0.0))
    system.add(
        gears.GearPair(
            pinion, gear, AXIS, mesh=pair, stiffness=law, damping=DAMPING,
            mass=gears.equivalent_mass(pair, INERTIAS), friction=friction(p), load=force(p),
            transmission_error=p["transmission_error"], backlash=p["backlash"], speed=speed,
            initial=start, name="mesh",
        )
    )  # fmt: skip
    own = ("transmission_error", "mesh_phase", "mesh_force", "mesh_stiffness", "friction_force")
    return fc.Model(system, {f"mesh.{name}": name for name in own})


def _gear(system, p, number: int, position, turns: float):
    """Add the pinion (0) or the gear (1) with bearing and torque; returns its middle frame."""
    name = ("pinion", "gear")[number]
    along = INERTIAS[number]
    across = along / 2 + MASSES[number] * WIDTH**2 / 12
    body = system.add(
        fc.RigidBody(
            MASSES[number], (across, across, along), position=position,
            angular_velocity=(0, 0, turns), shape=_hub(number), name=name,
        )
    )  # fmt: skip
    system.add(fc.RevoluteJoint(system.ground, body.center, axis=AXIS, name=f"{name}_bearing"))
    # both torques press the flanks together, in proportion to the numbers of teeth (errata)
    torque = p["pinion.torque"] / (1 if number == 0 else TEETH[0] / TEETH[1])
    system.add(fc.Torque(body.center, (0, 0, torque), name=f"{name}_load"))
    return body.center


def _hub(number: int) -> fc.shapes.Disc:
    """Appearance of a gear's body without its teeth, which the mesh shows."""
    bore = BORES[number]
    return fc.shapes.Disc(1.7 * bore, 1.3 * WIDTH, axis=AXIS, bore=bore)


def _speed(p) -> float:
    """Speed of the pinion, rad/s."""
    return 2 * np.pi * p["pinion.rpm"] / 60


def cycle(values) -> float:
    """Duration of a mesh cycle, s."""
    return 60 / (values["pinion.rpm"] * TEETH[0])


def _cycles(values) -> int:
    """Number of mesh cycles: as given, or one more than twenty time constants of the transient."""
    if values["cycles"] is not None:
        return values["cycles"]
    decay = 1 / (DAMPING * np.sqrt(MEAN / gears.equivalent_mass(mesh(), INERTIAS)))
    return max(2, 1 + ceil(20 * decay / cycle(values)))


def derived_settings(values):
    """The run lasts for the mesh cycles."""
    return {"t_end": cycle(values) * _cycles(values)}


def summary(results, events):
    """Extremes over every step of the last whole mesh cycle, and the factor by which the largest
    force of the mesh exceeds its mean."""
    time, phase = results.time, results["mesh_phase"]
    begun = np.flatnonzero(np.diff(phase) < -0.5)
    # the last cycle may have ended at the last step, or have been cut short
    ends = [int(k) + 1 for k in begun]
    if phase[-1] > 0.999:
        ends.append(len(time) - 1)
    if len(ends) < 2:
        return {"dte_min": None, "dte_max": None, "dynamic_factor": None}
    last = slice(ends[-2], ends[-1] + 1)
    error, mesh_force = results["transmission_error"][last], results["mesh_force"][last]
    span = time[last][-1] - time[last][0]
    mean = np.trapezoid(mesh_force, time[last]) / span
    return {
        "dte_min": float(error.min()),
        "dte_max": float(error.max()),
        "dynamic_factor": float(mesh_force.max() / mean),
    }


case = fc.Case(
    "spur_gear_pair",
    "pair of spur gears with mesh stiffness, tooth friction and backlash (Tian et al. 2015)",
    build,
    [
        choice(
            "stiffness", "law of the mesh's stiffness", "rectangular", "constant", "fourier",
            "chaari", "fe",
        ),
        fc.Parameter(
            "stiffness.fillet", True, text="chaari: teeth with their fillets, or radial flanks"
        ),
        positive("stiffness.scale", 1.0, "", "chaari: factor of the stiffness"),
        quantity("fourier.order", 15),
        choice(
            "friction", "of the teeth: none, a constant coefficient, or lubricated (Xu)", "none",
            "constant", "ehd",
        ),
        quantity("friction.mu", 0.1),
        non_negative(
            "friction.smoothing", 0.0, "",
            "width of the reversal at the pitch point, in base pitches; 0: a jump",
        ),
        quantity("oil.viscosity", 0.01),
        quantity("oil.roughness", 7e-8),
        quantity(
            "pinion.rpm", 1500.0, "nominal speed", check=turning("gears at rest have no cycles")
        ),
        positive("pinion.torque", TORQUE, "N m", "driving torque"),
        quantity(
            "transmission_error", 0.0,
            "amplitude of the unloaded gears' error, a sine of the mesh cycle",
        ),
        quantity("backlash", None),
        choice(
            "approach", "path of approach: half of the path of contact, or from the radii",
            "printed", "exact",
        ),
        fc.Parameter(
            "cycles", None, text="mesh cycles; default: until steady, at least 2",
            check=checks.count, type=int,
        ),
    ],
    settings={"tolerance": 1e-10},
    summary=summary,
    units={"dte_min": "m", "dte_max": "m"},
    figures=figures.of("gears"),
    derived_settings=derived_settings,
)  # fmt: skip

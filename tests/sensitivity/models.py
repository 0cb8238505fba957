"""Models of a few numbers, for derivatives by them."""

import numpy as np

import fem_clearance as fc
from fem_clearance import lubrication


def beam(p):
    """A pendulum of a soft beam."""
    system = fc.System(gravity=(0, -9.81, 0))
    material = fc.StVenantKirchhoff(E=p["E"], nu=0.3, rho=p["rho"])
    section = fc.Rectangle(p["width"], 0.02)
    body = fc.Beam(
        (0, 0, 0), (p["length"], 0, 0), section, material, elements=6, damping=p["damping"],
        name="beam",
    )  # fmt: skip
    system.add(body)
    system.add(fc.SphericalJoint(system.ground, body.start, name="pivot"))
    system.add(fc.Probe(body.end, name="tip"))
    return system


BEAM = {"E": 6e7, "rho": 6000.0, "damping": 1e-3, "length": 1.0, "width": 0.02}


def pendulum(p):
    """An arm in a spherical clearance joint."""
    system = fc.System(gravity=(0, -9.81, 0))
    d = np.array([np.cos(p["angle"]), np.sin(p["angle"]), 0])
    arm = system.add(
        fc.RigidBody(
            mass=1.0, inertia=(1e-3, 0.083, 0.083), position=0.5 * d,
            orientation=(0, 0, p["angle"]), name="arm",
        )
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), arm.at((0, 0, 0)), socket_radius=0.02,
            ball_radius=0.02 - p["clearance"], stiffness=p["stiffness"], name="joint",
            normal=fc.LankaraniNikravesh(restitution=p["restitution"]),
        )
    )  # fmt: skip
    system.add(fc.Probe(arm.at(tuple(d)), name="tip"))
    return system


PENDULUM = {"stiffness": 1e6, "restitution": 0.9, "clearance": 1e-3, "angle": 0.2}


def bounce(p):
    """A ball that falls freely from a height on the inside of a socket, without gravity."""
    system = fc.System(gravity=(0, 0, 0))
    start, speed = (0, p["height"] - 0.1, 0), p.get("speed", 1.0)
    ball = fc.RigidBody(
        mass=1.0, inertia=(1e-2,) * 3, position=start, velocity=(0, -speed, 0), name="ball",
        free=True,
    )  # fmt: skip
    system.add(ball)
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=0.5, ball_radius=0.4,
            normal=fc.Hertz(), stiffness=1e6, name="joint",
        )
    )  # fmt: skip
    return system


#: stiffness of the contact of two balls, N/m^1.5, and its duration for equal masses of 1 kg at
#: 1 m/s: 2.94328 (1.25 m / K)^0.4 v^-0.2, m = 1/2 (Johnson, Contact Mechanics, 11.1)
STIFFNESS = 1e6
DURATION = 2.94328 * (1.25 * 0.5 / STIFFNESS) ** 0.4


def balls(p):
    """A ball flies against the wall of a free socket of the same mass: equal elastic balls."""
    system = fc.System(gravity=(0, 0, 0))
    one, two = (
        system.add(
            fc.RigidBody(
                mass=1.0, inertia=(1e-2,) * 3, position=(x, 0, 0), velocity=(v, 0, 0), name=name,
                free=True,
            )
        )
        for name, x, v in (("one", p["x1"], p["v1"]), ("two", p["x2"] - 0.6, p["v2"]))
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            two.center, one.center, socket_radius=1.1, ball_radius=0.6, normal=fc.Hertz(),
            stiffness=STIFFNESS, name="joint",
        )
    )  # fmt: skip
    return system


def journal(cavitation):
    """A journal that falls in an oil film."""

    def build(p):
        film = lubrication.Film(
            lubrication.cylinder(15e-3, 14e-3, (24, 4)), p["clearance"],
            lubrication.Lubricant(p["viscosity"]), sliding_speed=15.0, cavitation=cavitation,
        )  # fmt: skip
        system = fc.System(gravity=(0, -9.81, 0))
        pin = system.add(
            fc.RigidBody(
                mass=1.0, inertia=(1e-4,) * 3, position=(0.2e-4, 0, 0),
                angular_velocity=(0, 0, 1000.0), name="journal", free=True,
            )
        )  # fmt: skip
        ground = system.ground.at((0, 0, 0))
        system.add(
            lubrication.CylindricalFilm(ground, pin.center, (0, 0, 1), film=film, name="bearing")
        )
        return system

    return build


JOURNAL = {"viscosity": 0.04, "clearance": 1e-4}


def outputs_of(model, values, of, **settings):
    """Values of channels at the end of a run."""
    results = fc.Simulation(model(values), progress=False, fields_every=0, **settings).run()
    return np.array([results[name][-1] for name in of])


def differences(model, values, of, part, **settings):
    """Central differences of fourth order of whole runs, outputs x parameters."""
    columns = []
    for name, value in values.items():
        d = part * value
        ends = [
            factor / d * outputs_of(model, {**values, name: value + k * d}, of, **settings)
            for k, factor in ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
        ]
        columns.append(np.sum(ends, axis=0))
    return np.array(columns).T


def driven_wall(p):
    """A free ball flies at ``speed`` towards a socket of infinite mass that a driver moves towards
    it by w t + s t^2 / 2; both begin ``gap`` apart."""
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(
        fc.RigidBody(
            mass=1.0,
            inertia=(1e-2,) * 3,
            position=(0, 0, 0),
            velocity=(p["speed"], 0, 0),
            name="ball",
            free=True,
        )
    )
    wall = system.add(
        fc.RigidBody(
            mass=3.0, inertia=(1e-1,) * 3, position=(p["gap"] - 0.5, 0, 0),
            velocity=(-p["wall"], 0, 0), name="wall",
        )
    )  # fmt: skip
    system.add(fc.PrismaticJoint(system.ground.at((0, 0, 0)), wall.center, axis=(1, 0, 0)))
    path = fc.functions.Linear(-p["wall"])
    system.add(
        fc.TranslationDriver(
            system.ground.at((0, 0, 0)), wall.center, axis=(1, 0, 0), displacement=path,
            name="driver",
        )
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            wall.center, ball.center, socket_radius=1.1, ball_radius=0.6, normal=fc.Hertz(),
            stiffness=STIFFNESS, name="joint",
        )
    )  # fmt: skip
    return system


def driven_beam(p):
    """A soft beam turned by a driver."""
    system = fc.System(gravity=(0, -9.81, 0))
    material = fc.StVenantKirchhoff(E=p["E"], nu=0.3, rho=6000.0)
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), material, elements=4, name="beam")
    )
    ground = system.ground.at((0, 0, 0))
    system.add(fc.RevoluteJoint(ground, beam.start, axis=(0, 0, 1), name="pivot"))
    turn = fc.functions.Harmonic(p["amplitude"], p["frequency"])
    system.add(fc.RotationDriver(ground, beam.start, axis=(0, 0, 1), angle=turn, name="driver"))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


def bar(p):
    """A solid that hangs sideways from a wall; its nodes are numbered by their places."""
    system = fc.System(gravity=(0, -9.81, 0))
    mesh = fc.meshes.block((p["length"], 0.1, 0.1), cells=(5, 1, 1))
    material = fc.StVenantKirchhoff(E=p["E"], nu=0.3, rho=p["density"])
    system.add(fc.Solid(mesh, material, clamped="x0", name="bar"))
    return system


def condensed(p):
    """A rod of one condensed solid."""
    system = fc.System(gravity=(0, 0, 0))
    material = fc.LinearElastic(p["E"], 0.0, 8000.0)
    rod = fc.CondensedSolid(
        fc.meshes.block((0.4, 0.02), (16, 1), center=(0.2, 0, 0)), material, state="plane_strain",
        clamped={"x0": "x", "y0": "y", "y1": "y"}, facets="x1", inertia=True, name="rod",
    )  # fmt: skip
    system.add(rod)
    system.add(fc.Traction(rod.facets("x1"), (p["pull"], 0, 0), name="pull"))
    return system

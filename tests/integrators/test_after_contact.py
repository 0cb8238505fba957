"""What contacts leave behind in time integration: energy of flights, restitution, step guards."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.gears import equivalent_mass

G = 9.81
RADII = (0.0, 0.5, 0.8, 0.9, 0.95)
SCHEMES = [
    *(pytest.param(fc.GeneralizedAlpha(r), id=f"alpha {r}") for r in RADII),
    pytest.param(fc.GeneralizedAlpha(1.0, "stabilised"), id="alpha 1 stabilised"),
    pytest.param(fc.GeneralizedAlpha(0.8, "stabilised"), id="alpha 0.8 stabilised"),
    pytest.param(fc.Bathe(), id="Bathe"),
]


def ball(height, normal, stiffness=1e9, mass=1.0, velocity=(0, 0, 0), **options):
    """A ball that falls by ``height`` onto a much larger socket."""
    system = fc.System(gravity=(0, -G, 0))
    body = system.add(
        fc.RigidBody(mass, (1e-3,) * 3, position=(0, 0, 0), velocity=velocity, name="ball",
                     free=True)
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), body.center, socket_radius=height + 0.05,
            ball_radius=0.05, stiffness=stiffness, normal=normal, name="joint", **options,
        )
    )  # fmt: skip
    return system


def flights(results, depth, energy):
    """Least and largest energy of each stretch of more than three rows in which nothing touches."""
    free = results[depth] <= 0 if isinstance(depth, str) else depth <= 0
    changes = np.flatnonzero(np.diff(free.astype(int))) + 1
    pieces = [k for k in np.split(np.arange(len(free)), changes) if free[k[0]] and len(k) > 3]
    return np.array([(energy[k].min(), energy[k].max()) for k in pieces])


@pytest.mark.parametrize("integrator", SCHEMES)
def test_energy_of_flights(integrator):
    """An elastic ball that falls 10 m, ten seconds at default settings. Every second-order scheme
    is exact in flight (constant acceleration) and the law is elastic: the energy above the socket
    stays m g h, in each flight that of the last within 0.2 % (1 % where the highest frequencies are
    removed at once)."""
    height = 10.0
    results = fc.Simulation(ball(height, fc.Hertz()), integrator, t_end=10.0).run()
    energy = flights(results, "joint.penetration", results["energy.total"]) / (G * height) + 1
    assert len(energy) >= 4
    allowed = 1e-2 if getattr(integrator, "rho_inf", 1.0) == 0 else 2e-3
    assert np.ptp(energy, axis=1).max() < allowed
    assert np.abs(np.diff(energy.mean(axis=1))).max() < allowed
    assert len(results.time) < 600


@pytest.mark.parametrize("integrator", [s for s in SCHEMES if s.id != "alpha 0.0"])
@pytest.mark.parametrize("restitution", [0.5, 0.9])
def test_restitution_of_six_bounces(integrator, restitution):
    """Each of the first six bounces returns the coefficient within 0.3 %: the square root of what
    is left of the energy above the socket (which is so stiff that the last and slowest blow still
    carries a thousand times the weight)."""
    law = fc.ExactRestitution(restitution=restitution)
    height, stiffness, t_end = {0.5: (100.0, 1e12, 13.5), 0.9: (1.0, 1e9, 4.4)}[restitution]
    results = fc.Simulation(ball(height, law, stiffness), integrator, t_end=t_end).run()
    energy = flights(results, "joint.penetration", results["energy.total"]).mean(axis=1)
    energy = energy / (G * height) + 1
    returned = np.sqrt(energy[1:7] / energy[:6])
    assert len(returned) == 6
    assert returned == pytest.approx(restitution, rel=3e-3)


def _spinning():
    system = fc.System(gravity=(0, -G, 0))
    body = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(0, 0, 0), velocity=(1.0, 0, 0),
                     angular_velocity=(0, 0, 30.0), name="ball", free=True)
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), body.center, socket_radius=0.55, ball_radius=0.05,
            stiffness=1e9, normal=fc.Hertz(), friction=fc.SmoothCoulomb(0.1), name="joint",
        )
    )  # fmt: skip
    return system, ["joint.penetration"], 1.5, False


def _journal():
    system = fc.System(gravity=(0, -G, 0))
    body = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(0, 0, 0), angular_velocity=(0, 0, 3.0), free=True)
    )
    system.add(
        fc.RevoluteClearance(
            system.ground.at((0, 0, 0)), body.center, axis=(0, 0, 1), bearing_radius=0.06,
            journal_radius=0.05, length=0.02, stiffness=1e8, normal=fc.Hertz(), name="joint",
        )
    )  # fmt: skip
    return system, ["joint.penetration"], 0.5, True


def _slider():
    system = fc.System(gravity=(0, -G, 0))
    body = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(0, 0, 0), angular_velocity=(0, 0, 0.5), free=True)
    )
    joint = system.add(
        fc.TranslationalClearance(
            system.ground, body.center, axis=(1, 0, 0), across=(0, 1, 0), length=0.1, height=0.05,
            gap=0.052, stiffness=1e8, normal=fc.Hertz(), name="joint",
        )
    )  # fmt: skip
    return system, [f"joint.{c}.penetration" for c in joint.corners], 0.2, True


@pytest.mark.parametrize("model", [_spinning, _journal, _slider])
@pytest.mark.parametrize(
    "integrator", [s for s in SCHEMES if s.id in ("alpha 0.8", "alpha 0.95", "Bathe")]
)
def test_flights_after_other_touches(model, integrator):
    """After touches with friction and spin, of a journal in its bearing and of a slider in its
    guide, the energy of a flight stays; of elastic laws without friction that of all flights."""
    system, depths, t_end, elastic = model()
    results = fc.Simulation(system, integrator, t_end=t_end).run()
    kinetic, energy = results["energy.kinetic"], results["energy.total"]
    found = flights(results, sum(results[d] for d in depths), energy)
    assert len(found) >= 4
    assert np.ptp(found, axis=1).max() < 1e-4 * kinetic.max()
    assert np.diff(found.mean(axis=1)).max() < 2e-3 * kinetic.max()
    if elastic:
        assert np.abs(np.diff(found.mean(axis=1))).max() < 2e-3 * kinetic.max()


@pytest.mark.parametrize(
    "integrator", [s for s in SCHEMES if s.id in ("alpha 0.5", "alpha 0.8", "Bathe")]
)
def test_flights_after_touches_of_facets(integrator):
    """An elastic block falls 1 mm onto a guide, its face flat: each flight has the energy of the
    last within 0.2 %. Facets are not watched one by one: the tolerance of the coordinates must
    resolve them."""
    system = fc.System(gravity=(0, -G, 0))
    material = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)
    mesh = meshes.block((0.1, 0.05), (2, 1))
    block = system.add(
        fc.Solid(
            mesh,
            material,
            degree=mesh.degree,
            state="plane_strain",
            thickness=0.01,
            free=True,
            name="block",
        )
    )
    system.add(
        fc.GuideContact(
            system.ground.point((0, 0, 0)), block.facets("y0"), axis=(1, 0, 0), across=(0, 1, 0),
            side="lower", gap=0.052, law=fc.Winkler(1e9), name="face",
        )
    )  # fmt: skip
    results = fc.Simulation(system, integrator, t_end=0.12, tolerance=1e-8).run()
    found = flights(results, results["face.normal_force"], results["energy.total"])
    fall = 0.05 * G * 1e-3  # J
    assert len(found) >= 4
    assert np.ptp(found, axis=1).max() < 5e-4 * fall
    assert np.abs(np.diff(found.mean(axis=1))).max() < 2e-3 * fall


PLAY, SLIP = 5e-5, 0.2  # m, m/s along the line of action


@pytest.mark.parametrize(
    "integrator", [s for s in SCHEMES if s.id in ("alpha 0.8", "alpha 0.95", "alpha 1 stabilised")]
)
def test_flights_through_the_backlash_of_gears(integrator):
    """Gears on bearings rattle between both flanks without damping: the energy of the approach in
    each crossing of the play is that of the last within 0.2 %, the flanks touch every
    b / v + pi / omega, as a spring of the mean stiffness does."""
    from fem_clearance.cases import spur_gear_pair as data

    mesh = data.mesh()
    radii = [gear.base_radius for gear in (mesh.pinion, mesh.gear)]
    speeds = (10 + SLIP / radii[0], -10 * mesh.pinion.teeth / mesh.gear.teeth)
    mass = equivalent_mass(mesh, data.INERTIAS)
    system = fc.System(gravity=(0, 0, 0))
    bodies = [
        system.add(
            fc.RigidBody(data.MASSES[k], (data.INERTIAS[k],) * 3, name=f"gear{k}",
                         position=(k * mesh.centre_distance, 0, 0),
                         angular_velocity=(0, 0, speeds[k]))
        )
        for k in (0, 1)
    ]  # fmt: skip
    for body in bodies:
        system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    system.add(
        fc.gears.GearPair(
            *(b.center for b in bodies), (0, 0, 1), mesh=mesh, mass=mass,
            stiffness=fc.gears.ConstantStiffness(data.MEAN), damping=0.0, speed=157.0,
            initial=-PLAY / 2, backlash=PLAY, name="mesh",
        )
    )  # fmt: skip
    results = fc.Simulation(system, integrator, t_end=3e-3).run()
    error = results["mesh.transmission_error"]
    depth = np.maximum(error, -PLAY - error)
    found = flights(results, depth, results["energy.kinetic"] + results["mesh.energy"])
    assert len(found) >= 8
    assert np.abs(np.diff(found, axis=0)).max() < 2e-3 * mass * SLIP**2 / 2
    onsets = [e.time for e in results.events if e.kind == "onset"]
    half = PLAY / SLIP + np.pi / np.sqrt(data.MEAN / mass)
    assert np.diff(onsets) == pytest.approx(half, rel=5e-3)


# --- fixed steps ----------------------------------------------------------------------------------
@pytest.mark.parametrize("dt", [5e-2, 1e-2, 1e-3, 2e-4])
def test_a_fixed_step_is_cut_where_contact_needs_it(dt, caplog):
    """A ball drops 1 m onto a contact of 0.25 ms: whatever the step given, the first three bounces
    return the half within 1 %, nothing is gained, the ball is at rest at the end, the grid is met
    again, and one line names the step."""
    restitution = 0.5
    simulation = fc.Simulation(
        ball(1.0, fc.ExactRestitution(restitution=restitution)), dt=dt, t_end=2.0
    )
    results = simulation.run()
    energy = results["energy.total"]
    assert energy.max() < 1e-9
    assert energy[-1] == pytest.approx(-G, abs=1e-3 * G)
    found = flights(results, "joint.penetration", energy).mean(axis=1) / G + 1
    assert np.sqrt(found[1:4] / found[:3]) == pytest.approx(restitution, rel=1e-2)
    grid = np.arange(1, round(2.0 / dt) + 1) * dt
    met = results.time[np.searchsorted(results.time, grid - 1e-6 * dt)]
    assert met == pytest.approx(grid, abs=1e-9 * dt + 1e-12)
    lines = [r.getMessage() for r in caplog.records if "too long for its contact" in r.getMessage()]
    assert len(lines) == 1 and lines[0].startswith("joint: the fixed step of")
    # 57 steps an oscillation of the first impact: K = 1e9 N/m^1.5, v = 4.43 m/s
    omega = np.sqrt(1.5 * 1e9 * np.sqrt((1.25 * 4.43**2 / 1e9) ** 0.4))
    assert results.summary["contact_steps"]["joint"] == pytest.approx(0.11 / omega, rel=0.5)


def test_a_fine_fixed_step_stays():
    results = fc.Simulation(ball(1e-3, fc.Hertz()), dt=2e-6, t_end=0.02).run()
    assert np.any(results["joint.penetration"] > 0)
    assert "contact_steps" not in results.summary
    assert len(results.time) == 10001


def test_a_pressed_contact_bears_coarse_steps():
    """A ball comes to rest in its socket and is loaded slowly: steps five times the contact's
    1 / omega stay as they are then, and the force is the load."""
    system = fc.System(gravity=(0, -G, 0))
    body = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(0, -1e-3 * (1 - 1e-9), 0), name="ball", free=True)
    )
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), body.center, socket_radius=0.021, ball_radius=0.02,
            normal=fc.KelvinVoigt(stiffness=1e6, damping=2e3), stiffness=1e6, name="joint",
        )
    )  # fmt: skip
    system.add(fc.Force(body.center, (0, -1.0, 0), fc.functions.Linear(1.0)))
    results = fc.Simulation(system, dt=5e-3, t_end=1.0).run()
    assert np.diff(results.time[results.time > 0.05]) == pytest.approx(5e-3, rel=1e-9)
    assert results["joint.normal_force"][-1] == pytest.approx(G + 1, rel=1e-3)

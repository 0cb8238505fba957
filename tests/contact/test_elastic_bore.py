"""A journal in an elastic bore and bodies pressed on elastic blocks: exact pressures, wear and
friction of a press fit, and what is kept in flight."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.meshes.structured import structured

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
R = 0.01


def half_plate(reach, cells=(20, 60)):
    """Half of a plate of 40 R with a hole; 7/10 of the cells round it lie within ``reach``, rad."""

    def place(u):
        angle = np.where(
            u[:, 1] <= 0.7, u[:, 1] / 0.7 * reach, reach + (np.pi - reach) * (u[:, 1] - 0.7) / 0.3
        )
        r = R * (1 + 39 * np.expm1(7 * u[:, 0]) / np.expm1(7))
        return np.column_stack([r * np.cos(angle), r * np.sin(angle), 0 * r])

    names = {(1, 0): "start", (1, 1): "end", (0, 0): "bore", (0, 1): "rim"}
    return structured(cells, place, degree=2, names=names, source="half plate")


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "half, clearance",
    [(10, 1e-5), pytest.param(20, 1e-5, marks=SLOW), (40, 1e-5),
     pytest.param(60, 1e-5, marks=SLOW), (80, 1e-7)],
)  # fmt: skip
def test_rigid_pin_in_an_elastic_bore(half, clearance):
    """Half angle and peak of the pressure against the exact series of ``PinInBore``, which meets
    Persson's closed form (test_conformal.py): 0.5 degrees and 0.5 %."""
    wanted = fc.PinInBore(R, clearance, STEEL).at_angle(np.radians(half))
    reach = min(1.3 * wanted.half_angle, 0.9 * np.pi)
    system = fc.System(gravity=(0, 0, 0))
    plate = system.add(
        fc.Solid(half_plate(reach), STEEL, state="plane_strain", name="plate",
                 clamped={"start": "y", "end": "y", "rim": "xy"})
    )  # fmt: skip
    place = (1.001 * clearance, 0, 0)
    pin = system.add(fc.RigidBody(1.0, (1, 1, 1), position=place, name="pin"))
    system.add(fc.PrismaticJoint(system.ground, pin.center, axis=(1, 0, 0)))
    system.add(fc.Force(pin.center, (wanted.load / 2, 0, 0)))
    law = fc.Winkler(20 * STEEL.E / (reach * R / 42))
    surface = fc.CylinderSurface(pin.center, radius=R - clearance)
    system.add(fc.SurfaceContact(plate.facets("bore"), surface, law=law, name="c"))
    results = fc.Statics(system, steps=3).solve()
    assert results["c.force.x"][-1] == pytest.approx(-wanted.load / 2, rel=1e-6)
    found = results["c.area"][-1] / R
    assert np.degrees(found) == pytest.approx(half, abs=0.5)
    nodes = plate.facets("bore").nodes
    x = (plate.nodes + plate.at_nodes(system.state.q))[nodes]
    x -= system.state.q[pin.refs[0].numbers]
    pressure = law.stiffness * (R - clearance - np.hypot(x[:, 0], x[:, 1]))
    assert pressure.max() == pytest.approx(wanted.peak, rel=5e-3)


def graded(unit, length, fine):
    """Places from 0 to a length, the first ones some ``fine`` apart."""
    steep = np.arcsinh(length / fine / 10) + 1.0
    return length * np.sinh(steep * unit) / np.sinh(steep)


def test_hertz_line():
    """A rigid cylinder on an elastic block of 40 half widths, half of it: half width and peak of
    Hertz's pressure within 1 %."""
    a, radius, fine = 1e-3, 0.1, 5e-5
    modulus = STEEL.E / (1 - STEEL.nu**2)
    load = np.pi * modulus * a**2 / (4 * radius)

    def place(u):
        x, y = graded(u[:, 0], 40 * a, fine), graded(1 - u[:, 1], 40 * a, fine)
        return np.column_stack([x, -y, 0 * x])

    names = {(0, 0): "middle", (1, 0): "bottom", (1, 1): "top"}
    mesh = structured((36, 30), place, degree=2, names=names, source="block")
    system = fc.System(gravity=(0, 0, 0))
    clamped = {"middle": "x", "bottom": "y"}
    block = system.add(fc.Solid(mesh, STEEL, state="plane_strain", clamped=clamped, name="block"))
    body = fc.RigidBody(1.0, (1, 1, 1), position=(0, radius - 1e-8, 0), name="cylinder")
    cylinder = system.add(body)
    system.add(fc.PrismaticJoint(system.ground, cylinder.center, axis=(0, 1, 0)))
    system.add(fc.Force(cylinder.center, (0, -load / 2, 0)))
    law = fc.Winkler(100 * STEEL.E / fine)
    surface = fc.CylinderSurface(cylinder.center, radius=radius)
    system.add(fc.SurfaceContact(block.facets("top"), surface, law=law, resolution=12, name="c"))
    results = fc.Statics(system, steps=4).solve()
    nodes = block.facets("top").nodes
    x = (block.nodes + block.at_nodes(system.state.q))[nodes]
    x -= system.state.q[cylinder.refs[0].numbers]
    peak = law.stiffness * (radius - np.hypot(x[:, 0], x[:, 1])).max()
    assert results["c.area"][-1] == pytest.approx(a, rel=0.01)
    assert peak == pytest.approx(2 * load / (np.pi * a), rel=0.01)


@pytest.mark.slow
def test_hertz_point():
    """A rigid ball on an elastic block of 10 contact radii, a quarter of it: radius of the contact
    a = (3 F R / 4 E*)^(1/3) and peak 3 F / (2 pi a^2) within 1 %."""
    a, radius = 1e-3, 1.0  # strains of 1e-3: at R = 0.05 m the peak is 1.3 % lower
    modulus = STEEL.E / (1 - STEEL.nu**2)
    load = 4 * modulus * a**3 / (3 * radius)

    def place(u):
        x, y, z = (
            10 * a * np.sinh(4.5 * v) / np.sinh(4.5) for v in (u[:, 0], u[:, 1], 1 - u[:, 2])
        )
        return np.column_stack([x, y, -z])

    names = {(0, 0): "x0", (1, 0): "y0", (2, 0): "bottom", (2, 1): "top"}
    mesh = structured((11, 11, 8), place, degree=1, names=names, source="block")
    system = fc.System(gravity=(0, 0, 0))
    clamped = {"x0": "x", "y0": "y", "bottom": "z"}
    block = system.add(fc.Solid(mesh, STEEL, degree=2, clamped=clamped, name="block"))
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(0, 0, radius - 1e-8), name="ball"))
    system.add(fc.PrismaticJoint(system.ground, ball.center, axis=(0, 0, 1)))
    system.add(fc.Force(ball.center, (0, 0, -load / 4)))
    surface = fc.SphereSurface(ball.center, radius=radius)
    contact = fc.SurfaceContact(block.facets("top"), surface, law=fc.Hard(), name="c")
    system.add(contact)
    results = fc.Statics(system, steps=1).solve()
    pressure = system.state.q[contact.block.numbers]
    found = np.sqrt(4 * results["c.area"][-1] / np.pi)
    assert found == pytest.approx(a, rel=0.01)
    assert pressure.max() == pytest.approx(1.5 * load / (np.pi * a**2), rel=0.01)


def flying(friction, cells=(24, 2)):
    """A free rigid journal in the bore of a free elastic ring."""
    system = fc.System(gravity=(0, 0, 0))
    soft = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)
    ring = system.add(
        fc.Solid(meshes.hollow_cylinder(R, 2 * R, 1.0, cells, degree=2), soft, free=True,
                 state="plane_strain", thickness=0.01, name="ring")
    )  # fmt: skip
    pin = system.add(
        fc.RigidBody(0.02, (1e-6,) * 3, velocity=(0.5, 0.2, 0), angular_velocity=(0, 0, 50.0),
                     free=True, name="pin")
    )  # fmt: skip
    system.add(fc.SolidProbe(ring, name="all"))
    surface = fc.CylinderSurface(pin.center, radius=0.99 * R)
    law = fc.Winkler(1e13)
    contact = fc.SurfaceContact(ring.facets("bore"), surface, law=law, friction=friction, name="c")
    system.add(contact)
    return system, pin


@pytest.mark.parametrize(
    "friction",
    [None, fc.SmoothCoulomb(0.2, v0=1e-2),
     pytest.param(fc.SurfaceStick(0.3, 0.2, stiffness=1e12), marks=SLOW),
     pytest.param(fc.LuGre(0.3, 0.2, v_s=0.1, stiffness=1e5, damping=1.0), marks=SLOW)],
    ids=["smooth", "coulomb", "stick", "bristles"],
)  # fmt: skip
def test_what_a_journal_and_a_ring_keep(friction):
    """Linear momentum to round-off and angular momentum to the integrator's error through impacts;
    energy is never above that of the start."""
    system, pin = flying(friction)
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(1.0), dt=2e-6, t_end=8e-4)
    stepper.start()
    state = system.state

    def momenta():
        numbers = np.concatenate([ref.numbers for ref in pin.refs])
        q, v = (z[numbers].reshape(4, 3) for z in (state.q, state.v))
        spin = sum(np.cross(q[k], v[k]) for k in (1, 2, 3)) / 2
        turning = 0.02 * np.cross(q[0], v[0])[2] + 1e-6 * spin[2]
        stepper.channels.read()
        linear = [stepper.channels[f"all.p{x}"] + 0.02 * v[0, k] for k, x in enumerate("xy")]
        return np.array([*linear, stepper.channels["all.Lz"] + turning])

    before, energy, force = momenta(), [stepper.channels["energy.total"]], []
    while stepper.t < stepper.t_end - 1e-12:
        stepper.advance()
        energy.append(stepper.channels["energy.total"])
        force.append(stepper.channels["c.normal_force"])
    assert max(force) > 50.0
    after = momenta()
    assert after[:2] == pytest.approx(before[:2], abs=1e-13 * np.abs(before).max())
    assert after[2] == pytest.approx(before[2], rel=1e-5)
    assert max(energy) < energy[0] * (1 + 1e-9)
    assert energy[-1] < energy[0]


class PressFit:
    """A rigid pin, 5 um larger in radius than the bore of a ring whose rim is held; Lame: with
    u = B (1/r - r/Ro^2), p = B (2 (lam + mu)/Ro^2 + 2 mu/R^2), u(R) + p/K = 5 um. (A quadratic
    cell of 64 round the bore leaves the circle by 2 nm.)"""

    K, OUTER, OVER = 1e15, 0.02, 5e-6
    SHEAR = STEEL.E / (2 * (1 + STEEL.nu))
    LAM = 2 * SHEAR * STEEL.nu / (1 - 2 * STEEL.nu)
    #: opening by pressure, m/Pa
    GIVE = (1 / R - R / OUTER**2) / (2 * (LAM + SHEAR) / OUTER**2 + 2 * SHEAR / R**2) + 1 / K
    PRESSURE = OVER / GIVE

    def __init__(self, turn, **options):
        self.system = fc.System(gravity=(0, 0, 0))
        mesh = meshes.hollow_cylinder(R, self.OUTER, 1.0, (64, 3), degree=2)
        ring = self.system.add(
            fc.Solid(mesh, STEEL, state="plane_strain", clamped="rim", name="ring")
        )
        spin = (0, 0, turn.rate)
        self.pin = self.system.add(fc.RigidBody(1.0, (1, 1, 1), angular_velocity=spin, name="pin"))
        joint = self.system.add(
            fc.RevoluteJoint(self.system.ground, self.pin.center, axis=(0, 0, 1), name="joint")
        )
        self.system.add(fc.RotationDriver(joint.i, joint.j, (0, 0, 1), turn))
        surface = fc.CylinderSurface(self.pin.center, radius=R + self.OVER)
        self.contact = fc.SurfaceContact(
            ring.facets("bore"), surface, law=fc.Winkler(self.K), name="c", **options
        )
        self.system.add(self.contact)

    def stepped(self, dt, t_end):
        fc.Statics(self.system, steps=1, time=0.0).solve()
        stepper = fc.Stepper(self.system, initial=self.system.equilibrium, dt=dt, t_end=t_end)
        stepper.start()
        while stepper.t < t_end - 1e-12:
            stepper.advance()
        stepper.channels.read()
        return stepper.channels


def test_friction_of_a_press_fit():
    """Pressure by Lame, torque mu p 2 pi R^2 against the turning."""
    fit = PressFit(fc.functions.Linear(100.0), friction=fc.SmoothCoulomb(0.1, v0=1e-3))
    see = fit.stepped(2e-5, 1e-4)
    assert see["c.normal_force"] == pytest.approx(2 * np.pi * R * fit.PRESSURE, rel=2e-3)
    torque = 0.1 * fit.PRESSURE * 2 * np.pi * R**2
    assert see["c.moment.z"] == pytest.approx(-torque, rel=2e-3)


@pytest.mark.parametrize("degrees", [1e-3, 0.1])
def test_press_fit_sticks(degrees):
    """The pin is turned: at first springs kt and the ring's shear hold it,
    tau (1/kt + R/2mu (1 - R^2/Ro^2)) = R angle; then mu p slips."""
    kt, angle = 1e14, np.radians(degrees)
    fit = PressFit(fc.functions.Linear(angle), friction=fc.SurfaceStick(0.1, stiffness=kt))
    results = fc.Statics(fit.system, steps=2, time=1.0).solve()
    give = 1 / kt + R / (2 * fit.SHEAR) * (1 - R**2 / fit.OUTER**2)
    tau, limit = R * angle / give, 0.1 * fit.PRESSURE
    assert (tau < limit) == (degrees < 0.01)
    torque = min(tau, limit) * 2 * np.pi * R**2
    assert results["c.moment.z"][-1] == pytest.approx(-torque, rel=2e-3)
    stuck = 2 * np.pi * R if tau < limit else 0.0
    assert results["c.stuck_area"][-1] == pytest.approx(stuck, abs=1e-6)


def test_wear_of_a_press_fit():
    """Archard's dh/dt = k/H p v with p = (5 um - h) / give: h = 5 um (1 - exp(-k/H v t / give))."""
    law, speed, time = fc.Archard(1e-3, 1e9), 100.0 * R, 2e-3
    fit = PressFit(fc.functions.Linear(100.0), wear=fc.SurfaceWear(law, repeat=1.0))
    see = fit.stepped(5e-5, time)
    depth = fit.OVER * -np.expm1(-law.rate * speed * time / fit.GIVE)
    assert depth > 0.01 * fit.OVER
    worn = fit.contact.worn_depths(fit.system)
    assert worn == pytest.approx(depth, rel=1e-2)
    assert worn.mean() == pytest.approx(depth, rel=2e-3)
    assert see["c.worn_volume"] == pytest.approx(2 * np.pi * R * depth, rel=2e-3)

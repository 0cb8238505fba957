"""Derivatives of equilibria and of small motions about them, against closed forms."""

import numpy as np
import pytest

import fem_clearance as fc


def derived(model, at, of, **options):
    """Forward derivatives; those of the adjoint equations are the same to 1e-9."""
    s = fc.SteadySensitivity(model, at=at, of=of, **options)
    d, a = s.forward(), s.adjoint()
    largest = np.abs(d.scaled).max(axis=1, keepdims=True)
    assert np.all(np.abs(a.scaled - d.scaled) <= 1e-9 * largest)
    return s, d


def exponents(d):
    """Relative change by relative change."""
    return d.scaled / d.values[:, None]


def second_order(s, direction, least=1e-9):
    """What the derivative leaves falls with order 2 over two decades (1e-1 to 1e-3)."""
    test = s.check(direction)
    for orders, left in zip(test.orders.T, test.remainders.T, strict=True):
        assert left[-1] > least * np.abs(left).max() * 1e-4
        assert orders[1:] == pytest.approx(2.0, abs=0.1)


def cantilever(p):
    """Clamped at the origin; the load acts along y, so that ``width`` (y) bends."""
    system = fc.System((0, 0, 0))
    steel = fc.StVenantKirchhoff(E=p["E"], nu=0.0, rho=p["rho"])
    section = fc.Rectangle(p["width"], p["height"])
    beam = system.add(fc.Beam((0, 0, 0), (p["length"], 0, 0), section, steel, 4, name="beam"))
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.Force(beam.end, (0, -p["load"], 0)))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


CANTILEVER = {
    "E": 2e11, "rho": 7800.0, "length": 1.0, "width": 0.02, "height": 0.01, "load": 1e-3
}  # fmt: skip


def test_tip_of_a_cantilever_by_everything():
    """Timoshenko: w = P L^3 / 3 E I + P L / (5/6 G A), where the exponents
    of E, rho, L, width, height, P are -1, 0, 3 - 2 s, -3 + 2 s, -1, 1, s the second term's part."""
    of = ["tip.y", "mode1.frequency"]
    _, d = derived(cantilever, CANTILEVER, of)
    E, width = CANTILEVER["E"], CANTILEVER["width"]
    bend, shear = 4 / (E * width**3 * 0.01), 1 / (5 / 6 * E / 2 * width * 0.01)
    s = shear / (bend + shear)
    assert d.values[0] == pytest.approx(-1e-3 * (bend + shear), rel=1e-6)
    assert exponents(d)[0] == pytest.approx([-1, 0, 3 - 2 * s, -3 + 2 * s, -1, 1], abs=1e-7)
    # dimensions: omega is sqrt(E / rho) / length times a function of the ratios of lengths
    by_E, by_rho, *lengths, by_load = exponents(d)[1]
    assert [by_E, by_rho, by_load] == pytest.approx([0.5, -0.5, 0.0], abs=1e-6)
    assert sum(lengths) == pytest.approx(-1.0, abs=1e-6)


def test_a_bent_cantilever():
    """Large deflections: the frequency follows the equilibrium, too. F / E A counts alone, and what
    the derivatives leave falls with order 2."""
    at = CANTILEVER | {"load": 2000.0}
    s, d = derived(cantilever, at, ["tip.y", "tip.x", "mode1.frequency"])
    tip_y, tip_x, mode = exponents(d)
    for row, by_E in ((tip_y, 0.0), (tip_x, 0.0), (mode, 0.5)):
        assert row[0] + row[5] == pytest.approx(by_E, abs=1e-7)
    assert abs(mode[5]) > 1e-2  # the load counts
    second_order(s, {"E": 1.0, "length": 0.4, "load": -0.5, "width": 0.3})


def test_equal_frequencies_are_said():
    """A square section: by one side, the one of two equal frequencies rises with exponent 1 (but
    for shear and rotary inertia, 1e-3), the other not; both as sqrt(E)."""
    at = CANTILEVER | {"height": 0.02, "load": 0.0}
    s = fc.SteadySensitivity(
        cantilever, at=at, by=["E", "height"], of=["mode1.frequency", "mode2.frequency"]
    )
    for d in (s.forward(), s.adjoint()):
        assert d.values[0] == pytest.approx(d.values[1], rel=1e-9)
        assert exponents(d)[:, 0] == pytest.approx(0.5, abs=1e-6)
        assert exponents(d)[:, 1] == pytest.approx([0.0, 1.0], abs=2e-3)
        assert len(d.notes) == 1 and "modes 1, 2 have the same frequency" in d.notes[0]


# --- contact --------------------------------------------------------------------------------------
def resting(p):
    """A ball that rests on its socket, free to move up and down alone."""
    system = fc.System((0, -p["gravity"], 0))
    ball = system.add(fc.RigidBody(p["mass"], (1e-2,) * 3, position=(0, -1e-3, 0), name="ball"))
    system.add(fc.PrismaticJoint(system.ground, ball.center, axis=(0, 1, 0)))
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=0.02,
            ball_radius=0.02 - p["clearance"], stiffness=p["stiffness"],
            normal=fc.LankaraniNikravesh(restitution=0.9), name="joint",
        )
    )  # fmt: skip
    system.add(fc.Probe(ball.center, name="ball.place"))
    return system


@pytest.mark.parametrize("stiffness", [1e6, 1e11])
def test_a_ball_at_rest_in_its_socket(stiffness):
    """m g = K depth^1.5: depth ~ (m g / K)^(2/3), and of the small motions about it
    omega^2 = 1.5 K depth^0.5 / m ~ K^(2/3) g^(1/3) m^(-2/3). With 1e11 N/m^1.5 the depth is
    2e-7 m, less than a thousandth of the clearance."""
    at = {"stiffness": stiffness, "mass": 1.0, "gravity": 9.81, "clearance": 1e-3}
    of = ["joint.penetration", "mode1.frequency", "ball.place.y"]
    _, d = derived(resting, at, of)
    depth = (9.81 / stiffness) ** (2 / 3)
    omega = np.sqrt(1.5 * stiffness * np.sqrt(depth))
    assert d.values == pytest.approx([depth, omega / 2 / np.pi, -1e-3 - depth], rel=1e-7)
    assert exponents(d)[0] == pytest.approx([-2 / 3, 2 / 3, 2 / 3, 0], abs=1e-6)
    assert exponents(d)[1] == pytest.approx([1 / 3, -1 / 3, 1 / 6, 0], abs=1e-5)
    assert d.jacobian[2, 3] == pytest.approx(-1.0, rel=1e-6)


# --- dampers and rotation -------------------------------------------------------------------------
def oscillator(p):
    system = fc.System((0, 0, 0))
    block = system.add(fc.RigidBody(p["mass"], (1, 1, 1), position=(1, 0, 0), name="block"))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=(1, 0, 0)))
    system.add(fc.SpringDamper(system.ground.at((0, 0, 0)), block.center, p["k"], p["c"]))
    return system


def test_damped_oscillator():
    """zeta = c / 2 sqrt(k m), omega = sqrt(k/m - (c / 2 m)^2)."""
    at = {"mass": 2.0, "k": 50.0, "c": 6.0}
    _, d = derived(oscillator, at, ["damped1.frequency", "damped1.ratio"])
    omega, zeta = np.sqrt(25 - 1.5**2), 6.0 / 2 / 10.0
    assert d.values == pytest.approx([omega / 2 / np.pi, zeta])
    assert exponents(d)[1] == pytest.approx([-0.5, -0.5, 1.0], abs=1e-8)
    square = np.array([-25 + 2 * 1.5**2, 25, -2 * 1.5**2])  # d omega^2 by relative changes
    assert exponents(d)[0] == pytest.approx(square / 2 / omega**2, abs=1e-8)


def turning(p):
    """A mass on a spring along a turning slide."""
    system = fc.System((0, 0, 0))
    arm = system.add(fc.RigidBody(1.0, (1, 1, 1), name="arm"))
    mass = system.add(fc.RigidBody(p["mass"], (0.1,) * 3, position=(1, 0, 0), name="mass"))
    pin = system.add(fc.RevoluteJoint(system.ground, arm.center, axis=(0, 0, 1)))
    system.add(fc.PrismaticJoint(arm.at((1, 0, 0)), mass.center, axis=(1, 0, 0)))
    system.add(fc.SpringDamper(arm.center, mass.center, p["k"], free_length=1.0))
    turns = fc.functions.Linear(p["speed"])
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), turns))
    system.add(fc.Probe(mass.center, name="p"))
    rotation = fc.SteadyRotation((0, 0, p["speed"]))
    return fc.Statics(system, steps=3, time=0.0, rotation=rotation)


def test_steady_rotation():
    """r = k / (k - m W^2) for a free length of 1 m, v = W r, a = - W^2 r,
    omega = sqrt(k / m - W^2)."""
    k, m, W = 100.0, 2.0, 4.0
    of = ["mass.x", "p.vy", "p.ax", "mode1.frequency"]
    _, d = derived(turning, {"k": k, "mass": m, "speed": W}, of)
    r = k / (k - m * W**2)
    by_r = r**2 / k * np.array([-m * W**2 / k, W**2, 2 * m * W])
    one = np.array([0, 0, 1.0])
    omega = np.sqrt(k / m - W**2)
    by_omega = np.array([1 / m, -k / m**2, -2 * W]) / 2 / omega
    assert d.jacobian[0] == pytest.approx(by_r, rel=1e-7)
    assert d.jacobian[1] == pytest.approx(W * by_r + r * one, rel=1e-7)
    assert d.jacobian[2] == pytest.approx(-(W**2) * by_r - 2 * W * r * one, rel=1e-7)
    assert d.jacobian[3] == pytest.approx(by_omega / 2 / np.pi, rel=1e-6)


# --- paths ----------------------------------------------------------------------------------------
def truss(p):
    """Two springs from (-1, 0) and (1, 0) to a point at (0, rise) that moves along y."""
    system = fc.System((0, 0, 0))
    node = system.add(fc.RigidBody(1e-3, (1e-9,) * 3, position=(0, p["rise"], 0), name="node"))
    system.add(fc.PrismaticJoint(system.ground, node.center, axis=(0, 1, 0)))
    for x in (-1, 1):
        system.add(fc.SpringDamper(system.ground.point((x, 0, 0)), node.center, p["k"]))
    system.add(fc.Force(node, (0, -p["load"], 0)))
    return fc.Statics(system, steps=15, arc_length=True)


def test_von_mises_truss_along_its_path():
    """s P = 2 k (L0 / L - 1) y by the closed form, at each load factor s past both limit points."""
    k, rise, load = 1000.0, 0.1, 1.0
    s = fc.SteadySensitivity(truss, at={"k": k, "rise": rise, "load": load}, of="node.y")
    d = s.forward(histories=True)
    y = d.channels["node.y"]
    L0, L = np.hypot(1, rise), np.hypot(1, y)
    resistance = 2 * k * (L0 / L - 1) * y
    assert resistance == pytest.approx(d.t * load, abs=1e-8)
    assert np.any(np.diff(d.t) < 0)  # the path turns
    by_y = 2 * k * (L0 / L**3 - 1)
    right = [-resistance / k, -2 * k * y * rise / L0 / L, d.t]
    for name, by in zip(("k", "rise", "load"), right, strict=True):
        assert d.histories["node.y", name] == pytest.approx(by / by_y, rel=1e-5, abs=1e-9)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)


# --- what is refused ------------------------------------------------------------------------------
def test_refused():
    s = fc.SteadySensitivity(cantilever, at=CANTILEVER, of="mode99.frequency")
    with pytest.raises(fc.InputError, match="there is no mode 99"):
        s.forward()
    s = fc.SteadySensitivity(cantilever, at=CANTILEVER, of=fc.At("mode1.frequency", 0.5))
    with pytest.raises(fc.InputError, match="available only at load factor 1"):
        s.forward()
    with pytest.raises(fc.InputError, match="must return one of System, Statics"):
        fc.SteadySensitivity(lambda p: 1.0, at={"a": 1.0}, of="x").forward()

    def more(p):
        system = fc.System((0, 0, 0))
        count = 4 if p["E"] <= 2e11 else 5
        steel = fc.StVenantKirchhoff(E=p["E"], nu=0.3, rho=7800.0)
        beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.1), steel, count))
        system.add(fc.FixedJoint(system.ground, beam.start))
        system.add(fc.Probe(beam.end, name="tip"))
        return system

    with pytest.raises(fc.InputError, match="E changes what the model consists of"):
        fc.SteadySensitivity(more, at={"E": 2e11}, of="tip.y").forward()

    def loose(p):
        system = fc.System((0, 0, 0))
        system.add(fc.RigidBody(p["m"], (1, 1, 1), name="body", free=True))
        return system

    with pytest.raises(fc.InputError, match="in this equilibrium body .* has no derivative"):
        fc.SteadySensitivity(loose, at={"m": 1.0}, of="body.x").forward()

"""Clearance joints in given states, and the laws of their contacts in NumPy."""

import numpy as np

import fem_clearance as fc

P = np.array([0.3, 0.1, -0.2])
AXIS = np.array([1.0, 2.0, 2.0]) / 3
CHI_LN = 0.75 * (1 - 0.9**2)
FLOOR = 0.5


def normal_size(depth, rate, stiffness=1e8, exponent=1.5):
    """Lankarani and Nikravesh's force at restitution 0.9; the approach speed is the least one, or
    the present rate where that is more."""
    return stiffness * depth**exponent * (1 + CHI_LN * rate / max(FLOOR, abs(rate)))


def smooth(velocity, mu=0.2, v0=0.3):
    """Friction per normal force, against it."""
    speed = np.linalg.norm(velocity)
    return mu * np.tanh(speed / v0) * velocity / speed


MOTION_A = {"velocity": (0.1, -0.05, 0.08), "omega": (1.1, -0.7, 0.5)}
MOTION_B = {"velocity": (0.02, 0.12, -0.03), "omega": (-0.4, 0.9, 1.6)}
COULOMB = {"friction": fc.SmoothCoulomb(0.2, 0.3)}
COMMON = {"stiffness": 1e8, "approach_floor": FLOOR, "name": "c"}


BRISTLES = {"stiffness": 2e3, "damping": 0.4, "viscous": 0.05, "v_s": 0.2}


def bristle_state(found):
    """Give the bristles of ``c`` a deflection and a rate; both in space by the axes of ``a``."""
    z, rate = np.array([3e-5, -2e-5, 4e-5]), np.array([0.02, 0.05, -0.01])
    at = found.block("c.bristle")
    found.state.v[at], found.state.a[at] = z, rate
    return at, z, rate


def grown(z, n, sliding, p):
    """Rate of bristles that touch: what lies across the normal grows, the rest relaxes."""
    across = z - z @ n * n
    v = np.linalg.norm(sliding)
    g = 0.2 + 0.1 * np.exp(-((v / p["v_s"]) ** 2))
    relaxation = p["stiffness"] / p["damping"]
    return sliding - p["stiffness"] * v / g * across - relaxation * (z - across)


def lugre_drag(z, rate, n, sliding, p):
    across = [x - x @ n * n for x in (z, rate)]
    return p["stiffness"] * across[0] + p["damping"] * across[1] + p["viscous"] * sliding


SIZES = {"bearing_radius": 0.02, "journal_radius": 0.019, "length": 0.03}


def in_plane(found):
    """Axis, direction from bearing to journal across it, eccentricity; centres, velocities."""
    k = found.direction(found.a, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    e = (rj - ri) - (rj - ri) @ k * k
    return k, e / np.linalg.norm(e), np.linalg.norm(e), ri, vi, rj, vj


def check_load(found, force, moment=(0, 0, 0), rel=1e-9):
    """What a joint's channels say acts on its inner body, in space; the moment about its centre."""
    see, size = found.channels, np.linalg.norm(force)
    seen = [[see[f"c.{z}.{x}"] for x in "xyz"] for z in ("force", "moment")]
    np.testing.assert_allclose(seen[0], force, rtol=0, atol=rel * size)
    np.testing.assert_allclose(seen[1], moment, rtol=0, atol=rel * size * SIZES["journal_radius"])


#: endings of channels that are zero while nothing touches
NOTHING = ("penetration", "normal_force", "friction_force", "friction_loss", "contacts")


def check_apart(found):
    """Surfaces that are apart: no force on either body, no energy, and channels that say so."""
    see = found.channels
    for body in (found.a, found.b):
        np.testing.assert_allclose(found.wrench(body, found.pose(body)[0]), 0, atol=1e-12)
    shown = [n for n in see.names if n.endswith((*NOTHING, "force.x", "moment.z"))]
    assert len(shown) > 1
    assert {n: see[n] for n in [*shown, "energy.contact"] if not abs(see[n]) < 1e-25} == {}


def accept(found, kind):
    """Let the cells of a kind of this name move their numbers on, as after an accepted step; these
    numbers, a row for each cell, and the kind."""
    number, component = next((n, z) for n, z in enumerate(found.system.state.components)
                             if type(z.kind).__name__ == kind)  # fmt: skip
    found.state.observe()
    values = found.state.observations.parts[found.state.problem.observers.index(number)]
    rows = found.state.parameters[number]
    component.kind.update(rows, dict(zip(component.observables, values.T, strict=True)))
    return rows, component.kind

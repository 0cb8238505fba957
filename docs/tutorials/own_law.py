# %% [markdown]
# # A contact law of your own
#
# A rubber bump stop is soft at first and stiffens as it is compressed. No law of the package
# describes it, so you write one: a class with a UFL expression for the force. The tangent that
# Newton's method needs is derived from it automatically, and the law works in every clearance
# joint. The program takes about 10 seconds.
#
# ## The law
#
# Let $\delta$ be the penetration and $\dot\delta$ its rate. The stop is a hardening spring with a
# proportional damper,
#
# $$
# F = k\,\delta\,\Bigl[1 + \Bigl(\frac{\delta}{\delta_0}\Bigr)^2\Bigr]\,(1 + a\,\dot\delta).
# $$
#
# | symbol | meaning | name in the code | unit |
# |---|---|---|---|
# | $k$ | initial stiffness | `k` | N/m |
# | $\delta_0$ | depth at which the elastic force is twice that of a linear spring | `d0` | m |
# | $a$ | damping | `a` | s/m |
#
# The attribute `parameters` names the numbers that the expression reads. They are stored for each
# joint, so that one compiled form serves all values. The method `values` returns these numbers; its
# argument `contact` describes the surfaces that touch (radii, materials, stiffness), which this law
# does not need. The method `energy` is optional: it is the elastic energy, which the energy balance
# of the run counts as stored.

# %%
from dataclasses import dataclass
from typing import ClassVar

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance.plotting import style

plt.style.use(style.STYLE)


@dataclass(frozen=True)
class BumpStop(fc.NormalLaw):
    """F = k d (1 + (d / d0)^2) (1 + a rate)."""

    k: float = 2e5  # N/m
    d0: float = 5e-3  # m
    a: float = 0.0  # s/m
    parameters: ClassVar[tuple[str, ...]] = ("k", "d0", "a")

    def values(self, contact):
        return {"k": self.k, "d0": self.d0, "a": self.a}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.k * depth * (1 + (depth / p.d0) ** 2) * (1 + p.a * rate)

    @staticmethod
    def energy(depth, p):
        return p.k * depth**2 / 2 * (1 + (depth / p.d0) ** 2 / 2)


# %% [markdown]
# ## A first test: the elastic stop
#
# A mass of 2 kg hits the stop at 2 m/s. Without damping the kinetic energy is stored at the largest
# depth: $\tfrac12 m v^2 = \tfrac12 k\delta^2\,[1 + \tfrac12(\delta/\delta_0)^2]$, a quadratic
# equation for $\delta^2$. Always test a new law in a case whose result you know.

# %%
MASS, SPEED = 2.0, 2.0


def impact(law):
    """A mass that flies against the stop and back."""
    system = fc.System(gravity=(0, 0, 0))
    mass = system.add(
        fc.RigidBody(MASS, (1e-2,) * 3, velocity=(SPEED, 0, 0), free=True, name="mass")
    )
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)),
            mass.center,
            socket_radius=0.06,
            ball_radius=0.05,
            normal=law,
            stiffness=law.k,
            name="stop",
        )
    )
    return fc.Simulation(system, t_end=0.019, contact_tolerance=1e-5, progress=False).run()


elastic = impact(BumpStop())
ratio = MASS * SPEED**2 / (BumpStop.k * BumpStop.d0**2)
depth = BumpStop.d0 * np.sqrt(np.sqrt(1 + 2 * ratio) - 1)
print(f"largest depth {elastic['stop.penetration'].max() * 1e3:.4f} mm")
print(f"by the energy {depth * 1e3:.4f} mm")

# %% [markdown]
# ## Damping and restitution
#
# For every law of the form $F = f(\delta)(1 + a\dot\delta)$ the coefficient of restitution $e$ is
# independent of $f$. With the approach speed $v$ and $\chi = a v$ it solves $\chi(1 + e) =
# \ln\frac{1 + \chi}{1 - \chi e}$. Solve this equation and compare the result with the speed of the
# simulated mass after the impact.

# %%
a = 0.2
damped = impact(BumpStop(a=a))
returned = -damped["mass.vx"][-1] / SPEED
chi = a * SPEED
e = brentq(lambda e: chi * (1 + e) - np.log((1 + chi) / (1 - chi * e)), 0.1, 1.0)
print(f"restitution {returned:.4f}")
print(f"by the closed form {e:.4f}")

# %%
figure, ax = plt.subplots(figsize=(5.4, 3.6))
for label, run in {"elastic": elastic, "damped": damped}.items():
    touching = run["stop.penetration"] > 0
    ax.plot(
        run["stop.penetration"][touching] * 1e3, run["stop.normal_force"][touching], label=label
    )
ax.set(xlabel="depth [mm]", ylabel="force [N]")
ax.legend()
ax.margins(0.05)

# %% [markdown]
# ## Where to go from here
#
# - [Extending](../extending.md) shows how to write materials, lubricants, joints, forces with
#   internal state and integrators in the same manner.
# - [Laws](../laws.md) compares the laws of the package in the same impact.

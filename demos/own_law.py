# %% [markdown]
# # A contact law of your own, in one UFL expression
#
# A nonlinear spring with a damper that grows with the depth, F = K d^(3/2) (1 + 3/2 a rate), has
# the form of Hunt and Crossley with the coefficient a in s/m given directly. The tangent is derived
# from the expression; nothing else is needed.
# Takes about 5 seconds.

# %%
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import matplotlib.pyplot as plt
import ufl

import fem_clearance as fc
from fem_clearance.extend import power
from fem_clearance.plotting import style

plt.style.use(style.STYLE)


@dataclass(frozen=True)
class DampedHertz(fc.NormalLaw):
    """F = K d^(3/2) (1 + 3/2 a rate)."""

    a: float = 0.5  # s/m
    parameters: ClassVar[tuple[str, ...]] = ("K", "a")

    def values(self, contact):
        return {"K": contact.stiffness, "a": self.a}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, 1.5) * (1 + 1.5 * p.a * rate)

    @staticmethod
    def energy(depth, p):  # optional: what the energy balance counts as stored
        return p.K * power(depth, 2.5) / 2.5


# %% [markdown]
# A ball flies at 0.2 m/s against the wall of a socket. For this law
# chi = 3/2 a v, and chi (1 + e) = ln((1 + chi) / (1 - chi e)) gives the restitution e.

# %%
system = fc.System(gravity=(0, 0, 0))
ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0.2, 0, 0), name="ball"))
system.add(
    fc.SphericalClearance(
        system.ground.point((0, 0, 0)),
        ball.center,
        socket_radius=0.010,
        ball_radius=0.0095,
        normal=DampedHertz(a=0.5),
        stiffness=1e9,
        name="joint",
    )
)
results = fc.Simulation(system, t_end=0.004).run()
print(f"restitution {-results['ball.vx'][-1] / 0.2:.4f}")
impact = results

# %% [markdown]
# A friction law is equally short: the coefficient as a function of the sliding speed. Here it falls
# with the logarithm of the speed, mu (1 - b ln(1 + speed / v1)), with a smooth rise from rest.


# %%
@dataclass(frozen=True)
class LogarithmicFriction(fc.FrictionLaw):
    """mu (1 - b ln(1 + speed / v1)) speed / (speed + v0)."""

    mu: float = 0.3
    b: float = 0.1
    v0: float = 1e-5  # m/s
    v1: float = 1e-1  # m/s
    parameters: ClassVar[tuple[str, ...]] = ("mu", "b", "v0", "v1")

    @staticmethod
    def coefficient(speed, p):
        return p.mu * (1 - p.b * ufl.ln(1 + speed / p.v1)) * speed / (speed + p.v0)


# %% [markdown]
# A block of 2 kg that slides at 1 m/s under a normal force of 10 N: the distance to rest follows
# from the integral of m v dv / friction, 0.4162 m.

# %%
system = fc.System(gravity=(0, 0, 0))
block = system.add(fc.RigidBody(2.0, (1, 1, 1), velocity=(1, 0, 0), name="block"))
system.add(fc.PrismaticJoint(system.ground, block.center, axis=(1, 0, 0)))
system.add(
    fc.FrictionElement(
        system.ground,
        block.center,
        axis=(1, 0, 0),
        friction=LogarithmicFriction(),
        normal_force=10.0,
        name="floor",
    )
)
results = fc.Simulation(system, dt=1e-3, t_end=1.2).run()
print(f"distance {results['floor.slide'][-1]:.4f} m")

# %%
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4))
touching = impact["joint.penetration"] > 0
axes[0].plot(impact["joint.penetration"][touching] * 1e6, impact["joint.normal_force"][touching])
axes[0].set(xlabel="depth [µm]", ylabel="force [N]", title="impact")
axes[1].plot(results.time, results["floor.friction_force"])
axes[1].set(xlabel="time [s]", ylabel="friction [N]", title="sliding to rest")
figure.savefig(figures / "own_law.png", dpi=150)

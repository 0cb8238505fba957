# %% [markdown]
# # A contact law of your own, in one UFL expression
#
# A nonlinear spring with a dashpot that grows with the depth, F = K d^(3/2) (1 + 3/2 a rate): the
# form of Hunt and Crossley with the coefficient a in s/m given directly. The tangent is derived
# from the expression; nothing else is needed.

# %%
from dataclasses import dataclass
from typing import ClassVar

import fem_clearance as fc
from fem_clearance.contact.normal import power


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

"""The figure of docs/sensitivity.md.

python docs/make_sensitivity_figures.py
"""

from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance.plotting import style

FOLDER = Path(__file__).parent / "figures"


def bounce(p):
    """A ball that flies at 1 m/s against its socket, elastically."""
    system = fc.System(gravity=(0, 0, 0))
    ball = fc.RigidBody(
        mass=1.0, inertia=(1e-2,) * 3, position=(0, p["height"] - 0.1, 0), velocity=(0, -1, 0),
        name="ball", free=True,
    )  # fmt: skip
    system.add(ball)
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=0.5, ball_radius=0.4,
            normal=fc.Hertz(), stiffness=1e6, name="joint",
        )
    )  # fmt: skip
    return system


@style.styled
def draw():
    figure = style.figure(figsize=(7.2, 3.0))
    left, right = figure.subplots(1, 2)
    for label, settings in (
        ("fixed steps, 1 ms", {"dt": 1e-3}), ("fixed steps, 0.5 ms", {"dt": 5e-4}),
        ("steps that end at the onset", {}),
    ):  # fmt: skip
        s = fc.Sensitivity(bounce, at={"height": 0.15}, of="ball.y", t_end=0.3, **settings)
        d = s.forward()
        left.plot(d.t, d.histories["ball.y", "height"], label=label)
        print(f"{label}: {d.jacobian[0, 0]:.5f}")
        if not settings:
            y, change = d.channels["ball.y"], 0.1 * 0.15 * d.histories["ball.y", "height"]
            right.fill_between(d.t, y - np.abs(change), y + np.abs(change), color="C2", alpha=0.3)
            right.plot(d.t, y, color="C2")
            for sign in (-1, 1):
                other = s.run([0.15 * (1 + 0.1 * sign)]).history
                right.plot(other.t, other["ball.y"], "k:", linewidth=0.9)
    left.axhline(-1.0, color="0.4", linewidth=0.7)
    left.set(xlabel="time, s", ylabel="d(height)/d(height at the start)", ylim=(-2.4, 1.4))
    left.legend(loc="lower left")
    right.set(xlabel="time, s", ylabel="height, m")
    return figure


if __name__ == "__main__":
    style.save(draw(), FOLDER / "sensitivity_bounce.png")

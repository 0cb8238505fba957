"""Figures of multiple_scales.md and analysis.md.

python docs/make_pendulum_figures.py
"""

from pathlib import Path

from mpi4py import MPI

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.analysis import OdeFlow, Steps, bifurcation, follow_orbits
from fem_clearance.cases.figures import sliding_pendulum
from fem_clearance.plotting import style

FIGURES = Path(__file__).parent / "figures"
LAW = fc.LankaraniNikravesh


def save(name, figure):
    style.save(figure, FIGURES / f"{name}.png")


@style.styled
def duffing():
    """Response of Duffing's oscillator round its folds; dotted where unstable."""
    flow = OdeFlow(
        lambda t, x, w: [x[1], 0.5 * np.cos(w * t) - 0.1 * x[1] - x[0] - 0.05 * x[0] ** 3],
        2, lambda w: 2 * np.pi / w,
    )  # fmt: skip
    branch = follow_orbits(flow, 0.6, (0.6, 1.8), periods=10, steps=Steps(most=0.2))
    figure, (ax,) = style.new()
    for w, a, stable in branch.pieces(points=20):
        ax.plot(w, a, "C0-" if stable else "C1:", lw=1.2 if stable else 2)
    for fold in branch.folds:
        ax.plot(fold.parameter, fold.amplitude(), "ko", ms=4)
        ax.annotate(f"fold, {fold.parameter:.5f}", (fold.parameter, fold.amplitude()),
                    xytext=(8, 2), textcoords="offset points")  # fmt: skip
    ax.set_xlabel("frequency of the force [rad/s]")
    ax.set_ylabel("amplitude [m]")
    ax.legend(ax.lines[:2], ["stable", "unstable"])
    return figure


def impact_oscillator(w):
    """A body on a spring (1 kg, 1 N/m), driven by cos(w t) N, with a stop at x = 0."""
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    body = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(-0.3, 0, 0), name="body"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    far = system.ground.point((-50, 0, 0))
    system.add(fc.SpringDamper(far, body.center, 1.0, free_length=50.0))
    system.add(fc.Force(body, (1, 0, 0), fc.functions.Harmonic(1.0, w / (2 * np.pi), np.pi / 2)))
    system.add(fc.RodGuide(
        system.ground.point((-10, 0, 0)), body.center, (1, 0, 0), hole_radius=11.0, rod_radius=1.0,
        stiffness=1e9, force=LAW(restitution=0.6), name="stop",
    ))  # fmt: skip
    return system


@style.styled
def impacts():
    """Position once a period, and approach speed of the impacts, over the frequency."""
    values = np.linspace(2.3, 2.9, 49)
    found = bifurcation(
        impact_oscillator, values, lambda w: 2 * np.pi / w, ["body.x"], settle=40, keep=24,
        contact="stop", rates={"body.x": "body.vx"},
    )  # fmt: skip
    figure, (above, below) = style.new(2)
    above.plot(*found.points("body.x"), "k.", ms=2)
    speeds = [hits[:, 1] for hits in found.impacts]
    below.plot(np.repeat(values, [len(s) for s in speeds]), np.concatenate(speeds), "k.", ms=2)
    above.set_ylabel("x once a period [m]")
    below.set_ylabel("approach speed [m/s]")
    below.set_xlabel("frequency of the force [rad/s]")
    return figure


if __name__ == "__main__":
    save("impact_oscillator", impacts())
    save("duffing", duffing())
    case = cases.get("sliding_pendulum")
    models = {f"e = {e}": (LAW, e, sliding_pendulum.CLEARANCE) for e in (0.9, 0.7, 0.5)}
    save("pendulum_response", sliding_pendulum.response(models))
    results = case.simulation(progress=False).run()
    save("pendulum_spectra", sliding_pendulum.spectra(results))

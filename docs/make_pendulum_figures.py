"""Figures of multiple_scales.md and analysis.md.

python docs/make_pendulum_figures.py
"""

from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.analysis import OdeFlow, Steps, follow_orbits
from fem_clearance.plotting import sliding_pendulum, style

FIGURES = Path(__file__).parent / "figures"
LAW = fc.LankaraniNikravesh


def save(name, figure):
    figure.savefig(FIGURES / f"{name}.png", dpi=130)
    style.plt.close(figure)


@style.styled
def duffing():
    """Response of Duffing's oscillator round its folds; dotted where unstable."""
    flow = OdeFlow(
        lambda t, x, w: [x[1], 0.5 * np.cos(w * t) - 0.1 * x[1] - x[0] - 0.05 * x[0] ** 3],
        2, lambda w: 2 * np.pi / w,
    )  # fmt: skip
    branch = follow_orbits(flow, 0.6, (0.6, 1.8), periods=10, steps=Steps(most=0.2))
    figure, (ax,) = style.new()
    for w, a, stable in branch.pieces():
        ax.plot(w, a, "C0-" if stable else "C1:", lw=1.2 if stable else 2)
    for fold in branch.folds:
        ax.plot(fold.parameter, fold.amplitude(), "ko", ms=4)
        ax.annotate(f"fold, {fold.parameter:.5f}", (fold.parameter, fold.amplitude()),
                    xytext=(8, 2), textcoords="offset points")  # fmt: skip
    ax.set_xlabel("frequency of the force [rad/s]")
    ax.set_ylabel("amplitude [m]")
    ax.legend(ax.lines[:2], ["stable", "unstable"])
    return figure


if __name__ == "__main__":
    save("duffing", duffing())
    models = {f"e = {e}": (LAW, e, sliding_pendulum.CLEARANCE) for e in (0.9, 0.7, 0.5)}
    save("pendulum_response", sliding_pendulum.response(models))
    results = cases.get("sliding_pendulum").simulation(progress=False).run()
    save("pendulum_spectra", sliding_pendulum.spectra(results))

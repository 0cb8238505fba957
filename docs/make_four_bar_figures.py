"""Figure of lubricated_joints.md: the spatial four-bar with three kinds of joint.

python docs/make_four_bar_figures.py (some minutes)
"""

from pathlib import Path

from fem_clearance import cases
from fem_clearance.plotting import style
from fem_clearance.plotting.curves import thinned

FIGURES = Path(__file__).parent / "figures"
KINDS = ("dry", "lubricated", "ideal")
LINES = dict(zip(KINDS, (("C1", 0.7), ("C0", 1.1), ("k", 0.7)), strict=True))
LINKS = {"steel": {}, "soft": {"link.E": 6e7, "link.rho": 6500.0}}
SHOWN = 1.0  # s


def results():
    """Link -> kind of joint -> results."""
    case = cases.get("spatial_four_bar")
    return {
        link: {
            kind: case.simulation(
                {"t_end": SHOWN, "joint.kind": kind, **changes}, progress=False
            ).run()
            for kind in KINDS
        }
        for link, changes in LINKS.items()
    }


@style.styled
def figure(runs):
    """Velocity of B and eccentricity, steel and soft coupler."""
    figure, axes = style.subplots(2, 2, sharex=True, sharey="row", figsize=(7.6, 4.6))
    for column, (link, kinds) in zip(axes.T, runs.items(), strict=True):
        column[0].set_title(f"{link} coupler", fontsize=10)
        for kind, found in kinds.items():
            colour, width = LINES[kind]
            rows = found.time <= SHOWN
            for ax, name, factor in zip(
                column, ("B.vy", "joint.eccentricity"), (1, 1e3), strict=True
            ):
                if name == "joint.eccentricity" and kind == "ideal":
                    ax.plot([], [], color=colour, lw=width, label=kind)
                    ax.axhline(1.0, color="k", ls="--", lw=0.8, label="clearance")
                    continue
                line = thinned(found.time[rows], factor * found[name][rows])
                ax.plot(*line, color=colour, lw=width, label=kind)
        column[1].set_xlabel("time [s]")
    axes[0, 0].set_ylabel("y velocity of B [m/s]")
    axes[1, 0].set_ylabel("eccentricity [mm]")
    handles, words = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, words, loc="outside upper center", ncols=4)
    return figure


if __name__ == "__main__":
    style.save(figure(results()), FIGURES / "spatial_four_bar.png")

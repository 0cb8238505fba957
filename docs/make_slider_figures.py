"""Figure of docs/translational.md: the first impact of sliders of different stiffness.

python docs/make_slider_figures.py
"""

from pathlib import Path

from fem_clearance.cases import slider_crank_translational as slider_crank
from fem_clearance.plotting import style

#: Young's moduli, Pa; the stiffest is rigid beside its contact
MODULI = (2e9, 2e10, 2e11, 2e12)
SETTINGS = {
    "slider.model": "flexible", "slider.contact_stiffness": 1e13, "slider.damping": 1e-8,
    "t_end": 3.1e-3,
}  # fmt: skip


@style.styled
def main():
    figure, axes = style.new(3)
    for E in MODULI:
        results = slider_crank.case.simulation(SETTINGS | {"slider.E": E}, progress=False).run()
        late = results.time > 2.6e-3
        t = 1e3 * results.time[late]
        rows = (
            1e-3 * results["contact.upper"], 1e3 * results["slider.y"],
            1e3 * results["slider.angle"],
        )  # fmt: skip
        print(f"E = {E:g} Pa: {rows[0].max():.4g} kN, y {rows[1].max():.5g} mm, tilt "
              f"{abs(rows[2]).max():.3g} mrad, {len(results)} steps", flush=True)  # fmt: skip
        for ax, row in zip(axes, rows, strict=True):
            ax.plot(t, row[late], label=f"{E / 1e9:g} GPa")
    names = ("force [kN]", "y of the pin [mm]", "tilt [mrad]")
    for ax, name in zip(axes, names, strict=True):
        ax.set_ylabel(name)
    axes[1].axhline(1.0, color="k", lw=0.8, ls="--", label="clearance")
    axes[0].legend(ncols=4, **style.ABOVE)
    axes[1].legend(axes[1].lines[-1:], ["clearance"], **style.ABOVE)
    axes[-1].set_xlabel("time [ms]")
    figure.savefig(Path(__file__).with_name("figures") / "elastic_slider.png")


if __name__ == "__main__":
    main()

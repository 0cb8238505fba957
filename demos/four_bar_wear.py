# %% [markdown]
# # Wear widens a joint
#
# A four-bar mechanism has a clearance of 0.5 mm in one joint (Bai, Zhang and Sun 2014). Journal and
# bearing hardly separate and slide on a quarter of the bearing's circumference, where Archard's law
# removes material. The profile worn after one simulated wear period is used in the next. Steps of
# 20 us are shortened where the contact requires it, above all in the first impacts.
# Takes about 20 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt

from fem_clearance import cases
from fem_clearance.plotting import style
from fem_clearance.program.figures import draw

plt.style.use(style.STYLE)

settings = {"wear_periods": 2, "turns": 3, "dt": 2e-5}
case = cases.get("four_bar_wear")
results = case.simulation(settings, output="runs/wear", overwrite=True, progress=False).run()
s = results.summary
print(f"largest force {s['peak_force']:.0f} N at {s['peak_angle_deg']:.1f} degrees")
print(f"volume {s['wear_volume_per_turn']:.3e} m^3 a turn")
print("largest clearance", ", ".join(f"{1e3 * c:.4f} mm" for c in s["max_clearance"]))

# %% [markdown]
# The figure shows the path of the journal's centre in each turn: within the circular clearance of
# 0.5 mm while the joint is new, and beyond it where the bearing has worn, as far as the largest
# clearance after one period (dotted).

# %%
figures = Path("figures")
figures.mkdir(exist_ok=True)
turn = results.time[-1] / (settings["wear_periods"] * settings["turns"])
figure, axes = plt.subplots(2, 3, figsize=(8.4, 5.8), sharex=True, sharey=True)
for k, ax in enumerate(axes.flat):
    rows = (results.time > k * turn) & (results.time <= (k + 1) * turn)
    ax.plot(*style.circle(0.5), color="0.4", lw=0.8, label="clearance")
    if k >= settings["turns"]:
        ax.plot(*style.circle(1e3 * s["max_clearance"][0]), color="0.4", lw=0.8, ls=":",
                label="largest after wear")  # fmt: skip
    ax.plot(results["joint.ex"][rows] * 1e3, results["joint.ey"][rows] * 1e3, lw=0.8,
            label="journal's centre")  # fmt: skip
    worn = "new" if k < settings["turns"] else "worn"
    ax.set_title(f"turn {k + 1}, {worn}", fontsize=10)
    ax.set(aspect="equal")
handles, names = axes[1, 0].get_legend_handles_labels()
figure.legend(handles, names, loc="outside upper center", ncols=3)
figure.supxlabel("x [mm]", fontsize=10)
figure.supylabel("y [mm]", fontsize=10)
figure.savefig(figures / "four_bar_wear.png", dpi=150)
print(len(draw("runs/wear")), "more figures in runs/wear/figures")

# %% [markdown]
# # Wear widens a joint
#
# A four-bar mechanism with 0.5 mm of play in one joint (Bai, Zhang and Sun 2014). Journal and
# bearing hardly part and slide on a quarter of the bearing's circumference, where Archard's
# law takes material away. After one simulated wear period the worn profile carries the next.
# The steps of 20 us are cut where the contact asks for shorter ones, at its first blows above all.
# Takes some 20 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt

from fem_clearance import cases
from fem_clearance.program.figures import draw

settings = {"wear_periods": 2, "turns": 3, "dt": 2e-5}
case = cases.get("four_bar_wear")
results = case.simulation(settings, output="runs/wear", overwrite=True, progress=False).run()
s = results.summary
print(f"largest force {s['peak_force']:.0f} N at {s['peak_angle_deg']:.1f} degrees")
print(f"volume {s['wear_volume_per_turn']:.3e} m^3 a turn")
print("largest clearance", ", ".join(f"{1e3 * c:.4f} mm" for c in s["max_clearance"]))

# %%
figures = Path("figures")
figures.mkdir(exist_ok=True)
late = results.time > 0.1
figure, ax = plt.subplots(layout="constrained")
ax.plot(results["joint.ex"][late] * 1e3, results["joint.ey"][late] * 1e3, lw=0.8)
ax.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="journal in the bearing")
figure.savefig(figures / "four_bar_wear.png", dpi=150)
print(len(draw("runs/wear")), "more figures in runs/wear/figures")

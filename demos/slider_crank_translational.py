# %% [markdown]
# # A slider that rattles in its guide
#
# The slider-crank of Flores, Leine and Glocker has a clearance of a millimetre above and below the
# slider. The slider first touches with two corners of one side after 2.69 ms and then tilts from
# corner to corner. An elastic slider of finite elements touches with its facets instead; a soft one
# fills part of the clearance.
# Takes about 60 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 0.02  # s
case = cases.get("slider_crank_translational")
kept = {"overwrite": True, "progress": False}
rigid = case.simulation({"t_end": t_end}, output="runs/rigid", **kept).run()
flexible = case.simulation(
    {"slider.model": "flexible", "t_end": t_end, "dt": 1e-6, "output.every": 5},
    output="runs/flexible",
    **kept,
).run()
for name, results in (("rigid", rigid), ("flexible", flexible)):
    first = results.summary["first_contact_time"]
    print(f"{name}: first contact after {first * 1e3:.5f} ms")

# %%
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(6.4, 5))
for color, (name, results) in zip(
    ("C1", "C0"), (("flexible", flexible), ("rigid", rigid)), strict=True
):
    time = results.time * 1e3
    axes[0].plot(time, np.degrees(results["slider.angle"]), color=color, label=name, lw=1)
    axes[1].plot(time, results["contact.upper"] / 1e3, color=color, lw=1)
    axes[1].plot(time, -results["contact.lower"] / 1e3, color=color, lw=1)
axes[0].set_ylabel("tilt [deg]")
axes[0].legend(ncols=2, **style.ABOVE)
axes[1].set(xlabel="time [ms]", ylabel="force of upper (+)\nand lower guide (-) [kN]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "slider_crank_translational.png", dpi=150)

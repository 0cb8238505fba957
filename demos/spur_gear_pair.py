# %% [markdown]
# # What teeth do to a steady rotation
#
# One or two pairs of teeth carry the load of a spur gear pair in turn, and the stiffness of the
# mesh jumps between the two values (Tian et al. 2015, section 5.1). At 2.4 rpm the dynamic
# transmission error follows the jumps and vibrates after each. Friction, which changes its sign at
# the pitch point, inclines the plateaus.
# Takes about 10 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

pair = cases.get("spur_gear_pair")
runs = {}
for friction in ("none", "constant"):
    settings = {"pinion.rpm": 2.4, "friction": friction}
    runs[friction] = pair.simulation(settings, progress=False).run()
    s = runs[friction].summary
    print(
        f"friction {friction}: transmission error {s['dte_min'] * 1e6:.3f} .. "
        f"{s['dte_max'] * 1e6:.3f} um over the last mesh cycle"
    )

# %%
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(6.4, 5))
for friction, results in runs.items():
    axes[0].plot(
        results.time, results["transmission_error"] * 1e6, label=f"friction {friction}", lw=0.8
    )
axes[0].set_ylabel("transmission error [µm]")
axes[0].legend(ncols=2, **style.ABOVE)
axes[1].plot(results.time, results["mesh_stiffness"] / 1e6)
axes[1].set(xlabel="time [s]", ylabel="mesh stiffness [N/µm]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "spur_gear_pair.png", dpi=150)

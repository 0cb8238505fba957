# %% [markdown]
# # A clearance study with a sweep
#
# How do the first impact and its force depend on the clearance of a joint? A *sweep* runs one case
# for several values of a parameter and collects the key numbers of each run in a table. This
# tutorial varies the ball of a double pendulum with a dry spherical clearance joint.
# It takes about 5 seconds.
#
# ## Choosing parameters
#
# Every case lists its parameters with their units: `fem-clearance check double_pendulum` on the
# command line, or `case.parameters` in Python. The arms are rigid here, which makes the runs short.
# The socket has a radius of 20 mm, so that the balls below leave clearances of 0.25 mm to 2 mm.

# %%
import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

SOCKET = 0.02  # m
clearances = np.array([0.25e-3, 0.5e-3, 1e-3, 2e-3])
table = fc.sweep(
    "double_pendulum",
    {"joint.ball_radius": list(SOCKET - clearances)},
    {"arm.model": "rigid", "t_end": 0.035},
    output="runs/clearances",
    overwrite=True,
)

# %% [markdown]
# The table has a column for each parameter that was varied and each number of the summaries. Under
# `mpirun` the ranks share the runs; on the command line the same sweep reads
#
# ```bash
# fem-clearance sweep double_pendulum --vary joint.ball_radius=19.75mm,19.5mm,19mm,18mm \
#     --set arm.model=rigid --t-end 0.035 --out runs/clearances
# ```

# %%
time, force = table["first_impact_time"], table["first_impact_peak_force"]
for row in zip(clearances, time, table["first_impact_speed"], force, strict=True):
    print("c {:.5f} m: first impact at {:.6f} s, {:.5f} m/s, {:.1f} N".format(*row))

# %% [markdown]
# ## Understanding the numbers
#
# Until the first impact nothing touches. The end of the first arm, a rod that falls from the
# horizontal, starts with the acceleration $\tfrac32 g$, the second arm falls freely with $g$, so
# the eccentricity grows as $e = \tfrac14 g t^2$. The first impact comes at $t = 2\sqrt{c/g}$
# and with the speed $\sqrt{c g}$, to leading order in the angle of the arm.

# %%
leading = 2 * np.sqrt(clearances / 9.81)
print(f"leading order within {np.abs(time / leading - 1).max():.2e} of the computed times")
slope = np.polyfit(np.log(clearances), np.log(force), 1)[0]
print(f"the peak force grows like the clearance to the power {slope:.2f}")

# %% [markdown]
# A Hertz contact of stiffness $K$ stores the energy of the approach, $\tfrac12 m v^2 = \tfrac25
# K\delta^{5/2}$, so its peak force is proportional to $K^{2/5} v^{6/5}$. The speed grows like
# $c^{1/2}$; but a ball that fits its socket more closely is also stiffer, $K \propto c^{-1/2}$, and
# together the peak force is proportional to $c^{2/5}$.

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4))
axes[0].loglog(clearances * 1e3, time * 1e3, "o", label="simulated")
axes[0].loglog(clearances * 1e3, leading * 1e3, "k:", label=r"$2\sqrt{c/g}$")
axes[0].set(xlabel="clearance [mm]", ylabel="first impact [ms]")
axes[0].legend()
axes[1].loglog(clearances * 1e3, force, "o-")
axes[1].set(xlabel="clearance [mm]", ylabel="peak force [N]")
axes[1].margins(0.1)
# %% [markdown]
# ## One run of the sweep
#
# Each run is a folder of its own with everything that a single run writes; `table.run(k)` opens it.

# %%
first = table.run(0)
print(f"{len(first.time)} steps in the run with the smallest clearance")

# %% [markdown]
# ## Where to go from here
#
# - A sweep that was interrupted goes on when the same command is given again
#   ([parallel](../parallel.md)).
# - Later impacts of a mechanism with clearance are sensitive to everything: compare first impacts,
#   mean values or sections of the motion ([analysis](../analysis.md)).

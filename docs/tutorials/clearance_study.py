# %% [markdown]
# # A clearance study with a sweep
#
# How do the time and the force of the first impact depend on the clearance of a joint? A *sweep*
# runs a case for several values of a parameter and collects the key numbers of the runs in a table.
# This tutorial varies the radius of the ball in a double pendulum with a dry spherical clearance
# joint. The program takes about 5 seconds.
#
# ## Choosing parameters
#
# Every case lists its parameters with their units: `fem-clearance check double_pendulum` on the
# command line, or `case.parameters` in Python. The arms are rigid here, which makes the runs short.
# The socket has a radius of 20 mm, so that the balls chosen below leave clearances of 0.25 mm to
# 2 mm.

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
# The table has a column for each parameter that was varied and one for each number in the summaries
# of the runs. If the script is run under `mpirun`, its ranks share the runs. The same sweep on the
# command line is
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
# Before the first impact nothing touches. The end of the first arm, a rod that is pivoted at its
# start and falls from the horizontal, begins with the acceleration $\tfrac32 g$; the second arm
# falls freely with $g$. The eccentricity $e$ of the ball in its socket therefore grows as $e =
# \tfrac14 g t^2$. To leading order in the angle of the arm, the first impact occurs when $e$ equals
# the clearance $c$, at $t = 2\sqrt{c/g}$, with the speed $\sqrt{c g}$.

# %%
leading = 2 * np.sqrt(clearances / 9.81)
print(f"leading order within {np.abs(time / leading - 1).max():.2e} of the computed times")
slope = np.polyfit(np.log(clearances), np.log(force), 1)[0]
print(f"the peak force grows like the clearance to the power {slope:.2f}")

# %% [markdown]
# A Hertz contact of stiffness $K$ stores the kinetic energy of the approach, $\tfrac12 m v^2 =
# \tfrac25 K\delta^{5/2}$, so that its peak force is proportional to $K^{2/5} v^{6/5}$. The speed is
# proportional to $c^{1/2}$, but the contact of a ball that fits its socket more closely is stiffer,
# $K \propto c^{-1/2}$. Together these make the peak force proportional to $c^{2/5}$.

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
# Each run has its own folder, with all the files of a single run; `table.run(k)` opens it.

# %%
first = table.run(0)
print(f"{len(first.time)} steps in the run with the smallest clearance")

# %% [markdown]
# ## Where to go from here
#
# - A sweep that was interrupted continues when the same command is given again
#   ([parallel](../parallel.md)).
# - The later motion of a mechanism with clearance is chaotic, so that individual later impacts
#   depend on every detail. Compare first impacts, mean values or Poincaré sections
#   ([analysis](../analysis.md)).

# %% [markdown]
# # Reading and plotting results
#
# A run leaves channels, events, a summary and the motion of the bodies. This tutorial makes a short
# run, a ball that bounces in a vessel, and reads each of them: arrays, tables, figures and files
# for other programs.
# It takes about 5 seconds.
#
# ## A run
#
# A ball of 1 kg and a radius of 1.5 m hangs in a spherical vessel of 2.5 m radius and falls by 1 m
# onto its wall. The contact law returns 0.8 of the approach speed.

# %%
import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

system = fc.System(gravity=(0, -9.81, 0))
ball = system.add(
    fc.RigidBody(1.0, (1e-3,) * 3, shape=fc.shapes.Sphere(1.5), free=True, name="ball")
)
system.add(
    fc.SphericalClearance(
        system.ground.at((0, 0, 0)),
        ball.center,
        socket_radius=2.5,
        ball_radius=1.5,
        stiffness=1e9,
        normal=fc.ExactRestitution(restitution=0.8),
        name="floor",
    )
)
run = fc.Simulation(system, t_end=2.5, output="runs/ball", overwrite=True, progress=False)
results = run.run()

# %% [markdown]
# ## Channels
#
# `Results.open` reads a run of any age from its folder. Results are a mapping from names to arrays.

# %%
results = fc.Results.open("runs/ball")
print(*results.names, sep=", ")

# %%
height = 1 + results["ball.y"]
print(f"{len(results.time)} rows, last height {height[-1]:.4f} {results.unit('ball.y')}")

# %% [markdown]
# ## Events
#
# The instants at which contacts begin and end are located inside the steps and stored with the
# speed of approach or separation. They are the right source for restitution and times of flight;
# the rows of the channels are not, because a row rarely falls on an impact.

# %%
onsets = [event for event in results.events if event.kind == "onset"]
speeds = np.array([event.speed for event in onsets])
print("restitution of the bounces:", *np.round(speeds[1:] / speeds[:-1], 4))
flights = np.diff([event.time for event in onsets])
print("time of flight by 2 v e / g:", *np.round(flights / (2 * 0.8 * speeds[:-1] / 9.81), 4))

# %% [markdown]
# ## Figures
#
# `results.plot` returns a Matplotlib figure with labelled axes in suitable units. Give one of your
# own axes with `ax=` to combine it with other curves, or a window of time, or another channel as
# abscissa.

# %%
results.plot("ball.y", "floor.normal_force")

# %%
start = onsets[0].time
results.plot("floor.normal_force", x="floor.penetration", window=(start, start + 1e-3))

# %% [markdown]
# ## Other programs
#
# `to_csv` writes chosen channels, `to_pandas` and `to_xarray` give tables with units (they need
# `pip install 'fem_clearance[data]'`), and `results.h5` is an ordinary HDF5 file.

# %%
results.to_csv("ball.csv", ["ball.y", "floor.normal_force"])
with open("ball.csv", encoding="utf-8") as file:
    print(file.readline().strip())

# %% [markdown]
# ## Summary and energies
#
# The summary holds key numbers of the run. Among them is the largest error of the energy balance,
# a quick measure of how far the time steps can be trusted.

# %%
summary = results.summary
print(f"{summary['steps']} steps, energy error {summary['energy_error']:.1e}")
lost = results["energy.dissipated"][-1]
# 1 - e^(2n) of m g h after n bounces
count = sum(event.kind == "loss" for event in results.events)
expected = 9.81 * (1 - 0.8 ** (2 * count))
print(f"dissipated in {count} bounces {lost:.3f} J; by the restitution {expected:.3f} J")

# %%
figure, ax = plt.subplots(figsize=(6.4, 3))
for name in ("energy.stored", "energy.dissipated", "energy.balance"):
    ax.plot(results.time, results[name] - results[name][0], label=name)
ax.set(xlabel="time [s]", ylabel="energy [J]")
ax.legend()
ax.margins(x=0.01)

# %% [markdown]
# ## Where to go from here
#
# - [first steps](../first_steps.md) lists what a run's folder holds, and
#   [recording](../recording.md) the recorded motion.
# - Spectra, periodic orbits and sections of the motion are in [analysis](../analysis.md).
# - [pictures](../pictures.md) draws the mechanism of any run.

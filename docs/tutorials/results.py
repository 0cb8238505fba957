# %% [markdown]
# # Reading and plotting results
#
# A run produces *channels* (quantities recorded at each step), events, a summary and the motion of
# the bodies. This tutorial makes a short run, a ball that bounces in a vessel, and shows how to
# turn its results into arrays, tables, figures and files for other programs. The program takes
# about 5 seconds.
#
# ## A run
#
# A ball of 1 kg with a radius of 1.5 m starts at the centre of a spherical vessel of 2.5 m radius
# and falls by 1 m onto its wall. With the coefficient of restitution of 0.8 it rebounds at 0.8 of
# its approach speed.

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
# `Results.open` reads the results of an earlier run from its folder. Results are a mapping from the
# names of channels to arrays.

# %%
results = fc.Results.open("runs/ball")
print(*results.names, sep=", ")

# %%
height = 1 + results["ball.y"]
print(f"{len(results.time)} rows, last height {height[-1]:.4f} {results.unit('ball.y')}")

# %% [markdown]
# ## Events
#
# The instants at which contacts begin and end are located within the time steps and stored as
# events, together with the speed of approach or separation. Use them to compute coefficients of
# restitution and times of flight. The channels are less suitable, because a step rarely ends
# exactly at an impact.

# %%
onsets = [event for event in results.events if event.kind == "onset"]
speeds = np.array([event.speed for event in onsets])
print("restitution of the bounces:", *np.round(speeds[1:] / speeds[:-1], 4))
flights = np.diff([event.time for event in onsets])
print("time of flight by 2 v e / g:", *np.round(flights / (2 * 0.8 * speeds[:-1] / 9.81), 4))

# %% [markdown]
# ## Figures
#
# `results.plot` returns a Matplotlib figure with labelled axes in suitable units. `ax=` draws
# into your own axes, so that you can combine the plot with other curves; `window=` selects an
# interval of time, and `x=` plots against another channel.

# %%
results.plot("ball.y", "floor.normal_force")

# %%
start = onsets[0].time
results.plot("floor.normal_force", x="floor.penetration", window=(start, start + 1e-3))

# %% [markdown]
# ## Other programs
#
# `to_csv` writes selected channels to a file. `to_pandas` and `to_xarray` return tables with units;
# they need `pip install 'fem_clearance[data]'`. `results.h5` is an ordinary HDF5 file.

# %%
results.to_csv("ball.csv", ["ball.y", "floor.normal_force"])
with open("ball.csv", encoding="utf-8") as file:
    print(file.readline().strip())

# %% [markdown]
# ## Summary and energies
#
# The summary contains key numbers of the run. One of them is the largest error of the energy
# balance, which is a quick measure of the accuracy of the time steps.

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
# - [First steps](../first_steps.md) lists the contents of a run's folder, and
#   [recorded motion](../recording.md) describes how the motion is stored.
# - [Analysis](../analysis.md) computes spectra, periodic orbits and Poincaré sections.
# - [Pictures](../pictures.md) shows how to draw the mechanism of any run.

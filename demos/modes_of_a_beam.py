# %% [markdown]
# # Modes of a beam, unloaded and bent
#
# A steel cantilever of 1 m x 10 mm x 10 mm has the first frequencies of Euler and Bernoulli's
# theory. Under a tip force of 3 EI/L^2, which bends it by more than half its length, the bending
# modes in the plane of the load and across it separate.
# Takes about 10 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc

L, steel, bar = 1.0, fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800), fc.Rectangle(0.01, 0.01)
EI = steel.E * bar.I_y

system = fc.System(gravity=(0, 0, 0))
beam = system.add(fc.Beam((0, 0, 0), (L, 0, 0), bar, steel, elements=16, name="beam"))
system.add(fc.FixedJoint(system.ground, beam.start, name="clamp"))
system.add(fc.Force(beam.end, (0, -3 * EI / L**2, 0), name="load"))
system.add(fc.Probe(beam.end, name="tip"))

# %% [markdown]
# The same beam without load, for comparison.

# %%
straight = fc.System(gravity=(0, 0, 0))
rod = straight.add(fc.Beam((0, 0, 0), (L, 0, 0), bar, steel, elements=16, name="beam"))
straight.add(fc.FixedJoint(straight.ground, rod.start, name="clamp"))
modes = fc.eigenmodes(straight, count=6)
theory = np.array([1.8751041, 4.6940911, 7.8547574]) ** 2
theory = theory * np.sqrt(EI / (steel.rho * bar.area * L**4)) / (2 * np.pi)
print("straight:", *(f"{f:.3f}" for f in modes.frequencies), "Hz")
print("Euler and Bernoulli:", *(f"{f:.3f}" for f in theory), "Hz")

# %% [markdown]
# The load grows in ten steps; each row of the results is an equilibrium.

# %%
results = fc.Statics(system, steps=10).solve()
print(f"tip bent to x = {results['tip.x'][-1]:.4f} m, y = {results['tip.y'][-1]:.4f} m")
bent = fc.eigenmodes(system, count=6, at=results.last)
print("bent:", *(f"{f:.3f}" for f in bent.frequencies), "Hz")

# %%
figures = Path("figures")
figures.mkdir(exist_ok=True)
path = results.plot("tip.x", "tip.y")
path.savefig(figures / "modes_of_a_beam_path.png", dpi=150)
path

# %%
try:
    file = bent.picture(figures / "modes_of_a_beam.png", which=(0, 1, 2, 3))
    figure, ax = plt.subplots(figsize=(7, 8))
    ax.imshow(plt.imread(file))
    ax.set_axis_off()
except fc.InputError as error:  # a machine without OpenGL
    print(error)

# %% [markdown]
# # Response curves around their folds, of your own equations and of a multibody system
#
# First Duffing's oscillator is given as a function. Continuation follows its periodic orbits around
# both folds, and Floquet multipliers tell which of them are stable.
# Takes about 20 seconds.

# %%
from pathlib import Path

from mpi4py import MPI

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance.analysis import OdeFlow, Steps, SystemFlow, follow_orbits
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

duffing = OdeFlow(
    lambda t, x, w: [x[1], 0.5 * np.cos(w * t) - 0.1 * x[1] - x[0] - 0.05 * x[0] ** 3],
    size=2,
    period=lambda w: 2 * np.pi / w,
    jacobian=lambda t, x, w: [[0, 1], [-1 - 0.15 * x[0] ** 2, -0.1]],  # optional: faster
)
branch = follow_orbits(duffing, 0.8, (0.8, 1.5), periods=10, steps=Steps(most=0.3))
for fold in branch.folds:
    print(f"Duffing: fold at {fold.parameter:.4f} rad/s, amplitude {fold.amplitude():.3f} m")

# %% [markdown]
# Now a body of 50 kg rests on a Hertz contact and is excited by a force: a `System` that is built
# for each frequency. The contact is softer for larger amplitudes, so the resonance bends to lower
# frequencies, and hysteresis (restitution 0.99) limits it. The hysteresis is computed with one
# speed for all frequencies, that of the first contact.

# %%
STIFFNESS, APPROACH = 3.4e10, 4.43e-3  # N/m^1.5, m/s


def shaken(frequency):
    system = fc.System(comm=MPI.COMM_SELF)
    rest = -5e-4 - (50 * 9.81 / STIFFNESS) ** (2 / 3)
    body = system.add(fc.RigidBody(50.0, (1.0, 1.0, 1.0), position=(0, rest, 0), name="body"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(0, 1, 0)))
    system.add(
        fc.RodGuide(
            system.ground.point((0, 0, 0)),
            body.center,
            axis=(0, 1, 0),
            hole_radius=0.0055,
            rod_radius=0.005,
            force=fc.LankaraniNikravesh(restitution=0.99, approach_speed="first_touch"),
            stiffness=STIFFNESS,
            approach=APPROACH,
        )
    )
    cosine = fc.functions.Harmonic(1.0, frequency, np.pi / 2)
    system.add(fc.Force(body, (0, 12.0, 0), cosine))
    return system


flow = SystemFlow(shaken, period=lambda f: 1 / f, steps=80)
steps = Steps(first=0.3, most=0.8, angle=0.6, tolerance=1e-5)
contact = follow_orbits(flow, 238.0, (238.0, 258.0), periods=5, steps=steps)
top = max(contact.orbits, key=lambda o: o.amplitude())
largest = abs(top.multipliers[0])
print(
    f"contact: {top.amplitude() * 1e6:.2f} um at {top.parameter:.1f} Hz, |multiplier| {largest:.3f}"
)

# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 3.2))
for ax, b, scale in zip(axes, (branch, contact), (1, 1e6), strict=True):
    for parameter, amplitude, stable in b.pieces(points=20):
        ax.plot(parameter, scale * amplitude, "C0-" if stable else "C1:")
    ax.plot(b.parameter, scale * b.amplitude(), "k.", ms=3)
axes[0].set(xlabel="frequency [rad/s]", ylabel="amplitude [m]", title="Duffing")
axes[1].set(xlabel="frequency [Hz]", ylabel="amplitude [µm]", title="Hertzian contact")
axes[1].locator_params(axis="x", nbins=5)
stable, unstable, orbits = axes[0].lines[0], axes[0].lines[1], axes[0].lines[-1]
axes[0].legend([stable, unstable, orbits], ["stable", "unstable", "orbits found"])
Path("figures").mkdir(exist_ok=True)
figure.savefig("figures/response_curves.png", dpi=150)

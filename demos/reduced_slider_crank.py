# %% [markdown]
# # A slider-crank with a reduced flexible rod
#
# The rod of a slider-crank at 600 rpm bends under its own inertia. It is computed as a solid of
# finite elements and as a reduced body of a few shapes, without and with geometric stiffening. The
# rod is so soft (5 GPa) that the axial load reaches a tenth of the load at which it buckles, which
# a linear body does not see.
# Takes about 20 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.plotting import solids, style
from fem_clearance.plotting.offscreen import opengl_works

plt.style.use(style.STYLE)

CRANK, LENGTH, HEIGHT, RATE = 0.05, 0.3, 0.01, 20 * np.pi
SOFT = fc.StVenantKirchhoff(E=5e9, nu=0.3, rho=7800)


# %% [markdown]
# The mechanism takes any body as its rod: the joints are at nodes, which a solid and a reduced body
# have alike.


# %%
def rod():
    """The solid; its points move at the start as the crank has it."""
    return fc.Solid(
        meshes.block((LENGTH, HEIGHT), (24, 2), center=(CRANK + LENGTH / 2, 0, 0)), SOFT,
        state="plane_stress", thickness=HEIGHT, name="rod",
        velocity=lambda x: np.outer(1 - (x[:, 0] - CRANK) / LENGTH, [0, RATE * CRANK, 0]),
    )  # fmt: skip


def slider_crank(body):
    """Crank, rod, and a slider without mass."""
    system = fc.System(gravity=(0, 0, 0))
    crank = system.add(
        fc.RigidBody(
            0.1, (1e-4, 1e-4, 1e-4), position=(CRANK / 2, 0, 0), name="crank",
            velocity=(0, RATE * CRANK / 2, 0), angular_velocity=(0, 0, RATE),
        )
    )  # fmt: skip
    pin = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), axis=(0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(rate=RATE)))
    system.add(body)
    ends = (CRANK, 0, 0), (CRANK + LENGTH, 0, 0)
    system.add(fc.SphericalJoint(crank.at(ends[0]), body.at(ends[0])))
    system.add(fc.PointOnLine(system.ground.point(ends[1]), body.at(ends[1]), axis=(1, 0, 0)))
    for name, x in (("A", CRANK), ("B", CRANK + LENGTH), ("M", CRANK + LENGTH / 2)):
        system.add(fc.Probe(body.at((x, 0, 0)), name=name))
    return system


def deflection(results):
    """Of the middle from the line between the ends, m."""
    A, B, M = (np.stack([results[f"{n}.{x}"] for x in "xy"], axis=1) for n in "ABM")
    axis, arm = B - A, M - A
    return (axis[:, 0] * arm[:, 1] - axis[:, 1] * arm[:, 0]) / np.hypot(*axis.T)


# %%
bodies = {
    "solid": rod(),
    "reduced": fc.ReducedBody.from_solid(rod(), modes=3),
    "reduced, stiffening": fc.ReducedBody.from_solid(rod(), modes=3, stiffening=True),
}
found = {}
for name, body in bodies.items():
    system = slider_crank(body)
    results = fc.Simulation(
        system, dt=5e-4, t_end=0.2, output=f"runs/{name.split(',')[-1].strip()}", overwrite=True,
        fields_every=0.01, progress=False,
    ).run()  # fmt: skip
    found[name] = deflection(results)
    off = np.abs(found[name] - found["solid"]).max() / np.abs(found["solid"]).max()
    print(f"{name}: {system.state.size} unknowns, deflection off by {100 * off:.2f} %")
    if f"{body.name}.load_ratio" in results:
        most = results["rod.load_ratio"].max()
        print(f"    axial load up to {most:.3f} of that at which the rod buckles")
first = bodies["reduced"].frequencies[0]
print(f"lowest natural frequency of the free rod {first:.2f} Hz")

# %% [markdown]
# The figure shows the deflection over two turns, and what both reduced bodies leave of it.

# %%
time = 1e3 * results.time
figure, (above, below) = plt.subplots(2, 1, figsize=(7.2, 5.0), sharex=True, height_ratios=(2, 1))
for name, line in zip(found, ("k-", "C1--", "C2:"), strict=True):
    above.plot(time, 1e3 * found[name], line, label=name)
    if name != "solid":
        below.plot(time, 1e3 * (found[name] - found["solid"]), line, label=name)
above.set(ylabel="deflection [mm]")
below.set(xlabel="time [ms]", ylabel="error [mm]")
above.legend(loc="upper right")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "reduced_slider_crank.png", dpi=150)

# %% [markdown]
# Stresses are recovered from the shapes. The picture shows the deformed rod with its von Mises
# stress.

# %%
stress = fc.stress.von_mises(bodies["reduced, stiffening"].recover(system.state, "stress"))
print(f"largest von Mises stress at the end {stress.max() / 1e6:.2f} MPa")
look = solids.Appearance()
if opengl_works():
    run = "runs/stiffening"
    solids.picture(run, "rod", figures / "rod.png", look, at=[0.02, 0.08])
else:
    print("no pictures: OpenGL does not work here")

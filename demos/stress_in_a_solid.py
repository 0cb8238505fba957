# %% [markdown]
# # Stress at a hole
#
# A steel plate of 200 x 50 x 5 mm with a hole of 10 mm is clamped at one end and pulled at the
# other by 100 MPa. For a long strip whose hole takes a fifth of its width, Howland (1930) gives a
# stress at the hole of 3.14 times the applied one; Kirsch's factor of 3 holds for an infinite
# plate.
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

LENGTH, WIDTH, THICKNESS, RADIUS, PULL = 0.2, 0.05, 0.005, 0.005, 1e8

mesh = meshes.block_with_hole((LENGTH, WIDTH), RADIUS, cells=(48, 8), degree=2, grading=8)
system = fc.System(gravity=(0, 0, 0))
plate = system.add(
    fc.Solid(
        mesh,
        fc.LinearElastic(E=2.07e11, nu=0.3, rho=7800),
        state="plane_stress",
        thickness=THICKNESS,
        clamped="x0",
        name="plate",
    )
)
system.add(fc.Traction(plate.facets("x1"), (PULL, 0, 0), name="pull"))
fc.Statics(system).solve()

# %% [markdown]
# Next come the stresses at the nodes, and the forces that the parts of the plate exert on each
# other.

# %%
stress = plate.recover(system.state, "stress")
k = stress[:, 0, 0].argmax()
x, y = plate.nodes[k, :2] * 1e3
print(f"largest stress {stress[k, 0, 0] / PULL:.3f} times the pull, at x = {x:.2f}, y = {y:.2f} mm")
print(f"largest von Mises stress {fc.stress.von_mises(stress).max() / 1e6:.0f} MPa")
cut = fc.resultants.section(system, plate, lambda c: c[:, 0] > 0)
hold = fc.resultants.clamping(system, plate, "x0")
print(
    f"force through the plate's middle {-cut.force[0]:.1f} N, on the clamp {-hold.force[0]:.1f} N"
)

# %% [markdown]
# The figure shows the stress in the direction of the pull, over the plate and along the cut through
# the hole. There it falls from 3.17 times the applied stress at the hole to less than its mean over
# the cut. The dashed line is Kirsch's solution for an infinite plate, 1 + a^2 / (2 y^2) + 3 a^4 /
# (2 y^4) times the pull.

# %%
ratio, a = stress[:, 0, 0] / PULL, 1e3 * RADIUS
places = 1e3 * plate.nodes[:, :2]
# eight triangles of the nine nodes of a cell: corners, middles of edges, centre
eight = [[0, 4, 8], [0, 8, 5], [4, 1, 6], [4, 6, 8], [5, 8, 7], [5, 7, 2], [8, 6, 3], [8, 3, 7]]
triangles = plate.cells[:, eight].reshape(-1, 3)
figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.6), width_ratios=(1.5, 1))
picture = left.tricontourf(*places.T, triangles, ratio, levels=np.linspace(-1.2, 3.2, 45))
figure.colorbar(picture, ax=left, label="stress along x / pull", ticks=range(-1, 4), shrink=0.8)
left.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", xlim=(-40, 40), ylim=(-25, 25))
left.grid(False)
cut = np.flatnonzero((abs(places[:, 0]) < 1e-6) & (places[:, 1] > 0))
cut = cut[np.argsort(places[cut, 1])]
y = places[cut, 1]
right.plot(y, ratio[cut], ".-", label="plate of 50 mm")
right.plot(y, 1 + a**2 / (2 * y**2) + 1.5 * (a / y) ** 4, "k--", lw=0.9, label="Kirsch")
right.annotate(
    f"{ratio[cut[0]]:.2f}", (y[0], ratio[cut[0]]), xytext=(6, -4), textcoords="offset points"
)
right.set(xlabel="y on the cut x = 0 [mm]", ylabel="stress along x / pull", ylim=(0, 3.4))
right.legend()
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "stress_in_a_solid.png", dpi=150)

# %% [markdown]
# Finally a load across the end of the plate appears suddenly; the plate vibrates. Its fields are
# saved every 50 microseconds and drawn with displacements enlarged 20 times.

# %%
system = fc.System(gravity=(0, 0, 0))
plate = system.add(
    fc.Solid(
        meshes.block_with_hole((LENGTH, WIDTH), RADIUS, cells=(24, 3), degree=2, grading=8),
        fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800),
        state="plane_stress",
        thickness=THICKNESS,
        clamped="x0",
        name="plate",
    )
)
system.add(fc.Traction(plate.facets("x1"), (0, PULL / 50, 0), name="load"))
fc.Simulation(
    system,
    dt=1e-5,
    t_end=1e-3,
    output="runs/plate",
    overwrite=True,
    fields_every=5e-5,
    progress=False,
).run()
t, largest = solids.largest("runs/plate", "plate")
print(f"bent: {largest / 1e6:.0f} MPa at {t * 1e3:.2f} ms")

# %%
look = solids.Appearance(exaggerate=20)
if opengl_works():
    solids.picture("runs/plate", "plate", figures / "plate.png", look, at=[t / 2, t])
    solids.animation("runs/plate", "plate", figures / "plate.gif", look)
else:
    print("no pictures: OpenGL does not work here")

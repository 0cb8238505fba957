# %% [markdown]
# # Stress round a hole
#
# A steel plate of 200 x 50 x 5 mm with a hole of 10 mm is clamped at one end, pulled at the other
# by 100 MPa. For a long strip whose hole takes a fifth of its width Howland (1930) gives 3.14 times
# that as the stress at the hole; Kirsch's 3 holds for an infinite plate.
# Takes some 20 seconds.

# %%
from pathlib import Path

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.plotting import solids
from fem_clearance.plotting.fields import opengl_works

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
# Stresses at the nodes, and what the parts of the plate exert on each other.

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
# Then a load across the plate's end, there from one moment to the next: the plate vibrates. Its
# fields are saved every 50 microseconds and drawn with displacements 20 times as large.

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
figures = Path("figures")
look = solids.Appearance(exaggerate=20)
if opengl_works():
    solids.picture("runs/plate", "plate", figures / "plate.png", look, at=[t / 2, t])
    solids.animation("runs/plate", "plate", figures / "plate.gif", look)
else:
    print("no pictures: OpenGL does not work here")

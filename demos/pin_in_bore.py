# %% [markdown]
# # A pin in an elastic bore
#
# A rigid pin of 20 mm with a clearance of 10 um is pressed into the bore of a steel plate of twenty
# radii, without friction. Under a small load the contact is a line contact as in Hertz's theory;
# under a large one it extends far around the bore. The half angle and the peak of the pressure are
# compared with the exact series for an infinite plate.
# Takes about 20 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

RADIUS, CLEARANCE = 0.01, 1e-5
LOADS = [2e5, 8e5, 3e6]  # N/m
CELLS = (144, 12)
steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
exact = fc.PinInBore(RADIUS, CLEARANCE, steel)


def press(load):
    """Angle of each node of the bore, degrees, and the pressure there, Pa."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.hollow_cylinder(RADIUS, 20 * RADIUS, 1.0, CELLS, degree=2, grading=60.0)
    plate = system.add(fc.Solid(mesh, steel, state="plane_strain", clamped="rim", name="plate"))
    start = (1.001 * CLEARANCE, 0, 0)
    pin = system.add(fc.RigidBody(1.0, (1, 1, 1), position=start, name="pin"))
    system.add(fc.PrismaticJoint(system.ground, pin.center, axis=(1, 0, 0)))
    system.add(fc.Force(pin.center, (load, 0, 0)))
    surface = fc.CylinderSurface(pin.center, radius=RADIUS - CLEARANCE)
    bore = plate.facets("bore")
    contact = system.add(fc.SurfaceContact(bore, surface, law=fc.Hard(), name="contact"))
    results = fc.Statics(system, steps=3).solve()
    x, y, _ = plate.nodes[bore.nodes].T
    half_angle = results["contact.area"][-1] / RADIUS / 2
    return np.degrees(np.arctan2(y, x)), system.state.q[contact.block.numbers], half_angle


# %% [markdown]
# `Hard()` needs no stiffness: the pressures at the nodes are unknowns.

# %%
figure, axes = plt.subplots(layout="constrained")
for load in LOADS:
    angle, pressure, half_angle = press(load)
    series = exact.at_load(load)
    print(
        f"load {load / 1e6:g} kN/mm: half angle {np.degrees(half_angle):.1f} degrees, exact "
        f"{np.degrees(series.half_angle):.1f}; peak {pressure.max() / 1e6:.1f} MPa, exact "
        f"{series.peak / 1e6:.1f} MPa"
    )
    order = np.argsort(angle)
    (line,) = axes.plot(np.degrees(series.angles), series.pressure / 1e6, lw=1)
    axes.plot(-np.degrees(series.angles), series.pressure / 1e6, lw=1, color=line.get_color())
    dots = {"ms": 3, "color": line.get_color(), "label": f"{load / 1e6:g} kN/mm"}
    axes.plot(angle[order], pressure[order] / 1e6, "o", **dots)
axes.set(xlabel="angle from the load, degrees", ylabel="pressure, MPa", xlim=(-75, 75))
axes.set_title("Dots: finite elements; lines: exact series")
axes.legend()
Path("figures").mkdir(exist_ok=True)
figure.savefig("figures/pin_in_bore.png", dpi=150)

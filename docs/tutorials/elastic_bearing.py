# %% [markdown]
# # An elastic bearing
#
# Under a heavy load the oil pressure deforms the bearing liner by a noticeable fraction of the film
# thickness, so that the film must be solved together with the liner. This tutorial builds an
# elastohydrodynamic bearing: a bronze ring meshed with finite elements, an oil film on its bore,
# and the coupled solution of both. The program takes about 30 seconds.
#
# ## The liner
#
# The ring has a bore of 15 mm radius, a thickness of 10 mm and a fixed rim (outer surface). Further
# down it will be a `CondensedSolid`, a linear elastic body of which only the response of some
# facets, here the bore, is kept. It adds only one unknown to the coupled problem for each response.

# %%
import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import Bearing, Liner, Place, plain_bearing
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

BORE, RIM, LENGTH = 15e-3, 25e-3, 14e-3  # m
CLEARANCE, VISCOSITY, SPEED = 2e-5, 0.04, 1000.0  # m, Pa s, rad/s
bronze = fc.StVenantKirchhoff(E=130e9, nu=0.3, rho=8800)

# %% [markdown]
# ## First test the solid alone
#
# Before you couple anything, make sure that the solid is right. A ring between two smooth walls is
# in plane strain. Under a uniform pressure $p$ Lamé's solution gives the displacement of the bore,
#
# $$
# u(a) = \frac{(1+\nu)\,p\,a}{E}\,
# \frac{(1-2\nu)\,(b^2 - a^2)}{a^2 + (1-2\nu)\,b^2}
# $$
#
# with the radii $a$ of the bore and $b$ of the fixed rim, Young's modulus $E$ and Poisson's ratio
# $\nu$.

# %%
PRESSURE = 50e6
system = fc.System(gravity=(0, 0, 0))
ring = system.add(
    fc.Solid(
        fc.meshes.hollow_cylinder(BORE, RIM, LENGTH, (24, 4, 1)),
        bronze,
        clamped={"rim": "xyz", "z0": "z", "z1": "z"},
        name="ring",
    )
)
system.add(fc.Pressure(ring.facets("bore"), PRESSURE))
fc.Statics(system).solve()
displacement = np.linalg.norm(ring.recover(system.state, "displacement"), axis=1).max()
nu, a2, b2 = bronze.nu, BORE**2, RIM**2
lame = (1 + nu) * PRESSURE * BORE / bronze.E * (1 - 2 * nu) * (b2 - a2) / (a2 + (1 - 2 * nu) * b2)
print(f"bore moves by {displacement * 1e6:.4f} um; Lame {lame * 1e6:.4f} um")

# %% [markdown]
# ## Film and liner
#
# `plain_bearing` makes a film on a cylindrical surface. `Bearing` solves it for a given position of
# the journal (a `Place`), either alone, as in a rigid bore, or together with a liner. At an
# eccentricity ratio of 0.9 the smallest film thickness in a rigid bore is 2 µm.

# %%
mesh = fc.meshes.hollow_cylinder(BORE, RIM, LENGTH, (24, 4, 1))
liner = Liner(
    fc.CondensedSolid(mesh, bronze, clamped="rim", facets="bore", responses=30, direction="normal")
)
film = plain_bearing(BORE, LENGTH, CLEARANCE, VISCOSITY, sliding_speed=SPEED * BORE, cells=(48, 6))
place = Place(e=(0.9 * CLEARANCE, 0, 0), Omega=(0, 0, SPEED))
rigid, elastic = Bearing(film).solve(place), Bearing(film, liner).solve(place)
for name, found in {"rigid": rigid, "elastic": elastic}.items():
    print(
        f"{name} bore: load {np.hypot(*found.force[:2]) / 1e3:.2f} kN, "
        f"largest pressure {found.pressure.max() / 1e6:.1f} MPa, "
        f"least film {found.thickness.min() * 1e6:.2f} um"
    )

# %% [markdown]
# The bore widens by several micrometres, more than the smallest film thickness in the rigid bore.
# The largest pressure falls to less than a fifth and the load to a third of their
# values in the rigid bore. A rigid analysis would be wrong by these factors.
#
# ## When does the liner matter?
#
# Estimate the ratio of the liner's displacement to the film thickness from Lamé's formula and the
# pressure in a rigid bore. If the ratio is far below one, the bore can be treated as rigid. At one
# tenth of the speed and with ten times the clearance the same bearing needs no elastic liner:

# %%
slow = plain_bearing(
    BORE, LENGTH, 10 * CLEARANCE, VISCOSITY, sliding_speed=SPEED / 10 * BORE, cells=(48, 6)
)
place = Place(e=(0.9 * 10 * CLEARANCE, 0, 0), Omega=(0, 0, SPEED / 10))
stiff, soft = Bearing(slow).solve(place), Bearing(slow, liner).solve(place)
change = np.hypot(*soft.force[:2]) / np.hypot(*stiff.force[:2]) - 1
print(f"slow, wide bearing: the liner changes the load by {100 * change:.2f} %")

# %%
nodes = film.surface.nodes
middle = np.flatnonzero(np.abs(nodes[:, 2]) < 1e-9)
angle = np.degrees(np.arctan2(nodes[middle, 1], nodes[middle, 0]))
middle, angle = middle[np.argsort(angle)], np.sort(angle)
figure, ax = plt.subplots(figsize=(6.4, 3.4))
for name, found in {"rigid": rigid, "elastic": elastic}.items():
    ax.plot(angle, found.pressure[middle] / 1e6, label=name)
ax.set(xlabel="angle from the line of centres [deg]", ylabel="pressure [MPa]")
ax.set(xlim=(-180, 180))
ax.legend()
ax.margins(y=0.05)

# %% [markdown]
# ## Where to go from here
#
# - [Elastic bearings](../ehd.md) describes full and condensed liners and their accuracy.
# - `CylindricalFilm(..., film=film, liner=liner)` uses the same film and liner in a mechanism.

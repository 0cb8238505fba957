# %% [markdown]
# # A lubricated joint
#
# A shaft turns in a bearing full of oil, and a constant load comes on suddenly. Where does the
# journal settle, and does the oil film keep it off the wall? This tutorial ties a film to a
# rotating body in a running system and compares the place where the journal comes to rest with the
# classical short-bearing solution.
# It takes about 15 seconds.
#
# ## The bearing
#
# The bearing has the radius $R$ = 15 mm, the length $L$ = 7.5 mm and the radial clearance $c$ = 0.1
# mm; the oil has a viscosity of 0.04 Pa s. With a length of a quarter of the diameter it is close
# to Ocvirk's *short bearing*, in which oil flows in axial direction only.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance.lubrication import CylindricalFilm, Guembel, ShortBearing, plain_bearing
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

RADIUS, LENGTH, CLEARANCE, VISCOSITY = 15e-3, 7.5e-3, 1e-4, 0.04
SPEED, LOAD, MASS = 200.0, 60.0, 0.5  # rad/s, N, kg

# %% [markdown]
# ## The model
#
# `CylindricalFilm` needs the housing (here the ground), the journal, an axis and a film. The
# rotation is driven; otherwise the journal moves freely in the plane. The film may be a closed
# form, such as `ShortBearing`, or Reynolds' equation solved by finite elements, `plain_bearing`.
# Everything else stays the same. Guembel's condition lets only positive pressures act.


# %%
def settle(film):
    """The journal from the bearing's centre to its place under the load."""
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(MASS, (1e-4,) * 3, angular_velocity=(0, 0, SPEED), name="journal")
    )
    system.add(fc.PlanarJoint(system.ground, journal.center, axis=(0, 0, 1)))
    turn = fc.functions.Linear(SPEED)
    system.add(
        fc.RotationDriver(
            system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), turn, name="motor"
        )
    )
    system.add(fc.Force(journal.center, (0, -LOAD, 0), name="load"))
    system.add(CylindricalFilm(system.ground, journal.center, (0, 0, 1), film=film, name="bearing"))
    return fc.Simulation(system, t_end=0.3, progress=False).run()


short = ShortBearing(RADIUS, LENGTH, CLEARANCE, VISCOSITY, Guembel())
reynolds = plain_bearing(
    RADIUS,
    LENGTH,
    CLEARANCE,
    VISCOSITY,
    sliding_speed=SPEED * RADIUS,
    cells=(48, 6),
    cavitation=Guembel(),
)
runs = {"short bearing": settle(short), "Reynolds' equation": settle(reynolds)}
for name, run in runs.items():
    ratio = run["bearing.eccentricity"][-1] / CLEARANCE
    attitude = np.degrees(np.arctan2(run["bearing.ex"][-1], -run["bearing.ey"][-1]))
    print(f"{name}: eccentricity ratio {ratio:.4f}, attitude {attitude:.2f} degrees")

# %% [markdown]
# ## Is it right?
#
# With half of the film acting, the short bearing at rest at the eccentricity ratio $\varepsilon$
# carries
#
# $$
# W = \frac{\mu\omega R L^3}{4 c^2}\,\frac{\varepsilon}{(1-\varepsilon^2)^2}
#     \sqrt{16\varepsilon^2 + \pi^2(1-\varepsilon^2)},
# \qquad
# \tan\phi = \frac{\pi\sqrt{1-\varepsilon^2}}{4\varepsilon},
# $$
#
# where the attitude $\phi$ is the angle from the load to the line of centres.

# %%
unit = VISCOSITY * SPEED * RADIUS * LENGTH**3 / (4 * CLEARANCE**2)


def load(x):
    return unit * x / (1 - x * x) ** 2 * np.sqrt(16 * x * x + np.pi**2 * (1 - x * x))


ratio = brentq(lambda x: load(x) - LOAD, 1e-3, 0.999)
attitude = np.degrees(np.arctan2(np.pi * np.sqrt(1 - ratio**2), 4 * ratio))
print(f"closed form: eccentricity ratio {ratio:.4f}, attitude {attitude:.2f} degrees")

# %% [markdown]
# The run with the closed form settles on it. The film by finite elements sinks deeper, because a
# bearing of finite length also loses oil pressure around the circumference: at $L/D$ = 0.25 the
# short-bearing theory is already too optimistic by a few per cent of the clearance.

# %%
figure, ax = plt.subplots(figsize=(4.6, 4.6))
for name, run in runs.items():
    ax.plot(run["bearing.ex"] * 1e3, run["bearing.ey"] * 1e3, label=name)
ax.plot(*style.circle(CLEARANCE * 1e3), color="0.4", lw=0.8)
ax.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
ax.legend(loc="upper left")
ax.margins(0.05)

# %% [markdown]
# ## Where to go from here
#
# - [lubricated joints](../lubricated_joints.md) describes films in running systems, and dry contact
#   under a thin film.
# - [films](../films.md) and [cavitation](../cavitation.md) describe the film itself: cavitation,
#   grooves, supplies.
# - [elastic bearing](elastic_bearing.ipynb) lets the bore yield.

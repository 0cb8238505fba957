# %% [markdown]
# # A lubricated joint
#
# A shaft turns in a bearing filled with oil, and a constant load is applied suddenly. Where does
# the journal settle, and does the oil film keep it away from the wall? This tutorial places an oil
# film between a rotating body and its housing and compares the position in which the journal comes
# to rest with the classical short-bearing solution. The program takes about 15 seconds.
#
# ## The bearing
#
# The bearing has the radius $R$ = 15 mm, the length $L$ = 7.5 mm and the radial clearance $c$ = 0.1
# mm; the oil has a viscosity of 0.04 Pa s. With a length of a quarter of the diameter it is close
# to Ocvirk's *short bearing*, in which the pressure drives the oil in the axial direction only.

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
# `CylindricalFilm` needs the housing (here the ground), the journal, an axis and a film. A driver
# prescribes the rotation of the journal, which otherwise moves freely in the plane. The film may be
# a closed form, such as `ShortBearing`, or Reynolds' equation solved by finite elements, as
# `plain_bearing` returns it; the rest of the model is the same. Gümbel's condition for cavitation
# (`Guembel`) sets negative pressures to zero.


# %%
def settle(film):
    """A run in which the journal moves from the centre of the bearing to its place under load."""
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
# Half of the short bearing's film has positive pressure. If its journal rests at the eccentricity
# ratio $\varepsilon$ (eccentricity by clearance), the bearing carries the load
#
# $$
# W = \frac{\mu\omega R L^3}{4 c^2}\,\frac{\varepsilon}{(1-\varepsilon^2)^2}
#     \sqrt{16\varepsilon^2 + \pi^2(1-\varepsilon^2)},
# \qquad
# \tan\phi = \frac{\pi\sqrt{1-\varepsilon^2}}{4\varepsilon},
# $$
#
# where $\mu$ is the viscosity, $\omega$ the angular velocity, and the attitude $\phi$ the angle
# from the load to the line of centres.

# %%
unit = VISCOSITY * SPEED * RADIUS * LENGTH**3 / (4 * CLEARANCE**2)


def load(x):
    return unit * x / (1 - x * x) ** 2 * np.sqrt(16 * x * x + np.pi**2 * (1 - x * x))


ratio = brentq(lambda x: load(x) - LOAD, 1e-3, 0.999)
attitude = np.degrees(np.arctan2(np.pi * np.sqrt(1 - ratio**2), 4 * ratio))
print(f"closed form: eccentricity ratio {ratio:.4f}, attitude {attitude:.2f} degrees")

# %% [markdown]
# The run with `ShortBearing` settles at this position. With the finite-element film the journal
# settles at a larger eccentricity, because the pressure also drives oil around the circumference
# and is therefore lower: even at $L/D$ = 0.25 short-bearing theory underestimates the eccentricity
# by a few per cent of the clearance.

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
# - [Lubricated joints](../lubricated_joints.md) describes films in moving mechanisms, and dry
#   contact where the film is thin.
# - [Films](../films.md) and [cavitation](../cavitation.md) describe the film itself, with
#   cavitation, grooves and oil supplies.
# - The tutorial [an elastic bearing](elastic_bearing.ipynb) adds the deformation of the bearing.

# %% [markdown]
# # A mechanism from a sketch to an answer
#
# A slider-crank pump turns at 600 rpm. How much torque must its motor deliver, and how does a worn
# pin change the forces? This tutorial leads from the sketch below to both answers: you build the
# mechanism from bodies and joints, run it, read the torque, and then replace an ideal pin by a
# clearance joint. The program takes about 5 seconds.
#
# ![Crank OA, connecting rod AB and slider B on the x axis](../figures/tutorial_slider_crank.svg)
#
# The crank OA is 50 mm long and the connecting rod AB 200 mm. The slider B has a mass of 0.5 kg and
# moves along the x axis. The motor turns the crank about O at a constant speed.
#
# ## The model
#
# All quantities are in SI units. A rigid body has a mass and the principal moments of inertia about
# its centre of mass. `body.at(point)` returns a frame (a point with axes) that is fixed to the body
# at a point given in the initial position. The mechanism starts stretched, with all three bodies
# along the x axis.

# %%
import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

SPEED = 600 * np.pi / 30  # rad/s
CRANK, ROD = 0.05, 0.2  # m
ROD_MASS, SLIDER_MASS = 0.3, 0.5  # kg
AXIS = (0, 0, 1)


def slender(mass, length):
    """Moments of inertia of a thin bar that lies along x."""
    across = mass * length**2 / 12
    return (across / 100, across, across)


def pump(clearance=None):
    """The mechanism, with an ideal pin at the slider or one with a clearance (m)."""
    system = fc.System(gravity=(0, 0, 0))
    a, b = np.array([CRANK, 0, 0]), np.array([CRANK + ROD, 0, 0])
    crank = system.add(
        fc.RigidBody(
            0.2,
            slender(0.2, CRANK),
            position=a / 2,
            velocity=(0, SPEED * CRANK / 2, 0),
            angular_velocity=(0, 0, SPEED),
            name="crank",
        )
    )
    rod = system.add(
        fc.RigidBody(
            ROD_MASS,
            slender(ROD_MASS, ROD),
            position=(a + b) / 2,
            velocity=(0, SPEED * CRANK / 2, 0),
            angular_velocity=(0, 0, -SPEED * CRANK / ROD),
            name="rod",
        )
    )
    slider = system.add(fc.RigidBody(SLIDER_MASS, (1e-4,) * 3, position=b, name="slider"))
    pivot = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), AXIS, name="O"))
    turn = fc.functions.Linear(SPEED)
    system.add(fc.RotationDriver(pivot.i, pivot.j, AXIS, turn, name="motor"))
    system.add(fc.RevoluteJoint(crank.at(a), rod.at(a), AXIS, name="A"))
    system.add(fc.PrismaticJoint(system.ground, slider.center, (1, 0, 0), name="guide"))
    if clearance is None:
        system.add(fc.RevoluteJoint(rod.at(b), slider.center, AXIS, name="B"))
    else:
        system.add(
            fc.RevoluteClearance(
                rod.at(b),
                slider.center,
                AXIS,
                bearing_radius=0.01,
                journal_radius=0.01 - clearance,
                length=0.02,
                normal=fc.LankaraniNikravesh(restitution=0.9),
                stiffness=1e10,
                name="B",
            )
        )
    return system


# %% [markdown]
# A system is displayed as a tree, which is a quick check of the model.

# %%
ideal = pump()
ideal

# %% [markdown]
# ## The torque of the motor
#
# One turn takes 0.1 s. If no time step is given, `Simulation` chooses its steps by an error
# estimate. The stabilised form of the integrator enforces the constraints on the velocities too,
# which makes reactions such as the motor's torque smooth ([integrators](../integrators.md)). The
# results are a mapping from the names of *channels* (recorded quantities) to arrays, with one value
# for each step.

# %%
turn = 2 * np.pi / SPEED
smooth = fc.GeneralizedAlpha(0.8, "stabilised")
results = fc.Simulation(ideal, smooth, t_end=turn, tolerance=1e-7, progress=False).run()
torque = results["motor.torque"]
print(f"motor torque between {torque.min():.3f} and {torque.max():.3f} N m")

# %% [markdown]
# ## Is it right?
#
# The motor's power is the rate of change of the kinetic energy $T$, so that its torque is
# $M = \mathrm{d}T/\mathrm{d}\theta$. With the crank angle $\theta$, the crank length $r$ and the
# rod length $l$, the inclination $\varphi$ of the rod is given by $\sin\varphi = (r/l)\sin\theta$,
# and the slider is at $x = r\cos\theta + l\cos\varphi$. Let $m_s$ be the mass of the slider, $m_r$
# and $J_r$ mass and moment of inertia of the rod, and a prime the derivative with respect to
# $\theta$. Then
#
# $$
# \frac{T}{\omega^2} = \tfrac12 m_s x'^2 + \tfrac12 J_r \varphi'^2
# + \tfrac12 m_r\Bigl[\bigl(x' + \tfrac l2\sin\varphi\,\varphi'\bigr)^2
# + \bigl(\tfrac r2\cos\theta\bigr)^2\Bigr]
# $$
#
# plus the constant energy of the crank. The bracket is the squared velocity of the rod's
# centre divided by $\omega^2$; the centre lies half a rod behind the slider and half as high as the
# crank pin.

# %%
theta = np.linspace(0, 2 * np.pi, 20001)
phi = np.arcsin(CRANK / ROD * np.sin(theta))
phi1 = CRANK / ROD * np.cos(theta) / np.cos(phi)
x1 = -CRANK * np.sin(theta) - ROD * np.sin(phi) * phi1
energy = SLIDER_MASS * x1**2 / 2 + ROD_MASS * ROD**2 / 12 * phi1**2 / 2
centre = x1 + ROD / 2 * np.sin(phi) * phi1, CRANK / 2 * np.cos(theta)
energy += ROD_MASS / 2 * (centre[0] ** 2 + centre[1] ** 2)
exact = SPEED**2 * np.gradient(energy, theta, edge_order=2)
error = np.abs(torque[1:] - np.interp(SPEED * results.time[1:], theta, exact)).max()
print(f"largest difference from the closed form {error / exact.max():.1e} of the peak")

# %% [markdown]
# ## A worn pin
#
# With a clearance of 0.1 mm at the slider's pin, the journal crosses the clearance whenever the
# force in the pin reverses, and hits the opposite wall. Of the model only joint B changes.

# %%
worn = fc.Simulation(pump(1e-4), t_end=turn, progress=False).run()
impacts = [event for event in worn.events if event.kind == "onset"]
ideal_force = SLIDER_MASS * SPEED**2 * CRANK * (1 + CRANK / ROD)  # at the stretched position
print(f"{len(impacts)} impacts, the fastest at {max(e.speed for e in impacts) * 1e3:.0f} mm/s")
print(f"largest force {worn['B.normal_force'].max():.0f} N; with an ideal pin {ideal_force:.0f} N")

# %%
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(6.4, 4.6))
axes[0].plot(results.time * 1e3, torque, label="ideal pin")
axes[0].plot(theta / SPEED * 1e3, exact, "k:", label="closed form")
axes[0].set(ylabel="motor torque [N m]")
axes[0].legend()
axes[1].plot(worn.time * 1e3, worn["B.normal_force"], lw=0.8)
axes[1].set(xlabel="time [ms]", ylabel="force in the worn pin [N]")
axes[1].margins(x=0.01)

# %% [markdown]
# ## Where to go from here
#
# - [Revolute](../revolute.md) describes the clearance joint and how to choose its contact law.
# - `worn.scene().animation("pump.gif")` draws the moving mechanism; see [pictures](../pictures.md).
# - The [clearance study](clearance_study.ipynb) varies a clearance systematically.

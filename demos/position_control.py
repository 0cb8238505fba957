# %% [markdown]
# # A controlled arm behind a gear
#
# A motor turns an arm through a gear of ratio 10. A controller samples the motor's angle and speed
# every millisecond and sets its torque, so that the arm follows a measured path of the reference to
# 60 degrees. The arm's weight leaves the error that proportional control has.
# Takes about 10 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc

RATIO, LENGTH, MASS = 10.0, 0.4, 1.0
STIFF, DAMP, STEP, T_END = 1.0, 0.055, 1e-3, 1.5

# %% [markdown]
# The path as a recorder would give it: times and angles of the reference, here 26 points of a
# smooth step. `fc.functions.Table.read("path.csv")` reads them from a file.

# %%
times = np.linspace(0.0, T_END, 26)
s = np.clip(times / 0.6, 0, 1)
path = fc.functions.Table(times, np.pi / 3 * s**3 * (10 - 15 * s + 6 * s**2), rates=(0.0, 0.0))

# %% [markdown]
# Rotor and arm turn on pins; the coupler is the gear. Stops keep the arm within 100 degrees to
# either side. The torque is a load whose numbers the controller sets.

# %%
system = fc.System(gravity=(0, -9.81, 0))
rotor = system.add(fc.RigidBody(0.5, (1e-3,) * 3, position=(0, 0, 0.1), name="rotor"))
inertia = MASS * LENGTH**2 / 12
arm = system.add(fc.RigidBody(MASS, (inertia,) * 3, position=(0, -LENGTH / 2, 0), name="arm"))
shaft = system.add(fc.RevoluteJoint(system.ground, rotor.center, axis=(0, 0, 1), name="shaft"))
hinge = system.add(fc.RevoluteJoint(system.ground, arm.at((0, 0, 0)), axis=(0, 0, 1), name="hinge"))
system.add(fc.Coupler([shaft, hinge], [1, -RATIO], name="gear"))
limit = np.radians(100)
system.add(
    fc.RotationStops(
        hinge.i, hinge.j, axis=(0, 0, 1), lower=-limit, upper=limit, radius=0.05,
        stiffness=1e6, name="stops",
    )
)  # fmt: skip
system.add(fc.Torque(rotor, (0, 0, 0), name="motor"))
for joint, name in ((shaft, "rotor"), (hinge, "arm")):
    system.add(fc.AngleProbe(joint.i, joint.j, axis=(0, 0, 1), name=f"{name}.turn"))

# %% [markdown]
# The controller is called after each step: it reads channels and sets the torque for the next one.


# %%
def control(stepper):
    angle, speed = (stepper.channels[f"rotor.turn.{n}"] for n in ("angle", "speed"))
    wanted, rate = (RATIO * path.at(stepper.t, order) for order in (0, 1))
    torque = STIFF * (wanted - angle) + DAMP * (rate - speed)
    stepper.assign("motor", vector=(0, 0, torque))


results = fc.Simulation(system, dt=STEP, t_end=T_END, on_step=control).run()

# %%
angle = np.degrees(results["arm.turn.angle"])
print(f"the arm ends at {angle[-1]:.3f} degrees, {60 - angle[-1]:.3f} short")
print(f"largest torque of the motor {abs(results['motor.z']).max():.4f} N m")
fed, balance = results["energy.fed"][-1], abs(results["energy.balance"]).max()
print(f"work of the motor {fed:.4f} J, balance open by {balance:.1e} J at most")

# %%
figure, ax = plt.subplots(figsize=(7, 3.5))
ax.plot(results.time, angle, label="arm")
ax.plot(times, np.degrees(path.values), "o", ms=3, label="reference")
ax.set(xlabel="time in s", ylabel="angle in degrees")
ax.legend()
Path("figures").mkdir(exist_ok=True)
figure.savefig("figures/position_control.png", dpi=150)

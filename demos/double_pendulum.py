# %% [markdown]
# # Two flexible arms and a spherical joint with clearance
#
# The dry mechanism of Tian, Zhang, Chen and Flores (2009), section 6.1: two steel arms of 0.3 m
# fall from rest along the x axis. The first hangs on the ground by an ideal spherical joint. Its
# end carries a socket with a radius of 20 mm in which the ball of the second arm, with a radius of
# 18 mm, rattles.
# Takes about 5 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt

import fem_clearance as fc
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

system = fc.System(gravity=(0, -9.81, 0))
steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
bar = fc.Rectangle(0.01, 0.01)

arm1 = system.add(fc.Beam((0, 0, 0), (0.3, 0, 0), bar, steel, elements=6, name="arm1"))
arm2 = system.add(fc.Beam((0.3, 0, 0), (0.6, 0, 0), bar, steel, elements=6, name="arm2"))
system.add(fc.SphericalJoint(system.ground, arm1.start, name="pivot"))
system.add(
    fc.SphericalClearance(
        arm1.end,
        arm2.start,
        socket_radius=0.02,
        ball_radius=0.018,
        normal=fc.LankaraniNikravesh(restitution=0.9),
        name="joint",
    )
)
system.add(fc.Probe(arm2.end, name="tip"))

# %% [markdown]
# The error estimate chooses the steps, and the onset of each contact is located to a nanosecond.

# %%
simulation = fc.Simulation(system, fc.GeneralizedAlpha(rho_inf=0.8), t_end=0.034, progress=False)
results = simulation.run()

force = results["joint.normal_force"]
first = results.time[(force > 0).argmax()]
print(f"{len(results.time)} steps; first contact at {first * 1e3:.3f} ms, ", end="")
print(f"largest force {force.max():.1f} N")

# %% [markdown]
# The ball falls through the clearance of 2 mm and bounces. The figure shows its distance from the
# socket, the force of each contact, and its path in the plane of the motion.

# %%
figure, axes = plt.subplot_mosaic(
    [["gap", "path"], ["force", "path"]], figsize=(8.4, 4.2), width_ratios=(1.5, 1)
)
time, gap = results.time * 1e3, (2e-3 - results["joint.eccentricity"]) * 1e6
late = (time > 28.4) & (time < 30.4)
axes["gap"].plot(time[late], gap[late])
axes["gap"].axhline(0, color="0.4", lw=0.8)
axes["gap"].set(ylabel="gap [µm]", ylim=(-1, 12))
axes["gap"].tick_params(labelbottom=False)
axes["force"].plot(time[late], force[late])
axes["force"].set(xlabel="time [ms]", ylabel="force [N]")
axes["force"].sharex(axes["gap"])
axes["path"].plot(*style.circle(2.0), color="0.4", lw=0.8)
axes["path"].plot(results["joint.ex"] * 1e3, results["joint.ey"] * 1e3)
axes["path"].set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="ball in the clearance")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "double_pendulum.png", dpi=150)

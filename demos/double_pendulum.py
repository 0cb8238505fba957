# %% [markdown]
# # Two flexible arms and a spherical joint with clearance
#
# Tian, Zhang, Chen and Flores (2009), section 6.1, dry: two steel arms of 0.3 m fall from rest
# along +x. The first hangs on the ground by an ideal spherical joint; its end carries a socket of
# radius 20 mm in which the ball of the second arm, radius 18 mm, rattles.
# Takes some 5 seconds.

# %%
from pathlib import Path

import fem_clearance as fc

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
# Steps follow the error; the onset of the contact is located to a nanosecond.

# %%
simulation = fc.Simulation(system, fc.GeneralizedAlpha(rho_inf=0.8), t_end=0.03)
results = simulation.run()

force = results["joint.normal_force"]
first = results.time[(force > 0).argmax()]
print(f"{len(results.time)} steps; first contact at {first * 1e3:.3f} ms, ", end="")
print(f"largest force {force.max():.1f} N")

# %%
figures = Path("figures")
figures.mkdir(exist_ok=True)
results.plot("joint.eccentricity").savefig(figures / "double_pendulum_eccentricity.png", dpi=150)

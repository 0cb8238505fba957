# %% [markdown]
# # Identification from a measured path
#
# How large is the clearance of a joint, how stiff is its contact, and what is the coefficient of
# restitution? None of these can be seen on the assembled mechanism, but all of them influence its
# motion. This tutorial finds them from the measured path of a point, by a least-squares fit that
# uses the derivatives of the run. The measurement is a computed motion with noise added, so that
# the right answer is known. The tutorial takes about 30 seconds.
#
# ## The model
#
# An arm falls in a spherical clearance joint. The model is a function that takes the values of the
# parameters and returns a `System`.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

import fem_clearance as fc
from fem_clearance.plotting import style

plt.style.use(style.STYLE)


def model(p):
    system = fc.System(gravity=(0, -9.81, 0))
    start = np.array([np.cos(0.2), np.sin(0.2), 0])
    arm = system.add(
        fc.RigidBody(
            mass=1.0,
            inertia=(1e-3, 0.083, 0.083),
            position=0.5 * start,
            orientation=(0, 0, 0.2),
            name="arm",
        )
    )
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)),
            arm.at((0, 0, 0)),
            socket_radius=0.02,
            ball_radius=0.02 - p["clearance"],
            normal=fc.LankaraniNikravesh(restitution=p["restitution"]),
            stiffness=p["stiffness"],
            name="joint",
        )
    )
    system.add(fc.Probe(arm.at(tuple(start)), name="tip"))
    return system


# %% [markdown]
# ## The measurement
#
# The measurement consists of the position of the tip at 30 instants, with a noise of 5 µm. The
# steps of the run end at the instants that are given to `At`.

# %%
true = {"stiffness": 1e6, "restitution": 0.9, "clearance": 1e-3}
times = np.linspace(1e-3, 0.03, 30)
noise = 5e-6  # m
s = fc.Sensitivity(
    model,
    at=true,
    of=[fc.At("tip.x", times), fc.At("tip.y", times)],
    t_end=0.03,
    tolerance=1e-8,
    contact_tolerance=1e-5,
)
exact = s.run().outputs
measured = exact + noise * np.random.default_rng(1).standard_normal(len(exact))

# %% [markdown]
# ## What the path can tell
#
# Before anything is fitted, the derivatives (a `Derivatives`, with `values`, `jacobian` and the
# names of both sides) show how accurately each parameter can be found. For independent noise with
# the standard deviation $\sigma$, the covariance of the parameters is
# $\sigma^2(\mathbf J^{\mathsf T}\mathbf J)^{-1}$.

# %%
derivatives = s.forward()
covariance = noise**2 * np.linalg.inv(derivatives.jacobian.T @ derivatives.jacobian)
expected = np.sqrt(np.diag(covariance)) / derivatives.parameters
for name, error in zip(derivatives.by, expected, strict=True):
    print(f"{name} can be found to {100 * error:.2f} %")

# %% [markdown]
# ## The fit
#
# The fit starts with a stiffness that is 30 % too low and a clearance that is 15 % too large.
# `s.residuals` divides the deviations by their standard deviation (residuals in metres would meet
# the default `gtol` of SciPy too early); `misfit.jacobian` returns their derivatives, from the same
# run. If trial points leave the range that the model accepts, give `bounds=`
# ([sensitivity](../sensitivity.md)).

# %%
start = np.array([0.7e6, 0.9, 1.15e-3])
misfit = s.residuals(measured, deviation=noise)
fit = least_squares(misfit, start, jac=misfit.jacobian, x_scale=start)
for name, value, error in zip(s.by, fit.x, expected, strict=True):
    off = value / true[name] - 1
    print(f"{name}: {value:.5g}, off by {100 * off:.2f} %, {abs(off) / error:.2f} standard errors")
left = np.sqrt(2 * fit.cost / (len(measured) - len(fit.x)))
print(f"{fit.nfev} runs and {fit.njev} derivatives; the fit leaves {left:.3f} of the noise")

# %% [markdown]
# The errors are as large as the covariance predicts, and the remaining deviations are those of the
# noise. Finite differences of runs (`jac="2-point"`) lead to the same result, but take three more
# runs for each Jacobian and, with adaptive steps, add numerical noise.
#
# ## How far each parameter moves the tip
#
# The band of a channel shows from when a parameter has an influence: restitution and stiffness have
# none before the impact.

# %%
figure = derivatives.plot_history("tip.y")
at_impact = next(e.time for e in s.run(list(true.values())).stepper.events)
history = derivatives.histories["tip.y", "restitution"]
early = np.abs(history[derivatives.t < 0.999 * at_impact]).max()
print(f"impact at {at_impact:.6f} s; before it d(tip.y)/d(restitution) is {early:.1e} m at most")

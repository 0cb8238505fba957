# %% [markdown]
# # A bore with less friction
#
# A journal bearing carries 1 kN at 300 rad/s. Clearance and shape of its bore (two and three
# lobes, as depths beside the circle) are chosen so that the friction is least and the film
# nowhere thinner than before. `fc.SteadySensitivity` gives the gradients of both by the adjoint
# equations, a solution each, and SciPy's SLSQP does the rest.
# Takes about 20 seconds.

# %%
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import fem_clearance as fc
from fem_clearance.lubrication import SteadyBearing, plain_bearing

RADIUS, LENGTH, VISCOSITY = 15e-3, 30e-3, 0.01
LOAD, SPEED, CLEARANCE = 1000.0, 300.0, 3e-5
CELLS, ITERATIONS = (48, 6), 25
SIZE = 5e-6  # of a lobe, m
LOBES = ("cos2", "sin2", "cos3", "sin3")

# %% [markdown]
# The model is a function from numbers to a bearing and what acts on it. A `recess` is a depth
# added to the round bore at each point of its surface.


# %%
def depth(p, angle):
    """Of the bore beside the circle, m."""
    parts = (p[name] * getattr(np, name[:3])(int(name[3]) * angle) for name in LOBES)
    return sum(parts)


def model(p):
    film = plain_bearing(
        RADIUS, LENGTH, p["clearance"], VISCOSITY, sliding_speed=SPEED * RADIUS, cells=CELLS
    )
    film = replace(film, recess=lambda x: depth(p, np.arctan2(x[:, 1], x[:, 0])))
    return SteadyBearing(film, load=(0, -LOAD), speed=SPEED)


s = fc.SteadySensitivity(
    model,
    at={"clearance": CLEARANCE, **dict.fromkeys(LOBES, 0.0)},
    of=["friction_torque", "min_film", "ex", "ey"],
    sizes={"clearance": CLEARANCE, **dict.fromkeys(LOBES, SIZE)},
)
print(s.adjoint())

# %% [markdown]
# Numbers of size one are best for optimisers: parameters by their sizes, outputs by their first
# values.

# %%
sizes, first = s.sizes_at(s.at), s.run().outputs
start = np.array([*s.at.values()]) / sizes


def value(k):
    return lambda x: s.run(x * sizes).outputs[k] / first[k]


def slope(k):
    return lambda x: s.adjoint(x * sizes).jacobian[k] * sizes / first[k]


def optimum(lobes):
    """Least friction with lobes of at most so many sizes."""
    found = minimize(
        value(0), start, jac=slope(0), method="SLSQP",
        constraints={"type": "ineq", "fun": lambda x: value(1)(x) - 1.0, "jac": slope(1)},
        bounds=[(0.3, 3.0)] + [(-lobes, lobes)] * len(LOBES),
        options={"maxiter": ITERATIONS, "ftol": 1e-5},
    )  # fmt: skip
    last = s.run(found.x * sizes)
    print(f"{found.nit} iterations, {found.nfev} bearings, {found.njev} gradients")
    print(f"friction torque {1e3 * first[0]:.3f} -> {1e3 * last.outputs[0]:.3f} mN m")
    print(f"least film {1e6 * first[1]:.3f} -> {1e6 * last.outputs[1]:.3f} um")
    print(", ".join(f"{name} {1e6 * z:.2f} um" for name, z in last.values.items()))
    return last.values


print("clearance alone:")
optimum(0.0)
print("clearance and lobes:")
best = optimum(1.0)

# %% [markdown]
# The thickness round the bearing, and the pressure in its middle.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for name, values in (("round", s.at), ("optimised", best)):
    steady = model(values)
    film, nodes = steady.solve(), steady.solver.film.surface.nodes
    middle = np.flatnonzero(np.abs(nodes[:, 2]) < 1e-9)
    angle = np.degrees(np.arctan2(nodes[middle, 1], nodes[middle, 0]))
    order = np.argsort(angle)
    left.plot(angle[order], 1e6 * film.thickness[middle][order], label=name)
    right.plot(angle[order], 1e-6 * film.pressure[middle][order], label=name)
left.set(xlabel="angle (deg)", ylabel="film thickness (µm)", ylim=(0, None))
right.set(xlabel="angle (deg)", ylabel="pressure (MPa)")
left.legend()
Path("figures").mkdir(exist_ok=True)
figure.savefig("figures/optimised_bore.png", dpi=150)

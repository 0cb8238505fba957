# %% [markdown]
# # Which of 40 parameters matter
#
# In a quick-return mechanism (Tian et al. 2015) gears on flexible shafts, which turn in four
# bearings, drive a crank whose pin slides along a flexible rod. Which of its lengths, masses,
# stiffnesses and dampings determine position and velocity of the tip of the rod? One run and one
# sweep backwards in time give the derivatives with respect to all 40 of them, where finite
# differences would take 80 runs.
# Takes about 80 seconds.

# %%
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance import cases

T_END = 0.01  # s, a sixth of a turn
STEP = 2e-5  # s
case = cases.get("quick_return")
SETTINGS = {"bearings": "spring", "gravity": 9.81, "rod.damping": 1e-5}

# %% [markdown]
# Some parameters are those of the case. The others are factors, 1 at first, by which properties of
# its bodies, bearings and gears are multiplied.

# %%
OWN = [
    "crank.length", "pinion.speed", "transmission_error", "gravity", "stiffness.constant",
    "rod.damping",
]  # fmt: skip
FACTORS = {}
for body in ("crank_body", "gear", "pinion"):
    FACTORS[f"mass of {body}"] = body, "mass", ...
for body in ("gear", "pinion"):
    FACTORS[f"inertia of {body}"] = body, "inertia", ...
for bar in ("rod", "pinion_shaft", "gear_shaft"):
    for name, attribute in (("modulus", "E"), ("density", "rho"), ("radius", "radius")):
        FACTORS[f"{name} of {bar}"] = bar, attribute, ...
for bearing in ("A", "D", "C", "F"):
    for name in ("stiffness", "damping"):
        for k, axis in ((1, "y"), (2, "z")):
            FACTORS[f"{name} {axis} of {bearing}"] = f"bearing.{bearing}", name, k
for bearing in ("A", "C"):
    FACTORS[f"stiffness x of {bearing}"] = f"bearing.{bearing}", "stiffness", 0
FACTORS |= {"mass of mesh": ("mesh", "mass", ...), "damping of mesh": ("mesh", "damping", ...)}


def multiply(item, attribute, which, factor):
    """Multiply a property of an item, or one of its components."""
    for part in ("material", "section"):
        if hasattr(own := getattr(item, part, None), attribute):
            changed = replace(own, **{attribute: factor * getattr(own, attribute)})
            setattr(item, part, changed)
            return
    value = np.array(getattr(item, attribute), float)
    value[which] *= factor
    setattr(item, attribute, value if value.ndim else float(value))


def model(p):
    published = case.model(case.resolve({**SETTINGS, **{name: p[name] for name in OWN}})).system
    system = fc.System(gravity=published.gravity, up=(0, 0, 1))
    for item in published.items:
        for name, (owner, attribute, which) in FACTORS.items():
            if item.name == owner:
                multiply(item, attribute, which, p[name])
        system.add(item)
    return system


at = {name: case.resolve(SETTINGS)[name] for name in OWN} | dict.fromkeys(FACTORS, 1.0)
s = fc.Sensitivity(
    model,
    at=at,
    of=["rod_tip.y", "rod_tip.vy"],
    t_end=T_END,
    dt=STEP,
    integrator=fc.GeneralizedAlpha(0.8),
)
d = s.adjoint()
print(f"{len(d.by)} parameters")

# %% [markdown]
# By how much the position of the tip and its velocity change if a parameter grows by 1 %.

# %%
changes = 0.01 * d.scaled
order = np.argsort(-np.abs(changes[0]))
for k in order[:8]:
    print(f"{d.by[k]:>22}: {1e6 * changes[0, k]:9.3f} um {1e3 * changes[1, k]:9.4f} mm/s")
small = np.abs(changes[0]) < 0.01 * np.abs(changes[0]).max()
print(f"{small.sum()} of them move the tip by less than a hundredth of the first one")

# %% [markdown]
# Two runs in which the most important factor is larger or smaller by 1 % confirm this.

# %%
first = next(k for k in order if d.by[k] in FACTORS)
sides = []
for side in (1.01, 0.99):
    x = d.parameters.copy()
    x[first] *= side
    sides.append(s.run(x).outputs[0])
print(f"{d.by[first]}: {1e6 * (sides[0] - sides[1]) / 2:.3f} um by two runs")

# %%
figure, axes = plt.subplots(figsize=(7.0, 5.0), layout="constrained")
shown = order[:20][::-1]
axes.barh([d.by[k] for k in shown], 1e6 * np.abs(changes[0, shown]), height=0.6)
axes.set_xscale("log")
axes.set_xlabel("change of the tip's position for 1 % of the parameter (µm)")
Path("figures").mkdir(exist_ok=True)
figure.savefig("figures/which_parameters.png", dpi=150)

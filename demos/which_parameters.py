# %% [markdown]
# # Which of 40 parameters matter
#
# Gears on flexible shafts in four bearings drive a crank, whose pin slides along a flexible rod
# (Tian et al. 2015). Which of its masses, stiffnesses, dampings and lengths decide where the rod's
# tip is, and how fast? One run, and one solution of the adjoint equations for each step and output,
# give the derivatives by all of them; finite differences would take 80 runs.
# Takes about 60 seconds.

# %%
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.plotting import style

T_END = 0.01  # s, a sixth of a turn
case = cases.get("quick_return")
SETTINGS = {"bearings": "spring", "gravity": 9.81, "transmission_error": 1.8e-4}

# %% [markdown]
# Some parameters are those of the case. Others are factors of numbers that the cells of the model
# carry, one at the start: of all cells of a body, or of one direction of a bearing.

# %%
OWN = ["crank.length", "pinion.speed", "transmission_error", "gravity"]
FACTORS = {f"mass of {body}": (body, ("mass", "euler"), ...) for body in ("crank_body", "gear")}
FACTORS["mass of pinion"] = "pinion", ("mass", "euler"), ...
for bar in ("rod", "pinion_shaft", "gear_shaft"):
    FACTORS |= {
        f"modulus of {bar}": (bar, ("E", "mu", "lam"), ...),
        f"density of {bar}": (bar, ("rho", "load"), ...),
        f"area of {bar}": (bar, ("area",), ...),
        f"bending of {bar}": (bar, ("I_y", "I_z"), ...),
        f"shear of {bar}": (bar, ("shear_area_y", "shear_area_z"), ...),
    }
for bearing in ("A", "D", "C", "F"):
    for k, axis in ((1, "y"), (2, "z")):
        for name in ("stiffness", "damping"):
            FACTORS[f"{name} {axis} of {bearing}"] = f"bearing.{bearing}", (name,), k
FACTORS["mass of mesh"] = "mesh", ("mass",), ...
FACTORS["damping of mesh"] = "mesh", ("damping",), ...


def model(p):
    values = case.resolve({**SETTINGS, **{name: p[name] for name in OWN}})
    system = case.model(values).system
    problem = system.assemble()
    for c, rows in zip(problem.components, problem.parameters(problem.start), strict=True):
        for name, (owner, numbers, place) in FACTORS.items():
            if owner in c.owners:
                cells = c.owner == c.owners.index(owner)
                for number in set(numbers) & {*c.kind.parameters}:
                    columns = np.arange(c.kind.width)[c.kind.columns(number)][place]
                    rows[np.ix_(cells, np.atleast_1d(columns))] *= p[name]
    return system


at = {name: case.resolve(SETTINGS)[name] for name in OWN} | dict.fromkeys(FACTORS, 1.0)
s = fc.Sensitivity(
    model,
    at=at,
    of=["rod_tip.y", "rod_tip.vy"],
    t_end=T_END,
    dt=2e-5,
    integrator=fc.GeneralizedAlpha(0.8),
)
d = s.adjoint()
print(f"{len(d.by)} parameters, {len(s.run().stepper.record)} steps")

# %% [markdown]
# By how much the tip moves, and its velocity changes, if a parameter grows by one per cent.

# %%
changes = 0.01 * d.scaled
order = np.argsort(-np.abs(changes[0]))
for k in order[:8]:
    print(f"{d.by[k]:>22}: {1e6 * changes[0, k]:9.3f} um {1e3 * changes[1, k]:9.4f} mm/s")
small = np.abs(changes[0]) < 0.01 * np.abs(changes[0]).max()
print(f"{small.sum()} of them move it by less than a hundredth of the first")

# %% [markdown]
# Runs in which the first parameter of these that is no length or speed is larger or smaller by one
# per cent say the same.

# %%
first = next(k for k in order if d.by[k] not in OWN)
sides = []
for side in (1.01, 0.99):
    x = d.parameters.copy()
    x[first] *= side
    sides.append(s.run(x).outputs[0])
found = (sides[0] - sides[1]) / 2
print(f"{d.by[first]}: {1e6 * found:.3f} um by two runs")

# %%
figure = style.figure(figsize=(7.0, 5.0))
axes = figure.subplots()
shown = order[:20][::-1]
axes.barh([d.by[k] for k in shown], 1e6 * np.abs(changes[0, shown]), color="C0", height=0.6)
axes.set_xscale("log")
axes.set_xlabel("change of the tip's place by one per cent, µm")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "which_parameters.png", dpi=150)

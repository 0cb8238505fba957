# %% [markdown]
# # A journal bearing and its stability
#
# A bearing with a diameter of 30 mm and the same width has an oil film by Reynolds' equation. Its
# load grows without bound with the eccentricity, and its attitude angle falls from 90 degrees to
# zero. The eight stiffness and damping coefficients give the mass above which the shaft begins to
# whirl under a given load.
# Takes about 10 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.lubrication import (
    Bearing,
    Coefficients,
    Place,
    attitude,
    plain_bearing,
    sommerfeld_number,
)
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

cells = (96, 16)  # round, along
R, L, c, viscosity, speed = 15e-3, 30e-3, 0.2e-3, 0.04, 100.0

# %% [markdown]
# First a single point by the package's case. Raimondi and Boyd (1958) give S = 0.121 and 50.58
# degrees there.

# %%
text = "x".join(map(str, cells))
one = cases.get("journal_bearing").simulation(
    {"eccentricity_ratio": 0.6, "film_start": "largest_gap", "film.cells": text}, progress=False
)
summary = one.run().summary
print(f"S = {summary['sommerfeld_number']:.4f}, attitude {summary['attitude_deg']:.2f} degrees")

# %% [markdown]
# Then all eccentricities from Python; a `Bearing` keeps its factors from one to the next.

# %%
film = plain_bearing(
    R, L, c, viscosity, sliding_speed=R * speed, cells=cells, crowd=0.8, starts_at_largest_gap=True
)
bearing = Bearing(film)
ratios = np.linspace(0.1, 0.95, 18)
S, angle, mass = [], [], []
for ratio in ratios:
    found = bearing.solve(Place(e=(ratio * c, 0, 0), Omega=(0, 0, speed)))
    load = np.hypot(*found.force[:2])
    S.append(
        sommerfeld_number(load, radius=R, length=L, clearance=c, viscosity=viscosity, speed=speed)
    )
    angle.append(np.degrees(attitude(found)))
    # dimensionless: critical mass * clearance * speed^2 / load
    mass.append(Coefficients.of(found, errors=False).critical_mass * c * speed**2 / load)
stable = ratios[np.isfinite(mass)].max()
print(f"beyond an eccentricity ratio of {stable:.2f} the bearing is stable at any mass")

# %%
figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.2))
axes[0].semilogy(ratios, S, ".-")
axes[0].set(xlabel="eccentricity ratio", ylabel="Sommerfeld number", ylim=(3e-3, 2))
axes[1].plot(ratios, angle, ".-")
axes[1].set(xlabel="eccentricity ratio", ylabel="attitude angle [deg]")
axes[2].plot(ratios, mass, ".-")
axes[2].set(xlabel="eccentricity ratio", ylabel=r"critical mass $m\,c\,\omega^2/F$", ylim=(0, 25))
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "journal_bearing.png", dpi=150)

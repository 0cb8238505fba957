# %% [markdown]
# # Warm-up of a bearing: the journal warms faster than the bush
#
# When a journal starts to rotate, it heats its oil, and the oil heats journal and bush. The small
# journal warms through sooner than the thick bush, whose outer part stays cold and confines the
# bore. The clearance therefore first becomes smaller, and larger again when all of the bush is
# warm. A bearing that has enough clearance in its steady state can seize before it reaches it.
#
# Each step solves for the film, for the temperature of the journal and for the heat equation in
# the bush together, by backward Euler: `solve(place, before=, step=)`.
#
# Takes about 10 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fem_clearance as fc
from fem_clearance.errors import StepFailed
from fem_clearance.lubrication import (
    Bearing,
    Conducting,
    Expansion,
    Exponential,
    Film,
    HeatedSolid,
    Lubricant,
    Place,
    Shaft,
    cylinder,
)
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

radius, length, speed, cold = 0.05, 0.05, 200.0, 293.0  # m, m, rad/s, K
oil = Lubricant(
    0.05, temperature=Exponential(0.03), reference_temperature=cold, mass_density=870.0,
    specific_heat=2000.0,
)  # fmt: skip
mesh = fc.meshes.hollow_cylinder(radius, 2 * radius, length, (12, 2, 4), degree=2)
steel = Expansion(12e-6, E=2.07e11, nu=0.3)  # 1/K, Pa
bush = HeatedSolid(
    mesh, 50.0, 3.6e6, cooled={"rim": (300.0, cold)}, responses=20, expansion=steel
)  # W/(m K), J/(m^3 K), W/(m^2 K)
shaft = Shaft(conductance=5.0, temperature=cold, capacity=1400.0)  # W/K, K, J/K


def warm_up(clearance, t_end=2400.0):
    """Times (s), temperatures of journal and bore (K), and the least thickness (m) until a steady
    state, or until the clearance is closed."""
    thermal = Conducting(cold, bush=bush, journal=shaft, journal_expansion=12e-6)
    film = Film(cylinder(radius, length, (24, 6)), clearance, oil, sliding_speed=radius * speed,
                thermal=thermal)  # fmt: skip
    bearing = Bearing(film)
    t, dt, rows = 0.0, 2.0, []
    place = Place(e=(3e-6, 0, 0), Omega=(0, 0, speed))  # the shaft is held by other bearings
    state = bearing.solve(place._replace(Omega=(0, 0, 1e-3 * speed)))  # cold
    while t < t_end:
        try:
            state = bearing.solve(place, before=state, step=dt)
        except StepFailed:
            if dt < 0.05:
                print(f"  the clearance closes at {t:.1f} s: the bearing seizes")
                break
            dt /= 4
            continue
        t += dt
        w = state.warm
        rows.append((t, float(w.journal[0]), w.bush.mean(), state.thickness.min()))
        dt = min(1.1 * dt, 120.0)
    steady = Bearing(film).solve(place)
    print(f"  its steady state would have a film of {steady.thickness.min() * 1e6:.1f} um")
    return np.array(rows).T


# %%
figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(6.4, 5.2))
for clearance in (45e-6, 22e-6):
    print(f"clearance of {clearance * 1e6:.0f} um when cold:")
    t, journal, bore, least = warm_up(clearance)
    k = least.argmin()
    print(f"  least film {least[k] * 1e6:.1f} um after {t[k]:.0f} s, when the journal has "
          f"{journal[k]:.1f} K and the bore {bore[k]:.1f} K")  # fmt: skip
    print(f"  in the last step, {t[-1]:.0f} s: least film {least[-1] * 1e6:.1f} um, journal "
          f"{journal[-1]:.1f} K, bore {bore[-1]:.1f} K")  # fmt: skip
    label = f"{clearance * 1e6:.0f} µm"
    above.semilogx(t, journal, label=f"journal, {label}")
    above.semilogx(t, bore, "--", label=f"bore, {label}")
    below.semilogx(t, 1e6 * least, label=label)
above.set(ylabel="temperature [K]")
above.legend()
below.set(xlabel="t [s]", ylabel="smallest film [µm]", ylim=(0, None))
below.legend()
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "warm_up.png", dpi=150)

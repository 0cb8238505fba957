# %% [markdown]
# # A pendulum on a slider with play, in time and in frequency
#
# The slider of a pendulum rests on the edge of its guide's clearance (Ebrahimi et al. 2017): it
# bounces on a Hertzian contact at some 250 Hz while the pendulum swings at .61 Hz, whose double
# shows in the slider. The contact's frequency lies above its linear one since the spring hardens.
# Takes some 20 seconds.

# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt

from fem_clearance import cases

t_end = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
results = cases.get("sliding_pendulum").simulation({"t_end": t_end}, progress=False).run()
s = results.summary
print(f"first contact {s['first_contact_time']:.9e} s at {s['first_contact_speed']:.6e} m/s")
print(f"largest force {s['peak_force']:.1f} N, lowest place {s['y_min']:.7e} m")

# %%
figure, axes = plt.subplots(2, 1, layout="constrained")
axes[0].plot(results.time * 1e3, results["slider.y"] * 1e6)
axes[0].set(xlabel="time [ms]", ylabel="slider [um]", xlim=(0, 30))
axes[1].plot(results.time, results["pendulum.angle"])
axes[1].set(xlabel="time [s]", ylabel="pendulum [rad]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "sliding_pendulum.png", dpi=150)

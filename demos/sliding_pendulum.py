# %% [markdown]
# # A pendulum on a slider with clearance, in time and in frequency
#
# The slider of a pendulum rests on the edge of its guide's clearance (Ebrahimi et al. 2017). It
# bounces on a Hertz contact at about 250 Hz while the pendulum swings at 0.61 Hz, and moves the
# slider at twice this frequency. The weight holds the contact together. The larger the bounces, the
# softer it is, so large bounces are slower than small ones about the same position.
# Takes about 20 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.analysis import channel_spectrum
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 3.0  # s
results = cases.get("sliding_pendulum").simulation({"t_end": t_end}, progress=False).run()
s = results.summary
print(f"first contact {s['first_contact_time']:.9e} s at {s['first_contact_speed']:.6e} m/s")
print(f"largest force {s['peak_force']:.1f} N, lowest place {s['y_min']:.7e} m")

# %% [markdown]
# Small oscillations about the depth d at rest, where K d^(3/2) is the weight, have the frequency
# sqrt(3/2 g / d) / (2 pi).

# %%
time, slider = results.time, results["slider.y"] * 1e6
bounces = {"span": (5e-4, min(0.03, t_end)), "spacing": 5e-5}
later = {"span": (0.1 * t_end, t_end), "spacing": 2e-3 * t_end / 3}
bounce = channel_spectrum(results, "slider.y", "slider.vy", **bounces)
slow = channel_spectrum(results, "slider.y", "slider.vy", **later)
depth = -5e-4 - np.interp(np.linspace(0.2, 1, 1000) * t_end, time, results["slider.y"]).mean()
linear = np.sqrt(1.5 * 9.81 / depth) / (2 * np.pi)
print(f"bounces at {bounce.peaks(1, (100, 500))[0].frequency:.0f} Hz, small ones {linear:.0f} Hz")

# %%
figure, axes = plt.subplot_mosaic(
    [["slider", "bounce"], ["angle", "slow"]], figsize=(8.4, 5.2), width_ratios=(1.3, 1)
)
axes["slider"].plot(time * 1e3, slider)
axes["slider"].set(xlabel="time [ms]", ylabel="slider [µm]", xlim=(0, 30))
axes["angle"].plot(time, results["pendulum.angle_deg"])
axes["angle"].set(xlabel="time [s]", ylabel="angle of the pendulum [deg]")
axes["bounce"].plot(bounce.frequency, bounce.amplitude * 1e6)
axes["bounce"].axvline(linear, color="0.4", ls=":", label="small bounces")
axes["bounce"].set(xlabel="frequency [Hz]", ylabel="slider, first 30 ms [µm]", xlim=(0, 600))
axes["bounce"].legend(**style.ABOVE)
axes["slow"].plot(slow.frequency, slow.amplitude * 1e9)
swing = np.sqrt(1.5 * 9.81) / (2 * np.pi)  # of a rod of 1 m
for k in (1, 2):
    axes["slow"].axvline(k * swing, color="0.4", ls=":")
axes["slow"].set(xlabel="frequency [Hz]", ylabel="slider, later [nm]", xlim=(0, 3))
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "sliding_pendulum.png", dpi=150)

"""Sketches and curves of pages without a script of their own.

python docs/make_page_figures.py            all
python docs/make_page_figures.py energy_account  these only
"""

import json
import sys
from pathlib import Path

import numpy as np
from matplotlib.patches import Arc, Circle, FancyArrowPatch, Rectangle

import fem_clearance as fc
from fem_clearance.plotting import style

DOCS = Path(__file__).parent
FIGURES = DOCS / "figures"
STEEL = fc.StVenantKirchhoff(E=2.1e11, nu=0.3, rho=7850)
GREY, LINE = "0.85", {"color": "0.15", "lw": 1.2}


def canvas(size, x, y):
    """An empty drawing, true to scale."""
    figure, (ax,) = style.new(size=size)
    ax.set(xlim=x, ylim=y, aspect="equal")
    ax.axis("off")
    return figure, ax


def arrow(ax, start, end, color="0.15", **options):
    shape = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 0, "shrinkB": 0} | options
    ax.add_patch(FancyArrowPatch(start, end, color=color, lw=1.1, **shape))


def dimension(ax, start, end, text, above=0.15):
    arrow(ax, start, end, arrowstyle="<|-|>", mutation_scale=7)
    middle = (np.array(start) + end) / 2
    ax.text(*(middle + [0, above]), text, ha="center", va="center")


def tutorial_slider_crank():
    """Crank, connecting rod and slider of the first tutorial."""
    figure, ax = canvas((6.2, 2.4), (-1.5, 6.4), (-1.4, 1.6))
    angle = np.radians(50)
    pin = 1.1 * np.array([np.cos(angle), np.sin(angle)])
    end = np.array([pin[0] + np.sqrt(4**2 - pin[1] ** 2), 0])
    ax.plot([-1.3, 6.2], [0, 0], "k-.", lw=0.6)
    ax.add_patch(Circle((0, 0), 1.1, fill=False, ls=":", lw=0.8))
    for a, b in (((0, 0), pin), (pin, end)):
        ax.plot(*np.transpose([a, b]), lw=5, color="0.6", solid_capstyle="round")
    ax.add_patch(Rectangle(end - [0.55, 0.3], 1.1, 0.6, fc=GREY, ec="0.15"))
    for y in (-0.33, 0.33):
        ax.plot([3.4, 6.2], [y, y], **LINE)
    for point, name, place in (
        ((0, 0), "O", (-0.25, -0.3)),
        (pin, "A", (0.1, 0.3)),
        (end, "B", (0.0, 0.55)),
    ):
        ax.add_patch(Circle(point, 0.09, fc="white", ec="0.15", zorder=5))
        ax.text(*(np.array(point) + place), name)
    ax.add_patch(Arc((0, 0), 1.1, 1.1, theta1=0, theta2=50, lw=0.9))
    ax.text(0.65, 0.22, r"$\theta$")
    ax.text(0.15, 0.65, "$r$")
    ax.text(2.3, 0.8, "$l$")
    turn = 1.35 * np.array([[np.cos(2.2), np.sin(2.2)], [np.cos(2.75), np.sin(2.75)]])
    arrow(ax, *turn, connectionstyle="arc3,rad=0.15")
    ax.text(-1.3, 1.15, r"$\omega$")
    arrow(ax, (end[0], -0.75), (end[0] + 0.9, -0.75))
    ax.text(end[0] + 0.95, -0.85, "$x$")
    return figure


def beam_roll_up():
    """A cantilever that an end moment bends to a full circle."""
    system = fc.System(gravity=(0, 0, 0))
    bar = fc.Rectangle(0.01, 0.01)
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), bar, STEEL, elements=16, name="beam"))
    system.add(fc.FixedJoint(system.ground, beam.start))
    moment = 2 * np.pi * STEEL.E * 0.01**4 / 12
    system.add(fc.Torque(beam.end, (0, 0, moment)))
    nodes = [f"p{k}" for k in range(17)]
    for k, name in enumerate(nodes):
        system.add(fc.Probe(beam.node(k), name=name))
    results = fc.Statics(system, steps=16).solve()
    figure, (ax,) = style.new(size=(5.0, 3.6))
    for factor in (0, 0.25, 0.5, 0.75, 1):
        k = np.argmin(abs(results.factor - factor))
        points = np.array([[results[f"{n}.{axis}"][k] for axis in "xy"] for n in nodes])
        ax.plot(*points.T, "o-", ms=2.5, label=f"{factor:g}")
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    ax.legend(title=r"$M L / 2\pi E I$", loc="upper right")
    return figure


def reaction_noise():
    """Torque of a driven slider-crank with constraints on positions alone and stabilised."""
    sys.path.insert(0, str(DOCS))
    script = (DOCS / "tutorials" / "mechanism.py").read_text(encoding="utf-8")
    names: dict = {}
    exec(script.split("# %% [markdown]\n# A system shows itself")[0], names)
    figure, (ax,) = style.new(size=(6.2, 3.0))
    for constraints, line in (("position", "0.6"), ("stabilised", "C0")):
        scheme = fc.GeneralizedAlpha(0.8, constraints)
        run = fc.Simulation(names["pump"](), scheme, t_end=0.011, tolerance=1e-7, progress=False)
        results = run.run()
        ax.plot(results.time * 1e3, results["motor.torque"], color=line, lw=1, label=constraints)
    ax.set(xlabel="time [ms]", ylabel="motor torque [N m]", xlim=(6, 11), ylim=(3.5, 4.5))
    ax.legend(title="constraints")
    return figure


def energy_account():
    """Energies of a ball that bounces in a vessel."""
    system = fc.System(gravity=(0, -9.81, 0))
    ball = system.add(fc.RigidBody(1.0, (1e-3,) * 3, free=True, name="ball"))
    law = fc.ExactRestitution(restitution=0.8)
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=2.5, ball_radius=1.5,
            stiffness=1e9, normal=law,
        )
    )  # fmt: skip
    results = fc.Simulation(system, t_end=2.5, progress=False).run()
    figure, (ax,) = style.new(size=(6.2, 3.0))
    for name in ("stored", "dissipated", "balance"):
        energy = results[f"energy.{name}"]
        ax.plot(results.time, energy - energy[0], label=f"energy.{name}")
    ax.set(xlabel="time [s]", ylabel="energy [J]")
    ax.legend()
    return figure


def table_function():
    """A table as a function of time: the cubic spline through its points and its derivatives."""
    times = np.linspace(0, 0.1, 9)
    lift = 0.01 * np.sin(np.pi * times / 0.1) ** 2
    from scipy.interpolate import CubicSpline

    spline, t = CubicSpline(times, lift), np.linspace(0, 0.1, 500)
    figure, axes = style.new(2, size=(6.2, 3.6))
    axes[0].plot(1e3 * t, 1e3 * spline(t))
    axes[0].plot(1e3 * times, 1e3 * lift, "o", ms=4)
    axes[0].set_ylabel("displacement [mm]")
    axes[1].plot(1e3 * t, spline(t, 2))
    axes[1].set(xlabel="time [ms]", ylabel="acceleration [m/s²]")
    return figure


def verification_margins():
    """How much of its tolerance each comparison of the verification report uses."""
    sys.path.insert(0, str(DOCS))
    from make_verification import split

    notes = json.loads((DOCS / "verification.json").read_text(encoding="utf-8"))["comparisons"]
    figure, (ax,) = style.new(size=(6.2, 3.0))
    bins = np.linspace(0, 1, 21)
    shares = {
        kind: [abs(n["difference"]) / n["tolerance"] for n in some if n["tolerance"]]
        for kind, some in split(notes).items()
    }
    labels = {"published": "published numbers", "own": "our own independent computations"}
    ax.hist(list(shares.values()), bins, stacked=True, label=[labels[k] for k in shares])
    ax.set(xlabel="difference / tolerance", ylabel="comparisons")
    ax.legend()
    return figure


DRAWINGS = {
    "tutorial_slider_crank.svg": tutorial_slider_crank,
    "beam_roll_up.png": beam_roll_up,
    "reaction_noise.png": reaction_noise,
    "energy_account.png": energy_account,
    "table_function.png": table_function,
    "verification_margins.png": verification_margins,
}

if __name__ == "__main__":
    for file, draw in DRAWINGS.items():
        if not sys.argv[1:] or draw.__name__ in sys.argv[1:]:
            figure = style.styled(draw)()
            options = {"metadata": {"Date": None}} if file.endswith("svg") else {"dpi": 130}
            figure.savefig(FIGURES / file, **options)
            print(file)

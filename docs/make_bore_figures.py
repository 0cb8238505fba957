"""Figure and table of deformable_contact.md: where which law of a pin in a bore holds.

python docs/make_bore_figures.py

A rigid pin in a steel ring whose rim is clamped, plane strain, by finite elements; the exact series
of a bore in an infinite plate; Hertz's line contact and the laws for clearance joints.
"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import ufl

import fem_clearance as fc
from fem_clearance.meshes.structured import structured
from fem_clearance.plotting import style

FIGURES = Path(__file__).parent / "figures"
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
RIGID = SimpleNamespace(E=np.inf, nu=0.0)
R, CLEARANCE = 0.01, 1e-5
MODULUS = STEEL.E / (1 - STEEL.nu**2)
LOADS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
RINGS = (2, 4, 20)
LAWS = {"Liu": fc.Liu, "Johnson": fc.Johnson, "ESDU 78035": fc.ESDU78035, "Pereira": fc.Pereira}


def half_ring(outer, reach, cells=(14, 50)):
    """Half of a ring of ``outer`` bore radii, finer where the pin presses."""
    steep = 3.0 if outer < 10 else 6.0

    def place(u):
        inner = u[:, 1] <= 0.7
        angle = np.where(
            inner, u[:, 1] / 0.7 * reach, reach + (np.pi - reach) * (u[:, 1] - 0.7) / 0.3
        )
        r = R * (1 + (outer - 1) * np.expm1(steep * u[:, 0]) / np.expm1(steep))
        return np.column_stack([r * np.cos(angle), r * np.sin(angle), 0 * r])

    names = {(1, 0): "start", (1, 1): "end", (0, 0): "bore", (0, 1): "rim"}
    return structured(cells, place, degree=2, names=names, source="half ring")


def pressed(outer, load):
    """Half angle, rad, peak, Pa, and penetration, m, under a load, N/m."""
    guess = fc.PinInBore(R, CLEARANCE, STEEL, points=400).at_load(load).half_angle
    reach = min(1.3 * guess, 0.9 * np.pi)
    system = fc.System(gravity=(0, 0, 0))
    ring = system.add(
        fc.Solid(
            half_ring(outer, reach), STEEL, state="plane_strain", name="ring",
            clamped={"start": "y", "end": "y", "rim": "xy"},
        )
    )  # fmt: skip
    start = 1.001 * CLEARANCE
    pin = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(start, 0, 0), name="pin"))
    system.add(fc.PrismaticJoint(system.ground, pin.center, axis=(1, 0, 0)))
    system.add(fc.Force(pin.center, (load / 2, 0, 0)))
    law = fc.Winkler(50 * STEEL.E / (reach * R / 35))
    surface = fc.CylinderSurface(pin.center, radius=R - CLEARANCE)
    system.add(fc.SurfaceContact(ring.facets("bore"), surface, law=law, name="c"))
    results = fc.Statics(system, steps=3).solve()
    shift = system.state.q[pin.refs[0].numbers][0]
    nodes = ring.facets("bore").nodes
    x = (ring.nodes + ring.at_nodes(system.state.q))[nodes, :2] - (shift, 0)
    peak = law.stiffness * (R - CLEARANCE - np.hypot(*x.T)).max()
    return results["c.area"][-1] / R, peak, shift - CLEARANCE


def of_law(law, depth):
    """Force of a law for joints at rest, N/m."""
    contact = fc.ContactGeometry("joint", R, R - CLEARANCE, (STEEL, RIGID), 1.0)
    p = SimpleNamespace(**law(restitution=1.0).values(contact))
    return float(law.force(ufl.as_ufl(float(depth)), ufl.as_ufl(0.0), ufl.as_ufl(1.0), p))


def hertz(load):
    """Half width over R and peak, Pa, of a line contact."""
    a = np.sqrt(4 * load * R * (R - CLEARANCE) / (np.pi * CLEARANCE * MODULUS))
    return a / R, 2 * load / (np.pi * a)


def main():
    """Print the table and draw the figure."""
    exact = fc.PinInBore(R, CLEARANCE, STEEL)
    found = {outer: [pressed(outer, x * MODULUS * CLEARANCE) for x in LOADS] for outer in RINGS}
    head = ["load / (E* ΔR)", "half angle: Hertz", "exact", "20 R", "4 R", "2 R"]
    head += ["peak: exact", "2 R", "force by Liu: 4 R", "2 R"]
    print("| " + " | ".join(head) + " |")
    print("|" + 10 * "---|")
    for k, x in enumerate(LOADS):
        load = x * MODULUS * CLEARANCE
        width, peak = hertz(load)
        series = exact.at_load(load)
        angles = [np.degrees(z) for z in (width, series.half_angle)]
        angles += [np.degrees(found[outer][k][0]) for outer in (20, 4, 2)]
        liu = [of_law(fc.Liu, found[outer][k][2]) / load for outer in (4, 2)]
        cells = [f"{x:g}", *(f"{z:.1f}" for z in angles), f"{series.peak / peak:.3f}"]
        cells += [f"{found[2][k][1] / peak:.3f}", *(f"{z:.2f}" for z in liu)]
        print("| " + " | ".join(cells) + " |")
    draw(exact, found)


def draw(exact, found):
    """Angles, peaks, and forces over penetration."""
    import matplotlib.pyplot as plt

    loads = np.geomspace(0.01, 1.0, 25)
    series = [exact.at_load(x * MODULUS * CLEARANCE) for x in loads]
    lines = [hertz(x * MODULUS * CLEARANCE) for x in loads]
    with plt.style.context(style.STYLE):
        figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
        axes[0].semilogx(
            loads, np.degrees([s.half_angle for s in series]), "k", label="exact series"
        )
        axes[0].semilogx(loads, np.degrees([w for w, _ in lines]), "k--", label="Hertz")
        ratio = [s.peak / p for s, (_, p) in zip(series, lines, strict=True)]
        axes[1].semilogx(loads, ratio, "k", label="exact series")
        for outer, marker in zip(RINGS, "os^", strict=True):
            angle, peak, depth = np.array(found[outer]).T
            hertzian = [hertz(x * MODULUS * CLEARANCE)[1] for x in LOADS]
            name = f"elements, ring of {outer} R"
            axes[0].semilogx(LOADS, np.degrees(angle), marker, label=name, mfc="none")
            axes[1].semilogx(LOADS, peak / hertzian, marker, label=name, mfc="none")
            axes[2].loglog(depth / CLEARANCE, LOADS, f"{marker}-", label=name, mfc="none", lw=0.8)
        depths = np.geomspace(0.02, 3, 40) * CLEARANCE
        for name, law in LAWS.items():
            forces = np.array([of_law(law, d) for d in depths]) / (MODULUS * CLEARANCE)
            axes[2].loglog(depths / CLEARANCE, forces, "--", label=name)
        axes[2].set_ylim(5e-3, 2)
        axes[2].set_xlim(0.02, 3)
        for axis, title, x, y in zip(
            axes,
            ("Where it touches", "How hard it presses", "Force over penetration"),
            ("load / (E* dR)", "load / (E* dR)", "penetration / dR"),
            ("half angle, degrees", "peak pressure / Hertz's", "load / (E* dR)"),
            strict=True,
        ):
            axis.set(title=title, xlabel=x, ylabel=y)
        axes[0].legend(fontsize=7)
        axes[2].legend(fontsize=7)
        figure.savefig(FIGURES / "pin_in_bore.png", dpi=150)


if __name__ == "__main__":
    main()

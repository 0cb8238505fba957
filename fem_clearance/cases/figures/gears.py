"""Figures of the spur gear pair: Figs. 8 and 10 to 12 of Tian et al. (2015), and the gears."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from ...gears import (
    ChaariStiffness,
    FourierStiffness,
    GearMesh,
    MeshStiffness,
    RectangularStiffness,
)
from ...gears.friction import xu_coefficient
from ...gears.outline import outline
from ...plotting import style
from ...plotting.curves import thinned
from ...plotting.units import scaled
from .. import spur_gear_pair as case

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results

#: radius of curvature, pressure, viscosity and roughness in Fig. 8: m, GPa, cP, um
RADIUS, PRESSURE, VISCOSITY, ROUGHNESS = 5e-3, 2.0, 10.0, 0.07


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``spur_gear_pair``."""
    laws = {
        "Chaari, with fillet": ChaariStiffness(case.E, case.NU),
        "without fillet": ChaariStiffness(case.E, case.NU, fillet=False),
        "Fourier, 5": FourierStiffness(case.LARGEST, case.MEAN, 5),
        "Fourier, 15": FourierStiffness(case.LARGEST, case.MEAN, 15),
        "rectangular": RectangularStiffness(case.LARGEST, case.MEAN),
    }
    mesh, chosen = case.mesh(p["approach"]), case.stiffness(p)
    yield "gears", pair(mesh)
    yield "fig08_friction", friction()
    yield "fig10_stiffness", stiffness(mesh, laws, chosen)
    number = "fig11" if p["pinion.rpm"] < 100 else "fig12"
    yield f"{number}_transmission_error", transmission_error(results)
    yield "mesh_force", mesh_force(results)


@style.styled
def pair(mesh: GearMesh) -> Figure:
    """Both gears in contact, with the line of action between the tips."""
    figure, axes = style.subplots(1, 2, figsize=(7.2, 3.4), width_ratios=(1.5, 1))
    p, g = mesh.pinion, mesh.gear
    angle = mesh.pressure_angle
    along = np.array([np.sin(angle), np.cos(angle)])
    x1, _ = mesh.curvatures(np.array([0.0, mesh.approach_length, mesh.path_length]))
    foot = p.base_radius * np.array([np.cos(angle), -np.sin(angle)])
    path = foot + np.multiply.outer(x1, along)
    # at phase 0 a tooth of each gear touches at A, with the flank ahead of its middle
    turns = []
    for gear, centre in ((p, 0.0), (g, mesh.centre_distance)):
        x, y = path[0] - (centre, 0.0)
        turns.append(np.arctan2(y, x) - gear.half_angle(np.hypot(x, y)) - np.pi / 2)
    for ax in axes:
        for gear, turn, centre, color in (
            (p, turns[0], 0.0, "C0"),
            (g, turns[1], mesh.centre_distance, "C1"),
        ):
            c, s = np.cos(turn), np.sin(turn)
            x, y = np.array([[c, -s], [s, c]]) @ outline(gear).T
            ax.plot(1e3 * (x + centre), 1e3 * y, color=color, lw=0.9)
            if gear.bore_radius:
                x, y = style.circle(gear.bore_radius)
                ax.plot(1e3 * (x + centre), 1e3 * y, color=color, lw=0.9)
        ax.plot(*(1e3 * path.T), "-o", color="k", ms=3, lw=1)
        ax.set_aspect("equal")
        ax.grid(False)
        ax.set_xlabel("x [mm]")
    axes[0].set_ylabel("y [mm]")
    middle = 1e3 * path[1]
    axes[1].set_xlim(middle[0] - 11, middle[0] + 11)
    axes[1].set_ylim(middle[1] - 14, middle[1] + 14)
    for name, point, beside in zip(("A", "P", "end"), path, (-13, 5, 5), strict=True):
        axes[1].annotate(name, 1e3 * point, (beside, -3), textcoords="offset points", fontsize=9)
    return figure


@style.styled
def friction(speeds=(1.0, 2.0, 5.0, 10.0)) -> Figure:
    """Fig. 8: Xu's coefficient over the ratio of sliding and rolling."""
    figure, (ax,) = style.new(
        x="sliding over entrainment speed [-]", y="coefficient of friction [-]"
    )
    ratio, numpy = np.linspace(1e-4, 1, 400), SimpleNamespace(exp=np.exp, ln=np.log)
    for speed in speeds:
        mu = xu_coefficient(ratio, PRESSURE, VISCOSITY, ROUGHNESS, speed, RADIUS, numpy)
        ax.plot(ratio, mu, label=f"{speed:g} m/s")
    ax.set_ylim(bottom=0)
    ax.legend(title="entrainment")
    return figure


@style.styled
def stiffness(mesh: GearMesh, laws: Mapping[str, MeshStiffness], chosen: MeshStiffness) -> Figure:
    """Fig. 10: the laws over a mesh cycle, and that of the run."""
    shown = dict(laws)
    if chosen not in shown.values():
        shown["of this run"] = chosen
    phase = np.linspace(0, 1, 1501)[:-1]
    lines, unit = scaled("N/m", [law.total(mesh, phase) for law in shown.values()])
    figure, (ax,) = style.new(x="mesh cycle [-]", y=style.label("mesh stiffness", unit))
    for k, (name, line) in enumerate(zip(shown, lines, strict=True)):
        ax.plot(phase, line, color=f"C{k}", label=name,
                ls="--" if name == "without fillet" else "-",
                lw=2 if name == "of this run" else 1.2)  # fmt: skip
    ax.legend(ncols=3, **style.ABOVE)
    return figure


def last_cycles(results: Results, count: int) -> tuple[np.ndarray, slice]:
    """Mesh cycles since the start, and the rows of the last few whole ones."""
    cycles = np.unwrap(2 * np.pi * results["mesh_phase"]) / (2 * np.pi)
    first = int(np.searchsorted(cycles, max(cycles[-1] - count - 1e-9, 0.0)))
    return cycles, slice(first, None)


@style.styled
def transmission_error(results: Results, count: int = 2) -> Figure:
    """Figs. 11 and 12: transmission error over the last mesh cycles, with the static deflection."""
    cycles, last = last_cycles(results, count)
    x = cycles[last] - cycles[last][0]
    mean = np.trapezoid(results["mesh_force"][last], x) / (x[-1] - x[0])
    lines = results["transmission_error"][last], mean / results["mesh_stiffness"][last]
    (dynamic, static), unit = scaled("m", lines)
    figure, (ax,) = style.new(x="mesh cycle [-]", y=style.label("transmission error", unit))
    ax.plot(*thinned(x, dynamic), label="dynamic")
    ax.plot(*thinned(x, static), "--", color="0.5", lw=1, label="static, F/k")
    ax.legend(ncols=2, **style.ABOVE)
    return figure


@style.styled
def mesh_force(results: Results, count: int = 2) -> Figure:
    """Force of the mesh, and of each pair of teeth."""
    cycles, last = last_cycles(results, count)
    x = cycles[last] - cycles[last][0]
    pairs = [n for n in results.names if n.startswith("mesh.pair") and n.endswith("force")]
    (whole, *parts), unit = scaled("N", [results[n][last] for n in ("mesh_force", *pairs)])
    figure, (ax,) = style.new(x="mesh cycle [-]", y=style.label("force", unit))
    for k, part in enumerate(parts):
        ax.plot(*thinned(x, part), label=f"pair {k + 1}", lw=1, ls=("-", "--", ":")[k % 3])
    ax.plot(*thinned(x, whole), color="k", label="mesh")
    ax.legend(ncols=3, **style.ABOVE)
    return figure

"""The figures of docs/thermal.md: two pads whose oil warms, and a bush that it heats.

python docs/make_thermal_figure.py
"""

from dataclasses import replace
from pathlib import Path

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.lubrication import Bearing, Conducting, Expansion, HeatedSolid, equilibrium
from fem_clearance.plotting import films, heated_bushes

FIGURES = Path(__file__).parent / "figures"


def main():
    case = cases.get("thermal_bearing")
    p = case.resolve({})
    film = case.build(p)
    load, speed = (0.0, -p["load"]), p["speed"]
    state = equilibrium(Bearing(film), load, speed)
    figure = films.unfolded(films.pictured(film, state))
    figure.savefig(FIGURES / "thermal_pads.png", dpi=110)

    radius = p["bearing_radius"]
    mesh = fc.meshes.hollow_cylinder(
        radius, radius + p["bush.thickness"], p["length"], (32, 4, 4), degree=2
    )
    bush = HeatedSolid(
        mesh, p["bush.conductivity"], 3.6e6, responses=60,
        cooled={"rim": (p["bush.cooling"], p["surroundings"])},
        expansion=Expansion(12e-6, E=2.07e11, nu=0.3),
    )  # fmt: skip
    warm = Conducting(p["thermal.supply"], film.thermal.grooves, bush=bush)
    film = replace(film, thermal=warm)
    state = equilibrium(Bearing(film), load, speed)
    figure = films.unfolded(films.pictured(film, state))
    figure.savefig(FIGURES / "thermal_bush_film.png", dpi=110)
    solid = warm.heated(state.warm.amplitudes)
    heated_bushes.section(solid).savefig(FIGURES / "thermal_bush.png", dpi=110)
    print(f"bore {state.warm.bush.min():.1f} to {state.warm.bush.max():.1f} K, bush from "
          f"{solid.temperature.min():.1f} K, von Mises stress up to "
          f"{solid.von_mises.max() / 1e6:.1f} MPa")  # fmt: skip


if __name__ == "__main__":
    main()

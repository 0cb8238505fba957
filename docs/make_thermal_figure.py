"""The figure of docs/thermal.md: two pads whose oil warms.

python docs/make_thermal_figure.py
"""

from pathlib import Path

from fem_clearance import cases
from fem_clearance.lubrication import Bearing, equilibrium
from fem_clearance.plotting import films

FIGURES = Path(__file__).parent / "figures"


def main():
    case = cases.get("thermal_bearing")
    p = case.resolve({})
    film = case.build(p)
    state = equilibrium(Bearing(film), (0.0, -p["load"]), p["speed"])
    figure = films.unfolded(films.pictured(film, state))
    figure.savefig(FIGURES / "thermal_pads.png", dpi=110)


if __name__ == "__main__":
    main()

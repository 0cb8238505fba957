"""Bearings with lobes and tilting pads, and dampers, against tables and closed forms: the figures
of docs/bearing_types.md.

    python benchmarks/table_bearings.py [lobes] [pads] [dampers]

``lobes``: the elliptical bearing of Lund and Thomsen; ``pads``: five tilting pads of ROSS;
``dampers``: open and sealed ends on circular orbits. Numbers and their sources are those of
tests/lubrication.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from fem_clearance.lubrication import (  # noqa: E402
    Coefficients,
    Full,
    Groove,
    Guembel,
    Lobe,
    TiltingPad,
    TiltingPadBearing,
    circular_orbit,
    equilibrium,
    lobed_bearing,
    squeeze_film_damper,
)
from tests.lubrication import test_dampers as damper  # noqa: E402
from tests.lubrication import test_lobes as lobe  # noqa: E402
from tests.lubrication import test_tilting_pads as pad  # noqa: E402


def lobes():
    print("| cells | S | eps, table | phi, table | coefficients, by the largest |")
    R, C, speed = lobe.R, lobe.C, lobe.SPEED
    arcs = Lobe.evenly(2, arc=np.radians(160), preload=0.5, angle=np.pi / 2)
    for cells in ((36, 16), (72, 16)):
        for S, eps, phi, K, B in lobe.ELLIPTICAL:
            film = lobed_bearing(R, 2 * R, C, lobe.MU, arcs, sliding_speed=R * speed, cells=cells)
            load = lobe.MU * speed / (2 * np.pi) * (2 * R) ** 2 * (R / C) ** 2 / S
            state = equilibrium(film, (0, -load), speed)
            k, b = Coefficients.of(state, errors=False)
            k, b = k * C / load, b * C * speed / load
            e = np.array(state.place.e[:2]) / C
            off = max(
                np.abs(np.array([k[1, 1], -k[1, 0], -k[0, 1], k[0, 0]]) - K).max() / max(K),
                np.abs(np.array([b[1, 1], -b[1, 0], b[0, 0]]) - B).max() / max(B),
            )
            turn = np.degrees(np.arctan2(e[0], -e[1]))
            print(f"| {cells} | {S} | {np.hypot(*e):.4f}, {eps} | {turn:.2f}, {phi} | "
                  f"{100 * off:.2f} % |", flush=True)  # fmt: skip


def pads():
    print("| cells | eccentricity | loss | tilts | thickness | damping | stiffness |")
    data, found = pad.FIVE, pad.FOUND
    c = data["assembled"] / (1 - data["preload"])
    five = TiltingPad(
        np.radians(54), np.radians(60), thickness=data["thickness"], preload=data["preload"]
    ).evenly(5)
    for cells in ((20, 10), (40, 20)):
        bearing = TiltingPadBearing(
            data["journal_radius"] + c, data["length"], c, data["viscosity"], five,
            sliding_speed=data["speed"] * data["journal_radius"], cells=cells,
        )  # fmt: skip
        state = bearing.equilibrium((0, -data["load"]), data["speed"])
        K, C = state.coefficients()
        thin = [film.thickness.min() for film in state.films[2:]]
        pairs = (
            (np.hypot(*state.e) / data["assembled"], found["eccentricity"]),
            (state.power_loss, found["power_loss"]), (state.tilts[2:], found["tilts"]),
            (thin, found["h_min"]), (np.diag(C), found["C"]), (np.diag(K), found["K"]),
        )  # fmt: skip
        off = [100 * np.abs(np.array(a) / np.array(b) - 1).max() for a, b in pairs]
        print(f"| {cells} |", " | ".join(f"{z:.2f} %" for z in off), "|", flush=True)


def dampers():
    print("| ends | film | eps | damping | stiffness, by damping times whirl |")
    R, C, whirl = damper.R, damper.C, damper.WHIRL
    axial = Groove(np.pi, 1e-3, length=R / 2)
    films = (
        ("open", "pi", 1, R / 12, (96, 16), {"cavitation": Guembel()}),
        ("open", "full", 2, R / 12, (96, 16), {"cavitation": Full()}),
        ("sealed", "pi", 1, R / 2, (192, 2), {"cavitation": Guembel(), "grooves": [axial]}),
        ("sealed", "full", 2, R / 2, (192, 2), {}),
    )
    for ends, name, part, length, cells, more in films:
        exact = damper.short_damper if ends == "open" else damper.long_damper
        for eps in (0.2, 0.6):
            film = squeeze_film_damper(
                R, length, C, damper.MU, whirl=whirl, ends=ends, cells=cells, **more
            )
            found, (K, D) = circular_orbit(film, eps * C, whirl), exact(eps, length, part)
            off = 100 * (found.damping / D - 1), 100 * (found.stiffness - K) / (D * whirl)
            print(f"| {ends} | {name} | {eps} | {off[0]:.2f} % | {off[1]:.2f} % |", flush=True)


if __name__ == "__main__":
    tables = {f.__name__: f for f in (lobes, pads, dampers)}
    for name in sys.argv[1:] or tables:
        tables[name]()

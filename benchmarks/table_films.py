"""Films over meshes and eccentricities: the tables of docs/films.md.

    python benchmarks/table_films.py [iterations] [smooth] [order]

``iterations``: of Newton's method from nothing. ``smooth``: by how much dynamic coefficients differ
from a smooth curve, those of the mesh (``FilmState.stiffness``, ``damping``) and ``Coefficients``.
``order``: their change from mesh to mesh. L/D 1, cells crowded by 0.8, the film starting at the
largest gap.
"""

import sys

import numpy as np

from fem_clearance.lubrication import JFO, Bearing, Coefficients, Place, Reynolds, plain_bearing

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
MESHES = ((48, 8), (96, 16), (192, 32), (384, 32))
LAWS = (Reynolds(), JFO())


def bearing(cells, law):
    film = plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=cells, crowd=0.8,
                         cavitation=law,
                         starts_at_largest_gap=True)  # fmt: skip
    return Bearing(film)


def at(ratio):
    return Place(e=(ratio * C, 0, 0), Omega=(0, 0, SPEED))


def numbers(found):
    return np.stack([found.stiffness.ravel(), found.damping.ravel()])


def both(film):
    mesh = Coefficients(film.stiffness[:2, :2], film.damping[:2, :2])
    return numbers(mesh), numbers(Coefficients.of(film, errors=False))


def iterations():
    ratios = (0.1, 0.3, 0.6, 0.9, 0.95)
    print("| film | cells |", " | ".join(map(str, ratios)), "|")
    for law in LAWS:
        for cells in MESHES:
            counts = [bearing(cells, law).solve(at(ratio)).iterations for ratio in ratios]
            print("|", type(law).__name__, "|", "x".join(map(str, cells)), "|",
                  " | ".join(map(str, counts)), "|", flush=True)  # fmt: skip


def smooth():
    print("| film, 96x16 | eccentricity ratios | mesh | Coefficients |")
    for law in LAWS:
        for low, high in ((0.15, 0.25), (0.5, 0.6), (0.7, 0.78)):
            films, t = bearing((96, 16), law), np.linspace(-1, 1, 21)
            rows = [both(films.solve(at(ratio))) for ratio in (low + high + (high - low) * t) / 2]
            rough = []
            for values in zip(*rows, strict=True):
                y = np.array(values).reshape(len(t), -1)
                away = y - np.stack([np.polyval(np.polyfit(t, x, 4), t) for x in y.T], axis=1)
                size = np.abs(y.reshape(-1, 2, 4)).max(axis=(0, 2))
                rough.append(100 * (np.abs(away.reshape(-1, 2, 4)).max(axis=(0, 2)) / size).max())
            who = f"{type(law).__name__} | {low} to {high}"
            print(f"| {who} | {rough[0]:.2g} % | {rough[1]:.1g} % |", flush=True)


def order():
    print("| film | eccentricity ratio | 48x8 to 96x16 | 96x16 to 192x32 | ratio of the norms |")
    for law in LAWS:
        for ratio in (0.3, 0.55, 0.8):
            found = [
                Coefficients.of(bearing(cells, law).solve(at(ratio)), errors=False)
                for cells in MESHES[:3]
            ]
            size = np.abs(numbers(found[2])).max(axis=1, keepdims=True)
            first, second = (
                (numbers(coarse) - numbers(fine)) / size
                for coarse, fine in zip(found[:2], found[1:], strict=True)
            )
            sizes = [100 * np.abs(z).max() for z in (first, second)]
            part = np.linalg.norm(first) / np.linalg.norm(second)
            print(f"| {type(law).__name__} | {ratio} | {sizes[0]:.2f} % | {sizes[1]:.2f} % | "
                  f"{part:.1f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    for name in sys.argv[1:] or ("iterations", "smooth", "order"):
        {"iterations": iterations, "smooth": smooth, "order": order}[name]()

"""Films over meshes and eccentricities: the tables of docs/films.md.

    python benchmarks/table_films.py [iterations] [liner] [joint] [smooth] [order] [again]

``iterations``: of Newton's method from nothing; ``liner``: likewise on condensed liners
(docs/ehd.md); ``joint``: of the first solve of a run. ``smooth``: by how much dynamic coefficients
differ from a smooth curve, those of the mesh (``FilmState.stiffness``, ``damping``) and
``Coefficients``; ``order``: their change from mesh to mesh; ``again``: both of films that break
behind a groove and form again, estimates of their errors, and those (Richardson). L/D 1, cells
crowded by 0.8 (``again``: even), the film starting at the largest gap.
"""

import sys

import numpy as np

import fem_clearance as fc
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Coefficients,
    CylindricalFilm,
    Groove,
    Liner,
    Place,
    Reynolds,
    plain_bearing,
)

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


def liner():
    ratios = {130e9: (0.1, 0.6, 0.9), 1e9: (0.6, 1.2)}
    names = [f"{E / 1e9:g} GPa, {x}" for E in ratios for x in ratios[E]]
    print("| film | cells |", " | ".join(names), "|")
    mesh = fc.meshes.hollow_cylinder(R, 25e-3, 14e-3, (24, 4, 2))
    on = {
        E: Liner(
            fc.CondensedSolid(mesh, fc.StVenantKirchhoff(E=E, nu=0.3, rho=8800), clamped="rim",
                              facets="bore", direction="normal", responses=80)
        ) for E in ratios
    }  # fmt: skip
    for law in LAWS:
        for cells in ((48, 4), (96, 8), (192, 16), (384, 32)):
            film = plain_bearing(R, 14e-3, 2e-5, MU, sliding_speed=R * 1e3, cells=cells, crowd=0.8,
                                 cavitation=law, starts_at_largest_gap=True)  # fmt: skip
            counts = [
                Bearing(film, on[E])
                .solve(Place(e=(x * 2e-5, 0, 0), Omega=(0, 0, 1e3))).iterations
                for E in ratios for x in ratios[E]
            ]  # fmt: skip
            print("|", type(law).__name__, "|", "x".join(map(str, cells)), "|",
                  " | ".join(map(str, counts)), "|", flush=True)  # fmt: skip


def joint():
    print("| film | cells |", " | ".join(f"{x}, from nothing" for x in (0.1, 0.6, 0.9)), "|")
    for law in LAWS:
        for cells in ((96, 8), (192, 16), (384, 32)):
            counts = []
            for ratio in (0.1, 0.6, 0.9):
                both = [first_solve(cells, law, ratio, guess) for guess in (True, False)]
                counts.append("{}, {}".format(*both))
            print("|", type(law).__name__, "|", "x".join(map(str, cells)), "|",
                  " | ".join(counts), "|", flush=True)  # fmt: skip


def first_solve(cells, law, ratio, guess):
    """Iterations of the first solve of a run with a journal of 1 kg."""
    c = 1e-4
    film = plain_bearing(R, R, c, MU, sliding_speed=R * 1e3, cells=cells, crowd=0.8, cavitation=law,
                         starts_at_largest_gap=True)  # fmt: skip
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(fc.RigidBody(1.0, (1e3,) * 3, position=(ratio * c, 0, 0), name="journal",
                                      angular_velocity=(0, 0, 1e3)))  # fmt: skip
    system.add(CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film))
    if not guess:
        system.first_guesses.clear()
    stepper, counts, solve = fc.Stepper(system, dt=1e-6, t_end=1e-5), [], NewtonSolver.solve

    def counted(newton, *args, **options):
        result = solve(newton, *args, **options)
        counts.append((newton.state, newton.its))
        return result

    NewtonSolver.solve = counted
    try:
        stepper.start()
    finally:
        NewtonSolver.solve = solve
    return next(its for state, its in counts if state is stepper.state)


def again():
    print("| groove at, deg | cells | eccentricity ratios | scatter, mesh | scatter | estimate | "
          "error in the middle |")  # fmt: skip
    for angle, low, high in ((60.0, 0.25, 0.32), (60.0, 0.5, 0.6), (90.0, 0.5, 0.6)):
        groove = Groove(np.radians(angle), np.radians(20), length=2 * R)
        fine, medium, coarse = (
            Bearing(plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=cells,
                                  cavitation=JFO(), grooves=[groove]))
            for cells in MESHES[2::-1]
        )  # fmt: skip
        best, less = (
            numbers(Coefficients.of(z.solve(at((low + high) / 2)), errors=False))
            for z in (fine, medium)
        )
        best = best + (best - less) / 3
        for films, cells in ((coarse, MESHES[0]), (medium, MESHES[1])):
            rows, wrong, t = [], [], np.linspace(-1, 1, 13)
            for ratio in (low + high + (high - low) * t) / 2:
                film = films.solve(at(ratio))
                c = Coefficients.of(film)
                rows.append((both(film)[0], numbers(c)))
                wrong.append(numbers(Coefficients(c.stiffness_error, c.damping_error)))
            size, scatter = np.abs(best).max(axis=1)[:, None], []
            for y in map(np.array, zip(*rows, strict=True)):
                flat = y.reshape(len(t), -1).T
                fit = np.stack([np.polyval(np.polyfit(t, x, 3), t) for x in flat], axis=1)
                scatter.append(100 * (np.abs(y - fit.reshape(y.shape)) / size).max())
            off = 100 * (np.abs(rows[6][1] - best) / size).max()
            said = 100 * (wrong[6] / size).max()
            print(f"| {angle:g} | {cells[0]}x{cells[1]} | {low} to {high} | {scatter[0]:.2f} % | "
                  f"{scatter[1]:.2f} % | {said:.1f} % | {off:.1f} % |", flush=True)  # fmt: skip


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
    tables = {f.__name__: f for f in (iterations, liner, joint, smooth, order, again)}
    for name in sys.argv[1:] or tables:
        tables[name]()

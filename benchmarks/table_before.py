"""CPU time of films and of the quick-return mechanism by that of an earlier commit.

    python benchmarks/table_before.py [COMMIT] [--rounds 2] [--only NAME ...] [--page PAGE]

Both versions take turns, each run a process of its own with the scripts of its own version
(bench_films.py, bench_quick_return.py); the least time counts. Films: a Newton step with a new
tangent and one with a kept one, and a time step. Mechanism: a whole turn, or 200 steps with full
liners. With ``--page docs/performance.md`` the table is written there, between marks. The default
commit is the one that the goals of the time loop refer to; its forms are compiled first.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import compare
import harness

COMMIT = "cdb3418"
FILMS = ("rigid 48x8", "rigid 96x16", "condensed 96x16")
TURNS = ("hd", "ehd, condensed", "ehd, full, 200 steps")
#: what is measured of a film, and its name in bench_films.py
OF_FILM = {"new tangent": "newton", "kept tangent": "kept", "time step": "step"}


def film(name: str) -> dict[str, float]:
    """CPU times in ms."""
    import bench_films

    bench_films.time.perf_counter = time.process_time
    found = bench_films.run(name)
    return {what: 1e3 * found[key] for what, key in OF_FILM.items()}


def turn(name: str, t_end: float | None) -> dict[str, float]:
    """CPU time in ms of the steps of a run: of it less that of two steps."""
    import bench_quick_return

    from fem_clearance import cases

    case, changes = cases.get("quick_return"), dict(bench_quick_return.CASES[name])
    if t_end is not None:
        changes["t_end"] = t_end

    def spent(**other) -> float:
        return 1e3 * case.simulation(changes | other, progress=False).run().summary["cpu_s"]

    spent(t_end=4e-5)  # compiles
    return {"steps": spent() - spent(t_end=4e-5)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?", default=COMMIT)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=[*FILMS, *TURNS])
    parser.add_argument("--t-end", type=float, help="of the mechanism, s; default: a turn")
    parser.add_argument("--page", type=Path, help="write the table into this page")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        scripts, name = options.one
        sys.path.insert(0, scripts)
        harness.hand_over(film(name) if name in FILMS else turn(name, options.t_end))
        return
    lines = [f"| | {options.commit}, ms | now, ms | ratio |", "|---|---|---|---|"]
    print("\n".join(lines))
    more = [] if options.t_end is None else ["--t-end", options.t_end]
    with compare.checked_out(options.commit) as tree:
        for name in options.only:
            best: dict[Path, dict[str, float]] = {tree: {}, compare.ROOT: {}}
            for _ in range(options.rounds):
                for place, least in best.items():
                    os.environ["PYTHONPATH"] = str(place)
                    found = harness.alone(__file__, "--one", place / "benchmarks", name, *more)
                    for what, took in found.items():
                        least[what] = min(took, least.get(what, took))
            for what, now in best[compare.ROOT].items():
                before = best[tree][what]
                lines.append(f"| {name}: {what} | {before:.3g} | {now:.3g} | {now / before:.2f} |")
                print(lines[-1], flush=True)
    if options.page:
        harness.write_into(options.page, "table_before", "\n".join(lines))


if __name__ == "__main__":
    main()

"""The first contact of the slider-crank with rigid and flexible couplers: docs/cylindrical.md.

python benchmarks/table_couplers.py (half a minute)
"""

from fem_clearance import cases

COUPLERS = {
    "rigid": {},
    "quadratic": {"coupler.model": "quadratic"},
    "ancf": {"coupler.model": "ancf"},
    "cable": {"coupler.model": "cable"},
    "quadratic, E = 20 GPa": {"coupler.model": "quadratic", "coupler.E": 20e9},
}
END = 6e-4  # s, after the first contact of each and before the second of the stiff ones


def first_contact(changes):
    """Onset (s), approach speed (m/s) and largest force (N) of a coupler."""
    settings = {**changes, "t_end": END}
    results = cases.get("slider_crank_revolute").simulation(settings, progress=False).run()
    onset = results.events[0]
    return onset.time, onset.speed, results["joint.normal_force"].max()


if __name__ == "__main__":
    print("| coupler | first contact, ms | approach speed, m/s | peak force, kN |")
    print("|---|---|---|---|")
    for name, changes in COUPLERS.items():
        time, speed, force = first_contact(changes)
        print(f"| {name} | {1e3 * time:.5f} | {speed:.3f} | {1e-3 * force:.1f} |")

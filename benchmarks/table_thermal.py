"""Warm films: the tables of docs/thermal.md.

    python benchmarks/table_thermal.py [wedge] [pads] [conducting] [coefficients] [balance] [cost]
        [steps]

``wedge``: errors by the cells against the exact solution; ``pads``: two pads under a load, by the
cells, beside the rows of ROSS; ``conducting``: the same with heat in bush and journal;
``coefficients``: theirs, with the temperature held and following;
``balance``: heat of a broken film, and what its oil carries away, by the loss;
``cost``: of one iteration of Newton's method by that of the isothermal film; ``steps``: of a step
of a running system. Tilting pads: table_fillon.py.
"""

import sys
import time

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.core.linear_solvers import Factors
from fem_clearance.lubrication import (
    Adiabatic,
    Bearing,
    Coefficients,
    Conducting,
    Convection,
    CylindricalFilm,
    Exponential,
    Film,
    FlatGap,
    Full,
    HeatedSolid,
    Lubricant,
    Place,
    Reynolds,
    Shaft,
    cylinder,
    equilibrium,
    pad,
)

#: of the exact wedge: exit K over the supply, N/m (tests/lubrication/test_thermal.py derives them)
EXIT, LOAD = 15.87787189703133, 391871.59515196434


def wedge():
    print("| stabilisation | cells | temperature at the exit | load | heat balance |")
    oil = Lubricant(0.04, temperature=Exponential(0.035), reference_temperature=323.0,
                    mass_density=850.0, conductivity=0.0)  # fmt: skip
    for upwind in (False, True):
        for n in (16, 32, 64, 128):
            film = Film(
                pad(0.1, 0.01, (n, 1)), 5e-5, oil, Full(), {"x0": 0.0, "x1": 0.0},
                sliding_speed=20.0, gap=FlatGap(), recess=lambda x: 5e-5 * (1 - x[:, 0] / 0.1),
                thermal=Adiabatic(323.0, upwind=upwind),
            )  # fmt: skip
            state = Bearing(film).solve(Place(V=(20.0, 0, 0)))
            end = film.surface.nodes[:, 0] > 0.0999
            hot = (state.warm.temperature[end] - 323).mean() / EXIT - 1
            load = -state.force[2] / 0.01 / LOAD - 1
            off = abs(state.warm.oil_heat / state.power_loss - 1)
            how = "upwind" if upwind else "SUPG"
            print(f"| {how} | {n} | {hot:.1e} | {load:.1e} | {off:.0e} |", flush=True)


def run(cells, thermal, **more):
    values = {"film.cells": cells, "thermal": thermal} | more
    return cases.get("thermal_bearing").simulation(values, progress=False).run()


def pads():
    print("| model | cells a pad | eccentricity | attitude [rad] | loss [W] | hottest [K] | "
          "left, right groove [K] |")  # fmt: skip
    for thermal in ("none", "adiabatic"):
        for cells in ("20x8", "40x16", "80x32"):
            found = run(cells, thermal)
            e, a, loss, hot = (
                float(found[n][-1])
                for n in ("eccentricity_ratio", "attitude_deg", "power_loss", "max_temperature")
            )
            grooves = ", ".join(f"{z:.2f}" for z in found.summary["groove_temperatures"].values())
            print(f"| {thermal} | {cells} | {e:.4f} | {np.radians(a):.4f} | {loss:.0f} | "
                  f"{hot:.2f} | {grooves} |", flush=True)  # fmt: skip


def conducting():
    print("| bush | journal | cells per pad | eccentricity | attitude [rad] | loss [W] | "
          "bore [K] | journal [K] | left, right groove [K] | into the bush [W] | "
          "heat balance |")  # fmt: skip
    for bush, journal in (
        ("ring", "one_temperature"), ("mesh", "one_temperature"), ("ring", "insulated"),
    ):  # fmt: skip
        for cells in ("20x8", "40x16"):
            found = run(cells, "conducting", journal=journal, bush=bush)
            e, a, loss, bore, shaft = (
                float(found[n][-1])
                for n in ("eccentricity_ratio", "attitude_deg", "power_loss",
                          "max_bush_temperature", "max_journal_temperature")
            )  # fmt: skip
            own = found.summary
            grooves = ", ".join(f"{z:.2f}" for z in own["groove_temperatures"].values())
            off = abs((own["oil_heat"] + own["bush_heat"] + own["journal_heat"]) / loss - 1)
            print(f"| {bush} | {journal} | {cells} | {e:.4f} | {np.radians(a):.4f} | {loss:.0f} | "
                  f"{bore:.2f} | {shaft:.2f} | {grooves} | {own['bush_heat']:.0f} | {off:.0e} |",
                  flush=True)  # fmt: skip


def film(cells, thermal="adiabatic"):
    case = cases.get("thermal_bearing")
    p = case.resolve({"film.cells": cells, "thermal": thermal})
    return case.build(p), p


def at_load(cells):
    own, p = film(cells)
    bearing = Bearing(own)
    return bearing, equilibrium(bearing, (0.0, -p["load"]), p["speed"])


def coefficients():
    print("| temperature | stiffness xx xy yx yy [GN/m] | damping xx xy yx yy [MN s/m] |")
    _, state = at_load("48x16")
    for how in ("held", "follows"):
        found = Coefficients.of(state, errors=False, temperature=how)
        K = " ".join(f"{z / 1e9:.3f}" for z in found.stiffness.ravel())
        C = " ".join(f"{z / 1e6:.2f}" for z in found.damping.ravel())
        print(f"| {how} | {K} | {C} |", flush=True)


def balance():
    print("| cells a pad | heat | what the oil takes | what leaves at the nodes |")
    for cells in ("10x4", "20x8", "40x16"):
        bearing, state = at_load(cells)
        own, supply, rc = bearing.film, bearing.film.thermal.supply, 854.951614 * 1951.501495
        flow = bearing._flow(bearing.state.residual())
        rise, given = state.warm.temperature - supply, own.given()
        out = rc * sum(flow[given[n]] @ rise[given[n]] for n in ("z0", "z1"))
        for name, sets in own.thermal.grooves.items():
            nodes = np.concatenate([given[n] for n in sets])
            hot = np.maximum(flow[nodes], 0.0)
            out += rc * hot @ rise[nodes]
            out -= rc * (hot - flow[nodes]).sum() * (state.warm.grooves[name] - supply)
        warm, loss = state.warm, state.power_loss
        found = " | ".join(f"{abs(z / loss - 1):.0e}" for z in (warm.heat, warm.oil_heat, out))
        print(f"| {cells} | {found} |", flush=True)


def best(f, count=5):
    times = []
    for _ in range(count):
        start = time.process_time()
        f()
        times.append(time.process_time() - start)
    return min(times)


def cost():
    print("| film, 48x16 cells a pad | unknowns | residual | tangent | factors | together |")
    first = None
    for thermal in ("none", "adiabatic", "conducting"):
        bearing, p = Bearing(film("48x16", thermal)[0]), film("48x16", thermal)[1]
        place = Place(e=(0.44 * p["clearance"], -0.42 * p["clearance"], 0),
                      Omega=(0, 0, p["speed"]))  # fmt: skip
        bearing.solve(place)
        newton, state = bearing.newton, bearing.state
        newton.build()

        def factorise(A=newton.A, n=state.owned):
            factors = Factors(A)
            factors.solve(np.ones(n))
            factors.destroy()

        times = np.array([best(state.residual), best(newton.build), best(factorise)])
        times = np.append(times, times.sum())
        first = times if first is None else first
        ratios = " | ".join(
            f"{1e3 * t:.1f} ms ({t / s:.1f})" for t, s in zip(times, first, strict=True)
        )
        print(f"| {thermal} | {state.owned} | {ratios} |", flush=True)


def steps():
    print("| film, 48x16 cells round a journal | CPU a step | ratio | iterations | tangents |")
    R, C, spin, first = 15e-3, 5e-5, 300.0, None
    oil = Lubricant(0.04, temperature=Exponential(0.03))
    mesh = fc.meshes.hollow_cylinder(R, 2 * R, 2 * R, (24, 4, 3), degree=2)
    solid = HeatedSolid(mesh, 50.0, 3.6e6, cooled={"rim": (500.0, 300.0)}, responses=40)
    shaft = Shaft(2.0, 300.0, 50.0)
    films = {
        "isothermal": None, "adiabatic": Adiabatic(313.15),
        "conducting, bush by convection":
            Conducting(313.15, bush=Convection(2000.0, 300.0), journal=shaft),
        "conducting, condensed bush": Conducting(313.15, bush=solid, journal=shaft),
    }  # fmt: skip
    for name, warm in films.items():
        own = Film(cylinder(R, 2 * R, (48, 16)), C, oil, Reynolds(), sliding_speed=R * spin,
                   thermal=warm)  # fmt: skip
        system = fc.System(gravity=(0, 0, 0))
        journal = system.add(fc.RigidBody(0.5, (1e3, 1e3, 1e3), position=(0.3 * C, -0.5 * C, 0),
                                          angular_velocity=(0, 0, spin)))  # fmt: skip
        system.add(
            CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=own)
        )
        system.add(fc.Force(journal.center, (0.0, -600.0, 0.0)))
        stepper = fc.Stepper(system, dt=5e-5, t_end=5e-3)
        stepper.start()
        newton = stepper.newton
        before, start = (newton.iterations, newton.tangents), time.process_time()
        while stepper.t < 5e-3:
            stepper.advance()
        each = (time.process_time() - start) / 100
        first = first or each
        iterations, tangents = newton.iterations - before[0], newton.tangents - before[1]
        print(f"| {name} | {1e3 * each:.1f} ms | {each / first:.1f} | {iterations / 100:.1f} | "
              f"{tangents / 100:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    order = (wedge, pads, conducting, coefficients, balance, cost, steps)
    tables = {f.__name__: f for f in order}
    for name in sys.argv[1:] or tables:
        tables[name]()

"""The scripts printed in README and documentation run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid, solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq, fsolve

import fem_clearance as fc
from fem_clearance.lubrication import Bearing, Full, Guembel, Lubricant, plain_bearing
from fem_clearance.plotting.offscreen import opengl_works

ROOT = Path(__file__).parents[1]


def blocks(page: str) -> str:
    """All Python of a page, as one script."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S))


#: speed of waves along a steel bar, m/s
BAR_SPEED = np.sqrt(2e11 / 7800)
#: pages whose examples are run; where a number is known by hand, what it is called and is
EXAMPLES: dict = {
    "attachments": None,
    # the friction moments of both films by Petroff: the bush speeds up exponentially
    "bearing_types": ("results['outer.moment.z'][-1]", -0.0183906, 1e-4),
    "beams": None,
    "cavitation": None,
    # the weight of the flywheel
    "connections": ("results['rub.normal_force'][-1]", 8 * 9.81, 1e-6),
    "cylindrical": None,
    # one kind of cells makes the channel of a spring
    "design": ("len(found)", 1, 1e-9),
    # a fall through the clearance of 2 mm
    "contact": ("fallen.events[0].time", np.sqrt(2 * 2e-3 / 9.81), 1e-4),
    "ehd": None,
    # the load that was asked for
    "films": ("film.force[1]", 20.0, 1e-4),
    "gears": None,
    # the load that was asked for
    "hydrostatic": ("state.force[1]", 800.0, 1e-4),
    # of a universal joint between two shafts
    "ideal_joints": (
        "results['output.angle'][-1]",
        np.arctan(np.cos(np.pi / 6) * np.tan(1.0)),
        1e-9,
    ),
    # a swing through the lowest point
    "integrators": ("results['bar.y'].min()", -0.5, 1e-3),
    "laws": None,
    "lubricated_joints": None,
    # the end of a stiff rod that falls from rest about a pin: 3 g / 2 along y
    "reduced": ("results['tip.y'][-1]", -0.75 * 9.81 * 0.02**2, 0.03),
    "revolute": None,
    # the weight of a coin of 20 mm, 2 mm thick
    "rolling": ("results['roll.normal_force'][-1]", 16 * np.pi * 1e-4 * 9.81, 1e-6),
    # of the model whose path is measured
    "sensitivity": ("found.x[1]", 0.9, 1e-5),
    # of the limit cycle of van der Pol's equation with mu = 1, Buonomo (1998)
    "sensitivity_steady": ("s.run().outputs[0]", 6.6632868593, 1e-7),
    # mu g t, but for the sag of the wire
    "sliding": ("results['slide.speed'][-1]", 1 - 0.1 * 9.81 * 0.2, 0.03),
    "solids": None,
    # a slender cantilever, by the first root of cos x cosh x = -1
    "statics": ("modes.frequencies[0]", 1.8751**2 / (4 * np.pi) * 0.02 * BAR_SPEED / 3**0.5, 2e-3),
    # the load that was asked for, on eight pads
    "thrust_bearings": ("-8 * state.film.force[2]", 5e3, 1e-6),
    "translational": None,
    "wear": None,
}


#: pages that draw bodies
DRAWN = ("pictures", "statics")


def run_page(name, expected, folder, monkeypatch):
    """The examples of a page in a folder, and the number that is expected of them."""
    if name in DRAWN and not opengl_works():
        pytest.skip("no OpenGL here")
    monkeypatch.chdir(folder)
    page: dict = {"__name__": f"{name}_page"}
    exec(blocks(f"docs/{name}.md"), page)
    if expected:
        what, number, tolerance = expected
        assert eval(what, page) == pytest.approx(number, rel=tolerance)


#: the same, of pages that take longer
SLOW_EXAMPLES: dict = {
    # of the pendulum, with an amplitude of 10 degrees
    "analysis": None,
    "pictures": None,
    # the load that was asked for
    "thermal": ("state.force[1]", 5000.0, 1e-4),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_EXAMPLES)
def test_slow_examples_of_pages(name, tmp_path, monkeypatch):
    """Likewise."""
    run_page(name, SLOW_EXAMPLES[name], tmp_path, monkeypatch)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_pages(name, tmp_path, monkeypatch):
    """They run as they are printed."""
    run_page(name, EXAMPLES[name], tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """What the page about extensions leaves behind."""
    # dataclasses look their module up
    script = tmp_path_factory.mktemp("docs") / "extending.py"
    script.write_text(blocks("docs/extending.md"))
    import importlib.util

    spec = importlib.util.spec_from_file_location("extending", script)
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["extending"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["extending"]


def test_contact_law(extended):
    """chi (1 + e) = ln((1 + chi) / (1 - chi e)) with chi = 3/2 a v."""
    chi = 1.5 * 0.5 * 0.2
    e = brentq(lambda e: chi * (1 + e) - np.log((1 + chi) / (1 - chi * e)), 0.1, 1)
    assert extended.restitution == pytest.approx(e, abs=1e-3)


def test_placement():
    """Two balls, 2 kg at 0.3 m/s and 1 kg at rest, restitution 0.6: momentum and the ratio of the
    relative speeds by hand, and the instant of the first touch."""
    page: dict = {"__name__": "contact_page"}
    exec(blocks("docs/contact.md"), page)
    blow, e = page["blow"], 0.6
    mean, speed = 2 * 0.3 / 3, 0.3
    last = {name: blow[f"{name}.vx"][-1] for name in ("body1", "body2")}
    assert last["body1"] == pytest.approx(mean - e * speed / 3, rel=1e-4)
    assert last["body2"] == pytest.approx(mean + 2 * e * speed / 3, rel=1e-4)
    (onset,) = [row for row in blow.events if row.kind == "onset"]
    assert onset.time == pytest.approx(0.02 / 0.3, rel=1e-6)
    assert onset.speed == pytest.approx(0.3, rel=1e-6)


def test_deformable_contact(caplog):
    """The lug's model is whole; a pin of the bore's material has Persson's half angle (1964); the
    block that is pushed carries the push, of 0.15 of its load, and sticks in most places."""
    page: dict = {"__name__": "deformable_contact_page"}
    exec(blocks("docs/deformable_contact.md"), page)
    page["system"].assemble()
    assert page["Groove"](page["system"].ground, depth=1e-6, width=0.1).values()["width"] == 0.1
    steel, found = page["steel"], page["found"]
    b = np.tan(found.half_angle / 2)
    modulus = steel.E / (1 - steel.nu**2)
    wanted = (2 * (1 - b**4) - np.log(1 + b**2)) / (np.pi * b**2 * (1 + b**2))
    assert modulus * 1e-5 / 1e6 == pytest.approx(wanted, rel=4e-3)
    assert page["pushed"]["c.force.x"][-1] == pytest.approx(0.15 * 1e7 * 0.06, rel=1e-4)
    assert 0.03 < page["pushed"]["c.stuck_area"][-1] < 0.055
    assert "equilibrium is lost" not in caplog.text


def test_material(extended):
    """Uniaxial tension: the derivatives of the energy along the stretch and across it, by hand."""
    c1, c2, k = 4e5, 1e5, 2e7

    def forces(x):
        a, b = x  # along, across
        log = np.log(a * b**2)
        volume = -2 * (c1 + 2 * c2) + k * log
        along = 2 * c1 * a + 4 * c2 * a * b**2 + volume / a
        across = 2 * c1 * b + 2 * c2 * (a**2 * b + b**3) + volume / b
        return along - 1e6, across

    assert extended.stretch == pytest.approx(fsolve(forces, (1.2, 0.9), xtol=1e-12)[0], rel=1e-6)


def test_force_with_a_state(extended):
    """Position, tension and loss of a body on a Maxwell element: x'' = -F/m, F' = k x' - k/c F."""
    m, k, c = 2.0, 800.0, 30.0
    A = np.array([[0, 1, 0], [0, 0, -1 / m], [0, k, -k / c]])
    results = extended.stopped
    x, v, F = np.transpose([expm(A * t) @ (0, 0.3, 0) for t in results.time])
    assert results["truck.x"] - 1 == pytest.approx(x, abs=3e-5 * x.max())
    assert results["buffer.force"] == pytest.approx(F, abs=1e-4 * F.max())
    lost = cumulative_trapezoid(F**2 / c, results.time, initial=0)
    start = m / 2 * 0.3**2
    assert results["energy.dissipated"] == pytest.approx(lost, abs=1e-4 * start)
    assert abs(results["energy.balance"]).max() < 1e-5 * start


def test_law_that_changes(extended):
    """The cord takes k s^2 / 2 of the energy, s = 10 mm: v^2 = v_0^2 - k s^2 / m then. It tears
    after arcsin(s w / v_0) / w, w^2 = k / m."""
    results, k, m, s, v = extended.torn, 800.0, 2.0, 0.01, 0.3
    w = np.sqrt(k / m)
    assert results["sledge.vx"][-1] == pytest.approx(np.sqrt(v**2 - k * s**2 / m), rel=1e-5)
    assert results["energy.dissipated"][-1] == pytest.approx(k * s**2 / 2, rel=1e-3)
    torn = results.time[np.argmax(results["energy.dissipated"] > 0.02)]
    assert torn == pytest.approx(np.arcsin(s * w / v) / w, abs=1.1e-3)
    assert results["cord.energy"][-1] == 0


def test_law_that_changes_after_an_onset(extended):
    """A cord that tears within a step after a stop is touched: the steps keep to their grid, and
    the sledge has v^2 = v_0^2 - k s^2 / m as it tears, at arcsin(s w / v_0) / w."""
    k, m, s, v = 800.0, 2.0, 0.01, 0.3
    system = fc.System(gravity=(0, 0, 0))
    at = {"position": (1, 0, 0), "velocity": (v, 0, 0)}
    sledge = system.add(fc.RigidBody(m, (1, 1, 1), name="sledge", **at))
    origin = system.ground.at((0, 0, 0))
    system.add(fc.PrismaticJoint(system.ground, sledge.center, axis=(1, 0, 0)))
    system.add(extended.Cord(origin, sledge.center, 800.0, 1 + s, name="cord"))
    stop = {"upper": 0.0097, "stiffness": 1.0, "approach_floor": 1e-3}
    system.add(fc.TranslationStops(system.ground, sledge.center, (1, 0, 0), name="stop", **stop))
    results = fc.Simulation(system, dt=1e-3, t_end=0.05).run()
    w = np.sqrt(k / m)
    touched, torn = (np.arcsin(x * w / v) / w for x in (0.0097, s))
    assert results.events[0].time == pytest.approx(touched, abs=5e-6)
    assert abs(results.time - torn).min() < 1e-5
    assert results["sledge.vx"][-1] == pytest.approx(np.sqrt(v**2 - k * s**2 / m), rel=1e-3)
    grid = 1e-3 * np.arange(51)
    assert abs(grid[:, None] - results.time).min(axis=1).max() < 1e-12


def test_film(extended):
    """Between Guembel's and the full film; without pressure dependence that of constant
    viscosity."""

    def load(cavitation, lubricant):
        film = plain_bearing(
            15e-3, 30e-3, 0.2e-3, lubricant, sliding_speed=1.5, cells=(48, 8), cavitation=cavitation
        )
        return Bearing(film).solve(extended.place).force

    cameron, plain = extended.Cameron(0.04, a=1e-9), Lubricant(0.04)
    least, most = load(Guembel(), cameron), load(Full(), cameron)
    assert least[1] < extended.force[1] < most[1]  # across the line of centres tension helps
    assert load(Full(), extended.Cameron(0.04, a=0.0)) == pytest.approx(load(Full(), plain))


def test_joint(extended):
    """A small swing is that of a pendulum of length R: the third passage through the middle after
    5/4 periods."""
    t, x = extended.motion.time, extended.motion["bead.x"]
    k = np.flatnonzero(x[:-1] * x[1:] < 0)
    crossings = t[k] - x[k] * (t[k + 1] - t[k]) / (x[k + 1] - x[k])
    period = 2 * np.pi * np.sqrt(0.5 / 9.81)
    assert crossings[:2] == pytest.approx(np.array([0.25, 0.75]) * period, rel=1e-4)


def test_contact_without_a_law(extended):
    """Half of an oscillation with w^2 = k / m begins after 30 mm at 0.3 m/s, and gives the speed
    back."""
    onset, loss = extended.held.events
    assert (onset.kind, loss.kind) == ("onset", "loss")
    assert onset.time == pytest.approx(0.1, rel=1e-6)
    assert loss.time - onset.time == pytest.approx(np.pi / np.sqrt(800 / 2), rel=3e-4)
    assert extended.held["weight.vx"][-1] == pytest.approx(-0.3, rel=2e-4)


def test_body(extended):
    """The drop on its thread is a damped pendulum, by SciPy: phi'' = -g/L cos phi - k/m phi'."""
    run, g = extended.damped, 9.81
    exact = solve_ivp(
        lambda t, y: (y[1], -g / 0.5 * np.cos(y[0]) - 0.4 / 0.2 * y[1]), (0, 1), (0, 0),
        t_eval=run.time, rtol=1e-11, atol=1e-11,
    )  # fmt: skip
    angle, rate = exact.y
    assert run["drop.y"] == pytest.approx(0.5 * np.sin(angle), abs=2e-5)
    lost = cumulative_trapezoid(0.4 * (0.5 * rate) ** 2, run.time, initial=0)
    assert run["energy.dissipated"] == pytest.approx(lost, abs=1e-4 * lost[-1])
    with pytest.raises(fc.InputError, match="mass of the particle must be positive"):
        extended.Particle(-1.0, (0, 0, 0))


def test_case_with_a_derived_channel(extended):
    """A bead that begins at rest at x_0 swings as x_0 cos(w t), w^2 = g / R."""
    x = 1e-3 * np.cos(np.sqrt(9.81 / 0.5) * extended.rolled.time)
    assert extended.rolled["x"] == pytest.approx(x, abs=1e-7)
    assert extended.rolled["height"] == pytest.approx(x**2 / (2 * 0.5), abs=2e-10)
    assert "bead.x" not in extended.rolled


def test_case_with_words_and_a_summary(extended):
    rest, pushed = (
        extended.loaded.simulation({"load": z}, output=None).run().summary["highest"]
        for z in ("none", "push")
    )
    assert pushed > 1.1 * rest > 0
    with pytest.raises(fc.InputError, match="load must be one of none, push; got 'pull'"):
        extended.loaded.resolve({"load": "pull"})


def test_condition_on_velocities(extended):
    """Energy m u^2/2 + (I + m a^2) w^2/2 is kept, and with it u = U tanh(...), w = W / cosh(...) of
    the same argument, U^2 m = W^2 (I + m a^2); the blade pushes with m u w I / (I + m a^2)."""
    m, moment, a = 1.0, 0.1, 0.3
    whole = moment + m * a**2
    W = np.sqrt(1 + m / whole)
    U = W * np.sqrt(whole / m)
    argument = a * W**2 / U * extended.glide.time + np.arctanh(1 / U)
    u, w = U * np.tanh(argument), W / np.cosh(argument)
    force = extended.glide["blade1.force"]
    assert force == pytest.approx(m * u * w * moment / whole, abs=3e-5)
    speed = np.hypot(extended.glide["sleigh.vx"], extended.glide["sleigh.vy"])
    assert speed == pytest.approx(np.hypot(u, a * w), abs=3e-5)


@pytest.mark.parametrize("name", ["fixed", "adaptive", "composite"])
def test_integrator(extended, name):
    """A pendulum by its angle, phi'' = -g/L cos phi, and the force of its rod, with SciPy."""
    run, (m, L, g) = getattr(extended, name), (2.0, 0.5, 9.81)
    exact = solve_ivp(
        lambda t, y: (y[1], -g / L * np.cos(y[0])), (0, 1), (0, 0), rtol=1e-11, atol=1e-11,
        t_eval=run.time,
    )  # fmt: skip
    angle, rate = exact.y
    assert run["bob.x"] == pytest.approx(L * np.cos(angle), abs=1e-4 * L)
    assert run["bob.y"] == pytest.approx(L * np.sin(angle), abs=1e-4 * L)
    force = m * (L * rate**2 - g * np.sin(angle))
    assert run["rod.tension"][1:] == pytest.approx(force[1:], abs=2e-3 * force.max())


def test_case(extended, tmp_path):
    run = extended.case.simulation({"bowl.radius": 0.4, "dt": 1e-3, "t_end": 0.4}, output=None)
    x = run.run()["bead.x"]
    quarter = np.pi / 2 * np.sqrt(0.4 / 9.81)
    assert np.interp(0, -x, run.results.time) == pytest.approx(quarter, rel=1e-3)


def test_impacts_of_the_laws():
    """The table of impacts is what the page's command prints."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("figures", ROOT / "docs" / "make_law_figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    page = (ROOT / "docs" / "laws.md").read_text()
    table = re.findall(r"\| (\d{4}) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.M)
    assert len(table) == len(figures.NORMAL)
    for row, law in zip(table, figures.NORMAL.values(), strict=True):
        t, depth, force, restitution = figures.impact(law)
        found = force.max(), 1e6 * depth.max(), 1e6 * t[-1], restitution
        assert found == pytest.approx([float(x) for x in row], rel=2e-3)


def test_readme(tmp_path, monkeypatch):
    """The README's script, but for a shorter time."""
    monkeypatch.chdir(tmp_path)
    script = blocks("README.md")
    assert "t_end=2.0" in script
    script = script.replace("t_end=2.0", "t_end=0.03")
    names: dict = {}
    exec(script, names)
    assert isinstance(names["result"], fc.Results) and len(names["result"]) > 100


def test_messages_of_the_troubleshooting_page():
    """What it quotes is what the program says (spread over lines and numbers in the source)."""
    files = [*(ROOT / "fem_clearance").rglob("*.py"), ROOT / "Makefile"]
    noise = r'[\s"]|%\.?\d*[gds]|\bf(?=")|\{[^{}\n]*\}'
    said = re.sub(noise, "", "".join(map(Path.read_text, files)))
    page = (ROOT / "docs" / "troubleshooting.md").read_text()
    quotes = [q for line in page.splitlines() for q in re.findall(r'"([^"]+)"', line)]
    assert len(quotes) > 8
    for quote in quotes:
        for part in quote.split("..."):
            assert re.sub(r"\s", "", part) in said, quote


def test_first_steps(tmp_path, monkeypatch):
    """The page's scripts in a folder that has the run of its first command; its sweep for a shorter
    time and with rigid arms."""
    monkeypatch.chdir(tmp_path)
    script = blocks("docs/first_steps.md").split("import logging")[0]
    assert '{"t_end": 0.05}' in script
    settings = {"t_end": 0.03, "arm.model": "rigid"}
    fc.cases.get("double_pendulum").simulation(settings, output="runs/first").run()
    page: dict = {"__name__": "first_steps_page"}
    exec(script.replace('{"t_end": 0.05}', '{"t_end": 0.03, "arm.model": "rigid"}'), page)
    assert page["table"].runs == 3
    # the time of the first impact that the page states
    assert page["results"].events[0].time == pytest.approx(28.6e-3, rel=2e-3)


def test_input(tmp_path, monkeypatch):
    """Masses by hand; the casting is a tetrahedron with edges of 60 mm along the axes."""
    monkeypatch.chdir(tmp_path)
    corners = 60.0 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*x) for x in face)
        + "endloop\nendfacet\n"
        for face in faces
    ]
    (tmp_path / "lever.stl").write_text("solid lever\n" + "".join(facets) + "endsolid lever\n")
    page: dict = {"__name__": "input_page"}
    exec(blocks("docs/input.md"), page)
    mass = 7850 * np.pi * 0.01**2 * 0.3 + 7200 * 0.06**3 / 6 + 0.05
    assert page["lever"].mass == pytest.approx(mass, rel=1e-5)


def test_recording():
    """The pendulum that the page draws, by SciPy: J a'' = -m g l sin a, started at 2 m/s."""
    page: dict = {"__name__": "recording_page"}
    exec(blocks("docs/recording.md"), page)
    inertia = 0.13 + 33.0
    swing = solve_ivp(
        lambda t, y: (y[1], -33.0 * 9.81 / inertia * np.sin(y[0])), (0, 2), (0.0, 2.0),
        t_eval=page["motion"].time.clip(0, 2), rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(page["swing"], np.degrees(swing.y[0]), atol=2e-2)
    toward_pivot = -page["place"] / np.linalg.norm(page["place"], axis=1)[:, None]
    np.testing.assert_allclose(page["upright"], toward_pivot, atol=1e-9)
    shown = page["motion"].scene["bodies"][1]["shape"]
    assert [part["type"] for part in shown["parts"]] == ["sphere", "rod"]


def test_table_of_sections():
    """The page of beams holds what ``benchmarks/sections.py`` prints."""
    script = ROOT / "benchmarks" / "sections.py"
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    rows = [line for line in said.stdout.splitlines()[2:] if line]
    page = (ROOT / "docs" / "beams.md").read_text().replace("×", "x")
    assert len(rows) == 9
    for row in rows:
        assert row in page


def test_gains_of_the_integrators_page():
    """By the coefficients of the series of (1 - x)^2 (1 + s x) / (1 + rho x)^3: the sum of their
    sizes, and the root of the sum of their squares."""
    page = (ROOT / "docs" / "integrators.md").read_text()
    x, series = np.polynomial.polynomial, {}
    for rho in (0.0, 0.5, 0.8, 0.9, 0.95):
        s = (2 * rho - 1) / (2 - rho)
        above = x.polymul(x.polymul([1, -1], [1, -1]), [1, s])
        n = np.arange(2000)
        below = (-rho) ** n * (n + 1) * (n + 2) / 2
        series[rho] = np.convolve(above, below)[:2000]
    sums = [round(np.abs(c).sum()) for c in series.values()]
    assert r",\; ".join(map(str, sums)) in page
    roots = [round(float(np.sqrt((c**2).sum()))) for rho, c in series.items() if rho]
    assert f"{', '.join(map(str, roots))} for" in page.replace("\n", " ")

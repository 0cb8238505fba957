"""Cases: resolution of parameters, models of users."""

from mpi4py import MPI

import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.program.case_files import load

SCRIPT = """
import fem_clearance as fc

def build(p):
    system = fc.System(gravity=(0, -p["g"], 0), comm=p.comm)
    body = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
    system.add(fc.RevoluteJoint(system.ground, body.at((0, 0, 0)), axis=(0, 0, 1), name="pivot"))
    return system

case = fc.Case("swing", "a rod swings", build, [fc.Parameter("g", 9.81, "m/s^2", "gravity")],
               settings={"t_end": 0.1, "dt": 1e-3, "adaptive": False})
"""


def test_every_case_resolves_and_describes():
    assert {"heavy_top", "double_four_bar", "flexible_pendulum", "double_pendulum"} <= set(
        cases.names()
    )
    for name in cases.names():
        case = cases.get(name)
        assert case.name == name
        assert case.description
        values = case.resolve()
        assert values["t_end"] > 0
        for key in values:
            p = values.parameters[key]
            assert p.text, f"{name}: {key} has no text"
            assert not p.choices or values[key] == p.default
            # the default comes first, but where a case changes a common setting
            assert not p.choices or p.default == p.choices[0] or key == "constraints"


def test_contract_defaults():
    p = cases.get("double_pendulum").resolve()
    wanted = {
        "arm.model": "quadratic",
        "arm.E": 2.07e11,
        "arm.rho": 7800.0,
        "arm.elements": 6,
        "joint.kind": "dry",
        "joint.radii": "difference",
        "joint.restitution": 0.9,
        "joint.friction": 0.0,
        "joint.v0": 1e-3,
        "joint.v1": 1e-2,
        "start": "collinear",
        "rho_inf": 0.8,
        "integrator": "generalized_alpha",
        "output.every": 1,
    }
    assert {k: p[k] for k in wanted} == wanted
    p = cases.get("flexible_pendulum").resolve()
    assert (p["beam.model"], p["beam.poisson"], p["beam.elements"]) == ("quadratic", "split", 10)
    assert (p["beam.E"], p["beam.nu"], p["beam.rho"]) == (6e7, 0.3, 6000.0)


def test_a_step_means_fixed_steps():
    case = cases.get("double_pendulum")
    assert case.resolve()["adaptive"] and case.resolve()["dt"] is None
    fixed = case.resolve({"dt": "1e-5"})
    assert (fixed["adaptive"], fixed["dt"]) == (False, 1e-5)
    both = case.resolve({"dt": "1e-5", "adaptive": "true"})
    assert (both["adaptive"], both["dt"]) == (True, 1e-5)
    free = cases.get("heavy_top").resolve({"adaptive": True})
    assert free["dt"] is None
    with pytest.raises(fc.InputError, match="dt"):
        case.resolve({"adaptive": False})


def test_resolved_parameters_resolve_to_themselves():
    for name in cases.names():
        case = cases.get(name)
        for changes in ({}, {"dt": 1e-5}, {"adaptive": True}):
            first = case.resolve(changes)
            again = case.resolve({k: v for k, v in first.items() if v is not None})
            assert dict(first) == dict(again)


def test_unknown_key_has_a_suggestion():
    with pytest.raises(fc.InputError, match="did you mean 'arm.E'"):
        cases.get("double_pendulum").resolve({"arm.e": 1})
    with pytest.raises(KeyError, match="did you mean 'arm.E'"):
        cases.get("double_pendulum").resolve()["arm.e"]


def test_user_file(tmp_path):
    path = tmp_path / "swing.py"
    path.write_text(SCRIPT)
    case, changes = load(str(path))
    assert (case.name, changes, case.source) == ("swing", {}, str(path))
    results = case.simulation({"g": 5}).run()
    assert results.time[-1] == 0.1
    assert not list(tmp_path.rglob("__pycache__"))


def test_case_file_of_a_user_file_is_relative_to_itself(tmp_path):
    (tmp_path / "swing.py").write_text(SCRIPT)
    (tmp_path / "mine.toml").write_text('case = "swing.py"\ng = 1.62\n')
    case, changes = load(str(tmp_path / "mine.toml"))
    assert case.resolve(changes)["g"] == 1.62


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = ", "not a Python file"),
        ("x = 3", "defines no case"),
        ("import no_such_module", "line 1: reading it failed with ModuleNotFoundError"),
        (
            SCRIPT.replace('p["g"]', 'p["gg"]'),
            "line 5: build failed with KeyError: .*did you mean 'g'",
        ),
        (
            SCRIPT.replace('p["g"]', '{"low": 1.6}["foo"]'),
            "line 5: build failed with KeyError: 'foo', .* in choices= of its Parameter",
        ),
        (
            SCRIPT.replace('p["g"]', "(1,)[1]"),
            "line 5: build failed with IndexError: tuple index out of range[.]$",
        ),
        (SCRIPT.replace("return system", "return body"), "build must return a System"),
    ],
)
def test_user_file_refused(tmp_path, text, message):
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(fc.InputError, match=message):
        load(str(path))[0].simulation()


def test_systems_follow_the_communicator(tmp_path):
    path = tmp_path / "swing.py"
    path.write_text(SCRIPT.replace(", comm=p.comm", ""))
    case = load(str(path))[0]
    if MPI.COMM_WORLD.size == 1:
        case.simulation(comm=MPI.COMM_SELF)  # the same group
    else:
        with pytest.raises(fc.InputError, match="comm=p.comm"):
            case.simulation(comm=MPI.COMM_SELF)


def test_case_defined_twice():
    with pytest.raises(fc.InputError, match="twice"):
        fc.Case("x", "x", lambda p: None, [fc.Parameter("t_end", 1.0)])
    with pytest.raises(fc.InputError, match="did you mean 't_end'"):
        fc.Case("x", "x", lambda p: None, settings={"tend": 1.0})


@pytest.mark.parametrize(
    ("key", "value"),
    [("tolerance", 2), ("newton_tolerance", 0.5), ("contact_tolerance", 2), ("output.every", 0),
     ("output.fields_every", -1), ("checkpoint.every_s", -1), ("solver", "mump")],
)  # fmt: skip
def test_settings_are_checked_when_parameters_are_read(key, value):
    """Under the name that the user gave, by the checks of the settings: what no run would take."""
    with pytest.raises(fc.InputError, match=f"^{key} must"):
        cases.get("heavy_top").resolve({key: value})

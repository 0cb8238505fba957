"""Bad input: one clear sentence on standard error, exit code 2, quickly, nothing written."""

import os
import subprocess
import sys
import time

import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.program.cli import main

MODEL = """
import fem_clearance as fc

def build(p):
    system = fc.System(comm=p.comm)
    ground = system.ground
    rod = fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod")
    add, foot = system.add, rod.at((0, 0, 0))
    {body}
    return system

case = fc.Case("bad", "a model with a mistake", build, settings={{"dt": 1e-3, "adaptive": False}})
"""

#: arguments of the shell, and what the sentence must say
SHELL = {
    "no command": ([], "required"),
    "unknown command": (["rnu", "heavy_top"], "did you mean 'run'"),
    "unknown option": (["run", "heavy_top", "--outt", "x"], "--outt"),
    "unknown case": (["run", "double_pendulm"], "did you mean 'double_pendulum'"),
    "missing file": (["run", "no_such.py"], "no_such.py cannot be read"),
    "missing case file": (["run", "no_such.toml"], "no_such.toml cannot be read"),
    "unknown key": (["run", "double_pendulum", "--set", "arm.e=1"], "did you mean 'arm.E'"),
    "no value": (["run", "double_pendulum", "--set", "arm.E"], "key=value"),
    "set twice": (["run", "double_pendulum", "--set", "arm.E=1", "--set", "arm.E=2"], "set twice"),
    "unit in the value": (
        ["run", "double_pendulum", "--set", "arm.E=210mm"],
        "arm.E must be in Pa or a unit like it, got '210mm'",
    ),
    "not a number": (
        ["run", "double_pendulum", "--set", "arm.E=steel"],
        "arm.E must be a number in Pa, got 'steel'",
    ),
    "not finite": (
        ["run", "double_pendulum", "--set", "arm.rho=nan"],
        "arm.rho must be a finite number",
    ),
    "infinite": (["run", "double_pendulum", "--set", "arm.E=inf"], "arm.E must be a finite number"),
    "negative modulus": (
        ["run", "double_pendulum", "--set", "arm.E=-2e11"],
        "arm.E must be positive",
    ),
    "zero density": (["run", "double_pendulum", "--set", "arm.rho=0"], "arm.rho must be positive"),
    "no elements": (
        ["run", "double_pendulum", "--set", "arm.elements=0"],
        "arm.elements must be a whole number",
    ),
    "half an element": (["run", "double_pendulum", "--set", "arm.elements=2.5"], "whole number"),
    "unknown word": (["run", "double_pendulum", "--set", "joint.kind=dri"], "did you mean 'dry'"),
    "restitution": (
        ["run", "double_pendulum", "--set", "joint.restitution=1.2"],
        "between 0 and 1",
    ),
    "negative friction": (
        ["run", "double_pendulum", "--set", "joint.friction=-0.1"],
        "must not be negative",
    ),
    "friction speeds": (
        ["run", "double_pendulum", "--set", "joint.friction=0.1", "joint.v1=1e-4"],
        "must exceed",
    ),
    "ball larger than socket": (
        ["run", "double_pendulum", "--set", "joint.ball_radius=0.021"],
        "does not fit into the socket",
    ),
    "negative radius": (
        ["run", "double_pendulum", "--set", "joint.socket_radius=-0.02"],
        "must be positive",
    ),
    "integrator": (["run", "heavy_top", "--set", "integrator=euler"], "integrator must be one of"),
    "zero step": (["run", "heavy_top", "--dt", "0"], "dt must be positive"),
    "negative step": (["run", "heavy_top", "--dt", "-1e-3"], "dt must be positive"),
    "step beyond the end": (
        ["run", "heavy_top", "--dt", "1", "--t-end", "0.1"],
        "longer than the run",
    ),
    "no end": (["run", "heavy_top", "--t-end", "0"], "t_end must be positive"),
    "end in words": (["run", "heavy_top", "--t-end", "2m"], "t_end must be in s or a unit like it"),
    "spectral radius": (
        ["run", "heavy_top", "--set", "rho_inf=1.5"],
        "rho_inf must lie between 0 and 1",
    ),
    "every": (
        ["run", "heavy_top", "--set", "output.every=0"],
        "output.every must be a whole number",
    ),
    "switch": (["run", "heavy_top", "--set", "adaptive=maybe"], "true or false"),
    "fixed without a step": (["run", "double_pendulum", "--set", "adaptive=false"], "give dt"),
    "Poisson's ratio": (["run", "flexible_pendulum", "--set", "beam.nu=0.5"], "nu"),
    "cable with the full law": (
        ["run", "flexible_pendulum", "--set", "beam.model=cable", "beam.poisson=full"],
        "poisson",
    ),
    "foreign folder": (["run", "heavy_top", "--out", "theirs"], "not a run of fem_clearance"),
    "file as folder": (["run", "heavy_top", "--out", "theirs/notes.txt"], "is a file"),
    "resume nothing": (["resume", "nowhere"], "no folder nowhere"),
    "resume a foreign folder": (["resume", "theirs"], "holds no run"),
    "export nothing": (["export", "theirs", "--csv", "a.csv"], "holds no results"),
    "export without a file": (["export", "theirs"], "--csv"),
    "plot nothing": (["plot", "nowhere"], "no folder nowhere"),
    "view nothing": (["view", "theirs", "--html", "a.html"], "holds no results of a run"),
    "sweep without values": (
        ["sweep", "heavy_top", "--vary", "rho_inf=", "--out", "all"],
        "key=value",
    ),
    "sweep of a bad value": (
        ["sweep", "heavy_top", "--vary", "rho_inf=0.8,2", "--out", "all"],
        "between 0 and 1",
    ),
    "sweep over a foreign folder": (
        ["sweep", "heavy_top", "--vary", "rho_inf=0.8", "--out", "theirs"],
        "not a sweep",
    ),
    "set and varied": (
        ["sweep", "heavy_top", "--vary", "rho_inf=0.8", "--set", "rho_inf=1", "--out", "all"],
        "both set and varied",
    ),
}

#: mistakes in a model, and what the sentence must say
MODELS = {
    "unconnected body": ("add(rod)", "rod is not connected to the ground"),
    "no bodies": ("pass", "no bodies"),
    "open joint": (
        "add(rod); add(fc.SphericalJoint(ground.point((0, 1, 0)), foot, name='pin'))",
        "pin cannot close at the start",
    ),
    "body not added": (
        "add(fc.SphericalJoint(ground, foot, name='pin'))",
        "add that body first",
    ),
    "two of a name": (
        "add(rod); add(fc.RigidBody(1, (1, 1, 1), name='rod'))",
        "two items are called 'rod'",
    ),
    "negative mass": (
        "add(fc.RigidBody(-1, (1, 1, 1), name='disc'))",
        "disc: mass must be positive",
    ),
    "impossible inertia": (
        "add(fc.RigidBody(1, (1, 1, 5), name='disc'))",
        "no body has moments of inertia",
    ),
    "zero length": (
        "add(fc.Beam((0, 0, 0), (0, 0, 0), fc.Rectangle(1, 1), fc.StVenantKirchhoff(1, 0, 1)))",
        "needs a length",
    ),
    "negative width": ("fc.Rectangle(-0.01, 0.01)", "Rectangle.width_y must be positive"),
    "no axis": (
        "add(rod); add(fc.RevoluteJoint(ground, foot, name='pin'))",
        "pin needs an axis",
    ),
    "zero axis": (
        "add(rod); add(fc.RevoluteJoint(ground, foot, axis=(0, 0, 0), name='pin'))",
        "zero vector",
    ),
    "driver against a joint": (
        "add(rod); add(fc.FixedJoint(ground, foot, name='weld')); "
        "add(fc.RotationDriver(ground, foot, axis=(0, 0, 1), "
        "angle=fc.functions.SmoothRamp(rate=1.0, duration=0.1), name='motor'))",
        "motor drives a motion that the joints already prevent",
    ),
    "joined to itself": (
        "add(rod); add(fc.FixedJoint(foot, rod.at((1, 0, 0))))",
        "with itself",
    ),
    "not an item": ("add('rod')", "accepts bodies, joints, loads and probes"),
    "class in the place of an item": ("add(fc.RigidBody)", "got the class RigidBody"),
    "misspelt argument": (
        "fc.RevoluteClearance(ground, foot, bearing_radus=1.0)",
        "bad.py, line 9: build failed with TypeError: RevoluteClearance takes no argument "
        "'bearing_radus' (did you mean 'bearing_radius'?).",
    ),
    "misspelt argument of a method": (
        "fc.Beam.along(None, None, None, element=3)",
        "line 9: build failed with TypeError: Beam.along takes no argument 'element' (did you mean "
        "'elements'?",
    ),
    "misspelt argument of a law": (
        "fc.Hertz(exponant=1.5)",
        "Hertz takes no argument 'exponant' (did you mean 'exponent'?).",
    ),
    "misspelt argument of a joint with a film": (
        "fc.SphericalClearance(ground, foot, film=None, stiff=1.0, ball_radius=1.0)",
        "SphericalClearance takes no argument 'stiff' (did you mean 'stiffness'?).",
    ),
    "missing arguments": (
        "fc.RevoluteClearance(ground, foot, bearing_radius=1.0, length=1.0)",
        "line 9: build failed with TypeError: RevoluteClearance needs 'journal_radius'.",
    ),
    "error in the script": ("rod.lenght", "line 9: build failed with AttributeError"),
}


@pytest.fixture
def here(here):
    """A folder with somebody's files in it."""
    (here / "theirs").mkdir()
    (here / "theirs" / "notes.txt").write_text("not ours")
    return here


def refused(here, capsys, arguments, message):
    before = sorted(here.rglob("*"))
    tic = time.process_time()
    assert main(arguments) == 2
    assert time.process_time() - tic < 10
    error = capsys.readouterr().err
    sentences = [line for line in error.splitlines() if line.startswith("fem-clearance: ")]
    assert len(sentences) == 1 and message in sentences[0]
    assert len(sentences[0].removeprefix("fem-clearance: ")) <= 400
    assert "Traceback" not in error
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("name", SHELL)
def test_shell(here, capsys, name):
    refused(here, capsys, *SHELL[name])


@pytest.mark.parametrize("name", MODELS)
def test_model(here, capsys, name):
    body, message = MODELS[name]
    (here / "bad.py").write_text(MODEL.format(body=body))
    refused(here, capsys, ["run", "bad.py"], message)


@pytest.mark.parametrize("name", ["ball larger than socket", "unknown key", "negative modulus"])
def test_python_users_get_the_same_sentence(name):
    arguments, message = SHELL[name]
    changes = dict(text.split("=") for text in arguments[arguments.index("--set") + 1 :])
    with pytest.raises(fc.InputError) as error:
        cases.get(arguments[1]).simulation(changes).run()
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["unit in the value", "ball larger than socket", "unknown case"])
def test_as_a_program(here, name):
    arguments, message = SHELL[name]
    tic = os.times()  # of the processor: the machine may be busy
    run = subprocess.run(
        [sys.executable, "-m", "fem_clearance", *arguments], capture_output=True, text=True
    )
    assert run.returncode == 2
    assert (
        run.stderr.startswith("fem-clearance: ")
        and message in run.stderr
        and run.stderr.count("\n") == 1
    )
    assert run.stdout == ""
    toc = os.times()
    assert sum(toc[2:4]) - sum(tic[2:4]) < 10


def test_debug_shows_the_traceback(here, capsys):
    assert main(["run", "double_pendulum", "--set", "arm.e=1", "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err

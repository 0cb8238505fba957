"""What a type checker sees of an editable install, and what is said without one."""

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import fem_clearance as fc
from fem_clearance.extend import Body, Item

ROOT = Path(__file__).parent.parent
SCRIPT = """\
import fem_clearance as fc

system = fc.System()
arm = system.add(fc.RigidBody(mass=1.0, inertia=(1, 1, 1)))
reveal_type(arm)
reveal_type(system.add(fc.RevoluteJoint(system.ground, arm.center, axis=(0, 0, 1))))
fc.RigidBody(mas=1.0, inertia=(1, 1, 1))
fc.RevoluteClearance(
    system.ground, arm.center, (0, 0, 1), bearing_radius=1.0, journal_radius=0.9, lenght=1.0
)
system.add(fc.RigidBody)
"""


def test_mypy_reads_the_installed_package(tmp_path):
    """In an environment of its own that knows the package by the .pth file of an editable install;
    the checker's words are mypy's."""
    pytest.importorskip("mypy")
    pytest.importorskip("setuptools")
    project = tmp_path / "project"
    project.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    (project / "fem_clearance").symlink_to(ROOT / "fem_clearance")
    made = subprocess.run(
        [sys.executable, "-c", "from setuptools import build_meta; build_meta.build_editable('.')"],
        cwd=project, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    venv.create(tmp_path / "env")
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (wheel,) = project.glob("*.whl")
    shutil.unpack_archive(wheel, packages, "zip")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir",
         tmp_path / "cache", "--python-executable", tmp_path / "env" / "bin" / "python", script],
        cwd=tmp_path, capture_output=True, text=True,
    ).stdout  # fmt: skip
    lines = [re.sub(r"^.*script\.py:", "", line) for line in said.splitlines()]
    assert lines[0] == '5: note: Revealed type is "fem_clearance.bodies.rigid.RigidBody"', said
    assert lines[1] == '6: note: Revealed type is "fem_clearance.joints.ideal.RevoluteJoint"'
    errors = [line for line in lines[2:] if "error:" in line]
    assert [int(line.partition(":")[0]) for line in errors] == [7, 8, 11], said
    assert 'Unexpected keyword argument "mas"' in errors[0]
    assert 'Unexpected keyword argument "lenght"' in errors[1]
    assert 'cannot be "type[RigidBody]"' in errors[2]


def test_items_and_bodies():
    body = fc.RigidBody(mass=1.0, inertia=(1, 1, 1), free=True)
    joint = fc.SphericalJoint(fc.System().ground, body.center)
    assert isinstance(body, Body) and isinstance(joint, Item) and not isinstance(joint, Body)
    system = fc.System()
    assert system.add(body) is body and system.bodies == [body]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda s, b: s.add(fc.RigidBody), "accepts bodies, .* got the class RigidBody"),
        (lambda s, b: s.add(object()), "System.add accepts bodies, joints, loads and probes, got"),
        (lambda s, b: fc.SphericalJoint(b.center, fc.RigidBody), "a frame, such as"),
        (lambda s, b: fc.Force(fc.RigidBody, (1, 0, 0)), "a frame, such as"),
        (lambda s, b: fc.Force(b.center, (1, 0, 0), fc.functions.Harmonic),
         "as a function of time"),
        (lambda s, b: fc.LineLoad(fc.Beam, (1, 0, 0)), "needs a beam"),
        (lambda s, b: fc.FrictionElement(
            s.ground, b.center, (1, 0, 0), friction=fc.SmoothCoulomb(0.1),
            normal_force=fc.functions.Harmonic
        ), "normal_force must be a number"),
        (lambda s, b: fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle, fc.LinearElastic(1, 0.3, 1)),
         "section must be a section such as"),
        (lambda s, b: fc.SphericalClearance(
            s.ground, b.center, socket_radius=1.0, ball_radius=0.9, normal=fc.Hertz
        ), r"normal must be a normal-force law such as Hertz\(\)"),
    ],
)  # fmt: skip
def test_a_class_in_the_place_of_an_object(use, message):
    system = fc.System()
    body = system.add(fc.RigidBody(mass=1.0, inertia=(1, 1, 1), free=True))
    with pytest.raises(fc.InputError, match=message):
        use(system, body)

"""Mistakes in a user's law end in one sentence with file and line, exit code 2, nothing written."""

import re
import shutil

import pytest

from ..conftest import shell
from .laws import LAWS, MISTAKES, RIGHT, named, script

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("base", LAWS)
def test_mistakes_in_a_law(here, capfd, attack, base):
    for name, body in MISTAKES.items():
        if (base, name) in RIGHT:
            continue
        with attack("a user's law", f"{base}: {name}"):
            text = script(base, body)
            (here / "mine.py").write_text(text)
            code = shell("run mine.py --out run --quiet --force")
            message = capfd.readouterr().err.strip()
            assert code == 2, message
            assert "\n" not in message, message
            where = re.search(r"mine\.py, line (\d+): ", message)
            assert where, message
            assert int(where[1]) in named(text), message
            assert not (here / "run").exists()


@pytest.mark.parametrize("base", [z for z in LAWS if z != "Function"])  # which takes no numbers
@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_numbers_of_a_law(here, capfd, attack, base, number):
    with attack("a user's law", f"{base}: a = {number}"):
        options = f"a=float('{number}')" + (", rho=1.0" if base == "Material" else "")
        text = script(base, [f"return {LAWS[base][1]}"], options).replace(
            "(rho=1000.0)", f"({options})"
        )
        (here / "mine.py").write_text(text)
        code = shell("run mine.py --out run --quiet --force")
        message = capfd.readouterr().err.strip()
        assert (code, message.count("\n")) == (2, 0), message
        assert re.search(r"finite", message) and not (here / "run").exists(), message


#: mistakes elsewhere in a case's file
CASE = """
import fem_clearance as fc

def build(p):
    system = fc.System(gravity=(0, 0, 0), comm=p.comm)
    system.add(fc.RigidBody(1.0, (1, 1, 1), free=True, name="ball"))
    return system

def broken(*_):
    raise KeyError("mine")  # here

case = fc.Case("mine", "a case", build, [fc.Parameter("a", 1.0{check})],
               settings={{"t_end": 1e-3, "dt": 1e-4, "adaptive": False}}{more})
"""
PLACES = {
    "derived_settings": {"more": ", derived_settings=broken"},
    "check": {"check": ", check=broken"},
    "analyse": {"more": ", analyse=broken"},
}


@pytest.mark.parametrize("place", PLACES)
def test_mistakes_in_a_case(here, capfd, attack, place):
    text = CASE.format(**{"check": "", "more": ""} | PLACES[place])
    (here / "mine.py").write_text(text)
    with attack("a user's case", place):
        code = shell("run mine.py --out run --quiet --force")
        message = capfd.readouterr().err.strip()
        assert (code, message.count("\n")) == (2, 0), message
        assert (
            f"mine.py, line {text.splitlines().index('    raise KeyError("mine")  # here') + 1}: "
            in message
        )


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
@pytest.mark.parametrize("name", ["mine", "numpy", "ufl", "case"])
def test_a_right_law(here, attack, future, name):
    with attack("a user's law", f"right, in {name}.py {future}"):
        text = script("NormalLaw", [f"return {LAWS['NormalLaw'][1]}"])
        (here / f"{name}.py").write_text(future + text)
        assert shell(f"run {name}.py --out run --quiet --force") == 0


JOINT = """
import ufl
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
import fem_clearance as fc
from fem_clearance.core.observables import Observable
from fem_clearance.core.blocks import multipliers
from fem_clearance.core.roles import TRANSLATION
from fem_clearance.model.pair import Pair, PairKind

@dataclass(frozen=True)
class BowlKind(PairKind):
    own_fields: ClassVar = {{"lam": (1,)}}
    own_parameters: ClassVar = {{"radius": ()}}

    def residual(self, c):
        i, j = self.poses(c)
        lam = c.split(c.q)[2]
        u, v, w = (ufl.dot(j.r - i.r, i.e(k)) for k in (1, 2, 3))
        {residual}

    def observables(self, c):
        {observables}

class Bowl(Pair):
    prefix = label = "bowl"
    triads_needed = (True, False)

    def build(self, system):
        kind = BowlKind(self.i.kind, self.j.kind)
        own = kind.pack_pair(self.i.parameters(np.eye(3)), self.j.parameters(), radius={radius})
        block = multipliers(self.name, "force", 1, TRANSLATION)
        self.add_to(system, kind, own, [block])

def build(p):
    system = fc.System(gravity=(0, 0, -9.81), comm=p.comm)
    bead = system.add(fc.RigidBody(0.1, (1e-5,) * 3, name="bead"))
    system.add(Bowl(system.ground.point((0, 0, 0)), bead.center))
    return system

case = fc.Case("mine", "a joint", build, settings={{"t_end": 1e-2, "dt": 1e-3, "adaptive": False}})
"""
RESIDUAL = "return c.along(lam[0] * (w - (u**2 + v**2) / (2 * c.par('radius')))) * c.dx()"
JOINTS = {
    "right": {},
    "residual raises": {"residual": "raise RuntimeError('no')  # here"},
    "residual of a parameter that is none": {"residual": "return c.par('R') * c.dx()  # here"},
    "residual of a vector": {"residual": "return ufl.as_vector([u, v]) * c.dx()  # here"},
    "residual with if": {"residual": "return u * c.dx() if u > 0 else v * c.dx()  # here"},
    "residual is a text": {"residual": "return 'w'"},
    "observables raise": {"observables": "return {'x': c.q[99]}  # here"},
    "observables are no dictionary": {"observables": "return [1]"},
    "radius NaN": {"radius": "float('nan')"},
}


def test_mistakes_in_a_joint(here, capfd, attack):
    for name, change in JOINTS.items():
        with attack("a user's joint", name):
            right = {"residual": RESIDUAL, "observables": "return {}", "radius": "0.5"}
            text = JOINT.format(**right | change)
            (here / "mine.py").write_text(text)
            code = shell("run mine.py --out run --quiet --force")
            said = capfd.readouterr().err.strip()
            if not change:
                assert code == 0, said
                shutil.rmtree(here / "run")
                continue
            assert (code, said.count("\n")) == (2, 0), said
            assert not (here / "run").exists()
            lines = [k for k, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]
            if lines:
                assert f"mine.py, line {lines[0]}: " in said, said
            elif name != "radius NaN":
                assert "mine.py, line " in said, said

"""A user's law from the shell: as the documentation shows it, and with mistakes."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import fem_clearance as fc

from ..attack.laws import LAWS, MISTAKES, named, script
from ..conftest import shell

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
CASE = """

def build(p):
    system = fc.System(gravity=(0, 0, 0), comm=p.comm)
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0.2, 0, 0), name="ball"))
    system.add(fc.SphericalClearance(
        system.ground.point((0, 0, 0)), ball.center, socket_radius=0.010, ball_radius=0.0095,
        normal=DampedHertz(a=p["a"]), stiffness=1e9))
    return system

case = fc.Case("mine", "a law", build, [fc.Parameter("a", 0.5, "s/m")], settings={"t_end": 0.004})
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
def test_the_law_of_the_documentation_from_the_shell(here, future):
    """A frozen dataclass with ClassVar. Restitution: chi (1 + e) = ln((1 + chi) / (1 - chi e)) with
    chi = 3/2 a v."""
    law = re.search(r"^```python\n(from dataclasses.*?)^```", PAGE.read_text(), re.M | re.S)[1]
    (here / "mine.py").write_text(future + law + CASE)
    assert shell("run mine.py --out run --quiet") == 0
    chi = 1.5 * 0.5 * 0.2
    e = brentq(lambda e: chi * (1 + e) - np.log((1 + chi) / (1 - chi * e)), 0.1, 1)
    results = fc.Results.open("run")
    assert -results["ball.vx"][-1] / 0.2 == pytest.approx(e, abs=1e-3)
    assert shell("run mine.py --out other --quiet --set a=0 --t-end 1e-3") == 0


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(here, capfd, mistake):
    text = script("NormalLaw", MISTAKES[mistake])
    (here / "mine.py").write_text(text)
    assert shell("run mine.py --out run --quiet") == 2
    message = capfd.readouterr().err.strip()
    assert "\n" not in message and not (here / "run").exists()
    assert int(re.search(r"mine\.py, line (\d+): ", message)[1]) in named(text)


def test_python_users_get_the_same_sentence():
    """With the parameter's name and those there are."""

    class Wrong(fc.FrictionLaw):
        parameters = ("mu",)
        mu = 0.1

        @staticmethod
        def coefficient(speed, p):
            return p.Q * speed

    system = fc.System()
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), name="ball"))
    message = r"test_user_laws.py, line \d+: Wrong.coefficient failed with AttributeError: 'Q' is "
    with pytest.raises(fc.InputError, match=message + r"none of the law's parameters \(mu\)"):
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=2, ball_radius=1,
            stiffness=1.0, friction=Wrong(),
        )  # fmt: skip


def test_numbers_that_are_none(here, capfd):
    text = script("NormalLaw", [f"return {LAWS['NormalLaw'][1]}"], "a=float('nan')")
    (here / "mine.py").write_text(text)
    assert shell("run mine.py --out run --quiet") == 2
    assert "Mine.values must give finite numbers, a is nan." in capfd.readouterr().err
    assert not (here / "run").exists()


def test_numbers_of_any_cell_are_finite():
    """Whatever law they are from."""
    system = fc.System()
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), name="ball"))

    class Soft(fc.Hertz):
        pass

    law = Soft()
    object.__setattr__(law, "exponent", np.nan)
    with pytest.raises(fc.InputError, match="finite"):
        system.add(
            fc.SphericalClearance(
                system.ground.at((0, 0, 0)), ball.center, socket_radius=2, ball_radius=1,
                stiffness=1.0, normal=law,
            )
        )  # fmt: skip

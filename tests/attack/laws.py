"""Files of users with mistakes in their laws: what is wrong, and which line must be named."""

HEAD = """\
from dataclasses import dataclass
from math import exp, sqrt
from typing import ClassVar

import numpy as np
import ufl

import fem_clearance as fc
from fem_clearance.contact.guide import GuideSurface

"""
#: of each base class a law: what comes before and after the body of its method, a right body
LAWS = {
    "NormalLaw": (
        """
@dataclass(frozen=True)
class Mine(fc.NormalLaw):
    a: float = 0.5
    parameters: ClassVar[tuple[str, ...]] = ("K", "a")

    def values(self, contact):
        return {"K": contact.stiffness, "a": self.a}

    @staticmethod
    def force(x, rate, approach, p):
""",
        "p.K * abs(x) ** 1.5 * (1 + 1.5 * p.a * rate)",
        "normal=Mine()",
    ),
    "FrictionLaw": (
        """
@dataclass(frozen=True)
class Mine(fc.FrictionLaw):
    a: float = 0.5
    parameters: ClassVar[tuple[str, ...]] = ("a",)

    @staticmethod
    def coefficient(x, p):
""",
        "p.a * x / (x + 1e-3)",
        "friction=Mine()",
    ),
    "Function": (
        """
class Mine:
    numbers = (0.5,)
    a = 0.5

    def expression(self, x, p):
""",
        "p[0] * x",
        "",
    ),
    "Material": (
        """
@dataclass(frozen=True)
class Mine(fc.Material):
    a: float = 1e6
    parameters: ClassVar[tuple[str, ...]] = ("a",)

    @staticmethod
    def energy(x, p):
""",
        "p.a * (ufl.inner(x, x) - 3 - 2 * ufl.ln(ufl.det(x)))",
        "",
    ),
    "GuideSurface": (
        """
@dataclass(frozen=True)
class Mine(GuideSurface):
    a: float = 1e-3
    parameters: ClassVar[tuple[str, ...]] = ("a",)

    @staticmethod
    def height(x, y, p):
""",
        "p.a * x**2",
        "",
    ),
}
#: mistakes: the body's lines; the one with "# here" is named, or else the method's first
MISTAKES = {
    "raises": ['raise RuntimeError("I do not know")  # here'],
    "divides by zero": ["return x / 0"],
    "returns nothing": ["x + 1"],
    "returns a vector": ["return ufl.as_vector([1.0 * x, 0.0])"],
    "returns a text": ['return "p.a * x"'],
    "returns a condition": ["return ufl.gt(x, 0)"],
    "returns NaN": ['return float("nan")'],
    "a parameter that is none": ["return p.Q * x  # here"],
    "if": ["if x > 0:  # here", "    return x", "return 0 * x"],
    "math.sqrt": ["return sqrt(x)  # here"],
    "numpy": ["return np.exp(x)  # here"],
    "a name that is none": ["return depht  # here"],
    "an import": ["import no_such_module  # here", "return x"],
    "deep": ["def inner(z):", "    return z.no_such()  # here", "return inner(x)"],
}
#: what is right for surfaces, which are called with arrays too
RIGHT = {("GuideSurface", "numpy")}
MODELS = {
    "Function": """
    arm = system.add(fc.RigidBody(1.0, (1, 1, 1), name="arm"))
    joint = system.add(fc.RevoluteJoint(system.ground, arm.center, axis=(0, 0, 1)))
    system.add(fc.RotationDriver(system.ground, arm.center, axis=(0, 0, 1), angle=Mine()))
""",
    "Material": """
    block = fc.meshes.block((1, 1, 1), (1, 1, 1))
    system.add(fc.Solid(block, Mine(rho=1000.0), clamped="x0", name="cube"))
""",
    "GuideSurface": """
    slider = system.add(fc.RigidBody(1.0, (1, 1, 1), name="slider", free=True))
    system.add(fc.TranslationalClearance(
        system.ground.point((0, 0, 0)), slider.center, axis=(1, 0, 0), across=(0, 1, 0),
        length=0.1, height=0.05, gap=0.052, stiffness=1e8, surfaces=(Mine(), Mine()),
        normal=fc.Hertz()))
""",
}
CONTACT = """
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0.2, 0, 0), name="ball"))
    system.add(fc.SphericalClearance(
        system.ground.at((0, 0, 0)), ball.center, socket_radius=0.010, ball_radius=0.0095,
        stiffness=1e9, name="joint", {law}))
"""


def script(base: str, body: list[str], values: str = "") -> str:
    """A user's file with a law.

    Args:
        base: of ``LAWS``.
        body: lines of its method.
        values: arguments of the law's constructor.
    """
    law, _, given = LAWS[base]
    model = MODELS.get(base) or CONTACT.format(law=given)
    model = model.replace("Mine()", f"Mine({values})")
    lines = "\n".join(" " * 8 + line for line in body)
    return (
        f"{HEAD}{law}{lines}\n\n\ndef build(p):\n    system = fc.System(gravity=(0, 0, 0), "
        f"comm=p.comm){model}    return system\n\n\ncase = fc.Case('mine', 'a law', build, "
        "settings={'t_end': 4e-3})\n"
    )


def named(text: str) -> range:
    """Numbers of the lines that the message may name: of "# here", else of the law's method."""
    lines = text.splitlines()
    for k, line in enumerate(lines, 1):
        if line.endswith("# here"):
            return range(k, k + 1)
    method = max(k for k, line in enumerate(lines) if line.startswith("    def ")) + 1
    end = next(k for k in range(method, len(lines)) if not lines[k].startswith(" " * 8))
    return range(method - 1, end + 1)

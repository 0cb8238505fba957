"""Forms that the packed loop cannot run are refused in a sentence, with what to write instead.

They used to be dropped without a word (``ds``), to end in a KeyError (coefficients) or to read
beyond an array (``ufl.Constant``).
"""

from dataclasses import dataclass

import basix.ufl
import dolfinx
import numpy as np
import pytest
import ufl
from cffi import VerificationError

import fem_clearance as fc
from fem_clearance import cache
from fem_clearance._backend import MPI
from fem_clearance.core import forms
from fem_clearance.errors import CompilationFailed
from fem_clearance.extend import Observable, Pair, PairKind


def function():
    """A field of DOLFINx, as users have it."""
    mesh = dolfinx.mesh.create_unit_interval(MPI.COMM_SELF, 2)
    return dolfinx.fem.Function(dolfinx.fem.functionspace(mesh, ("DG", 0)))


def other_mesh():
    return ufl.Mesh(basix.ufl.element("Lagrange", "interval", 1, shape=(3,)))


WRONG = {
    "ds": "an integral over ds, .* write c.dx()",
    "ds beside dx": "an integral over ds, .* write c.dx()",
    "dS": "an integral over dS, .* write c.dx()",
    "part": "over the part 3 of the cells: write c.dx()",
    "mesh": "over a mesh of its own: write c.dx()",
    "infinite": "holds the literal inf, .* a large number",
    "constant": "reads a ufl.Constant, .* read it as c.par",
    "observed constant": "reads a ufl.Constant, .* read it as c.par",
    "shared constant": "reads a ufl.Constant, .* read it as c.par",
    "function": "reads a Function of its own .* c.distributed",
    "coefficient": "reads a ufl.Coefficient of its own .* c.par",
    "no test": "must be linear in c.test",
    "trial": "must be linear in c.test",
}


@dataclass(frozen=True)
class Pull(PairKind):
    """A force along the line between two frames, and what users may write beside it."""

    extra: str = ""

    def residual(self, c):
        i, j = self.poses(c)
        length = ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r))
        good = (length - 1) * c.along(length) * c.dx()
        virtual = c.along(length)
        if self.extra == "shared constant":
            both = c.shared(ufl.as_vector([length * ufl.Constant(c.mesh)]))
            return both[0] * virtual * c.dx()
        if self.extra == "coefficient":
            return ufl.Coefficient(c.globals.ufl_function_space())[0] * virtual * c.dx()
        return {
            "ds": lambda: virtual * ufl.ds(c.mesh),
            "ds beside dx": lambda: good + virtual * ufl.ds(c.mesh),
            "dS": lambda: good + virtual("+") * ufl.dS(c.mesh),
            "part": lambda: virtual * c.dx()(3),
            "mesh": lambda: good + virtual * ufl.dx(other_mesh()),
            "infinite": lambda: (
                good + ufl.conditional(length > 9, float("inf"), 1) * virtual * c.dx()
            ),
            "constant": lambda: ufl.Constant(c.mesh) * virtual * c.dx(),
            "function": lambda: good + function() * virtual * c.dx(),
            "no test": lambda: length * c.dx(),
            "trial": lambda: ufl.TrialFunction(c.space)[0] * virtual * c.dx(),
        }.get(self.extra, lambda: good)()

    def observables(self, c):
        factor = ufl.Constant(c.mesh) if self.extra == "observed constant" else 1
        return {"x": Observable(self.poses(c)[1].r[0] * factor, "m", "place")}


class Pulled(Pair):
    prefix = label = "pull"
    triads_needed = (False, False)

    def __init__(self, frame_i, frame_j, extra=""):
        super().__init__(frame_i, frame_j)
        self.extra = extra

    def build(self, builder):
        kind = Pull(self.i.kind, self.j.kind, self.extra)
        self.add_to(builder, kind, kind.pack_pair(self.i.parameters(), self.j.parameters()))


def pulled(extra):
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(1.5, 0, 0), name="ball"))
    system.add(Pulled(system.ground.point((0, 0, 0)), ball.center, extra))
    return system


@pytest.mark.parametrize("extra", WRONG)
def test_refused(extra):
    with pytest.raises(fc.InputError, match=rf"^Pull \(.*{WRONG[extra]}"):
        pulled(extra).assemble()


def test_what_the_compiler_refuses(monkeypatch):
    """An error of the program, with the name of the form, in a few lines."""

    def build(folder):
        raise VerificationError("CompileError: command 'gcc' failed" + 90 * "\nat some line")

    def module(form, cell, lanes):
        return cache.module(f"refused {form.signature()}", build, "a form")

    monkeypatch.setattr(forms, "_kernels", {})
    monkeypatch.setattr(forms, "_module", module)
    with pytest.raises(
        CompilationFailed, match=r"^rigid body, equations or observables: the C "
    ) as e:
        pulled("").assemble()
    assert not isinstance(e.value, fc.InputError)
    assert e.value.__suppress_context__
    assert len(str(e.value)) <= 400
    assert "report this error of the program" in str(e.value)


def test_refused_inside_a_beam():
    """Where the form of a simpler kind stands for it, too: there all integrals became dx."""
    system = fc.System()
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01),
                              fc.LinearElastic(2e11, 0.3, 7800), 2, free=True))  # fmt: skip
    system.add(Pulled(system.ground.point((0, 0, 1)), beam.at_length(0.3), "ds"))
    with pytest.raises(fc.InputError, match="an integral over ds"):
        system.assemble()


def test_the_same_without():
    """x'' = -(x - 1) from 1.5: x = 1 + cos(t) / 2."""
    results = fc.Simulation(pulled(""), dt=1e-2, t_end=1.0).run()
    assert results["ball.x"][-1] == pytest.approx(1 + np.cos(1.0) / 2, abs=1e-5)

"""Two rigid bodies in a given state of motion, and what items between them do to each: one
evaluation of the residual, to be held against a formula written in NumPy."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import ufl
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.core import forms as compiled
from fem_clearance.core.symbols import SimplerForm, Symbols

#: a turn of a whole test: no axis of a body or joint lies along one of space
TURN = Rotation.from_rotvec((0.5, -0.9, 0.4)).as_matrix()


def value(expression) -> float:
    """Of a UFL expression of constants."""
    return float(ufl.as_ufl(expression)(()))


def numbers(**values) -> SimpleNamespace:
    """Numbers of a law, as UFL constants."""
    return SimpleNamespace(**{n: ufl.as_ufl(float(x)) for n, x in values.items()})


@contextmanager
def residuals_only() -> Iterator[None]:
    """Forms without their tangents, which are most of what there is to compile; those of
    constraints keep them (they are looked at when a system is assembled)."""
    before, forms = dict(compiled._kernels), Symbols.forms

    def without(self):
        if self.kind.cell == "point" and {"lam", "orthonormality"} & {*self.kind.fields()}:
            return forms(self)
        simpler = self.kind.simpler() if isinstance(self.kind, SimplerForm) else None
        if simpler is not None:
            return forms(self)[0], None
        form = self.kind.residual(self)
        return (None if form is None else ufl.replace(form, self._values())), None

    Symbols.forms = without
    try:
        yield
    finally:
        Symbols.forms = forms
        compiled._kernels.clear()
        compiled._kernels.update(before)


class Bench:
    """A system of two bodies ``a`` and ``b``; ``places``: of both at the start, before the turn."""

    def __init__(self, places=((0, 0, 0), (0, 0, 0)), material=None):
        self.system = fc.System(gravity=(0, 0, 0))
        self.a, self.b = (
            self.system.add(
                fc.RigidBody(1.3, (0.2, 0.3, 0.4), name=name, free=True, position=TURN @ place,
                             orientation=TURN @ Rotation.from_rotvec(own).as_matrix())
            )
            for name, place, own in zip("ab", places, ((0.3, 0.2, -0.6), (-0.4, 0.1, 0.7)),
                                        strict=True)
        )  # fmt: skip
        for body in (self.a, self.b):
            body.material = material
        self.state = None

    def add(self, item):
        return self.system.add(item)

    def assemble(self):
        with residuals_only():
            self.state = self.system.state
        return self.state

    def numbers(self, body) -> np.ndarray:
        return self.state.locate(np.concatenate([r.numbers for r in body.center.refs]))

    def block(self, name) -> np.ndarray:
        """Local numbers of a block of unknowns."""
        (block,) = (b for b in self.system.state.problem.blocks if b.name == name)
        return self.state.locate(block.numbers)

    def move(self, body, shift=(0, 0, 0), turn=(0, 0, 0), velocity=(0, 0, 0), omega=(0, 0, 0)):
        """Shift a body from its place at the start (before the turn of the whole), turn it by a
        rotation vector about its centre, and give it rates."""
        at = self.numbers(body)
        axes = TURN @ Rotation.from_rotvec(turn).as_matrix() @ TURN.T @ body.axes
        self.state.q[at] = np.r_[body.position + TURN @ shift, axes.T.ravel()]
        omega = TURN @ omega
        self.state.v[at] = np.r_[TURN @ velocity, np.cross(omega, axes.T).ravel()]

    def pose(self, body):
        """Centre, axes by columns, velocity, angular velocity at present."""
        at = self.numbers(body)
        q, v = (z[at].reshape(4, 3) for z in (self.state.q, self.state.v))
        return q[0], q[1:].T, v[0], np.cross(q[1:], v[1:]).sum(axis=0) / 2

    def carried(self, body, place):
        """Where a point of the body is that was at ``place`` at the start (before the turn), and
        its velocity."""
        r, axes, v, omega = self.pose(body)
        arm = axes @ body.axes.T @ (TURN @ place - body.position)
        return r + arm, v + np.cross(omega, arm)

    def direction(self, body, direction):
        """Where a direction fixed in the body points."""
        return self.pose(body)[1] @ body.axes.T @ TURN @ direction

    def wrench(self, body, point):
        """Force on a body and moment about a point, N and N m, from one residual."""
        rows = self.state.residual()[self.numbers(body)].reshape(4, 3)
        q = self.state.q[self.numbers(body)].reshape(4, 3)
        force = -rows[0]
        moment = -np.cross(q[1:], rows[1:]).sum(axis=0)
        return force, moment + np.cross(q[0] - point, force)

    def check(self, point, force, couple=(0, 0, 0), on_first=None, rel=1e-9):
        """Force on ``b`` at a point and couple on it; ``on_first``: the same on ``a`` at that point
        (default: the opposite)."""
        first = (-np.asarray(force), -np.asarray(couple)) if on_first is None else on_first
        scale = np.linalg.norm(force), np.linalg.norm(couple)
        lever = max(np.linalg.norm(self.pose(z)[0] - point) for z in (self.a, self.b))
        assert scale[0] + scale[1] > 0
        for body, wanted in ((self.b, (force, couple)), (self.a, first)):
            found = self.wrench(body, point)
            np.testing.assert_allclose(found[0], wanted[0], atol=rel * scale[0], rtol=0)
            np.testing.assert_allclose(
                found[1], wanted[1], atol=rel * (scale[1] + scale[0] * lever), rtol=0
            )

    @property
    def channels(self):
        self.system.channels.read()
        return self.system.channels

    def observed(self, name, cell=0) -> float:
        """What a cell of the one kind that has it observes under a name, recorded or not."""
        self.state.observe()
        seen = zip(self.state.problem.observers, self.state.observations.parts, strict=True)
        (found,) = (
            part[cell, [*self.system.state.components[k].observables].index(name)]
            for k, part in seen
            if name in self.system.state.components[k].observables
        )
        return float(found)

    def parameter(self, kind, name, number) -> None:
        """Set a number of all cells of a kind of this name."""
        for z, rows in zip(self.system.state.components, self.state.parameters, strict=True):
            if type(z.kind).__name__ == kind:
                z.kind.column(rows, name)[:] = number

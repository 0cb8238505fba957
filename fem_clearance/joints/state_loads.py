"""Loads that depend on the state of a frame, as expressions of UFL: part of the equations of a
step, with their exact tangent. For plain Python functions see sampled_loads.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import ufl

from .. import checks
from ..core.component import Cell
from ..errors import InputError
from ..markup import Shown
from ..model.loads import FrameLoadKind
from ..model.pair import resolve_one
from ..model.portrait import Portrait
from ..user_code import failure, place_of


@dataclass(frozen=True)
class StateLoadKind(FrameLoadKind):
    """A load by a law of the state."""

    called = "load by the state"

    feeds_energy = True

    law: Any = None
    names: tuple[str, ...] = ()

    @property
    def own_parameters(self):
        return {f"law.{n}": () for n in self.names}

    def load(self, c, pose):
        at = SimpleNamespace(
            t=c.t, position=pose.r, velocity=pose.velocity, triad=pose.triad,
            omega=pose.omega if pose.triad else None,
        )  # fmt: skip
        p = SimpleNamespace(**{n: c.par(f"law.{n}") for n in self.names})
        where = place_of(self.law)
        try:
            found = self.law(at, p)
            found = ufl.as_vector([found[k] for k in range(3)])
        except Exception as error:
            raise failure("the law of a load", error, where) from error
        return found

    def residual(self, c):
        pose = self.pose(c)
        load = c.shared(self.load(c, pose))
        return -ufl.dot(load, c.power(self.motion(pose))) * c.dx()


class StateLoad(Shown):
    """The common part of ``StateForce`` and ``StateTorque``."""

    prefix, label, turns = "load", "load", False

    def __init__(
        self, frame, law: Callable | None = None, numbers: Mapping[str, float] | None = None, *,
        name: str | None = None,
    ):  # fmt: skip
        self.name: Any = name
        who = name or self.label
        self.i = resolve_one(frame, who)
        if self.turns:
            self.i.needs_triad(who)
        self.law = checked_law(who, law, "lambda at, p: -p.c * at.velocity")
        given = {} if numbers is None else checks.mapping(f"{who}: numbers", numbers, '{"c": 4.0}')
        self.numbers = {n: checks.number(f"{who}: {n}", x) for n, x in given.items()}

    def portrait(self) -> Portrait:
        return Portrait(self.prefix, self.i)

    def build(self, builder) -> None:
        kind = StateLoadKind(self.i.kind, self.turns, self.law, tuple(self.numbers))
        own = {f"law.{n}": x for n, x in self.numbers.items()}
        numbers = kind.pack_single(self.i.parameters(np.eye(3)), **own)
        builder.add_cell(kind, Cell(self.name, self.i.refs, numbers))


class StateForce(StateLoad):
    """A force on a frame's point by a law of its state, in UFL.

    Args:
        frame: such as ``arm.end``; a rigid body stands for its centre of mass.
        law: ``law(at, p)`` returns the three components of the force in the fixed axes, N, as
            expressions of UFL of ``at.t``, ``at.position``, ``at.velocity`` and, where the frame
            has a triad, ``at.triad`` (three vectors) and ``at.omega``; ``p`` has the ``numbers``.
        numbers: of the law by name; a change of them compiles nothing, and ``on_step`` may set them
            (``stepper.assign(name, **{"law.c": 2.0})``).
        name: for messages and channels.

    Channels: ``x y z`` (N), ``power`` (W).

    Raises:
        InputError: no law; when added, a law that does not return three components.

    See docs/connections.md. Example::

        fc.StateForce(body, lambda at, p: -p.c * at.velocity, {"c": 0.2})
    """

    prefix = label = "state_force"


class StateTorque(StateLoad):
    """A torque on a frame by a law of its state, in UFL; see ``StateForce``, with N m in place of
    N.

    Args:
        frame: with a triad; a rigid body stands for its centre of mass.
        law: ``law(at, p)``, see ``StateForce``.
        numbers: of the law by name.
        name: for messages and channels.

    Channels: ``x y z`` (N m), ``power`` (W).

    Raises:
        InputError: no law, a frame without a triad.

    See docs/connections.md. Example::

        fc.StateTorque(body, lambda at, p: -p.c * at.omega, {"c": 0.2})
    """

    prefix = label = "state_torque"
    turns = True


def checked_law(who: str, law: Any, example: str) -> Any:
    if not callable(law):
        needed = f" such as {example}" if example else ""
        raise InputError(f"{who} needs a function{needed}, got {checks.shown(law)}.")
    return law

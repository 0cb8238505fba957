"""Snapshots: all a run needs to go on exactly, independent of the number of ranks.

Unknowns are stored in the order of ``Problem.kept``, parameters of cells by kind and the cell's
original number.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..core.component import Component
from ..core.initial import changes
from ..core.ledger import Ledger
from ..core.newton import NewtonSolver
from ..core.state import State
from ..core.symbols import PER_STEP
from ..errors import InputError
from .contact_work import ContactWork
from .events import Events
from .limits import Limits
from .model_changes import check_same, fingerprint
from .settings import StepSettings
from .step_control import Controller, Milestones
from .step_engine import StepEngine

FIELDS = ("q", "v", "a", "q_n")
#: of Newton's method, as in newton.h
NUMBERS = ("iterations", "built", "tangent_age", "cost", "since", "before", "rebuild", "steps")


class Stepping(Protocol):
    """A run as it is kept, see ``Stepper``."""

    state: State
    newton: NewtonSolver
    scheme: StepEngine
    integrator: Any
    settings: StepSettings
    control: Controller
    limits: Limits
    events: Events
    ledger: Ledger
    work: ContactWork
    origin: float
    steps: int
    rejected_steps: int
    milestones: Milestones
    after_event: bool
    contact_step: float | None


def _all_cells(component: Component, mine: np.ndarray) -> np.ndarray:
    """Rows of all cells of a component, in the order they were added, of each rank's own."""
    pieces = component.comm.allgather((component.original, mine))
    rows = np.zeros((sum(len(o) for o, _ in pieces), mine.shape[1]))
    for original, values in pieces:
        rows[original] = values
    return rows


def _gather(state: State, array: np.ndarray) -> dict[str, np.ndarray]:
    """A state array (as ``State.array``) by global numbers."""
    n, kept = state.total, state.problem.kept
    result = {f: kept.gather(array[k * n : (k + 1) * n]) for k, f in enumerate(FIELDS)}
    for k, c in enumerate(state.components):
        at, width = state.problem.offsets[k], c.kind.width
        mine = array[at : at + c.count * width].reshape(c.count, width)
        result[f"parameters{k}"] = _all_cells(c, mine)
    result["globals"] = array[state.problem.globals_at :].copy()
    return result


def _spread(state: State, stored: dict[str, np.ndarray], array: np.ndarray) -> None:
    """The inverse of ``_gather``; fixed values stay."""
    n = state.total
    for k, f in enumerate(FIELDS):
        array[k * n : k * n + state.local] = state.problem.kept.pick(stored[f])
    for k, c in enumerate(state.components):
        at, width = state.problem.offsets[k], c.kind.width
        array[at : at + c.count * width] = stored[f"parameters{k}"][c.original].ravel()
    array[state.problem.globals_at :] = stored["globals"]


def _part(stored: dict, prefix: str) -> dict:
    """The entries whose names begin with a prefix, without it."""
    return {k[len(prefix) :]: z for k, z in stored.items() if k.startswith(prefix)}


def take_snapshot(stepper: Stepping) -> dict:
    """Arrays and numbers, the same on every rank; collective."""
    state, newton, scheme = stepper.state, stepper.newton, stepper.scheme
    tolerances = newton.tolerances
    result = {f"state.{k}": z for k, z in _gather(state, state.array).items()}
    if newton.tangents:
        result |= {f"tangent.{k}": z for k, z in _gather(state, newton.at_tangent).items()}
    velocities = scheme.velocities
    if velocities.w.factors:
        result |= {f"factors.{k}": z for k, z in _gather(state, velocities.at_factors).items()}
        result["factors.numbers"] = np.array([velocities.w.cost, velocities.w.since])
    kept = state.problem.kept
    result |= {f"scheme.{k}": kept.gather(z) for k, z in scheme.snapshot().items()}
    for k in range(len(state.components)):
        places = state.comm.allgather(changes(state, k)[0])
        result[f"changed{k}"] = np.concatenate(places)
    result |= fingerprint(state)
    result["stepper.origin"] = np.array(stepper.origin)
    result["kinds"] = np.array([c.kind.label for c in state.components])
    result["scheme.numbers"] = scheme.numbers
    result["newton.force_scale"] = tolerances.force_scale.copy()
    result["newton.noise"] = kept.gather(tolerances.noise)
    result["newton.numbers"] = np.array([getattr(newton.c, n) for n in NUMBERS], dtype=float)
    result["newton.solver"] = np.array(newton.linear_solver)
    result["stepper.settings"] = np.array(stepper.settings.words(stepper.integrator))
    control, counts = stepper.control, (stepper.steps, stepper.rejected_steps)
    contact = stepper.contact_step or 0.0, stepper.after_event
    result["stepper.numbers"] = np.array(
        [control.h, *counts, stepper.milestones.grid, *contact, control.cautious]
    )
    result |= {f"limits.{k}": z for k, z in stepper.limits.snapshot(state).items()}
    result |= {f"events.{n}": z for n, z in stepper.events.arrays().items()}
    ledger = stepper.ledger
    result["ledger.totals"] = state.comm.allreduce(np.append(ledger.totals, ledger.power))
    result["ledger.offsets"] = state.comm.allreduce(ledger.offsets)
    for k, component in enumerate(ledger.components):
        result[f"ledger.{k}"] = _all_cells(component, ledger.rows(k))
    for k, contacts in enumerate(stepper.work.contacts):
        result[f"work.{k}"] = _all_cells(contacts.component, contacts.kept)
    return result


def restore_snapshot(stepper: Stepping, stored: dict) -> None:
    """Set a prepared stepper to a snapshot."""
    state, newton, scheme = stepper.state, stepper.newton, stepper.scheme
    check_same(state, stored)
    now = stepper.settings.words(stepper.integrator)
    if (then := str(stored.get("stepper.settings", now))) != now:
        raise InputError(
            f"the run was made by {then} and cannot go on by {now}; give the same, or start a run "
            "of its own from where it ended (initial=results.last)."
        )
    for name in scheme.snapshot():
        # checkpoints of the version before have other keys, and not what is made anew in a step
        values = stored.get(f"scheme.{name}", stored.get(f"scheme.{name.removeprefix('turning.')}"))
        if values is not None:
            scheme.set(name, state.problem.kept.pick(values))
    scheme.numbers = stored["scheme.numbers"]
    newton.tolerances.force_scale[:] = stored["newton.force_scale"]
    newton.tolerances.noise[:] = state.problem.kept.pick(stored["newton.noise"])[: state.owned]
    newton.tolerances.known = True
    if str(stored["newton.solver"]) != newton.linear_solver:
        newton.use(str(stored["newton.solver"]))
    _spread(state, _part(stored, "state."), state.array)
    scheme.resume()
    if "tangent.q" in stored:
        present = state.array.copy()
        _spread(state, _part(stored, "tangent."), state.array)
        present_factors = newton.c.beta, newton.c.gamma, newton.c.per_step
        newton.factors(*state.globals[[2, 1, PER_STEP]])
        newton.at_tangent[:] = state.array
        newton.build()
        newton.factors(*present_factors)
        state.array[:] = present
    if "factors.q" in stored:
        present, w = state.array.copy(), scheme.velocities.w
        _spread(state, _part(stored, "factors."), state.array)
        scheme.velocities.renew()
        w.cost, w.since = float(stored["factors.numbers"][0]), int(stored["factors.numbers"][1])
        state.array[:] = present
    for name, x in zip(NUMBERS, stored["newton.numbers"], strict=True):
        setattr(newton.c, name, type(getattr(newton.c, name))(x))
    h, *counts, contact, after_event, cautious = map(float, stored["stepper.numbers"])
    stepper.control.h, stepper.control.cautious = h, bool(cautious)
    stepper.steps, stepper.rejected_steps, stepper.milestones.grid = map(int, counts)
    stepper.contact_step, stepper.after_event = contact or None, bool(after_event)
    stepper.limits.restore(_part(stored, "limits."), state.comm.rank == 0)
    stepper.origin = stepper.milestones.origin = float(stored["stepper.origin"])
    stepper.events = Events.of(**_part(stored, "events."))
    stepper.ledger.restore(_part(stored, "ledger."))
    for k, contacts in enumerate(stepper.work.contacts):
        contacts.kept[:] = stored[f"work.{k}"][contacts.component.original]

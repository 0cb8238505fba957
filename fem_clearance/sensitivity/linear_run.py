"""A recorded run as a sequence of linear maps, for its derivatives forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from ..core.mixins import has_gap
from ..core.problem import Problem
from ..core.symbols import PER_STEP
from ..timestepping import rows
from ..timestepping.gaps import WATCHED
from ..timestepping.row_engine import RowEngine
from .approach import Contacts, Follows
from .contact_numbers import ByNumbers, by_forms
from .gradients import ChannelGradients
from .linearised import Linearised
from .maps import StageMap, StepMap, Vectors
from .memory import Memory, Update
from .projection import Projection
from .rebuilt import Dependence, at_start
from .record import EVENTS, FIXED
from .recording import RecordingStepper, special
from .settled import Settled
from .turned import Turned

#: relative change of an approach speed, and change of a length by its size, for central differences
SPEED, LENGTH = 1e-6, 1e-3
#: a contact: place of its component among those watched, cell
Contact = tuple[int, int]


class LinearRun:
    """A recorded run and what its derivatives need of each step.

    Args:
        stepper: after the run.
        dependences: of the parameters.
        names: channels that are derived.
        memories: memories of the components.

    Attributes:
        n, columns: unknowns, parameters.
        steps: the record.
        begin: values of the vectors at the start of the run.
    """

    def __init__(
        self, stepper: RecordingStepper, dependences: list[Dependence], names: Iterable[str],
        begin: np.ndarray, memories: Sequence[Memory] = (),
    ):  # fmt: skip
        self.stepper, self.dependences, self.begin = stepper, dependences, begin
        self.memories = memories
        self.state, self.steps, scheme = stepper.state, stepper.record, stepper.scheme
        assert isinstance(scheme, RowEngine)
        self.vectors = Vectors(scheme.integrator)
        self.n, self.columns = self.state.local, len(dependences)
        self.dynamic = self.state.problem.dynamic[: self.n]
        problem, masses = self.state.problem, scheme.masses.copy()

        def scale(beta: float, gamma: float) -> np.ndarray:
            held = masses * np.where(problem.velocity_level, beta / gamma, beta)
            units = np.where(problem.constrained, held, problem.unit)
            return np.where(problem.dynamic > 0, 1.0, units)

        self.linear = Linearised(self.state, stepper.newton.linear_solver, scale)
        self.gradients = ChannelGradients(stepper.channels, names)
        self.contacts = self._contacts()
        #: whether steps can be taken by sweeps
        self.sweeps = sweepable(self.state.problem) and not stepper.event_set.changing
        self.sweeps &= not memories
        self.special = special(scheme)
        #: part of what stages take off velocities that forces see
        self._seen = rows.seen(scheme.integrator)
        located = [i for i, step in self.steps.own() if step.kind in EVENTS]
        self._located = min(located, default=len(self.steps))
        self.turned = None
        if scheme.turning is not None:
            moving = self.vectors.moving
            self.turned = Turned(scheme.turning, scheme.integrator, moving, self.steps)
        #: joints with approach speeds that no rule explains
        self.unknown: set[str] = set()
        self.by_numbers = {
            each.component: ByNumbers(
                self.state, each.component, [d.numbers[each.component] for d in dependences]
            )
            for each in self.contacts
            if dependences and by_forms(self.state.components[each.component])
        }

    def _contacts(self) -> list[Contacts]:
        state = self.state
        found: list[Contacts] = []
        for k in state.problem.observers:
            c = state.components[k]
            if not has_gap(c.kind):
                continue
            rows = state.problem.offsets[k] + c.kind.width * np.arange(c.count)
            names = (*WATCHED, "peak", "direction")
            columns = {n: rows + c.kind.columns(n).start for n in names}
            owners = [c.owners[j] for j in c.owner]
            found.append(Contacts(len(found), k, columns, owners, c.kind.has_stick_modes))
        return found

    def array(self, instant: int) -> np.ndarray:
        """The state array at one of the instants, of which the first is the start."""
        return self.steps[instant - 1].after if instant else self.stepper.begin

    # --- a step -----------------------------------------------------------------------------------
    def maps(self, i: int) -> StepMap:
        """The maps of a step, with their derivatives by lengths if these change."""
        step = self.steps[i]
        above = step.h_old is not None and step.h > step.h_old
        return self.vectors.maps(step.h, step.h_old, above, self.varies(i) or self.varied(i))

    def varies(self, i: int) -> bool:
        """Whether the length of a step follows from the motion."""
        kind = self.steps[i].kind
        return kind in EVENTS or (kind != FIXED and i > self._located)

    def varied(self, i: int) -> bool:
        """Whether that of the step before does, and a step knows of it."""
        return i > 0 and self.steps[i].h_old is not None and self.varies(i - 1)

    def plain(self, i: int) -> bool:
        """Whether a step is like its neighbours of the same length, see sweeps.py: its length is
        given, velocities are left alone, and no contact touches."""
        step = self.steps[i]
        if not self.sweeps or self.special or step.kind != FIXED or self.varied(i):
            return False
        if (step.left != 1.0 or step.agreed) and self.state.problem.any_constraint:
            return False
        return step.apart

    def slow(self) -> int:
        """How many steps are taken in Python."""
        return sum(not self.plain(i) for i in range(len(self.steps)))

    def values(self, i: int) -> np.ndarray:
        """Values of the vectors at the start of a step, vectors x unknowns."""
        if i == 0:
            return self.begin
        step, total, n = self.steps[i], self.state.total, self.n
        result = np.zeros((self.vectors.count, n))
        result[:3] = step.start[: 3 * total].reshape(3, total)[:, :n]
        result[self.vectors.own], result[self.vectors.old] = step.own, step.old
        return result

    def end(self, i: int, k: int) -> np.ndarray:
        """The state array at the end of a stage of a step."""
        step = self.steps[i]
        return step.middles[k] if k < len(step.middles) else step.end

    def seen(self, i: int, k: int) -> np.ndarray:
        """The same with the velocities that forces see, which differ from those on constraints."""
        step, at = self.steps[i], slice(self.state.total, self.state.total + self.n)
        if not len(step.taken):
            return self.end(i, k)
        array = self.end(i, k).copy()
        array[at] += self._seen[k] * step.taken[k]
        if self.turned is not None:
            array[at] += self.turned.seen(i, k, self.n)
        return array

    def last(self, i: int) -> np.ndarray:
        """``seen`` at the end of a step."""
        return self.seen(i, len(self.steps[i].middles))

    def linearise(self, i: int, k: int, stage: StageMap) -> None:
        """The equations of the end of a stage."""
        self.linear.at(self.seen(i, k), stage.beta, stage.gamma)

    def settled(self, i: int, k: int, stage: StageMap) -> Settled | None:
        """What holds velocities too at the end of a stage; after ``linearise``."""
        step = self.steps[i]
        if not len(step.taken):
            return None
        return Settled(self.linear, self.end(i, k), step.taken[k], stage, step.h, self._seen[k])

    def by_parameters(self, i: int, k: int = 0, array: np.ndarray | None = None) -> np.ndarray:
        """dF/d(parameters) at the end of a stage (or at a state near it), unknowns x parameters."""
        step, end = self.steps[i], self.seen(i, k) if array is None else array
        found = [d.residual(end, self.n) for d in self.dependences]
        result = np.array(found).reshape(-1, self.n).T
        self.state.array[:] = end
        for each in self.contacts:
            if (own := self.by_numbers.get(each.component)) is not None:
                # forms say themselves which forces are switched off where the step ends at an onset
                cells = np.flatnonzero(each.modes | (step.now[each.place][:, 0] > 0))
                force = own.force(cells)
                if self.state.problem.condensed is not None and len(cells):
                    for column in force.T:
                        self.state.problem.condensed.condense(column)
                result = result + force[: self.n]
        return result

    def by_memory(self, i: int, k: int = 0, array: np.ndarray | None = None) -> list[csr_matrix]:
        """dF/d(memory of each component) at the same states, unknowns x numbers."""
        self.state.array[:] = self.seen(i, k) if array is None else array
        return [each.force() for each in self.memories]

    def updates(self, i: int) -> list[Update]:
        """Derivatives of the memories of all components after a step."""
        return [each.update(self.steps[i], self.dependences) for each in self.memories]

    def by_speed(self, i: int, contact: Contact, array: np.ndarray | None = None) -> np.ndarray:
        """dF/d(approach speed of a contact) at the end of a step, (unknowns,)."""
        end, at = self.last(i) if array is None else array, self._place(contact)
        d = SPEED * abs(end[at])
        return self._difference(lambda z: self._residual(end, {at: end[at] + z * d}), d)

    def by_time(self, i: int, k: int = 0, array: np.ndarray | None = None) -> np.ndarray:
        """dF/dt at the end of a stage, by the explicit time alone, (unknowns,)."""
        return self._by_globals(i, self.seen(i, k) if array is None else array, 1.0, 0.0)

    def _by_globals(self, i: int, end: np.ndarray, time: float, per_step: float) -> np.ndarray:
        step, at = self.steps[i], self.state.problem.globals_at
        t, rate = end[at], end[at + PER_STEP]
        d = LENGTH * step.h
        return self._difference(
            lambda z: self._residual(
                end, {at: t + z * d * time, at + PER_STEP: rate + z * d * per_step}
            ),
            d,
        )

    def _difference(self, at: Callable[[float], np.ndarray], d: float) -> np.ndarray:
        return (at(1.0) - at(-1.0)) / (2 * d)

    def _residual(self, array: np.ndarray, numbers: dict[int, float]) -> np.ndarray:
        state = self.state
        state.array[:] = array
        for place, number in numbers.items():
            state.array[place] = number
        return state.residual()[: self.n].copy()

    def _place(self, contact: Contact) -> int:
        i, k = contact
        return int(self.contacts[i].columns["approach"][k])

    def column(self, i: int, stage: StageMap, change: StageMap) -> np.ndarray:
        """How the vectors at the end of a step change where its numbers do, vectors x unknowns;
        after ``linearise``."""
        linear, step, m = self.linear, self.steps[i], self.vectors.m
        D, values, held = self.dynamic, self.values(i), self.settled(i, 0, stage)
        U = (change.A @ values + stage.A @ self._fitted(i, change)) * D
        U = np.pad(U, ((0, 1), (0, 0)))
        if self.turned is not None:
            U += self.turned.by_length(i, not change.length, self.n) * D
        q, v, a = step.end[: 3 * self.state.total].reshape(3, -1)[:, : self.n]
        taken = np.zeros(self.n) if held is None else held.w
        y = a / stage.beta + taken / stage.gamma
        ratio = stage.beta / stage.gamma
        by_ratio = (change.beta - ratio * change.gamma) / stage.gamma
        per_step = -change.length / stage.length**2
        rhs = linear.K @ U[m] + linear.C @ (U[m + 1] + U[m + 2] + change.gamma * y * D)
        rhs += linear.M @ ((change.beta * y - by_ratio * taken) * D)
        if change.length:
            rhs += self._by_globals(i, self.last(i), change.length, per_step)
        w = np.zeros(self.n)
        if held is None:
            dy = linear.solve(-rhs[:, None])[:, 0]
        else:
            others = held.projection.by_time()[:, None] * change.length
            before = (U[m + 1] + change.gamma * y * D)[:, None]
            found = held.tangent(-rhs[:, None], U[m][:, None], before, others)
            dy, w = (z[:, 0] for z in found)
        result = np.zeros_like(values)
        result[0] = U[m] + dy
        result[1] = U[m + 1] + (change.gamma * y + stage.gamma * dy - w) * D
        result[2] = (change.beta * y + stage.beta * dy - by_ratio * taken - ratio * w) * D
        ends = change.ends @ np.array([q * D, v * D, a * D]) + stage.ends @ (result[:3] * D)
        result[self.vectors.own] = U[:m] + ends
        return result

    def _fitted(self, i: int, change: StageMap) -> np.ndarray:
        """How the vectors at the start of a step change with its length, or with that of the step
        before, because velocities are fitted to it: ``left`` = (h / h_old)^2 of what they have too
        much stays (``StepEngine.fit_velocities``); vectors x unknowns."""
        step, result = self.steps[i], np.zeros((self.vectors.count, self.n))
        if 0 < step.left < 4 and (fit := self.before(i)) is not None:
            by = 1 / step.h if change.length else -1 / (step.h_old or np.inf)
            result[1] = result[self.vectors.rates] = 2 * step.left * by * fit.w
        return result

    # --- velocities put on their constraints ------------------------------------------------------
    def before(self, i: int) -> Projection | None:
        """What a step of another length took off the velocities at its start."""
        step = self.steps[i]
        if step.left == 1.0 or not self.state.problem.any_constraint:
            return None
        return Projection(self.linear.tangents, self.array(i), 1 - step.left, step.h)

    def after(self, i: int) -> Projection | None:
        """What was taken off them at its end."""
        step = self.steps[i]
        if not (step.agreed and self.state.problem.any_constraint):
            return None
        array = step.end if step.restart is None else step.restart.begin
        return Projection(self.linear.tangents, array, 1.0, step.h)

    # --- contacts ---------------------------------------------------------------------------------
    def followed(self, i: int) -> dict[Contact, Follows]:
        """What the speeds of the contacts that touch in a step follow from."""
        found = {}
        for each in self.contacts:
            for k, f in each.followed(self.steps[i]).items():
                found[each.place, k] = f
                if not f.known:
                    self.unknown.add(each.owners[k])
        return found

    def carries(self, i: int, contact: Contact) -> bool:
        """Whether the force of a contact knows of its approach speed at the end of a step."""
        j, k = contact
        return bool(
            self.steps[i].now[j][k, 0] > 0
            and self.steps[i].end[self.contacts[j].columns["active"][k]]
        )

    def destroy(self) -> None:
        """Free PETSc's objects."""
        self.linear.destroy()


def started(stepper: RecordingStepper) -> np.ndarray:
    """Values of the vectors at the start of a run, vectors x unknowns."""
    return at_start(stepper, Vectors(stepper.integrator))


def sweepable(problem: Problem) -> bool:
    """Whether steps can be taken by sweeps: not with condensed values, and not with cells that
    fill bodies, whose tangents are added up elsewhere."""
    return problem.condensed is None and problem.entries.filled is None

"""Whether a model is the one that a checkpoint was made of: a run does not go on with another.

The numbers of cells are in the state; those that a run changes (wear, turns, what ``assign`` sets)
do not count. Beside them a snapshot keeps the names of the items, the signatures of their forms,
and sums of their initial values, shapes and tables. What Python code does between steps
(``update``) is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..core.blocks import Block
from ..core.component import Component
from ..core.problem import Problem
from ..core.state import State
from ..errors import InputError

#: differences of numbers, by the largest of those of the same name in an item, that are round-off,
#: as of another number of ranks
ROUND_OFF = 1e-9
#: fingerprints of the problems that are in use
_known: WeakKeyDictionary[Problem, dict[str, np.ndarray]] = WeakKeyDictionary()


def fingerprint(state: State) -> dict[str, np.ndarray]:
    """What snapshots keep of a model, made once; the same on every rank, collective."""
    if state.problem not in _known:
        _known[state.problem] = _fingerprint(state)
    return _known[state.problem]


def _fingerprint(state: State) -> dict[str, np.ndarray]:
    problem = state.problem
    found = {"model.gravity": problem.gravity}
    for k, c in enumerate(state.components):
        found[f"model.items{k}"] = np.array(c.owners)
        found[f"model.formulas{k}"] = np.array(c.formulas)
        found[f"model.shapes{k}"] = _shapes(c)
        found[f"model.tables{k}"] = _tables(c)
    found["model.initial"] = np.array([_initial(b) for b in problem.blocks])
    return found


def check_same(state: State, stored: Mapping[str, Any]) -> None:
    """Compare a model with that of a snapshot; collective.

    Raises:
        InputError: an item that differs.
    """
    mine = next(_differences(state, stored), "")
    differs = next(filter(None, state.comm.allgather(mine)), "")
    if differs:
        raise InputError(
            f"the checkpoint belongs to another model than the one given: {differs}; give the "
            "model of the run, or start a run of its own from where it ended "
            "(initial=results.last)."
        )


def _differences(state: State, stored: Mapping[str, Any]) -> Iterator[str]:
    """Clauses on what differs; numbers of cells, which each rank compares its own of, come last:
    some also follow from gravity and the initial values."""
    components, labels = state.components, [c.kind.label for c in state.components]
    now = fingerprint(state)
    if list(stored["kinds"]) != labels or len(stored["state.q"]) != state.size:
        yield _other_items(now, stored, labels)
    if "model.gravity" in stored:  # not of an earlier version
        yield from _other_model(state, now, stored, labels)
    for k, c in enumerate(components):
        if stored[f"state.parameters{k}"].shape != (c.total, c.kind.width):
            yield f"{_some(c.owners)}: another number of parameters ({c.kind.label})"
    for k in range(len(components)):
        yield from _numbers(state, k, stored)


def _other_model(
    state: State, now: Mapping[str, Any], stored: Mapping[str, Any], labels: list[str]
) -> Iterator[str]:
    """Clauses on what differs between two fingerprints."""
    for k, c in enumerate(state.components):
        if list(stored[f"model.items{k}"]) != c.owners:
            yield _other_items(now, stored, labels)
        if str(stored[f"model.formulas{k}"]) != c.formulas:
            yield f"{_some(c.owners)}: other formulas ({c.kind.label})"
        for what in ("shape", "table"):
            key = f"model.{what}s{k}"
            for name, a, b in zip(c.owners, now[key], stored[key], strict=True):
                if _apart(a, b):
                    yield f"{name}: another {what}"
    if _apart(now["model.gravity"], stored["model.gravity"]):
        yield f"gravity is {now['model.gravity']}, in the run {stored['model.gravity']} m/s^2"
    blocks, initial = state.problem.blocks, (now["model.initial"], stored["model.initial"])
    if len(initial[0]) != len(initial[1]):
        yield _other_items(now, stored, labels)
    for block, a, b in zip(blocks, *initial, strict=True):
        if _apart(a, b):
            yield f"{block.owner}: other initial values"


def _numbers(state: State, k: int, stored: Mapping[str, Any]) -> Iterator[str]:
    """Of a component the numbers of this rank's cells that no run has changed, and that differ."""
    c, width = state.components[k], state.components[k].kind.width
    then = np.array(stored[f"state.parameters{k}"])
    counts = np.ones(then.size, bool)
    counts[stored[f"changed{k}"]] = False
    then, counts = then[c.original], counts.reshape(then.shape)[c.original]
    at = state.problem.offsets[k]
    now = state.problem.start[at : at + c.count * width].reshape(c.count, width)
    for name in c.kind.cell_layout:
        columns = c.kind.columns(name)
        a, b = now[:, columns], np.where(counts, then, now)[:, columns]
        for n, owner in enumerate(c.owners if np.any(a != b) else ()):
            mine = c.owner == n
            if _apart(a[mine], b[mine]):
                cell, j = np.unravel_index(np.abs(a[mine] - b[mine]).argmax(), a[mine].shape)
                x, y = a[mine][cell, j], b[mine][cell, j]
                yield f"{owner}: {name.rpartition('.')[2]} is {x:.6g}, in the run {y:.6g}"


def _other_items(now: Mapping[str, Any], stored: Mapping[str, Any], labels: list[str]) -> str:
    """A clause on items that only one of two models has, or of another kind."""
    before = _kinds(stored, [str(label) for label in stored["kinds"]])
    after = _kinds(now, labels)
    for name in dict.fromkeys([*after, *before]) if before else ():
        then, present = before.get(name), after.get(name)
        if then is None or present is None:
            return f"{name} is in {'it' if then is None else 'the run'} only"
        if then != present:
            return f"{name} is {_some(present)}, in the run {_some(then)}"
    return "other items, or other numbers of cells"


def _kinds(stored: Mapping[str, Any], labels: list[str]) -> dict[str, list[str]]:
    """Labels of the kinds of each item of a model."""
    found: dict[str, list[str]] = {}
    for k, label in enumerate(labels):
        for name in stored.get(f"model.items{k}", ()):
            found.setdefault(str(name), []).append(label)
    return found


def _some(names: list[str]) -> str:
    """The first names of a list."""
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def _apart(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether numbers differ by more than round-off."""
    if a.shape != b.shape:
        return True
    off = np.abs(a - b).max(initial=0.0)
    return bool(off > ROUND_OFF * max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0)))


def _sums(values: Any) -> np.ndarray:
    """Numbers by which arrays are told apart, (2,)."""
    x = np.asarray(values, float).ravel()
    return np.array([x @ np.sin(1.0 + np.arange(x.size)), np.abs(x).sum()])


def _initial(b: Block) -> np.ndarray:
    """Of initial values and rates, (4,); zero where no rank holds them all."""
    return np.zeros(4) if b.spread else np.concatenate([_sums(b.values), _sums(b.rates)])


def _shapes(c: Component) -> np.ndarray:
    """Of the nodes of each item's cells, items x 2; zero where no rank holds them all."""
    found = {name: np.zeros(2) for name in c.owners}
    for group in c.groups:
        if group.original is None and group.geometry is not None:
            nodes = group.geometry
            found[group.owner] += _sums(nodes[0] if isinstance(nodes, tuple) else nodes)
    return np.reshape([*found.values()], (-1, 2))


def _tables(c: Component) -> np.ndarray:
    """Of the tables of each item's functions of time, items x 2; collective."""
    mine = {int(c.owner[cell]): _sums(pieces) for cell, pieces in c.followed.items()}
    found = np.zeros((len(c.owners), 2))
    for each in c.comm.allgather(mine):
        for n, sums in each.items():
            found[n] = sums
    return found

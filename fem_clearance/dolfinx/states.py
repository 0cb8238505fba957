"""States in files, written and read on any numbers of ranks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from .._backend import MPI
from ..core.initial import SystemState
from ..core.state import State
from ..errors import InputError
from ..io.files import reading, replacing
from ..io.ranks import on_root

#: version of the file's format; others are refused
FORMAT = 1


def save(path: str | Path, state: Any, *, comm: Any = None) -> None:
    """Write the state of a system to one file (NumPy's ``.npz``); collective.

    Args:
        path: of the file; one that is there is replaced.
        state: results of a run, their ``last``, a ``Stepper`` or ``system.state``.
        comm: whose rank 0 writes; default: all ranks of the program.

    Raises:
        InputError: something that is no state.
    """
    kept = getattr(state, "last", state)
    if callable(kept):  # of a stepper
        kept = kept()
    if isinstance(kept, State):
        kept = SystemState.of(kept, float(kept.globals[0]))
    if not isinstance(kept, SystemState):
        raise InputError(
            f"save: a state is needed, such as results or system.state, got {state!r}."
        )
    on_root(MPI.COMM_WORLD if comm is None else comm, _write, Path(path), kept)


def load(path: str | Path, *, comm: Any = None) -> SystemState:
    """A state that ``save`` has written, on any number of ranks; collective.

    Example:
        >>> Simulation(system, t_end=2.0, initial=load("half.npz")).run()

    Args:
        path: of the file.
        comm: whose rank 0 reads; default: all ranks of the program.

    Raises:
        InputError: no such file, one that is damaged or of another format. Whether it fits a
            system turns out where a run begins with it.
    """
    return on_root(MPI.COMM_WORLD if comm is None else comm, _read, Path(path))


def _write(path: Path, state: SystemState) -> None:
    about = {"format": FORMAT, "time": state.time, "begin": state.begin, "kinds": state.kinds}
    arrays: dict[str, Any] = {"about": np.array(json.dumps(about)), "q": state.q, "v": state.v}
    for k, (places, values) in enumerate(state.changed):
        arrays |= {f"places{k}": places, f"values{k}": values}
    with replacing(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, **arrays)


def _read(path: Path) -> SystemState:
    with reading(path, "save the state anew"):
        with np.load(path, allow_pickle=False) as file:
            stored = {name: file[name] for name in file.files}
        about = json.loads(str(stored["about"]))
        if about["format"] != FORMAT:
            raise InputError(
                f"{path} has format {about['format']}, this version reads {FORMAT}; read it with "
                "the version that wrote it."
            )
        changed = tuple(
            (stored[f"places{k}"], stored[f"values{k}"]) for k in range(len(about["kinds"]))
        )
        return SystemState(
            float(about["time"]), float(about["begin"]), stored["q"], stored["v"],
            tuple(about["kinds"]), changed,
        )  # fmt: skip

"""Checkpoints: everything needed to resume a run, in one file that is replaced atomically."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from .files import reading, replacing

#: version of the file's format; others are refused
FORMAT = 5
NAME = "state.npz"
REMEDY = "the run cannot go on from it, start it anew"


def write(folder: Path, state: dict[str, Any], about: dict[str, Any]) -> None:
    """Save a state; the previous checkpoint stays until this one is complete.

    Args:
        folder: the run's ``checkpoint`` folder.
        state: arrays and scalars by name, as of ``Stepper.snapshot``.
        about: further data of the run, as JSON: rows, counters, versions.
    """
    folder.mkdir(exist_ok=True)
    with replacing(folder / NAME, sync=True) as temporary, open(temporary, "wb") as file:
        np.savez(file, __about__=json.dumps({"format": FORMAT, **about}), **state)


def read(folder: Path) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """State and ``about`` of the last checkpoint, or ``None`` if there is none.

    Raises:
        InputError: a file that is damaged or of another format.
    """
    path = folder / NAME
    if not path.exists():
        return None
    with reading(path, REMEDY):
        with np.load(path, allow_pickle=False) as file:
            state = {k: file[k][()] for k in file.files}
        about = json.loads(str(state.pop("__about__")))
        if about["format"] != FORMAT:
            raise InputError(
                f"{path} has format {about['format']}, this version reads {FORMAT}; "
                "resume with the version that wrote it."
            )
    return state, about

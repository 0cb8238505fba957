"""Links in a run's folder, through which a command would write somewhere else."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from .folder import OURS


def refuse(*paths: Path) -> None:
    """Refuse links where files are written into a run's folder.

    Raises:
        InputError: one of the paths, or what lies in one of them, is a link.
    """
    for path in paths:
        for one in (path, *path.glob("*")):
            if one.is_symlink():
                raise InputError(
                    f"{one} is a link, perhaps out of the run's folder: nothing is written "
                    "through links, remove it."
                )


def refuse_in(run: Path) -> None:
    """Refuse links among all that a run writes."""
    refuse(*(run / name for name in OURS))

"""What figures read of a run: a table of columns, and the folder that holds its fields."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from ..core.observation import Channel


class Columns(Protocol):
    """Columns of numbers with units over time, or over what else the rows go by."""

    @property
    def axis(self) -> Channel:
        """What the rows go by."""

    @property
    def time(self) -> np.ndarray:
        """Its values, s if it is the time."""

    @property
    def names(self) -> list[str]:
        """Names of the columns, without that of ``axis``."""

    def unit(self, name: str) -> str:
        """Unit of a column."""

    def __getitem__(self, name: str, /) -> np.ndarray:
        """Values of a column."""


class Saved(Protocol):
    """Results of a run that may lie in a folder, with its fields."""

    @property
    def folder(self) -> Path | None:
        """The folder; ``None`` of results in memory."""

"""Where the states of a run are kept: in memory, or in a file that memory is a view of."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from ..errors import InputError

#: numbers for which memory is asked for at once; where none is written, it is not used
ROOM = 4e6


class Storage:
    """Room for arrays that stay as long as they are used.

    Args:
        folder: of temporary files, which the operating system writes to when memory is short, and
            which go when the arrays do; ``None``: memory alone.

    Raises:
        InputError: there is no such folder.
    """

    def __init__(self, folder: str | Path | None = None):
        self._folder = None if folder is None else Path(folder)
        self._free = np.zeros(0)
        if self._folder is not None and not self._folder.is_dir():
            raise InputError(
                f"folder: there is no folder {str(folder)!r} for the states of the run; create it."
            )

    def take(self, count: int) -> np.ndarray:
        """Zeros, (count,)."""
        if count > len(self._free):
            self._free = self._made(max(count, int(ROOM)))
        taken, self._free = self._free[:count], self._free[count:]
        return taken

    def copy(self, array: np.ndarray) -> np.ndarray:
        """A copy that stays."""
        kept = self.take(array.size).reshape(array.shape)
        kept[:] = array
        return kept

    def _made(self, count: int) -> np.ndarray:
        if self._folder is None:
            return np.zeros(count)
        with TemporaryFile(dir=self._folder) as file:
            return np.asarray(np.memmap(file, float, "w+", shape=(count,)))

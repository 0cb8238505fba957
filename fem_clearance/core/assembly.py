"""Assembly of a rank's cells: their tangents are added where they lie in a matrix.

PETSc's own assembly of such entries takes them from an array of their own, already scaled; here
they are added as the kernels leave them, and the sums are scaled.
"""

from __future__ import annotations

import numpy as np


class Places:
    """Places of tangents' entries in the matrix of a rank's cells. On one rank this is the matrix
    of the problem, see ``Problem.matrix``.

    Args:
        rows, cols: local numbers behind the entries that the matrix holds.
        which: which of the cells' entries these are; ``None``: all in turn.
        local: unknowns; entries of fixed values are left out.

    Attributes:
        first, columns: pattern of the matrix by rows.
        which: as above, without those left out; ``None`` if none are.
        place: of each of them in the matrix.
        diagonal: places of the diagonal.
    """

    def __init__(self, rows: np.ndarray, cols: np.ndarray, which: np.ndarray | None, local: int):
        free = (rows < local) & (cols < local)
        diagonal = np.arange(local, dtype=np.int64) * (local + 1)
        key = rows[free].astype(np.int64) * local + cols[free]
        held, place = np.unique(np.concatenate([key, diagonal]), return_inverse=True)
        self.place, self.diagonal = np.split(place.astype(np.int32), [len(key)])
        self.first = np.searchsorted(held, np.arange(local + 1) * np.int64(local)).astype(np.int32)
        self.columns = (held % max(local, 1)).astype(np.int32)
        if not free.all():
            which = (np.arange(len(rows)) if which is None else which)[free]
        self.which = None if which is None else which.astype(np.int32)

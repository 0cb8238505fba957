"""Derivatives of ``UpdatesParameters.update`` of a kind that treats each cell by itself, by central
differences, taken for all cells at once.

Numbers are changed one after the other, but for those of profiles: an entry of a profile acts on
the entries at the same place, and few act on anything else, as where surfaces touch. Many entries,
no two of them neighbours, are therefore changed together; where anything else answers, they are
halved, down to single ones. What acts on other entries is taken to act on neighbours, too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix

from ..core.mixins import ForeseeableChange, UpdatesParameters

#: relative change of a number in central differences, so that no sign changes
CHANGE = 1e-6
#: part of the entries of a profile up to which those that acted on others are remembered
MOST = 0.25


class UpdateSlopes:
    """Derivatives of ``update`` with respect to numbers and observables.

    Args:
        kind: whose ``update`` it is.
        columns: indices of a cell's numbers that change at the start of the run or during it.
        sizes: largest magnitudes of the numbers of a cell in the run, (width,).
        rows: numbers of the cells, which are overwritten, cells x width.
    """

    def __init__(
        self, kind: UpdatesParameters, columns: np.ndarray, sizes: np.ndarray, rows: np.ndarray
    ):
        self._kind, self._columns, self._rows = kind, columns, rows
        self._sizes = sizes.copy()
        place = np.full(kind.width, -1)
        self._profiles = [kind.columns(name) for name in kind.profiles]
        for profile in self._profiles:
            place[profile] = np.arange(profile.stop - profile.start)
            self._sizes[profile] = self._sizes[profile].max(initial=0.0)
        #: where in a profile each of ``columns`` is; -1: in none
        self._place = place[columns]
        #: which of them acted on anything else the last time
        self._acting = np.zeros(len(columns), bool)

    def by_observable(self, rows: np.ndarray, seen: dict[str, np.ndarray], name: str) -> np.ndarray:
        """With respect to an observable of each cell, cells x columns."""
        d = self._change(seen[name], 0.0)

        def at(side: float) -> np.ndarray:
            self._rows[:] = rows
            return self._updated({**seen, name: seen[name] + side * d})

        return self._slope(rows, at, d)

    def by_number(
        self, rows: np.ndarray, seen: dict[str, np.ndarray], column: int | np.ndarray
    ) -> np.ndarray:
        """With respect to one number of each cell, or to several that are changed together; cells x
        columns."""
        if isinstance(column, int):
            d = self._change(rows[:, column], self._sizes[column])
        else:
            d = self._change(np.zeros(len(rows)), self._sizes[column[0]])

        def at(side: float) -> np.ndarray:
            self._rows[:] = rows
            self._rows[:, column] += side * (d if isinstance(column, int) else d[:, None])
            return self._updated(seen)

        return self._slope(rows, at, d)

    def by_own(self, rows: np.ndarray, seen: dict[str, np.ndarray]) -> csr_matrix:
        """With respect to the numbers that change themselves, (cells * columns) squared."""
        cells, count = len(rows), len(self._columns)
        found: list[tuple[np.ndarray, ...]] = []

        def keep(slope: np.ndarray, to: np.ndarray) -> None:
            """Note derivatives with respect to the numbers ``to``, one for each column."""
            cell, row = np.nonzero(slope)
            at = count * cell
            found.append((slope[cell, row], at + row, at + to[row]))

        for k in np.flatnonzero(self._place < 0):
            slope = self.by_number(rows, seen, int(self._columns[k]))
            keep(slope, np.full(count, k))
        for profile in self._profiles:
            mine = (self._columns >= profile.start) & (self._columns < profile.stop)
            own = np.flatnonzero(mine)
            at = np.zeros(profile.stop - profile.start, int)
            at[self._place[own]] = own
            rest, acting = own[~self._acting[own]], own[self._acting[own]]
            groups = [rest[self._place[rest] % 2 == side] for side in (0, 1)]
            groups += [acting[k : k + 1] for k in range(len(acting))]
            while groups:
                some = groups.pop()
                if not len(some):
                    continue
                slope = self.by_number(rows, seen, self._columns[some])
                alike = np.isin(self._place, self._place[some])
                acts = bool(slope[:, ~alike].any())
                if len(some) == 1:
                    keep(slope, np.full(count, some[0]))
                    self._acting[some] = acts
                elif acts:
                    groups += np.array_split(some, 2)
                else:
                    keep(slope, at[np.where(alike, self._place, 0)])
            if self._acting[own].sum() > MOST * len(own):  # all of them, as at the end of a period
                self._acting[own] = False
        values, to, of = (np.concatenate(z) for z in zip(*found, strict=True))
        return csr_matrix((values, (to, of)), (cells * count, cells * count))

    @staticmethod
    def _change(value: np.ndarray, largest: float) -> np.ndarray:
        """By how much a number is changed, (cells,): a power of 2, so that the derivative of a
        number that is copied is exactly 1."""
        size = np.abs(value)
        typical = max(size.max(initial=0.0), largest) or 1.0
        return 2.0 ** np.round(np.log2(CHANGE * np.where(size > 0, size, typical)))

    def _updated(self, seen: dict[str, np.ndarray]) -> np.ndarray:
        """What ``update`` makes of the present rows."""
        self._kind.update(self._rows, {n: z.copy() for n, z in seen.items()})
        return self._rows[:, self._columns].copy()

    def _slope(
        self, rows: np.ndarray, at: Callable[[float], np.ndarray], d: np.ndarray
    ) -> np.ndarray:
        high, low, kind, d = at(1.0), at(-1.0), self._kind, d[:, None]
        slope = (high - low) / (2 * d)
        if isinstance(kind, ForeseeableChange):
            # steps end where it changes the law, at a jump of which only the present side counts
            now = at(0.0)
            sides = np.array([high - now, now - low]) / d
            sizes = np.abs(sides)
            jumps = np.abs(sides[0] - sides[1]) > sizes.max(axis=0) / 2
            slope = np.where(jumps, np.where(sizes[0] < sizes[1], *sides), slope)
        for largest, of in kind.largest_of.items():  # of equal entries the first
            one = np.argmax(kind.column(rows, of), axis=1) + kind.columns(of).start
            from_, to = (
                np.searchsorted(self._columns, z) for z in (one, kind.columns(largest).start)
            )
            slope[:, to] = slope[np.arange(len(slope)), from_]
        return slope

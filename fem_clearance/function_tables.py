"""Tables as functions of time: a cubic spline through their points.

A form contains one cubic in time; the compiled loop finds the interval, and with it the
coefficients, at every evaluation (``Component.follow``). Tables of any length thus compile once.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import ufl
from numpy.typing import ArrayLike

from . import checks
from .errors import InputError

#: most points of a table within a user's function, where each takes 0.3 s to compile
MOST = 100
#: deviation of a table from straight lines between its ``stops``, relative to its range
STRAIGHT = 0.05


class Table:
    """The cubic spline through points ``(times, values)``: twice continuously differentiable.

    All tables share what is compiled, whatever their length.

    Args:
        times: s, increasing, at least 4.
        values: at these times.
        rates: time derivatives at the first and the last point; ``None`` for one of them leaves it
            to the spline (no jump in its third derivative one point from the end).
        name: for messages.

    Attributes:
        span: first and last time; a run that leaves them is refused.
        pieces: start of each interval and coefficients of its cubic, the lowest power first,
            (points - 1, 5).
        stops: times that adaptive steps do not pass over: between them the values and their second
            derivative deviate from their chords by less than a twentieth of their range.

    Raises:
        InputError: points that are too few, not finite or not in order; a spline that overshoots
            the points at an end, see ``check_ends``.
    """

    def __init__(
        self, times: ArrayLike, values: ArrayLike,
        rates: tuple[float | None, float | None] = (None, None),
        name: str = "the table",
    ):  # fmt: skip
        from scipy.interpolate import CubicSpline  # half a second, seldom needed

        self.name = name
        t, y = (_column(name, what, x) for what, x in (("times", times), ("values", values)))
        if len(t) != len(y):
            raise InputError(f"{name} has {len(t)} times and {len(y)} values.")
        if len(t) < 4:
            raise InputError(f"{name} must have at least 4 points, got {len(t)}.")
        if (k := int(np.argmin(np.diff(t)))) >= 0 and t[k + 1] <= t[k]:
            raise InputError(
                f"{name}: times must increase, but {t[k + 1]:g} s follows {t[k]:g} s (point "
                f"{k + 2})."
            )
        ends: Any = [
            "not-a-knot" if r is None else (1, checks.number(f"{name}: rates", r)) for r in rates
        ]
        spline = CubicSpline(t, y, bc_type=tuple(ends))
        self.times, self.values, self.span = t, y, (float(t[0]), float(t[-1]))
        self._spline = spline
        self.pieces = np.ascontiguousarray(np.column_stack([t[:-1], *spline.c[::-1]]))
        noise = 1e-13 * float(np.abs(y).max()) / float(np.diff(t).min()) ** 2
        self.stops = t[_bends(t, (y, 0.0), (spline(t, 2), noise))]
        self.check_ends()

    def at(self, t: float, order: int = 0) -> float:
        """Value, or time derivative of an order, at a time."""
        return float(self._spline(t, order))

    @classmethod
    def read(
        cls, path: str | Path, time: str | int = 0, value: str | int = 1, *, every: int = 1,
        scale: float = 1.0,
        rates: tuple[float | None, float | None] = (None, None),
    ) -> Table:  # fmt: skip
        """The table in a CSV file.

        Args:
            path: the file, its values separated by commas, semicolons or tabs; a header is
                optional.
            time, value: columns, by their names in the header or counted from 0.
            every: use each row of this multiple, and the last one.
            scale: values are multiplied by it, ``1e-3`` for mm.
            rates: see ``Table``.

        Raises:
            InputError: a file that cannot be read, a missing column, a value that is not a number.
        """
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise InputError(f"{path} cannot be read: {why}.") from None
        lines = [z for z in text.splitlines() if z.strip() and not z.startswith("#")]
        mark = next((m for m in ";\t" if lines and m in lines[0]), ",")
        rows = [[x.strip() for x in row] for row in csv.reader(lines, delimiter=mark)]
        header: list[str] = []
        if rows and not checks.is_number(rows[0][0]):
            header = rows.pop(0)
        columns = [_index(path, header, len(rows[0]) if rows else 0, c) for c in (time, value)]
        points = []
        for k, row in enumerate(rows, 2 if header else 1):
            try:
                points.append([float(row[c]) for c in columns])
            except (ValueError, IndexError):
                raise InputError(f"{path}, line {k} of its data: no numbers in {row!r}.") from None
        every = checks.count(f"{path}: every", every)
        kept = points[::every] + ([] if (len(points) - 1) % every == 0 else points[-1:])
        t, y = np.array(kept).reshape(-1, 2).T
        return cls(t, scale * y, rates, name=str(path))

    def check_ends(self) -> None:
        """Refuse a spline that overshoots the points in the first or last interval.

        Raises:
            InputError: it leaves the range of the values there by more than a tenth of the range.
        """
        low, high = self.values.min(), self.values.max()
        for which, (a, b) in (("first", self.times[:2]), ("last", self.times[-2:])):
            inside = self._spline(np.linspace(a, b, 33))
            out = max(low - inside.min(), inside.max() - high)
            if out > 0.1 * (high - low) and out > 1e-12 * max(abs(low), abs(high)):
                raise InputError(
                    f"{self.name}: between its {which} two points the spline leaves the range of "
                    f"the values by {out:.3g}; give more points there, or the rate at that end "
                    "(rates=)."
                )

    @property
    def numbers(self) -> tuple[float, ...]:
        """Numbers of ``expression``, for a user's function that contains a table.

        Raises:
            InputError: more than 100 points, all of which would have to be compiled.
        """
        if len(self.times) > MOST:
            raise InputError(
                f"{self.name} has {len(self.times)} points: as a part of another function it may "
                f"have {MOST}. Make a table of the whole function."
            )
        return tuple(map(float, np.concatenate([self.times[1:-1], self.pieces.T.ravel()])))

    def expression(self, t, p):
        n = len(self.times) - 1
        inner, rest = [p[k] for k in range(n - 1)], n - 1
        start, *c = (_chosen(t, inner, [p[rest + m * n + k] for k in range(n)]) for m in range(5))
        return cubic(t, [start, *c])

    def __repr__(self):
        return f"Table({len(self.times)} points, {self.span[0]:g} to {self.span[1]:g} s)"


def cubic(t, piece):
    """The cubic of one of ``Table.pieces`` at a time."""
    x = t - piece[0]
    return piece[1] + x * (piece[2] + x * (piece[3] + x * piece[4]))


def _bends(t: np.ndarray, *columns: tuple[np.ndarray, float]) -> list[int]:
    """Indices of points such that straight lines between them deviate from the others by at most
    ``STRAIGHT``, in every column (values and their round-off); each is the last one that can be
    reached from the one before."""
    x, found, wide = t.tolist(), [0], (-np.inf, np.inf)
    lines = [(y.tolist(), max(STRAIGHT * float(np.ptp(y)), noise)) for y, noise in columns]
    slopes = [wide] * len(lines)
    for k in range(1, len(x)):
        start, run = found[-1], x[k] - x[found[-1]]
        allowed = zip(lines, slopes, strict=True)
        if any(not a <= (y[k] - y[start]) / run <= b for (y, _), (a, b) in allowed):
            found.append(start := k - 1)
            run, slopes = x[k] - x[start], [wide] * len(lines)
        slopes = [
            (max(a, (y[k] - near - y[start]) / run), min(b, (y[k] + near - y[start]) / run))
            for (y, near), (a, b) in zip(lines, slopes, strict=True)
        ]
    return found[1:]


def _chosen(t, bounds, values):
    """The one of n values that belongs to the interval of ``t``, by the n - 1 inner bounds: a tree
    of conditions."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return ufl.conditional(
        ufl.lt(t, bounds[half - 1]),
        _chosen(t, bounds[: half - 1], values[:half]),
        _chosen(t, bounds[half:], values[half:]),
    )


def _column(name: str, what: str, values) -> np.ndarray:
    try:
        result = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name}: {what} must be numbers, got {checks.shown(values)}.") from None
    if result.ndim != 1:
        raise InputError(f"{name}: {what} must be a list of numbers, one a point.")
    if not np.isfinite(result).all():
        k = int(np.argmin(np.isfinite(result)))
        raise InputError(f"{name}: {what} must be finite, point {k + 1} is {result[k]}.")
    return result


def _index(path: Path, header: list[str], width: int, column: str | int) -> int:
    if isinstance(column, str):
        if column not in header:
            known = checks.some(header) or "no header"
            raise InputError(f"{path} has no column {column!r}; it has {known}.")
        return header.index(column)
    if not 0 <= column < max(width, len(header)):
        raise InputError(f"{path} has no column {column}: it has {max(width, len(header))}.")
    return column

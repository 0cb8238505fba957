"""Step size control: decides on the next step from an error, knows no mechanics."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Controller:
    """Chooses steps so that the error of each stays near (and below) one.

    Args:
        h: step to begin with, s.
        smallest, largest: limits of a step, s.
        order: the error of a step grows as h**order.

    Steps keep their size while the error allows: a changed step costs a new tangent.
    """

    h: float
    smallest: float
    largest: float
    order: int = 3
    safety: float = 0.8
    grow: float = 2.0
    shrink: float = 0.1
    #: the step grows only when it may grow by this much
    worthwhile: float = 1.3
    rejected: int = field(default=0, init=False)

    def factor(self, error: float) -> float:
        """Change of the step that would bring the error to ``safety**order``."""
        if not error > 0:
            return self.grow
        return min(self.grow, max(self.shrink, self.safety * error ** (-1 / self.order)))

    def accept(self, error: float, h: float) -> bool:
        """Judge a step of size ``h``; sets the size of the next (or repeated) one.

        A step at the smallest size is accepted whatever its error: smaller ones resolve nothing.
        """
        if error <= 1 or h <= self.smallest * (1 + 1e-12):
            factor = self.factor(error)
            if (factor >= self.worthwhile and h >= self.h * (1 - 1e-12)) or factor < 1:
                self._set(max(self.h, h) * factor if factor > 1 else h * factor)
            return True
        self.rejected += 1
        self._set(h * min(self.factor(error), 0.9))
        return False

    def cut(self, h: float, by: float = 0.25) -> bool:
        """After a step without solution; ``False`` when it was the smallest already."""
        if h <= self.smallest * (1 + 1e-12):
            return False
        self.rejected += 1
        self._set(h * by)
        return True

    def _set(self, h: float):
        self.h = min(self.largest, max(self.smallest, h))

    def next(self, left: float) -> float:
        """The next step when ``left`` seconds remain to a time that must be hit exactly."""
        if left <= self.h * (1 + 1e-9):
            return left
        return left / 2 if left < 2 * self.h else self.h

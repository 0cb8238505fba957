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
    """

    h: float
    smallest: float
    largest: float
    order: int = 3
    safety: float = 0.8
    grow: float = 2.0
    shrink: float = 0.1
    #: an accepted step changes only by more than this: a changed step costs a new tangent
    worthwhile: float = 1.5
    urgent: float = 0.9
    rejected: int = field(default=0, init=False)
    cautious: bool = field(default=False, init=False)

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
            whole = h >= self.h * (1 - 1e-12)  # not shortened to hit a time
            if factor < self.urgent or (factor >= self.worthwhile and whole and not self.cautious):
                self._set(h * factor)
            self.cautious = False
            return True
        self._reject(h * min(self.factor(error), 0.9))
        return False

    def cut(self, h: float, by: float = 0.25) -> bool:
        """After a step without solution; ``False`` when it was the smallest already."""
        if h <= self.smallest * (1 + 1e-12):
            return False
        self._reject(h * by)
        return True

    def _reject(self, h: float):
        self.rejected += 1
        self.cautious = True  # the step after a rejected one does not grow
        self._set(h)

    def _set(self, h: float):
        self.h = min(self.largest, max(self.smallest, h))

    def next(self, left: float) -> float:
        """The next step when ``left`` seconds remain to a time that must be hit exactly."""
        if left <= self.h * (1 + 1e-9):
            return left
        return left / 2 if left < 2 * self.h else self.h

"""Errors that users meet: each names the object concerned and the remedy."""

from dataclasses import dataclass


class InputError(ValueError):
    """Input that cannot be simulated. Raised before any long work; the shell exits with code 2."""


class StepFailed(RuntimeError):
    """A time step did not converge at the smallest step allowed. Results so far are kept."""


@dataclass(frozen=True)
class NoSolution:
    """Why a time step has no solution; not yet an error, since a shorter step may have one.

    Args:
        reason: a clause without a full stop, for a sentence of its own.
    """

    reason: str

    def __post_init__(self):
        if not self.reason:
            raise ValueError("a step that has no solution must say why")


class EnergyGrowth(StepFailed):
    """The energy grows without a source: the steps are too long. Results so far are kept."""


class LimitReached(RuntimeError):
    """A run has reached its limit of wall time or steps. Results so far are kept, and ``resume``
    continues it."""


class Interrupted(KeyboardInterrupt):
    """A signal has ended a run after a step. Results so far are kept, and ``resume`` continues
    it."""


class CompilationFailed(RuntimeError):
    """The C compiler refuses code that was generated: an error of the program, or of a user's form,
    but not of the numbers of a model."""


class SingularSystem(RuntimeError):
    """The linear solver met a zero pivot."""

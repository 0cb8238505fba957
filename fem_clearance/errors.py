"""Errors that a user meets: each names the thing and says what to do."""


class InputError(ValueError):
    """Input that cannot be simulated. Raised before any long work; the shell exits with code 2."""


class StepFailed(RuntimeError):
    """A time step did not converge at the smallest step allowed. Results so far are kept."""


class EnergyGrowth(StepFailed):
    """Energy appears that nothing feeds: the steps are too long. Results so far are kept."""


class SingularSystem(RuntimeError):
    """The linear solver met a zero pivot."""

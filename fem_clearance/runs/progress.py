"""Progress bars, on a terminal and in a notebook."""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

from .._backend import MPI
from ..timestepping.stepper import Stepper

logger = logging.getLogger(__name__)

#: time after which the duration of a count is known, and from which on it is worth a sentence, s
DELAY, LONG = 2.0, 20.0


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in shell.config


def shown() -> bool:
    """Whether progress is shown."""
    return sys.stderr.isatty() or in_notebook()


def bar() -> Any:
    """The class of progress bars: a widget if the notebook supports it, else text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that ipywidgets are not installed
        from tqdm.auto import tqdm
    return tqdm


class StepBar:
    """A bar that counts steps, if it takes more than a few seconds, on the first rank; where no bar
    is shown, a sentence if it will take long.

    Args:
        total: number of steps.
        what: is computed.
        slow: how many of the steps are not compiled.
    """

    def __init__(self, total: int, what: str, slow: Callable[[], int]):
        self.total, self.what, self.slow = total, what, slow
        first = MPI.COMM_WORLD.rank == 0
        self.bar, self.done, self.silent = None, 0, shown() or not first
        self.begin = time.monotonic()
        if shown() and first:
            self.bar = bar()(total=total, desc=what, unit="step", leave=False, delay=DELAY)

    def update(self, count: int) -> None:
        """So many more are done."""
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
        if self.silent or not self.done or (past := time.monotonic() - self.begin) < DELAY:
            return
        self.silent, takes = True, past * self.total / self.done
        if takes > LONG:
            logger.warning(
                "%s of %d steps, %d of them in Python: about %.0f s.",
                self.what, self.total, self.slow(), takes,
            )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()


class TimeBar:
    """Progress over simulated time, on a terminal or in a notebook.

    Args:
        stepper: of the run.
        wanted: whether this process shows it.
    """

    def __init__(self, stepper: Stepper, wanted: bool):
        self.stepper, self.bar, self.next = stepper, None, 0.0
        if wanted and shown():
            layout = "{percentage:3.0f} %|{bar}| t = {n:.4g}/{total:.4g} s{postfix} "
            layout += "[{elapsed}<{remaining}]"
            self.bar = bar()(
                total=stepper.t_end, initial=stepper.t, bar_format=layout, dynamic_ncols=True
            )

    def show(self) -> None:
        """Show the present time, at most ten times a second."""
        if self.bar is not None and time.monotonic() > self.next:
            self.next = time.monotonic() + 0.1
            self.bar.set_postfix_str(f"{self.stepper.steps} steps", refresh=False)
            self.bar.update(self.stepper.t - self.bar.n)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.bar is not None:
            self.next = 0.0
            self.show()
            self.bar.close()

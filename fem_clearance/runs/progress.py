"""Progress bars, on a terminal and in a notebook."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

from .._backend import MPI
from ..timestepping.stepper import Stepper


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


def steps(total: int, what: str) -> Any:
    """A bar that counts steps, if it takes more than a few seconds, on the first rank."""
    hidden = not shown() or MPI.COMM_WORLD.rank > 0
    return bar()(total=total, desc=what, unit="step", leave=False, delay=2.0, disable=hidden)


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

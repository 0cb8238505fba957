"""Progress bars, on a terminal and in a notebook."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from .._backend import MPI


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

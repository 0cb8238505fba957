"""Figures of a run's folder: those that its case defines, or one a group of channels."""

from __future__ import annotations

from pathlib import Path

from ..plotting import curves
from ..runs.results import Results
from .case_files import of_run


def draw(run: Path | str, trust: bool = False) -> list[Path]:
    """Write the figures of a run's folder into its ``figures``; returns the files.

    A case may define its own set; the others get one figure a group of channels. Energies belong
    to every set.

    Args:
        run: the folder.
        trust: run a user's Python file that the folder names as its case, for its figures.

    Raises:
        InputError: no run there; a folder of figures that is a link, or holds one.
    """
    run = Path(run)
    results = Results.open(run)
    curves.figures_of(run)  # refuses links before the case's own code runs
    case, changes = of_run(run, trust)
    own = None
    if case is not None and case.figures is not None:
        own = dict(case.figures(results, case.resolve(changes)))
    return curves.draw(run, results, own)

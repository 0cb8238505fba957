"""Figures of a run's folder: those that its case defines, one for each group of channels, or one of
named channels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import checks
from ..errors import InputError
from ..plotting import curves, style
from ..runs.results import Results
from .case_files import of_run

#: formats of figures
FORMATS = ("png", "svg", "pdf")


def draw(run: Path | str, trust: bool = False, formats: Sequence[str] = FORMATS[:1]) -> list[Path]:
    """Write the figures of a run's folder into its ``figures``; returns the files.

    A case may define its own set; other runs get one figure for each group of channels. Figures of
    the energies are always included.

    Args:
        run: the folder.
        trust: execute a user's Python file that the folder names as its case, for its figures.
        formats: extensions of the files.

    Raises:
        InputError: no run in the folder; a folder of figures that is or contains a symbolic link.
    """
    run = Path(run)
    results = Results.open(run)
    curves.figures_of(run)  # refuses links before the case's own code runs
    case, changes = of_run(run, trust)
    own = None
    if case is not None and case.figures is not None:
        own = dict(case.figures(results, case.resolve(changes)))
    return curves.draw(run, results, own, formats)


def draw_channels(
    run: Path | str,
    names: Sequence[str],
    against: str | None,
    window: tuple[float, float] | None,
    formats: Sequence[str],
) -> list[Path]:
    """Write one figure of channels into the ``figures`` of a run's folder; returns the files.

    Args:
        run: the folder.
        names: channels; none: a figure for each group of channels.
        against: channel on the horizontal axis; ``None``: the time.
        window: first and last time shown, s; ``None``: all.
        formats: extensions of the files.

    Raises:
        InputError: no run in the folder, an unknown channel; a folder of figures that is or
            contains a symbolic link.
    """
    results = Results.open(run)
    if names:
        title = "_".join(names) + (f"_against_{against}" if against else "")
        figure = curves.over_time(results, names, window, against)
        drawn = [(title if len(title) < 150 else f"{title[:140]}_{len(names)}_channels", figure)]
    else:
        drawn = list(curves.groups(results, window))
    target = curves.figures_of(Path(run))
    return [f for name, figure in drawn for f in style.save_as(figure, target / name, formats)]


def window(text: str) -> tuple[float, float]:
    """Two times ``0.02:0.05``, of which either may be omitted.

    Raises:
        InputError: another form.
    """
    try:
        first, last = text.split(":")
        found = float(first) if first else -float("inf"), float(last) if last else float("inf")
    except ValueError:
        raise InputError(f"--window takes two times in s, 0.02:0.05, not {text!r}.") from None
    if not found[0] < found[1]:
        raise InputError(f"--window {text} ends before it begins.")
    return found


def formats(text: str) -> list[str]:
    """Formats ``svg,pdf``.

    Raises:
        InputError: an unknown one.
    """
    found = [ending.strip().removeprefix(".") for ending in text.split(",")]
    for ending in found:
        if ending not in FORMATS:
            raise InputError(
                f"--format {ending!r}{checks.suggestion(ending, FORMATS)}: the formats are "
                f"{', '.join(FORMATS)}."
            )
    return found

"""A sweep on one page: an HTML file with its figure, its table and why runs stopped."""

from __future__ import annotations

import base64
from pathlib import Path

from ..runs.sweep_results import SweepResults, draw, table_html
from . import page


def write(path: Path, target: Path) -> None:
    """Write the page of the sweep in a folder; its figure is drawn anew.

    Raises:
        InputError: no sweep there, a file that cannot be written.
    """
    table = SweepResults.open(path)
    drawn = draw(path)
    figure = "<p>No run has numbers to draw.</p>"
    if drawn is not None:
        data = base64.b64encode(drawn.read_bytes()).decode()
        figure = f'<img src="data:image/png;base64,{data}" alt="key numbers">'
    stopped = [
        f"{name}: {why}"
        for name, why in zip(table.folders, table.get("stopped", ()), strict=False)
        if str(why).strip()
    ]
    page.write(
        target, f"sweep: {path.resolve().name}",
        f"{table.runs} runs over {', '.join(table.varied)}", stopped,
        {"Key numbers": figure, "Runs": f'<div class="wide">{table_html(table)}</div>'},
    )  # fmt: skip

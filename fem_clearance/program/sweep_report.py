"""A sweep on one page: an HTML file with its figure, its table and why runs stopped."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path
from string import Template

from ..io import folder
from ..runs.sweep import draw
from ..runs.sweep_results import SweepResults, table_html

TEMPLATE = Path(__file__).with_name("sweep_report.html")


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
        f'<p class="warning">{escape(name)}: {escape(why)}</p>'
        for name, why in zip(table.folders, table.get("stopped", ()), strict=False)
        if str(why).strip()
    ]
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(f"sweep: {path.resolve().name}"),
        description=escape(f"{table.runs} runs over {', '.join(table.varied)}"),
        warnings="\n".join(stopped),
        figure=figure,
        table=table_html(table),
    )
    folder.write_text(target, text)

"""The layout of HTML pages: title, description, warnings and sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from string import Template

from ..io.files import writing

TEMPLATE = Path(__file__).with_name("page.html")


def write(
    target: Path, title: str, description: str, warnings: Iterable[str], sections: Mapping[str, str]
) -> None:
    """Write a page.

    Args:
        target: the HTML file.
        title, description, warnings: plain text.
        sections: HTML by heading.

    Raises:
        InputError: a file that cannot be written.
    """
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(title),
        description=escape(description),
        warnings="\n".join(f'<p class="warning">{escape(w)}</p>' for w in warnings),
        sections="\n".join(f"<h2>{escape(name)}</h2>\n{body}" for name, body in sections.items()),
    )
    with writing(target) as file:
        file.write(text)

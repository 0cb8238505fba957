"""HTML of what notebooks show: tables that need no style of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; every cell is text."""
    top = "".join(f'<th style="text-align:left">{escape(h)}</th>' for h in head)
    lines = (
        "".join(f'<td style="text-align:left">{escape(str(cell))}</td>' for cell in row)
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def folded(title: str, content: str, opened: bool = False) -> str:
    """Content under a title that opens it; ``content`` is HTML."""
    state = " open" if opened else ""
    return f"<details{state}><summary>{escape(title)}</summary>{content}</details>"


def paragraph(text: str) -> str:
    """A line of text."""
    return f"<p>{escape(text)}</p>"

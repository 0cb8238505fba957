"""A run on one page: an HTML file with its figures, parameters, key numbers and warnings."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..io import folder
from ..io.files import damaged, reading
from ..runs.stored import read_summary
from . import page
from .case_files import of_run
from .pictures import BEARING, MECHANISM

TYPES = {".png": "image/png", ".gif": "image/gif"}
#: entries shown of a summary's tables, such as what limited the steps
LISTED = 10
BEGINNINGS = (b"\x89PNG\r\n", b"GIF8")


def write(run: Path, target: Path, trust: bool = False) -> None:
    """Write the page; figures are those in the run's folder.

    Args:
        run: folder of a run.
        target: the HTML file.
        trust: execute a user's Python file that the folder names as its case, for the descriptions
            of the parameters.

    Raises:
        InputError: no run that has ended, a file that cannot be written.
    """
    summary = read_summary(run)
    if not summary:
        raise InputError(f"{run} holds no run that has ended (no {folder.SUMMARY}).")
    name, description, parameters = _case(run, trust)
    versions, units = summary.pop("versions", {}), summary.pop("units", {})
    numbers = {k: v for k, v in summary.items() if k not in folder.COUNTED}
    counters = {k: v for k, v in summary.items() if k in folder.COUNTED} | versions
    figures, rows = "\n".join(_figures(run)), "\n".join(parameters)
    sections = {
        "Key numbers": f"<table>{_rows(numbers, units)}</table>",
        "Figures": f'<div class="figures">{figures}</div>',
        "Parameters": f'<p class="quiet">Bold: set for this run.</p><table>{rows}</table>',
        "How it was computed": f"<table>{_rows(counters, folder.COUNTED_UNITS)}</table>",
    }
    page.write(
        target, f"{name}: {run.resolve().name}", description, _warnings(run, summary), sections
    )


def _case(run: Path, trust: bool) -> tuple[str, str, list[str]]:
    """Name and description of the case, and a row for each parameter."""
    case, changes = of_run(run, trust)
    if case is None:  # a script, or a file that is not trusted
        return "run", "", [_rows(changes)]
    values, plain = case.resolve(changes), case.resolve()
    rows = []
    for key in values:
        p = values.parameters[key]
        name = f"<b>{escape(key)}</b>" if values[key] != plain[key] else escape(key)
        value = "" if values[key] is None else _text(values[key])
        rows.append(
            f'<tr><td>{name}</td><td class="number">{value}</td><td>{escape(p.unit)}</td>'
            f'<td class="quiet">{escape(p.text)}</td></tr>'
        )
    return case.name, case.description, rows


def _warnings(run: Path, summary: Mapping[str, Any]) -> Iterable[str]:
    """Why the run stopped early, and the warnings in its log."""
    if "stopped" in summary:
        why = str(summary["stopped"])
        at = "" if "at t = " in why else f" at t = {summary['t']:g} s"
        yield f"Stopped{at}: {why}"
    log = run / folder.LOG
    lines: list[str] = []
    if log.exists():
        with reading(log):
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        _, mark, message = line.partition(" WARNING ")
        if mark:
            yield message


def _figures(run: Path) -> Iterable[str]:
    # the mechanism, or the bearing, first
    first = (MECHANISM, f"{BEARING}.")
    found = sorted(
        (run / folder.FIGURES).glob("*"), key=lambda p: (not p.name.startswith(first), p.name)
    )
    for path in found:
        if path.suffix in TYPES and path.is_file():
            content = path.read_bytes()
            if not content.startswith(BEGINNINGS):  # only pictures are embedded
                raise damaged(path, "it is no picture", "plot the run again")
            data = base64.b64encode(content).decode()
            name = escape(path.stem.replace("_", " "))
            yield (
                f'<figure><img src="data:{TYPES[path.suffix]};base64,{data}" alt="{name}">'
                f"<figcaption>{name}</figcaption></figure>"
            )
    if not found:
        yield "<p>None yet: <code>fem-clearance plot</code> draws them.</p>"


def _rows(items: Mapping[str, Any], units: Mapping[str, str] | None = None) -> str:
    units = units or {}
    return "\n".join(
        f'<tr><td>{escape(k)}</td><td class="number">{_text(v)}</td>'
        f"<td>{escape(units.get(k, ''))}</td></tr>"
        for k, v in items.items()
    )


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        lines = [f"{key}: {_text(number)}" for key, number in [*value.items()][:LISTED]]
        return "<br>".join([*map(escape, lines), *["..."] * (len(value) > LISTED)])
    if isinstance(value, (list, tuple)):
        return "<br>".join(_text(v) for v in value) if value else ""
    return escape(str(value))

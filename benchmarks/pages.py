"""Tables that benchmarks write into documentation pages."""

import re
from pathlib import Path


def write(page: Path, name: str, text: str) -> None:
    """Put a text between ``<!-- name -->`` and ``<!-- end of name -->``."""
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    new, count = re.subn(
        f"(?s)({start}).*({end})",
        lambda m: f"{m[1]}{text.rstrip()}\n{m[2]}",
        page.read_text(encoding="utf-8"),
    )
    if not count:
        raise SystemExit(f"{page} has no marks {start.strip()} and {end}")
    page.write_text(new, encoding="utf-8")

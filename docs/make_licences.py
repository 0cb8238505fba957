"""Licences of all that pyproject.toml asks for, and of what that needs: THIRD_PARTY.md.

    python docs/make_licences.py    writes the table, from the metadata of the installed packages

Takes about 1 second.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "THIRD_PARTY.md"
#: what people use when they run the package; the others are for its developers
RUN = ("dependencies", "wheels", "meshes", "movies", "data")
MARK = "<!-- licences -->"


def plain(name: str) -> str:
    """A package's name, as all spellings of it are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def asked() -> dict[str, str]:
    """Direct dependencies of pyproject.toml -> which lists of it contain them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = {"dependencies": project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, list[str]] = {}
    for title, requirements in lists.items():
        for requirement in requirements:
            name = plain(re.match(r"[\w.-]+", requirement)[0])
            if title not in found.setdefault(name, []):
                found[name].append(title)
    return {name: ", ".join(titles) for name, titles in found.items()}


def needed(name: str, seen: set[str]) -> Iterator[str]:
    """A package and what it needs, without its extras, of what is installed."""
    if plain(name) in seen:
        return
    seen.add(plain(name))
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return
    yield plain(name)
    for requirement in found.requires or []:
        if "extra ==" not in requirement:
            yield from needed(re.match(r"[\w.-]+", requirement)[0], seen)


def licence(found: Distribution) -> str:
    """What a package states: an SPDX expression, a name, or classifiers."""
    about = found.metadata
    if stated := about.get("License-Expression"):
        return stated
    names = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or [] if "License" in c]
    names = [n for n in names if n != "OSI Approved"]
    first = (about.get("License") or "").strip().split("\n")[0]
    return ", ".join(names) or (first if 0 < len(first) < 60 else "see the files of the package")


def rows() -> Iterator[str]:
    """The lines of the table: first what is needed to run, then what developers need."""
    direct = asked()
    seen: set[str] = set()
    for run in (True, False):
        for name in sorted(direct):
            if any(title in RUN for title in direct[name].split(", ")) is not run:
                continue
            for k, package in enumerate([name, *sorted(set(needed(name, seen)) - {*direct})]):
                try:
                    found = distribution(package)
                except PackageNotFoundError:
                    yield f"| {package} | not installed here | {direct[name]} |"
                    continue
                needs = f"needed by {name}" if k else direct[name]
                yield f"| {package} | {licence(found)} | {needs} |"


if __name__ == "__main__":
    above, _, below = PAGE.read_text(encoding="utf-8").partition(MARK)
    end = "<!-- end of licences -->"
    table = "\n".join(["| package | licence | needed for |", "|---|---|---|", *rows()])
    below = below.partition(end)[2]
    PAGE.write_text(f"{above}{MARK}\n{table}\n{end}{below}", encoding="utf-8")

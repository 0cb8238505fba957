"""Draws the schematics of the documentation: docs/figures/schematic_*.svg.

    python docs/make_schematics.py [--png FOLDER] [NAME ...]

With ``--png`` pictures to look at are written to a folder instead.
"""

import argparse
import importlib
import inspect
import sys
from pathlib import Path

import matplotlib

HERE = Path(__file__).parent
FIGURES = HERE / "figures"
sys.path.insert(0, str(HERE))

from schematics import draw  # noqa: E402

#: modules of docs/schematics with drawings
TOPICS = (
    "joints", "connections", "contacts", "facets", "guides", "films", "gear_pairs", "bodies",
    "steps",
)  # fmt: skip


def drawings():
    """Name -> function that makes the drawing."""
    found = {}
    for topic in TOPICS:
        module = importlib.import_module(f"schematics.{topic}")
        for name, item in vars(module).items():
            own = inspect.isfunction(item) and item.__module__ == module.__name__
            if own and not name.startswith("_"):
                found[name] = item
    return found


def make(name, target):
    """Write one drawing."""
    with matplotlib.rc_context(draw.STYLE):
        drawings()[name]().save(target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--png", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    for name in given.names or drawings():
        ending = "png" if given.png else "svg"
        make(name, (given.png or FIGURES) / f"schematic_{name}.{ending}")

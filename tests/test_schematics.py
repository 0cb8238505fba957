"""The schematics of the documentation are those of their script."""

import importlib.util
import re
from pathlib import Path

import matplotlib
import pytest

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures"


def script():
    spec = importlib.util.spec_from_file_location(
        "make_schematics", ROOT / "docs" / "make_schematics.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_names():
    """Every drawing of the script is there, and nothing else."""
    there = {p.stem.removeprefix("schematic_") for p in FIGURES.glob("schematic_*.svg")}
    assert there == set(script().drawings())


def test_every_schematic_is_shown():
    """Some page or docstring shows each drawing."""
    pages = "".join(p.read_text() for p in (ROOT / "docs").rglob("*.md"))
    unseen = [p.name for p in FIGURES.glob("schematic_*.svg") if p.name not in pages]
    assert not unseen


@pytest.mark.parametrize("name", sorted(p.stem for p in FIGURES.glob("schematic_*.svg")))
def test_files_follow_from_the_script(name, tmp_path):
    """The same file where the same matplotlib draws it; elsewhere letters may be shaped anew."""
    script().make(name.removeprefix("schematic_"), tmp_path / "drawn.svg")
    committed = (FIGURES / f"{name}.svg").read_text()
    version = re.search(r"Matplotlib v([\d.]+)", committed)[1]
    if version == matplotlib.__version__:
        assert (tmp_path / "drawn.svg").read_text() == committed

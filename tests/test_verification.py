"""The verification report: what the fixture ``published`` asserts and notes, and the page of it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = '''"""Numbers of Somebody et al. (2000), fig. 1. More."""

import numpy as np
import pytest

SOURCE = "Somebody et al. 2000"


def test_good(published):
    published("length", 1.0004, 1.0, rel=1e-3, unit="m")
    published("zero", 1e-9, 0.0, abs=1e-6, source="SciPy, a|b")
    published("none", 0.0, 0.0, rel=1e-3)


def test_bad(published):
    published("places", np.array([1.0, 2.0, 3.3]), [1.0, 2.001, 3.0], rel=1e-2)


def test_shapes(published):
    published("shapes", np.ones((2, 1)), [1.0, 1.0], rel=1e-2)


def test_nan(published):
    published("nan", [0.0, np.nan], 0.0, abs=1.0)


@pytest.mark.skip
def test_skipped(published):
    published("never", 1.0, 2.0, rel=0.0)
'''


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_report(tmp_path, workers):
    shutil.copy(ROOT / "tests/literature/conftest.py", tmp_path)
    file, target, page = (tmp_path / n for n in ("test_it.py", "it.json", "it.md"))
    file.write_text(TESTS)
    options = ["-p", "no:cacheprovider", "--report", target, *workers, file]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *map(str, options)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert (
        "places[2]: 3.3, published 3 (Somebody et al. 2000), off by 0.3, allowed 0.03" in run.stdout
    )
    report = json.loads(target.read_text())
    assert report["tests"] == 4
    assert [f.split("::")[1] for f in sorted(report["failed"])] == [
        "test_bad",
        "test_nan",
        "test_shapes",
    ]
    notes = {n["quantity"]: n for n in report["comparisons"]}
    assert [*notes] == ["length", "zero", "none", "places", "nan"]
    assert [n["passed"] for n in notes.values()] == [True, True, True, False, False]
    assert (notes["places"]["ours"], notes["places"]["numbers"]) == (3.3, 3)

    script = str(ROOT / "docs/make_verification.py")
    subprocess.run([sys.executable, script, str(target), str(page)], check=True, cwd=tmp_path)
    text = page.read_text()
    assert (
        "5 comparisons of 8 numbers, 2 failed: 0 with published numbers (0 numbers), 5 with "
        "numbers that we computed independently (8 numbers). 4 tests, 3 failed" in text
    )
    assert "\n### Numbers of Somebody et al. (2000), fig. 1\n" in text
    assert "| length | 1 m | 1.0004 m | 0.0004 | 0.001 | Somebody et al. 2000 | pass |" in text
    assert r"| zero | 0 | 1e-09 | 1e-09 | 1e-06 | SciPy, a\|b | pass |" in text
    assert "| places (3 numbers) | 3 | 3.3 | 0.3 | 0.03 | Somebody et al. 2000 | **FAIL** |" in text


def note(source, **more):
    """A comparison as the report holds it."""
    return {
        "file": "tests/literature/test_it.py", "about": "Bearings. More.", "quantity": "load",
        "unit": "N", "published": 2.0, "ours": 2.001, "difference": 1e-3, "tolerance": 0.01,
        "numbers": 3, "source": source, "passed": True,
    } | more  # fmt: skip


def test_own_computations_stand_apart(tmp_path):
    """A source that SOURCES.md lists as published stands in the first part; any other is ours."""
    report = json.loads((ROOT / "docs/verification.json").read_text())
    report["comparisons"] = [
        note("SciPy"),
        note("Butenschoen 1976"),
        note("Butenschoen 1976, fits"),
    ]
    source, page = tmp_path / "it.json", tmp_path / "it.md"
    source.write_text(json.dumps(report))
    script = str(ROOT / "docs/make_verification.py")
    subprocess.run([sys.executable, script, str(source), str(page)], check=True)
    text = page.read_text()
    assert "1 with published numbers (3 numbers), 2 with numbers that we computed" in text
    first, second = text.split("\n## Published numbers\n")[1].split("\n## Our own independent")
    assert "| quantity | published |" in first and first.count("Butenschoen 1976") == 1
    assert "| quantity | computed |" in second and "SciPy" in second and "fits" in second


def test_page_is_that_of_the_data():
    """docs/verification.md was written from docs/verification.json, and every source that counts
    as published occurs there."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("page", ROOT / "docs/make_verification.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    report = json.loads((ROOT / "docs/verification.json").read_text())
    assert make.page(report) == (ROOT / "docs/verification.md").read_text()
    assert make.published() <= {n["source"] for n in report["comparisons"]}

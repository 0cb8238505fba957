"""Benchmarks run as they stand, and their tables say what they were measured with."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import harness  # noqa: E402

#: quick invocations of scripts that hand a result over
QUICK = [
    ("compare.py", "--one", name)
    for name in ("5 cables", "rigid arms with contacts", "double_pendulum", "condensed film, 48x8")
] + [("bench_films.py", "--one", "rigid 48x8")]


@pytest.mark.slow
@pytest.mark.parametrize("script, arguments", [(s, a) for s, *a in QUICK])
def test_a_benchmark_hands_its_numbers_over(script, arguments):
    found = harness.alone(BENCHMARKS / script, *arguments)
    if isinstance(found, dict):
        found = found["step"]
    assert 0 < found < 1e6


def test_a_table_is_written_with_the_commit(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- t -->\nold\n<!-- end of t -->\nafter\n")
    harness.write_into(page, "t", "| new |")
    text = page.read_text()
    head = ["git", "-C", str(BENCHMARKS), "rev-parse", "--short", "HEAD"]
    said = subprocess.run(head, capture_output=True, text=True, check=False).stdout.strip()
    assert text.startswith("before\n<!-- t -->\n| new |\n") and text.endswith("after\n")
    assert "old" not in text and f"Measured at commit {said or 'unknown'}" in text


def test_marks_that_a_page_lacks_are_told(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(SystemExit, match="no marks"):
        harness.write_into(page, "t", "x")

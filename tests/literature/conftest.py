"""Comparisons with published numbers, noted for the verification report (`make verify`)."""

import json
from pathlib import Path

import numpy as np
import pytest

NOTES = pytest.StashKey[list]()


def pytest_addoption(parser):
    parser.addoption(
        "--report", metavar="FILE", help="write every comparison with a published number as JSON"
    )


def pytest_configure(config):
    config.stash[NOTES] = []


@pytest.fixture
def published(request):
    """``published(quantity, ours, value, rel=..., abs=..., source=..., unit=...)`` asserts that
    our number meets a published one, and notes both.

    Args of it:
        quantity: what is compared, and where.
        ours, value: numbers, or sequences of which the worst pair is noted.
        rel, abs: tolerance, relative to the value, or in its unit; the larger counts.
        source: of the value: authors, year, table or equation; "SciPy" and how for independent
            solutions.
        unit: of the numbers.
    """
    notes = request.config.stash[NOTES]

    def compare(quantity, ours, value, *, rel=0.0, abs=0.0, source, unit=""):
        ours, value = np.broadcast_arrays(np.asarray(ours, float), np.asarray(value, float))
        allowed = np.maximum(rel * np.abs(value), abs)
        parts = np.abs(ours - value) / allowed
        worst = np.unravel_index(np.argmax(np.where(np.isnan(parts), np.inf, parts)), parts.shape)
        passed = bool(np.all(parts <= 1))
        notes.append(
            {
                "quantity": quantity,
                "unit": unit,
                "published": float(value[worst]),
                "ours": float(ours[worst]),
                "difference": float(ours[worst] - value[worst]),
                "tolerance": float(allowed[worst]),
                "numbers": int(parts.size),
                "source": source,
                "passed": passed,
                "test": request.node.nodeid,
            }
        )
        assert passed, (
            f"{quantity}: {ours[worst]:.10g} {unit}, published {value[worst]:.10g} ({source}), "
            f"off by {ours[worst] - value[worst]:.3g}, allowed {allowed[worst]:.3g}"
        )

    return compare


def pytest_sessionfinish(session):
    target = session.config.getoption("--report", None)
    if target:
        notes = sorted(session.config.stash[NOTES], key=lambda n: n["test"])
        Path(target).write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")

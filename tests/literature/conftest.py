"""Comparisons with published numbers, noted for the verification report (`make verify`)."""

import json
import time
from pathlib import Path

import numpy as np
import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--report", metavar="FILE", help="write every comparison with a published number as JSON"
    )


def pytest_configure(config):
    target = config.getoption("--report", None)
    if target and not hasattr(config, "workerinput"):  # xdist's workers report to one of their own
        config.pluginmanager.register(Report(Path(target)))


class Report:
    """Gathers what the tests noted, and writes it at the end."""

    def __init__(self, target: Path):
        self.target, self.comparisons, self.failed, self.tests = target, [], [], 0

    def pytest_collectreport(self, report):
        self.failed += [report.nodeid] if report.failed and report.nodeid not in self.failed else []

    def pytest_runtest_logreport(self, report):
        self.tests += report.when == "call" and not report.skipped
        self.pytest_collectreport(report)
        if report.when == "call":
            file, line, _ = report.location
            notes = [note for name, note in report.user_properties if name == "published"]
            self.comparisons += [{"file": file, "line": line, **note} for note in notes]

    def pytest_sessionfinish(self):
        from fem_clearance.io.folder import versions

        whole = {
            "date": time.strftime("%Y-%m-%d"),
            "versions": versions(),
            "tests": self.tests,
            "failed": self.failed,
            "comparisons": sorted(self.comparisons, key=lambda note: (note["file"], note["line"])),
        }
        self.target.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


@pytest.fixture
def published(request):
    """``published(quantity, ours, value, rel=..., abs=..., unit=..., source=...)`` asserts that
    our number meets a published one, and notes both.

    Args of it:
        quantity: what is compared, and where.
        ours, value: numbers, or arrays of the same shape, of which the worst pair is noted; or
            many of ours and one value.
        rel, abs: tolerance, relative to the value, or in its unit (an array may give each number
            its own); the larger counts.
        unit: of the numbers.
        source: of the value: authors, year, table or equation; "SciPy" and how for independent
            solutions. Without it the module's ``SOURCE``.
    """

    def compare(quantity, ours, value, *, rel=0.0, abs=0.0, unit="", source=None):
        source = source or request.module.SOURCE
        ours, value = np.asarray(ours, float), np.asarray(value, float)
        assert ours.size, f"{quantity}: no number"
        assert value.shape in ((), ours.shape), f"{quantity}: {ours.shape}, {value.shape}"
        ours, value, allowed = np.broadcast_arrays(
            ours, value, np.maximum(rel * np.abs(value), abs)
        )
        off = np.abs(ours - value)
        passed = bool(np.all(off <= allowed))
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(off == 0, 0.0, off / allowed)
        parts[np.isnan(parts)] = np.inf
        worst = np.argmax(parts if np.any(parts) else np.abs(value))
        at = np.unravel_index(worst, parts.shape)
        note = {
            "quantity": quantity,
            "unit": unit,
            "published": float(value[at]) + 0.0,  # no -0
            "ours": float(ours[at]) + 0.0,
            "difference": float(ours[at] - value[at]) + 0.0,
            "tolerance": float(allowed[at]),
            "numbers": ours.size,
            "source": source,
            "passed": passed,
            "test": request.node.nodeid,
            "about": request.module.__doc__ or request.module.__name__,
        }
        request.node.user_properties.append(("published", note))
        assert passed, (
            f"{quantity}{list(map(int, at)) or ''}: {ours[at]:.10g}{f' {unit}' if unit else ''}, "
            f"published {value[at]:.10g} ({source}), off by {off[at]:.3g}, "
            f"allowed {allowed[at]:.3g}"
        )

    return compare

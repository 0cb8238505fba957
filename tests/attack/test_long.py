"""The fuzz over all cases and the soak, as one test each."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from .fuzz_cases import fuzz

pytestmark = [pytest.mark.slow, pytest.mark.timeout(10_800)]


def test_fuzz(attack):
    for command, why in fuzz(200):
        with attack("random parameters of all cases", f"fem-clearance {shlex.join(command)}"):
            assert why is None, why


def test_soak(attack):
    """In a process of its own, whose memory is looked at; five minutes."""
    with attack("soak of 5 minutes with faults", "films, solids, gears, contacts"):
        program = Path(__file__).with_name("soak.py")
        done = subprocess.run([sys.executable, program, "5"], capture_output=True, text=True)
        print(done.stdout[-2000:])
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr[-3000:]

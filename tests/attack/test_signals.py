"""Signals at random instants of whole programs: one sentence, exit code 3, no page."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .forks import in_order

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
#: what is interrupted, and within how many s of its start
COMMANDS = {
    "load": (["check", "heavy_top"], 1.0),
    "steps": (["run", "heavy_top", "--t-end", "100", "--out", "{out}"], 6.0),
    "compiling": (["run", "heavy_top", "--t-end", "100", "--out", "{out}"], 8.0),
    "analysis": (["run", "journal_bearing", "--out", "{out}"], 6.0),
    "modes": (["modes", "flexible_pendulum"], 5.0),
    "check": (["check", "double_pendulum"], 4.0),
    "sweep": (["sweep", "heavy_top", "--vary", "rho_inf=0.5,0.8", "--t-end", "100", "--out",
               "{out}"], 8.0),
}  # fmt: skip


def worked(pid: int) -> float:
    """Processor time of a process so far, s: unlike the clock it knows no other load."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("name", COMMANDS)
def test_signals(name, tmp_path, attack, monkeypatch):
    words, span = COMMANDS[name]
    rng = random.Random(name)
    for k in range(9):
        number, delay = SIGNALS[k % 3], rng.uniform(0.1, span)
        if name == "compiling":
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache{k}"))
        with attack(f"signals: {name}", f"{number.name} after {delay:.2f} s"):
            command = [w.format(out=tmp_path / f"run{k}") for w in words]
            run = subprocess.Popen(
                [sys.executable, "-m", "fem_clearance", *command],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            )  # fmt: skip
            time.sleep(delay)
            over = run.poll() is not None
            spent = 0.0 if over else worked(run.pid)
            run.send_signal(number)
            _, said = run.communicate(timeout=120)
            in_order(said)
            lines = [z for z in said.splitlines() if z.startswith("fem-clearance: ")]
            if over or run.returncode == 0:  # done before
                assert run.returncode == 0 and not lines
            elif run.returncode == -number:  # before a line of ours has run: Python itself loads
                assert spent < 0.5 and not said
            else:
                assert run.returncode == 3, said
                assert len(lines) == 1 and "stopped early: " in lines[0], said


def test_a_signal_while_two_ranks_compile(tmp_path, attack, monkeypatch):
    """One of them compiles, the other waits in a collective call: both end, without the abort that
    comes after ten seconds of waiting for a rank."""
    launcher = Path(sys.executable).with_name("mpirun")
    for k, delay in enumerate((4.0, 6.0, 8.0, 10.0)):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache{k}"))
        with attack("signals: compiling on two ranks", f"SIGTERM after {delay:.0f} s"):
            words = ["run", "stick_slip_oscillator", "--t-end", "100", "--out"]
            run = subprocess.Popen(
                [str(launcher) if launcher.exists() else "mpirun", "-n", "2", sys.executable, "-m",
                 "fem_clearance", *words, str(tmp_path / f"r{k}")],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            )  # fmt: skip
            time.sleep(delay)
            tic = time.monotonic()
            run.send_signal(signal.SIGTERM)
            _, said = run.communicate(timeout=120)
            assert run.returncode == 3 and time.monotonic() - tic < 9.0
            assert said.count("stopped early: terminated") == 1 and "Abort" not in said

"""Scripts on several ranks, in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path


def launched(ranks: int, script: str, *arguments) -> list:
    """What rank 0 of a script prints last, as JSON."""
    launcher = Path(sys.executable).with_name("mpirun")
    command = [str(launcher) if launcher.exists() else "mpirun", "-n", str(ranks)]
    done = subprocess.run(
        [*command, sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True, text=True, timeout=1500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])

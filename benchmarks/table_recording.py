"""What it costs to record poses and fields: bytes and time of a field step.

    python benchmarks/table_recording.py [case ...]

For each case after a tenth of its default run (quick_return: 20 ms): a row of poses in
``frames.h5``, the surfaces of all bodies (``shape_*.vtu``), films and solids; sizes of the last
step, and the time of both writers, least of five.
"""

import sys
import tempfile
import time
from pathlib import Path

from fem_clearance import cases
from fem_clearance.fields.motion import FRAMES, MotionRecorder, read
from fem_clearance.fields.writer import FieldWriter
from fem_clearance.io.folder import FIELDS, SCENE

CASES = ("slider_crank_revolute", "double_pendulum", "quick_return")
#: simulated time, s, where a tenth of the run takes long
SHORT = {"quick_return": 0.02}
STEPS = 50


def seconds(act) -> float:
    """Least time of a call, of five."""
    found = []
    for k in range(5):
        tic = time.perf_counter()
        act(float(k))
        found.append(time.perf_counter() - tic)
    return min(found)


def measure(name: str) -> str:
    """A line of the table."""
    case = cases.get(name)
    t_end = SHORT.get(name, case.resolve()["t_end"] / 10)
    simulation = case.simulation({"t_end": t_end, "output.fields_every": 0}, progress=False)
    simulation.run()
    system = simulation.system
    values = system.state.everything(system.state.q)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        motion = MotionRecorder(system, {}, run)

        def poses(t):
            for k in range(STEPS):
                motion.record(STEPS * t + k, values)
            motion.flush()

        each = seconds(poses) / STEPS
        motion.close()
        row = sum(x[0].nbytes for x in read(run / FIELDS / FRAMES).values())
        scene = (run / SCENE).stat().st_size
        fields = FieldWriter(system, run / FIELDS, 1)
        others = seconds(fields.record)
        size = {p.name: p.stat().st_size for p in (run / FIELDS).glob("*_000004.vtu")}
        shape = size.pop("shape_000004.vtu", 0)
    return (
        f"{name:24} {row / 1e3:7.1f} kB {1e3 * each:6.2f} ms   {shape / 1e3:7.1f} kB"
        f" {sum(size.values()) / 1e3:7.1f} kB {1e3 * others:6.1f} ms   {scene / 1e3:6.1f} kB"
    )


if __name__ == "__main__":
    print(f"{'':24} {'poses':>10} {'':9}   {'surfaces':>10} {'others':>10} {'':9}   scene.json")
    for name in sys.argv[1:] or CASES:
        print(measure(name), flush=True)

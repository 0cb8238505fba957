"""Random values over the declared ranges of every case's parameters, a few steps each.

    python tests/attack/fuzz_cases.py [RUNS [SEED [CASE ...]]]

A value is in the declared range if the parameter reads it: its type, choices and check. Each run
must end in good order (done, bad input or stopped early, with one sentence), within its time, and
what it leaves must be numbers. Prints what fell short, with the command that repeats it.
"""

import math
import random
import resource
import shlex
import sys
import tempfile
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.io.folder import MARK
from fem_clearance.runs.parameters import Every

try:
    from .forks import Ended, shell
except ImportError:  # run as a program
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.attack.forks import Ended, shell

#: s that a run may take (the first one compiles its forms), and GB of address space
TIME, MEMORY = 300.0, 8
#: these are not the subject: they say how long a run is, and what it costs
LEFT = {"t_end", "output.every", "output.fields_every", "checkpoint.every_s"}
#: whole numbers above this make meshes that take minutes
LARGEST = 8
#: files of a folder before there is any result
EMPTY = {MARK, "case.toml", "log.txt"}


def value(p, rng: random.Random):
    """A value in the declared range of a parameter, as text; ``None`` if none is found."""
    for _ in range(20):
        if p.choices:
            new = rng.choice(p.choices)
        elif p.type is bool:
            new = rng.random() < 0.5
        elif p.type is int:
            new = rng.choice([0, 1, 2, 3, rng.randint(1, LARGEST)])
        elif p.type in (float, Every):
            new = number(p.default, rng)
        elif p.type is list:
            new = [number(z, rng) for z in p.default] if p.default else None
        else:
            return None
        text = str(new).lower() if isinstance(new, bool) else str(new)
        try:
            p.read(text)
        except (fc.InputError, TypeError):
            continue
        return text
    return None


def number(default, rng: random.Random) -> float:
    """A number of any size and sign, mostly near the default."""
    scale = abs(default) if default else 10 ** rng.uniform(-6, 6)
    kind = rng.random()
    if kind < 0.5:
        return math.copysign(scale * 10 ** rng.uniform(-0.5, 0.5), default or 1)
    if kind < 0.8:
        return math.copysign(scale * 10 ** rng.uniform(-4, 4), rng.choice([1, -1]))
    if kind < 0.9:
        return rng.choice([0.0, 1.0, -1.0, rng.random()])
    return 10 ** rng.uniform(-30, 30)


def arguments(rng: random.Random, names: list[str]) -> list[str]:
    """A command: a case and some of its parameters."""
    name = rng.choice(names)
    case = cases.get(name)
    parameters = [p for p in case.resolve().parameters.values() if p.name not in LEFT]
    chosen = rng.sample(parameters, min(len(parameters), rng.choice([1, 2, 3, 5, 8])))
    given = [f"{p.name}={text}" for p in chosen if (text := value(p, rng)) is not None]
    command = ["run", name, "--max-steps", "3", "--max-wall", "5", "--quiet"]
    return [*command, *(["--set", *given] if given else [])]


def judge(end: Ended, folder: Path) -> None:
    """What is wrong with how a run ended, if anything is, is raised."""
    end.sentence(0, 2, 3)
    if end.code == 2 or not folder.exists():
        return
    if end.code == 3 and {z.name for z in folder.iterdir()} <= EMPTY:
        return  # an analysis that failed before it had anything to keep
    results = fc.Results.open(folder)
    for name in results.names:
        assert np.isfinite(results[name]).all(), f"{name} is no number: {results[name]}"
    for key, entry in results.summary.items():
        assert not (isinstance(entry, float) and math.isnan(entry)), f"{key} is NaN"


def confined() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 30, MEMORY << 30))


def fuzz(runs: int, seed: int = 1, names: list[str] | None = None):
    """Yields for each run its command and what fell short, ``None`` if nothing did."""
    rng = random.Random(seed)
    names = names or cases.names()
    with tempfile.TemporaryDirectory() as place:
        for k in range(runs):
            command, folder = arguments(rng, names), Path(place) / f"run{k}"
            try:
                judge(shell([*command, "--out", folder], confined, TIME), folder)
                yield command, None
            except Exception as error:
                yield command, f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    given = [int(a) for a in sys.argv[1:3]]
    count, seed = [*given, *(200, 1)[len(given) :]]
    short = 0
    for k, (command, why) in enumerate(fuzz(count, seed, sys.argv[3:])):
        if why:
            short += 1
            print(f"{k}: fem-clearance {shlex.join(command)}\n    {why}", flush=True)
        elif k % 20 == 19:
            print(f"{k + 1} runs, {short} fallen short", flush=True)
    print(f"{count} runs, {short} fallen short")
    sys.exit(short > 0)

"""How many lanes this processor's vectors have, and how kernels are compiled for them."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
from pathlib import Path

from ... import cache
from ...errors import InputError

#: what FFCx calls the language of this folder
LANGUAGE = __package__

#: environment variable that sets the number of lanes; 1: cell by cell
VARIABLE = "FEM_CLEARANCE_LANES"

#: lanes -> what a processor must have (as Linux calls it), and the compiler's options
SETS: dict[int, tuple[set[str], list[str]]] = {
    8: (
        {"avx512f", "avx512dq", "avx512bw", "avx512vl", "fma"},
        ["-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma",
         "-mprefer-vector-width=512"],
    ),
    4: ({"avx2", "fma"}, ["-mavx2", "-mfma"]),
    2: (set(), []),
    1: (set(), []),
}  # fmt: skip
#: processors whose plain instructions have vectors of two
TWO = ("x86_64", "amd64", "aarch64", "arm64")

#: stands for the files that kernels in lanes follow from beside their forms
TEXT = hashlib.sha256(
    b"".join(
        Path(__file__).with_name(name).read_bytes()
        for name in ("vectors.h", "formatter.py", "integral.py")
    )
).hexdigest()[:12]


@functools.cache
def possible() -> tuple[int, ...]:
    """Numbers of lanes that this processor has instructions for, the most first."""
    features = cache.features()
    most = 2 if platform.machine().lower() in TWO else 1
    return tuple(
        n for n, (needed, _) in SETS.items() if needed <= features and (needed or n <= most)
    )


@functools.cache
def lanes() -> int:
    """Lanes of kernels on this machine: as many as its vectors have, or what ``VARIABLE`` says.

    Raises:
        InputError: the variable is no number of lanes that this processor has.
    """
    wanted = os.environ.get(VARIABLE, "")
    if not wanted:
        return possible()[0]
    if wanted not in map(str, possible()):
        raise InputError(
            f"{VARIABLE}={wanted}: kernels have {', '.join(map(str, possible()[::-1]))} lanes on "
            "this processor; leave the variable out for the most."
        )
    return int(wanted)


def options(lanes: int) -> list[str]:
    """The compiler's options for kernels of so many lanes, and for the loop that calls them.

    Products and sums stay apart: joined in one instruction, a b - b a would not be 0. They gain
    nothing by it.
    """
    return [f"-DLANES={lanes}", "-Wno-psabi", "-ffp-contract=off", *SETS[lanes][1]]

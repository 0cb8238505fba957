"""Which tests hang on round-off: the quick tests under several BLAS kernels, and with coordinates
perturbed by 1e-13 (tests/perturbed.py). Prints the tests whose verdicts differ.

    python tests/roundoff.py [--variants plain Haswell ...] [arguments of pytest]

Verdicts and messages stay in .pytest_cache/roundoff/<variant>.xml. Exit code 1 if any differ.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

TESTS = Path(__file__).parent
RESULTS = TESTS.parent / ".pytest_cache" / "roundoff"
#: without AVX, with AVX, with AVX2 and fused products, with AVX-512
KERNELS = ("Nehalem", "Sandybridge", "Haswell", "SkylakeX")
VARIANTS = ("plain", *KERNELS, "perturbed")

#: Prints the kernel of every OpenBLAS of the process (numpy, SciPy, PETSc and Basix bring one each)
#: once numpy, SciPy and PETSc have multiplied and factorised: large matrices, since Haswell's
#: product overruns its stack there on AMD Zen 4 (OpenBLAS 0.3.34, its issues 6013 and 6021).
PROBE = """
import ctypes
import dolfinx_solver, basix, numpy as np, scipy.linalg, fem_clearance
from petsc4py import PETSc
a = np.eye(1500) + np.outer(np.arange(1500.0), np.ones(1500))
np.linalg.solve(a @ a, a), scipy.linalg.lu_factor(a)
matrix = PETSc.Mat().createDense(a.shape, array=a, comm=PETSc.COMM_SELF)
matrix.assemble()
matrix.matMult(matrix).norm()
with open("/proc/self/maps") as maps:
    libraries = sorted({line.split()[-1] for line in maps if "openblas" in line})
for path in libraries:
    for name in ("openblas", "scipy_openblas"):
        for suffix in ("", "64_"):
            ask = getattr(ctypes.CDLL(path), f"{name}_get_corename{suffix}", None)
            if ask:
                ask.restype = ctypes.c_char_p
                print(path.rsplit("/", 2)[-1], ask().decode())
"""


def settings(variant: str) -> dict[str, str]:
    """Environment of a variant."""
    if variant == "perturbed":
        return {"FC_PERTURB": os.environ.get("FC_PERTURB", "1e-13"), "PYTHONPATH": path(TESTS)}
    return {"OPENBLAS_CORETYPE": variant} if variant in KERNELS else {}


def path(*folders: Path) -> str:
    """PYTHONPATH with these before what it holds."""
    old = os.environ.get("PYTHONPATH")
    return os.pathsep.join([*map(str, folders), *([old] if old else [])])


def unavailable(kernel: str) -> str:
    """Why this machine or its libraries cannot run a BLAS kernel; empty if they can."""
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel}
    probe = [sys.executable, "-c", PROBE]
    run = subprocess.run(probe, env=environment, capture_output=True, text=True, cwd=TESTS.parent)
    if run.returncode:
        return f"{kernel} does not run on this processor (exit code {run.returncode})."
    if not run.stdout:
        return f"{kernel} cannot be chosen: BLAS is not OpenBLAS here."
    other = [line for line in run.stdout.splitlines() if line.split()[1] != kernel]
    return f"{kernel} cannot be chosen: {', '.join(other)}." if other else ""


def verdicts(variant: str) -> dict[str, tuple[str, str]]:
    """Of each test ``passed``, ``failed``, ``error`` or ``skipped``, and the message."""
    found = {}
    for case in ElementTree.parse(RESULTS / f"{variant}.xml").iter("testcase"):
        where = case.get("classname", "").replace(".", "/") + ".py"
        verdict, message = "passed", ""
        for child in case:
            if child.tag in ("failure", "error", "skipped"):
                verdict = {"failure": "failed"}.get(child.tag, child.tag)
                message = (child.get("message") or "").split("\n")[0]
        found[f"{where}::{case.get('name')}"] = (verdict, message)
    return found


def show(variants: list[str]) -> int:
    """Print the table; the number of tests whose verdict differs. (Those that one variant leaves
    out have none there.)"""
    runs = {v: verdicts(v) for v in variants}
    tests = sorted(set().union(*runs.values()))
    rows = {t: [runs[v].get(t, ("left out", "")) for v in variants] for t in tests}
    each = {t: {v for v, _ in row} - {"left out"} for t, row in rows.items()}
    differ = {t: row for t, row in rows.items() if len(each[t]) > 1}
    broken = [t for t in tests if each[t] <= {"failed", "error"}]
    print(f"{len(tests)} tests under {', '.join(variants)}: {len(differ)} verdicts differ.")
    for test, row in differ.items():
        print(test)
        for variant, (verdict, message) in zip(variants, row, strict=True):
            print(f"    {variant:10s} {verdict:8s} {message[:150]}")
    if broken:
        print("failed under all of them:", *broken, sep="\n    ")
    return len(differ)


def main() -> int:
    """Run the variants one after another and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    parser.add_argument("--show", action="store_true", help="compare the last runs, run nothing")
    options, arguments = parser.parse_known_args()
    chosen = []
    for variant in options.variants:
        why = unavailable(variant) if variant in KERNELS else ""
        if why:
            print(why)
            continue
        chosen.append(variant)
        if options.show:
            continue
        results = RESULTS / f"{variant}.xml"
        results.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", f"--junitxml={results}", *arguments]
        command += ["-p", "perturbed"] if variant == "perturbed" else []
        print(f"== {variant}", flush=True)
        environment = {**os.environ, **settings(variant)}
        code = subprocess.run(command, env=environment, cwd=TESTS.parent).returncode
        if code not in (0, 1):
            print(f"pytest ended with {code}")
            return 2
    return int(show(chosen) > 0)


if __name__ == "__main__":
    sys.exit(main())

"""The one place where the numerical backend is loaded.

FEniCSx from wheels (``dolfinx-solver-real``) must load its MPI library before ``mpi4py`` and
``petsc4py``; FEniCSx from conda or from source has no such package and needs nothing. Every module
of this package that uses MPI, PETSc or DOLFINx imports this module first.
"""

import sys

from . import (
    _environment,  # noqa: F401  (before any library loads)
    _signals,
)

# PETSc's signal handlers print a page of text. Without them a closed pipe raises BrokenPipeError,
# as in any Python program, a script ends silently when it is terminated, and nohup works.
with _signals.kept("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"):
    try:
        import dolfinx_solver  # noqa: F401
    except ImportError:  # conda, Spack, apt: MPI is found by the dynamic linker
        pass

    from mpi4py import MPI
    from petsc4py import PETSc

import numpy as np

# DOLFINx reads the command line when it is loaded, and fails if that is not UTF-8.
_arguments, sys.argv = sys.argv, [a.encode(errors="replace").decode() for a in sys.argv]
try:
    import dolfinx  # noqa: F401
finally:
    sys.argv = _arguments

if PETSc.ScalarType is not np.float64:
    raise ImportError(
        "fem_clearance needs PETSc with real double-precision scalars; this PETSc has "
        f"{PETSc.ScalarType}. Install the real build (pip: dolfinx-solver-real; "
        "conda: petsc=*=real*)."
    )

__all__ = ["MPI", "PETSc"]

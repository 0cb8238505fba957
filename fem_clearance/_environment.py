"""Environment variables that must be set before NumPy, MPI or PETSc are loaded."""

import os

# one thread per rank unless the user asks otherwise: parallelism is by ranks
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
# UCX handles SIGHUP, its default for debugging, which would break nohup
os.environ.setdefault("UCX_DEBUG_SIGNO", "SIGUSR2")

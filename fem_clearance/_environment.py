"""What the environment must say before NumPy, MPI or PETSc are loaded; imported before them."""

import os

# One thread a rank unless the user asks otherwise: the systems are small, ranks are the
# parallelism.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
# UCX takes SIGHUP for a wish to talk, and nohup is to work
os.environ.setdefault("UCX_DEBUG_SIGNO", "SIGUSR2")

#!/bin/sh
# Runs the tests marked mpi on N ranks: tests/parallel/run.sh N [pytest arguments]
# Rank 0 prints; the others write to .pytest_cache/, shown when the run fails.
set -u
if [ "${FC_TEST_LOGS:-}" ]; then # one rank, started by mpirun below
    rank=${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}
    # The thread method also ends a rank that waits for another one inside MPI.
    set -- -m "mpi and not slow" -p no:cacheprovider -o timeout_method=thread "$@"
    [ "$rank" = 0 ] && exec python -m pytest "$@"
    exec python -m pytest "$@" >"$FC_TEST_LOGS/rank$rank.log" 2>&1
fi

cd "$(dirname "$0")/../.." || exit 1
ranks=${1:-2}
[ $# -gt 0 ] && shift
FC_TEST_LOGS=$PWD/.pytest_cache/ranks
export FC_TEST_LOGS OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
rm -rf "$FC_TEST_LOGS" && mkdir -p "$FC_TEST_LOGS"
mpirun -n "$ranks" "$PWD/tests/parallel/run.sh" "$@"
status=$?
if [ $status -ne 0 ]; then
    for log in "$FC_TEST_LOGS"/*.log; do
        [ -e "$log" ] && echo "== $log" && tail -n 60 "$log"
    done
    echo "tests on $ranks ranks failed (exit code $status)"
fi
exit $status

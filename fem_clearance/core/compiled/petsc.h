/* The table of PETSc's functions. cffi reads these headers too: comments and declarations, nothing
   else. fc_int is PETSc's integer. */

/* The functions of PETSc, and of the MPI under it, that the loop calls, found at run time: no
   headers, no linking. MPI's handles are numbers or addresses, as wide as these at most. */
typedef struct {
  int (*VecGetArrayRead)(void *, const double **);
  int (*VecRestoreArrayRead)(void *, const double **);
  int (*VecGetArray)(void *, double **);
  int (*VecRestoreArray)(void *, double **);
  int (*VecZeroEntries)(void *);
  int (*VecScatterBegin)(void *, void *, void *, int, int);
  int (*VecScatterEnd)(void *, void *, void *, int, int);
  int (*MatSetValuesCOO)(void *, const double *, int);
  int (*MatZeroEntries)(void *);
  int (*MatSetValues)(void *, fc_int, const fc_int *, fc_int, const fc_int *, const double *, int);
  int (*MatAssembled)(void *, _Bool *);
  int (*MatMPIAIJGetSeqAIJ)(void *, void **, void **, const fc_int **);
  int (*MatGetRowIJ)(void *, fc_int, _Bool, _Bool, fc_int *, const fc_int **, const fc_int **,
                     _Bool *);
  int (*MatAssemblyBegin)(void *, int);
  int (*MatAssemblyEnd)(void *, int);
  int (*MatSeqAIJGetArray)(void *, double **);
  int (*MatSeqAIJRestoreArray)(void *, double **);
  int (*SNESSetFunction)(void *, void *, void *, void *);
  int (*SNESSetJacobian)(void *, void *, void *, void *, void *);
  int (*SNESSetConvergenceTest)(void *, void *, void *, void *);
  int (*SNESSetLagJacobian)(void *, fc_int);
  int (*SNESSolve)(void *, void *, void *);
  int (*SNESGetIterationNumber)(void *, fc_int *);
  int (*SNESGetConvergedReason)(void *, int *);
  int (*SNESGetTolerances)(void *, double *, double *, double *, fc_int *, fc_int *);
  int (*SNESSetIterationNumber)(void *, fc_int);
  int (*SNESSetFunctionNorm)(void *, double);
  int (*SNESSetConvergedReason)(void *, int);
  int (*SNESMonitor)(void *, fc_int, double);
  int (*SNESShellSetContext)(void *, void *);
  int (*SNESShellGetContext)(void *, void *);
  int (*SNESShellSetSolve)(void *, void *);
  int (*KSPSetUp)(void *);
  int (*KSPSolve)(void *, void *, void *);
  int (*KSPGetConvergedReason)(void *, int *);
  int (*PCGetFailedReason)(void *, int *);
  int (*PCApply)(void *, void *, void *);
  int (*PCApplyTranspose)(void *, void *, void *);
  int (*PCGetOperators)(void *, void **, void **);
  int (*PCSetFailedReason)(void *, int);
  int (*PCShellSetContext)(void *, void *);
  int (*PCShellGetContext)(void *, void *);
  int (*PCShellSetSetUp)(void *, void *);
  int (*PCShellSetApply)(void *, void *);
  int (*PCShellSetApplyTranspose)(void *, void *);
  int (*MatSeqAIJGetArrayRead)(void *, const double **);
  int (*MatSeqAIJRestoreArrayRead)(void *, const double **);
  int (*MPI_Allreduce)(const void *, void *, int, void *, void *, void *);
  int (*PetscObjectStateGet)(void *, int64_t *);
  int (*PetscObjectStateSet)(void *, int64_t);
  int (*VecNorm)(void *, int, double *);
  int (*VecAXPY)(void *, double, void *);
} fc_petsc;


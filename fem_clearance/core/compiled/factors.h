/* Declarations of factors.c. */

/* Factors of the package's own in a PC of type shell: see core/factors.py. */
typedef struct {
  const fc_petsc *petsc;
  void *factorise;              /* new ones of a matrix's entries, not 0 where a pivot is missing */
  void *solve;                  /* the matrix, or the transposed one */
  void *of;                     /* first argument of both */
  const double *values;         /* the matrix's entries where PETSc's matrix has others, or 0 */
  int no_error, zero_pivot;     /* PETSc's reasons */
} fc_factors;

int fc_factors_attach(fc_factors *f, void *pc);


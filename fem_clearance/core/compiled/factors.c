/* Factors of the package's own, as PETSc calls them. */

typedef int (*fc_factorise)(void *, const double *);
typedef int (*fc_solve_factors)(void *, const double *, double *, int);

static int (*factors_of)(void *, void *); /* PETSc's PCShellGetContext */

static int set_factors_up(void *pc) {
  fc_factors *f;
  TRY(factors_of(pc, &f));
  const fc_petsc *p = f->petsc;
  const double *values = f->values;
  void *operator, *matrix;
  TRY(p->PCGetOperators(pc, &operator, &matrix));
  if (!f->values) TRY(p->MatSeqAIJGetArrayRead(matrix, &values));
  const int failed = ((fc_factorise)f->factorise)(f->of, values);
  if (!f->values) TRY(p->MatSeqAIJRestoreArrayRead(matrix, &values));
  return p->PCSetFailedReason(pc, failed ? f->zero_pivot : f->no_error);
}

static int apply_either(void *pc, void *b, void *x, int transposed) {
  fc_factors *f;
  TRY(factors_of(pc, &f));
  const fc_petsc *p = f->petsc;
  const double *from;
  double *to;
  TRY(p->VecGetArrayRead(b, &from));
  TRY(p->VecGetArray(x, &to));
  ((fc_solve_factors)f->solve)(f->of, from, to, transposed); /* infinite where that fails */
  TRY(p->VecRestoreArray(x, &to));
  return p->VecRestoreArrayRead(b, &from);
}

static int apply_factors(void *pc, void *b, void *x) { return apply_either(pc, b, x, 0); }
static int apply_transposed(void *pc, void *b, void *x) { return apply_either(pc, b, x, 1); }

/* Let a PC of type shell factorise and solve by them. */
int fc_factors_attach(fc_factors *f, void *pc) {
  const fc_petsc *p = f->petsc;
  factors_of = p->PCShellGetContext;
  TRY(p->PCShellSetContext(pc, f));
  TRY(p->PCShellSetSetUp(pc, (void *)set_factors_up));
  TRY(p->PCShellSetApply(pc, (void *)apply_factors));
  return p->PCShellSetApplyTranspose(pc, (void *)apply_transposed);
}


/* What PETSc's SNES calls in each iteration, and the bookkeeping of a step. */

/* Values that follow the unknowns, and their rows handed on to them. */
static void follow(const fc_loop *s, double *values) {
  const fc_followers *f = &s->followers;
  for (int k = 0; k < f->count; k++) {
    double sum = 0;
    for (int i = f->first[k]; i < f->first[k + 1]; i++) sum += f->share[i] * values[f->leader[i]];
    values[s->local + k] = sum;
  }
}

static void hand_on(const fc_loop *s, double *rows) {
  const fc_followers *f = &s->followers;
  for (int k = 0; k < f->count; k++)
    for (int i = f->first[k]; i < f->first[k + 1]; i++)
      rows[f->leader[i]] += f->share[i] * rows[s->local + k];
}

/* The state at the end of a step from the solver's unknowns: increments of coordinates, scaled
   values of algebraic unknowns. */
void fc_set(fc_loop *s, const double *x) {
  double *q = s->state, *v = q + s->total, *a = v + s->total;
  s->globals[0] = s->time;
  s->globals[1] = s->gamma;
  s->globals[2] = s->beta;
  s->globals[6] = s->per_step;
  for (int i = 0; i < s->local; i++) {
    double d = x[i] * s->scale[i];
    q[i] = s->q0[i] + d;
    d *= s->dynamic[i];
    v[i] = s->v0[i] + s->gamma * d;
    a[i] = s->beta * d;
  }
  follow(s, q);
  follow(s, v);
  follow(s, a);
}

/* The residual at the present state, unscaled. */
static void evaluate_rows(fc_loop *s) {
  const fc_forms *b = &s->forms;
  fc_evaluate(b->residual, b->residuals, s->state, b->work);
  fc_add(0, b->rows, b->outputs, b->out, b->f, s->total, 0, 0);
  hand_on(s, b->f);
}

/* The largest of scaled rows in units of what it may leave. */
static double largest(const fc_loop *s, const double *rows) {
  double excess = 0;
  for (int i = 0; i < s->owned; i++) excess = larger(excess, fabs(rows[i]) * s->weights[i]);
  return excess;
}

static int function(void *snes, void *x, void *f, void *context) {
  fc_loop *s = context;
  const fc_petsc *p = &s->petsc;
  void *from = s->scatter ? s->ghosted : x, *to = s->scatter ? s->ghosted : f;
  const double *unknowns;
  double *rows;
  if (s->scatter) {
    TRY(p->VecScatterBegin(s->scatter, x, from, INSERT, FORWARD));
    TRY(p->VecScatterEnd(s->scatter, x, from, INSERT, FORWARD));
  }
  TRY(p->VecGetArrayRead(from, &unknowns));
  fc_set(s, unknowns);
  TRY(p->VecRestoreArrayRead(from, &unknowns));
  evaluate_rows(s);
  TRY(p->VecGetArray(to, &rows));
  for (int i = 0; i < s->local; i++) rows[i] = s->forms.f[i] * s->scale[i];
  TRY(p->VecRestoreArray(to, &rows));
  if (s->scatter) {
    TRY(p->VecZeroEntries(f));
    TRY(p->VecScatterBegin(s->scatter, to, f, ADD, REVERSE));
    TRY(p->VecScatterEnd(s->scatter, to, f, ADD, REVERSE));
  }
  return 0;
}

/* The tangent at the present state. */
int fc_build(fc_loop *s, void *A) {
  const fc_forms *b = &s->forms;
  fc_evaluate(b->tangent, b->tangents, s->state, b->work);
  if (s->followers.count) TRY(s->reduce(s->newton));
  for (int i = 0; i < b->kept; i++) {
    const int k = b->which ? b->which[i] : i;
    b->coo[i] = b->cells[k] * s->scale[b->coo_rows[k]] * s->scale[b->coo_cols[k]];
  }
  return s->petsc.MatSetValuesCOO(A, b->coo, INSERT);
}

static int jacobian(void *snes, void *x, void *A, void *P, void *context) {
  fc_loop *s = context;
  if (!(s->rebuild || s->full)) return 0; /* unchanged: PETSc keeps the factors too */
  s->tangent_age++;
  if (s->renewed++ % 4 == 1 || s->tangent_age > s->max_tangent_age) TRY(s->refresh(s->newton));
  s->rebuild = 0;
  s->built++;
  memcpy(s->at_tangent, s->state, s->numbers * sizeof(double));
  return s->build ? s->build(s->newton) : fc_build(s, P);
}

static int converged(void *snes, fc_int its, double x, double step, double norm, int *reason,
                     void *context) {
  fc_loop *s = context;
  const fc_petsc *p = &s->petsc;
  const double last = s->scaled_residual, *f;
  double *mine;
  TRY(p->VecGetArrayRead(s->f_vector, &f));
  s->scaled_residual = largest(s, f);
  TRY(p->VecRestoreArrayRead(s->f_vector, &f));
  if (s->scatter) {
    TRY(p->VecGetArray(s->one_each, &mine));
    *mine = s->scaled_residual;
    TRY(p->VecRestoreArray(s->one_each, &mine));
    TRY(p->VecNorm(s->one_each, INFINITY_NORM, &s->scaled_residual));
  }
  if (!its) s->first_residual = s->scaled_residual;
  *reason = s->iterating;
  if (!isfinite(norm)) *reason = s->nan; /* a maximum loses a NaN, this sum does not */
  else if (its && s->scaled_residual <= 1) *reason = s->converged;
  else if (its > 3 && s->scaled_residual > 1e6 * last) *reason = s->diverged;
  else if (its && !(s->scaled_residual < s->contraction * last)) s->full = 1;
  /* -1: SNES keeps the tangent without looking for options that would compare it */
  return p->SNESSetLagJacobian(snes, s->rebuild || s->full ? 1 : -1);
}

/* Make SNES call the functions above. */
int fc_attach(fc_loop *s, void *snes, void *f, void *A) {
  TRY(s->petsc.SNESSetFunction(snes, f, (void *)function, s));
  TRY(s->petsc.SNESSetJacobian(snes, A, A, (void *)jacobian, s));
  return s->petsc.SNESSetConvergenceTest(snes, (void *)converged, s, 0);
}

/* Solve a step that ends at `time` from the guess in x. */
int fc_solve(fc_loop *s, double time, int full, void *snes, void *x) {
  s->time = time;
  s->full = full;
  s->renewed = full;
  s->scaled_residual = INFINITY;
  TRY(s->petsc.SNESSolve(snes, 0, x));
  TRY(s->petsc.SNESGetIterationNumber(snes, &s->its));
  s->iterations += s->its;
  return s->petsc.SNESGetConvergedReason(snes, &s->reason);
}

/* Whether a class of rows has met a larger force than ever: by the largest forces of all ranks, or,
   where they are 0, by those of this rank alone. */
static int stronger_than_ever(fc_loop *s, const double *forces) {
  const fc_forms *b = &s->forms;
  double *largest = s->force_scale;
  int stronger = 0;
  for (int k = 0; k < s->classes && forces; k++)
    if (forces[k] > largest[k]) {
      largest[k] = forces[k];
      stronger = 1;
    }
  if (forces) return stronger;
  memset(b->g, 0, s->total * sizeof(double));
  for (int i = 0; i < b->outputs; i++) b->g[b->rows[i]] += fabs(b->out[i]);
  for (int i = 0; i < s->owned; i++) {
    const double force = b->g[i] * s->scale[i];
    if (s->measured[i] && force > largest[s->row_class[i]]) {
      largest[s->row_class[i]] = force;
      stronger = 1;
    }
  }
  return stronger;
}

/* Sums of the sizes of the cells' tangents, times `sizes` of the unknowns, in g. */
void fc_stiffness(fc_loop *s, const double *sizes) {
  const fc_forms *b = &s->forms;
  memset(b->g, 0, s->total * sizeof(double));
  for (int i = 0; i < b->entries; i++)
    b->g[b->coo_rows[i]] += fabs(b->cells[i]) * sizes[b->coo_cols[i]];
}

/* What each row may leave: a part of its class's largest force, and its round-off. */
void fc_weigh(fc_loop *s) {
  double most = 0;
  for (int k = 0; k < s->classes; k++) most = larger(most, s->force_scale[k]);
  for (int i = 0; i < s->owned; i++) {
    const int k = s->row_class[i];
    const double force = larger(s->force_scale[k], s->floors[k] > 0 ? s->floors[k] : 1e-6 * most);
    s->weights[i] = 1 / (s->tolerance * s->part[i] * force + s->noise[i] * s->scale[i] + 1e-300);
  }
}

/* After an accepted step: force scales and the age of the tangent. */
void fc_accepted(fc_loop *s, const double *forces) {
  const int fade = ++s->steps % s->memory == 0;
  if (fade) /* the force of an impact must not loosen the tolerance for ever */
    for (int k = 0; k < s->classes; k++) s->force_scale[k] *= 0.5;
  if (stronger_than_ever(s, forces) || fade) fc_weigh(s);
  /* A tangent is kept as long as its steps stay cheaper than the mean since it was built. */
  if (s->built != s->before) {
    s->before = s->built;
    s->cost = s->price;
    s->since = 0;
  }
  s->cost += s->its + 1;
  s->since++;
  if ((s->its + 1.0) * s->since > s->cost) s->rebuild = 1;
}


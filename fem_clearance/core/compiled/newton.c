/* What PETSc's SNES calls in each iteration, and the bookkeeping of a step. */

enum { PARTS = 8 }; /* sums of products that do not wait for each other */

/* Sum of the products of some numbers with those of `values` from the first leader on: leaders of one
   body have numbers in turn. */
static double sum_in_turn(const double *share, const double *values, int count) {
  double sum[PARTS] = {0}, rest = 0;
  const int whole = count - count % PARTS;
  for (int i = 0; i < whole; i += PARTS)
    for (int k = 0; k < PARTS; k++) sum[k] += share[i + k] * values[i + k];
  for (int i = whole; i < count; i++) rest += share[i] * values[i];
  for (int k = 0; k < PARTS; k++) rest += sum[k];
  return rest;
}

/* What a value that follows the unknowns is for these values of theirs. */
static double followed(const fc_followers *f, int k, const double *values) {
  const int *leader = f->leader + f->first[k], count = f->first[k + 1] - f->first[k];
  const double *share = f->share + f->first[k];
  double sum = 0;
  if (count && leader[count - 1] - leader[0] == count - 1)
    return sum_in_turn(share, values + leader[0], count);
  for (int i = 0; i < count; i++) sum += share[i] * values[leader[i]];
  return sum;
}

static void follow(const fc_loop *s, double *values) {
  const fc_followers *f = &s->followers;
  for (int k = 0; k < f->count; k++) values[s->local + k] = followed(f, k, values);
}

/* The same of coordinates, rates and accelerations in one pass: what ties them is read once. */
static void follow_all(fc_loop *s) {
  const fc_followers *f = &s->followers;
  double *q = s->state, *v = q + s->total, *a = v + s->total;
  for (int k = 0; k < f->count; k++) {
    q[s->local + k] = followed(f, k, q);
    v[s->local + k] = followed(f, k, v);
    a[s->local + k] = followed(f, k, a);
  }
}

/* Rows of values that follow, handed on to the unknowns. */
static void hand_on(const fc_loop *s, double *rows) {
  const fc_followers *f = &s->followers;
  for (int k = 0; k < f->count; k++) {
    const int *leader = f->leader + f->first[k], count = f->first[k + 1] - f->first[k];
    const double *share = f->share + f->first[k], row = rows[s->local + k];
    if (count && leader[count - 1] - leader[0] == count - 1) {
      double *restrict to = rows + leader[0];
      for (int i = 0; i < count; i++) to[i] += share[i] * row;
    } else
      for (int i = 0; i < count; i++) rows[leader[i]] += share[i] * row;
  }
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
  const fc_complements *c = &s->complements;
  for (int k = 0; k < c->count; k++) /* the equation is value = 0, but for round-off */
    if (fabs(q[c->value[k]]) <= c->share[k] * q[c->other[k]]) q[c->value[k]] = 0;
  follow_all(s);
}

/* What constraints on velocities leave at the present state, in their sums. */
static void evaluate_rates(const fc_loop *s, const fc_rates *r) {
  fc_evaluate(r->batch, r->count, s->state, s->forms.work);
  fc_add(0, r->rows, r->outputs, r->out, r->sums, s->total);
}

/* Rows of constraints on velocities without what only forces see. */
static void hold_rates(const fc_loop *s, const fc_rates *r) {
  double *v = s->state + s->total;
  memcpy(r->kept, v, s->total * sizeof(double));
  for (int i = 0; i < s->local; i++) v[i] -= s->shown[i];
  follow(s, v);
  evaluate_rates(s, r);
  for (int i = 0; i < s->local; i++)
    if (r->held[i]) s->forms.f[i] = r->sums[i];
  memcpy(v, r->kept, s->total * sizeof(double));
}

/* The residual at the present state, unscaled. */
static void evaluate_rows(fc_loop *s) {
  const fc_forms *b = &s->forms;
  fc_evaluate(b->residual, b->residuals, s->state, b->work);
  fc_add(0, b->rows, b->outputs, b->out, b->f, s->total);
  fc_add_bulk_rows(&b->bulk_rows, s->state, b->f);
  if (s->shown && s->rates) hold_rates(s, s->rates);
  hand_on(s, b->f);
}

/* The largest of the scaled residual in units of what its row may leave, by class of rows. */
static int judge_classes(const fc_loop *s, double *largest) {
  const double *rows;
  memset(largest, 0, s->classes * sizeof(double));
  TRY(s->petsc.VecGetArrayRead(s->f_vector, &rows));
  for (int i = 0; i < s->owned; i++) {
    double *excess = largest + s->row_class[i];
    *excess = worse(*excess, fabs(rows[i]) * s->weights[i]);
  }
  TRY(s->petsc.VecRestoreArrayRead(s->f_vector, &rows));
  return largest_over_ranks(s, largest, s->classes);
}

/* The same of all rows. */
int fc_judge(const fc_loop *s, double *largest) {
  TRY(judge_classes(s, s->excess));
  *largest = 0;
  for (int k = 0; k < s->classes; k++) *largest = worse(*largest, s->excess[k]);
  return 0;
}

/* Whether a class of rows comes too slowly to its solution: by the last iteration and, where
   tangents are dear, by the last two, if as many as a tangent costs will not do at their rate. A
   kept tangent has old directions of a body that turns: what it changes multipliers by in one
   iteration puts torques off, which the next one mends. */
static int slow(const fc_loop *s, fc_int its) {
  const double *now = s->excess, *last = now + s->classes, *earlier = last + s->classes;
  for (int k = 0; k < s->classes; k++) {
    const double part = its > 1 && s->dear ? now[k] / earlier[k] : 1;
    if (now[k] > 1 && !(now[k] < s->contraction * last[k]) &&
        !(now[k] * pow(part, s->price / 2) < 1 && part < s->contraction * s->contraction))
      return 1;
  }
  return 0;
}

/* The state of the solver's unknowns, and the scaled residual at the present state. */
static int set_from(fc_loop *s, void *x) {
  void *from = local_of(s, x);
  const double *unknowns;
  TRY(spread(s, x));
  TRY(s->petsc.VecGetArrayRead(from, &unknowns));
  fc_set(s, unknowns);
  return s->petsc.VecRestoreArrayRead(from, &unknowns);
}

static int residual(fc_loop *s, void *f) {
  void *to = local_of(s, f);
  double *rows;
  evaluate_rows(s);
  TRY(s->petsc.VecGetArray(to, &rows));
  for (int i = 0; i < s->local; i++) rows[i] = s->forms.f[i] * s->scale[i];
  TRY(s->petsc.VecRestoreArray(to, &rows));
  return add_up(s, f);
}

static int function(void *snes, void *x, void *f, void *context) {
  TRY(set_from(context, x));
  return residual(context, f);
}

/* Let solvers see that a matrix is new whose entries are not PETSc's. */
static int renew(const fc_loop *s, void *A) {
  int64_t state;
  TRY(s->petsc.PetscObjectStateGet(A, &state));
  return s->petsc.PetscObjectStateSet(A, state + 1);
}

/* The cells' tangents, added into the matrix of this rank's cells, whose sums are then scaled. */
static int place_tangents(fc_loop *s, void *A) {
  const fc_forms *b = &s->forms;
  const int count = b->first[s->local];
  double *values = b->part;
  if (!b->part) TRY(s->petsc.MatSeqAIJGetArray(A, &values));
  if (s->reduce) fc_add(b->which, b->place, b->placed, b->cells, values, count);
  else add_in_places(b->tangent, b->tangents, s->state, b->work, b->which, b->place, b->placed, values,
                     count);
  for (int i = 0; i < s->local; i++)
    for (int e = b->first[i]; e < b->first[i + 1]; e++)
      values[e] *= s->scale[i] * s->scale[b->column[e]];
  if (!b->part) return s->petsc.MatSeqAIJRestoreArray(A, &values);
  return renew(s, A);
}

/* The tangents of cells that fill bodies in some rows, added up and scaled. */
static void build_bulk(fc_loop *s, int low, int high, double *values) {
  fc_add_bulk(&s->forms.bulk, s->state, low, high, values);
  fc_scale_bulk(&s->forms.bulk, s->scale, low, high, values);
}

/* The matrix of this rank's bodies: what is scaled of the others is added in its memory. */
static int build_alone(fc_loop *s, void *A) {
  const fc_forms *b = &s->forms;
  double *values = b->part;
  const int out = b->part && b->bulk_out && *b->bulk_out;
  if (out)
    for (int i = 0; i < b->kept; i++) values[b->into[i]] = b->under[i];
  else if (b->part)
    memset(values, 0, b->bulk.first[b->bulk.rows] * sizeof(double));
  else {
    TRY(s->petsc.MatZeroEntries(A));
    TRY(s->petsc.MatSeqAIJGetArray(A, &values));
  }
  if (!out) build_bulk(s, 0, b->bulk.rows, values);
  for (int i = 0; i < b->kept; i++) values[b->into[i]] += b->coo[i];
  return b->part ? renew(s, A) : s->petsc.MatSeqAIJRestoreArray(A, &values);
}

/* The same on several ranks, where PETSc has the entries in an order of its own: few rows at once,
   as all of them would be needed beside the matrix and its preconditioner. The others' entries are
   in the order of their places. */
static int build_together(fc_loop *s, void *A) {
  const fc_forms *b = &s->forms;
  const int rows = b->bulk.rows, *first = b->bulk.first;
  TRY(s->petsc.MatZeroEntries(A));
  for (int low = 0, high, k = 0; low < rows; low = high) {
    for (high = low + 1; high < rows && first[high + 1] - first[low] <= b->bulk.piece;) high++;
    double *values = calloc(first[high] - first[low] + 1, sizeof(double));
    if (!values) return 1;
    build_bulk(s, low, high, values);
    for (; k < b->kept && b->into[k] < first[high]; k++) values[b->into[k] - first[low]] += b->coo[k];
    const int error = insert_rows(&s->petsc, &b->bulk, low, high, values, A);
    free(values);
    TRY(error);
  }
  TRY(s->petsc.MatAssemblyBegin(A, FINAL));
  return s->petsc.MatAssemblyEnd(A, FINAL);
}

/* The tangent at the present state. */
int fc_build(fc_loop *s, void *A) {
  const fc_forms *b = &s->forms;
  if (b->place && !s->reduce) return place_tangents(s, A);
  fc_evaluate(b->tangent, b->tangents, s->state, b->work);
  if (s->reduce) TRY(in_python(s->reduce, s->newton));
  if (b->place) return place_tangents(s, A);
  for (int i = 0; i < b->kept; i++) {
    const int k = b->which ? b->which[i] : i;
    b->coo[i] = b->cells[k] * s->scale[b->coo_rows[k]] * s->scale[b->coo_cols[k]];
  }
  if (b->into) return s->ranks.scatter && !b->part ? build_together(s, A) : build_alone(s, A);
  return s->petsc.MatSetValuesCOO(A, b->coo, INSERT);
}

static int jacobian(void *snes, void *x, void *A, void *P, void *context) {
  fc_loop *s = context;
  if (!(s->rebuild || s->full)) return 0; /* unchanged: PETSc keeps the factors too */
  s->tangent_age++;
  if (s->renewed++ % 4 == 1 || s->tangent_age > s->max_tangent_age)
    TRY(in_python(s->refresh, s->newton));
  s->rebuild = 0;
  s->built++;
  memcpy(s->at_tangent, s->state, s->numbers * sizeof(double));
  return s->build ? in_python(s->build, s->newton) : fc_build(s, P);
}

/* SNES's reason after an iteration. */
static int judge_iteration(fc_loop *s, fc_int its, double norm, int *reason) {
  const double last = s->scaled_residual;
  memmove(s->excess + s->classes, s->excess, 2 * s->classes * sizeof(double));
  TRY(fc_judge(s, &s->scaled_residual));
  if (!its) s->first_residual = s->scaled_residual;
  *reason = s->iterating;
  if (!isfinite(norm)) *reason = s->nan;
  else if (its && s->scaled_residual <= 1) *reason = s->converged;
  else if (its > 3 && s->scaled_residual > 1e6 * last) *reason = s->diverged;
  else if (its && !(s->scaled_residual < s->contraction * last) && slow(s, its)) s->full = 1;
  return 0;
}

static int converged(void *snes, fc_int its, double x, double step, double norm, int *reason,
                     void *context) {
  fc_loop *s = context;
  TRY(judge_iteration(s, its, norm, reason));
  /* -1: SNES keeps the tangent without looking for options that would compare it */
  return s->petsc.SNESSetLagJacobian(snes, s->rebuild || s->full ? 1 : -1);
}

/* The change of the unknowns by the present tangent; `failed` if that has no factors. */
static int newton_step(fc_loop *s, void *snes, int *failed) {
  const fc_petsc *p = &s->petsc;
  int reason = 0;
  TRY(jacobian(snes, 0, s->matrix, s->matrix, s));
  if (!s->pc) {
    TRY(p->KSPSolve(s->ksp, s->f_vector, s->dx_vector));
    TRY(p->KSPGetConvergedReason(s->ksp, &reason));
    *failed = reason < 0;
    return 0;
  }
  TRY(p->KSPSetUp(s->ksp));
  TRY(p->PCGetFailedReason(s->pc, &reason));
  if (!reason) {
    TRY(p->PCApply(s->pc, s->f_vector, s->dx_vector));
    TRY(p->PCGetFailedReason(s->pc, &reason)); /* of a solver inside another one */
  }
  *failed = reason != 0;
  return 0;
}

static int (*shell_context)(void *, void *); /* PETSc's SNESShellGetContext */

/* What PETSc's SNES of type newtonls does with the functions above and full steps, without what that
   costs in small systems: the same iterations, reasons and monitors. SNESSolve calls it; it searches
   PETSc's options in each solve, so that where nobody has asked for any of them it is left out. */
static int solve_lean(void *snes, void *x) {
  fc_loop *s;
  TRY(shell_context(snes, &s));
  const fc_petsc *p = &s->petsc;
  double tolerances[3], norm;
  fc_int most, evaluations;
  int reason, failed = 0;
  TRY(p->SNESGetTolerances(snes, tolerances, tolerances + 1, tolerances + 2, &most, &evaluations));
  for (fc_int its = 0;; its++) {
    TRY(function(snes, x, s->f_vector, s));
    TRY(p->VecNorm(s->f_vector, TWO_NORM, &norm));
    TRY(p->SNESSetIterationNumber(snes, its));
    TRY(p->SNESSetFunctionNorm(snes, norm));
    TRY(p->SNESMonitor(snes, its, norm));
    TRY(judge_iteration(s, its, norm, &reason));
    if (reason == s->iterating && its == most) reason = s->exhausted;
    if (reason == s->iterating) TRY(newton_step(s, snes, &failed));
    if (failed) reason = s->no_factors;
    if (reason != s->iterating) return p->SNESSetConvergedReason(snes, reason);
    TRY(p->VecAXPY(x, -1, s->dx_vector));
  }
}

/* Make SNES call the functions above; `shell` if it is of this type. */
int fc_attach(fc_loop *s, void *snes, int shell) {
  const fc_petsc *p = &s->petsc;
  TRY(p->SNESSetFunction(snes, s->f_vector, (void *)function, s));
  TRY(p->SNESSetJacobian(snes, s->matrix, s->matrix, (void *)jacobian, s));
  if (!shell) return p->SNESSetConvergenceTest(snes, (void *)converged, s, 0);
  shell_context = p->SNESShellGetContext;
  TRY(p->SNESShellSetContext(snes, s));
  return p->SNESShellSetSolve(snes, (void *)solve_lean);
}

/* Solve a step that ends at `time` from the guess in x. */
int fc_solve(fc_loop *s, double time, int full, void *snes, void *x) {
  s->time = time;
  s->full = full;
  s->renewed = full;
  s->scaled_residual = INFINITY;
  const uint64_t before = flush();
  const int error = s->direct ? solve_lean(snes, x) : s->petsc.SNESSolve(snes, 0, x);
  restore(before);
  TRY(error);
  TRY(s->petsc.SNESGetIterationNumber(snes, &s->its));
  s->iterations += s->its;
  return s->petsc.SNESGetConvergedReason(snes, &s->reason);
}

/* The largest force in each class of rows at the present state: of each row the sum of the sizes of
   the last residual's terms. Infinity if one is no number. */
int fc_row_forces(fc_loop *s) {
  const fc_forms *b = &s->forms;
  if (b->bulk_rows.batches)
    memcpy(b->g, b->bulk_rows.sizes, s->total * sizeof(double));
  else
    memset(b->g, 0, s->total * sizeof(double));
  memset(s->forces, 0, s->classes * sizeof(double));
  for (int i = 0; i < b->outputs; i++) b->g[b->rows[i]] += fabs(b->out[i]);
  TRY(add_over_ranks(s, b->g));
  for (int i = 0; i < s->owned; i++) {
    double *force = s->forces + s->row_class[i];
    if (s->measured[i]) *force = worse(*force, b->g[i] * s->scale[i]);
  }
  return largest_over_ranks(s, s->forces, s->classes);
}

/* Sums of the sizes of the cells' tangents, times `sizes` of the unknowns, in g. */
void fc_stiffness(fc_loop *s, const double *sizes) {
  const fc_forms *b = &s->forms;
  memset(b->g, 0, s->total * sizeof(double));
  const int count = b->coupled ? b->couplings : b->tangent_outputs;
  for (int k = 0; k < count; k++) {
    const int i = b->coupled ? b->coupled[k] : k;
    b->g[b->tangent_rows[i]] += fabs(b->tangent_out[i]) * sizes[b->tangent_cols[i]];
  }
  add_sizes(&b->bulk, s->state, sizes, b->g);
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
int fc_accepted(fc_loop *s) {
  const int fade = ++s->steps % s->memory == 0;
  int changed = fade;
  if (fade) /* the force of an impact must not loosen the tolerance for ever */
    for (int k = 0; k < s->classes; k++) s->force_scale[k] *= 0.5;
  TRY(fc_row_forces(s));
  for (int k = 0; k < s->classes; k++)
    if (s->forces[k] > s->force_scale[k] && isfinite(s->forces[k])) {
      s->force_scale[k] = s->forces[k];
      changed = 1;
    }
  if (changed) fc_weigh(s);
  /* A tangent is kept as long as its steps stay cheaper than the mean since it was built. */
  if (s->built != s->before) {
    s->before = s->built;
    s->cost = s->price;
    s->since = 0;
  }
  s->cost += s->its + 1;
  s->since++;
  if ((s->its + 1.0) * s->since > s->cost) s->rebuild = 1;
  return 0;
}

/* Velocities on their constraints, and the balance of forces with them, on one rank without
   followers; for any number of ranks: timestepping/velocity_constraints.py and stabilised.py. */

/* sums += factor A x */
static void multiply(const fc_entries *A, double factor, const double *x, double *sums) {
  const int *row = A->row, *col = A->col;
  const double *value = A->value;
  for (int e = 0; e < A->count; e++) sums[row[e]] += factor * value[e] * x[col[e]];
}

/* The present entries of a pattern. */
static void collect(fc_pattern *p, const double *cells) {
  fc_entries *A = &p->entries;
  int n = 0;
  for (int e = 0; e < p->count; e++) {
    const double value = cells[p->from[e]];
    if (value == 0) continue;
    A->row[n] = p->row[e];
    A->col[n] = p->col[e];
    A->value[n++] = value * p->factor[e];
  }
  A->count = n;
}

/* B, its transpose and dPhi/dt at the present state. */
static void evaluate_constraints(fc_loop *s, fc_velocities *w) {
  const double gamma = s->globals[1], beta = s->globals[2];
  s->globals[1] = w->fast;
  s->globals[2] = 0;
  fc_evaluate(w->tangent, w->tangents, s->state, s->forms.work);
  s->globals[1] = gamma;
  s->globals[2] = beta;
  memset(w->sizes, 0, s->total * sizeof(double));
  collect(&w->B, w->cells);
  collect(&w->transposed, w->cells);
  const fc_entries *B = &w->B.entries;
  for (int e = 0; e < B->count; e++) w->sizes[B->row[e]] += fabs(B->value[e]);
  fc_evaluate(w->drift, w->drifts, s->state, s->forms.work);
  fc_add(0, w->drift_rows, w->drift_outputs, w->drift_out, w->drift_sums, s->total, 0, 0);
}

/* See VelocityConstraints._violation. */
static double violation(fc_loop *s, fc_velocities *w) {
  const double *v = s->state + s->total;
  double part = 0, fastest = 1e-300;
  memcpy(w->left, w->drift_sums, s->total * sizeof(double));
  multiply(&w->B.entries, 1, v, w->left);
  if (w->rates) {
    fc_evaluate(w->rate, w->rates, s->state, s->forms.work);
    fc_add(0, w->rate_rows, w->rate_outputs, w->rate_out, w->rate_sums, s->total, 0, 0);
  }
  for (int i = 0; i < s->total; i++) fastest = larger(fastest, fabs(v[i] * s->dynamic[i]));
  for (int i = 0; i < s->owned; i++) {
    if (!w->held[i]) continue;
    if (w->rated[i]) w->left[i] = w->rate_sums[i];
    part = larger(part, fabs(w->left[i]) / larger(w->sizes[i], 1e-300));
  }
  return part / fastest;
}

static void take(fc_loop *s, const double *x, double *v) {
  for (int i = 0; i < s->local; i++) v[i] -= x[i] * s->dynamic[i];
}

/* See VelocityConstraints._unexplained; returns the largest by what its row may leave. */
static double unexplained(fc_loop *s, fc_velocities *w) {
  double most = 0;
  int any = 0;
  for (int i = 0; i < s->local; i++) any |= w->x[i] != 0;
  memset(w->rest, 0, s->total * sizeof(double));
  if (!any) return 0;
  for (int i = 0; i < s->local; i++) w->impulse[i] = w->held[i] * w->x[i] * w->masses[i];
  multiply(&w->M, -1, w->x, w->rest);
  multiply(&w->transposed.entries, -1, w->impulse, w->rest);
  for (int i = 0; i < s->owned; i++) {
    w->rest[i] *= s->dynamic[i];
    most = larger(most, fabs(w->rest[i]) * s->weights[i]);
  }
  return most;
}

/* See VelocityConstraints._refine. */
static int refine(fc_loop *s, fc_velocities *w, double ratio) {
  const fc_petsc *p = &s->petsc;
  double *v = s->state + s->total, before = INFINITY, older = INFINITY, *rhs;
  const double *change;
  memcpy(w->kept, v, s->total * sizeof(double));
  take(s, w->x, v);
  w->its = w->asked = 0;
  for (;;) {
    w->part = violation(s, w);
    const double off = larger(w->part / w->tolerance, ratio * unexplained(s, w) / w->share);
    if (off <= 1) break;
    if (!w->factors || w->its == w->most || (w->its > 1 && !(off < 0.5 * older))) {
      w->asked = !w->factors || !(off <= w->accepted);
      break;
    }
    older = before;
    before = off;
    TRY(p->VecGetArray(w->b, &rhs));
    for (int i = 0; i < s->owned; i++)
      rhs[i] = w->held[i] ? w->left[i] * w->masses[i] : w->rest[i];
    TRY(p->VecRestoreArray(w->b, &rhs));
    TRY(p->PCApply(w->pc, w->b, w->solution));
    TRY(p->VecGetArrayRead(w->solution, &change));
    for (int i = 0; i < s->local; i++) w->x[i] += change[i];
    take(s, change, v);
    TRY(p->VecRestoreArrayRead(w->solution, &change));
    w->its++;
  }
  memcpy(v, w->kept, s->total * sizeof(double));
  if (w->asked) return 0;
  w->cost += w->its;
  w->since++;
  if ((double)w->its * w->since > w->cost) w->factors = 0; /* no longer worth keeping */
  return 0;
}

/* See VelocityConstraints.improve. */
int fc_improve(fc_loop *s, fc_velocities *w, double ratio) {
  evaluate_constraints(s, w);
  return refine(s, w, ratio);
}

/* See Stabilised._expect. */
int fc_expect(fc_loop *s, fc_velocities *w, double square, const double *taken, double *base,
              void *x) {
  double *guess;
  memcpy(base, s->v0, s->local * sizeof(double));
  for (int i = 0; i < s->local; i++) w->x[i] = taken[i] * square;
  take(s, w->x, s->v0);
  TRY(s->petsc.VecGetArray(x, &guess));
  for (int i = 0; i < s->owned; i++) {
    const double part = s->dynamic[i] ? 1 : s->beta * w->masses[i] * w->held[i];
    guess[i] += part * w->x[i] / (s->gamma * s->scale[i]);
  }
  return s->petsc.VecRestoreArray(x, &guess);
}

/* See Stabilised._correct. */
int fc_balance(fc_loop *s, fc_velocities *w, int rounds, void *ksp, void *x, void *dx) {
  const fc_petsc *p = &s->petsc;
  const double ratio = s->beta / s->gamma, *unknowns;
  double *q = s->state, *v = q + s->total, *a = v + s->total, *rows, last = INFINITY;
  for (;;) {
    TRY(p->VecGetArrayRead(x, &unknowns));
    fc_set(s, unknowns);
    TRY(p->VecRestoreArrayRead(x, &unknowns));
    TRY(fc_improve(s, w, ratio));
    if (w->asked) return 0;
    take(s, w->x, v);
    for (int i = 0; i < s->local; i++) {
      a[i] -= ratio * w->x[i] * s->dynamic[i];
      q[i] -= ratio * w->x[i] * w->masses[i] * w->held[i];
    }
    evaluate_rows(s);
    TRY(p->VecGetArray(s->f_vector, &rows));
    for (int i = 0; i < s->owned; i++) rows[i] = s->forms.f[i] * s->scale[i];
    w->excess = largest(s, rows);
    for (int i = 0; i < s->owned; i++)
      if (!isfinite(rows[i])) w->excess = INFINITY; /* a maximum loses a NaN */
    TRY(p->VecRestoreArray(s->f_vector, &rows));
    if (w->excess <= 1 || !(w->excess < s->contraction * last) || !rounds--) return 0;
    last = w->excess;
    TRY(p->KSPSolve(ksp, s->f_vector, dx));
    TRY(p->VecAXPY(x, -1, dx));
    s->its++;
    s->iterations++;
  }
}


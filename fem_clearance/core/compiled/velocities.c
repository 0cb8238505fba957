/* Velocities on their constraints, and the balance of forces with them. */

/* sums += factor A x */
void fc_multiply(const fc_entries *A, double factor, const double *x, double *sums) {
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
int fc_constraints(fc_loop *s, fc_velocities *w) {
  const double gamma = s->globals[1], beta = s->globals[2];
  follow_all(s);
  s->globals[1] = w->fast;
  s->globals[2] = 0;
  fc_evaluate(w->tangent, w->tangents, s->state, s->forms.work);
  s->globals[1] = gamma;
  s->globals[2] = beta;
  if (s->reduce) TRY(in_python(s->reduce, s->newton));
  memset(w->sizes, 0, s->total * sizeof(double));
  collect(&w->B, w->cells);
  collect(&w->transposed, w->cells);
  const fc_entries *B = &w->B.entries;
  for (int e = 0; e < B->count; e++) w->sizes[B->row[e]] += fabs(B->value[e]);
  fc_evaluate(w->drift, w->drifts, s->state, s->forms.work);
  fc_add(0, w->drift_rows, w->drift_outputs, w->drift_out, w->drift_sums, s->total);
  return add_over_ranks(s, w->sizes);
}

/* B v + dPhi/dt, or s, of the rows of constraints. */
static void add_violation(fc_loop *s, fc_velocities *w) {
  double *v = s->state + s->total;
  for (int i = 0; i < s->total; i++) w->left[i] = w->held[i] ? w->drift_sums[i] : 0;
  fc_multiply(&w->B.entries, 1, v, w->left);
  if (!w->rate.count) return;
  follow(s, v);
  evaluate_rates(s, &w->rate);
  for (int i = 0; i < s->local; i++)
    if (w->rate.held[i]) w->left[i] = w->rate.sums[i];
}

/* Momentum B^T eta - M w of x in the other rows. */
static void add_momentum(const fc_loop *s, fc_velocities *w) {
  int any = 0;
  for (int i = 0; i < s->local; i++) any |= w->x[i] != 0;
  if (!any) return;
  for (int i = 0; i < s->local; i++) w->impulse[i] = w->held[i] * w->x[i] * w->masses[i];
  fc_multiply(&w->M, -1, w->x, w->left);
  fc_multiply(&w->transposed.entries, -1, w->impulse, w->left);
}

/* What is left at the present velocities, and how far off that is in units of what may be. A
   violation counts as a part of what its row makes of the fastest unknown: what is finer is
   round-off. Momentum counts by what its row may leave. */
static int look(fc_loop *s, fc_velocities *w, double ratio, double *off) {
  const double *v = s->state + s->total;
  double sizes[3] = {0, 1e-300, 0}, *part = sizes, *fastest = sizes + 1, *most = sizes + 2;
  add_violation(s, w);
  add_momentum(s, w);
  TRY(add_over_ranks(s, w->left));
  for (int i = 0; i < s->total; i++) *fastest = larger(*fastest, fabs(v[i] * s->dynamic[i]));
  for (int i = 0; i < s->owned; i++)
    if (w->held[i])
      *part = worse(*part, fabs(w->left[i]) / larger(w->sizes[i], 1e-300));
    else
      *most = worse(*most, fabs(w->left[i]) * s->weights[i]);
  TRY(largest_over_ranks(s, sizes, 3));
  *off = worse(ratio > 0 ? ratio * *most / w->share : 0, *part / *fastest / w->tolerance);
  return 0;
}

/* Take a part of x off velocities. */
static void take(const fc_loop *s, double part, const double *x, double *v) {
  for (int i = 0; i < s->local; i++) v[i] -= part * x[i] * s->dynamic[i];
}

/* Take x off velocities, and add what forces see instead. */
static void show(fc_loop *s, fc_velocities *w, double *v) {
  take(s, 1, w->x, v);
  memcpy(w->shown, w->turned, s->local * sizeof(double));
  take(s, -w->seen, w->x, w->shown);
  for (int i = 0; i < s->local; i++) v[i] += w->shown[i];
  s->shown = w->shown;
  s->rates = w->rate.count ? &w->rate : 0;
}

/* See VelocityConstraints.violation. */
int fc_violation(fc_loop *s, fc_velocities *w) {
  double off;
  TRY(fc_constraints(s, w));
  return look(s, w, 0, &off);
}

/* Correct x by the kept factors. */
static int correct(fc_loop *s, fc_velocities *w, double *v) {
  const fc_petsc *p = &s->petsc;
  void *from = local_of(s, w->solution);
  const double *change;
  double *rhs;
  TRY(p->VecGetArray(w->b, &rhs));
  for (int i = 0; i < s->owned; i++) rhs[i] = w->left[i] * (w->held[i] ? w->masses[i] : 1);
  TRY(p->VecRestoreArray(w->b, &rhs));
  TRY(p->PCApply(w->pc, w->b, w->solution));
  TRY(spread(s, w->solution));
  TRY(p->VecGetArrayRead(from, &change));
  for (int i = 0; i < s->local; i++) w->x[i] += change[i];
  take(s, 1, change, v);
  return p->VecRestoreArrayRead(from, &change);
}

/* Corrections as long as two leave less than half: what is off moves to and fro between velocities
   and momentum. */
static int refine(fc_loop *s, fc_velocities *w, double ratio) {
  double *v = s->state + s->total, before = INFINITY, older = INFINITY, off;
  memcpy(w->kept, v, s->total * sizeof(double));
  take(s, 1, w->x, v);
  w->its = w->asked = 0;
  for (;;) {
    TRY(look(s, w, ratio, &off));
    if (off <= 1) break;
    if (!w->factors || w->its == w->most || (w->its > 1 && !(off < 0.5 * older))) {
      w->asked = !w->factors || !(off <= w->accepted);
      break;
    }
    older = before;
    before = off;
    TRY(correct(s, w, v));
    w->its++;
  }
  memcpy(v, w->kept, s->total * sizeof(double));
  if (w->asked) return 0;
  w->cost += w->its;
  w->since++;
  /* dearer than the mean since they were made */
  if ((double)w->its * w->since > w->cost) w->factors = 0;
  return 0;
}

/* See VelocityConstraints.improve. */
int fc_improve(fc_loop *s, fc_velocities *w, double ratio) {
  TRY(fc_constraints(s, w));
  return refine(s, w, ratio);
}

/* See Stabilised._expect. */
int fc_expect(fc_loop *s, fc_velocities *w, double square, const double *taken, double *base,
              void *x) {
  double *guess;
  memcpy(base, s->v0, s->local * sizeof(double));
  for (int i = 0; i < s->local; i++) w->x[i] = taken[i] * square;
  show(s, w, s->v0);
  TRY(s->petsc.VecGetArray(x, &guess));
  for (int i = 0; i < s->owned; i++) {
    const double part = s->dynamic[i] ? 1 : s->beta * w->masses[i] * w->held[i];
    guess[i] += part * w->x[i] / (s->gamma * s->scale[i]);
  }
  return s->petsc.VecRestoreArray(x, &guess);
}

/* The velocities of the next solution are those that forces see. */
void fc_show(fc_loop *s, fc_velocities *w) { show(s, w, s->v0); }

/* See Stabilised._balance. */
int fc_balance(fc_loop *s, fc_velocities *w, int rounds, void *ksp, void *x, void *dx) {
  const fc_petsc *p = &s->petsc;
  const double ratio = s->beta / s->gamma;
  double *q = s->state, *v = q + s->total, *a = v + s->total, last = INFINITY;
  for (;;) {
    TRY(set_from(s, x));
    TRY(fc_improve(s, w, ratio));
    if (w->asked) return 0;
    show(s, w, v);
    for (int i = 0; i < s->local; i++) {
      a[i] -= ratio * w->x[i] * s->dynamic[i];
      q[i] -= ratio * w->x[i] * w->masses[i] * w->held[i];
    }
    follow_all(s);
    TRY(residual(s, s->f_vector));
    TRY(fc_judge(s, &w->excess));
    if (w->excess <= 1 || !(w->excess < s->contraction * last) || !rounds--) break;
    last = w->excess;
    TRY(p->KSPSolve(ksp, s->f_vector, dx));
    TRY(p->VecAXPY(x, -1, dx));
    s->its++;
    s->iterations++;
  }
  for (int i = 0; i < s->local; i++) v[i] -= w->shown[i];
  s->shown = 0;
  follow_all(s);
  return 0;
}

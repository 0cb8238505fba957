/* Stabilised constraints on one rank without followers: what velocities have too much, the balance of
   forces with what is right, and how directors turn. The same in Python, for reading and for all
   others: timestepping/velocity_constraints.py, scheme.py and turning.py. */

/* --- velocities on their constraints ---------------------------------------------------------- */

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
  fc_evaluate(w->tangent, w->tangents, s->state, s->work);
  s->globals[1] = gamma;
  s->globals[2] = beta;
  memset(w->sizes, 0, s->total * sizeof(double));
  collect(&w->B, w->cells);
  collect(&w->transposed, w->cells);
  const fc_entries *B = &w->B.entries;
  for (int e = 0; e < B->count; e++) w->sizes[B->row[e]] += fabs(B->value[e]);
  fc_evaluate(w->drift, w->drifts, s->state, s->work);
  fc_add(0, w->drift_rows, w->drift_outputs, w->drift_out, w->drift_sums, s->total, 0, 0);
}

/* See VelocityConstraints._violation. */
static double violation(fc_loop *s, fc_velocities *w) {
  const double *v = s->state + s->total;
  double part = 0, fastest = 1e-300;
  memcpy(w->left, w->drift_sums, s->total * sizeof(double));
  multiply(&w->B.entries, 1, v, w->left);
  if (w->rates) {
    fc_evaluate(w->rate, w->rates, s->state, s->work);
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
    for (int i = 0; i < s->owned; i++) rows[i] = s->f[i] * s->scale[i];
    w->excess = largest(s, rows);
    for (int i = 0; i < s->owned; i++)
      if (!isfinite(rows[i])) w->excess = INFINITY; /* a maximum loses a NaN */
    TRY(p->VecRestoreArray(s->f_vector, &rows));
    if (w->excess <= 1 || !(w->excess < s->pace * last) || !rounds--) return 0;
    last = w->excess;
    TRY(p->KSPSolve(ksp, s->f_vector, dx));
    TRY(p->VecAXPY(x, -1, dx));
    s->its++;
    s->iterations++;
  }
}

/* --- directors that turn ---------------------------------------------------------------------- */

/* spin = half the sum of d_k x (rate of d_k) */
static void spin_of(const int *places, const double *q, const double *v, double *spin) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    spin[i] = 0;
    for (int d = 0; d < 9; d += 3)
      spin[i] += (q[places[d + j]] * v[places[d + k]] - q[places[d + k]] * v[places[d + j]]) / 2;
  }
}

static double size_of(const double *x, int n) {
  double size = 0;
  for (int i = 0; i < n; i++) size = larger(size, fabs(x[i]));
  return size;
}

/* See turning._slopes. */
static void slopes_of(const fc_turning *t, const int *places, int total, double last, double older,
                      double *spin) {
  double before[3], first[3], second[3], changes[6], *alpha = spin + 3, *beta = spin + 6;
  const double *past = t->past;
  spin_of(places, past, past + total, before);
  spin_of(places, past + 2 * total, past + 3 * total, first);
  for (int i = 0; i < 3; i++) {
    changes[i] = spin[i] - before[i];
    changes[3 + i] = before[i] - first[i];
  }
  const int smooth = size_of(changes, 6) < 0.5 * size_of(spin, 3);
  for (int i = 0; i < 3; i++) {
    first[i] = changes[i] / last;
    second[i] = changes[3 + i] / older;
    beta[i] = smooth * 2 * (first[i] - second[i]) / (last + older);
    alpha[i] = smooth * (first[i] + beta[i] * last / 2);
  }
}

/* sums += factor w x d for three directors d */
static void add_cross(const double *w, double factor, const double *d, double *sums) {
  for (int k = 0; k < 9; k += 3)
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      sums[k + i] += factor * (w[j] * d[k + l] - w[l] * d[k + j]);
    }
}

/* Derivatives of a body's directors, see Turning._series; returns how many are above round-off of
   directors, rates and accelerations in a step of h with the largest angle x. */
static int series_of(fc_turning *t, const double *spin, const double *d, double h, double x) {
  double part = 1;
  int small = 0;
  memcpy(t->series, d, 9 * sizeof(double));
  for (int k = 0; k + 1 < t->terms; k++) {
    double *next = t->series + 9 * (k + 1);
    memset(next, 0, 9 * sizeof(double));
    add_cross(spin, 1, next - 9, next);
    if (k > 0) add_cross(spin + 3, k, next - 18, next);
    if (k > 1) add_cross(spin + 6, k * (k - 1) / 2.0, next - 27, next);
    part *= h / (k + 1);
    small = size_of(next, 9) * part * (k + 1) * (k + 1) < 1e-18 * x * x ? small + 1 : 0;
    if (small == 3) return k + 2;
  }
  return t->terms;
}

/* What turning directors add to the formulas of a step of h that begins here: for each row of
   weights the sum of the derivatives. 0 if nothing turns. last, older: steps before, 0 without. */
int fc_turn(const fc_loop *s, fc_turning *t, double h, double last, double older,
            const double *weights, int rows, double *added) {
  const double *q = s->state, *v = q + s->total, *a = v + s->total;
  double fastest = 0, d[9];
  for (int b = 0; b < t->bodies; b++) {
    double *spin = t->slopes + 9 * b;
    spin_of(t->places + 9 * b, q, v, spin);
    fastest = larger(fastest, size_of(spin, 3) * h);
  }
  for (int b = 0; b < t->bodies && fastest >= t->slow; b++) {
    const int *places = t->places + 9 * b;
    double *spin = t->slopes + 9 * b;
    if (older > 0)
      slopes_of(t, places, s->total, last, older, spin);
    else { /* the accelerations of a start are exact; those of later steps would be fed back */
      spin_of(places, q, a, spin + 3);
      memset(spin + 6, 0, 3 * sizeof(double));
    }
    for (int i = 0; i < 9; i++) d[i] = q[places[i]];
    const int terms = series_of(t, spin, d, h, fastest);
    for (int r = 0; r < rows; r++)
      for (int i = 0; i < 9; i++) {
        double sum = 0;
        for (int k = 0; k < terms; k++) sum += weights[r * t->terms + k] * t->series[9 * k + i];
        if (places[i] < s->local) added[r * s->local + places[i]] = sum;
      }
  }
  memcpy(t->past + 2 * s->total, t->past, 2 * s->total * sizeof(double));
  memcpy(t->past, q, 2 * s->total * sizeof(double));
  return fastest >= t->slow;
}

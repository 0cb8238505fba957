/* Where a stage of a step begins and ends: sums over vectors by an integrator's rows of numbers, see
   timestepping/row_engine.py. Values of other ranks' unknowns are computed here as there, not
   sent. */

/* sums += row of vectors, or = if it is empty yet */
static void add_vectors(const double *row, const double *vectors, int vector, int count, int n,
                        int *empty, double *restrict sums) {
  for (int j = 0; j < count; j++) {
    const double c = row[j], *restrict z = vectors + j * vector;
    if (c == 0) continue;
    if (*empty)
      for (int i = 0; i < n; i++) sums[i] = c * z[i];
    else
      for (int i = 0; i < n; i++) sums[i] += c * z[i];
    *empty = 0;
  }
}

/* A row over q, v, a, own vectors and those for a = 0, of what moves: the others are 0 but for q,
   which is their value. */
static void combine(const fc_loop *s, const fc_history *k, const double *row, double *sums) {
  const int n = s->local;
  int empty = 1;
  add_vectors(row, s->state, s->total, 3, n, &empty, sums);
  add_vectors(row + 3, k->own, n, k->count, n, &empty, sums);
  add_vectors(row + 3 + k->count, k->fresh, n, k->count, n, &empty, sums);
  if (empty) memset(sums, 0, n * sizeof(double));
  if (row[0] != 0)
    for (int i = 0; i < n; i++)
      if (!s->dynamic[i]) sums[i] = 0;
}

/* Keep the start of a step that is so many times longer than the last one, 0 without one; vectors
   whose time moves with the step are moved. */
static void begin_step(fc_loop *s, fc_history *k, double longer) {
  const int n = s->local;
  const double *a = s->state + 2 * s->total;
  memcpy(k->saved_state, s->state, s->numbers * sizeof(double));
  memcpy(k->saved_own, k->own, k->count * n * sizeof(double));
  memcpy(k->saved_old, k->old, n * sizeof(double));
  memcpy(s->state + 3 * s->total, s->state, s->total * sizeof(double)); /* q_n */
  for (int j = 0; j < k->count; j++) {
    double *z = k->own + j * n;
    if (!k->moves[j] || longer == 0) continue;
    if (longer > 1) /* the jerk's part of it grows, no error does */
      for (int i = 0; i < n; i++) {
        if (s->dynamic[i]) z[i] += (longer - 1) * k->ahead[j] * (a[i] - k->old[i]);
      }
    else
      for (int i = 0; i < n; i++) z[i] = a[i] + longer * (z[i] - a[i]);
  }
}

/* Start values and first guess of a stage. */
int fc_predict(fc_loop *s, fc_history *k, const fc_stage *stage, double longer, void *x) {
  const int n = s->local, width = 3 + 2 * k->count;
  const double *q = s->state, *a = q + 2 * s->total;
  double ahead = stage->ahead, *guess;
  if (stage->number)
    memcpy(k->middle + (stage->number - 1) * n, a, n * sizeof(double));
  else {
    begin_step(s, k, longer);
    ahead *= longer;
  }
  for (int j = 0; j < k->count; j++) combine(s, k, stage->rows + j * width, k->fresh + j * n);
  combine(s, k, stage->rows + k->count * width, s->q0);
  combine(s, k, stage->rows + (k->count + 1) * width, s->v0);
  memcpy(k->own, k->fresh, k->count * n * sizeof(double));
  TRY(s->petsc.VecGetArray(x, &guess));
  for (int i = 0; i < n; i++) {
    const double y = s->dynamic[i] ? a[i] : q[i];
    double next = (stage->number ? k->old[i] : y) + ahead * (y - k->old[i]);
    if (!stage->number) k->old[i] = y;
    if (s->dynamic[i]) next /= s->beta;
    if (i < s->owned) guess[i] = next / s->scale[i];
  }
  return s->petsc.VecRestoreArray(x, &guess);
}

void fc_update(const fc_loop *s, fc_history *k, const fc_stage *stage) {
  int empty = 0;
  for (int j = 0; j < k->count; j++) {
    const double *row = stage->ends + 3 * j;
    double *own = k->own + j * s->local;
    add_vectors(row, s->state, s->total, 3, s->local, &empty, own);
    if (row[0] != 0)
      for (int i = 0; i < s->local; i++)
        if (!s->dynamic[i]) own[i] = 0;
  }
}

/* Local errors of owned unknowns, from how far the accelerations change in the step, less their
   noise; of a scheme of first order from the accelerations. */
void fc_errors(const fc_loop *s, const fc_history *k, int middles, int first_order, double factor,
               double noise, double *errors) {
  const double *end = s->state + 2 * s->total, *old = k->old;
  for (int i = 0; i < s->owned; i++) {
    double change = fabs(first_order ? end[i] : end[i] - old[i]);
    for (int j = 0; j < middles && !first_order; j++) {
      const double middle = k->middle[j * s->local + i];
      change = worse(change, larger(fabs(middle - old[i]), fabs(end[i] - middle)));
    }
    errors[i] = larger(change - noise * s->noisy[i], 0) * factor * s->dynamic[i];
  }
}

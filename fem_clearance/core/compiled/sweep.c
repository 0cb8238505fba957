/* Derivatives of many steps of one length, forwards and backwards, see sensitivity/sweeps.py. */

/* REFINED: solutions by factors of the matrix itself, each of which leaves only round-off. KEPT: at
   most by kept ones, until a residual is EXACT, if each leaves no more than SLOW of it. */
static const double SLOW = 0.1, EXACT = 1e-15;
enum { REFINED = 3, KEPT = 10, RATES = 1, ACCELERATIONS = 2, BOTH = 3 };

/* Tangents of the cells for given da/dq and dv/dq, of those whose forces know `reads` (any, rates,
   accelerations): others are as in the evaluation before. */
static void evaluate_tangents(fc_sweep *w, double beta, double gamma, int reads) {
  w->globals[1] = gamma;
  w->globals[2] = beta;
  for (int b = 0; b < w->tangents; b++)
    if ((w->reads[b] & reads) == reads) fc_evaluate(w->tangent + b, 1, w->state, w->work);
}

/* Add the present tangents of the cells whose forces know exactly `reads`. */
static void add_tangents(const fc_sweep *w, int reads, double *values) {
  const fc_summed *p = &w->of_J;
  for (int i = w->known[reads]; i < w->known[reads + 1]; i++)
    values[p->place[i]] += w->cells[p->take[i]];
}

/* K, G and J. Cells that know no rates, or no accelerations, are added up once for several. */
static void tangents_of(fc_sweep *w) {
  const size_t entries = w->of_J.first[w->n], size = entries * sizeof(double);
  memset(w->fixed, 0, size);
  evaluate_tangents(w, 0, 0, 0);
  add_tangents(w, 0, w->fixed);
  memcpy(w->G, w->fixed, size);
  add_tangents(w, ACCELERATIONS, w->G);
  memcpy(w->K, w->G, size);
  add_tangents(w, RATES, w->K);
  add_tangents(w, BOTH, w->K);
  memset(w->J, 0, size);
  evaluate_tangents(w, 0, w->gamma, RATES);
  add_tangents(w, RATES, w->J);
  add_tangents(w, BOTH, w->G);
  for (size_t e = 0; e < entries; e++) {
    w->G[e] += w->J[e];
    w->J[e] += w->fixed[e];
  }
  evaluate_tangents(w, w->beta, w->gamma, ACCELERATIONS);
  add_tangents(w, ACCELERATIONS, w->J);
  add_tangents(w, BOTH, w->J);
}

/* Factors of the present J; `failed`: it has none. */
static int factorise(fc_sweep *w, int *failed) {
  const int entries = w->of_J.first[w->n];
  double *unused;
  for (int e = 0; e < entries; e++) w->scaled[e] = w->J[e] * w->factor[e];
  TRY(w->petsc->MatSeqAIJGetArray(w->matrix, &unused)); /* tells PETSc that they are new */
  TRY(w->petsc->MatSeqAIJRestoreArray(w->matrix, &unused));
  TRY(w->petsc->KSPSetUp(w->ksp));
  return w->petsc->PCGetFailedReason(w->pc, failed);
}

static int factorise_anew(fc_sweep *w, int *failed) {
  w->spent = 0;
  w->uses = 1;
  return factorise(w, failed);
}

/* The equations at the end of a step. Factors are those of an earlier step, by which solutions
   are refined, as long as that costs less than new ones, as Newton's method keeps its own. */
static int linearise(fc_sweep *w, const double *end, int *failed) {
  memcpy(w->state, end, w->numbers * sizeof(double));
  const double gamma = w->globals[1], beta = w->globals[2];
  tangents_of(w);
  w->globals[1] = gamma;
  w->globals[2] = beta;
  if (w->memories) {
    const fc_summed *p = &w->of_N;
    fc_evaluate(w->memory, w->memories, w->state, w->memory_work);
    fc_add(p->take, p->place, p->count, w->memory_out, w->N, p->first[w->n]);
  }
  *failed = 0;
  const int dearer = w->latest * w->uses >= w->spent + w->renewal; /* than an average step */
  w->latest = 0;
  if (!w->uses || dearer) return factorise_anew(w, failed);
  w->uses++;
  return 0;
}

/* y += sign A x, of a matrix by rows */
static void times(const fc_summed *p, const double *A, int n, double sign, const double *x,
                  double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int e = p->first[i]; e < p->first[i + 1]; e++) sum += A[e] * x[p->column[e]];
    y[i] += sign * sum;
  }
}

/* y += sign A' x */
static void times_transposed(const fc_summed *p, const double *A, int n, double sign,
                             const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    const double factor = sign * x[i];
    if (factor == 0) continue;
    for (int e = p->first[i]; e < p->first[i + 1]; e++) y[p->column[e]] += factor * A[e];
  }
}

/* K' x and G' x */
static void products_transposed(const fc_sweep *w, const double *x, double *by_K, double *by_G) {
  const fc_summed *p = &w->of_J;
  memset(by_K, 0, w->n * sizeof(double));
  memset(by_G, 0, w->n * sizeof(double));
  for (int i = 0; i < w->n; i++) {
    if (x[i] == 0) continue;
    for (int e = p->first[i]; e < p->first[i + 1]; e++) {
      const int k = p->column[e];
      by_K[k] += x[i] * w->K[e];
      by_G[k] += x[i] * w->G[e];
    }
  }
}

/* sums += factor z, by unknown */
static void add_scaled(double factor, const double *z, int n, double *sums) {
  if (factor != 0)
    for (int i = 0; i < n; i++) sums[i] += factor * z[i];
}

/* The next of a column's solutions, extrapolated from those of the last three steps, or of fewer. */
static void extrapolate(const fc_sweep *w, int c, double *y) {
  static const double factors[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, -1, 0}, {3, -3, 1}};
  memset(y, 0, w->n * sizeof(double));
  for (int k = 0; k < 3; k++)
    add_scaled(factors[w->solved][k], w->past + (k * w->columns + c) * w->n, w->n, y);
}

/* Keep a column's solution, and forget the oldest. */
static void keep_solution(fc_sweep *w, int c, const double *y) {
  const size_t next = (size_t)w->columns * w->n, size = w->n * sizeof(double);
  double *past = w->past + c * w->n;
  memcpy(past + 2 * next, past + next, size);
  memcpy(past + next, past, size);
  memcpy(past, y, size);
}

/* Solution of J y = rhs or J' y = rhs of a column, refined, by new factors where kept ones do not
   lead to it; `failed`: it is not accurate. */
static int solve_refined(fc_sweep *w, int c, const double *rhs, int transposed, double *y,
                         int *failed) {
  const int n = w->n;
  int most = w->uses > 1 ? KEPT : REFINED;
  double size = 0, error = INFINITY, before = INFINITY, *to, *left = w->left;
  const double *from;
  for (int i = 0; i < n; i++) {
    size = worse(size, fabs(w->scale[i] * rhs[i]));
    left[i] = rhs[i];
  }
  *failed = !(size < INFINITY);
  extrapolate(w, c, y);
  if (*failed) return 0;
  if (size == 0) memset(y, 0, n * sizeof(double));
  if (size > 0 && w->solved) (transposed ? times_transposed : times)(&w->of_J, w->J, n, -1, y, left);
  for (int k = 0; size > 0 && k < most; k++) {
    if (error <= (w->uses > 1 ? EXACT : w->settled) * size) break;
    if (w->uses > 1 && (k == KEPT - 1 || (k && !(error <= SLOW * before)))) {
      if (error <= w->settled * size) break;
      TRY(factorise_anew(w, failed));
      if (*failed) return 0;
      most = k + REFINED;
    }
    before = error;
    w->spent++;
    w->latest++;
    TRY(w->petsc->VecGetArray(w->b, &to));
    for (int i = 0; i < n; i++) to[i] = w->scale[i] * left[i];
    TRY(w->petsc->VecRestoreArray(w->b, &to));
    TRY((transposed ? w->petsc->PCApplyTranspose : w->petsc->PCApply)(w->pc, w->b, w->x));
    TRY(w->petsc->VecGetArrayRead(w->x, &from));
    for (int i = 0; i < n; i++) y[i] += w->scale[i] * from[i];
    TRY(w->petsc->VecRestoreArrayRead(w->x, &from));
    memcpy(left, rhs, n * sizeof(double));
    (transposed ? times_transposed : times)(&w->of_J, w->J, n, -1, y, left);
    error = 0;
    for (int i = 0; i < n; i++) error = worse(error, fabs(w->scale[i] * left[i]));
  }
  *failed = size > 0 && !(error <= w->accurate * size);
  if (!*failed) keep_solution(w, c, y);
  return 0;
}

/* The residual of a model close by at a state of the run. */
static void evaluate_nearby(const fc_nearby *b, const double *end) {
  for (int i = 0; i < b->numbers; i++) b->state[i] = end[i] + b->offset[i];
  fc_evaluate(b->residual, b->batches, b->state, b->work);
  fc_add(0, b->rows, b->outputs, b->out, b->f, b->total);
}

/* Derivatives of the equations at a state of the run by the parameters and by time, as differences
   of models close by. */
static void evaluate_sides(fc_sweep *w, const double *end) {
  memset(w->by, 0, (size_t)w->sides * w->n * sizeof(double));
  for (const fc_nearby *b = w->near; b < w->near + w->nearby; b++) {
    evaluate_nearby(b, end);
    add_scaled(b->factor, b->f, w->n, w->by + (size_t)b->of * w->n);
  }
}

/* One column over a step: U by its vectors, the equations' right-hand side but for models close by
   (added to `rhs`), the solution y, the vectors at the end. */
static int column_forward(fc_sweep *w, int c, const double *rhs, int *failed) {
  const int n = w->n, m = w->m, next = w->columns * n;
  double *U = w->U, *y = w->left + n, *sum = y + n, *along = sum + n;
  double *Z = w->Z + c * n;
  memset(U, 0, (m + 2) * n * sizeof(double));
  for (int r = 0; r < m + 2; r++) {
    for (int j = 0; j < w->vectors; j++)
      add_scaled(w->A[r * w->vectors + j], Z + j * next, n, U + r * n);
    for (int i = 0; i < n; i++) U[r * n + i] *= w->dynamic[i];
  }
  const double *q0 = U + m * n, *v0 = q0 + n;
  const fc_summed *p = &w->of_J;
  for (int i = 0; i < n; i++) along[i] = v0[i] / w->gamma;
  for (int i = 0; i < n; i++) {
    double total = rhs[i];
    for (int e = p->first[i]; e < p->first[i + 1]; e++) {
      const int k = p->column[e];
      total += w->K[e] * (q0[k] - along[k]) + w->G[e] * along[k];
    }
    sum[i] = -total;
  }
  if (w->memories) times(&w->of_N, w->N, n, -1, Z, sum);
  TRY(solve_refined(w, c, sum, 0, y, failed));
  if (*failed) return 0;
  const double *old = Z + 2 * next;
  double *kept = sum; /* accelerations before */
  memcpy(kept, old, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    Z[i] = q0[i] + y[i];
    Z[next + i] = (v0[i] + w->gamma * y[i]) * w->dynamic[i];
    Z[2 * next + i] = w->beta * y[i] * w->dynamic[i];
  }
  for (int j = 0; j < m; j++) {
    double *own = Z + (3 + j) * next;
    const double *row = w->ends + 3 * j;
    for (int i = 0; i < n; i++)
      own[i] = U[j * n + i] + (row[0] * Z[i] + row[1] * Z[next + i] + row[2] * Z[2 * next + i]) *
                                  w->dynamic[i];
  }
  memcpy(Z + (3 + m) * next, kept, n * sizeof(double));
  memset(Z + (4 + m) * next, 0, n * sizeof(double));
  memset(Z + (5 + m) * next, 0, n * sizeof(double));
  return 0;
}

/* The largest displacement, at a fixed time, of a hundredth of a parameter's size times 100. */
static double moved(const fc_sweep *w, const double *end) {
  const double *v = end + w->total;
  double most = 0;
  for (int c = 0; c < w->columns; c++)
    for (int i = 0; i < w->n; i++) {
      const double z = w->Z[c * w->n + i] - v[i] * w->drift[c];
      most = worse(most, fabs(w->length[i] * z) * w->sizes[c]);
    }
  return most;
}

/* Over steps, whose ends are states of the run. `done`: how many; fewer than `count` where the
   linear equations of the next have no accurate solution, and nothing of it has changed. */
int fc_sweep_forward(fc_sweep *w, const uintptr_t *ends, int count, int *done) {
  const size_t n = w->n, size = n * w->columns, all = size * w->vectors;
  double *rhs = malloc((size + all) * sizeof(double)), *before = rhs + size;
  int failed = 0, error = 0;
  if (!rhs) return 1;
  w->beyond = -1;
  w->uses = w->solved = 0;
  for (*done = 0; *done < count; ++*done) {
    const double *end = (const double *)ends[*done];
    if ((error = linearise(w, end, &failed)) || failed) break;
    evaluate_sides(w, end);
    memcpy(rhs, w->by, size * sizeof(double));
    for (int c = 0; c < w->columns; c++) add_scaled(w->drift[c], w->by + size, n, rhs + c * n);
    memcpy(before, w->Z, all * sizeof(double));
    for (int c = 0; c < w->columns && !error && !failed; c++)
      error = column_forward(w, c, rhs + c * n, &failed);
    if (error || failed) {
      memcpy(w->Z, before, all * sizeof(double));
      break;
    }
    if (w->renewal && w->solved < 3) w->solved++;
    if (w->beyond < 0 && moved(w, end) > w->reach) w->beyond = *done;
  }
  free(rhs);
  return error;
}

/* One column back over a step; mu: the solution of the transposed equations. */
static int column_back(fc_sweep *w, int c, double *mu, int *failed) {
  const int n = w->n, m = w->m, next = w->columns * n;
  double *U = w->U, *y = w->left + n, *other = y + n, *kept = other + n;
  double *Z = w->Z + c * n, *q0 = U + m * n, *v0 = q0 + n;
  for (int j = 0; j < m; j++) memcpy(U + j * n, Z + (3 + j) * next, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    double bar[3];
    for (int k = 0; k < 3; k++) {
      double own = 0;
      for (int j = 0; j < m; j++) own += w->ends[3 * j + k] * U[j * n + i];
      bar[k] = Z[k * next + i] + own * w->dynamic[i];
    }
    q0[i] = bar[0];
    v0[i] = bar[1] * w->dynamic[i];
    y[i] = bar[0] + w->gamma * v0[i] + w->beta * bar[2] * w->dynamic[i];
  }
  TRY(solve_refined(w, c, y, 1, mu, failed));
  if (*failed) return 0;
  products_transposed(w, mu, y, other);
  for (int i = 0; i < n; i++) {
    q0[i] -= y[i];
    v0[i] += (y[i] - other[i]) / w->gamma;
  }
  memcpy(kept, Z + (3 + m) * next, n * sizeof(double));
  for (int r = 0; r < m + 2; r++)
    for (int i = 0; i < n; i++) U[r * n + i] *= w->dynamic[i];
  for (int j = 0; j < w->vectors; j++) {
    memset(Z + j * next, 0, n * sizeof(double));
    for (int r = 0; r < m + 2; r++)
      add_scaled(w->A[r * w->vectors + j], U + r * n, n, Z + j * next);
  }
  for (int i = 0; i < n; i++) Z[2 * next + i] += kept[i];
  if (w->memories) times_transposed(&w->of_N, w->N, n, -1, mu, Z);
  return 0;
}

/* The same backwards, over `ends` in turn: the last step comes first. */
int fc_sweep_back(fc_sweep *w, const uintptr_t *ends, int count, int *done) {
  const size_t n = w->n, size = n * w->columns, all = size * w->vectors;
  double *mu = malloc((size + all) * sizeof(double)), *before = mu + size;
  int failed = 0, error = 0;
  if (!mu) return 1;
  w->uses = w->solved = 0;
  for (*done = 0; *done < count; ++*done) {
    const double *end = (const double *)ends[*done];
    if ((error = linearise(w, end, &failed)) || failed) break;
    memcpy(before, w->Z, all * sizeof(double));
    for (int c = 0; c < w->columns && !error && !failed; c++)
      error = column_back(w, c, mu + c * n, &failed);
    if (error || failed) {
      memcpy(w->Z, before, all * sizeof(double));
      break;
    }
    if (w->renewal && w->solved < 3) w->solved++;
    evaluate_sides(w, end);
    for (int p = 0; p < w->sides; p++)
      for (int c = 0; c < w->columns; c++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += w->by[p * n + i] * mu[c * n + i];
        w->counted[p * w->columns + c] += sum;
      }
  }
  free(mu);
  return error;
}

/* How directors turn within a step, see timestepping/rotations.py. */

/* spin = half the sum of d_k x (rate of d_k) */
static void spin_of(const int *places, const double *q, const double *v, double *spin) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    spin[i] = 0;
    for (int d = 0; d < 9; d += 3)
      spin[i] += (q[places[d + j]] * v[places[d + k]] - q[places[d + k]] * v[places[d + j]]) / 2;
  }
}

void fc_spins(const int *places, int bodies, const double *q, const double *v, double *spins) {
  for (int b = 0; b < bodies; b++) spin_of(places + 9 * b, q, v, spins + 3 * b);
}

static double size_of(const double *x, int n) {
  double size = 0;
  for (int i = 0; i < n; i++) size = larger(size, fabs(x[i]));
  return size;
}

/* First and second derivative of a spin, behind it, from divided differences. Where the last steps
   are not those of a smooth motion (an impact) they are zero. */
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

/* Derivatives of a body's directors, from d' = spin x d by Leibniz; returns how many are above
   round-off of directors, rates and accelerations in a step of h with the largest angle x. */
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
   weights the sum of the derivatives, unless nothing turns. last, older: steps before, 0 without. */
int fc_turn(const fc_loop *s, fc_turning *t, double h, double last, double older,
            const double *weights, int rows, double *added) {
  const double *q = s->state, *v = q + s->total, *a = v + s->total;
  double fastest = 0, d[9];
  for (int b = 0; b < t->bodies; b++) {
    double *spin = t->slopes + 9 * b;
    spin_of(t->places + 9 * b, q, v, spin);
    fastest = larger(fastest, size_of(spin, 3) * h);
  }
  TRY(largest_over_ranks(s, &fastest, 1));
  t->turns = fastest >= t->slow;
  if (!t->turns) return 0;
  memset(added, 0, (size_t)rows * s->local * sizeof(double));
  for (int b = 0; b < t->bodies; b++) {
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
  for (int r = 0; r < rows; r++) {
    TRY(add_over_ranks(s, added + r * s->local));
    TRY(spread_values(s, added + r * s->local));
  }
  return 0;
}

/* The present motion is that before the last step from the next step on. */
void fc_remember(const fc_loop *s, fc_turning *t) {
  memcpy(t->past + 2 * s->total, t->past, 2 * s->total * sizeof(double));
  memcpy(t->past, s->state, 2 * s->total * sizeof(double));
}

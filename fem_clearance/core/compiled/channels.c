/* What is recorded of a step, and the watch over its energy. */

static double add_exactly(double a, double b, double *left) {
  const double sum = a + b, part = sum - a;
  *left = (a - (sum - part)) + (b - part);
  return sum;
}

/* The sum of n runs of values, rounded once, and what that leaves: as if added with twice the
   digits. Energies are large and cancel each other. */
static void add_twice(const double *values, const fc_column *r, int n, double *total) {
  double sum = 0, low = 0, lower = 0, left, plain = 0;
  for (; n--; r++)
    for (int i = 0; i < r->count; i++) {
      const double value = values[r->first + i * r->stride];
      plain += value;
      sum = add_exactly(sum, value, &left);
      low = add_exactly(low, left, &left);
      lower += left;
    }
  sum = add_exactly(sum, low, &left);
  sum = add_exactly(sum, left + lower, &left);
  total[0] = isfinite(plain) ? sum : plain;
  total[1] = isfinite(plain) ? left : 0;
}

/* Channels that are the least or the largest of some numbers, no number if one is none; their base
   is infinite. */
static void find_extremes(const fc_channels *c) {
  for (int i = 0; i < c->extremes; i++) {
    const double value = c->observed[c->extreme[i]], sign = c->extreme_sign[i];
    double *found = c->sums + c->extreme_to[i];
    if (isnan(value) || sign * value > sign * *found) *found = value;
  }
}

/* The channels of all ranks from this rank's part of them. Energies are rounded once. */
static int add_ranks(fc_channels *c) {
  const int n = c->n, totals = 2 * c->ranks;
  memcpy(c->part, c->sums, n * sizeof(double));
  memset(c->part + n, 0, totals * sizeof(double));
  memcpy(c->part + n + 2 * c->rank, c->total, 2 * sizeof(double));
  for (int k = 0; k < c->bounds; k++) c->bound_part[k] = c->bound_sign[k] * c->sums[c->bound[k]];
  TRY(add_parts(&c->comm, c->part, c->all, n + totals));
  memcpy(c->sums, c->all, n * sizeof(double));
  add_twice(c->all, &(fc_column){n, 1, totals, 0, 1}, 1, c->total);
  if (!c->bounds) return 0;
  for (int k = 0; k < c->bounds; k++)
    if (isnan(c->bound_part[k])) c->bound_part[k] = INFINITY; /* MPI's largest may lose it */
  TRY(find_largest(&c->comm, c->bound_part, c->bound_all, c->bounds));
  for (int k = 0; k < c->bounds; k++) c->sums[c->bound[k]] = c->bound_sign[k] * c->bound_all[k];
  return 0;
}

/* The channels of what has been observed; not 0 where MPI fails. */
int fc_channels_add(fc_channels *c) {
  memcpy(c->sums, c->base, c->n * sizeof(double));
  for (const fc_column *r = c->column; r < c->column + c->columns; r++)
    for (int i = 0; i < r->count; i++)
      c->sums[r->to] += r->sign * c->observed[r->first + i * r->stride];
  find_extremes(c);
  add_twice(c->observed, c->energy, c->energies, c->total);
  if (!c->kept)
    for (int k = c->counted; k < c->n; k++) c->sums[k] = 0;
  if (c->ranks > 1) TRY(add_ranks(c));
  for (int k = 0; k < c->wholes; k++) c->sums[c->whole[k]] = c->total[0];
  return 0;
}

/* The least size that the balance has had since at least half of the steps: what has been lost, or
   gained, for good. It is 0 if the balance has changed its sign. */
static void follow_balance(fc_energy *m, double balance) {
  if (m->seen >= 2 * m->renewed) {
    m->earlier = m->lasting;
    m->lasting = INFINITY;
    m->renewed = m->seen;
  }
  m->lasting = balance * m->balance > 0 ? smaller(m->lasting, fabs(balance)) : 0;
  m->balance = balance;
  m->open = larger(m->open, fabs(balance));
}

/* Look at the channels of an accepted step that ended at t; returns whether the run may have to end
   here: one is no finite number, or more energy has appeared than the motion ever had. */
int fc_energy_see(fc_energy *m, const double *values, int n, double guard, double t) {
  for (int k = 0; k < n; k++)
    if (!isfinite(values[k])) {
      m->broken = k;
      return 1;
    }
  if (!m->watched) return 0;
  const double kinetic = values[m->column[0]], total = values[m->column[1]];
  const double size = fabs(kinetic) + fabs(total - kinetic);
  m->dissipated = values[m->column[2]];
  m->fed = values[m->column[3]];
  m->moved = larger(m->moved, fabs(m->fed));
  if (!m->seen++) m->first = m->least = guard;
  follow_balance(m, values[m->column[4]]);
  m->kinetic = larger(m->kinetic, kinetic);
  m->slowest = smaller(m->slowest, kinetic);
  m->scale = larger(m->scale, size);
  if (guard < m->least) {
    m->least = guard;
    m->since = t;
  }
  m->present = guard - m->least;
  m->growth = larger(m->growth, m->present);
  m->before = larger(m->before, kinetic - m->present);
  m->change = larger(m->change, fabs(guard - m->first));
  m->grown = m->guards && m->present > larger(larger(m->before, m->still), m->noise * m->scale);
  return m->grown;
}

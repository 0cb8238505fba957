/* Factors of two parts of a matrix, of which one hardly acts on the other. */
enum { LONGEST = 1024 }; /* pause */

static void pick(const int *entry, int count, const double *values, double *to) {
  for (int i = 0; i < count; i++) to[i] = values[entry[i]];
}

/* b of some rows less what unknowns of the other part do there. */
static void subtract_coupling(const fc_coupling *c, int rows, const double *x, double *b) {
  for (int i = 0; i < rows; i++) {
    const int p = c->first[i];
    b[i] -= sparse_product(c->values + p, c->column + p, c->first[i + 1] - p, x);
  }
}

static void subtract_transposed_coupling(const fc_coupling *c, int rows, const double *x,
                                         double *b) {
  for (int i = 0; i < rows; i++)
    for (int p = c->first[i]; p < c->first[i + 1]; p++) b[c->column[p]] -= c->values[p] * x[i];
}

static int solve_part(fc_part *p, int transposed) {
  return p->solve(p->factors, p->b, p->x, transposed);
}

/* Part of the last change of the later unknowns that comes back to them from the others: one
   iteration of the power method, so that it becomes exact from matrix to matrix. */
static int come_back(fc_apart *s) {
  fc_part *a = &s->before, *d = &s->after;
  double largest = 0;
  memset(a->b, 0, a->size * sizeof(double));
  memset(d->b, 0, d->size * sizeof(double));
  subtract_coupling(&s->back, a->size, s->change, a->b);
  TRY(solve_part(a, 0));
  subtract_coupling(&s->forward, d->size, a->x, d->b);
  TRY(solve_part(d, 0));
  for (int i = 0; i < d->size; i++) largest = worse(largest, fabs(d->x[i]));
  s->came_back = largest;
  for (int i = 0; i < d->size; i++) s->change[i] = largest > 0 ? d->x[i] / largest : 1;
  return 0;
}

/* Factors of both parts; not 0 where a pivot is missing. */
static int factorise_parts(fc_apart *s, const double *values) {
  fc_part *parts[] = {&s->before, &s->after};
  for (int k = 0; k < 2; k++) {
    pick(parts[k]->entry, parts[k]->entries, values, parts[k]->values);
    TRY(parts[k]->factorise(parts[k]->factors, parts[k]->values));
  }
  pick(s->forward.entry, s->forward.entries, values, s->forward.values);
  pick(s->back.entry, s->back.entries, values, s->back.values);
  return 0;
}

/* New factors of the matrix of these entries; not 0 where a pivot is missing, or where the whole is
   needed and has none yet. Its factors are then made of the next matrices too, twice as many each
   time. */
int fc_apart_factorise(fc_apart *s, const double *values) {
  const int tries = s->left > 0 ? 0 : s->came_back < 0 ? 3 : 1;
  s->factorised = s->together = 0;
  if (tries) {
    TRY(factorise_parts(s, values));
    for (int k = 0; k < tries; k++) TRY(come_back(s));
    s->factorised = s->came_back <= s->most;
    if (s->factorised) return 0;
    if (!s->whole.factorise) return 1;
    s->left = s->pause;
    if (s->pause < LONGEST) s->pause *= 2;
  } else
    s->left--;
  TRY(s->whole.factorise(s->whole.factors, values));
  return !(s->factorised = s->together = 1);
}

/* x of [A 0; C D] x = b, or of the whole, or of the transpose; infinite without factors. */
int fc_apart_solve(fc_apart *s, const double *b, double *x, int transposed) {
  fc_part *parts[] = {&s->before, &s->after}, *first = parts[transposed], *last = parts[!transposed];
  if (!s->factorised) {
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < parts[k]->size; i++) x[parts[k]->unknown[i]] = INFINITY;
    return 1;
  }
  if (s->together) return s->whole.solve(s->whole.factors, b, x, transposed);
  for (int k = 0; k < 2; k++) pick(parts[k]->unknown, parts[k]->size, b, parts[k]->b);
  TRY(solve_part(first, transposed));
  if (transposed) subtract_transposed_coupling(&s->forward, first->size, first->x, last->b);
  else subtract_coupling(&s->forward, last->size, first->x, last->b);
  TRY(solve_part(last, transposed));
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < parts[k]->size; i++) x[parts[k]->unknown[i]] = parts[k]->x[i];
  return 0;
}

/* What ranks tell each other; one rank alone has nothing to tell. Arrays are by local number: values
   that this rank owns come first. */

/* Sums over the ranks of some numbers of each. */
static int add_parts(const fc_comm *c, const double *part, double *sums, int count) {
  return c->allreduce(part, sums, count, c->number, c->sum, c->comm);
}

/* The largest on any rank of each of some numbers, into others. */
static int find_largest(const fc_comm *c, const double *numbers, double *largest, int count) {
  return c->allreduce(numbers, largest, count, c->number, c->largest, c->comm);
}

/* Where the local values of a vector are between these calls. */
static void *local_of(const fc_loop *s, void *x) { return s->ranks.scatter ? s->ranks.local : x; }

/* Fetch what other ranks own of a vector. */
static int spread(const fc_loop *s, void *x) {
  const fc_ranks *r = &s->ranks;
  if (!r->scatter) return 0;
  TRY(s->petsc.VecScatterBegin(r->scatter, x, r->local, INSERT, FORWARD));
  return s->petsc.VecScatterEnd(r->scatter, x, r->local, INSERT, FORWARD);
}

/* Add up in a vector what each rank has put into its local values. */
static int add_up(const fc_loop *s, void *f) {
  const fc_ranks *r = &s->ranks;
  if (!r->scatter) return 0;
  TRY(s->petsc.VecZeroEntries(f));
  TRY(s->petsc.VecScatterBegin(r->scatter, r->local, f, ADD, REVERSE));
  return s->petsc.VecScatterEnd(r->scatter, r->local, f, ADD, REVERSE);
}

static int put(const fc_petsc *p, void *x, const double *values, int n) {
  double *to;
  TRY(p->VecGetArray(x, &to));
  memcpy(to, values, n * sizeof(double));
  return p->VecRestoreArray(x, &to);
}

static int get(const fc_petsc *p, void *x, double *values, int n) {
  const double *from;
  TRY(p->VecGetArrayRead(x, &from));
  memcpy(values, from, n * sizeof(double));
  return p->VecRestoreArrayRead(x, &from);
}

/* Sums of each rank's part of the owned values of an array. */
static int add_over_ranks(const fc_loop *s, double *values) {
  const fc_ranks *r = &s->ranks;
  if (!r->scatter) return 0;
  TRY(put(&s->petsc, r->local, values, s->local));
  TRY(add_up(s, r->owned));
  return get(&s->petsc, r->owned, values, s->owned);
}

/* What other ranks own of an array. */
static int spread_values(const fc_loop *s, double *values) {
  const fc_ranks *r = &s->ranks;
  if (!r->scatter) return 0;
  TRY(put(&s->petsc, r->owned, values, s->owned));
  TRY(spread(s, r->owned));
  return get(&s->petsc, r->local, values, s->local);
}

/* The largest on any rank of each of some sizes. */
static int largest_over_ranks(const fc_loop *s, double *sizes, int count) {
  const fc_ranks *r = &s->ranks;
  if (!r->scatter) return 0;
  TRY(find_largest(&r->comm, sizes, r->largest, count));
  memcpy(sizes, r->largest, count * sizeof(double));
  return 0;
}

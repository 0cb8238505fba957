/* Packed coefficients, FFCx's kernels and sums. */

/* Coordinates of a block of cells, collected from those of points where cells share nodes: there at
   the beginning of `work`, which is moved on. */
static const double *coordinates(const fc_batch *b, size_t block, double **work) {
  const int lanes = b->lanes, size = lanes * b->geometry, nodes = size / 3;
  if (!b->nodes) return b->x + block * size;
  double *result = *work;
  const int *node = b->nodes + block * nodes;
  for (int i = 0; i < nodes; i += lanes)
    for (int l = 0; l < lanes; l++)
      for (int k = 0; k < 3; k++) result[3 * i + k * lanes + l] = b->x[3 * (size_t)node[i + l] + k];
  *work += size;
  return result;
}

/* Packed coefficients of a block of cells. */
static void pack(const fc_batch *b, size_t block, const double *state, double *work) {
  const int dofs = b->lanes * b->dofs, others = b->lanes * b->width - b->reads * dofs;
  const int *u = b->unknowns + block * dofs, *g = b->gather + block * others;
  for (int k = 0; k < b->reads; k++, work += dofs) {
    const double *from = state + b->begin[k];
    for (int i = 0; i < dofs; i++) work[i] = from[u[i]];
  }
  for (int i = 0; i < others; i++) work[i] = state[g[i]];
}

static void by_cell(const fc_batch *b, const double *state, double *work) {
  double *out = b->out;
  memset(out, 0, (size_t)b->cells * b->size * sizeof(double));
  for (int e = 0; e < b->cells; e++, out += b->size) {
    double *numbers = work;
    const double *x = coordinates(b, e, &numbers);
    pack(b, e, state, numbers);
    b->kernel(out, numbers, 0, x, 0, 0, 0);
  }
}

#if LANES > 1
static void by_block(const fc_batch *b, const double *state, double *work) {
  const int width = LANES * b->width, size = LANES * b->size;
  double *out = b->out;
  for (int e = 0; e < b->cells; e += LANES, out += size) {
    const int left = b->cells - e;
    double *numbers = work;
    const double *x = coordinates(b, e / LANES, &numbers);
    double *block = numbers + width;
    pack(b, e / LANES, state, numbers);
    memset(block, 0, size * sizeof(double));
    b->kernel(block, numbers, 0, x, 0, 0, 0);
    unpack(block, left < LANES ? left : LANES, b->size, b->blank, out);
  }
}
#else
static void by_block(const fc_batch *b, const double *state, double *work) {}
#endif

/* All cells of all batches: look up what tables say of the time, gather what each kernel reads
   from the state and call it. */
void fc_evaluate(const fc_batch *batch, int batches, const double *state, double *work) {
  const uint64_t before = flush();
  for (const fc_batch *b = batch; b < batch + batches; b++) {
    fc_look_up(b->tables, b->tabled, (double *)state);
    (b->lanes > 1 ? by_block : by_cell)(b, state, work);
  }
  restore(before);
}

/* sums[to] = sum of the values of `from` (all in turn if 0). */
void fc_add(const int *from, const int *to, int count, const double *values, double *sums, int n) {
  memset(sums, 0, n * sizeof(double));
  for (int i = 0; i < count; i++) sums[to[i]] += values[from ? from[i] : i];
}


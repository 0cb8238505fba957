/* Tangents of cells that fill bodies: added up entry by entry, none of the cells' own is kept. */

enum { FARTHEST = 65535 }; /* place in a row that 16 bits hold */

/* Where the numbers of the tangents of some cells go in their rows; 1 if a row is too long. */
int fc_find_places(const fc_bulk *bulk, const fc_bulk_cells *cells, int count, uint16_t *place) {
  const int n = cells->dofs, w = cells->side_by_side, *u = cells->unknowns;
  for (int e = 0; e < count; e++, u += n)
    for (int i = 0; i < n; i++, place += n / w) {
      if (u[i] >= bulk->rows) continue;
      const int *row = bulk->cols + bulk->first[u[i]];
      const int length = bulk->first[u[i] + 1] - bulk->first[u[i]];
      for (int j = 0; j < n; j += w) {
        int k = j;
        while (k < j + w && u[k] >= bulk->rows) k++;
        if (k == j + w) continue;
        int low = 0, high = length; /* columns ascend */
        while (high - low > 1) {
          const int middle = low + (high - low) / 2;
          if (row[middle] <= u[k]) low = middle;
          else high = middle;
        }
        if (low > FARTHEST) return 1;
        place[j / w] = low;
      }
    }
  return 0;
}

/* The tangents of the cells of a batch from cell e on, cell by cell in `out`; returns how many. */
static int some_cells(const fc_batch *b, int e, const double *state, double *work, double **out) {
  const int lanes = b->lanes, width = lanes * b->width, size = lanes * b->size;
  const size_t block = e / lanes;
  const int *g = b->gather + block * width;
  double *numbers = work + width;
  for (int i = 0; i < width; i++) work[i] = state[g[i]];
  memset(numbers, 0, size * sizeof(double));
  b->kernel(numbers, work, 0, b->x + block * lanes * b->geometry, 0, 0, 0);
  *out = numbers;
#if LANES > 1
  if (lanes > 1) {
    const int left = b->cells - e, count = left < lanes ? left : lanes;
    *out = numbers + size;
    unpack(numbers, count, b->size, b->blank, *out);
    return count;
  }
#endif
  return 1;
}

/* Whether any of some numbers is a row from `low` on, below `high`. */
static int in_rows(const int *numbers, int count, int low, int high) {
  for (int i = 0; i < count; i++)
    if (numbers[i] >= low && numbers[i] < high) return 1;
  return 0;
}

/* values += the tangents at a state, in the rows from `low` on, below `high`; `values` are theirs. */
void fc_add_bulk(const fc_bulk *bulk, const double *state, int low, int high, double *values) {
  const uint64_t before = flush();
  const int rows = bulk->rows, *first = bulk->first, start = first[low];
  for (int k = 0; k < bulk->batches; k++) {
    const fc_batch *b = bulk->batch + k;
    const int n = bulk->cells[k].dofs, w = bulk->cells[k].side_by_side, *u = bulk->cells[k].unknowns;
    const uint16_t *place = bulk->cells[k].place;
    double *out;
    fc_look_up(b->tables, b->tabled, (double *)state);
    for (int e = 0, some; e < b->cells; e += some) {
      some = b->cells - e < b->lanes ? b->cells - e : b->lanes;
      if (!in_rows(u, some * n, low, high)) {
        u += some * n;
        place += (size_t)some * n * (n / w);
        continue;
      }
      some_cells(b, e, state, bulk->work, &out);
      for (int l = 0; l < some; l++, u += n)
        for (int i = 0; i < n; i++, place += n / w, out += n) {
          if (u[i] < low || u[i] >= high) continue;
          double *row = values + (first[u[i]] - start);
          for (int j = 0; j < n; j += w) {
            double *entry = row + place[j / w];
            for (int k = j; k < j + w; k++)
              if (u[k] < rows) *entry++ += out[k];
          }
        }
    }
  }
  restore(before);
}

/* Add the entries of bodies in the rows from `low` on, below `high`, to a matrix of several ranks, a
   row at a time; what belongs to rows of other ranks PETSc sends there. */
static int insert_rows(const fc_petsc *p, const fc_bulk *bulk, int low, int high,
                       const double *entries, void *A) {
  for (int i = low; i < high; i++) {
    const int first = bulk->first[i], count = bulk->first[i + 1] - first;
    for (int k = 0; k < count; k++) bulk->columns[k] = bulk->numbers[bulk->cols[first + k]];
    TRY(p->MatSetValues(A, 1, bulk->numbers + i, count, bulk->columns, entries, ADD));
    entries += count;
  }
  return 0;
}

/* Add the values of others, and end the assembly. */
static int insert_others(const fc_petsc *p, const fc_bulk *bulk, const fc_others *others,
                         const double *values, void *A) {
  for (int i = 0; i < others->count; i++) {
    const int k = others->which ? others->which[i] : i;
    const fc_int row = bulk->numbers[others->rows[k]], col = bulk->numbers[others->cols[k]];
    TRY(p->MatSetValues(A, 1, &row, 1, &col, values + i, ADD));
  }
  TRY(p->MatAssemblyBegin(A, FINAL));
  return p->MatAssemblyEnd(A, FINAL);
}

/* Set a matrix of several ranks to the entries of bodies and the values of others. */
int fc_insert(const fc_petsc *p, const fc_bulk *bulk, const double *entries,
              const fc_others *others, const double *values, void *A) {
  TRY(p->MatZeroEntries(A));
  TRY(insert_rows(p, bulk, 0, bulk->rows, entries, A));
  return insert_others(p, bulk, others, values, A);
}

/* Rows from `low` on, below `high`, and their columns in units of the solver's unknowns. */
void fc_scale_bulk(const fc_bulk *bulk, const double *scale, int low, int high, double *values) {
  const int start = bulk->first[low];
  for (int i = low; i < high; i++)
    for (int k = bulk->first[i]; k < bulk->first[i + 1]; k++)
      values[k - start] *= scale[i] * scale[bulk->cols[k]];
}

/* sums += the sizes of the cells' tangents times `sizes` of all local numbers. */
static void add_sizes(const fc_bulk *bulk, const double *state, const double *sizes, double *sums) {
  const uint64_t before = flush();
  for (int k = 0; k < bulk->batches; k++) {
    const fc_batch *b = bulk->batch + k;
    const int n = bulk->cells[k].dofs, *u = bulk->cells[k].unknowns;
    double *out;
    fc_look_up(b->tables, b->tabled, (double *)state);
    for (int e = 0, some; e < b->cells; e += some) {
      some = some_cells(b, e, state, bulk->work, &out);
      for (int l = 0; l < some; l++, u += n)
        for (int i = 0; i < n; i++, out += n)
          for (int j = 0; j < n; j++) sums[u[i]] += fabs(out[j]) * sizes[u[j]];
    }
  }
  restore(before);
}

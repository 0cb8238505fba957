/* Cells whose numbers are added up as they are evaluated and not kept: those that fill bodies, and all
   others where their places in the matrix are known. */

enum { FARTHEST = 65535 }; /* place in a row that 16 bits hold */

/* Local numbers of the unknowns of cell e. */
static void numbers_of(const fc_batch *b, int e, int *u) {
  const int lanes = b->lanes, *from = b->unknowns + (size_t)(e / lanes) * lanes * b->dofs + e % lanes;
  for (int i = 0; i < b->dofs; i++) u[i] = from[i * lanes];
}

/* Where the numbers of the tangents of the cells of batch k go in their rows; 1 if a row is too
   long. */
int fc_find_places(const fc_bulk *bulk, int k, uint16_t *place) {
  const fc_batch *b = bulk->batch + k;
  const int n = b->dofs, w = bulk->cells[k].side_by_side;
  int u[n];
  for (int e = 0; e < b->cells; e++) {
    numbers_of(b, e, u);
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
  }
  return 0;
}

/* What the cells of a batch give from cell e on, cell by cell in `out`; returns how many. */
static int some_cells(const fc_batch *b, int e, const double *state, double *work, double **out) {
  const int lanes = b->lanes, width = lanes * b->width, size = lanes * b->size;
  const size_t block = e / lanes;
  const double *x = coordinates(b, block, &work);
  double *numbers = work + width;
  pack(b, block, state, work);
  memset(numbers, 0, size * sizeof(double));
  b->kernel(numbers, work, 0, x, 0, 0, 0);
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

/* sums += the residual of the cells at a state. */
void fc_add_bulk_rows(const fc_bulk_rows *r, const double *state, double *sums) {
  if (!r->batches) return;
  const uint64_t before = flush();
  memset(r->sizes, 0, r->total * sizeof(double));
  for (const fc_batch *b = r->batch; b < r->batch + r->batches; b++) {
    double *out;
    fc_look_up(b->tables, b->tabled, (double *)state);
    for (int e = 0, some; e < b->cells; e += some) {
      some = some_cells(b, e, state, r->work, &out);
      const int lanes = b->lanes, *u = b->unknowns + (size_t)(e / lanes) * lanes * b->dofs;
      for (int l = 0; l < some; l++)
        for (int i = 0; i < b->dofs; i++, out++) {
          const int at = u[i * lanes + l];
          sums[at] += *out;
          r->sizes[at] += fabs(*out);
        }
    }
  }
  restore(before);
}

/* As fc_add, of all that batches give, one cell after the other: none of it is written to memory
   but in the room for one block of cells. */
static void add_in_places(const fc_batch *batch, int batches, const double *state, double *work,
                          const int *from, const int *to, int count, double *sums, int n) {
  const uint64_t before = flush();
  int i = 0, first = 0;
  memset(sums, 0, n * sizeof(double));
  for (const fc_batch *b = batch; b < batch + batches; b++) {
    double *out;
    fc_look_up(b->tables, b->tabled, (double *)state);
    for (int e = 0, some; e < b->cells; e += some) {
      some = some_cells(b, e, state, work, &out);
      const int end = first + some * b->size;
      if (from)
        for (; i < count && from[i] < end; i++) sums[to[i]] += out[from[i] - first];
      else
        for (; i < end; i++) sums[to[i]] += out[i - first];
      first = end;
    }
  }
  restore(before);
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
    const int n = b->dofs, w = bulk->cells[k].side_by_side, lanes = b->lanes;
    const int tall = bulk->cells[k].rows_alike, each = n / tall * (n / w);
    const uint16_t *place = bulk->cells[k].place;
    const uint8_t *near = bulk->cells[k].near;
    size_t cell = 0;
    double *out;
    int u[n];
    fc_look_up(b->tables, b->tabled, (double *)state);
    for (int e = 0, some; e < b->cells; e += some) {
      some = b->cells - e < lanes ? b->cells - e : lanes;
      if (!in_rows(b->unknowns + (size_t)e * n, lanes * n, low, high)) {
        cell += (size_t)some * each;
        continue;
      }
      some_cells(b, e, state, bulk->work, &out);
      for (int l = 0; l < some; l++, cell += each) {
        numbers_of(b, e + l, u);
        for (int i = 0; i < n; i++, out += n) {
          if (u[i] < low || u[i] >= high) continue;
          double *row = values + (first[u[i]] - start);
          const size_t of_row = cell + i / tall * (n / w);
          for (int j = 0; j < n; j += w) {
            double *entry = row + (near ? near[of_row + j / w] : place[of_row + j / w]);
            for (int k = j; k < j + w; k++)
              if (u[k] < rows) *entry++ += out[k];
          }
        }
      }
    }
  }
  restore(before);
}

/* The parts of an assembled matrix of several ranks: own columns, and those of other ranks. */
typedef struct {
  void *matrix[2];
  const fc_int *first[2]; /* where the entries of each own row begin */
  double *values[2];
} fc_parts;

/* The parts and their arrays; `known` is 0 if the matrix has never been assembled. */
static int open_parts(const fc_petsc *p, void *A, fc_parts *parts, int *known) {
  const fc_int *none;
  fc_int rows;
  _Bool assembled, done;
  TRY(p->MatAssembled(A, &assembled));
  *known = assembled;
  if (!assembled) return 0;
  TRY(p->MatMPIAIJGetSeqAIJ(A, parts->matrix, parts->matrix + 1, &none));
  for (int k = 0; k < 2; k++) {
    TRY(p->MatGetRowIJ(parts->matrix[k], 0, 0, 0, &rows, parts->first + k, &none, &done));
    TRY(p->MatSeqAIJGetArray(parts->matrix[k], parts->values + k));
  }
  return 0;
}

static int close_parts(const fc_petsc *p, fc_parts *parts) {
  for (int k = 0; k < 2; k++) TRY(p->MatSeqAIJRestoreArray(parts->matrix[k], parts->values + k));
  return 0;
}

/* How many of some ascending numbers are below `end`. */
static int below(const int *numbers, int count, int end) {
  int low = 0;
  while (low < count) {
    const int middle = low + (count - low) / 2;
    if (numbers[middle] < end) low = middle + 1;
    else count = middle;
  }
  return low;
}

/* Whether an own row of the matrix has these entries alone, so that they are copied into its parts. */
static int copy_row(const fc_parts *parts, int i, int own, int count, const double *entries) {
  const fc_int *const *first = parts->first;
  if (first[0][i + 1] - first[0][i] != own || first[1][i + 1] - first[1][i] != count - own) return 0;
  memcpy(parts->values[0] + first[0][i], entries, own * sizeof(double));
  memcpy(parts->values[1] + first[1][i], entries + own, (count - own) * sizeof(double));
  return 1;
}

/* Add entries of rows that other ranks add to as well, or own; PETSc sends them there. */
static int add_row(const fc_petsc *p, const fc_bulk *bulk, int i, int count, const double *entries,
                   void *A) {
  for (int k = 0; k < count; k++) bulk->columns[k] = bulk->numbers[bulk->cols[bulk->first[i] + k]];
  return p->MatSetValues(A, 1, bulk->numbers + i, count, bulk->columns, entries, ADD);
}

/* Add entries in the rows from `low` on, below `high`, to a matrix of several ranks that is zero
   there. Which rows are this rank's alone is known once the matrix has been assembled. */
static int insert_rows(const fc_petsc *p, const fc_bulk *bulk, int low, int high,
                       const double *entries, void *A) {
  fc_parts parts;
  int known;
  TRY(open_parts(p, A, &parts, &known));
  for (int i = low; i < high; i++) {
    const int *cols = bulk->cols + bulk->first[i], count = bulk->first[i + 1] - bulk->first[i];
    const int own = known && i < bulk->owned ? below(cols, count, bulk->owned) : -1;
    if (own < 0 || !copy_row(&parts, i, own, count, entries))
      TRY(add_row(p, bulk, i, count, entries, A));
    entries += count;
  }
  return known ? close_parts(p, &parts) : 0;
}

/* Set a matrix of several ranks to the sums of their entries. */
int fc_insert(const fc_petsc *p, const fc_bulk *bulk, const double *entries, void *A) {
  TRY(p->MatZeroEntries(A));
  TRY(insert_rows(p, bulk, 0, bulk->rows, entries, A));
  TRY(p->MatAssemblyBegin(A, FINAL));
  return p->MatAssemblyEnd(A, FINAL);
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
    const int n = b->dofs;
    double *out;
    int u[n];
    fc_look_up(b->tables, b->tabled, (double *)state);
    for (int e = 0, some; e < b->cells; e += some) {
      some = some_cells(b, e, state, bulk->work, &out);
      for (int l = 0; l < some; l++) {
        numbers_of(b, e + l, u);
        for (int i = 0; i < n; i++, out += n)
          for (int j = 0; j < n; j++) sums[u[i]] += fabs(out[j]) * sizes[u[j]];
      }
    }
  }
  restore(before);
}

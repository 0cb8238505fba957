/* LU of a sparse matrix of dense blocks. Every operation is that of a block with a column of
   numbers, a few vectors at a time; the numbers are the same for all widths of vectors. */
#if LANES > 2
enum { WIDE = 4 };
#else
enum { WIDE = 2 };
#endif
enum { TALLEST = 16 / WIDE }; /* vectors in a column: nodes have up to 16 unknowns */
typedef double column_t __attribute__((vector_size(8 * WIDE), may_alias));
typedef int64_t bits_t __attribute__((vector_size(8 * WIDE), may_alias, aligned(8)));

/* Call f with each height as a constant, so that its loops over vectors are unrolled. */
#define BY_HEIGHT(height, f, ...)          \
  switch (height) {                        \
    case 1: return f(1, __VA_ARGS__);      \
    case 2: return f(2, __VA_ARGS__);      \
    case 3: return f(3, __VA_ARGS__);      \
    case 4: return f(4, __VA_ARGS__);      \
    case 5: return f(5, __VA_ARGS__);      \
    case 6: return f(6, __VA_ARGS__);      \
    case 7: return f(7, __VA_ARGS__);      \
    default: return f(8, __VA_ARGS__);     \
  }
#define UNROLLED static inline __attribute__((always_inline))

/* c -= l u: l of k columns, u of k rows (in columns `stride` apart), c of m columns. */
UNROLLED void subtract_product(const int P, column_t *c, const column_t *l, const double *u, int k,
                               int m, int stride) {
  int j = 0;
  for (; j + 1 < m; j += 2, u += 2 * stride, c += 2 * P) { /* two at once: l is read once */
    column_t s[P], t[P];
    for (int p = 0; p < P; p++) s[p] = c[p], t[p] = c[P + p];
    for (int i = 0; i < k; i++)
      for (int p = 0; p < P; p++) {
        s[p] -= l[i * P + p] * u[i];
        t[p] -= l[i * P + p] * u[stride + i];
      }
    for (int p = 0; p < P; p++) c[p] = s[p], c[P + p] = t[p];
  }
  if (j == m) return;
  column_t s[P];
  for (int p = 0; p < P; p++) s[p] = c[p];
  for (int i = 0; i < k; i++)
    for (int p = 0; p < P; p++) s[p] -= l[i * P + p] * u[i];
  for (int p = 0; p < P; p++) c[p] = s[p];
}

static void subtract(int height, double *c, const double *l, const double *u, int k, int m,
                     int stride) {
  BY_HEIGHT(height, subtract_product, (column_t *)c, (const column_t *)l, u, k, m, stride)
}

/* Numbers in a vector. */
int fc_nodes_width(void) { return WIDE; }

/* All bits but those of one number: lane i of what is read `k` before the middle. */
static const int64_t all_but[32] = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    0,  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

static void exchange(double *a, double *b, int count, int stride) {
  for (int i = 0; i < count; i++, a += stride, b += stride) {
    const double z = *a;
    *a = *b;
    *b = z;
  }
}

/* The negative inverse of n columns in place, by Gauss and Jordan with rows exchanged; 1 where a
   pivot is missing, beside the largest entry that its row had in the matrix. */
UNROLLED int invert_block(const int P, double *a, int n, const double *largest) {
  const int pad = P * WIDE;
  double size[TALLEST * WIDE];
  int with[TALLEST * WIDE];
  memcpy(size, largest, n * sizeof(double));
  for (int k = 0; k < n; k++) {
    double *pivot = a + k * pad;
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(pivot[i]) > fabs(pivot[best])) best = i;
    with[k] = best;
    if (best != k) {
      exchange(a + k, a + best, n, pad);
      exchange(size + k, size + best, 1, 1);
    }
    if (!(fabs(pivot[k]) > ZERO_PIVOT * size[k]) || !isfinite(pivot[k])) return 1;
    const double f = 1 / pivot[k];
    const bits_t *others = (const bits_t *)(all_but + 16 - k);
    column_t column[P];
    for (int p = 0; p < P; p++) { /* -1 in the pivot's row, where columns are set to 0 */
      const bits_t one = (bits_t)((column_t){} + 1.0);
      column[p] = (column_t)(((bits_t *)pivot)[p] & others[p]) - (column_t)(~others[p] & one);
      ((column_t *)pivot)[p] = (column_t){};
    }
    for (int j = 0; j < n; j++) {
      column_t *z = (column_t *)(a + j * pad);
      const double g = (j == k ? 1 : a[j * pad + k]) * f;
      for (int p = 0; p < P; p++)
        z[p] = (column_t)(((bits_t *)z)[p] & others[p]) - column[p] * g;
    }
  }
  for (int k = n; k--;)
    if (with[k] != k) exchange(a + k * pad, a + with[k] * pad, n, 1);
  for (int i = 0; i < n * P; i++) ((column_t *)a)[i] = -((column_t *)a)[i];
  return 0;
}

static int invert(int height, double *a, int n, const double *largest) {
  BY_HEIGHT(height, invert_block, a, n, largest)
}

/* New factors of the matrix of these entries; not 0 where a pivot is missing. */
int fc_nodes_factorise(fc_nodes *s, const double *values) {
  double *arena = s->arena, copy[TALLEST * WIDE * TALLEST * WIDE] __attribute__((aligned(64)));
  s->factorised = 0;
  memset(arena, 0, s->size * sizeof(double));
  for (int i = 0; i < s->n; i++) {
    double largest = 0;
    for (int e = s->first[i]; e < s->first[i + 1]; e++) {
      arena[s->place[e]] = values[e];
      largest = worse(largest, fabs(values[e]));
    }
    s->largest[i] = largest;
  }
  for (int k = 0; k < s->nodes; k++) {
    double *inverse = arena + s->diagonal[k];
    const int columns = s->start[k + 1] - s->start[k], stride = s->height[k] * WIDE;
    TRY(invert(s->height[k], inverse, columns, s->largest + s->start[k]));
    for (int p = s->below_first[k]; p < s->below_first[k + 1]; p++) {
      double *lower = arena + s->below[2 * p];
      const int height = s->below[2 * p + 1];
      const size_t bytes = height * WIDE * columns * sizeof(double);
      memcpy(copy, lower, bytes);
      memset(lower, 0, bytes);
      subtract(height, lower, copy, inverse, columns, columns, stride);
    }
    for (int p = s->product_first[k]; p < s->product_first[k + 1]; p++) {
      const fc_product *q = s->product + p;
      subtract(q->height, arena + q->of, arena + q->lower, arena + q->upper, columns, q->columns,
               stride);
    }
  }
  s->factorised = 1;
  return 0;
}

/* z of a node less a row of blocks times z. */
UNROLLED void subtract_row(const int P, const double *arena, const fc_block *b, const fc_block *end,
                           double *z, column_t *to) {
  column_t s[P], t[P];
  for (int p = 0; p < P; p++) s[p] = to[p], t[p] = (column_t){};
  for (; b < end; b++) {
    const column_t *l = (const column_t *)(arena + b->place);
    const double *u = z + b->z;
    int i = 0;
    for (; i + 1 < b->columns; i += 2, l += 2 * P)
      for (int p = 0; p < P; p++) {
        s[p] -= l[p] * u[i];
        t[p] -= l[P + p] * u[i + 1];
      }
    if (i < b->columns)
      for (int p = 0; p < P; p++) s[p] -= l[p] * u[i];
  }
  for (int p = 0; p < P; p++) to[p] = s[p] + t[p];
}

static void subtract_blocks(const fc_nodes *s, int k, const int *first, const fc_block *blocks) {
  double *to = s->z + s->z_start[k];
  const fc_block *b = blocks + first[k], *end = blocks + first[k + 1];
  BY_HEIGHT(s->height[k], subtract_row, s->arena, b, end, s->z, (column_t *)to)
}

/* z of a node by the inverse of its block. */
static void divide(const fc_nodes *s, int k) {
  double *z = s->z + s->z_start[k], from[TALLEST * WIDE] __attribute__((aligned(64)));
  const size_t bytes = s->height[k] * WIDE * sizeof(double);
  memcpy(from, z, bytes);
  memset(z, 0, bytes);
  subtract(s->height[k], z, s->arena + s->diagonal[k], from, s->start[k + 1] - s->start[k], 1, 0);
}

/* The product of the transposed of a block (vectors in its columns: P) with z, subtracted. */
UNROLLED void subtract_transposed_block(const int P, const double *block, int columns,
                                        const column_t *z, double *to) {
  for (int j = 0; j < columns; j++, block += P * WIDE) {
    column_t s = {};
    double sum = 0;
    for (int p = 0; p < P; p++) s += ((const column_t *)block)[p] * z[p];
    for (int i = 0; i < WIDE; i++) sum += s[i];
    to[j] -= sum;
  }
}

static void subtract_transposed(int height, const double *block, int columns, const double *z,
                                double *to) {
  BY_HEIGHT(height, subtract_transposed_block, block, columns, (const column_t *)z, to)
}

/* z' of the unknowns of a row of blocks, less the blocks' transposed times that of the node. */
static void hand_to(const fc_nodes *s, int k, const int *first, const fc_block *blocks) {
  for (const fc_block *b = blocks + first[k]; b < blocks + first[k + 1]; b++)
    subtract_transposed(s->height[k], s->arena + b->place, b->columns, s->z + s->z_start[k],
                        s->z + b->z);
}

static void divide_transposed(const fc_nodes *s, int k) {
  double *z = s->z + s->z_start[k], from[TALLEST * WIDE] __attribute__((aligned(64)));
  const size_t bytes = s->height[k] * WIDE * sizeof(double);
  memcpy(from, z, bytes);
  memset(z, 0, bytes);
  subtract_transposed(s->height[k], s->arena + s->diagonal[k], s->start[k + 1] - s->start[k], from,
                      z);
}

/* x of A x = b, or of the transposed A; infinite where there are no factors. */
int fc_nodes_solve(fc_nodes *s, const double *b, double *x, int transposed) {
  const int *start = s->start;
  if (!s->factorised) {
    for (int i = 0; i < s->n; i++) x[i] = INFINITY;
    return 1;
  }
  for (int k = 0; k < s->nodes; k++)
    memcpy(s->z + s->z_start[k], b + start[k], (start[k + 1] - start[k]) * sizeof(double));
  for (int k = 0; k < s->nodes; k++)
    if (transposed) {
      divide_transposed(s, k);
      hand_to(s, k, s->right_first, s->right);
    } else
      subtract_blocks(s, k, s->left_first, s->left);
  for (int k = s->nodes; k--;)
    if (transposed)
      hand_to(s, k, s->left_first, s->left);
    else {
      subtract_blocks(s, k, s->right_first, s->right);
      divide(s, k);
    }
  for (int k = 0; k < s->nodes; k++)
    memcpy(x + start[k], s->z + s->z_start[k], (start[k + 1] - start[k]) * sizeof(double));
  return 0;
}


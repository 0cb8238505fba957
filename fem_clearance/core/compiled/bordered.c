
/* LU of a sparse matrix with a border of dense rows and columns. All that is done to the border is
   done to whole rows of Y and W, which are as wide as the border. */
#include <stdlib.h>

typedef void (*fc_gemm)(const char *, const char *, const int *, const int *, const int *,
                        const double *, const double *, const int *, const double *, const int *,
                        const double *, double *, const int *);
typedef void (*fc_getrf)(const int *, const int *, double *, const int *, int *, int *);
typedef void (*fc_getrs)(const char *, const int *, const int *, const double *, const int *,
                         const int *, double *, const int *, int *);

enum { VECTOR = 8 };
/* part of the largest value that it has had in the elimination below which a pivot is zero: the
   round-off of that, whatever the units of rows and columns */
static const double ZERO_PIVOT = 1e-14;

/* Columns of L and U, without the diagonal, of a matrix whose rows are eliminated as they come.
   Returns how many numbers of each there are room for at least; more than `room` if they do not
   fit, -1 without memory. */
int fc_bordered_pattern(int n, const int *first, const int *column, int *l_first, int *l_column,
                        int *u_first, int *u_column, int room) {
  int lower = 0, upper = 0;
  char *filled = calloc(n + 1, 1);
  if (!filled) return -1;
  l_first[0] = u_first[0] = 0;
  for (int i = 0; i < n; i++) {
    if (lower + i > room || upper + n - i > room) {
      free(filled);
      return 2 * room + n;
    }
    for (int p = first[i]; p < first[i + 1]; p++) filled[column[p]] = 1;
    for (int k = 0; k < i; k++) {
      if (!filled[k]) continue;
      l_column[lower++] = k;
      filled[k] = 0;
      for (int p = u_first[k]; p < u_first[k + 1]; p++) filled[u_column[p]] = 1;
    }
    filled[i] = 0;
    for (int k = i + 1; k < n; k++)
      if (filled[k]) u_column[upper++] = k, filled[k] = 0;
    l_first[i + 1] = lower;
    u_first[i + 1] = upper;
  }
  free(filled);
  return lower > upper ? lower : upper;
}

static void take_row(double *y, const double *x, double factor, const int *range) {
  double *to = __builtin_assume_aligned(y, 64);
  const double *from = __builtin_assume_aligned(x, 64);
  for (int i = range[0]; i < range[1]; i++) to[i] -= factor * from[i];
}

static double product(const double *y, const double *x, const int *range) {
  double sum[VECTOR] = {0};
  for (int i = range[0]; i < range[1]; i += VECTOR)
    for (int k = 0; k < VECTOR; k++) sum[k] += y[i + k] * x[i + k];
  for (int k = 1; k < VECTOR; k++) sum[0] += sum[k];
  return sum[0];
}

/* Sum of the products of some factors with the values at their columns, in parts that do not wait
   for each other. */
static double sparse_product(const double *factor, const int *column, int count, const double *z) {
  double sum[4] = {0}, rest = 0;
  const int whole = count & ~3;
  for (int p = 0; p < whole; p += 4)
    for (int k = 0; k < 4; k++) sum[k] += factor[p + k] * z[column[p + k]];
  for (int p = whole; p < count; p++) rest += factor[p] * z[column[p]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

/* Where the border's first column would stand in a row of Y or W, by their places. */
static double *row_of(const fc_bordered *s, const int *place, int k) { return s->arena + place[k]; }

/* The row in `work` less row k of U, and y less that of Y. */
static void take_one(const fc_bordered *s, int k, double *l, double *y) {
  double *w = s->work;
  const double factor = *l = w[k] * s->inverse[k];
  w[k] = 0;
  if (factor == 0) return;
  for (int r = s->u_first[k]; r < s->u_first[k + 1]; r++) w[s->u_column[r]] -= factor * s->u[r];
  take_row(y, row_of(s, s->y, k), factor, s->y_range + 2 * k);
}

/* The same of `count` rows of one panel: the first has the columns of all, gathered once. */
static void take_panel(const fc_bordered *s, int k, int count, double *l, double *y) {
  const int *column = s->u_column + s->u_first[k], length = s->u_first[k + 1] - s->u_first[k];
  double *w = s->work, *restrict z = s->gathered;
  z[0] = w[k];
  for (int r = 0; r < length; r++) z[r + 1] = w[column[r]];
  for (int j = 0; j < count; j++) {
    const double factor = l[j] = z[j] * s->inverse[k + j];
    const double *restrict u = s->u + s->u_first[k + j];
    double *restrict to = z + j + 1;
    w[k + j] = 0;
    if (factor == 0) continue;
    for (int r = 0; r < length - j; r++) to[r] -= factor * u[r];
    take_row(y, row_of(s, s->y, k + j), factor, s->y_range + 2 * (k + j));
  }
  for (int r = count - 1; r < length; r++) w[column[r]] = z[r + 1];
}

/* Factors of A, and Y; the number of the row without a pivot, from 1. */
static int eliminate(const fc_bordered *s) {
  double *w = s->work;
  for (int i = 0; i < s->n; i++) {
    double *y = row_of(s, s->y, i);
    for (int p = s->first[i]; p < s->first[i + 1]; p++) w[s->column[p]] = s->arena[p];
    double largest = fabs(w[i]);
    for (int p = s->l_first[i], count; p < s->l_first[i + 1]; p += count) {
      const int k = s->l_column[p], end = s->panel_end[k];
      count = (end < i ? end : i) - k; /* with row k of a panel come those after it */
      if (count > 1) take_panel(s, k, count, s->l + p, y);
      else take_one(s, k, s->l + p, y);
      largest = larger(largest, fabs(w[i]));
    }
    const double pivot = w[i];
    w[i] = 0;
    for (int r = s->u_first[i]; r < s->u_first[i + 1]; r++) {
      s->u[r] = w[s->u_column[r]];
      w[s->u_column[r]] = 0;
    }
    if (!(fabs(pivot) > ZERO_PIVOT * largest) || !isfinite(pivot)) return i + 1;
    s->inverse[i] = 1 / pivot;
  }
  return 0;
}

/* S less the products of `count` rows of W and Y, from that of k on, which have its ranges. */
static void subtract_products(const fc_bordered *s, int k, int count) {
  const double one = 1, minus = -1;
  const int *w = s->w_range + 2 * k, *y = s->y_range + 2 * k, m = s->m;
  const int rows = (w[1] < m ? w[1] : m) - w[0], columns = (y[1] < m ? y[1] : m) - y[0];
  const int w_stride = w[1] - w[0], y_stride = y[1] - y[0];
  if (rows > 0 && columns > 0)
    ((fc_gemm)s->gemm)("N", "T", &rows, &columns, &count, &minus, row_of(s, s->w, k) + w[0],
                       &w_stride, row_of(s, s->y, k) + y[0], &y_stride, &one,
                       s->arena + s->s + w[0] + (size_t)y[0] * m, &m);
}

/* A's factors, Y, W and S of the matrix of these entries; not 0 where a pivot is missing. */
static int reduce_to_border(fc_bordered *s, const double *values) {
  memset(s->arena, 0, s->size * sizeof(double));
  for (int i = 0; i < s->entries; i++) s->arena[s->place[i]] = values[i];
  TRY(eliminate(s));
  for (int k = 0; k < s->n; k++) {
    if (!s->reached[k]) continue;
    double *w = row_of(s, s->w, k);
    const int *range = s->w_range + 2 * k;
    for (int i = range[0]; i < range[1]; i++) w[i] *= s->inverse[k];
    for (int r = s->u_first[k]; r < s->u_first[k + 1]; r++)
      if (s->u[r] != 0) take_row(row_of(s, s->w, s->u_column[r]), w, s->u[r], range);
  }
  for (int k = 0, first = -1, count = 0; k <= s->n; k++) { /* reached rows lie one by one */
    if (k < s->n && !s->reached[k]) continue;
    const int same = first >= 0 && k < s->n &&
                     !memcmp(s->w_range + 2 * k, s->w_range + 2 * first, 2 * sizeof(int)) &&
                     !memcmp(s->y_range + 2 * k, s->y_range + 2 * first, 2 * sizeof(int));
    if (first >= 0 && !same) subtract_products(s, first, count);
    if (!same) first = k, count = 0;
    count++;
  }
  return 0;
}

/* Whether LAPACK has met what is no number: not all of its versions tell. */
static int blurred(const double *factors, int size, int stride) {
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      if (!isfinite(factors[i + (size_t)j * stride])) return -1;
  return 0;
}

/* to -= block x, or its transpose x; the block is one of S. */
static void take_product(const fc_bordered *s, const char *how, int rows, int columns, int count,
                         const double *block, const double *x, double *to) {
  const double one = 1, minus = -1;
  if (rows && columns && count)
    ((fc_gemm)s->gemm)(how, "N", &rows, &columns, &count, &minus, block, &s->m, x, &s->m, &one, to,
                       &s->m);
}

/* S11^-1 x, or its transpose, of what is this rank's alone. */
static int solve_own(const fc_bordered *s, const char *how, int columns, double *x) {
  int info = 0;
  if (s->alone && columns)
    ((fc_getrs)s->getrs)(how, &s->alone, &columns, s->arena + s->s, &s->m, s->own_pivots, x, &s->m,
                         &info);
  return info;
}

/* S without that: S11's factors, S11^-1 S12 and S22 - S21 S11^-1 S12. */
static int reduce_to_shared(const fc_bordered *s) {
  double *schur = s->arena + s->s, *right = schur + (size_t)s->alone * s->m;
  const int a = s->alone, rest = s->m - a;
  int info = 0;
  if (!a) return 0;
  ((fc_getrf)s->getrf)(&a, &a, schur, &s->m, s->own_pivots, &info);
  TRY(info);
  TRY(blurred(schur, a, s->m));
  TRY(solve_own(s, "N", rest, right));
  take_product(s, "N", rest, rest, a, schur + a, right, right + a);
  return 0;
}

/* S of all ranks; not 0 where one of them is without a pivot. */
static int add_borders(const fc_bordered *s, int failed) {
  const fc_shared_border *b = &s->shared;
  const int count = b->size * b->size, a = s->alone, rest = s->m - a;
  const double *schur = s->arena + s->s + a + (size_t)a * s->m;
  memset(b->part, 0, count * sizeof(double));
  for (int j = 0; j < rest; j++)
    for (int i = 0; i < rest; i++) b->part[b->at[i] + b->at[j] * b->size] = schur[i + j * s->m];
  b->part[count] = failed != 0;
  TRY(add_parts(&b->comm, b->part, b->sum, count + 1));
  return b->sum[count] != 0;
}

/* New factors of the matrix of these entries; not 0 where a pivot is missing. */
int fc_bordered_factorise(fc_bordered *s, const double *values) {
  double *schur = s->shared.size ? s->shared.sum : s->arena + s->s;
  const int m = s->shared.size ? s->shared.size : s->m;
  int failed = reduce_to_border(s, values), info;
  if (!failed) failed = reduce_to_shared(s);
  s->factorised = 0;
  TRY(s->shared.size ? add_borders(s, failed) : failed);
  ((fc_getrf)s->getrf)(&m, &m, schur, &m, s->pivots, &info);
  TRY(blurred(schur, m, m));
  s->factorised = !info;
  return info;
}

/* The same on several ranks: this rank's own unknowns are eliminated before the shared ones. */
static int solve_shared(const fc_bordered *s, const char *how) {
  const fc_shared_border *b = &s->shared;
  const int one = 1, m = b->size, a = s->alone, rest = s->m - a, transposed = *how == 'T';
  const double *schur = s->arena + s->s, *beside = schur + (size_t)a * s->m, *below = schur + a;
  double *own = s->right, *others = own + a;
  int info;
  if (!transposed) TRY(solve_own(s, how, 1, own));
  take_product(s, how, rest, 1, a, transposed ? beside : below, own, others);
  memset(b->right_part, 0, m * sizeof(double));
  for (int k = 0; k < rest; k++) b->right_part[b->at[k]] = others[k];
  TRY(add_parts(&b->comm, b->right_part, b->right, m));
  ((fc_getrs)s->getrs)(how, &m, &one, b->sum, &m, s->pivots, b->right, &m, &info);
  for (int k = 0; k < rest; k++) others[k] = b->right[b->at[k]];
  take_product(s, how, a, 1, rest, transposed ? below : beside, others, own);
  if (transposed) TRY(solve_own(s, how, 1, own));
  return info;
}

/* The border's unknowns, into what has been right of them. */
static int solve_border(const fc_bordered *s, const char *how) {
  const int one = 1, m = s->m;
  int info;
  if (s->shared.size)
    info = solve_shared(s, how);
  else
    ((fc_getrs)s->getrs)(how, &m, &one, s->arena + s->s, &m, s->pivots, s->right, &m, &info);
  for (int k = m; k < s->wide; k++) s->right[k] = 0;
  return info;
}

/* x of [A B; C D] x = b, or of its transpose; infinite where there are no factors. */
int fc_bordered_solve(const fc_bordered *s, const double *b, double *x, int transposed) {
  const int n = s->n, *order = s->order;
  /* [L 0; W I] [U Y; 0 S], or [U' 0; Y' S'] [L' W'; 0 I] */
  const int *forward = transposed ? s->y : s->w, *back = transposed ? s->w : s->y;
  const int *forward_range = transposed ? s->y_range : s->w_range;
  const int *back_range = transposed ? s->w_range : s->y_range;
  double *z = s->x, *right = s->right;
  if (!s->factorised) {
    for (int i = 0; i < s->owned; i++) x[i] = INFINITY;
    return 1;
  }
  for (int k = 0; k < s->m; k++) right[k] = order[n + k] < s->owned ? b[order[n + k]] : 0;
  for (int i = 0; i < n; i++) z[i] = b[order[i]];
  for (int i = 0; i < n; i++) {
    if (transposed) {
      z[i] *= s->inverse[i];
      for (int r = s->u_first[i]; r < s->u_first[i + 1]; r++) z[s->u_column[r]] -= s->u[r] * z[i];
    } else {
      const int p = s->l_first[i];
      z[i] -= sparse_product(s->l + p, s->l_column + p, s->l_first[i + 1] - p, z);
    }
    if (transposed || s->reached[i])
      take_row(right, row_of(s, forward, i), z[i], forward_range + 2 * i);
  }
  TRY(solve_border(s, transposed ? "T" : "N"));
  for (int i = n; i--;) {
    if (!transposed || s->reached[i])
      z[i] -= product(row_of(s, back, i), right, back_range + 2 * i);
    if (transposed) {
      for (int p = s->l_first[i]; p < s->l_first[i + 1]; p++) z[s->l_column[p]] -= s->l[p] * z[i];
    } else {
      const int r = s->u_first[i];
      z[i] -= sparse_product(s->u + r, s->u_column + r, s->u_first[i + 1] - r, z);
      z[i] *= s->inverse[i];
    }
  }
  for (int i = 0; i < n; i++) x[order[i]] = z[i];
  for (int k = 0; k < s->m; k++)
    if (order[n + k] < s->owned) x[order[n + k]] = right[k];
  return 0;
}

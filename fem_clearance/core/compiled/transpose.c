/* Outputs of a block of cells, [number][lane], as those of one cell after the other. */
#if LANES > 1
typedef double fc_vector __attribute__((vector_size(8 * LANES)));
typedef double fc_unaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef int64_t fc_places __attribute__((vector_size(8 * LANES)));

/* Of rows a and b, `step` apart: the parts of both that belong into the first, and the second. */
#define FIRST(j, step) ((j) & (step) ? LANES + (j) - (step) : (j))
#define SECOND(j, step) ((j) & (step) ? LANES + (j) : (j) + (step))
#if LANES == 8
#define PLACES(f, s) f(0, s), f(1, s), f(2, s), f(3, s), f(4, s), f(5, s), f(6, s), f(7, s)
#elif LANES == 4
#define PLACES(f, s) f(0, s), f(1, s), f(2, s), f(3, s)
#else
#define PLACES(f, s) f(0, s), f(1, s)
#endif
#ifdef __clang__
#define SHUFFLED(a, b, f, s) __builtin_shufflevector(a, b, PLACES(f, s))
#else
#define SHUFFLED(a, b, f, s) __builtin_shuffle(a, b, (fc_places){PLACES(f, s)})
#endif
#define EXCHANGE(step)                                     \
  for (int i = 0; i < LANES; i++)                          \
    if (!(i & (step))) {                                   \
      const fc_vector a = row[i], b = row[i + (step)];     \
      row[i] = SHUFFLED(a, b, FIRST, step);                \
      row[i + (step)] = SHUFFLED(a, b, SECOND, step);      \
    }

/* `blank`, if not 0: of each LANES outputs in turn whether they are 0 in every cell, and stay. */
static void unpack(const double *block, int cells, int size, const int *blank, double *out) {
  const int whole = size - size % LANES;
  for (int n = 0; n < whole; n += LANES) {
    if (blank && blank[n / LANES]) continue;
    fc_vector row[LANES];
    for (int i = 0; i < LANES; i++) row[i] = *(const fc_unaligned *)(block + LANES * (n + i));
    EXCHANGE(1)
#if LANES > 2
    EXCHANGE(2)
#endif
#if LANES > 4
    EXCHANGE(4)
#endif
    if (cells == LANES)
      for (int l = 0; l < LANES; l++) *(fc_unaligned *)(out + (size_t)l * size + n) = row[l];
    else
      for (int l = 0; l < cells; l++) memcpy(out + (size_t)l * size + n, row + l, sizeof row[l]);
  }
  for (int l = 0; l < cells; l++)
    for (int n = whole; n < size; n++) out[(size_t)l * size + n] = block[n * LANES + l];
}
#endif



/* Tangents of condensed values, handed on to their masters on one side. */
void fc_reduce(const fc_reduction *r, int count, const double *sums) {
  for (const fc_reduction *end = r + count; r < end; r++) {
    const int masters = r->masters;
    double *restrict to = r->product;
    memset(to, 0, (size_t)r->rows * masters * sizeof(double));
    for (int i = 0; i < r->rows; i++, to += masters) {
      const int last = r->first[i + 1];
      int e = r->first[i];
      for (; e + 4 <= last; e += 4) { /* four at a time: the row is read and written once */
        double v[4];
        const double *t[4];
        for (int j = 0; j < 4; j++) {
          v[j] = sums[r->entry[e + j]];
          t[j] = r->ties + (size_t)r->slave[e + j] * masters;
        }
        if (v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0) continue;
        const double *restrict a = t[0], *restrict b = t[1], *restrict c = t[2], *restrict d = t[3];
        for (int k = 0; k < masters; k++)
          to[k] = to[k] + v[0] * a[k] + v[1] * b[k] + v[2] * c[k] + v[3] * d[k];
      }
      for (; e < last; e++) {
        const double value = sums[r->entry[e]];
        const double *restrict tie = r->ties + (size_t)r->slave[e] * masters;
        if (value == 0) continue;
        for (int k = 0; k < masters; k++) to[k] += value * tie[k];
      }
    }
  }
}

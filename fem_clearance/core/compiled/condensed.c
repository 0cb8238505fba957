
/* Tangents of condensed values, handed on to their masters on one side. */
void fc_reduce(const fc_reduction *r, int count, const double *sums) {
  for (const fc_reduction *end = r + count; r < end; r++) {
    const int masters = r->masters;
    double *restrict to = r->product;
    memset(to, 0, (size_t)r->rows * masters * sizeof(double));
    for (int i = 0; i < r->rows; i++, to += masters)
      for (int e = r->first[i]; e < r->first[i + 1]; e++) {
        const double value = sums[r->entry[e]];
        const double *restrict tie = r->ties + (size_t)r->slave[e] * masters;
        if (value == 0) continue;
        for (int k = 0; k < masters; k++) to[k] += value * tie[k];
      }
  }
}

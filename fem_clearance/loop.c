/* The hot loop: packed coefficients, FFCx kernels, sums. It knows no mechanics.
   loop.py holds the declarations and the same functions in Python. */
#include <math.h>
#include <stdint.h>
#include <string.h>

/* All cells of all batches: gather what each kernel reads from the state and call it. */
void fc_evaluate(const fc_batch *batch, int batches, const double *state, double *work) {
  for (int k = 0; k < batches; k++) {
    const fc_batch *b = batch + k;
    double *out = b->out;
    const int *g = b->gather;
    memset(out, 0, (size_t)b->cells * b->size * sizeof(double));
    for (int e = 0; e < b->cells; e++, out += b->size, g += b->width) {
      for (int i = 0; i < b->width; i++) work[i] = state[g[i]];
      b->kernel(out, work, 0, b->x + (size_t)e * b->geometry, 0, 0, 0);
    }
  }
}

/* f = sum of the entries that belong to each row, g = sum of their sizes. */
void fc_accumulate(const int *rows, const double *values, int count, double *f, double *g, int n) {
  memset(f, 0, n * sizeof(double));
  memset(g, 0, n * sizeof(double));
  for (int i = 0; i < count; i++) {
    f[rows[i]] += values[i];
    g[rows[i]] += fabs(values[i]);
  }
}

/* The state at the end of a step from the solver's unknowns: increments of coordinates, scaled
   values of algebraic unknowns. */
void fc_set(const double *x, int n, const double *scale, const double *dynamic, const double *q0,
            const double *v0, double gamma, double beta, double *q, double *v, double *a) {
  for (int i = 0; i < n; i++) {
    const double d = x[i] * scale[i];
    q[i] = q0[i] + d;
    v[i] = v0[i] + dynamic[i] * gamma * d;
    a[i] = dynamic[i] * beta * d;
  }
}

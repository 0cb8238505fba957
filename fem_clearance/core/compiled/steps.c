/* Where a step of generalized-alpha begins and ends, see timestepping/generalized_alpha.py. */

/* Start values and first guess of a step; `ahead` is its length by the last one's, 0 without one.
   Values of other ranks' unknowns are computed here as there, not sent. */
int fc_predict(fc_loop *s, fc_history *k, double ahead, void *x) {
  const double *c = k->coefficients;
  double *q = s->state, *v = q + s->total, *a = v + s->total, *guess;
  memcpy(k->saved_state, s->state, s->numbers * sizeof(double));
  memcpy(k->saved_alg, k->alg, s->local * sizeof(double));
  memcpy(k->saved_old, k->old, s->local * sizeof(double));
  memcpy(a + s->total, q, s->total * sizeof(double)); /* q_n */
  TRY(s->petsc.VecGetArray(x, &guess));
  for (int i = 0; i < s->local; i++) {
    double y = s->dynamic[i] ? a[i] : q[i], next = y + ahead * (y - k->old[i]), alg = k->alg[i];
    if (s->dynamic[i]) {
      if (ahead > 1) /* its time moves with the step: the jerk's part of it grows, no error does */
        alg += (ahead - 1) * c[8] * (a[i] - k->old[i]);
      else if (ahead)
        alg = a[i] + ahead * (alg - a[i]);
      const double base = c[1] * a[i] + c[2] * alg;
      s->q0[i] = q[i] + c[0] * v[i] + c[3] * alg + c[4] * base;
      s->v0[i] = v[i] + c[5] * alg + c[6] * base;
      k->alg[i] = base;
      next /= s->beta;
    } else
      s->q0[i] = s->v0[i] = k->alg[i] = 0;
    k->old[i] = y;
    if (i < s->owned) guess[i] = next / s->scale[i];
  }
  return s->petsc.VecRestoreArray(x, &guess);
}

void fc_update(const fc_loop *s, fc_history *k) {
  const double *a = s->state + 2 * s->total;
  for (int i = 0; i < s->local; i++) k->alg[i] += k->coefficients[7] * a[i];
}


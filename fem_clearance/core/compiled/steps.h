/* Declarations of steps.c. */

/* What a step of generalized-alpha needs beside the state. */
typedef struct {
  const double *coefficients;         /* see GeneralizedAlphaEngine.rescale */
  double *alg, *old;                  /* acceleration-like variable; last a, or algebraic values */
  double *saved_state, *saved_alg, *saved_old; /* at the start of the step */
} fc_history;

int fc_predict(fc_loop *s, fc_history *k, double ahead, void *x);
void fc_update(const fc_loop *s, fc_history *k);


/* Declarations of steps.c. */

/* The coefficients of a stage of a step, see timestepping/rows.py. */
typedef struct {
  const double *rows, *ends;
  int number;                         /* of the stage */
  double ahead;                       /* its end by the step, or by the end of the stage before */
  double beta, gamma, length;         /* da/dq, dv/dq; from the start of the step to its end */
  double seen;                        /* see fc_velocities */
} fc_stage;

/* What a step needs beside the state. */
typedef struct {
  int count;                          /* own vectors of the integrator */
  const int *moves;                   /* those whose time moves with the step */
  const double *ahead;                /* and how many steps it is ahead */
  double *own, *fresh;                /* own vectors, and those of a stage's end for a = 0 */
  double *old, *middle;               /* last a, or algebraic values; a between stages */
  double *saved_state, *saved_own, *saved_old; /* at the start of the step */
} fc_history;

int fc_predict(fc_loop *s, fc_history *k, const fc_stage *stage, double longer, void *x);
void fc_update(const fc_loop *s, fc_history *k, const fc_stage *stage);
void fc_errors(const fc_loop *s, const fc_history *k, int middles, int first_order, double factor,
               double noise, double *errors);


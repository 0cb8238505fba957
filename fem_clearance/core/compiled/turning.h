/* Declarations of turning.c. */

/* How rigid bodies turn within a step: see timestepping/rotations.py. */
typedef struct {
  int bodies, terms;
  const int *places;                  /* local numbers of their directors' components, 9 each */
  double slow;                        /* rad in a step below which nothing is done */
  double *past;                       /* q, v before the last step; q, v before the one before */
  double *slopes;                     /* spins, their first and second derivatives, 9 a body */
  double *series;                     /* derivatives of one body's directors, terms x 9 */
} fc_turning;

int fc_turn(const fc_loop *s, fc_turning *t, double h, double last, double older,
            const double *weights, int rows, double *added);


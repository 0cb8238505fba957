/* Declarations of turning.c. */

/* How rigid bodies turn within a step: see timestepping/rotations.py. */
typedef struct {
  int bodies, terms;
  const int *places;                  /* local numbers of their directors' components, 9 each */
  double slow;                        /* rad in a step below which nothing is done */
  int turns;                          /* whether any body of any rank turns by more */
  double *past;                       /* q, v before the last step; q, v before the one before */
  double *slopes;                     /* spins, their first and second derivatives, 9 a body */
  double *series;                     /* derivatives of one body's directors, terms x 9 */
} fc_turning;

void fc_spins(const int *places, int bodies, const double *q, const double *v, double *spins);
int fc_turn(const fc_loop *s, fc_turning *t, double h, double last, double older,
            const double *weights, int rows, double *added);
void fc_remember(const fc_loop *s, fc_turning *t);


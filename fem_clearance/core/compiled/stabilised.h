/* Declarations of stabilised.c; cffi reads this file as it does loop.h. */

/* A sparse matrix as a sum of entries between local numbers. */
typedef struct {
  int count;
  int *row, *col;
  double *value;
} fc_entries;

/* Where the entries of a matrix lie among the tangents of cells; many of them are zero. */
typedef struct {
  int count;
  const int *from, *row, *col;
  const double *factor;
  fc_entries entries;                 /* the others, as they are now */
} fc_pattern;

/* What constraints ask of velocities: see timestepping/velocity_constraints.py. */
typedef struct {
  int tangents, drifts, rates;        /* batches: of what holds constraints, is driven, holds rates */
  const fc_batch *tangent, *drift, *rate;
  const double *cells;                /* tangents of the first */
  fc_pattern B, transposed;
  fc_entries M;                       /* of the last factors */
  double fast;                        /* dv/dq for these tangents */
  int drift_outputs, rate_outputs;
  const double *drift_out, *rate_out;
  const int *drift_rows, *rate_rows;
  double *drift_sums, *rate_sums;
  const int *held, *rated;            /* which rows are constraints; and those on velocities */
  const double *masses;
  double *sizes, *left;               /* by row: sum of |B|, violation */
  double *x, *rest, *impulse, *kept;  /* w and -eta over the masses; work */
  double tolerance, share;            /* part of the speeds, of what rows may leave, that may be left */
  double accepted, part, excess;      /* times that; violation and largest residual that were left */
  int most, its;                      /* iterations: at most, of the last call */
  int factors, asked;                 /* whether there are factors, and whether new ones are needed */
  double cost;                        /* since the last factors, in iterations */
  int since;                          /* calls since then */
  void *pc, *b, *solution;
} fc_velocities;

/* How rigid bodies turn within a step: see timestepping/rotations.py. */
typedef struct {
  int bodies, terms;
  const int *places;                  /* local numbers of their directors' components, 9 each */
  double slow;                        /* rad in a step below which nothing is done */
  double *past;                       /* q, v before the last step; q, v before the one before */
  double *slopes;                     /* spins, their first and second derivatives, 9 a body */
  double *series;                     /* derivatives of one body's directors, terms x 9 */
} fc_turning;

int fc_improve(fc_loop *s, fc_velocities *w, double ratio);
int fc_expect(fc_loop *s, fc_velocities *w, double square, const double *taken, double *base,
              void *x);
int fc_balance(fc_loop *s, fc_velocities *w, int rounds, void *ksp, void *x, void *dx);
int fc_turn(const fc_loop *s, fc_turning *t, double h, double last, double older,
            const double *weights, int rows, double *added);

/* Declarations of velocities.c. */

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
  int tangents, drifts;               /* batches: of what holds constraints, of what moves */
  const fc_batch *tangent, *drift;
  const double *cells;                /* tangents of the first; with followers of all, reduced */
  fc_pattern B, transposed;
  fc_entries M;                       /* of the last factors */
  double fast;                        /* dv/dq for these tangents */
  int drift_outputs;
  const double *drift_out;
  const int *drift_rows;
  double *drift_sums;
  fc_rates rate;
  const int *held;                    /* which rows are constraints */
  const double *masses;
  double *sizes, *left;               /* by row: sum of |B|; violation, or momentum left */
  double *x, *impulse, *kept;         /* w and -eta over the masses; work */
  double seen;                        /* part of w that forces see in the velocities, */
  double *turned, *shown;             /* what they see of turning directors; both: see rows.py */
  double tolerance, share;            /* of speeds, and of what rows may leave: part to be left */
  double accepted, excess;            /* times that; largest scaled residual that is left */
  int most, its;                      /* iterations: at most, of the last call */
  int factors, asked;                 /* whether there are factors; whether new ones are needed */
  double cost;                        /* since the last factors, in iterations */
  int since;                          /* calls since then */
  void *pc, *b, *solution;
} fc_velocities;

void fc_multiply(const fc_entries *A, double factor, const double *x, double *sums);
int fc_constraints(fc_loop *s, fc_velocities *w);
int fc_violation(fc_loop *s, fc_velocities *w);
int fc_improve(fc_loop *s, fc_velocities *w, double ratio);
int fc_expect(fc_loop *s, fc_velocities *w, double square, const double *taken, double *base,
              void *x);
void fc_show(fc_loop *s, fc_velocities *w);
int fc_balance(fc_loop *s, fc_velocities *w, int rounds, void *ksp, void *x, void *dx);


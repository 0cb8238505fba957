/* Declarations of loop.c. cffi reads this file too: comments and declarations, nothing else.
   fc_int is PETSc's integer. */

typedef void (*fc_kernel)(double *, const double *, const double *, const double *, const int *,
                          const uint8_t *, void *);

/* All cells of one form of one component. */
typedef struct {
  fc_kernel kernel;
  int cells, width, size, geometry; /* of a cell: packed coefficients, outputs, coordinates */
  const int *gather;                /* place in the state of each packed coefficient */
  const double *x;                  /* coordinates of the cells */
  double *out;                      /* outputs, cells x size */
} fc_batch;

/* The functions of PETSc that the loop calls, found at run time: no headers, no linking. */
typedef struct {
  int (*VecGetArrayRead)(void *, const double **);
  int (*VecRestoreArrayRead)(void *, const double **);
  int (*VecGetArray)(void *, double **);
  int (*VecRestoreArray)(void *, double **);
  int (*VecZeroEntries)(void *);
  int (*VecNorm)(void *, int, double *);
  int (*VecScatterBegin)(void *, void *, void *, int, int);
  int (*VecScatterEnd)(void *, void *, void *, int, int);
  int (*MatSetValuesCOO)(void *, const double *, int);
  int (*SNESSetFunction)(void *, void *, void *, void *);
  int (*SNESSetJacobian)(void *, void *, void *, void *, void *);
  int (*SNESSetConvergenceTest)(void *, void *, void *, void *);
  int (*SNESSetLagJacobian)(void *, fc_int);
  int (*SNESSolve)(void *, void *, void *);
  int (*SNESGetIterationNumber)(void *, fc_int *);
  int (*SNESGetConvergedReason)(void *, int *);
  int (*KSPSolve)(void *, void *, void *);
  int (*PCApply)(void *, void *, void *);
  int (*VecAXPY)(void *, double, void *);
} fc_petsc;

/* The contacts of one component: see timestepping/gaps.py. */
typedef struct {
  int count, observables, parameters;  /* contacts; numbers from one to the next */
  int bears;                           /* whether a fixed step must resolve them */
  const double *depth, *rate, *acceleration;
  double *touching, *approach, *active, *peak, *direction, *entry, *slow;
  const double *floor, *by_phase;
  double *before, *now; /* depth, rate, acceleration of each */
  int *free;
} fc_gaps;

/* How well a step resolves the contacts: of the worst, its number, what round-off hides of it. */
typedef struct {
  double worst, hidden;
  int which;
} fc_resolution;
/* One system on one rank. Arrays belong to Python; local numbers: owned unknowns, those of other
   ranks, fixed values. */
typedef struct {
  fc_petsc petsc;
  int (*refresh)(void *);             /* new round-off and weights, in Python; rarely called */
  int (*reduce)(void *);              /* hands tangents of followers on, in Python */
  void *newton;                       /* argument of both */
  /* evaluation */
  int owned, local, total;            /* unknowns: owned, with others', with fixed ones */
  int numbers;                        /* length of the state */
  int residuals, tangents, outputs, entries; /* batches; numbers the kernels put out */
  const fc_batch *residual, *tangent;
  double *state;                      /* q, v, a, q_n, parameters, globals: see component.py */
  double *globals, *work;
  const double *out, *cells;          /* what the residual and tangent kernels put out */
  const int *rows, *coo_rows, *coo_cols; /* local numbers behind them */
  int kept;                           /* how many of the tangents' numbers the matrix holds */
  const int *which;                   /* and which, all in turn if 0 */
  double *f, *g, *coo;                /* sums of outputs, of their sizes; scaled tangent */
  int followers;                      /* values that follow the unknowns, after the local ones */
  const int *first, *leader;          /* where each one's leaders begin; the leaders */
  const double *share;                /* and their factors */
  const double *scale;                /* of the solver's unknowns, and factor of their rows */
  const double *dynamic;              /* 1 for coordinates, 0 for algebraic unknowns */
  const double *measured;             /* 1 where the terms of a row count as forces of its class */
  const double *floors;               /* least force of each class, 0 if none is known */
  /* Newton */
  void *f_vector;                     /* PETSc's residual */
  void *ghosted, *scatter;            /* local vector and scatter to it; 0 on one rank */
  void *one_each;                     /* vector of one number a rank; likewise */
  double time, gamma, beta;           /* end of the step, dv/dq, da/dq */
  double per_step;                    /* 1 / (time since q_n), 0 in a steady state */
  double *q0, *v0;                    /* coordinates and rates at the end of the step for a = 0 */
  int rebuild, full;                  /* renew the tangent: at the next chance, every iteration */
  int age, oldest;                    /* tangents since the weights were refreshed, at most */
  int renewed;                        /* tangents in this solve, one more if all are new */
  int built;                          /* tangents so far */
  double excess, pace;                /* largest weighted residual; part an iteration may leave */
  double *at_tangent;                 /* state of the last tangent */
  int iterating, converged, diverged, nan; /* SNES's reasons */
  int reason;                         /* and the last solve's */
  fc_int its;                         /* its iterations */
  int iterations, steps, memory;      /* in all; accepted steps; those that halve a force's count */
  double price;                       /* of a tangent and its factors in iterations */
  double cost;                        /* since the last tangent, in iterations */
  int since, before;                  /* steps since then; tangents until then */
  const int *row_class;               /* class of equations of each unknown */
  int classes;
  double *force_scale;                /* largest force of each class so far */
  double tolerance;                   /* part of it that a row may leave */
  const double *part;                 /* part of the tolerance that each owned row is held to */
  const double *noise;                /* round-off of each owned row, unscaled */
  double *weights;                    /* 1 / what each owned row may leave */
  /* time integration */
  const double *coefficients;         /* see Scheme */
  double *alg, *old;                  /* acceleration-like variable; last a, or algebraic values */
  double *saved_state, *saved_alg, *saved_old; /* at the start of the step */
} fc_loop;

void fc_evaluate(const fc_batch *batch, int batches, const double *state, double *work);
void fc_add(const int *from, const int *to, int count, const double *values, double *sums, int n,
            const double *base, const double *signs);
int fc_attach(fc_loop *s, void *snes, void *f, void *A);
void fc_set(fc_loop *s, const double *x);
int fc_build(fc_loop *s, void *A);
int fc_solve(fc_loop *s, double time, int full, void *snes, void *x);
void fc_weigh(fc_loop *s);
void fc_stiffness(fc_loop *s, const double *sizes);
void fc_accepted(fc_loop *s, const double *forces);
int fc_predict(fc_loop *s, double ahead, void *x);
void fc_update(fc_loop *s);
int fc_gaps_read(fc_gaps *g, int n, int *ended);
void fc_gaps_remember(fc_gaps *g, int n);
void fc_gaps_prepare(fc_gaps *g, int n, double h);
void fc_gaps_follow(fc_gaps *g, int n);
fc_resolution fc_gaps_resolution(const fc_gaps *g, int n, double h, double noise, double limit,
                                 double pressed);

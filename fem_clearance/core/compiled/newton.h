/* Declarations of newton.c. Arrays belong to Python; local numbers: owned unknowns, those of other
   ranks, fixed values. */

/* The residual and the tangent of all components. */
typedef struct {
  int residuals, tangents;            /* batches */
  int outputs, tangent_outputs;       /* numbers the kernels put out */
  const fc_batch *residual, *tangent;
  double *work;
  const double *out, *tangent_out;    /* what the residual and tangent kernels put out */
  const int *rows, *tangent_rows, *tangent_cols; /* local numbers behind them */
  int couplings;                      /* how many of the tangents' can differ from 0 */
  const int *coupled;                 /* and which, all in turn if 0 */
  const double *cells;                /* the tangents without condensed values */
  const int *coo_rows, *coo_cols;
  int kept;                           /* how many of the tangents' numbers the matrix holds */
  const int *which;                   /* and which, all in turn if 0 */
  int placed;                         /* how many of `which` lie in the matrix of this rank's cells */
  const int *place, *first, *column;  /* and where; its pattern by rows. 0: set by `coo` */
  double *part;                       /* its values on several ranks; 0 on one: PETSc's matrix */
  double *f, *g, *coo;                /* sums of outputs, of their sizes; scaled tangent */
  fc_bulk bulk;                       /* the tangents of cells that fill bodies */
  fc_bulk_rows bulk_rows;             /* and their residual */
  const int *bulk_out;                /* [1]: they are not evaluated, and the entries to which others */
  const double *under;                /* add, in the order of `into`, are these */
  const int *into;                    /* places of the others' among its entries, ascending: matrices
                                         have those alone; 0: they are set by `coo` */
} fc_forms;

/* Values that follow the unknowns, after the local ones. */
typedef struct {
  int count;
  const int *first, *leader;          /* where each one's leaders begin; the leaders */
  const double *share;                /* and their factors */
} fc_followers;

/* Pairs of unknowns of which the lesser is 0, by local number: `value` is round-off if it is less
   than `share` of the other. */
typedef struct {
  int count;
  const int *value, *other;
  const double *share;
} fc_complements;

/* Rows of constraints on velocities. */
typedef struct {
  int count, outputs;                 /* batches of the kinds that have some; 0 if none has */
  const fc_batch *batch;
  const double *out;
  const int *rows;                    /* of the outputs */
  double *sums, *kept;                /* by row; velocities */
  const int *held;                    /* which rows they are */
} fc_rates;

/* One system on one rank. */
typedef struct {
  fc_petsc petsc;
  int (*refresh)(void *);             /* new round-off and weights, in Python; rarely called */
  int (*reduce)(void *);              /* hands tangents of followers on, in Python; 0 where no
                                         rank has any */
  int (*build)(void *);               /* makes tangents of other equations than a step's, or 0 */
  void *newton;                       /* argument of these */
  fc_forms forms;
  fc_followers followers;
  fc_complements complements;
  fc_ranks ranks;
  int owned, local, total;            /* unknowns: owned, with others', with fixed ones */
  int numbers;                        /* length of the state */
  double *state;                      /* q, v, a, q_n, parameters, globals: see component.py */
  double *globals;
  const double *scale;                /* of the solver's unknowns, and factor of their rows */
  const double *dynamic;              /* 1 for coordinates, 0 for algebraic unknowns */
  const double *noisy;                /* round-off of an unknown by that of the system's size */
  const double *measured;             /* 1 where the terms of a row count as forces of its class */
  const double *floors;               /* least force of each class, 0 if none is known */
  /* Newton */
  void *f_vector, *dx_vector;         /* PETSc's residual, and change of the unknowns */
  void *matrix, *ksp, *pc;            /* tangent and its solver; pc: if it solves by itself, or 0 */
  double time, gamma, beta;           /* end of the step, dv/dq, da/dq */
  double per_step;                    /* 1 / (time since q_n), 0 in a steady state */
  double *q0, *v0;                    /* coordinates and rates at the end of the step for a = 0 */
  const double *shown;                /* what forces see beside the velocities, or 0; */
  const fc_rates *rates;              /* these rows do not; 0 without them */
  int direct;                         /* solve without SNESSolve, once that has set SNES up */
  int rebuild, full;                  /* renew the tangent: at the next chance, every iteration */
  int tangent_age, max_tangent_age;   /* tangents since the weights were refreshed, at most */
  int renewed;                        /* tangents in this solve, one more if all are new */
  int built;                          /* tangents so far */
  double scaled_residual, contraction; /* largest weighted residual; part an iteration may leave */
  int dear;                           /* a tangent costs many iterations */
  double *excess;                     /* of each class, at the last three iterations */
  double first_residual;              /* scaled_residual of the solve's first guess */
  double *at_tangent;                 /* state of the last tangent */
  int iterating, converged, diverged, nan, no_factors, exhausted; /* SNES's reasons */
  int reason;                         /* and the last solve's */
  fc_int its;                         /* its iterations */
  int iterations, steps, memory;      /* in all; accepted steps; those that halve a force's count */
  double price;                       /* of a tangent and its factors in iterations */
  double cost;                        /* since the last tangent, in iterations */
  int since, before;                  /* steps since then; tangents until then */
  const int *row_class;               /* class of equations of each unknown */
  int classes;
  double *force_scale;                /* largest force of each class so far */
  double *forces;                     /* and at the present state */
  double tolerance;                   /* part of it that a row may leave */
  const double *part;                 /* part of the tolerance that each owned row is held to */
  const double *noise;                /* round-off of each owned row, unscaled */
  double *weights;                    /* 1 / what each owned row may leave */
} fc_loop;

int fc_attach(fc_loop *s, void *snes, int shell);
void fc_set(fc_loop *s, const double *x);
int fc_build(fc_loop *s, void *A);
int fc_solve(fc_loop *s, double time, int full, void *snes, void *x);
int fc_judge(const fc_loop *s, double *largest);
void fc_weigh(fc_loop *s);
void fc_stiffness(fc_loop *s, const double *sizes);
int fc_row_forces(fc_loop *s);
int fc_accepted(fc_loop *s);


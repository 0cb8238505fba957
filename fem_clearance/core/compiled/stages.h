/* Declarations of stages.c. */

/* What the scale of the algebraic unknowns follows from. */
typedef struct {
  int count;
  const int *number, *constrained, *rated; /* local numbers; 1 for multipliers, and for those that hold
                                         velocities */
  const double *unit;                 /* value of one unit of the others */
  const double *masses;               /* inertia behind each, by local number, */
  double *scale;                      /* and the scale */
} fc_scaling;

/* A vector that is kept at the start of a step. */
typedef struct {
  double *to;
  const double *from;
  int count;
} fc_kept;

/* A step that is under way: see timestepping/row_engine.py. */
typedef struct {
  int stages, kept, turned;           /* rows that turning directors add to */
  const fc_stage *stage;
  const fc_kept *keep;                /* beside what the history keeps */
  fc_history *history;
  const fc_scaling *scaling;
  fc_turning *turning;                /* 0 where directors do not turn within a step */
  const int *turned_stage, *turned_place; /* of each such row; places: own vectors, q0, v0 */
  const double *weights;
  double *added;
  fc_velocities *velocities;          /* what velocities are held by, 0 if they are not */
  double *taken, *base;               /* see timestepping/stabilised.py */
  int corrections;
  int by_hand;                        /* whether Python calls the solver */
  void *snes, *ksp, *x, *dx;
  double t, h, last, older;           /* start; length; lengths of those before, 0 without */
  int at;                             /* the stage under way */
  int wanted;                         /* what Python must do with it: UNSOLVED, UNSETTLED, or 0 */
  int error;                          /* of PETSc's in its solution */
  double *middles;                    /* 0, or states at the ends of the stages but the last */
} fc_step;

void fc_scale(fc_loop *s, const fc_scaling *c, double beta, double gamma);
int fc_begin_stage(fc_loop *s, fc_step *k);
int fc_stages(fc_loop *s, fc_step *k, int from);


/* Declarations of march.c. */

/* Steps of a run: see timestepping/march.py. */
typedef struct {
  fc_step *step;                      /* the step under way, all as long as the last one */
  int most, done;                     /* steps: at most, of this call so far */
  int left;                           /* what is left to do of another one: see march.c */
  double budget;                      /* s of wall time after which no step begins */
  double stop;                        /* time after whose first step no other begins */
  /* times */
  int adaptive;
  double t, t_end, origin, dt;        /* the present; of the run; of fixed steps */
  int64_t grid;                       /* fixed steps so far */
  double change, near;                /* when a law changes next; that close, a step ends there */
  /* step control, see Controller */
  double safety, grow, shrink, min_growth, max_shrink_kept, largest, smallest;
  int order, cautious;
  /* errors */
  double constant, noise;             /* of the local error; of accelerations by da/dq */
  int first_order;
  const double *allowed;              /* of each owned unknown */
  const double *rates;                /* typical values of what is judged by its rate, else 0 */
  double *errors;
  int *limited;                       /* of each step what limited it: unknown, -1 - contact */
  double contact_tolerance, bearable, pressed;
  /* contacts, and kinds whose numbers Python looks at */
  fc_gaps *gap;
  int gaps, suspends;
  int (*foresee)(void *), (*examine)(void *), (*update)(void *);
  const fc_steady *steady;            /* those whose numbers stay from step to step */
  int steadies, unsteady;             /* and whether there are others, which Python looks at */
  void *python;                       /* argument of these */
  int refused;                        /* whether examine is against the step */
  /* rigid bodies, whose rotation in a step is watched; 0 after a warning */
  int bodies, fast;                   /* whether one turns by more than the limit */
  const int *directors;
  double fastest;                     /* the limit, rad */
  /* what is counted */
  const fc_forces *forces;
  const fc_batch *work;
  int counted, touched;
  const fc_passing *passing;          /* power that passes beside the forces */
  int passings;
  double *power;                      /* of them at the end of the last step */
  double *packed, *totals, *base;
  const double *shares, *offsets, *moving;
  fc_touches *touches;
  /* what is recorded */
  fc_channels *channels;
  int recording;
  fc_energy *energy;                  /* 0 where it is not watched */
  double *rows;                       /* time and channels of each step */
  double *states;                     /* 0, or what keep_state writes, so many numbers a step */
  int kept, changing;                 /* numbers of the state that accepted steps change */
  const int *changed;
} fc_march;

int fc_run(fc_loop *s, fc_march *m);


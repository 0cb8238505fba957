
/* Declarations of steady.c. */

/* Cells of one component whose numbers stay from step to step but for copies: see
   timestepping/steady.py. */
typedef struct {
  int cells, observables, numbers; /* numbers from one cell to the next: observed, of the state */
  const double *observed;
  double *own;
  int copies;                      /* numbers of a cell that are copied, */
  const int *from, *to;            /* from which of what is observed */
  int value, rate;                 /* what is watched, and its rate; -1 where nothing is */
  const double *low, *high, *near; /* its interval, and how near an end counts as there */
  double beyond;                   /* so far outside, a step should have ended before */
} fc_steady;

int fc_steady_leave(const fc_steady *g, int n);
double fc_steady_left(const fc_steady *g, int n);
int fc_steady_late(const fc_steady *g, int n);
void fc_steady_copy(const fc_steady *g, int n);

/* Declarations of contacts.c. */

/* The contacts of one component: see timestepping/contact_events.py. */
typedef struct {
  int count, observables, parameters;  /* contacts; numbers from one to the next */
  int bears;                           /* whether a fixed step must resolve them */
  int modes;                           /* whether they are sticking and slipping */
  int growing;                         /* those whose least approach speed grows with the motion */
  const int *grows;
  double growth;                       /* to this part of the rate */
  const double *depth, *rate, *acceleration;
  double *touching, *approach, *active, *peak, *direction, *entry, *slow;
  double *floor;
  const double *by_phase;
  double *before, *now; /* depth, rate, acceleration of each */
  int *free;
} fc_gaps;

/* How well a step resolves the contacts: of the worst, its number, what round-off hides of it. */
typedef struct {
  double worst, hidden;
  int which;
} fc_resolution;

int fc_gaps_read(fc_gaps *g, int n, int *ended);
void fc_gaps_remember(fc_gaps *g, int n);
void fc_gaps_prepare(fc_gaps *g, int n, double h);
void fc_gaps_follow(fc_gaps *g, int n);
void fc_gaps_suspend(fc_gaps *g, int n);
fc_resolution fc_gaps_resolution(const fc_gaps *g, int n, double h, double noise, double limit,
                                 double pressed);


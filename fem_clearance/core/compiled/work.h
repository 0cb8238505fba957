/* Declarations of work.c. */

/* The contacts of one component whose work is counted: see timestepping/contact_work.py. */
typedef struct {
  int count, observables, parameters;     /* contacts; numbers from one to the next */
  const double *depth, *rate, *force;
  const double *energy, *share, *floor;   /* energy, share: 0 where there is none */
  double *kept;                           /* eleven numbers of each */
} fc_touches;

/* Forces of the cells of one component whose work is counted: see core/ledger.py. */
typedef struct {
  int cells, dofs, total;   /* cells, unknowns of each, and in which total they count */
  const int *unknowns;      /* local numbers, cells x dofs */
  const double *now;        /* force along each unknown at the end of the step */
  double *before, *work;    /* at its start; work of each cell so far */
  int observables, jumps;   /* of contacts: numbers from one to the next; a force that jumps */
  const double *depth;      /* and their depths, 0 of others */
  double *was;              /* at the step's start */
} fc_forces;

/* Power of the cells of one component that passes beside the work of their forces. */
typedef struct {
  int cells, stride;        /* numbers from one cell to the next */
  const double *power;
} fc_passing;

void fc_pass(const fc_passing *p, int n, double h, double *power, double *totals);
void fc_touches_count(fc_touches *c, int n, double t);
void fc_count_work(const fc_forces *f, const fc_batch *forces, int n, const double *state,
                   double *work, const double *q, const double *q_n, const double *moving,
                   double *totals, const double *shares, const double *offsets, double *base);

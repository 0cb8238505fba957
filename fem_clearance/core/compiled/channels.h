/* Declarations of channels.c. */

/* A number of each of so many cells: the first one's place, and how far apart they are; the channel
   to which they are added, times a sign. */
typedef struct {
  int first, stride, count, to;
  double sign;
} fc_column;

/* Channels as sums of what cells observe: see core/observation.py. */
typedef struct {
  int observers, acting;              /* batches; those that are looked at after every step */
  const fc_batch *observe;
  double *work;
  int columns, n;                       /* of numbers that are added up; channels, and the guard */
  const fc_column *column;
  const double *observed, *base;
  double *sums;
  int energies, wholes;               /* runs of energies; channels that are the sum of all */
  const fc_column *energy;
  const int *whole;
  double total[2];                    /* that sum, and what its rounding leaves */
  int extremes;                       /* numbers of which a channel is the least or the largest */
  const int *extreme, *extreme_to;    /* which, and its channel */
  const double *extreme_sign;         /* 1 where the largest counts, else -1 */
  int counted, kept;                  /* first channel of the ledger; whether it is kept */
  /* over the ranks, where there are several */
  int ranks, rank;
  fc_comm comm;
  double *part, *all;                 /* sums of this rank, then its `total` and those of others; the
                                         sums of these */
  int bounds;                         /* channels that are the least or the largest of something, */
  const int *bound;                   /* which, */
  const double *bound_sign;           /* 1 where the largest counts, else -1, */
  double *bound_part, *bound_all;     /* and their values by that */
} fc_channels;

/* The energy of a run, watched: see runs/energy.py. */
typedef struct {
  int watched, column[5];             /* whether there are energies: kinetic, total, dissipated, */
  int guards;                         /* fed, balance; whether growth has no cause */
  int seen, grown;                    /* steps; whether more has appeared than the motion had */
  int broken;                         /* the first channel that was no finite number, or -1 */
  double first, least, since, present;
  double kinetic, change, growth, scale, before, dissipated, fed, open;
  double still, noise;
  double slowest, moved, balance;     /* least kinetic energy; most that was fed; the balance */
  double lasting, earlier;            /* least size of it since step `renewed`, and before that */
  int renewed;
} fc_energy;

int fc_channels_add(fc_channels *c);
int fc_energy_see(fc_energy *m, const double *values, int n, double guard, double t);


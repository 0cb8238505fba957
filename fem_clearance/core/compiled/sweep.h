/* Declarations of sweep.c. */

/* A matrix by rows: its pattern, and which numbers are added up to its entries. */
typedef struct {
  const int *first, *column;
  int count;                    /* numbers that are added up */
  const int *take, *place;      /* which of those put out (0: all in turn), and where they go */
} fc_summed;

/* A model close by, whose residual at a state of the run has a part in a derivative. */
typedef struct {
  const fc_batch *residual;
  int batches, outputs, numbers, total;
  double *work, *state;         /* the latter of its own */
  const double *offset;         /* added to the run's numbers */
  const double *out;
  const int *rows;              /* local numbers behind `out` */
  double *f;
  int of;                       /* the derivative that it has a part in: by a parameter, or by time */
  double factor;                /* of its residual there */
} fc_nearby;

/* The linear equations of steps of one length, see sensitivity/sweeps.py. Vectors: [vector][column]
   [unknown]. */
typedef struct {
  const fc_petsc *petsc;
  int n, total, numbers;        /* unknowns, with fixed values; length of the state */
  int vectors, m, columns;      /* carried by a step, of these the integrator's own; columns */
  double *state;
  double *globals;              /* of the state */
  const fc_batch *tangent, *memory; /* dF/d(q, v, a); dF/dq_n */
  int tangents, memories;
  const int *reads;             /* what forces of each batch know: rates (1), accelerations (2) */
  double *work, *memory_work;
  const double *cells, *memory_out;
  fc_summed of_J, of_N;
  const int *known;             /* of_J: where those begin of batches that read the same */
  double *K, *G, *J, *N;        /* dF/dq; dF/dq + gamma dF/dv; and beta dF/da; dF/dq_n */
  double *fixed;                /* part of them that knows neither rates nor accelerations */
  const double *factor;         /* of each entry of J in the units of the solver */
  const double *scale;          /* of the solver's unknowns */
  double *scaled;               /* memory of the solver's matrix */
  void *matrix, *ksp, *pc, *b, *x;
  int renewal;                  /* iterations of a column that new factors cost */
  int uses, spent, latest;      /* steps by the present factors, iterations in them and in the last */
  double *past;                 /* solutions of the last three steps: [step][column][unknown] */
  int solved;                   /* how many of them there are */
  const double *dynamic;
  /* the map of a step */
  double beta, gamma;
  const double *A, *ends;       /* (m + 2) x vectors, m x 3 */
  fc_nearby *near;
  int nearby, sides;            /* models close by; derivatives that follow from them, time last */
  double *by, *counted;         /* these, sides x n; backwards: times each column, sides x columns */
  double *Z, *U, *left;         /* carried; room for (m + 2) columns of unknowns; for four vectors */
  double accurate, settled;     /* relative residual that solutions must have; that ends refinement */
  /* how far a hundredth of a parameter moves the system */
  const double *length, *sizes, *drift; /* of unknowns, of columns; derivatives of the instant */
  double reach;
  int beyond;                   /* first step after which it is more than that; -1: none */
} fc_sweep;

int fc_sweep_forward(fc_sweep *w, const uintptr_t *ends, int count, int *done);
int fc_sweep_back(fc_sweep *w, const uintptr_t *ends, int count, int *done);
